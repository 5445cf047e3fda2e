// An archive to be served: debates as the record writes them, but not flushed to the disk one by one.
import { join, relative } from "@std/path";
import { type Made, type Message, sha256 } from "../../src/core/message.ts";
import type { Score } from "../../src/core/fact.ts";
import { type Ending, type EventBody, eventOf } from "../../src/core/event.ts";
import type { ConveningStart } from "../../src/core/record.ts";
import { openRecord } from "../../src/record/directory_record.ts";
import { DenoFileSystem } from "../../src/record/disk_files.ts";
import { WEIGHTS } from "./bare_files.ts";
import { speechFor } from "./calls.ts";

/** What the process is told. */
export interface ArchiveTask {
  readonly out: string;
  /** The messages of each convening. */
  readonly sizes: readonly number[];
  /** How many more there are like the last one. */
  readonly copies: number;
}

/** Each convening's directory under the archive, in the order of the sizes. */
export interface ArchiveMade {
  readonly dirs: readonly string[];
}

/** The machine's files, of which none is flushed: what is made here need not outlive the machine. */
class UnflushedFiles extends DenoFileSystem {
  override write(path: string, text: string): Promise<void> {
    return Promise.resolve(Deno.writeTextFileSync(path, text));
  }

  override rename(from: string, to: string): Promise<void> {
    return Promise.resolve(Deno.renameSync(from, to));
  }

  override flushFolder(): Promise<void> {
    return Promise.resolve();
  }
}

const AT = "2026-01-01T12:00:00.000Z";
const MADE: Made = {
  model: "bench-model",
  usage: { inputTokens: 1000, cachedInputTokens: 0, outputTokens: 250, costUsd: 0.001 },
  latencyMs: 1000,
  createdAt: AT,
};
const SIDES = ["Advocate A", "Advocate B"] as const;

function startOf(index: number, messages: number): ConveningStart {
  return {
    kind: "debate",
    topic: `Should city ${index} ban private cars from its centre?`,
    participants: SIDES.map((name, side) => ({
      id: `advocate-${side}`,
      name,
      role: "position_advocate",
      label: name,
      position: side === 0 ? "Yes" : "No",
      model: MADE.model,
    })),
    judges: [{ id: "judge", name: "Judge", model: MADE.model, rubric: "debate" }],
    configuration: { kind: "debate" },
    seed: 1,
    startedAt: new Date(Date.parse(AT) + index * 60_000).toISOString(),
    sources: [],
    expectedMessages: messages,
  };
}

/** As many speeches as are told apart; making them takes longer than writing them. */
const SPEECHES = Array.from({ length: 50 }, (_, at) => speechFor(`argument/${at}`));
const REASONS = Array.from({ length: 50 }, (_, at) => speechFor(`score/${at}`));

function messageOf(seq: number): Message {
  const side = (seq + 1) % 2;
  const body = SPEECHES[seq % SPEECHES.length]!;
  return {
    type: "message",
    seq,
    turn: `turn/${seq}`,
    participant: `advocate-${side}`,
    name: SIDES[side]!,
    role: "position_advocate",
    phase: "argument",
    kind: side === 0 ? "argument" : "rebuttal",
    round: Math.ceil(seq / 4),
    ...seq > 1 ? { previous: seq - 1, replyTo: seq - 1 } : {},
    body,
    attempts: 1,
    marks: [],
    sha256: sha256(body),
    ...MADE,
  };
}

function scoreOf({ seq, participant }: Message): Score {
  const criteria = Object.fromEntries(
    Object.keys(WEIGHTS).map((id, at) => [id, 5 + (seq + at) % 5]),
  );
  return {
    type: "score",
    message: seq,
    participant,
    judge: "judge",
    rubric: "debate",
    scale: [0, 10],
    status: "scored",
    weights: WEIGHTS,
    criteria,
    total: 7,
    reasons: REASONS[seq % REASONS.length]!,
    ...MADE,
  };
}

function endingAt(endedAt: string): Ending {
  return {
    status: "completed",
    endReason: "completed",
    outcome: "decided",
    winner: "advocate-0",
    scores: {},
    unscored: [],
    contradictions: [],
    notes: [],
    summary: "",
    usage: MADE.usage,
    duration: 1000,
    endedAt,
  };
}

/** Writes one convening that has ended; gives its directory under the archive. */
async function write(
  out: string,
  { index, messages }: { readonly index: number; readonly messages: number },
): Promise<string> {
  const start = startOf(index, messages);
  // What is derived is written once, at the end.
  const record = await openRecord(new UnflushedFiles(), { out }, { start, refreshDelay: 1e9 });
  let n = 0;
  const tell = (event: EventBody): Promise<void> =>
    record.apply({ ...event, n: ++n, at: start.startedAt });
  await tell({ type: "convening-start", start });
  for (let seq = 1; seq <= messages; seq++) {
    const message = messageOf(seq);
    await tell(eventOf(message));
    await tell(eventOf(scoreOf(message)));
  }
  await tell({ type: "convening-end", ending: endingAt(start.startedAt) });
  await record.close();
  return relative(out, record.dir);
}

/** Copies a convening to one that started later: writing each by itself would take most of the benchmark's time. */
async function copy(out: string, dir: string, number: number): Promise<void> {
  const startedAt = new Date(Date.parse(AT) + 86_400_000 + number * 60_000).toISOString();
  const name = `${startedAt.slice(0, 19).replaceAll(":", "-")}_debate`;
  const to = join(out, startedAt.slice(0, 10), name);
  const copied = async (folder: string): Promise<void> => {
    await Deno.mkdir(join(to, folder), { recursive: true });
    for await (const { name, isDirectory } of Deno.readDir(join(out, dir, folder))) {
      const path = join(folder, name);
      if (isDirectory) await copied(path);
      else if (name !== "metadata.md") await Deno.copyFile(join(out, dir, path), join(to, path));
    }
  };
  await copied("");
  const text = await Deno.readTextFile(join(out, dir, "metadata.md"));
  const metadata = text.replace(/^started_at: .*$/m, `started_at: ${startedAt}`);
  await Deno.writeTextFile(join(to, "metadata.md"), metadata);
}

if (import.meta.main) {
  const { out, sizes, copies }: ArchiveTask = JSON.parse(Deno.args[0]!);
  const dirs: string[] = [];
  for (const [index, messages] of sizes.entries()) dirs.push(await write(out, { index, messages }));
  for (let number = 0; number < copies; number++) await copy(out, dirs.at(-1)!, number);
  // deno-lint-ignore no-console -- the line is what the caller reads
  console.log(JSON.stringify({ dirs } satisfies ArchiveMade));
}
