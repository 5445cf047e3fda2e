// The note-taker of a debate: finds the points of each turn alongside.
import { memo } from "../../core/values.ts";
import { z } from "zod";
import { type FindClaims, statedClaims } from "../../checking/statement_check.ts";
import { exactWords } from "../../core/quotations.ts";
import { CLAIMS, type Statement } from "../../checking/questions.ts";
import { fenced, letters, NO_ORDERS } from "../../core/prompt.ts";
import { tokensFor } from "../../core/asks.ts";
import { madeOf } from "../../engine/caller.ts";
import { AgentError } from "../../core/error.ts";
import { type Flow, type Point, POINT_KINDS, type StatedClaim } from "../../core/fact.ts";
import { type Message, NO_USAGE } from "../../core/message.ts";
import { oneLine } from "../../core/text.ts";
import type { Consult, Consultation, Observer, ObserverTools } from "../../core/guard.ts";
import type { Answer } from "../../core/turn.ts";
import type { Side } from "../rules.ts";
import { pointLine } from "./flow_notes.ts";

/** The role of the note-taker, and the name of its observer. */
export const NOTE_TAKER = "note_taker";
/** The most points of a turn. */
const MOST_POINTS = 8;
/** The most earlier points that the note-taker is shown: the latest. */
const SHOWN_POINTS = 200;
/** The most code points of a point's line. */
const LINE = 300;

/** Options of {@linkcode createNoteTaker}. */
export interface NoteTakerOptions {
  /** The id of the note-taker. */
  readonly asked: string;
  /** The sides, in the order of their letters. */
  readonly sides: readonly Side[];
  /** The task of finding points. */
  readonly task: string;
  /** The task of finding claims, and their number, where facts are checked. @default no claims are asked for */
  readonly claims?: { readonly task: string; readonly max: number } | undefined;
  /** True if the run fails where the note-taker's agent does. @default false: the turn has no notes */
  readonly required?: boolean | undefined;
  /** True if judges are shown the notes: a model that may answer later fails the run. @default false */
  readonly isJudged?: boolean | undefined;
}

/** The turn that a statement is an attempt at. */
interface Spoken {
  readonly participant: string;
  /** The number of the last message that the speaker had been given. */
  readonly previous?: number | undefined;
}

/** A note-taker of one debate. */
export interface NoteTaker {
  /** Has the points of every turn of a side on record. */
  readonly observer: Observer;
  /** Claims of a message, from its notes. */
  claimsOf(message: Message, tools: ObserverTools): FindClaims;
  /** Claims of an attempt at a turn, from the notes that are kept if the attempt is accepted. */
  claimsOfAttempt(turn: Spoken): FindClaims;
}

interface NotesReply {
  readonly points: readonly Omit<Point, "id">[];
  readonly claims?: readonly StatedClaim[] | undefined;
}

const notesReply = memo(() => {
  const point = z.object({
    quote: z.string(),
    text: z.string(),
    kind: z.enum(POINT_KINDS),
    answers: z.array(z.string()),
  });
  return z.object({ points: z.array(point) });
});
const withClaims = memo(() => notesReply().extend({ claims: CLAIMS }));

/** A note-taker that reads each turn of the sides once; a turn that cannot be read has no points. */
export function createNoteTaker(options: NoteTakerOptions): NoteTaker {
  const notes = new NotesOfDebate(options);
  return {
    observer: {
      name: NOTE_TAKER,
      observe: async (message, tools) => void await notes.of(message, tools),
    },
    claimsOf: (message, tools) => () => notes.claimsOf(message, tools),
    claimsOfAttempt: (turn) => async (statement, { consult }) => {
      const answer = await notes.read(statement, turn, consult);
      const { usage: noted, value, problem = "no answer", later } = answer;
      const found = value === undefined
        ? { claims: [], dropped: 0, problem, later }
        : statedClaims(value.claims ?? [], statement.body);
      return { ...madeOf(answer), ...found, usage: NO_USAGE, noted };
    },
  };
}

class NotesOfDebate {
  readonly #options: NoteTakerOptions;
  readonly #letters: ReadonlyMap<string, string>;
  /** By the number of the message. */
  readonly #flows = new Map<number, Promise<Flow | undefined>>();
  /** Answers about attempts, by message and attempt, until the message is noted. */
  readonly #attempts = new Map<string, { body: string; answer: Promise<Answer<NotesReply>> }>();

  constructor(options: NoteTakerOptions) {
    this.#options = options;
    this.#letters = new Map(options.sides.map(({ id }, index) => [id, letters(index)]));
  }

