// The listener of `serve`: slow clients, addresses, shutdown.
import assert from "node:assert/strict";
import { Hono } from "hono";
import { listen, socketUpgrade } from "../../src/cli/listen.ts";

const PLACE = { hostname: "127.0.0.1", port: 0 };

/** Returns what the server sends until it ends a connection; a reset, which discards unread bytes, is an end too. */
async function saidUntilEnd(connection: Deno.TcpConn): Promise<string> {
  try {
    return await new Response(connection.readable).text();
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionReset) return "";
    throw error;
  }
}

Deno.test("requests without a complete head end by timeout, and others are answered meanwhile", async () => {
  const answer = () => Promise.resolve(new Response("here"));
  // Long enough for a busy machine to send the whole request in time.
  const listener = await listen(answer, { ...PLACE, headersTimeout: 400 });
  const halves = ["", "GET", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: localhost\r\nX: "];
  const open = await Promise.all(Array.from({ length: 100 }, async (_, at) => {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: listener.port });
    await connection.write(new TextEncoder().encode(halves[at % halves.length]));
    return connection;
  }));
  const whole = await fetch(`http://127.0.0.1:${listener.port}/`);
  assert.equal(await whole.text(), "here");
  for (const connection of open) {
    assert.match(await saidUntilEnd(connection), /^(?:HTTP\/1\.1 4\d\d |$)/);
  }
  await listener.close();
});

Deno.test("a listener reports the client's address and finishes its responses before it closes", async () => {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const listener = await listen(async (_request, { remoteAddr }) => {
    ask();
    await end;
    return new Response(remoteAddr?.hostname);
  }, PLACE);
  const answer = fetch(`http://127.0.0.1:${listener.port}/`);
  await asked;
  const closed = listener.close();
  resolve();
  assert.equal(await (await answer).text(), "127.0.0.1");
  await closed;
});

Deno.test("requests that a client sends at once are answered one after another, and too many end the connection", async () => {
  let open = 0;
  let most = 0;
  let asked = 0;
  const listener = await listen(async () => {
    most = Math.max(most, ++open);
    await new Promise((resolve) => setTimeout(resolve));
    open--;
    return new Response(`answer ${++asked}`);
  }, PLACE);
  const answers = async (count: number, version: string) => {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: listener.port });
    const head = `GET / HTTP/${version}\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n`;
    await connection.write(new TextEncoder().encode(head.repeat(count)));
    asked = 0;
    let said = "";
    try {
      for await (const part of connection.readable.pipeThrough(new TextDecoderStream())) {
        said += part;
        if (said.includes(`answer ${count}`)) break;
      }
    } catch {
      // The connection is reset.
    }
    return said.match(/answer \d+/g)?.length ?? 0;
  };
  const versions = ["1.1", "1.0"];
  for (const version of versions) assert.equal(await answers(100, version), 100);
  assert.equal(most, 1);
  for (const version of versions) assert.ok(await answers(300, version) < 2);
  await listener.close();
});

Deno.test("a request to upgrade to another protocol, or of another path than a socket's, is answered as any other", async () => {
  const listener = await listen(() => Promise.resolve(new Response("here")), PLACE);
  // The first as `curl --http2` and the HTTP client of Java send.
  for (
    const [line, to] of [["GET /", "h2c"], ["GET /", "websocket"], ["POST /socket", "websocket"]]
  ) {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: listener.port });
    const head =
      `${line} HTTP/1.1\r\nHost: localhost\r\nUpgrade: ${to}\r\nConnection: Upgrade, close\r\n\r\n`;
    await connection.write(new TextEncoder().encode(head));
    assert.match(await saidUntilEnd(connection), /^HTTP\/1\.1 200 OK\r\n.*here/s, line);
  }
  await listener.close();
});

Deno.test("a socket whose client does not answer its end does not keep the listener open", async () => {
  const app = new Hono();
  const upgrade = await socketUpgrade();
  const ignored = { onOpen() {}, onMessage() {}, onClose() {} };
  app.get("/socket", upgrade(() => ignored) as never);
  const listener = await listen(
    async (request, connection) => await app.fetch(request, connection),
    PLACE,
  );
  const client = await Deno.connect({ hostname: "127.0.0.1", port: listener.port });
  const head =
    "GET /socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
  await client.write(new TextEncoder().encode(head));
  const reader = client.readable.getReader();
  assert.match(new TextDecoder().decode((await reader.read()).value), /^HTTP\/1\.1 101 /);
  const closed = listener.close();
  // A listener that waits for the client sends a ping next.
  assert.equal((await reader.read()).done, true);
  await closed;
});

/** Makes the process unable to open files; returns a function that ends this. */
function denyFiles(): () => void {
  const { openSync } = Deno;
  Deno.openSync = () => {
    throw Object.assign(new Error("Too many open files"), { code: "EMFILE" });
  };
  return () => Deno.openSync = openSync;
}

Deno.test("a listener whose process can open no more files closes its port, answers open requests, and opens the port again", async () => {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const listener = await listen(async ({ url }) => {
    if (url.endsWith("/slow")) {
      ask();
      await end;
    }
    return new Response("here");
  }, PLACE);
  const at = `http://127.0.0.1:${listener.port}`;
  const slow = fetch(`${at}/slow`);
  await asked;
  const allow = denyFiles();
  // The last connection, and the end of the port.
  await fetch(at).then((response) => response.text(), () => "");
  await assert.rejects(Deno.connect({ hostname: "127.0.0.1", port: listener.port }), /refused/i);
  resolve();
  assert.equal(await (await slow).text(), "here");
  allow();
  for (let text = ""; text !== "here";) {
    text = await fetch(at).then((response) => response.text(), () => "");
  }
  await listener.close();
});
