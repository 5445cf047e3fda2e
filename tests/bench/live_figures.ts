// What runs here costs those who look on: viewers held, memory, and how late a token is seen.
import type { BrowserTask, Shown } from "./browser_process.ts";
import { type Figure, figure, type Goal } from "./figure.ts";
import type { Bench } from "./processes.ts";
import type { Extent } from "./rows.ts";
import { Helper, Served } from "./served.ts";
import type { TokenTask } from "./token_process.ts";
import type { Viewed, ViewersTask } from "./viewers_process.ts";

/** Who speaks, who looks on. */
interface Place {
  readonly bench: Bench;
  readonly model: Helper;
  readonly url: string;
  readonly viewers: Helper;
}

/** Figures of runs while they go on. */
export async function live(bench: Bench, { repetitions, quick }: Extent): Promise<Figure[]> {
  await using model = await Helper.start("token_process.ts");
  await using viewers = await Helper.start("viewers_process.ts");
  const { url } = await model.ask<{ readonly url: string }>(null);
  const place: Place = { bench, model, url, viewers };
  return [
    ...await latency(place, { times: quick ? 1 : Math.min(repetitions, 3), quick }),
    ...await shown(place, quick ? 10 : 60),
    ...await held(place, quick ? { count: 10, tokens: 10 } : { count: 1000, tokens: 30 }),
    ...await memory(place, quick ? [1, 3] : [1, 10, 50]),
  ];
}

/** A new server over an archive of its own. */
async function served({ bench, url }: Place, running = 4): Promise<Served> {
  return await Served.ours(await bench.folder(), [
    `--base-url=${url}`,
    "--model=bench-model",
    `--max-running=${running}`,
  ]);
}

/** A dialogue of so many turns. */
function dialogue(maxTurns: number): object {
  return {
    kind: "dialogue",
    topic: "What should a city plan for first?",
    participants: [{ name: "Ada" }, { name: "Ben" }],
    maxTurns,
    guards: { repetition: "off" },
  };
}

/** Looks on while a dialogue is held whose every word waits for all viewers to be there. */
async function viewed(
  { model, viewers }: Place,
  server: Served,
  { count, turns, ...pace }:
    & { readonly count: number; readonly turns: number }
    & Pick<
      TokenTask,
      "tokens" | "delay"
    >,
): Promise<{ readonly found: Viewed; readonly perViewer: number; readonly cpu: number }> {
  await model.ask<unknown>({ ...pace, open: false } satisfies TokenTask);
  const id = await server.convene(dialogue(turns));
  const before = await server.gauge();
  const watch: ViewersTask = { type: "watch", port: server.port, id, viewers: count };
  await viewers.ask<unknown>(watch);
  const there = await server.gauge();
  await model.ask<unknown>({ ...pace, open: true } satisfies TokenTask);
  const found = await viewers.ask<Viewed>({ type: "end" } satisfies ViewersTask);
  const after = await server.gauge();
  return {
    found,
    perViewer: (after.memory - before.memory) / count,
    cpu: after.cpu - there.cpu,
  };
}

async function latency(
  place: Place,
  { times, quick }: { readonly times: number; readonly quick: boolean },
): Promise<Figure[]> {
  await using server = await served(place);
  const size = { count: 1, turns: quick ? 2 : 4, tokens: quick ? 10 : 60, delay: 10 };
  // The first run also loads and compiles.
  await viewed(place, server, size);
  const found: Viewed[] = [];
  for (let i = 0; i < times; i++) found.push((await viewed(place, server, size)).found);
  const goals: readonly (readonly [key: "p50" | "p95" | "p99", what: string, goal: Goal])[] = [
    ["p50", "median", { atMost: 5 }],
    ["p95", "slowest twentieth", { atMost: 15 }],
    ["p99", "slowest hundredth", { atMost: 30 }],
  ];
  return goals.map(([key, what, goal]) =>
    figure(`milliseconds from model token to viewer, ${what}`, {
      row: "server",
      goal,
      value: found.map((each) => each[key]),
      others: "not measured",
    })
  );
}

