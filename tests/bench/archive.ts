// Makes an archive for the server rows: debates in the usual record format, but without flushing each file.
import { walk } from "@std/fs";
import { basename, join, relative } from "@std/path";
import { type ConveningStart, type EventBody, eventOf } from "../../src/core/event.ts";
import { type Made, type Message, sha256 } from "../../src/core/message.ts";
import { openRecord } from "../../src/record/directory_record.ts";
import { DenoFileSystem } from "../../src/record/disk_files.ts";
import { speechFor } from "./calls.ts";
import { say } from "./child.ts";

/** A convening of the archive: its directory and the names of some message files. */
export interface ArchivedConvening {
  readonly id: string;
  /** Path relative to the archive. */
  readonly dir: string;
  readonly messages: number;
  readonly names: readonly string[];
}

/** An archive of one convening with many messages and others with few. */
export interface Archive extends Readonly<Record<"large" | "small", ArchivedConvening>> {
  readonly convenings: number;
}

/** File system without flushes: the archive need not survive a crash of the machine. */
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
/** Speeches made once: making them takes longer than writing them. */
const SPEECHES = Array.from({ length: 50 }, (_, at) => speechFor(`argument/${at}`));
const WEIGHTS = { clarity: 0.5, evidence: 0.5 };

function startOf(index: number, expectedMessages: number): ConveningStart {
  const { model } = MADE;
  const role = "position_advocate";
  return {
    kind: "debate",
    topic: `Should city ${index} ban private cars from its centre?`,
    participants: [
      { id: "advocate-0", name: "Advocate A", label: "Advocate A", role, position: "Yes", model },
      { id: "advocate-1", name: "Advocate B", label: "Advocate B", role, position: "No", model },
    ],
    judges: [{ id: "judge", name: "Judge", model, rubric: "debate" }],
    configuration: { kind: "debate" },
    seed: 1,
    startedAt: new Date(Date.parse(AT) + index * 60_000).toISOString(),
    sources: [],
    expectedMessages,
  };
}

function messageOf(seq: number): Message {
  const side = (seq + 1) % 2;
  const body = SPEECHES[seq % SPEECHES.length]!;
  return {
    type: "message",
    seq,
    turn: `turn/${seq}`,
    participant: `advocate-${side}`,
    name: `Advocate ${"AB"[side]}`,
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

/** Writes a completed convening; returns its directory relative to the archive. */
async function write(out: string, index: number, messages: number): Promise<string> {
  const start = startOf(index, messages);
  // Derived files are written once, at the end.
  const record = await openRecord(new UnflushedFiles(), { out }, { start, refreshDelay: 1e9 });
  let n = 0;
  const tell = (event: EventBody) => record.apply({ ...event, n: ++n, at: start.startedAt });
  await tell({ type: "convening-start", start });
  for (let seq = 1; seq <= messages; seq++) {
    const message = messageOf(seq);
    await tell(eventOf(message));
    await tell(eventOf({
      type: "score",
      message: seq,
      participant: message.participant,
      judge: "judge",
      rubric: "debate",
      scale: [0, 10],
      status: "scored",
      weights: WEIGHTS,
      criteria: { clarity: 5 + seq % 5, evidence: 7 },
      total: 7,
      reasons: SPEECHES[(seq + 7) % SPEECHES.length]!,
      ...MADE,
    }));
  }
  const result = { outcome: "decided", winner: "advocate-0", scores: {}, unscored: [] } as const;
  const end = { status: "completed", endReason: "completed", duration: 1000, summary: "" } as const;
  const more = { contradictions: [], notes: [], usage: MADE.usage, endedAt: start.startedAt };
  await tell({ type: "convening-end", ending: { ...end, ...result, ...more } });
  await record.close();
  return relative(out, record.dir);
}

/** Copies a convening under a later start time; writing each one would take most of the benchmark's time. */
async function copy(out: string, dir: string, number: number): Promise<void> {
  const startedAt = new Date(Date.parse(AT) + 86_400_000 + number * 60_000).toISOString();
  const name = `${startedAt.slice(0, 19).replaceAll(":", "-")}_debate`;
  const to = join(out, startedAt.slice(0, 10), name);
  for await (const { path, isDirectory } of walk(join(out, dir))) {
    const target = join(to, relative(join(out, dir), path));
    if (isDirectory) await Deno.mkdir(target, { recursive: true });
    else await Deno.copyFile(path, target);
  }
  const text = await Deno.readTextFile(join(to, "metadata.md"));
  const metadata = text.replace(/^started_at: .*$/m, `started_at: ${startedAt}`);
  await Deno.writeTextFile(join(to, "metadata.md"), metadata);
}

async function archived(out: string, dir: string, messages: number): Promise<ArchivedConvening> {
  const files = await Array.fromAsync(Deno.readDir(join(out, dir, "messages")));
  const names = files.map(({ name }) => name).sort()
    .filter((_, at) => at % Math.ceil(messages / 100) === 0);
  return { id: basename(dir), dir, messages, names };
}

const { out, sizes: [large, small], copies } = JSON.parse(Deno.args[0]!);
const dirs = [await write(out, 0, large), await write(out, 1, small)] as const;
for (let number = 0; number < copies; number++) await copy(out, dirs[1], number);
const archive: Archive = {
  convenings: dirs.length + copies,
  large: await archived(out, dirs[0], large),
  small: await archived(out, dirs[1], small),
};
say(archive);
