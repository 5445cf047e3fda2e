// The log of a convening, `log.jsonl`: a line per event, in the order of event numbers. Writes the log, reads it in
// chunks, and follows it while another process appends.
import { join } from "@std/path";
import { z } from "zod";
import {
  type ConveningEvent,
  type ConveningStart,
  eventOf,
  FACT_EVENTS,
  type FactEvent,
  type WaitedFor,
} from "../core/event.ts";
import type { Fact } from "../core/fact.ts";
import { type FileSystem, MAX_FILE_BYTES } from "../core/files.ts";
import { addUsage, NO_USAGE } from "../core/message.ts";
import { defined, jsonIn, memo, objectIn } from "../core/values.ts";
import { FACT_ROWS, looseFact } from "./codec.ts";
import { schemaOf, USAGE } from "./fact_row.ts";

interface LogSlot {
  /** Line of the event; undefined until the event is applied, empty for an event that failed. */
  line: string | undefined;
}

/**
 * Appends lines in the order of their reserved slots, even if later events finish first. After a failed append, which may
 * have left a part of a line, every later one fails with the same error.
 */
export class LogWriter {
  readonly #files: FileSystem;
  readonly #path: string;
  readonly #slots: LogSlot[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(files: FileSystem, path: string) {
    this.#files = files;
    this.#path = path;
  }

  /** Reserves the next position. */
  reserve(): LogSlot {
    const slot: LogSlot = { line: undefined };
    this.#slots.push(slot);
    return slot;
  }

  /** Writes all ready lines in one append, after the present one. Resolves when they are written. */
  flush(): Promise<void> {
    return this.#writing = this.#writing.then(() => this.#write());
  }

  async #write(): Promise<void> {
    const pending = this.#slots.findIndex(({ line }) => line === undefined);
    const ready = this.#slots.splice(0, pending === -1 ? this.#slots.length : pending);
    const lines = ready.map(({ line }) => line).join("");
    if (lines !== "") await this.#files.append(this.#path, lines);
  }
}

/** Serializes an event as a line of `log.jsonl`, without the texts of sources and papers. */
export function logLine(event: ConveningEvent): string {
  if (event.type !== "convening-start") return `${JSON.stringify(event)}\n`;
  const { start } = event;
  const sources = start.sources.map(({ name }) => ({ name }));
  const papers = start.papers?.map(({ id, title }) => ({ id, title }));
  return `${JSON.stringify({ ...event, start: { ...start, sources, papers } })}\n`;
}

/** Returns the events of a start and of facts, in their order, numbered from 1. */
export function eventsOf(start: ConveningStart, facts: readonly Fact[]): ConveningEvent[] {
  let usage = NO_USAGE;
  const recorded = facts.map((fact, at): ConveningEvent => {
    usage = addUsage(usage, "usage" in fact && fact.usage || NO_USAGE);
    return { ...eventOf(fact, usage), n: at + 2, at: fact.createdAt };
  });
  return [{ type: "convening-start", start, n: 1, at: start.startedAt }, ...recorded];
}

/** Bytes per read, 1 MiB. */
const CHUNK = 1 << 20;
/** Byte value of a line feed. */
const LINE_FEED = 10;

/** A line of a log: number and time of the event, and the number of the message that the event announces. */
export interface LoggedLine {
  readonly n: number;
  readonly at?: string;
  readonly message?: number;
}

/** Parses a line of a log; undefined for a line that is not an event. */
export function loggedLine(text: string): LoggedLine | undefined {
  const { n, type, at, message } = objectIn(jsonIn(text));
  if (typeof n !== "number" || typeof type !== "string") return undefined;
  return defined({
    n,
    at: typeof at === "string" ? at : undefined,
    message: type === "message" ? objectIn(message)["seq"] as number | undefined : undefined,
  });
}

/** Yields the complete lines of a log, in order. A line over {@linkcode MAX_FILE_BYTES} is cut off, and so is invalid. */
export async function* wholeLines(files: FileSystem, path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  for (let offset = 0;;) {
    const { bytes } = await files.readFrom(path, offset, CHUNK);
    if (bytes.length === 0) return;
    offset += bytes.length;
    const [first = "", ...lines] = decoder.decode(bytes, { stream: true }).split("\n");
    length += first.length;
    if (length <= MAX_FILE_BYTES) parts.push(first);
    const rest = lines.pop();
    if (rest === undefined) continue;
    yield parts.join("");
    yield* lines;
    parts = [rest];
    length = rest.length;
  }
}

