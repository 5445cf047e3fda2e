// The flow sheet of a debate: which points were met, dropped, conceded or withdrawn; and its sections in prompts.
import { INTERRUPTION_ANSWER } from "../core/profile.ts";
import type { Fact, Flow, Point } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import { ADVOCATE } from "../core/participant.ts";
import { fenced, letters, NO_ORDERS } from "../core/prompt.ts";
import { counted } from "../core/text.ts";

export interface NotedPoint extends Point {
  readonly seq: number;
  readonly participant: string;
}

/** The points of a debate and their fates. */
export interface FlowSheet {
  /** All points, in speaking order. */
  readonly points: readonly NotedPoint[];
  /** By point id, who answered or conceded the point, or one that extends or repeats it; its own side if it was withdrawn. */
  readonly metBy: ReadonlyMap<string, ReadonlySet<string>>;
  /** Points that another side could have answered and no side did. */
  readonly dropped: readonly NotedPoint[];
  /** Points conceded by another side and not withdrawn. */
  readonly conceded: readonly NotedPoint[];
  /** Points that their own side withdrew. */
  readonly withdrawn: readonly NotedPoint[];
  /** Number of the sides' turns without notes, or whose notes could not be read. */
  readonly unnoted: number;
  /** By point id, the ids of the first points of its arguments, at most {@linkcode MOST_ROOTS}. */
  readonly roots: ReadonlyMap<string, readonly string[]>;
}

const MOST_ROOTS = 16;

/** A turn that may be a chance to answer a point. */
type Spoken = Pick<Message, "seq" | "participant" | "role" | "kind" | "previous">;

/**
 * Computes the flow sheet from recorded facts; `said` limits the sheet to messages. A point is dropped if another side spoke in a
 * noted turn after seeing the point, no point of another side meets it, and no turn that may meet it lacks notes. Repeated points,
 * concessions and points that were withdrawn need no answer. @default all messages
 */
export function sheetIn(
  facts: readonly Fact[],
  said: readonly Spoken[] = facts.filter((fact) => fact.type === "message"),
): FlowSheet {
  const seqs = new Set(said.map(({ seq }) => seq));
  const notes = facts.filter((fact): fact is Flow => fact.type === "flow" && seqs.has(fact.message))
    .sort((a, b) => a.message - b.message);
  const points = notes.flatMap(({ message, participant, points }) =>
    points.map((point) => ({ ...point, seq: message, participant }))
  );
  const metBy = meetings(points);
  const read = new Set(notes.flatMap(({ status, message }) => status === "read" ? message : []));
  // By participant, the last message seen at a chance to answer, and in a turn without notes.
  const [chances, unknown] = [new Map<string, number>(), new Map<string, number>()];
  for (const { seq, participant, role, kind, previous = 0 } of said) {
    const of = read.has(seq) ? chances : unknown;
    // An answer to the moderator is no chance to answer a point.
    if (role !== ADVOCATE || kind === INTERRUPTION_ANSWER) continue;
    of.set(participant, Math.max(previous, of.get(participant) ?? 0));
  }
  const isSeen = ({ seq, participant }: NotedPoint, by: ReadonlyMap<string, number>) =>
    by.entries().some(([other, shown]) => other !== participant && shown >= seq);
  const isDropped = (point: NotedPoint) =>
    point.kind !== "repeats" && point.kind !== "concedes" && !metBy.has(point.id) &&
    isSeen(point, chances) && !isSeen(point, unknown);
  const granted = new Set(points.flatMap((each) => each.kind === "concedes" ? each.answers : []));
  const isWithdrawn = ({ id, participant }: NotedPoint) => metBy.get(id)?.has(participant) === true;
  return {
    points,
    metBy,
    dropped: points.filter(isDropped),
    conceded: points.filter((point) => granted.has(point.id) && !isWithdrawn(point)),
    withdrawn: points.filter(isWithdrawn),
    unnoted: said.filter(({ seq, role }) => role === ADVOCATE && !read.has(seq)).length,
    roots: rootsOf(points),
  };
}

/** Mark at the end of a point's line in a judge's prompt, by the point's fate. */
const FATES = {
  dropped: " [dropped: nobody answered it]",
  conceded: " [conceded by the other side]",
  withdrawn: " [withdrawn by its own side]",
} as const;

/** Returns the fate of points by id; points without a fate are absent. */
export function fatesOf(
  { dropped, conceded, withdrawn }: Pick<FlowSheet, keyof typeof FATES>,
): ReadonlyMap<string, keyof typeof FATES> {
  return new Map([
    ...dropped.map(({ id }) => [id, "dropped"] as const),
    ...conceded.map(({ id }) => [id, "conceded"] as const),
    ...withdrawn.map(({ id }) => [id, "withdrawn"] as const),
  ]);
}

/** Says how many turns have no notes; empty if none. */
export function unnotedWords({ unnoted }: Pick<FlowSheet, "unnoted">): string {
  return unnoted === 0 ? "" : `${counted(unnoted, "turn")} without notes, which may answer points`;
}

