import type { EvidenceFigures } from "../core/evidence.ts";
import { number } from "./figures.ts";
import type { DebaterTold, PaperTold } from "../operations/paper_told.ts";
import { plainLine } from "../core/text.ts";
import type { Told } from "../operations/told.ts";

/** What a paper debate came to, as printed: its question, the debaters by rank, the judges' comparison. */
export function paperLines(told: Told, paper: PaperTold): string[] {
  const { question, questions, debaters } = paper;
  if (question === undefined) {
    return questions.length === 0 ? [] : [
      "Questions:",
      ...questions.map((each, at) => `${String(at + 1).padStart(4)}. ${plainLine(each)}`),
    ];
  }
  return [
    `Question: ${plainLine(question)}`,
    ...ranked(told, debaters).map((each) => debaterLine(each, told)),
    ...comparisonLines(told, paper),
  ];
}

/** How much of what a debater cites was found, such as `12 verified, 1 not found`. */
export function figuresLine({ verified, notFound }: EvidenceFigures): string {
  return `${number(verified)} verified, ${number(notFound)} not found`;
}

function ranked({ scores }: Told, debaters: readonly DebaterTold[]): DebaterTold[] {
  const totalOf = ({ participant }: DebaterTold) => scores[participant]?.total ?? -Infinity;
  return debaters.toSorted((a, b) => {
    const [first, second] = [totalOf(a), totalOf(b)];
    return first === second ? 0 : second - first;
  });
}

function debaterLine(debater: DebaterTold, { scores }: Told): string {
  const { participant, name, posture, failure, notArgued } = debater;
  const standing = scores[participant];
  const better = Object.values(scores).filter(({ total }) => total > (standing?.total ?? 0));
  const rank = standing === undefined ? "   –" : `${String(better.length + 1).padStart(3)}.`;
  const total = standing === undefined ? "     –" : standing.total.toFixed(4).padStart(6);
  const missing = standing === undefined || standing.missing === 0
    ? ""
    : ` (${standing.missing} not scored)`;
  const what = failure === undefined ? figuresLine(debater) : `failed: ${failure}`;
  const left = notArgued.length === 0 ? "" : ` (not argued: ${notArgued.join(", ")})`;
  return plainLine(`${name}${missing}${left} · ${what} · ${posture}`).replace(
    /^/,
    `${rank} ${total}  `,
  );
}

/** Who won when the judges compared the debaters in every order; nothing where they did not. */
function comparisonLines(
  { outcome, winner, scores, unscored }: Told,
  { debaters }: PaperTold,
): string[] {
  if (outcome === "undecided") return ["The judges' comparison: undecided"];
  const best = debaters.find(({ participant }) => participant === winner);
  if (outcome === "decided" && best !== undefined) {
    return [`The judges' comparison: ${plainLine(best.name)} wins`];
  }
  return Object.keys(scores).length > 0 || unscored.length > 0
    ? ["The judges' comparison: none that could be read"]
    : [];
}