/** Returns the last complete line that is an event; undefined if there is none. Reads only the end of the log, first 64 KiB. */
export async function lastLogged(
  files: FileSystem,
  path: string,
): Promise<LoggedLine | undefined> {
  for (let most = 1 << 16;; most *= 4) {
    const { text, isWhole } = await logEnd(files, path, most);
    // Parsed from the end on, because nearly always the last line is an event.
    const lines = text.split("\n").slice(0, -1).reverse().values();
    const line = lines.map(loggedLine).find((each) => each !== undefined);
    if (line !== undefined || isWhole || most >= MAX_FILE_BYTES) return line;
  }
}

/**
 * Returns the tasks of the people that the convening waits for, by the turn's key: from recent events, else from the end of
 * the log. A task that neither source has is missing.
 */
export async function tasksOf(
  files: FileSystem,
  dir: string,
  { waitingFor, recent = [] }: {
    readonly waitingFor: readonly WaitedFor[];
    readonly recent?: readonly ConveningEvent[] | undefined;
  },
): Promise<ReadonlyMap<string, string>> {
  const known = tasksIn(recent);
  if (waitingFor.every(({ turn }) => known.has(turn))) return known;
  return new Map([...tasksIn(await lastEvents(files, dir, "turn-wait")), ...known]);
}

/** Reads the last events of a log, more than those between two turns; of `type`, if given. */
export async function lastEvents(
  files: FileSystem,
  dir: string,
  type = "",
): Promise<readonly ConveningEvent[]> {
  const { text } = await logEnd(files, join(dir, "log.jsonl"));
  return eventsIn(text.split("\n").filter((line) => line.includes(`"${type}`)));
}

function tasksIn(events: readonly ConveningEvent[]): ReadonlyMap<string, string> {
  return new Map(
    events.flatMap((event) =>
      event.type === "turn-wait" ? [[event.turn.turn, event.task] as const] : []
    ),
  );
}

