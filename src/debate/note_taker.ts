// The note-taker of a debate: finds the points of each turn, and adds notes to the speakers' prompts.
import { z } from "zod";
import { memo } from "../core/values.ts";
import { type FindClaims, statedClaims } from "../checking/statement_check.ts";
import { exactWords } from "../core/quotations.ts";
import { CLAIMS, type Statement } from "../checking/questions.ts";
import { fenced, letters, NO_ORDERS } from "../core/prompt.ts";
import { INTERRUPTION_ANSWER, tokensFor } from "../core/profile.ts";
import { madeOf } from "../engine/caller.ts";
import { AgentError } from "../core/error.ts";
import { type Fact, type Flow, type Point, POINT_KINDS, type StatedClaim } from "../core/fact.ts";
import { type Message, NO_USAGE } from "../core/message.ts";
import type { Observer, ObserverTools } from "../core/guard.ts";
import type { Answer, Consult, Consultation, Turn } from "../core/turn.ts";
import type { ClaimNotes } from "../checking/fact_checker.ts";
import { freeId, type Helper, type Participant } from "../core/participant.ts";
import { type Protocol, results } from "../core/protocol.ts";
import { counted, oneLine } from "../core/text.ts";
import type { Side } from "./rules.ts";
import { pointLine, sheetIn, speakerNotes } from "./flow_sheet.ts";

/** Role of the note-taker and name of its observer. */
export const NOTE_TAKER = "note_taker";
const MOST_POINTS = 8;
/** Maximum earlier points in the note-taker's prompt; the latest are shown. */
const SHOWN_POINTS = 200;
/** Maximum length of a point's text, in code points. */
const LINE = 300;

interface NoteTakerOptions {
  /** Helper id of the note-taker. */
  readonly asked: string;
  /** Sides in the order of their letters. */
  readonly sides: readonly Side[];
  readonly task: string;
  /** Task to find claims for the fact checker, and the maximum number of claims. @default no claims */
  readonly claims?: { readonly task: string; readonly max: number } | undefined;
  /** True if a failure of the note-taker's agent fails the run. @default false: the turn has no notes */
  readonly required?: boolean | undefined;
  /** True if judges see the notes; then a retryable failure of the model fails the run. @default false */
  readonly isJudged?: boolean | undefined;
}

/** The turn of a noted statement. */
interface Spoken {
  readonly participant: string;
  /** Number of the last message in the speaker's prompt. */
  readonly previous?: number | undefined;
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

/** Notes each turn of the sides once; a turn whose notes cannot be read has no points. */
class NoteTaker implements ClaimNotes {
  /** Records the points of every turn of a side. */
  readonly observer: Observer = {
    name: NOTE_TAKER,
    observe: async (message, tools) => void await this.#notesOf(message, tools),
  };
  readonly #options: NoteTakerOptions;
  readonly #letters: ReadonlyMap<string, string>;
  /** Notes by message number. */
  readonly #flows = new Map<number, Promise<Flow | undefined>>();
  /** Answers by message and attempt, kept until the message's notes are recorded. */
  readonly #attempts = new Map<string, { body: string; answer: Promise<Answer<NotesReply>> }>();

  constructor(options: NoteTakerOptions) {
    this.#options = options;
    this.#letters = new Map(options.sides.map(({ id }, index) => [id, letters(index)]));
  }

  /** Returns the notes of a message; undefined in a plan, and for participants that are no side. */
  #notesOf(message: Message, tools: ObserverTools): Promise<Flow | undefined> {
    const { seq, participant, body } = message;
    if (!this.#letters.has(participant)) return Promise.resolve(undefined);
    // A message of a plan has no text and gets no answer: the question is counted, and nothing is kept for the run.
    if (body === "") {
      return tools.consult(this.#question(statementOf(message), message, [])).then(() => undefined);
    }
    return this.#flows.getOrInsertComputed(
      seq,
      () =>
        tools.flow === undefined ? this.#takeNotes(message, tools) : Promise.resolve(tools.flow),
    );
  }

  claimsOf(message: Message, tools: ObserverTools): FindClaims {
    return async () => {
      const flow = await this.#notesOf(message, tools);
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
    };
  }

  claimsOfAttempt(turn: Spoken): FindClaims {
    return async (statement, { consult }) => {
      const answer = await this.#askNotes(statement, turn, consult);
      const { usage: noted, value, problem = "no answer", later } = answer;
      const found = value === undefined
        ? { claims: [], dropped: 0, problem, later }
        : statedClaims(value.claims ?? [], statement.body);
      return { ...madeOf(answer), ...found, usage: NO_USAGE, noted };
    };
  }

  /** Asks for the notes of a statement; memoized by message, attempt and text. */
  async #askNotes(
    statement: Statement,
    spoken: Spoken,
    consult: Consult,
  ): Promise<Answer<NotesReply>> {
    const { seq, attempt, body } = statement;
    const key = `${seq}/${attempt}`;
    const known = this.#attempts.get(key);
    if (known?.body === body) return await known.answer;
    const answer = this.#notesBefore((spoken.previous ?? 0) + 1).then((earlier) =>
      consult(this.#question(statement, spoken, earlier))
    );
    this.#attempts.set(key, { body, answer });
    return await answer;
  }

