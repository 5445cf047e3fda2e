// Runs every kind of convening in memory, kills the run and resumes it.
import assert from "node:assert/strict";
import {
  type Agent,
  type ConveningEvent,
  type ConveningResult,
  createDebateWorkflow,
  type DebateWorkflowConfig,
  type Message,
} from "../../../mod.ts";
import {
  type AgentReply,
  type AgentRequest,
  type Clock,
  defaultHost,
  type DialogueOptions,
  type RecordStore,
} from "../../../protocol.ts";
import {
  type ConsensusOptions,
  ConsensusWorkflow,
} from "../../../src/consensus/consensus_workflow.ts";
import type { FileSystem } from "../../../src/core/files.ts";
import { openRecord } from "../../../src/record/directory_record.ts";
import { MemoryFileSystem } from "../../../src/record/stores.ts";
import { readRecord } from "../../../src/record/read.ts";
import { FaultyFiles } from "../../record/support/faulty_files.ts";
import { deliberation, deliberators } from "../../consensus/support/deliberators.ts";
import {
  paperDebateOf,
  type PaperSettings,
  paperTalker,
} from "../../papers/debate/support/paper_talkers.ts";
import { cast, dialogueOf, Talker, TOPIC } from "../../support/talkers.ts";

/** Clock that stands still, so that compared times are equal. */
const STILL: Clock = { now: () => START };
const START = Date.parse("2026-11-21T20:33:05.114Z");

/** Outcome of a run: the messages that were emitted before its end or its kill. */
export interface Ran {
  readonly accepted: readonly Message[];
  /** Numbers of writing operations before which these messages were emitted. */
  readonly acceptedAt: readonly number[];
  readonly result?: ConveningResult<unknown>;
  readonly error?: unknown;
}

/** Clock and record of a run in files. */
interface Recording {
  readonly clock: Clock;
  readonly record: RecordStore;
}

/** Runs a workflow in a directory of these files, new or resumed. */
async function ranIn(
  files: FileSystem,
  dir: string | undefined,
  make: (recording: Recording) => {
    stream(): AsyncGenerator<ConveningEvent, ConveningResult<unknown>>;
  },
  clock: Clock = STILL,
): Promise<Ran> {
  const place = dir === undefined ? { out: "/out" } : { dir };
  // Derived files are written only at the end: the order of events determines the order of file operations.
  const atTheEnd = { refreshDelay: 60_000, clock };
  const record: RecordStore = { open: (start) => openRecord(files, place, { ...atTheEnd, start }) };
  const accepted: Message[] = [];
  const acceptedAt: number[] = [];
  try {
    const stream = make({ clock, record }).stream();
    let step = await stream.next();
    while (!step.done) {
      if (step.value.type === "message") {
        accepted.push(step.value.message);
        acceptedAt.push(files instanceof FaultyFiles ? files.operations : 0);
      }
      step = await stream.next();
    }
    return { accepted, acceptedAt, result: step.value };
  } catch (error) {
    return { accepted, acceptedAt, error };
  }
}

/** Host of runs in memory: reading the judge checks of an archive on the disk takes any number of event loop turns. */
export const memoryHost = { ...defaultHost, biases: () => Promise.resolve([]) };

/** Runs a debate of one round in memory. */
export function runIn(
  files: FileSystem,
  dir: string | undefined,
  { agent, ...config }: DebateWorkflowConfig & { readonly agent: Agent },
): Promise<Ran> {
  const judges = [{ id: "j", agent }];
  return ranIn(files, dir, (recording) =>
    createDebateWorkflow(TOPIC, cast(agent), {
      roundCount: 1,
      seed: 1,
      judges,
      host: memoryHost,
      ...recording,
      ...config,
    }));
}

/** Runs a dialogue of Ada and Ben in memory. */
export function dialogueRunIn(
  files: FileSystem,
  dir: string | undefined,
  { agent, ...options }: DialogueOptions & { readonly agent: Agent },
): Promise<Ran> {
  return ranIn(files, dir, (recording) => dialogueOf(agent, { ...recording, ...options }).workflow);
}

/** Runs a consensus search of three participants in memory. */
export function consensusRunIn(
  files: FileSystem,
  dir: string | undefined,
  { agent, ...options }: ConsensusOptions & { readonly agent: Agent },
): Promise<Ran> {
  const retry = { minWait: 0, maxWait: 0 };
  return ranIn(files, dir, (recording) =>
    new ConsensusWorkflow(TOPIC, deliberators(agent), {
      seed: 1,
      retry,
      ...recording,
      ...options,
    }));
}

/** Runs a paper debate in memory; each reading of its clock adds a millisecond. */
export function paperRunIn(
  files: FileSystem,
  dir: string | undefined,
  { agent, ...settings }: PaperSettings & { readonly agent: Agent },
): Promise<Ran> {
  let now = START;
  const moving = { now: () => now++ };
  return ranIn(
    files,
    dir,
    (recording) => paperDebateOf(agent, { ...recording, ...settings }).workflow,
    moving,
  );
}

