// The outcome in words, which all pages share: who won, how strongly, and why.
import type { Assessment, JudgeReason, VoteSplit } from "../core/outcome.ts";
import type { Outcome, Verdict } from "../core/fact.ts";
import type { ConveningStart } from "../core/event.ts";
import { CUT, nameOf, undecidedWords } from "./words.ts";

/** Findings that an outcome's words are made of. */
interface OutcomeFindings extends Pick<Assessment, "winner" | "consensus"> {
  /** Undefined of a convening that is not decided yet. */
  readonly outcome?: Outcome | undefined;
  /** Verdicts of the convening's own judges. */
  readonly verdicts: readonly Verdict[];
}

/** Form of others' words on a page. */
export interface OutcomeStyle {
  /** Escapes and cuts words of others. @default as they are */
  readonly show?: ((text: string, max: number) => string) | undefined;
  /** True if the winner's name is bold, in markdown. @default false */
  readonly strong?: boolean | undefined;
}

const asIs = (text: string) => text;

/** The winner with its position, or the reason why there is none: one sentence. */
export function outcomeSentence(
  start: ConveningStart,
  { outcome, winner, consensus, verdicts }: OutcomeFindings,
  { show = asIs, strong = false }: OutcomeStyle = {},
): string {
  if (consensus !== undefined) {
    const { agreed, open } = consensus;
    return `Agreed: ${agreed.length} of ${agreed.length + open.length} points.`;
  }
  if (outcome === undefined) return "Winner: not decided yet.";
  if (winner !== null) {
    const position = start.participants.find(({ id }) => id === winner)?.position;
    const name = show(nameOf(start, winner), CUT.name);
    return `Winner: ${strong ? `**${name}**` : name}${
      position === undefined ? "" : ` (${show(position, CUT.position)})`
    }.`;
  }
  const byAudience = start.configuration.decision === "audience";
  if (outcome === "unscored") {
    return byAudience
      ? "No winner: no stances of the audience could be compared."
      : "No winner: this was not judged.";
  }
  if (byAudience) return "Undecided: the audience moved to no side more than to the others.";
  return `Undecided: ${undecidedWords(verdicts)}.`;
}

/** Reasons that verdicts make no vote, in words. */
const SPLITS: Readonly<Record<VoteSplit, string>> = {
  unread: "a verdict could not be read",
  chance: "verdicts on the same question differ",
  "order or label": "verdicts differ with the order or label of the sides",
  "one pass": "one order alone",
};

/** The most characters of a sentence on an outcome. */
const SENTENCE = 400;

/** The vote of a judge in words, such as `for Advocate A`. */
export function voteWords(
  start: ConveningStart,
  { winner, split }: Pick<JudgeReason, "winner" | "split">,
  show: NonNullable<OutcomeStyle["show"]> = asIs,
): string {
  if (split !== undefined) return `without a vote (${SPLITS[split]})`;
  return winner === null ? "for no side" : `for ${show(nameOf(start, winner), CUT.name)}`;
}

/** The strength of an outcome, then each judge's vote and reason in the judge's own words; `link` leads to a verdict. */
export function reasonItems(
  start: ConveningStart,
  { strength, reasons = [] }: Pick<Assessment, "strength" | "reasons">,
  { show = asIs, link = asIs }: Pick<OutcomeStyle, "show"> & {
    readonly link?: ((name: string, reason: JudgeReason) => string) | undefined;
  } = {},
): string[] {
  return [
    ...strength === undefined ? [] : [show(strength.sentence, SENTENCE)],
    ...reasons.map((reason) => {
      const { judge, quote } = reason;
      const vote = voteWords(start, reason, show);
      const why = quote === "" ? "" : `: “${show(quote, SENTENCE)}”`;
      return `${link(show(nameOf(start, judge), CUT.name), reason)} ${vote}${why}`;
    }),
  ];
}
