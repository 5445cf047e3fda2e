// Parts of a debate's design that rest on notes: the note-taker, and turns and verdicts that are given notes.
import { freeId } from "../../checking/fact_checker.ts";
import type { Fact } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import type { Helper, Participant } from "../../core/participant.ts";
import { type Protocol, results } from "../../core/protocol.ts";
import type { Turn } from "../../core/turn.ts";
import { INTERRUPTION_ANSWER, type Side } from "../rules.ts";
import { speakerNotes } from "./flow_notes.ts";
import {
  createNoteTaker,
  NOTE_TAKER,
  type NoteTaker,
  type NoteTakerOptions,
} from "./note_taker.ts";
import { sheetIn } from "./sheet.ts";

/** The note-taker of a debate, and the helper that is asked. */
export interface Noting {
  /** With the moderator's agent, unless a model is named. */
  readonly helper: Helper;
  readonly taker: NoteTaker;
}

/** The note-taker of a debate. */
export function notingOf(
  { model, moderator, taken, ...options }: Omit<NoteTakerOptions, "asked"> & {
    /** The note-taker's model. @default the moderator's */
    readonly model?: string | undefined;
    readonly moderator?: Participant | undefined;
    /** Ids of all others. */
    readonly taken: readonly string[];
  },
): Noting {
  const id = freeId("note-taker", new Set(taken));
  const helper = {
    id,
    name: "Note-taker",
    role: NOTE_TAKER,
    needsModel: true,
    model: model ?? moderator?.model,
    agent: model === undefined ? moderator?.agent : undefined,
  };
  return { helper, taker: createNoteTaker({ ...options, asked: id }) };
}

/** True if a round has a new point or an answer to a point, or a turn that could not be noted. */
export function isAnythingNew(found: readonly Fact[], turns: readonly Message[]): boolean {
  const notes = new Map(
    found.flatMap((fact) => fact.type === "flow" ? [[fact.message, fact]] : []),
  );
  return turns.some(({ seq }) => {
    const flow = notes.get(seq);
    return flow?.status !== "read" ||
      flow.points.some(({ kind }) => kind === "new" || kind === "answers");
  });
}

/**
 * A debate whose speakers are given the notes of every turn that the last speaker had been given: of the turns up to the
 * turn before the last, where nobody speaks at once. Such notes are there in time, as a rule; a turn waits for late notes.
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

/** A turn of a side, with notes. */
function* noted(
  turn: Turn,
  said: readonly Message[],
  labels: ReadonlyMap<string, string>,
): Protocol<Turn> {
  const { previous = 0 } = said.at(-1) ?? {};
  if (previous === 0 || turn.kind === INTERRUPTION_ANSWER) return turn;
  const found = yield* results(NOTE_TAKER, previous);
  const sheet = sheetIn(found, said.filter(({ seq }) => seq <= previous));
  return { ...turn, notes: speakerNotes(sheet, turn.speaker, labels) };
}
