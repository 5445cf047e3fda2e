// The points of a debate as Argdown, for tools that draw maps of arguments.
import { type NotedPoint, sheetIn } from "../debate/flow/sheet.ts";
import { plainLine } from "../core/text.ts";
import type { TranscriptRecord } from "./transcript_outline.ts";
import { nameOf } from "./words.ts";

/** The most code points of a line of text. */
const LENGTH = 500;

/**
 * The points of a debate as Argdown: an argument each, with its side as a tag; answers attack (`-`), extended and conceded
 * points support (`+`); dropped and conceded points have a tag. Repeated points are left out.
 */
export function renderArgdown({ start, facts }: TranscriptRecord): string {
  const sheet = sheetIn(facts, facts.filter((fact) => fact.type === "message"));
  const { points } = sheet;
  const [dropped, conceded] = [new Set(sheet.dropped), new Set(sheet.conceded)];
  const shown = points.filter(({ kind }) => kind !== "repeats");
  const referring = Map.groupBy(
    shown.flatMap((point) => point.answers.map((to) => ({ to, point }))),
    ({ to }) => to,
  );
  const argument = (point: NotedPoint): string => {
    const tags = [
      tagOf(nameOf(start, point.participant)),
      ...dropped.has(point) ? ["#dropped"] : [],
      ...conceded.has(point) ? ["#conceded"] : [],
    ];
    const relations = (referring.get(point.id) ?? [])
      .map(({ point: { id, kind } }) => `  ${kind === "answers" ? "-" : "+"} <${id}>`);
    return [`<${point.id}>: ${said(point.text)} ${tags.join(" ")}`, ...relations].join("\n");
  };
  return [
    `===\ntitle: ${JSON.stringify(plainLine(start.topic, LENGTH))}\n===`,
    ...shown.length === 0 ? [`// ${noPoints(facts)}`] : shown.map(argument),
  ].join("\n\n") + "\n";
}

function noPoints(facts: TranscriptRecord["facts"]): string {
  return facts.some(({ type }) => type === "flow")
    ? "No point was noted."
    : "Arguments were not noted: `convenings flow DIR` notes them.";
}

/** A text in one line that holds no mark of Argdown. */
function said(text: string): string {
  return plainLine(text, LENGTH).replace(/[<>[\]{}#@*_\\/]/g, (mark) => `\\${mark}`);
}

function tagOf(name: string): string {
  return `#(${plainLine(name, 80).replace(/[()]/g, "")})`;
}
