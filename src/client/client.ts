// A client of a server, for programs and for pages: fetch, and nothing else; events come each once, over lost connections too.
import type { ConveningEvent } from "../core/event.ts";
import { ClientError, type PaperJson, type Refusal } from "./answers.ts";
import { ADDRESSES, type Operations } from "./operations.ts";

/** Options of {@linkcode createClient}. */
export interface ClientOptions {
  /** The server's address, such as `http://127.0.0.1:4000`. @default the page's own server */
  readonly url?: string | undefined;
  /** The server's token; pages of the server have a session in its place. @default none is sent */
  readonly token?: string | undefined;
  /** Sends requests. @default the global `fetch` */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Breaks the call off; what it started goes on. */
  readonly signal?: AbortSignal | undefined;
  /** The `Idempotency-Key` of a call that starts or changes something: with the same key it is done once. */
  readonly key?: string | undefined;
}

/** A method for each operation; where every key of the input may be absent, so may the input. */
export type CalledOperations = {
  readonly [N in keyof Operations]: (
    ...given: Record<string, never> extends Operations[N][0]
      ? [input?: Operations[N][0], options?: CallOptions]
      : [input: Operations[N][0], options?: CallOptions]
  ) => Promise<Operations[N][1]>;
};

/** A client of a server. */
export interface Client extends CalledOperations {
  /** Keeps a paper's file: PDF, markdown or plain text. */
  keepFile(
    file: Blob,
    about?: { readonly id?: string | undefined; readonly title?: string | undefined },
    options?: CallOptions,
  ): Promise<PaperJson>;
  /**
   * The events of a convening after a number, each once, live until the convening has ended; a connection that is lost is
   * opened again where it was. A convening that waits or is paused is followed until it goes on.
   */
  events(
    id: string,
    options?: { readonly after?: number | undefined; readonly signal?: AbortSignal | undefined },
  ): AsyncGenerator<ConveningEvent>;
  /** Opens the convening's WebSocket, which sends the events as JSON and takes `say`, `interject` and `pause`. */
  socket(id: string, options?: { readonly after?: number | undefined }): WebSocket;
}

/**
 * A client of a server.
 *
 * @example
 * ```ts
 * import { createClient } from "@convenings/convenings/client";
 *
 * async function debate(topic: string): Promise<void> {
 *   const client = createClient({ url: "http://127.0.0.1:4000" });
 *   const { id } = await client.start({ kind: "debate", topic });
 *   for await (const event of client.events(id)) {
 *     if (event.type === "message") console.log(event.message.body);
 *   }
 *   console.log((await client.show({ id })).winner);
 * }
 * ```
 */
export function createClient(options: ClientOptions = {}): Client {
  const server = new Connection(options);
  const called = Object.fromEntries(
    Object.keys(ADDRESSES).map((name) => [
      name,
      (input: object = {}, call?: CallOptions) =>
        server.call(name as keyof Operations, input, call),
    ]),
  ) as unknown as CalledOperations;
  return {
    ...called,
    async keepFile(file, { id, title } = {}, call) {
      const form = new FormData();
      form.set("file", file);
      if (id !== undefined) form.set("id", id);
      if (title !== undefined) form.set("title", title);
      return await (await server.send("POST", "/api/papers", { body: form, ...call })).json();
    },
    events: (id, { after = 0, signal } = {}) =>
      followedEvents((last) =>
        server.send("GET", `${pathOf(id)}/events`, {
          headers: { "last-event-id": `${last}` },
          signal,
        }), { after, signal }),
    socket(id, { after = 0 } = {}) {
      const url = server.urlOf(`${pathOf(id)}/socket?after=${after}`).replace(/^http/, "ws");
      return server.socket(url);
    },
  };
}

function pathOf(id: string): string {
  return `/api/convenings/${encodeURIComponent(id)}`;
}

/** A server that is asked. */
class Connection {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #fetch: (request: Request) => Promise<Response>;

  constructor({ url, token, fetch }: ClientOptions) {
    const given = url ?? globalThis.location?.origin;
    if (!/^https?:\/\/./.test(String(given)) || !URL.canParse(String(given))) {
      throw new ClientError(0, {
        code: "config_invalid",
        message: `Cannot use url: ${JSON.stringify(given) ?? "nothing"} is no address`,
        field: "url",
        hint: "Give a URL that begins with http:// or https://.",
      });
    }
    this.#url = given!.replace(/\/$/, "");
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    this.#fetch = fetch ?? ((request) => globalThis.fetch(request));
  }

