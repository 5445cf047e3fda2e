// Rows of the server: responses per second relative to a bare server, viewers of a run, and memory of runs.
import { fileURLToPath } from "node:url";
import { taskFlags } from "../support/cli.ts";
import type { Archive, ArchivedConvening } from "./archive.ts";
import type { Bench, Extent } from "./bench.ts";
import { Child } from "./child.ts";
import { each, type Figure, figure, type Goal, pairs, ratio } from "./figure.ts";
import type { Gauge } from "./gauge.ts";
import type { Load, LoadTask } from "./load.ts";
import type { Viewed } from "./viewers.ts";

const GAUGE = `--preload=${fileURLToPath(new URL("gauge.ts", import.meta.url))}`;

/** A server of an archive in a process of its own. */
class Served implements AsyncDisposable {
  readonly child: Child;
  readonly port: number;

  private constructor(child: Child, port: number) {
    this.child = child;
    this.port = port;
  }

  /** Starts `convenings serve` with its task's flags. */
  static ours(out: string, given: readonly string[] = []): Promise<Served> {
    const env = { OPENAI_API_KEY: "", OPENAI_BASE_URL: "", TAVILY_API_KEY: "", INIT_CWD: "" };
    const args = ["serve", "--json", "--port=0", `--out=${out}`, ...given];
    const flags = [...taskFlags("serve"), GAUGE];
    return Served.#of(new Child("../../src/cli/main.ts", { flags, args, env, cwd: out }));
  }

  /** Starts the baseline server. */
  static bare(out: string): Promise<Served> {
    const flags = ["--no-prompt", "--ignore-env", "--allow-read", "--allow-net=127.0.0.1", GAUGE];
    return Served.#of(new Child("bare_server.ts", { flags, args: [out] }));
  }

  static async #of(child: Child): Promise<Served> {
    await child.ready();
    return new Served(child, (await child.line<{ port: number }>()).port);
  }

  /** Returns the cost of the process so far. */
  gauge(): Promise<Gauge> {
    return this.child.ask<Gauge>({});
  }

  async #fetch(path: string, init?: RequestInit) {
    const answer = await fetch(`http://127.0.0.1:${this.port}/api/convenings${path}`, init);
    const body = await answer.json();
    if (!answer.ok) throw new Error(`The server answered ${JSON.stringify(body)}`);
    return body;
  }

  /** Starts a dialogue with a number of turns; returns its id. */
  async convene(maxTurns: number): Promise<string> {
    const participants = [{ name: "Ada" }, { name: "Ben" }];
    const topic = "What should a city plan for first?";
    const guards = { repetition: "off" };
    const body = JSON.stringify({ kind: "dialogue", topic, participants, maxTurns, guards });
    const headers = { "content-type": "application/json" };
    return (await this.#fetch("", { method: "POST", headers, body })).id;
  }

  /** Returns the ids of the convenings that are running. */
  async running(ids: readonly string[]): Promise<string[]> {
    const { convenings } = await this.#fetch("?status=running&limit=200");
    const running = new Set(convenings.map(({ id }: { readonly id: string }) => id));
    return ids.filter((id) => running.has(id));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.child[Symbol.asyncDispose]();
  }
}

/** Measures a server: reads of an archive, and concurrent runs. */
export async function server(bench: Bench, extent: Extent): Promise<Figure[]> {
  return [...await reading(bench, extent), ...await live(bench, extent)];
}

/** Paths to request in turn, for each server. */
type Asked = Readonly<Record<"ours" | "bare", readonly string[]>>;

/** Sends requests to one of the servers. */
type Ask = (
  candidate: keyof Asked,
  paths: readonly string[],
  more?: Partial<LoadTask>,
) => Promise<Load & { readonly cpu: number }>;

/** Measures requests per second relative to a bare server that reads the same files. */
async function reading(bench: Bench, { repetitions, quick }: Extent): Promise<Figure[]> {
  const out = await bench.folder();
  const [many, few, copies] = quick ? [100, 20, 8] : [10_000, 20, 498];
  const archive = await bench.run<Archive>("archive.ts", { sizes: [many, few], copies }, out);
  await using ours = await Served.ours(out);
  await using bare = await Served.bare(out);
  await using load = await new Child("load.ts").ready();
  const time = quick ? 50 : 400;
  const ask: Ask = async (candidate, paths, more) => {
    const asked = candidate === "ours" ? ours : bare;
    const task = { port: asked.port, connections: 16, milliseconds: time, ...more, paths };
    // Warm-up: compilation and first reads of files do not count.
    await load.ask<Load>({ ...task, milliseconds: time / 4 });
    const before = await asked.gauge();
    const found = await load.ask<Load>(task);
    const { cpu } = await asked.gauge();
    if (found.status === 200 || found.status === 304) {
      return { ...found, cpu: (cpu - before.cpu) / found.requests };
    }
    throw new Error(`${candidate} answered ${found.status} to ${paths[0]}`);
  };
  const times = Math.min(repetitions, 3);
  const warm = messagesOf(archive.small);
  for (const candidate of ["ours", "bare"] as const) {
    await ask(candidate, warm[candidate], { milliseconds: quick ? 50 : 1500 });
  }
  return [
    ...await compared(ask, archive, times),
    ...await paged(ask, archive, times),
    ...await timed(ask, archive, times),
  ];
}