/** Runs a kind of convening in memory, with most of its options. */
type RunKind = (
  files: FileSystem,
  dir: string | undefined,
  options: Pick<DialogueOptions, "transcript"> & { readonly agent: Agent },
) => Promise<Ran>;

/** Every kind of convening: its name, an agent for all roles, and its run. */
export const KINDS: readonly (readonly [name: string, agent: () => Talker, run: RunKind])[] = [
  ["dialogue", () => new Talker(), dialogueRunIn],
  ["debate", () => new Talker(), runIn],
  ["search for consensus", () => new Talker(deliberation()), consensusRunIn],
  [
    "paper debate",
    () => paperTalker(),
    (files, dir, options) => paperRunIn(files, dir, { crossExamine: true, ...options }),
  ],
];

/** A convening that a test can run repeatedly, each time with a new agent. */
export interface Held {
  agent(): Agent;
  run(files: FileSystem, dir: string | undefined, agent: Agent): Promise<Ran>;
}

/** Runs a convening with the latest requests answered first; adds the ids of requests and of answers. */
async function metered(
  { agent, run }: Held,
  files: FaultyFiles,
  dir?: string,
): Promise<Ran & { readonly asked: readonly string[]; readonly answered: Turnstile["answered"] }> {
  const turnstile = new Turnstile(files);
  const paid = new Metered(agent(), turnstile);
  return { ...await run(files, dir, paid), asked: paid.asked, answered: turnstile.answered };
}

/** Returns what an operation does to which kind of file, without numbers, ids and the convening's name. */
function kindOf(operation: string): string {
  return operation.replace(/[^/.]*T\d[^/.]*/, "dir").replace(/[0-9a-f-]*\d[0-9a-f-]*/g, "");
}

/** Returns the numbers of the operations to kill at; adds their kinds to `met`. */
function killsOf(
  operations: readonly string[],
  { first, step, met = new Set(operations.map(kindOf)) }: Kills,
): number[] {
  const kills: number[] = [];
  for (let at = first; at < operations.length; at += step) kills.push(at);
  for (const at of kills) met.add(kindOf(operations[at]!));
  for (const [kind, all] of Map.groupBy(operations.keys(), (at) => kindOf(operations[at]!))) {
    // The middle one, at which most other turns and questions are on their way.
    if (!met.has(kind)) kills.push(all[all.length >> 1]!);
    met.add(kind);
  }
  return kills;
}

/** File operations to kill a convening at. */
export interface Kills {
  readonly first: number;
  readonly step: number;
  /** Kinds of operations that need no kill of their own, since a convening was killed there. @default all kinds */
  readonly met?: Set<string> | undefined;
  /** Removes the text of a file that may differ; results may differ then too. */
  readonly same?: ((text: string) => string) | undefined;
}

/**
 * Kills a convening at each `step`th file operation from `first` and at one of each kind that was not met before, resumes
 * it, and compares it with an uninterrupted run: every emitted message is recorded, and the directory is equal. Only the
 * answer that was on its way to disk may be asked for again: all earlier answers are durable, for whichever turn.
 */
export async function killEverywhere(
  held: Held,
  { same, ...at }: Kills,
): Promise<number> {
  const calm = new MemoryFileSystem();
  const counted = new FaultyFiles(calm);
  const whole = await metered(held, counted);
  assert.equal(whole.error, undefined);
  assert.equal(new Set(whole.asked).size, whole.asked.length);
  const valueOf = (ran?: ConveningResult<unknown>): unknown =>
    JSON.parse(
      JSON.stringify(ran?.value ?? null).replace(/"(latencyMs|createdAt)":[^,}]+/g, '"$1":0'),
    );
  const filesOf = (memory: MemoryFileSystem) =>
    [...comparable(memory.files(conveningIn(memory)!))].map((
      [path, text],
    ) => [path, same?.(text) ?? text]);
  const expected = filesOf(calm);
  const kills = killsOf(counted.done, at);
  const memory = new MemoryFileSystem();
  const { files, survivors } = dying(memory, (operation) => kills.includes(operation));
  const killed = await metered(held, files);
  for (const killAfter of kills) {
    const where = `after ${killAfter} of ${counted.operations} operations, at ${
      counted.done[killAfter]
    }`;
    const survived = await survivors.get(killAfter)!();
    const dir = conveningIn(survived);
    const facts = dir === undefined ? [] : (await readRecord(survived, dir)).facts;
    for (const [index, message] of killed.accepted.entries()) {
      if (killed.acceptedAt[index]! > killAfter) break;
      const found = facts.find((fact) => fact.type === "message" && fact.seq === message.seq);
      assert.deepEqual(found, message, where);
    }
    const answered = killed.answered.filter((each) => each.operations <= killAfter);
    const before = new Set(answered.slice(0, -1).map(({ id }) => id));
    const resumed = await metered(held, new FaultyFiles(survived), dir);
    assert.equal(resumed.error, undefined, where);
    assert.deepEqual(resumed.asked.filter((id) => before.has(id)), [], where);
    if (same === undefined) assert.deepEqual(valueOf(resumed.result), valueOf(whole.result), where);
    assert.deepEqual(filesOf(survived), expected, where);
  }
  return kills.length;
}

