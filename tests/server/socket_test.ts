// WebSockets of a convening.
import assert from "node:assert/strict";
import {
  heard,
  held,
  HUMAN,
  listening,
  started,
  TALK,
  withGate,
  withTalkers,
} from "./support/talking_app.ts";

/** A message from the server. */
interface Heard {
  readonly type: string;
  readonly n?: number;
  readonly id?: unknown;
  readonly error?: { readonly code: string; readonly field?: string };
  readonly [key: string]: unknown;
}

/** Client end of a socket, with the received messages and the close event. */
class Client {
  readonly heard: Heard[] = [];
  readonly opened: Promise<unknown>;
  readonly closed: Promise<CloseEvent>;
  readonly socket: WebSocket;
  readonly #waiting: (() => void)[] = [];

  constructor(url: string) {
    this.socket = new WebSocket(url);
    this.opened = new Promise((resolve) => this.socket.onopen = resolve);
    this.closed = new Promise((resolve) => this.socket.onclose = resolve);
    this.socket.onmessage = ({ data }) => {
      this.heard.push(JSON.parse(data));
      for (const wake of this.#waiting.splice(0)) wake();
    };
  }

  /** Sends a message as JSON, or a text as it is. */
  send(message: object | string): void {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** Resolves with the first message that matches. */
  async until(fits: (message: Heard) => boolean): Promise<Heard> {
    for (;;) {
      const found = this.heard.find(fits);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Resolves with the reply to the message with an id. */
  reply(id: number): Promise<Heard> {
    return this.until((each) => each.id === id);
  }
}

/** Returns the status of the response to a handshake. */
async function handshake(
  address: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const { host, port, pathname } = new URL(`http://${address}`);
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(port) });
  const lines = Object.entries({
    host,
    upgrade: "websocket",
    connection: "Upgrade",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    "sec-websocket-version": "13",
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `GET ${pathname} HTTP/1.1\r\n${lines.join("")}\r\n`;
  await connection.write(new TextEncoder().encode(head));
  const answer = new Uint8Array(100);
  await connection.read(answer);
  return Number(new TextDecoder().decode(answer).slice(9, 12));
}

withTalkers.test("a socket sends the event stream's events, also after a number, and closes with the convening", async (app) => {
  const id = await started(app, TALK);
  await listening(app, async (url) => {
    const live = new Client(`ws://${url}/${id}/socket`);
    const { code, reason } = await live.closed;
    assert.deepEqual([code, reason], [1000, "completed"]);
    const streamed = await Array.fromAsync(
      heard(await app.fetch(`/api/convenings/${id}/events`)),
    );
    const numbered = live.heard.filter(({ type }) => type !== "message-delta");
    assert.deepEqual(numbered, streamed.map(({ data }) => data));
    const later = new Client(`ws://${url}/${id}/socket?after=5`);
    await later.closed;
    assert.deepEqual(later.heard, numbered.slice(5));
    const fork = await app.post(`/api/convenings/${id}/fork`, { at: 1 });
    const resting = new Client(`ws://${url}/${fork.body.id}/socket`);
    assert.equal((await resting.closed).reason, "interrupted");
  });
});

withTalkers.test("a person says a turn through a socket, which stays open while the convening waits", async (app) => {
  const id = await held(app, HUMAN);
  await listening(app, async (url) => {
    const client = new Client(`ws://${url}/${id}/socket`);
    await client.until(({ type }) => type === "turn-wait");
    client.send({ type: "say", id: 1, participant: "ada", text: "Me!" });
    assert.equal((await client.reply(1)).error?.code, "turn_order");
    client.send({ type: "say", id: 2, text: "Streets are for people." });
    const reply = await client.reply(2);
    assert.deepEqual([reply.type, reply["participant"]], ["reply", "eve"]);
    assert.equal((await client.closed).reason, "completed");
    const { body } = await app.get(`/api/convenings/${id}/messages?after=1`);
    assert.equal(body.messages[0].body.trim(), "Streets are for people.");
  });
});

withTalkers.test("a socket sends the error of a record that can no longer be read, and closes with the error's code", async (app) => {
  const id = await started(app, HUMAN);
  const { ended, dir } = app.pool.run(id)!;
  await ended;
  await listening(app, async (url) => {
    const client = new Client(`ws://${url}/${id}/socket`);
    await client.until(({ type }) => type === "turn-wait");
    await Deno.remove(dir, { recursive: true });
    const { error } = await client.until(({ type }) => type === "error");
    const { code, reason } = await client.closed;
    assert.deepEqual([error?.code, code, reason], ["not_found", 1011, "not_found"]);
  });
});

withGate.test("a client interjects and pauses through a socket", async (app) => {
  const id = await started(app, TALK);
  await app.gate.reached;
  await listening(app, async (url, end) => {
    const client = new Client(`ws://${url}/${id}/socket`);
    await client.opened;
    client.send({ type: "interject", id: 1, text: "What about buses?" });
    assert.equal((await client.reply(1))["interjected"], true);
    client.send({ type: "pause", id: 2 });
    assert.equal((await client.reply(2))["held"], true);
    app.gate.open();
    await client.until(({ type }) => type === "convening-end");
    end.abort();
    assert.equal((await client.closed).code, 1001);
  });
});

withGate.test("a socket rejects invalid messages and limits their number and size", async (app) => {
  const id = await started(app, TALK);
  await app.gate.reached;
  await listening(app, async (url) => {
    const opened = async (): Promise<Client> => {
      const client = new Client(`ws://${url}/${id}/socket`);
      await client.opened;
      return client;
    };
    const client = await opened();
    client.send("{");
    client.send({ type: "shout", id: 1 });
    client.send({ type: "say", id: 2, text: "x", loud: true });
    client.send({ type: "say", id: 3, text: "x".repeat(60_000) });
    const [broken, , , long] = await Promise.all(
      [null, 1, 2, 3].map((each) =>
        client.until(({ type, id }) => type === "error" && id === each)
      ),
    );
    assert.deepEqual([broken, long].map((each) => each!.error?.field), ["message", "text"]);
    // A JSON message too deep for a recursive serializer: the error must not repeat it.
    const deep = await opened();
    deep.send(`{"type":"say","id":${"[".repeat(400_000)}${"]".repeat(400_000)}}`);
    const { id: none, error } = await deep.until(({ type }) => type === "error");
    assert.deepEqual([none, error?.code], [null, "config_invalid"]);
    deep.send({ type: "say", id: { a: 1 }, text: "x" });
    assert.equal((await deep.until((each) => each.error?.field === "id")).id, null);
    deep.socket.close();
    for (
      const [code, sent] of [[1003, new Uint8Array(3)], [1009, "x".repeat(1_100_000)]] as const
    ) {
      const other = await opened();
      other.socket.send(sent);
      assert.equal((await other.closed).code, code);
    }
    const eager = await opened();
    for (let at = 0; at < 200; at++) eager.send({ type: "say", id: at, text: "x" });
    assert.equal((await eager.closed).code, 1008);
    app.gate.open();
    assert.equal((await client.closed).code, 1000);
  });
});

withTalkers.test("a socket needs the token or the server's own origin", async (app) => {
  const id = await held(app, TALK);
  await listening(app, async (url) => {
    const path = `${url}/${id}/socket`;
    const own = `http://${url.split("/")[0]}`;
    assert.equal(await handshake(path), 101);
    assert.equal(await handshake(path, { origin: own }), 101);
    assert.equal(await handshake(path, { origin: "http://evil.example" }), 403);
    assert.equal(await handshake(path, { origin: "null" }), 403);
    assert.equal(await handshake(path, { host: "evil.example" }), 403);
    assert.equal(await handshake(`${url}/none/socket`), 404);
    assert.equal((await fetch(`http://${path}`)).status, 400);
  });
  const token = "a-secret-of-0123456789";
  await listening(app, async (url) => {
    const path = `${url}/${id}/socket`;
    assert.equal(await handshake(path), 401);
    assert.equal(await handshake(path, { authorization: "Bearer wrong" }), 401);
    assert.equal(await handshake(path, { authorization: `Bearer ${token}` }), 101);
  }, { token });
});