/** Returns the paths of messages at both servers. */
function messagesOf({ id, dir, names }: ArchivedConvening): Asked {
  return {
    ours: names.map((name) => `/api/convenings/${id}/files/messages/${name}`),
    bare: names.map((name) => `/files/${dir}/messages/${name}`),
  };
}

/** Measures responses that the bare server also has. */
async function compared(ask: Ask, { large, small }: Archive, times: number): Promise<Figure[]> {
  const known = messagesOf({ ...small, names: small.names.slice(-1) });
  const index = {
    ours: [`/api/convenings/${small.id}/files/index.md`],
    bare: [`/files/${small.dir}/index.md`],
  };
  const message = `a message of ${large.messages}`;
  const rows: readonly (readonly [what: string, paths: Asked])[] = [
    [message, messagesOf(large)],
    ["a message that the client has", known],
    ["an index page", index],
  ];
  const figures: Figure[] = [];
  for (const [what, paths] of rows) {
    const found = await pairs(times, async (candidate) => {
      const etag = paths === known ? (await ask(candidate, paths[candidate])).etag : undefined;
      return await ask(candidate, paths[candidate], { etag });
    });
    const rate = { ...each(found, ({ perSecond }) => perSecond), unit: "/s" };
    figures.push(ratio(`requests per second ÷ bare, ${what}`, { atLeast: 0.7 }, rate));
    if (what !== message) continue;
    const slowest = { ...each(found, ({ p99 }) => p99), unit: "ms" };
    const cpu = { ...each(found, (cost) => cost.cpu), unit: "ms" };
    figures.push(ratio("slowest hundredth ÷ bare, a message", { atMost: 2 }, slowest));
    figures.push(ratio("CPU of the server ÷ bare, a message", { atMost: 1.4 }, cpu));
  }
  return figures;
}

/** Measures pages of messages and scores, whose cost must not depend on their number. */
async function paged(ask: Ask, { large, small }: Archive, times: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const part of ["messages", "scores"]) {
    const of = ({ id }: ArchivedConvening, after: number) =>
      `/api/convenings/${id}/${part}?after=${after}&limit=20`;
    const paths = { ours: of(large, Math.floor(large.messages / 2)), bare: of(small, 0) };
    const found = await pairs(times, (candidate) => ask("ours", [paths[candidate]]));
    const time = { ...each(found, ({ p50 }) => p50), unit: "ms" };
    const what = `20 ${part} of ${large.messages} ÷ of ${small.messages}`;
    figures.push(ratio(what, { atMost: 1.5 }, time));
  }
  return figures;
}

/** Measures responses made from a whole record or archive, in milliseconds. */
async function timed(
  ask: Ask,
  { large, small, convenings }: Archive,
  times: number,
): Promise<Figure[]> {
  const rows = [
    ...([[small, 30], [large, 300]] as const).flatMap(([{ id, messages }, atMost]) => [
      [`a convening of ${messages} messages`, `/api/convenings/${id}`, atMost] as const,
      [`its page of ${messages} messages`, `/convenings/${id}`, atMost] as const,
    ]),
    [`the list of ${convenings} convenings`, "/api/convenings", 100] as const,
    [`the archive's page, ${convenings} convenings`, "/", 30] as const,
  ];
  const figures: Figure[] = [];
  for (const [what, path, atMost] of rows) {
    const value: number[] = [];
    for (let i = 0; i < times; i++) {
      value.push((await ask("ours", [path], { connections: 1 })).p50);
    }
    figures.push(figure(`milliseconds, ${what}`, { atMost }, value));
  }
  return figures;
}

/** Servers with archives of their own, and the process of model and viewers. */
interface Place {
  readonly viewers: Child;
  served(running?: number): Promise<Served>;
}

