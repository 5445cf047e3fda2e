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
import type { Clock, DialogueOptions, Fact, RecordStore } from "../../../protocol.ts";
import {
  type ConsensusOptions,
  ConsensusWorkflow,
} from "../../../src/consensus/consensus_workflow.ts";
import type { FileSystem } from "../../../src/core/files.ts";
import { questionKey } from "../../../src/core/record.ts";
import { DirectoryAnswers } from "../../../src/record/shelves.ts";
import { openRecord } from "../../../src/record/directory_record.ts";
import { MemoryFileSystem } from "../../../src/record/stores.ts";
import { readRecord } from "../../../src/record/read.ts";
import { FaultyFiles } from "../../output/support/faulty_files.ts";
import { deliberation, deliberators } from "./deliberators.ts";
import { paperDebateOf, type PaperSettings, paperTalker } from "./paper_talkers.ts";
import { cast, dialogueOf, Talker, TOPIC } from "./talkers.ts";

/** Clock that stands still, so that compared times are equal. */
const STILL: Clock = { now: () => START };
const START = Date.parse("2026-11-21T20:33:05.114Z");

/** Outcome of a run: the messages that were emitted before its end or its kill. */
export interface Ran {
  readonly accepted: readonly Message[];
  readonly result?: ConveningResult<unknown>;
  readonly error?: unknown;
}

/** Clock and record of a run in files. */
export interface Recording {
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
  try {
    const stream = make({ clock, record }).stream();
    let step = await stream.next();
    while (!step.done) {
      if (step.value.type === "message") accepted.push(step.value.message);
      step = await stream.next();
    }
    return { accepted, result: step.value };
  } catch (error) {
    return { accepted, error };
  }
}

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
export interface Held<A extends Agent = Agent & { readonly keys: readonly string[] }> {
  agent(): A;
  run(files: FileSystem, dir: string | undefined, agent: A): Promise<Ran>;
}

/**
 * Kills a convening after each `step`th file operation from `first`, resumes it, and compares it with an uninterrupted
 * run: every emitted message is recorded, no answered request is repeated, and the directory is equal.
 */
export async function killEverywhere(
  { agent, run }: Held,
  { first, step, same }: {
    readonly first: number;
    readonly step: number;
    /** Removes the text of a file that may differ; results may differ then too. */
    readonly same?: ((text: string) => string) | undefined;
  },
): Promise<number> {
  const calm = new MemoryFileSystem();
  const counted = new FaultyFiles(calm);
  const whole = agent();
  const { error: calmError, result: calmResult } = await run(counted, undefined, whole);
  assert.equal(calmError, undefined);
  const valueOf = (ran?: ConveningResult<unknown>): unknown =>
    JSON.parse(
      JSON.stringify(ran?.value ?? null).replace(/"(latencyMs|createdAt)":[^,}]+/g, '"$1":0'),
    );
  const filesOf = (memory: MemoryFileSystem) =>
    [...comparable(memory.files(conveningIn(memory)!))].map((
      [path, text],
    ) => [path, same?.(text) ?? text]);
  const expected = filesOf(calm);
  const keys = new Set(whole.keys);
  let kills = 0;
  for (let killAfter = first; killAfter < counted.operations; killAfter += step) {
    const where = `after ${killAfter} of ${counted.operations} operations`;
    const memory = new MemoryFileSystem();
    const killed = await run(new FaultyFiles(memory, { killAfter }), undefined, agent());
    const survived = await afterCrash(memory);
    const dir = conveningIn(survived);
    const none = { facts: [], answered: new Set<string>(), kept: new Set<string>() };
    const { facts, answered, kept } = dir === undefined ? none : await factsIn(survived, dir);
    for (const message of killed.accepted) {
      const found = facts.find((fact) => fact.type === "message" && fact.seq === message.seq);
      assert.deepEqual(found, message, where);
    }
    const again = agent();
    const { error, result } = await run(survived, dir, again);
    assert.equal(error, undefined, where);
    if (same === undefined) assert.deepEqual(valueOf(result), valueOf(calmResult), where);
    const asked = new Set(again.keys);
    for (const key of keys) {
      // A turn that failed for good has no answer and is not repeated after a later turn.
      const failed = facts.some((fact) => fact.type === "failure" && fact.turn === key);
      if (!failed && !kept.has(key)) {
        assert.equal(asked.has(key), !answered.has(key), `${key} ${where}`);
      }
    }
    assert.deepEqual(filesOf(survived), expected, where);
    kills++;
  }
  return kills;
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
export async function afterCrash(memory: MemoryFileSystem): Promise<MemoryFileSystem> {
  const copy = new MemoryFileSystem();
  for (const [path, text] of memory.files()) {
    const whole = `/${path}`;
    await copy.makeFolder(whole.slice(0, whole.lastIndexOf("/")));
    await copy.write(whole, text);
  }
  return copy;
}

/** Returns the facts of a record, the keys of the requests they answer, and the keys whose answers are stored separately. */
export async function factsIn(files: FileSystem, dir: string): Promise<
  { facts: readonly Fact[]; status: string; answered: Set<string>; kept: Set<string> }
> {
  const { facts, status } = await readRecord(files, dir);
  const kept = await new DirectoryAnswers(files, dir).read();
  return {
    facts,
    status,
    answered: new Set([...facts.flatMap(keyOf), ...stancesIn(facts), ...readingsIn(facts)]),
    kept: new Set(kept.map(({ id }) => id.slice(0, id.indexOf(" ")))),
  };
}

/** Returns the keys of stances whose message is recorded; without the message both are asked again. */
function stancesIn(facts: readonly Fact[]): string[] {
  const spoken = new Set(
    facts.flatMap((fact) => fact.type === "message" ? [`stance/${fact.turn}`] : []),
  );
  return facts.flatMap((fact) => fact.type === "stance" && spoken.has(fact.key) ? [fact.key] : []);
}

/** Returns the keys of questions about attempts: notes, and the verdict on the first claim. */
function readingsIn(facts: readonly Fact[]): string[] {
  const attempts = new Map(
    facts.flatMap((fact) => fact.type === "message" ? [[fact.seq, fact.attempts]] : []),
  );
  return facts.flatMap((fact) => {
    switch (fact.type) {
      case "flow":
        return [`notes/${fact.message}/${attempts.get(fact.message)}`];
      case "fact-check":
        return [`claim-verdict/${fact.message}/${attempts.get(fact.message)}/1`];
      case "rejected":
        return [`notes/${fact.seq}/${fact.attempt}`, `claim-verdict/${fact.seq}/${fact.attempt}/1`];
      default:
        return [];
    }
  });
}

function keyOf(fact: Fact): string[] {
  switch (fact.type) {
    case "message":
      return fact.model === "template" ? [] : [fact.turn];
    case "score":
    case "verdict":
    case "choice":
      return [questionKey(fact)];
    case "context":
      return [`fold/${fact.number}`];
    default:
      return [];
  }
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
