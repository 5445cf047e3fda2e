// HTTP client of a server, for programs and pages. Needs only `fetch`. Event streams reconnect after a lost connection,
// without repeating events.
import type { ConveningEvent } from "../core/event.ts";
import { ClientError, type PaperJson, type Refusal } from "./answers.ts";
import { ADDRESSES, type Operations } from "./operations.ts";

/** Options of {@linkcode createClient}. */
export interface ClientOptions {
  /** Base URL of the server, such as `http://127.0.0.1:4000`. @default the origin of the current page */
  readonly url?: string | undefined;
  /** Token of the server; the server's own pages use a session instead. @default no token is sent */
  readonly token?: string | undefined;
  /** Sends requests. @default the global `fetch` */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** Options of a call. */
export interface CallOptions {
  /** Aborts the call; work that it started on the server continues. */
  readonly signal?: AbortSignal | undefined;
  /** `Idempotency-Key` of a call with effects: calls with the same key take effect once. */
  readonly key?: string | undefined;
}

/** A method per operation. The input is optional if all its keys are. */
export type CalledOperations = {
  readonly [N in keyof Operations]: (
    ...given: Record<string, never> extends Operations[N][0]
      ? [input?: Operations[N][0], options?: CallOptions]
      : [input: Operations[N][0], options?: CallOptions]
  ) => Promise<Operations[N][1]>;
};

/** A client of a server. */
export interface Client extends CalledOperations {
  /** Uploads a paper: PDF, markdown or plain text. */
  keepFile(
    file: Blob,
    about?: { readonly id?: string | undefined; readonly title?: string | undefined },
    options?: CallOptions,
  ): Promise<PaperJson>;
  /**
   * Streams the events of a convening after a number, without duplicates, until the convening ends. Reconnects after a lost
   * connection; a server that cannot be reached at first is an error. A waiting or paused convening is followed until it
   * resumes.
   */
  events(
    id: string,
    options?: { readonly after?: number | undefined; readonly signal?: AbortSignal | undefined },
  ): AsyncGenerator<ConveningEvent>;
  /**
   * Opens a WebSocket of the convening, which sends events as JSON and accepts `say`, `interject` and `pause`. Fails with
   * {@linkcode ClientError} in a browser if the client has a token, because browsers send no headers with a WebSocket.
   */
  socket(id: string, options?: { readonly after?: number | undefined }): WebSocket;
}

/**
 * Creates a client of a server.
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
  // An untyped call may give null.
  const server = new Connection(options ?? {});
  const operations = Object.fromEntries(
    Object.keys(ADDRESSES).map((name) => [
      name,
      (input: object = {}, call?: CallOptions) =>
        server.call(name as keyof Operations, input, call),
    ]),
  ) as unknown as CalledOperations;
  return {
    ...operations,
    async keepFile(file, { id, title } = {}, call) {
      const form = new FormData();
      form.set("file", file);
      if (id !== undefined) form.set("id", id);
      if (title !== undefined) form.set("title", title);
      return await readJson(await server.send("POST", "/api/papers", { body: form, ...call }));
    },
    events: (id, { after = 0, signal } = {}) =>
      streamEvents({
        open: (last) =>
          server.send("GET", `${pathOf(id)}/events`, {
            headers: { "last-event-id": `${last}` },
            signal,
          }),
        isOver: async () => ENDED.includes((await operations.show({ id }, { signal })).status),
      }, { after, signal }),
    socket(id, { after = 0 } = {}) {
      const url = server.urlOf(`${pathOf(id)}/socket?after=${after}`).replace(/^http/, "ws");
      return server.socket(url);
    },
  };
}

function pathOf(id: string): string {
  return `/api/convenings/${encodeURIComponent(id)}`;
}

/** Sends requests to a server, with the URL and the token. */
class Connection {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #fetch: (request: Request) => Promise<Response>;

  constructor({ url, token, fetch }: ClientOptions) {
    const address = url ?? globalThis.location?.origin;
    if (!/^https?:\/\/./.test(String(address)) || !URL.canParse(String(address))) {
      throw new ClientError(0, {
        code: "config_invalid",
        message: `Cannot use url: ${JSON.stringify(address) ?? "nothing"} is not a URL`,
        field: "url",
        hint: "Give a URL that begins with http:// or https://.",
      });
    }
    this.#url = address!.replace(/\/$/, "");
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    this.#fetch = fetch ?? ((request) => globalThis.fetch(request));
  }

