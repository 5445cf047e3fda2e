// The closing questions: which side won, in each pass.
import { z } from "zod";
import type { Fact, FactCheck, Verdict } from "../core/fact.ts";
import type { Rubric } from "../config/convening_config.ts";
import type { Answer, Question } from "../core/turn.ts";
import { factCheckNotes } from "../checking/fact_check_notes.ts";
import { judgeNotes } from "./flow/flow_notes.ts";
import { sheetIn } from "./flow/sheet.ts";
import { inPass, outOfPass, type Pass, passesOf, placesIn, recordBySide } from "./by_side.ts";
import { INTERRUPTION_ANSWER, listOf, type Side } from "./rules.ts";
import type { Scoring } from "../core/agent.ts";
import { weightedTotal, weightsOf } from "../judging/scoring.ts";
import { mean, round4 } from "../core/statistics.ts";
import type { Message } from "../core/message.ts";
import type { ShownRubric } from "./judges.ts";

/** A judge's reply: reasons first, then a side's label or `tie`, then the reason that decided; empty where none is given. */
interface VerdictReply {
  readonly reasons: string;
  readonly winner: string;
  readonly mainReason: string;
}

/** Notes on a debate for one pass: under its labels, by participant id in the pass's order, and its numbers of turns. */
export type VerdictNotes = (
  labels: ReadonlyMap<string, string>,
  turnName: (seq: number) => string,
) => string | undefined;

/** Notes on the messages of a debate: the points of each side where turns were noted, then the checked claims. */
export function notesOn(found: readonly Fact[], said: readonly Message[]): VerdictNotes {
  const checks = found.filter((fact): fact is FactCheck => fact.type === "fact-check");
  const sheet = sheetIn(found, said);
  return (labels, turnName) =>
    [judgeNotes(sheet, labels, turnName), factCheckNotes(checks, labels, turnName)]
      .filter((section) => section !== undefined).join("\n\n");
}

interface VerdictOptions extends ShownRubric {
  readonly sides: readonly Side[];
  readonly task: string;
  /** Seed of the convening: the order and labels of the first pass are drawn from it. */
  readonly seed: number;
  /** Further askings of each pass. @default 0 */
  readonly repeats?: number | undefined;
  /** True for questions to a judge that decides where the panel tied. @default false */
  readonly tiebreak?: boolean | undefined;
  /** The most tokens of a reply. @default the usual ones of an answer */
  readonly maxTokens?: number | undefined;
  /** The messages that are compared. */
  readonly said: readonly Message[];
  /** Notes that the judges are shown. @default none */
  readonly notes?: VerdictNotes | undefined;
  /** The sides of a pass, as the task sets them out. @default one line each */
  readonly listed?: ((list: string) => string) | undefined;
}

/**
 * Questions to each judge: one a pass, then the further askings of each pass. Every side has every place and label once,
 * so that a judge who goes by one of them shows itself (context-network/rules/scoring.md).
 */
export function verdictQuestions(
  options: VerdictOptions,
): Question<VerdictReply, Verdict>[] {
  const { judges, sides, seed, repeats = 0 } = options;
  const passes = passesOf(sides, seed);
  const askings = Array.from({ length: 1 + repeats }, () => passes).flat();
  return judges.flatMap((judge) =>
    askings.map((pass, index) =>
      verdictQuestion({
        ...options,
        judge,
        pass,
        number: index + 1,
        asking: Math.floor(index / passes.length),
      })
    )
  );
}

function verdictQuestion(
  { judge, pass, number, rubric, order, task, said, notes, asking, maxTokens, listed, tiebreak }:
    & VerdictOptions
    & {
      readonly judge: string;
      readonly pass: Pass;
      readonly number: number;
      readonly asking: number;
    },
): Question<VerdictReply, Verdict> {
  const shown = pass.sides.map(({ shownAs, position, ...side }) => ({
    ...side,
    label: shownAs,
    position: inPass(pass, position),
  }));
  const winners: [string, ...string[]] = [...shown.map(({ label }) => label), "tie"] as [string];
  const labels = new Map(shown.map(({ id, label }) => [id, label]));
  const places = placesIn(pass, said);
  const noted = notes?.(labels, (seq) => places.get(seq) ?? String(seq)) ?? "";
  const list = listOf(shown);
  return {
    key: `verdict/${judge}/${number}`,
    asked: judge,
    phase: "verdict",
    kind: "verdict",
    round: 0,
    task,
    values: { sides: listed?.(list) ?? list, nextAction: order.join(", ") },
    notes: noted === "" ? undefined : inPass(pass, noted),
    record: (given, mostWords) => recordBySide(pass, given, mostWords),
    ...asking === 0 ? {} : { asking },
    maxTokens,
    schema: {
      name: "verdict",
      type: z.object({
        reasons: z.string().min(1),
        winner: z.enum(winners),
        mainReason: z.string().default(""),
      }),
    },
    data: { labels: Object.fromEntries(labels) },
    compute: ({ scoring }) => scoring && computedVerdict(scoring, { said, sides: shown, rubric }),
    toFact: (answer) => verdictOf(answer, { judge, rubric, number, pass, tiebreak }),
    matches: (fact): fact is Verdict =>
      fact.type === "verdict" && fact.judge === judge && fact.number === number &&
      fact.rubric === rubric.id,
  };
}

/** The verdict of a program that scores: the side whose speeches have the best mean total. */
async function computedVerdict(
  scoring: Scoring,
  { said, sides, rubric }: Pick<VerdictOptions, "sides" | "rubric" | "said">,
): Promise<VerdictReply> {
  const weights = weightsOf(rubric);
  const totals = await Promise.all(sides.map(async ({ id, label }) => {
    const own = said.filter((message) =>
      message.participant === id && message.kind !== INTERRUPTION_ANSWER
    );
    const scored = await Promise.all(own.map((speech) => scoring.score(speech, rubric)));
    const found = mean(scored.map(({ scores }) => weightedTotal(scores, weights)));
    return { label, total: round4(found ?? 0) };
  }));
  const best = Math.max(...totals.map(({ total }) => total));
  const leaders = totals.filter(({ total }) => total === best);
  return {
    reasons: `Mean totals: ${totals.map(({ label, total }) => `${label} ${total}`).join(", ")}.`,
    winner: leaders.length === 1 ? leaders[0]!.label : "tie",
    mainReason: "",
  };
}

function verdictOf(
  { value, problem, text, ...made }: Answer<VerdictReply>,
  { judge, rubric, number, pass, tiebreak = false }: {
    readonly judge: string;
    readonly rubric: Rubric;
    readonly number: number;
    readonly pass: Pass;
    readonly tiebreak: boolean | undefined;
  },
): Verdict {
  const common = {
    type: "verdict",
    judge,
    rubric: rubric.id,
    number,
    pass: pass.number,
    ...tiebreak ? { tiebreak } : {},
    order: pass.sides.map(({ id }) => id),
    ...made,
  } as const;
  if (value === undefined) {
    const reason = problem ?? "The reply could not be read.";
    return { ...common, status: "unread", reason, winner: null, reasons: text };
  }
  const winner = pass.sides.find(({ shownAs }) => shownAs === value.winner)?.id ?? null;
  return {
    ...common,
    status: "read",
    winner,
    ...value.mainReason === "" ? {} : { mainReason: outOfPass(pass, value.mainReason) },
    reasons: outOfPass(pass, value.reasons),
  };
}
