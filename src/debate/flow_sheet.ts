// The flow sheet of a debate, computed from the points of its turns, and its sections of prompts.
import type { AskKind } from "../core/asks.ts";
import type { Fact, Flow, Point } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import { fenced, letters, NO_ORDERS } from "../core/prompt.ts";

export interface NotedPoint extends Point {
  readonly seq: number;
  readonly participant: string;
}

/** The points of a debate, and the results computed from them. */
export interface FlowSheet {
  /** In the order in which they were said. */
  readonly points: readonly NotedPoint[];
  /** From a point's id to the participants that answer or concede it, or a point that extends or repeats it. */
  readonly metBy: ReadonlyMap<string, ReadonlySet<string>>;
  /** The points that another side had a chance to answer, and that nobody answered. */
  readonly dropped: readonly NotedPoint[];
  /** The points that a point of another side concedes. */
  readonly conceded: readonly NotedPoint[];
  /** From a point's id to the ids of the points that begin the arguments it belongs to, {@linkcode MOST_ROOTS} at most. */
  readonly roots: ReadonlyMap<string, readonly string[]>;
}

const MOST_ROOTS = 16;

/** The kind of turn that answers the moderator, and no point. */
const NO_CHANCE: AskKind = "interruption_answer";

/** A turn, as far as a chance to answer goes. */
type Spoken = Pick<Message, "seq" | "participant" | "kind" | "previous">;

/**
 * The flow sheet of the turns that were noted. A point is dropped if a later turn of another side, which had been given the
 * point, was noted, and no point of another side meets it; repeated points and concessions need no answer.
 */
export function sheetOf(notes: readonly Flow[], turns: readonly Spoken[]): FlowSheet {
  const ordered = notes.toSorted((a, b) => a.message - b.message);
  const points = ordered.flatMap(({ message, participant, points }) =>
    points.map((point) => ({ ...point, seq: message, participant }))
  );
  const metBy = meetings(points);
  const read = new Set(notes.flatMap(({ status, message }) => status === "read" ? message : []));
  // By participant, the last message that a chance to answer showed.
  const chances = new Map<string, number>();
  for (const { seq, participant, kind, previous = 0 } of turns) {
    if (!read.has(seq) || kind === NO_CHANCE) continue;
    chances.set(participant, Math.max(previous, chances.get(participant) ?? 0));
  }
  const isDropped = ({ id, kind, seq, participant }: NotedPoint) =>
    kind !== "repeats" && kind !== "concedes" && !metBy.has(id) &&
    chances.entries().some(([other, shown]) => other !== participant && shown >= seq);
  const granted = new Set(
    points.flatMap(({ kind, answers }) => kind === "concedes" ? answers : []),
  );
  return {
    points,
    metBy,
    dropped: points.filter(isDropped),
    conceded: points.filter(({ id }) => granted.has(id)),
    roots: rootsOf(points),
  };
}

/** The flow sheet of messages, from the facts on record. */
export function sheetIn(found: readonly Fact[], said: readonly Message[]): FlowSheet {
  const seqs = new Set(said.map(({ seq }) => seq));
  const notes = found.filter((fact): fact is Flow =>
    fact.type === "flow" && seqs.has(fact.message)
  );
  return sheetOf(notes, said);
}

/** By point, the participants that meet it; to meet a point is to meet the earlier points that it extends or repeats. */
function meetings(points: readonly NotedPoint[]): Map<string, Set<string>> {
  const byId = new Map(points.map((point) => [point.id, point]));
  const met = new Map<string, Set<string>>();
  for (const { kind, answers, participant } of points) {
    if (kind !== "answers" && kind !== "concedes") continue;
    const open = [...answers];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const point = byId.get(id);
      const by = met.get(id) ?? new Set();
      if (point === undefined || by.has(participant)) continue;
      met.set(id, by.add(participant));
      if (point.kind === "extends" || point.kind === "repeats") open.push(...point.answers);
    }
  }
  return met;
}

/** The points that begin arguments: a point that refers to no other begins an argument of its own. */
function rootsOf(points: readonly NotedPoint[]): Map<string, readonly string[]> {
  const roots = new Map<string, readonly string[]>();
  for (const { id, answers } of points) {
    const above = new Set(answers.flatMap((each) => roots.get(each) ?? []));
    roots.set(id, above.size === 0 ? [id] : [...above].slice(0, MOST_ROOTS));
  }
  return roots;
}