  urlOf(path: string): string {
    return `${this.#url}${path}`;
  }

  /** A socket; where sockets take headers, the token is among them. */
  socket(url: string): WebSocket {
    if (this.#headers["authorization"] === undefined) return new WebSocket(url);
    return new WebSocket(url, { headers: this.#headers } as unknown as string[]);
  }

  /** Calls an operation: keys of its path are filled in, the others are the query of a `GET` or the body of a `POST`. */
  async call(name: keyof Operations, input: object, { signal, key }: CallOptions = {}) {
    const [method = "", template = ""] = ADDRESSES[name].split(" ");
    const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
    const path = template.replace(/\{(\w+)\}/g, (_all, part) => {
      const value = encodeURIComponent(String(rest.get(part)));
      rest.delete(part);
      return value;
    });
    const query = method === "POST" || rest.size === 0
      ? ""
      : `?${new URLSearchParams([...rest].map(([part, value]) => [part, String(value)]))}`;
    const response = await this.send(method, `${path}${query}`, {
      signal,
      headers: {
        ...method === "POST" ? { "content-type": "application/json" } : {},
        ...key === undefined ? {} : { "idempotency-key": key },
      },
      body: method === "POST" ? JSON.stringify(Object.fromEntries(rest)) : undefined,
    });
    if (response.status === 204) return undefined;
    return TEXTS.includes(name) ? await response.text() : await response.json();
  }

  /** The answer to a request. Fails with {@linkcode ClientError} where it is a refusal. */
  async send(
    method: string,
    path: string,
    { headers = {}, body, signal }: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | FormData | undefined;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<Response> {
    const response = await this.#fetch(
      new Request(this.urlOf(path), {
        method,
        headers: { ...this.#headers, ...headers },
        ...body === undefined ? {} : { body },
        ...signal === undefined ? {} : { signal },
      }),
    );
    if (response.ok) return response;
    throw new ClientError(response.status, await refusalOf(response));
  }
}

/** Operations that answer with a text. */
const TEXTS: readonly (keyof Operations)[] = ["file", "export"];

/** The refusal in an answer; a proxy's answer need not have the form of one. */
async function refusalOf(response: Response): Promise<Refusal["error"]> {
  const text = await response.text();
  try {
    return (JSON.parse(text) as Refusal).error;
  } catch {
    return { code: "unexpected", message: `The server answered ${response.status}` };
  }
}

interface SentEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** Time before a connection is opened again, in milliseconds; each failure doubles it. */
const PAUSE = 1000;
const LONGEST_PAUSE = 15_000;
/** States of a convening that can go on by itself or by a person. */
const RESTING: readonly string[] = ["waiting", "paused"];

/**
 * The events after a number: `open` opens a stream after the last one. Fails with {@linkcode ClientError} where the server
 * refuses, and as the signal does once it is aborted.
 */
async function* followedEvents(
  open: (last: number) => Promise<Response>,
  { after, signal }: { readonly after: number; readonly signal: AbortSignal | undefined },
): AsyncGenerator<ConveningEvent> {
  let last = after;
  let pause = PAUSE;
  for (;;) {
    try {
      const response = await open(last);
      if (response.status === 204 || response.body === null) return;
      let hasEnded = false;
      for await (const { event, id, data } of sentEvents(response.body)) {
        if (event === "error") throw new ClientError(500, JSON.parse(data).error);
        const sent: ConveningEvent = JSON.parse(data);
        if (id !== undefined) last = Number(id);
        pause = PAUSE;
        hasEnded = sent.type === "convening-end" && !RESTING.includes(sent.ending.status);
        yield sent;
      }
      if (hasEnded) return;
    } catch (error) {
      signal?.throwIfAborted();
      const isBusy = error instanceof ClientError && error.status === 503;
      if (error instanceof ClientError && !isBusy) throw error;
    }
    await waited(pause, signal);
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  }
}

/** The events in the body of an sent stream; a comment is none. */
async function* sentEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<SentEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (text + value).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const fields = new Map(
          block.split("\n").map((line) => {
            const at = line.indexOf(": ");
            return [line.slice(0, at), line.slice(at + 2)] as const;
          }),
        );
        const data = fields.get("data");
        if (data === undefined) continue;
        yield { event: fields.get("event") ?? "message", id: fields.get("id"), data };
      }
    }
  } finally {
    // Whoever leaves the loop closes the connection.
    await reader.cancel().catch(() => {});
  }
}

function waited(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