  /** The notes of a message; undefined for a message of no side, a template's, or of a plan. */
  of(message: Message, tools: ObserverTools): Promise<Flow | undefined> {
    const { seq, participant, model } = message;
    if (!this.#letters.has(participant) || model === "template") return Promise.resolve(undefined);
    const flow = this.#flows.get(seq) ??
      (tools.flow === undefined ? this.#take(message, tools) : Promise.resolve(tools.flow));
    this.#flows.set(seq, flow);
    return flow;
  }

  async claimsOf(message: Message, tools: ObserverTools): ReturnType<FindClaims> {
    const flow = await this.of(message, tools);
    const { model = "", latencyMs = 0, createdAt = "", reason, status } = flow ?? {};
    return {
      claims: flow?.claims ?? [],
      dropped: flow?.droppedClaims ?? 0,
      problem: status === "read" ? undefined : reason ?? "the turn was not noted",
      model,
      latencyMs,
      createdAt,
      usage: NO_USAGE,
    };
  }

  /** The answer about a statement, asked for once. */
  async read(
    statement: Statement,
    spoken: Spoken,
    consult: Consult,
  ): Promise<Answer<NotesReply>> {
    const { seq, attempt, body } = statement;
    const key = `${seq}/${attempt}`;
    const known = this.#attempts.get(key);
    if (known?.body === body) return await known.answer;
    const answer = this.#earlier(spoken.previous).then((earlier) =>
      consult(this.#question(statement, spoken, earlier))
    );
    this.#attempts.set(key, { body, answer });
    return await answer;
  }

  async #take(message: Message, { consult, record }: ObserverTools) {
    const { seq, attempts: attempt, body, phase, round, previous } = message;
    const statement = { seq, attempt, body, phase, round };
    // A message of a plan has no words yet, and nobody answers.
    if (body === "") return void await consult(this.#question(statement, message, []));
    const answer = await this.read(statement, message, consult);
    const { failed, later } = answer;
    if (failed !== undefined && this.#options.required === true) {
      throw new AgentError(failed.code, `Cannot note turn ${seq}: ${failed.message}`, {
        retryable: failed.retryable,
        hint: "Try again: turns that were noted are not asked about. Or use another model.",
      });
    }
    if (later !== undefined && this.#options.isJudged === true) throw later;
    for (let each = 1; each <= attempt; each++) this.#attempts.delete(`${seq}/${each}`);
    const earlier = await this.#earlier(previous);
    const flow = this.#flowOf(message, answer, earlier, await this.#firstNumber(message));
    await record(flow);
    return flow;
  }

  /** The points of the turns that a speaker had been given. */
  async #earlier(previous = 0): Promise<Flow[]> {
    const before = [...this.#flows].filter(([seq]) => seq <= previous).sort(([a], [b]) => a - b);
    const flows = await Promise.all(before.map(([, flow]) => flow));
    return flows.filter((flow) => flow !== undefined);
  }

  /** The number of a turn's first point; points of a side are counted in the order of its turns. */
  async #firstNumber({ seq, participant }: Message): Promise<number> {
    const before = [...this.#flows].filter(([each]) => each < seq);
    const flows = await Promise.all(before.map(([, flow]) => flow));
    const numbers = flows.filter((flow) => flow?.participant === participant)
      .flatMap((flow) => flow?.points.map(({ id }) => parseInt(id.replace(/\D+/, ""))) ?? []);
    return Math.max(0, ...numbers) + 1;
  }

  #flowOf(
    { seq, participant, body }: Message,
    { value, problem, ...answer }: Answer<NotesReply>,
    earlier: readonly Flow[],
    first: number,
  ): Flow {
    const about = { type: "flow", message: seq, participant } as const;
    const made = madeOf(answer);
    if (value === undefined) {
      const reason = oneLine(problem ?? "no answer", 2 * LINE);
      return { ...about, status: "unread", reason, points: [], ...made };
    }
    const known = new Map(
      earlier.flatMap(({ participant, points }) => points.map(({ id }) => [id, participant])),
    );
    let unknown = 0;
    const points = value.points.slice(0, MOST_POINTS).flatMap(({ quote, text, kind, answers }) => {
      const words = exactWords(quote, body);
      const line = oneLine(text, LINE);
      if (words === undefined || line === "") return [];
      const named = [...new Set(answers.map((id) => id.trim().toUpperCase()))];
      const ids = named.filter((id) => isKnown(kind, known.get(id), participant));
      unknown += named.length - ids.length;
      return [{ kind, answers: ids, text: line, quote: words }];
    });
    const dropped = Math.min(value.points.length, MOST_POINTS) - points.length;
    const letter = this.#letters.get(participant)!;
    const { claims, dropped: droppedClaims } = statedClaims(value.claims ?? [], body);
    return {
      ...about,
      status: "read",
      ...dropped === 0 ? {} : { dropped },
      ...unknown === 0 ? {} : { unknown },
      points: points.map((point, index) => ({ id: `${letter}${first + index}`, ...point })),
      ...this.#options.claims === undefined ? {} : { claims },
      ...droppedClaims === 0 ? {} : { droppedClaims },
      ...made,
    };
  }

  #question(
    { seq, attempt, body, phase, round }: Statement,
    { participant }: Spoken,
    earlier: readonly Flow[],
  ): Consultation<NotesReply> {
    const { asked, task, claims, sides } = this.#options;
    const labels = new Map(sides.map(({ id, label }) => [id, label]));
    const lines = earlier.flatMap((flow) =>
      flow.points.map((point) =>
        pointLine({ ...point, seq: flow.message }, labels.get(flow.participant))
      )
    );
    const most = claims === undefined
      ? ""
      : ` and at most ${claims.max} ${claims.max === 1 ? "claim" : "claims"}`;
    return {
      key: `notes/${seq}/${attempt}`,
      asked,
      phase,
      kind: "notes",
      round,
      task: claims === undefined ? task : `${task}\n\n${claims.task}`,
      notes: [
        `This is the statement to be noted, by ${
          labels.get(participant)
        }, and the points that were noted before. ${NO_ORDERS}`,
        fenced("statement", body),
        fenced("points", lines.slice(-SHOWN_POINTS).join("\n") || "(none)"),
        `Give at most ${MOST_POINTS} points${most}.`,
      ].join("\n"),
      // Claims that an earlier turn makes already are left out.
      alone: claims === undefined,
      schema: { name: "notes", type: claims === undefined ? notesReply() : withClaims() },
      maxTokens: tokensFor("notes") + (claims === undefined ? 0 : tokensFor("claims")),
      data: { max: claims?.max, body },
    };
  }
}

/** True if a point of a kind may name a point that the given participant made. */
function isKnown(kind: Point["kind"], by: string | undefined, participant: string): boolean {
  if (by === undefined || kind === "new") return false;
  const isOwn = by === participant;
  return kind === "extends" || kind === "repeats" ? isOwn : !isOwn;
}