/** Measures runs while they are running. */
async function live(bench: Bench, { repetitions, quick }: Extent): Promise<Figure[]> {
  await using viewers = await new Child("viewers.ts").ready();
  const { url } = await viewers.line<{ url: string }>();
  const flags = [`--base-url=${url}`, "--model=bench-model"];
  const place: Place = {
    viewers,
    served: async (running = 4) =>
      await Served.ours(await bench.folder(), [...flags, `--max-running=${running}`]),
  };
  return [
    ...await latency(place, quick ? 1 : Math.min(repetitions, 3), quick),
    ...await held(place, quick ? 10 : 1000, quick ? 10 : 30),
    ...await memory(place, quick ? [1, 3] : [1, 10, 50]),
  ];
}

/** Number of viewers, turns of a run, tokens of a turn, and milliseconds between two tokens. */
type Size = Readonly<Record<"count" | "turns" | "tokens" | "delay", number>>;

/** Views a dialogue whose model waits until all viewers are connected. */
async function viewed(
  { viewers }: Place,
  server: Served,
  { count, turns, ...pace }: Size,
): Promise<Viewed & { readonly perViewer: number; readonly cpu: number }> {
  await viewers.ask({ ...pace, open: false });
  const id = await server.convene(turns);
  const before = await server.gauge();
  await viewers.ask({ port: server.port, id, viewers: count });
  const there = await server.gauge();
  await viewers.ask({ ...pace, open: true });
  const found = await viewers.ask<Viewed>(null);
  const after = await server.gauge();
  const perViewer = (after.memory - before.memory) / count;
  return { ...found, perViewer, cpu: after.cpu - there.cpu };
}

async function latency(place: Place, times: number, quick: boolean): Promise<Figure[]> {
  await using server = await place.served();
  const size = { count: 1, turns: quick ? 2 : 4, tokens: quick ? 10 : 60, delay: 10 };
  // Warm-up: the first run also loads and compiles.
  await viewed(place, server, size);
  const found: Viewed[] = [];
  for (let i = 0; i < times; i++) found.push(await viewed(place, server, size));
  const goals = [
    ["p50", "median", 5],
    ["p95", "slowest twentieth", 15],
    ["p99", "slowest hundredth", 30],
  ] as const;
  return goals.map(([key, what, atMost]) =>
    figure(
      `milliseconds from model token to viewer, ${what}`,
      { atMost },
      found.map((of) => of[key]),
    )
  );
}

/** Measures viewers of one run: two turns, ten tokens per second for each. */
async function held(place: Place, count: number, tokens: number): Promise<Figure[]> {
  await using server = await place.served();
  await viewed(place, server, { count: 1, turns: 2, tokens: 10, delay: 10 });
  const found = await viewed(place, server, { count, turns: 2, tokens, delay: 100 });
  const { whole, events, deltas, p95, perViewer, cpu } = found;
  const seen = deltas / count / (2 * tokens);
  const rows: readonly (readonly [what: string, goal: Goal, value: number])[] = [
    [`share of ${count} viewers who heard every event`, { atLeast: 1 }, whole / count],
    [`share of the tokens that ${count} viewers saw come`, { atLeast: 0.9 }, seen],
    ["milliseconds from model token to these viewers, slowest twentieth", { atMost: 500 }, p95],
    ["memory of the server for a viewer, MB", { atMost: 0.2 }, perViewer],
    ["CPU of the server for an event sent, ms", { atMost: 0.05 }, cpu / (events * count + deltas)],
  ];
  return rows.map((row) => figure(...row));
}

/** Memory goal per run in megabytes, and allowance for the first run's garbage that is not yet collected. */
const [MEMORY_GOAL, FIRST_RUN] = [3, 60];

/** Measures the memory of concurrent runs, each number of runs in a server of its own. */
async function memory(place: Place, counts: readonly number[]): Promise<Figure[]> {
  const pace = { tokens: 100, delay: 10 };
  const figures: Figure[] = [];
  for (const count of counts) {
    await using server = await place.served(count);
    await viewed(place, server, { count: 1, turns: 2, ...pace });
    const { memory: before } = await server.gauge();
    await place.viewers.ask({ ...pace, open: false });
    let left: string[] = [];
    for (let i = 0; i < count; i++) left.push(await server.convene(3));
    await place.viewers.ask({ ...pace, open: true });
    let most = 0;
    while (left.length > 0) {
      most = Math.max(most, (await server.gauge()).memory);
      left = await server.running(left);
    }
    const atMost = MEMORY_GOAL + FIRST_RUN / count;
    const what = `memory of each of ${count} runs at once, MB`;
    figures.push(figure(what, { atMost }, (most - before) / count));
  }
  return figures;
}