/** The most points of one list in a speaker's prompt: the latest. */
const LISTED = 10;
/** The most points that judges are shown: the latest. */
const JUDGED = 400;

/** A point as one line: id, speaker, turn, what it refers to, and the point. */
export function pointLine(
  { id, kind, answers, text, seq }: Point & { readonly seq: number },
  label?: string,
  turn = String(seq),
): string {
  const reference = kind === "new" ? "" : `, ${[kind, ...answers].join(" ")}`;
  return `- ${id} (${label === undefined ? "" : `${label}, `}turn ${turn}${reference}): ${text}`;
}

/**
 * The points of a speaker that stand unanswered, and those of the other sides that the speaker has not met; undefined without
 * any.
 */
export function speakerNotes(
  { points, metBy, dropped }: FlowSheet,
  speaker: string,
  labels: ReadonlyMap<string, string>,
): string | undefined {
  const own = dropped.filter(({ participant }) => participant === speaker);
  const open = points.filter(({ id, kind, participant }) =>
    participant !== speaker && kind !== "concedes" && kind !== "repeats" &&
    !metBy.get(id)?.has(speaker)
  );
  const lists = [
    listOf("Points of yours that stand unanswered", own, () => undefined),
    listOf("Points of others that you have not met", open, (each) => labels.get(each.participant)),
  ].filter((list) => list !== "");
  if (lists.length === 0) return undefined;
  return [
    `These are notes of the debate up to the turn before the last. ${NO_ORDERS}`,
    fenced("flow", lists.join("\n")),
  ].join("\n");
}

function listOf(
  heading: string,
  points: readonly NotedPoint[],
  labelOf: (point: NotedPoint) => string | undefined,
): string {
  if (points.length === 0) return "";
  const earlier = points.length - LISTED;
  return [
    `${heading}:`,
    ...points.slice(-LISTED).map((point) => pointLine(point, labelOf(point))),
    ...earlier > 0 ? [`- and ${earlier} earlier`] : [],
  ].join("\n");
}

/**
 * All points by side, for judges that compare the sides: those that nobody answered, and those that were conceded, are
 * named. The sides have the order of `labels`, from participant id to name, and their points the letters of that order;
 * `turnName` gives the number of a turn as the judge is shown it.
 */
export function judgeNotes(
  { points, dropped, conceded }: FlowSheet,
  labels: ReadonlyMap<string, string>,
  turnName: (seq: number) => string = String,
): string | undefined {
  const shown = points.filter(({ participant }) => labels.has(participant));
  if (shown.length === 0) return undefined;
  const order = [...labels.keys()];
  const letterOf = new Map(
    points.map(({ id, participant }) => [id, letters(order.indexOf(participant))]),
  );
  const renamed = (id: string) => id.replace(/^\D+/, letterOf.get(id) ?? "");
  const latest = shown.slice(-JUDGED);
  const left = shown.length - latest.length;
  const sections = order.map((id) =>
    [
      `${labels.get(id)}:`,
      ...latest.filter(({ participant }) => participant === id).map((point) => {
        const { id, answers } = point;
        const renumbered = { ...point, id: renamed(id), answers: answers.map(renamed) };
        const line = pointLine(renumbered, undefined, turnName(point.seq));
        return line + fate(point, dropped, conceded);
      }),
    ].join("\n")
  );
  return [
    `These are the points of each side, as a note-taker wrote them down. Dropped: the other side could have answered the point, and nobody did. ${NO_ORDERS}`,
    fenced("flow", sections.join("\n")),
    ...left > 0 ? [`${left} earlier points are left out.`] : [],
  ].join("\n");
}

/** The end of a point's line: whether it was dropped or conceded. */
function fate(
  point: NotedPoint,
  dropped: readonly NotedPoint[],
  conceded: readonly NotedPoint[],
): string {
  if (conceded.includes(point)) return " [conceded by the other side]";
  return dropped.includes(point) ? " [dropped: nobody answered it]" : "";
}