/** Returns the participants that meet each point; to meet another's point is also to meet those that it extends or repeats. */
function meetings(points: readonly NotedPoint[]): Map<string, Set<string>> {
  const byId = new Map(points.map((point) => [point.id, point]));
  const met = new Map<string, Set<string>>();
  for (const { kind, answers, participant } of points) {
    if (kind !== "answers" && kind !== "concedes") continue;
    const stack = [...answers];
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      const point = byId.get(id);
      const by = met.get(id) ?? new Set();
      if (point === undefined || by.has(participant)) continue;
      met.set(id, by.add(participant));
      if (point.participant === participant) continue;
      if (point.kind === "extends" || point.kind === "repeats") stack.push(...point.answers);
    }
  }
  return met;
}

/** Returns the first points of each point's arguments; a point that refers to no other begins an argument. */
function rootsOf(points: readonly NotedPoint[]): Map<string, readonly string[]> {
  const roots = new Map<string, readonly string[]>();
  for (const { id, answers } of points) {
    const above = new Set(answers.flatMap((each) => roots.get(each) ?? []));
    roots.set(id, above.size === 0 ? [id] : [...above].slice(0, MOST_ROOTS));
  }
  return roots;
}

/** Maximum points per list in a speaker's prompt; the latest are shown. */
const LISTED = 10;
/** Maximum points in a judge's prompt; the latest are shown. */
const JUDGED = 400;

/** Returns a point as one line: id, speaker, turn, the points it refers to, and its text. */
export function pointLine(
  { id, kind, answers, text, seq }: Point & { readonly seq: number },
  label?: string,
  turn = String(seq),
): string {
  const reference = kind === "new" ? "" : `, ${[kind, ...answers].join(" ")}`;
  return `- ${id} (${label === undefined ? "" : `${label}, `}turn ${turn}${reference}): ${text}`;
}

/** Returns a speaker's unanswered points and the points of others that the speaker has not met; undefined if both are empty. */
export function speakerNotes(
  { points, metBy, dropped }: FlowSheet,
  speaker: string,
  labels: ReadonlyMap<string, string>,
): string | undefined {
  const unmet = points.filter((point) =>
    point.participant !== speaker && point.kind !== "concedes" && point.kind !== "repeats" &&
    ![speaker, point.participant].some((each) => metBy.get(point.id)?.has(each))
  );
  const lists = [
    [
      "Points of yours that stand unanswered",
      dropped.filter((each) => each.participant === speaker),
    ],
    ["Points of others that you have not met", unmet],
  ] as const;
  const lines = lists.filter(([, all]) => all.length > 0).flatMap(([heading, all]) => [
    `${heading}:`,
    ...all.slice(-LISTED).map((point) =>
      pointLine(point, point.participant === speaker ? undefined : labels.get(point.participant))
    ),
    ...all.length > LISTED ? [`- and ${all.length - LISTED} earlier`] : [],
  ]);
  if (lines.length === 0) return undefined;
  return [
    `These are notes of the debate up to the turn before the last. ${NO_ORDERS}`,
    fenced("flow", lines.join("\n")),
  ].join("\n");
}

/**
 * Returns all points by side for judges, with dropped and conceded points marked. `labels`, names by participant id, sets the
 * order of the sides and the letters in the ids of their points; `turnName` returns the turn number that the judge sees.
 */
export function judgeNotes(
  { points, ...fated }: FlowSheet,
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
  const fates = fatesOf(fated);
  const latest = shown.slice(-JUDGED);
  const omitted = shown.length - latest.length;
  const sections = order.map((id) =>
    [
      `${labels.get(id)}:`,
      ...latest.filter(({ participant }) => participant === id).map((point) => {
        const { id, answers } = point;
        const renumbered = { ...point, id: renamed(id), answers: answers.map(renamed) };
        const fate = fates.get(id);
        return pointLine(renumbered, undefined, turnName(point.seq)) + (fate ? FATES[fate] : "");
      }),
    ].join("\n")
  );
  return [
    `These are the points of each side, as a note-taker wrote them down. Dropped: the other side could have answered the point, and nobody did. ${NO_ORDERS}`,
    fenced("flow", sections.join("\n")),
    ...omitted > 0 ? [`${omitted} earlier points are left out.`] : [],
  ].join("\n");
}

/** The result of {@linkcode noteFlow}. */
export interface NotedFlow {
  /** Absolute path of the convening's directory. */
  readonly dir: string;
  /** Number of turns that this call noted. */
  readonly noted: number;
  /** Number of points in the debate. */
  readonly points: number;
  /** Ids of the points that nobody answered. */
  readonly dropped: readonly string[];
  /** Ids of the points that another side conceded. */
  readonly conceded: readonly string[];
  /** The text of `arguments.md`. */
  readonly page: string;
}
