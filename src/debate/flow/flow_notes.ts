// Sections of prompts about the points of a debate: for its speakers and its judges.
import { fenced, letters, NO_ORDERS } from "../../core/prompt.ts";
import type { Point } from "../../core/fact.ts";
import type { FlowSheet, NotedPoint } from "./sheet.ts";

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