/** Returns files that keep, before each of some writing operations, what a kill there leaves: one run shows many kills. */
export function dying(
  memory: MemoryFileSystem,
  isKept: (operation: number) => boolean = () => true,
): {
  readonly files: FaultyFiles;
  readonly survivors: Map<number, () => Promise<MemoryFileSystem>>;
} {
  const survivors = new Map<number, () => Promise<MemoryFileSystem>>();
  const files = new FaultyFiles(memory, {
    before(operation, path, half) {
      if (!isKept(operation)) return;
      const texts = memory.files();
      survivors.set(operation, async () => {
        const copy = await copied(texts);
        await copy.makeFolder(path.slice(0, path.lastIndexOf("/")));
        await half?.(copy);
        return copy;
      });
    },
  });
  return { files, survivors };
}

/** Number of event loop turns without a change after which all effects of an answer have happened. */
const QUIET = 3;

interface Waiting {
  readonly id: string;
  readonly leave: () => void;
}

/**
 * Releases one answer at a time, after all effects of the previous answer are written: at a kill only the latest answer
 * is on its way to disk. Of concurrent requests the last is answered first; a follow-up such as a repair waits for all
 * requests that were sent before.
 */
class Turnstile {
  /** Ids of the answers in the order of their release, with the number of writing operations before. */
  readonly answered: { readonly id: string; readonly operations: number }[] = [];
  readonly #files: FaultyFiles;
  readonly #waiting: Waiting[] = [];
  /** Requests since the last released answer. */
  #new: Waiting[] = [];
  #turns = false;

  constructor(files: FaultyFiles) {
    this.#files = files;
  }

  /** Resolves when the answer with this id is released. */
  async pass(id: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#new.push({ id, leave: resolve });
    if (!this.#turns) void this.#turn();
    await promise;
  }

  async #turn(): Promise<void> {
    this.#turns = true;
    while (this.#waiting.length + this.#new.length > 0) {
      await this.#quiet();
      this.#waiting.push(...this.#new.toReversed());
      this.#new = [];
      const { id, leave } = this.#waiting.shift()!;
      this.answered.push({ id, operations: this.#files.operations });
      leave();
    }
    this.#turns = false;
  }

  async #quiet(): Promise<void> {
    let before = -1;
    for (let still = 0; still < QUIET;) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      const now = this.#files.operations + this.#new.length;
      still = now === before ? still + 1 : 0;
      before = now;
    }
  }
}

/** An agent behind a turnstile; a request's id is its key, attempt and text. */
class Metered implements Agent {
  readonly model: string;
  /** Ids of the requests in order. */
  readonly asked: string[] = [];
  readonly #agent: Agent;
  readonly #turnstile: Turnstile;

  constructor(agent: Agent, turnstile: Turnstile) {
    this.model = agent.model;
    this.#agent = agent;
    this.#turnstile = turnstile;
  }

  async reply(request: AgentRequest): Promise<AgentReply> {
    const { context: { key, attempt }, messages } = request;
    const id = `${key} (${attempt}): ${JSON.stringify(messages)}`;
    this.asked.push(id);
    const reply = await this.#agent.reply(request);
    await this.#turnstile.pass(id);
    request.signal?.throwIfAborted();
    return reply;
  }
}

/** Returns the directory of the only convening in these files, if it exists. */
export function conveningIn(memory: MemoryFileSystem): string | undefined {
  for (const path of memory.files().keys()) {
    const [, dir] = /^(out\/[^/]+\/2026[^/]+)\/metadata\.md$/.exec(path) ?? [];
    if (dir !== undefined) return `/${dir}`;
  }
  return undefined;
}

/** Returns the files after a crash: without the lock. */
export function afterCrash(memory: MemoryFileSystem): Promise<MemoryFileSystem> {
  return copied(memory.files());
}

async function copied(files: ReadonlyMap<string, string>): Promise<MemoryFileSystem> {
  const copy = new MemoryFileSystem();
  for (const [path, text] of files) {
    const whole = `/${path}`;
    await copy.makeFolder(whole.slice(0, whole.lastIndexOf("/")));
    await copy.write(whole, text);
  }
  return copy;
}

/** Returns the files of a convening without lock, log and marks of resuming. */
export function comparable(files: ReadonlyMap<string, string>): Map<string, string> {
  return new Map(
    [...files].filter(([path]) => path !== ".lock" && path !== "log.jsonl").sort()
      .map(([path, text]) => [path, withoutTimes(text)]),
  );
}

/** Returns a file's text without times, latencies and marks of resuming. */
export function withoutTimes(text: string): string {
  return text.replace(/^ *latency_ms: .*\n/gm, "")
    .replace(/^resumes:(?: \[.*\]|(?:\n {2}.*)+)\n/gm, "")
    .replace(/^duration_ms: .*\n/gm, "")
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?( UTC|Z)?/g, "TIME");
}