/** Returns the last error code in the last 64 KiB of a record's log; `failed` without one. */
export async function errorCode(files: FileSystem, dir: string): Promise<string> {
  const { text } = await logEnd(files, join(dir, "log.jsonl"), 1 << 16);
  const codes = [...text.matchAll(/"error":\{"code":"(\w+)"/g)];
  return codes.at(-1)?.[1] ?? "failed";
}

/** Reads the end of a log, at most `most` bytes; empty for a missing log. @default 1 MiB */
async function logEnd(
  files: FileSystem,
  path: string,
  most: number = CHUNK,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const { size = 0 } = await files.stat(path) ?? {};
  const from = Math.max(0, size - most);
  const { bytes } = await files.readFrom(path, from, most);
  return { text: new TextDecoder().decode(bytes), isWhole: from === 0 };
}

/** Removes an incomplete last line, which a crash may leave. */
export async function cutHalfLine(files: FileSystem, path: string): Promise<void> {
  const { size } = await files.readFrom(path, 0, 0);
  let end = size;
  while (end > 0) {
    const from = Math.max(0, end - CHUNK);
    const { bytes } = await files.readFrom(path, from, end - from);
    const at = bytes.lastIndexOf(LINE_FEED);
    end = from + at + 1;
    if (at !== -1) break;
  }
  if (end < size) await files.truncate(path, end);
}

/**
 * Follows a `log.jsonl` that another process appends to. Leaves an incomplete line for a later call. Skips a line that is
 * not an event, or is over 64 MiB. If the log is rewritten, returns only messages that were not returned before.
 */
export class LogFollower {
  readonly #path: string;
  readonly #files: Pick<FileSystem, "readFrom">;
  readonly #decoder = new TextDecoder();
  readonly #returned = new Set<number>();
  /** Bytes of complete lines that were read. */
  #offset = 0;
  /** Size of a rewritten log when the rewrite was noticed: lines before this offset repeat the old log. */
  #rewrittenUpTo = 0;

  /** Creates a follower that starts at the beginning of the log at `path`. */
  constructor(files: Pick<FileSystem, "readFrom">, path: string) {
    this.#path = path;
    this.#files = files;
  }

  /** Returns the next events, possibly not all of them: call again until the list is empty. */
  async next(): Promise<ConveningEvent[]> {
    for (let most = CHUNK;; most *= 2) {
      const { bytes, size } = await this.#files.readFrom(this.#path, this.#offset, most);
      if (size < this.#offset) {
        this.#offset = 0;
        this.#rewrittenUpTo = size;
        continue;
      }
      const isEndless = most >= MAX_FILE_BYTES && bytes.length === most;
      const end = bytes.lastIndexOf(LINE_FEED) + 1 || (isEndless ? most : 0);
      if (end === 0 && bytes.length === most) continue;
      const lines = this.#decoder.decode(bytes.subarray(0, end));
      const isRepeated = this.#offset < this.#rewrittenUpTo;
      this.#offset += end;
      const events = eventsIn(lines.split("\n"));
      const fresh = events.filter((event) =>
        !isRepeated || event.type === "message" && !this.#returned.has(event.message.seq)
      );
      for (const event of fresh) {
        if (event.type === "message") this.#returned.add(event.message.seq);
      }
      // Skipped lines are not the end; more events may follow.
      if (fresh.length > 0 || end === 0) return fresh;
    }
  }
}

function eventsIn(lines: readonly string[]): ConveningEvent[] {
  return lines.flatMap((line) => {
    const value = line.trim() === "" ? undefined : jsonIn(line);
    return isEvent(value) ? [value] : [];
  });
}

type PlainEvent = Exclude<ConveningEvent["type"], FactEvent["type"]>;

/** Returns the fields that readers require of events without a fact. */
function plainEvents(usage: z.ZodType): Record<PlainEvent, z.ZodRawShape> {
  const turn = z.looseObject({
    seq: z.number(),
    turn: z.string(),
    participant: z.string(),
    name: z.string(),
    phase: z.string(),
    kind: z.string(),
    round: z.number(),
  });
  return {
    "convening-start": {
      start: z.looseObject({
        kind: z.string(),
        topic: z.string(),
        participants: z.array(z.looseObject({ id: z.string(), name: z.string() })),
      }),
    },
    "convening-resume": { replayed: z.number(), usage },
    "convening-end": {
      ending: z.looseObject({
        status: z.string(),
        outcome: z.string(),
        winner: z.string().nullable(),
        scores: z.record(z.string(), z.unknown()),
        unscored: z.array(z.string()),
        usage,
      }),
    },
    "phase-start": { phase: z.string() },
    "phase-end": { phase: z.string() },
    "round-start": { round: z.number() },
    "round-end": { round: z.number() },
    "turn-start": { turn },
    "turn-wait": { turn, task: z.string() },
    "turn-answer": { turn },
    "message-delta": { turn, text: z.string(), whole: z.boolean().optional() },
    "message-reset": { turn, reason: z.string() },
    interjection: { turn },
    interruption: { turn, about: z.number() },
    "limit-warning": { limit: z.string(), value: z.number(), max: z.number() },
    ["parameter_dropped"]: { model: z.string(), parameter: z.string(), because: z.string() },
    ["profile_learned"]: {
      origin: z.string(),
      model: z.string(),
      key: z.string(),
      because: z.string(),
      learnedAt: z.string().optional(),
    },
    stage: { name: z.string() },
  };
}

/** Schemas by event type; unknown fields are kept. */
const schemas = memo((): ReadonlyMap<string, z.ZodObject> => {
  const usage = schemaOf(USAGE, "loose");
  const ofFacts = FACT_ROWS.map((row): [string, z.ZodRawShape] => {
    const { type, field, withUsage } = FACT_EVENTS[row.type];
    return [type, { [field]: looseFact(row), ...withUsage ? { usage } : {} }];
  });
  const n = z.int().min(0).describe("From 1, over the whole convening; 0 for a message-delta.");
  const at = z.string().describe("ISO 8601, UTC, with milliseconds.");
  return new Map(
    [...Object.entries(plainEvents(usage)), ...ofFacts].map(([type, parts]) => [
      type,
      z.looseObject({ type: z.literal(type), ...parts, n, at }),
    ]),
  );
});

export function eventSchemas(): readonly z.ZodObject[] {
  return [...schemas().values()];
}

/** Returns true if a parsed line of a log is an event. Logs may be edited, damaged, or written by other versions. */
function isEvent(value: unknown): value is ConveningEvent {
  const { type } = objectIn(value);
  return typeof type === "string" && schemas().get(type)?.safeParse(value).success === true;
}
