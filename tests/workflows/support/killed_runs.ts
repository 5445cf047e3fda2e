import {
  type Agent,
  type ConveningResult,
  createDebateWorkflow,
  type DebateWorkflowConfig,
  type Fact,
  type Message,
} from "../../../mod.ts";
import type { FileSystem } from "../../../src/core/files.ts";
import { questionKey } from "../../../src/core/past.ts";
import { DirectoryAnswers } from "../../../src/record/answers.ts";
import { openRecord } from "../../../src/record/directory_record.ts";
import { MemoryFileSystem } from "../../../src/record/memory_files.ts";
import { readRecord } from "../../../src/record/read.ts";
import { cast, TOPIC } from "./talkers.ts";

/** Time stands still, so that what is compared does not move. */
const CLOCK = { now: () => Date.parse("2026-11-21T20:33:05.114Z") };
/** Derived files are written at the end alone: one order of file operations for one order of events. */
const AT_THE_END = { refreshDelay: 60_000, clock: CLOCK };

/** Runs a debate in a directory of these files, new or as it stands; gives what was shown before it ended or died. */
export async function runIn(
  files: FileSystem,
  dir: string | undefined,
  { agent, ...config }: DebateWorkflowConfig & { readonly agent: Agent },
): Promise<{ accepted: Message[]; result?: ConveningResult; error?: unknown }> {
  const place = dir === undefined ? { out: "/out" } : { dir };
  const accepted: Message[] = [];
  const workflow = createDebateWorkflow(TOPIC, cast(agent), {
    roundCount: 1,
    seed: 1,
    clock: CLOCK,
    judges: [{ id: "j", agent }],
    record: { open: (start) => openRecord(files, place, { ...AT_THE_END, start }) },
    ...config,
  });
  try {
    const stream = workflow.stream();
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

/** The one convening in these files, if it got that far. */
export function conveningIn(memory: MemoryFileSystem): string | undefined {
  for (const path of memory.files().keys()) {
    const [, dir] = /^(out\/[^/]+\/2026[^/]+)\/metadata\.md$/.exec(path) ?? [];
    if (dir !== undefined) return `/${dir}`;
  }
  return undefined;
}

/** The files as a process finds them that comes after a crash: no lock is held. */
export async function afterCrash(memory: MemoryFileSystem): Promise<MemoryFileSystem> {
  const copy = new MemoryFileSystem();
  for (const [path, text] of memory.files()) {
    const whole = `/${path}`;
    await copy.makeFolder(whole.slice(0, whole.lastIndexOf("/")));
    await copy.write(whole, text);
  }
  return copy;
}

/** The facts of a record, the keys of the calls they answer, and those of which an answer is kept beside them. */
export async function factsIn(
  files: FileSystem,
  dir: string,
): Promise<
  { facts: readonly Fact[]; status: string; answered: Set<string>; kept: Set<string> }
> {
  const { facts, status } = await readRecord(files, dir);
  const kept = await new DirectoryAnswers(files, dir).read();
  return {
    facts,
    status,
    answered: new Set(facts.flatMap(keyOf)),
    kept: new Set(kept.map(({ id }) => id.slice(0, id.indexOf(" ")))),
  };
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

/** Every file of a convening as it is compared: without the lock, the log, and marks of resuming. */
export function comparable(files: ReadonlyMap<string, string>): Map<string, string> {
  return new Map(
    [...files].filter(([path]) => path !== ".lock" && path !== "log.jsonl").sort()
      .map(([path, text]) => [path, withoutTimes(text)]),
  );
}

/** A file without times, latencies and marks of resuming. */
export function withoutTimes(text: string): string {
  return text.replace(/^latency_ms: .*\n/gm, "")
    .replace(/^resumes:(?: \[.*\]|(?:\n {2}.*)+)\n/gm, "")
    .replace(/^duration_ms: .*\n/gm, "")
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?( UTC|Z)?/g, "TIME");
}