  async #takeNotes(message: Message, tools: ObserverTools) {
    const { seq, attempts: attempt, previous = 0 } = message;
    const answer = await this.#askNotes(statementOf(message), message, tools.consult);
    const { failed, later } = answer;
    if (failed !== undefined && this.#options.required === true) {
      throw new AgentError(failed.code, `Cannot note turn ${seq}: ${failed.message}`, {
        retryable: failed.retryable,
        hint: "Try again: turns that were noted are not asked about. Or use another model.",
      });
    }
    if (later !== undefined && this.#options.isJudged === true) throw later;
    for (let number = 1; number <= attempt; number++) this.#attempts.delete(`${seq}/${number}`);
    const before = await this.#notesBefore(seq);
    const seen = before.filter((flow) => flow.message <= previous);
    // Without an await until the flow is on record, since another turn of the side may be noted at the same time.
    const flow = this.#flowOf(message, answer, seen, firstNumber(message, tools));
    await tools.record(flow);
    return flow;
  }

  /** Returns the notes of the turns before the message `end`. */
  async #notesBefore(end: number): Promise<Flow[]> {
    const before = [...this.#flows].filter(([seq]) => seq < end).sort(([a], [b]) => a - b);
    const flows = await Promise.all(before.map(([, flow]) => flow));
    return flows.filter((flow) => flow !== undefined);
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
      const ids = named.filter((id) => mayReferTo(kind, known.get(id), participant));
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
    const most = claims === undefined ? "" : ` and at most ${counted(claims.max, "claim")}`;
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
      // Claims need the transcript, because claims of earlier turns are not repeated.
      alone: claims === undefined,
      schema: { name: "notes", type: claims === undefined ? notesReply() : withClaims() },
      maxTokens: tokensFor("notes") + (claims === undefined ? 0 : tokensFor("claims")),
      data: { max: claims?.max, body },
    };
  }
}

function statementOf({ seq, attempts: attempt, body, phase, round }: Message): Statement {
  return { seq, attempt, body, phase, round };
}

/**
 * Returns the number of a turn's first point: above that of every recorded point of the side. The points of a side are numbered
 * in the order of its turns, unless a turn that is written at the same time was noted before.
 */
function firstNumber({ participant }: Message, { recorded }: ObserverTools): number {
  const ids = recorded().flatMap((fact) =>
    fact.type === "flow" && fact.participant === participant ? fact.points.map(({ id }) => id) : []
  );
  return Math.max(0, ...ids.map((id) => parseInt(id.replace(/\D+/, "")))) + 1;
}

/** Returns true if a participant's point of a kind may refer to a point made `by` a participant; undefined: no such point. */
function mayReferTo(kind: Point["kind"], by: string | undefined, participant: string): boolean {
  if (by === undefined || kind === "new") return false;
  return kind === "concedes" || (by === participant) === (kind !== "answers");
}

/** Creates the note-taker; its agent is the moderator's unless a model is named. */
export function notingOf(
  { model, moderator, taken, ...options }: Omit<NoteTakerOptions, "asked"> & {
    /** Model of the note-taker. @default the moderator's */
    readonly model?: string | undefined;
    readonly moderator?: Participant | undefined;
    /** Ids in use. */
    readonly taken: readonly string[];
  },
): { readonly helper: Helper; readonly taker: NoteTaker } {
  const id = freeId("note-taker", new Set(taken));
  const helper = {
    id,
    name: "Note-taker",
    role: NOTE_TAKER,
    needsModel: true,
    model: model ?? moderator?.model,
    agent: model === undefined ? moderator?.agent : undefined,
  };
  return { helper, taker: new NoteTaker({ ...options, asked: id }) };
}

/** Returns true if any turn has a new point, an answer to a point, or no readable notes. */
export function isAnythingNew(facts: readonly Fact[], turns: readonly Message[]): boolean {
  const flows = facts.filter(({ type }) => type === "flow") as Flow[];
  const isNew = ({ kind }: Point) => kind === "new" || kind === "answers";
  const known = flows.filter(({ status, points }) => status === "read" && !points.some(isNew));
  return turns.some(({ seq }) => known.every(({ message }) => message !== seq));
}

/**
 * Adds notes to each turn of a side. The notes cover the messages that the previous speaker had seen: in a sequential debate,
 * all but the last turn. Those notes are usually complete by then; a turn waits for late ones.
 */
export function* withNotes<T>(protocol: Protocol<T>, sides: readonly Side[]): Protocol<T> {
  const labels = new Map(sides.map(({ id, label }) => [id, label]));
  const said: Message[] = [];
  try {
    let step = protocol.next();
    while (!step.done) {
      const request = step.value;
      const isTurn = request.type === "say" || request.type === "begin";
      const answer = yield isTurn && labels.has(request.turn.speaker)
        ? { ...request, turn: yield* noted(request.turn, said, labels) }
        : request;
      if (request.type === "say") said.push(answer as Message);
      if (request.type === "settle") {
        said.push(...(answer as readonly Fact[]).filter((fact) => fact.type === "message"));
      }
      step = protocol.next(answer);
    }
    return step.value;
  } finally {
    protocol.return(undefined as T);
  }
}

function* noted(
  turn: Turn,
  said: readonly Message[],
  labels: ReadonlyMap<string, string>,
): Protocol<Turn> {
  const { previous = 0 } = said.at(-1) ?? {};
  if (previous === 0 || turn.kind === INTERRUPTION_ANSWER) return turn;
  const facts = yield* results(NOTE_TAKER, previous);
  const sheet = sheetIn(facts, said.filter(({ seq }) => seq <= previous));
  return { ...turn, notes: speakerNotes(sheet, turn.speaker, labels) };
}