/** The same in a page of a browser, where there is one: it also has to draw. */
async function shown(place: Place, tokens: number): Promise<Figure[]> {
  const { model } = place;
  await using server = await served(place);
  // What drives a browser needs every permission.
  await using browser = await Helper.start("browser_process.ts", ["-A"]);
  const pace = { tokens, delay: 20 };
  let found: Shown = null;
  // The first run also loads and compiles.
  for (let run = 0; run < 2; run++) {
    await model.ask<unknown>({ ...pace, open: false } satisfies TokenTask);
    const id = await server.convene(dialogue(2));
    const open: BrowserTask = { type: "open", port: server.port, id };
    const isOpen = await browser.ask<boolean>(open);
    await model.ask<unknown>({ ...pace, open: true } satisfies TokenTask);
    for (let left = [id]; left.length > 0;) left = await stillRunning(server, left);
    if (isOpen) found = await browser.ask<Shown>({ type: "close" } satisfies BrowserTask);
  }
  if (found === null) {
    Deno.stderr.writeSync(new TextEncoder().encode("no browser is found: no figures of one\n"));
    return [];
  }
  return ([["p50", "median", 30], ["p95", "slowest twentieth", 60]] as const).map(
    ([key, what, atMost]) =>
      figure(`milliseconds from model token to a browser's page, ${what}`, {
        row: "server",
        goal: { atMost },
        value: [found[key]],
        others: "not measured",
      }),
  );
}

/** How many turns are looked on at by many. */
const HELD_TURNS = 2;
/** Milliseconds between two tokens then: ten a second for each viewer. */
const HELD_DELAY = 100;

async function held(
  place: Place,
  { count, tokens }: { readonly count: number; readonly tokens: number },
): Promise<Figure[]> {
  await using server = await served(place);
  await viewed(place, server, { count: 1, turns: 2, tokens: 10, delay: 10 });
  const { found, perViewer, cpu } = await viewed(place, server, {
    count,
    turns: HELD_TURNS,
    tokens,
    delay: HELD_DELAY,
  });
  const sent = found.events * count + found.deltas;
  const row = { row: "server", others: "not measured" } as const;
  return [
    figure(`share of ${count} viewers who heard every event`, {
      ...row,
      goal: { atLeast: 1 },
      value: [found.whole / count],
    }),
    figure(`share of the tokens that ${count} viewers saw come`, {
      ...row,
      goal: { atLeast: 0.9 },
      value: [found.deltas / count / (HELD_TURNS * tokens)],
    }),
    figure("milliseconds from model token to these viewers, slowest twentieth", {
      ...row,
      goal: { atMost: 500 },
      value: [found.p95],
    }),
    figure("memory of the server for a viewer, MB", {
      ...row,
      goal: { atMost: 0.2 },
      value: [perViewer],
    }),
    figure("CPU of the server for an event sent, ms", {
      ...row,
      goal: { atMost: 0.05 },
      value: [cpu / sent],
    }),
  ];
}

/** Megabytes that a run may take, and what the first of them may bring with it: garbage that was not collected yet. */
const [MEMORY_GOAL, FIRST_RUN] = [3, 60];

/** How much memory runs take while they go on, each number of them in a server of its own. */
async function memory(place: Place, counts: readonly number[]): Promise<Figure[]> {
  const { model } = place;
  const pace = { tokens: 100, delay: 10 };
  const grown: number[] = [];
  for (const count of counts) {
    await using server = await served(place, count);
    await viewed(place, server, { count: 1, turns: 2, ...pace });
    const { memory: before } = await server.gauge();
    await model.ask<unknown>({ ...pace, open: false } satisfies TokenTask);
    const ids: string[] = [];
    for (let i = 0; i < count; i++) ids.push(await server.convene(dialogue(3)));
    await model.ask<unknown>({ ...pace, open: true } satisfies TokenTask);
    let most = 0;
    for (let left = ids; left.length > 0;) {
      most = Math.max(most, (await server.gauge()).memory);
      left = await stillRunning(server, left);
    }
    grown.push((most - before) / count);
  }
  return counts.map((count, at) =>
    figure(`memory of each of ${count} runs at once, MB`, {
      row: "server",
      goal: { atMost: MEMORY_GOAL + FIRST_RUN / count },
      value: [grown[at]!],
      others: "not measured",
    })
  );
}

async function stillRunning({ port }: Served, ids: readonly string[]): Promise<string[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/convenings?status=running&limit=200`);
  const { convenings } = await answer.json();
  const running = new Set(convenings.map(({ id }: { readonly id: string }) => id));
  return ids.filter((id) => running.has(id));
}
