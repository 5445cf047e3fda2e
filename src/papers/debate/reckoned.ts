import type { ConveningStart } from "../../core/convening_start.ts";
import type { Fact, Score, Verdict } from "../../core/fact.ts";
import type { JudgeVerdict } from "../text/debate_report.ts";
import { debatersOf } from "../text/debaters.ts";
import { verificationOf } from "../text/debater_verification.ts";
import { judgeVerdict, missedWords, rankedScores } from "../text/judge_verdict.ts";
import { lineMarkdown, wordsMarkdown } from "../text/prose_markdown.ts";
import { decide } from "../../judging/scoring.ts";
import { numbered } from "./rules.ts";

/** What the judges came to, in markdown: every number is arithmetic over what they gave. */
export function reckoned(
  start: ConveningStart,
  judged: readonly Fact[],
): string {
  const verdict = judgeVerdict(start, judged);
  const winner = winnerOf(start, judged);
  const debaters = debatersOf(start, judged);
  const figures = debaters.map(verificationOf)
    .map(({ posture, verified, notFound }) => ({ posture, verified, notFound }));
  const ranked = rankedScores(verdict.perDebater)
    .map(({ posture, score }) => ({ posture, total: score }));
  return verdictText(verdict, { ranked, winner, figures });
}

/** The posture that most judges named in every order; null where there is none. */
function winnerOf(start: ConveningStart, judged: readonly Fact[]): string | null {
  const scores = judged.filter((fact): fact is Score => fact.type === "score");
  const verdicts = judged.filter((fact): fact is Verdict => fact.type === "verdict");
  const { winner } = decide(verdicts, scores);
  return debatersOf(start, judged).find(({ participant }) => participant === winner)?.posture ??
    null;
}

function verdictText(
  { perDebater, bestOverall, insights, controversialPoints }: JudgeVerdict,
  { ranked, winner, figures }: {
    readonly ranked: readonly { readonly posture: string; readonly total: number }[];
    readonly winner: string | null;
    readonly figures: readonly {
      readonly posture: string;
      readonly verified: number;
      readonly notFound: number;
    }[];
  },
): string {
  const lines = ranked.map(({ posture, total }) => {
    const found = figures.find((each) => each.posture === posture);
    const missed = missedWords(perDebater.find((each) => each.posture === posture));
    return `${wordsMarkdown(posture, 1200)}: ${total}${missed} (${
      found?.verified ?? 0
    } quotations and citations verified, ${found?.notFound ?? 0} not found)`;
  });
  return [
    ranked.length === 0
      ? "No argument could be scored."
      : `The totals, by arithmetic over the judges' numbers:\n\n${numbered(lines)}`,
    bestOverall.startsWith("Tie: ") ? "The best totals are tied." : "",
    winner === null
      ? "Compared in every order, no posture was named by most judges."
      : `Compared in every order, most judges named: ${wordsMarkdown(winner, 1200)}`,
    ...listed("Insights", insights),
    ...listed("Controversial points", controversialPoints),
  ].filter((part) => part !== "").join("\n\n");
}

function listed(title: string, texts: readonly string[]): string[] {
  return texts.length === 0
    ? []
    : [`${title}:\n\n${texts.map((text) => `- ${lineMarkdown(text, 1200)}`).join("\n")}`];
}