  urlOf(path: string): string {
    return `${this.#url}${path}`;
  }

  /** Opens a WebSocket, with the token in the headers where WebSockets accept headers. */
  socket(url: string): WebSocket {
    if (this.#headers["authorization"] === undefined) return new WebSocket(url);
    try {
      return new WebSocket(url, { headers: this.#headers } as unknown as string[]);
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      throw new ClientError(0, {
        code: "config_invalid",
        message: "Cannot open a socket: a browser sends no token with a WebSocket",
        field: "token",
        hint: "Follow `events`, and call `say` and `pause`.",
      });
    }
  }

  /** Calls an operation: fills in path parameters, and sends the other keys in the body of a `POST`, else in the query. */
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
    return TEXTS.includes(name) ? await response.text() : await readJson<unknown>(response);
  }

  /** Sends a request. Fails with {@linkcode ClientError} if the response is an error. */
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
    return response.ok ? response : await readJson<never>(response);
  }
}

/** Operations that return text instead of JSON. */
const TEXTS: readonly (keyof Operations)[] = ["file", "export", "studyFile"];

/** Reads the JSON of a response. Fails with {@linkcode ClientError} for an error, and for content of another form. */
async function readJson<T>(response: Response): Promise<T> {
  const { ok, status } = response;
  const text = await response.text();
  let value: T & Partial<Refusal> | undefined;
  try {
    value = JSON.parse(text);
    if (ok) return value as T;
  } catch {
    // A proxy may have answered with a page.
  }
  const { error } = value ?? {};
  throw new ClientError(
    status,
    typeof error?.message === "string" ? error : {
      code: "unexpected",
      message: `The server answered ${status}${ok ? " without JSON" : ""}`,
      hint: "Another server, such as a proxy, may have answered: check the URL.",
    },
  );
}

/** Delay before a reconnection, in milliseconds; doubled after each attempt, up to {@linkcode LONGEST_PAUSE}. */
const PAUSE = 1000;
const LONGEST_PAUSE = 15_000;
/** Milliseconds without data after which a connection counts as lost; the server sends a comment every 15 s. */
const SILENCE = 40_000;
const ENDED: readonly string[] = ["completed", "stopped", "failed"];

/**
 * Streams the events after a number. `open` opens a stream after the last received event; `isOver` asks whether the
 * convening has ended. Fails with {@linkcode ClientError} if the server rejects the request, with the error of `open` if the
 * server was never reached, and with the signal's reason once it is aborted.
 */
async function* streamEvents(
  { open, isOver }: {
    readonly open: (last: number) => Promise<Response>;
    readonly isOver: () => Promise<boolean>;
  },
  { after, signal }: { readonly after: number; readonly signal: AbortSignal | undefined },
): AsyncGenerator<ConveningEvent> {
  let last = after;
  let pause = PAUSE;
  let [isReached, hasEnded] = [false, false];
  for (;;) {
    try {
      const response = await open(last);
      isReached = true;
      // 204, the answer for an ended convening, has no body.
      if (response.body === null) return;
      let isEmpty = true;
      for await (const fields of parseEventStream(response.body)) {
        signal?.throwIfAborted();
        const sent = JSON.parse(fields.get("data")!);
        if (fields.get("event") === "error") throw new ClientError(500, sent.error);
        last = Number(fields.get("id") ?? last);
        pause = PAUSE;
        isEmpty = false;
        if (sent.type === "convening-end") hasEnded = ENDED.includes(sent.ending.status);
        else if (sent.type === "convening-resume") hasEnded = false;
        yield sent;
      }
      if (hasEnded || isEmpty && await isOver()) return;
    } catch (error) {
      signal?.throwIfAborted();
      const { status = 0 } = error instanceof ClientError ? error : {};
      // A proxy answers 502 or 504 while the server restarts.
      const isBusy = status === 503 || isReached && (status === 502 || status === 504);
      if (!isBusy && (!isReached || error instanceof ClientError)) throw error;
    }
    await delay(pause, signal);
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  }
}

/** Yields the fields of each server-sent event, until the stream ends or falls silent; comments are skipped. */
async function* parseEventStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ReadonlyMap<string, string>> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const timer = setTimeout(() => reader.cancel().catch(() => {}), SILENCE);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
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
        if (fields.has("data")) yield fields;
      }
    }
  } finally {
    // Closes the connection when the consumer stops early.
    await reader.cancel().catch(() => {});
  }
}

function delay(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  const stop = () => reject(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted === true) stop();
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  });
}
