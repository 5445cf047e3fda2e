// Server app whose participants are scripted agents.
import type { Agent } from "../../../mod.ts";
import { listen, socketUpgrade } from "../../../src/cli/listen.ts";
import type { ConveningEvent } from "../../../src/core/event.ts";
import type { PoolOptions, RunPool } from "../../../src/operations/run_pool.ts";
import { folderShelf } from "../../../src/inputs/folder_shelf.ts";
import type { SecurityOptions } from "../../../src/server/access.ts";
import { createApp } from "../../../src/server/server.ts";
import { MODEL } from "../../support/speaking_model.ts";
import { testsWith } from "../../support/tests_with.ts";
import { type Say, Talker } from "../../support/talkers.ts";
import { asPost } from "./as_post.ts";
import { withApp } from "./open_app.ts";

/** A response with parsed JSON. */
export interface Answered {
  readonly status: number;
  // deno-lint-ignore no-explicit-any -- whatever was answered, as a client would look at it
  readonly body: any;
  readonly headers: Headers;
}

/** An app whose participants "ada" and "ben" are talkers. */
export interface TalkingApp {
  readonly pool: RunPool;
  readonly out: string;
  /** Agent of the participants, with its requests. */
  readonly talker: Talker;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  get(path: string): Promise<Answered>;
  post(path: string, body?: unknown): Promise<Answered>;
}

/** Dialogue of the two participants. */
export const TALK = {
  kind: "dialogue",
  topic: "Should cities ban private cars?",
  model: MODEL,
  participants: [{ id: "ada", name: "Ada" }, { id: "ben", name: "Ben" }],
  maxTurns: 3,
  seed: 1,
  guards: { repetition: "off" },
} as const;

/** Dialogue that waits for a person. */
export const HUMAN = {
  ...TALK,
  participants: [{ id: "ada", name: "Ada" }, { id: "eve", name: "Eve", model: "human" }],
  maxTurns: 2,
  personTimeout: 0,
};

/** Starts a convening; returns its id. */
export async function started(
  { post }: Pick<TalkingApp, "post">,
  body: object = TALK,
): Promise<string> {
  return (await post("/api/convenings", body)).body.id;
}

/** Runs a convening to its end; returns its id. */
export async function held(
  app: Pick<TalkingApp, "post" | "pool">,
  body: object = TALK,
): Promise<string> {
  const id = await started(app, body);
  await app.pool.run(id)!.ended;
  return id;
}

/** Calls `use` with an app and removes its archive afterwards. */
export async function withTalkers(
  use: (app: TalkingApp) => Promise<void>,
  { say, agents = {}, ...runs }:
    & { readonly say?: Say; readonly agents?: Readonly<Record<string, Agent>> }
    & Omit<PoolOptions, "out" | "compose"> = {},
): Promise<void> {
  const talker = new Talker(say, "talker");
  await withApp(({ ask: fetch, pool, out }) =>
    use({
      pool,
      out,
      talker,
      fetch,
      get: async (path) => await answered(await fetch(path)),
      post: async (path, body) =>
        await answered(await fetch(path, body === undefined ? { method: "POST" } : asPost(body))),
    }), { agents: { ada: talker, ben: talker, ...agents }, runs });
}

withTalkers.test = testsWith(withTalkers);

/** Calls `use` with an app whose talkers wait at a gate. */
export async function withGate(
  use: (app: TalkingApp & { readonly gate: Gate }) => Promise<void>,
  options: Omit<Parameters<typeof withTalkers>[1] & object, "say"> = {},
): Promise<void> {
  const gate = new Gate();
  await withTalkers((app) => use({ ...app, gate }), { ...options, say: gate.say });
}

withGate.test = testsWith(withGate);

async function answered(response: Response): Promise<Answered> {
  const text = await response.text();
  return {
    status: response.status,
    body: text === "" ? undefined : JSON.parse(text),
    headers: response.headers,
  };
}

/** Starts a server on a port over an app's archive. */
export async function listening(
  { pool, out }: Pick<TalkingApp, "pool" | "out">,
  use: (url: string, end: AbortController) => Promise<void>,
  security: SecurityOptions = {},
): Promise<void> {
  const end = new AbortController();
  const app = createApp(
    { out, pool, models: {}, papers: folderShelf(out), signal: end.signal, readOnly: false },
    { ...security, upgradeWebSocket: await socketUpgrade() },
  );
  const listener = await listen(
    async (request, connection) => await app.fetch(request, connection),
    { hostname: "127.0.0.1", port: 0 },
  );
  try {
    await use(`127.0.0.1:${listener.port}/api/convenings`, end);
  } finally {
    end.abort();
    await listener.close();
  }
}

/** Delays the talkers' replies until it opens. */
export class Gate {
  readonly #open = Promise.withResolvers<void>();
  readonly #reached = Promise.withResolvers<void>();

  /** Waits for the gate and lets the talker reply as usual. */
  get say(): Say {
    return async ({ signal }) => {
      this.#reached.resolve();
      const gone = Promise.withResolvers<void>();
      signal?.addEventListener("abort", () => gone.resolve(), { once: true });
      await Promise.race([this.#open.promise, gone.promise]);
      return undefined;
    };
  }

  /** Resolves when a request waits at the gate. */
  get reached(): Promise<void> {
    return this.#reached.promise;
  }

  open(): void {
    this.#open.resolve();
  }
}

/** A server-sent event. */
export interface HeardEvent {
  readonly event: string;
  readonly id: number | undefined;
  readonly data: ConveningEvent;
}

/** Yields the events of a stream; leaving the loop closes the connection. */
export async function* heard(response: Response): AsyncGenerator<HeardEvent> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += value;
      for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
        const event = eventIn(text.slice(0, end));
        text = text.slice(end + 2);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    await reader.cancel();
  }
}

function eventIn(block: string): HeardEvent | undefined {
  const field = (name: string) =>
    block.split("\n").find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const data = field("data");
  if (data === undefined) return undefined;
  const id = field("id");
  return {
    event: field("event") ?? "message",
    id: id === undefined ? undefined : Number(id),
    data: JSON.parse(data),
  };
}
