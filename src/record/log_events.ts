// Events read from `log.jsonl`, by schemas that follow from the table of facts.
import { z } from "zod";
import { type ConveningEvent, FACT_EVENTS, type FactEvent } from "../core/event.ts";
import { type FileSystem, MAX_FILE_BYTES } from "../core/files.ts";
import { FACT_ROWS } from "./codec.ts";
import { looseFact, looseShape } from "./fact_reader.ts";
import { USAGE } from "./fact_shapes.ts";
import { CHUNK, LINE_FEED } from "./log.ts";
import { jsonIn } from "../core/json_text.ts";

/**
 * Follows a `log.jsonl` that another process appends to: each call gives the events of the whole lines that came since.
 * A half line is waited for, a line that is no event or over 64 MiB is passed over, and of a log that was written anew only messages
 * that were not given yet are.
 */
export class LogFollower {
  readonly #path: string;
  readonly #files: Pick<FileSystem, "readFrom">;
  readonly #decoder = new TextDecoder();
  readonly #given = new Set<number>();
  /** The bytes of whole lines that were read. */
  #offset = 0;
  /** Up to here a log that was written anew holds what the old one held. */
  #known = 0;

  /** A follower of the log at `path`, from its start. */
  constructor(files: Pick<FileSystem, "readFrom">, path: string) {
    this.#path = path;
    this.#files = files;
  }

  /** The next events; none where nothing came. Not all there are where they are many: call it until it gives none. */
  async next(): Promise<ConveningEvent[]> {
    for (let most = CHUNK;; most *= 2) {
      const { bytes, size } = await this.#files.readFrom(this.#path, this.#offset, most);
      if (size < this.#offset) {
        this.#offset = 0;
        this.#known = size;
        continue;
      }
      const isEndless = most >= MAX_FILE_BYTES && bytes.length === most;
      const end = bytes.lastIndexOf(LINE_FEED) + 1 || (isEndless ? most : 0);
      if (end === 0 && bytes.length === most) continue;
      const lines = this.#decoder.decode(bytes.subarray(0, end));
      const isAnew = this.#offset < this.#known;
      this.#offset += end;
      const events = lines.split("\n").flatMap((line) => eventIn(line) ?? []);
      const fresh = events.filter((event) => !isAnew || this.#isUnseen(event));
      for (const event of fresh) if (event.type === "message") this.#given.add(event.message.seq);
      // Lines that were passed over are no end: there may be more behind them.
      if (fresh.length > 0 || end === 0) return fresh;
    }
  }

  #isUnseen(event: ConveningEvent): boolean {
    return event.type === "message" && !this.#given.has(event.message.seq);
  }
}

function eventIn(line: string): ConveningEvent | undefined {
  if (line.trim() === "") return undefined;
  const value = jsonIn(line);
  return isEvent(value) ? value : undefined;
}

const place = z.looseObject({
  seq: z.number(),
  turn: z.string(),
  participant: z.string(),
  name: z.string(),
  phase: z.string(),
  kind: z.string(),
  round: z.number(),
});
const usage = looseShape(USAGE);

/** The fields of events without a fact that readers rely on; other fields are kept. */
const PARTS: Readonly<Record<Exclude<ConveningEvent["type"], FactEvent["type"]>, z.ZodRawShape>> = {
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
      scores: z.record(z.string(), z.unknown()),
      unscored: z.array(z.string()),
      usage,
    }),
  },
  "phase-start": { phase: z.string() },
  "phase-end": { phase: z.string() },
  "round-start": { round: z.number() },
  "round-end": { round: z.number() },
  "turn-start": { turn: place },
  "turn-wait": { turn: place, task: z.string() },
  "turn-answer": { turn: place },
  "message-delta": { turn: place, text: z.string() },
  "message-reset": { turn: place, reason: z.string() },
  interjection: { turn: place },
  interruption: { turn: place, about: z.number() },
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

/** The same of events that bring facts: the fields of the fact. */
const FACT_PARTS = FACT_ROWS.map((row): [string, z.ZodRawShape] => {
  const { type, field, withUsage } = FACT_EVENTS[row.type];
  return [type, { [field]: looseFact(row), ...withUsage ? { usage } : {} }];
});

const SCHEMAS = new Map(
  [...Object.entries(PARTS), ...FACT_PARTS].map(([type, parts]) => [
    type,
    z.looseObject({
      type: z.literal(type),
      ...parts,
      n: z.int().min(0).describe("From 1, over the whole convening; 0 for a message-delta."),
      at: z.string().describe("ISO 8601, UTC, with milliseconds."),
    }),
  ]),
);

/** The schema of each type of event. */
export const EVENT_SCHEMAS: readonly z.ZodObject[] = [...SCHEMAS.values()];

/** Tells whether a line of a log, read as JSON, is an event: a log is edited, damaged and written by other versions. */
export function isEvent(value: unknown): value is ConveningEvent {
  if (typeof value !== "object" || value === null || !("type" in value)) return false;
  const { type } = value;
  return typeof type === "string" && SCHEMAS.get(type)?.safeParse(value).success === true;
}
