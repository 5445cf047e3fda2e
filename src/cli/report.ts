// Formats results as text: outcome, standings, findings, and figures of paper debates.
import { join } from "@std/path";
import { type ConveningStart, noticesOf } from "../core/event.ts";
import { capitalized, CUT, plainLine, thousands, totalText } from "../core/text.ts";
import { endWords } from "../core/fact.ts";
import { money } from "../core/message.ts";
import {
  findingSentences,
  nameOf,
  outcomeSentence,
  ranked,
  reasonItems,
  valueSentences,
} from "../record/words.ts";
import { lackingWords } from "../judging/scoring.ts";
import {
  type DebaterResult,
  NO_RESULT,
  type PaperResult,
  paperResultOf,
  resultJson,
  type ShownResult,
} from "../operations/results.ts";
import type { Reply, Session } from "./session.ts";
import { wordFor } from "./directory.ts";
import { figuresWords } from "../core/paper.ts";

/** Returns the results of the session's convening if it is a paper debate. */
export function paperOf(session: Session): PaperResult | undefined {
  const { start, facts } = session.record;
  return paperResultOf(start, facts, session);
}

/** Returns the result of the session's convening as JSON, even if the run failed. */
export function endingJson(session: Session): Readonly<Record<string, unknown>> {
  const { ending, dir, record: { facts } } = session;
  return resultJson({ ...ending ?? NO_RESULT, dir, paper: paperOf(session) }, facts);
}

/** Builds the reply with a result: status, outcome, standings, findings, cost, paths, and next commands. */
export function reportResult(result: ShownResult, session: Session): Reply {
  const { dir, usage, paper, value } = result;
  const { start, facts } = session.record;
  const lines = [
    ...statusLines(result, session),
    ...session.wrapped([
      ...paper === undefined ? [] : paperLines(result, paper),
      ...start === undefined ? [] : [
        ...judgedLines(result, start),
        ...findingLines(result, start),
        ...noticesOf(start, facts).map((each) => plainLine(each)),
        ...valueSentences(start, value).map((each) => plainLine(each, 1_000)),
      ],
      `Tokens: ${thousands(usage.inputTokens)} in (${thousands(usage.cachedInputTokens)} cached), ${
        thousands(usage.outputTokens)
      } out`,
      `Cost: ${money(usage)}`,
    ]),
    ...(paper?.report === undefined ? [] : [paper.report.page]),
    ...(dir === undefined ? [] : [join(dir, "index.md")]),
    ...nextLines(result, session),
  ];
  return {
    code: codeOf(result),
    json: resultJson(result, facts),
    text: lines.join("\n") + "\n",
  };
}

/** Returns the exit code of a result: 0 completed or paused, 1 failed, 3 stopped by a limit, 4 waiting, 130 interrupted. */
function codeOf({ status, endReason }: Pick<ShownResult, "status" | "endReason">): number {
  if (endReason === "cancelled" && status !== "completed") return 130;
  const codes: Partial<Record<typeof status, number>> = {
    completed: 0,
    paused: 0,
    stopped: 3,
    waiting: 4,
  };
  return codes[status] ?? 1;
}

/** Returns commands to try next, at a terminal and for a completed convening. */
function nextLines({ dir, status, winner, scores }: ShownResult, session: Session): string[] {
  if (dir === undefined || status !== "completed" || !session.io.outIsTerminal) return [];
  const word = wordFor(dir, session);
  const name = winner === null ? undefined : scores[winner]?.name;
  // Without a winner, ask about the topic, whose words are in the messages.
  const question = name === undefined ? session.record.start?.topic ?? "" : `Why did ${name} win?`;
  return [
    "Next:",
    `  ${session.commandLine("open", word)}`,
    `  ${session.commandLine("ask", word, plainLine(question))}`,
    `  ${session.commandLine("brief", word, "--as", "memo")}`,
  ];
}

/** Returns outcome and standings; empty for a convening that can be resumed, or a convening without a result. */
function judgedLines(result: ShownResult, start: ConveningStart): string[] {
  const { status, endReason, consensus, outcome, paper } = result;
  const isJudged = outcome !== "unscored" || consensus !== undefined || start.judges.length > 0 ||
    start.configuration.decision === "audience";
  const isOpen = status === "waiting" || status === "paused" || endReason === "cancelled";
  return isOpen || !isJudged ? [] : [
    outcomeSentence(start, result, { show: plainLine }),
    ...paper === undefined ? standingLines(result, start) : [],
  ];
}

function statusLines(
  { status, endReason, error, waitingFor, dir }: ShownResult,
  session: Session,
): string[] {
  const word = dir === undefined ? "DIR" : wordFor(dir, session);
  const { start } = session.record;
  switch (status) {
    case "completed":
      return endReason === undefined || endReason === "completed"
        ? []
        : [`Ended: ${endWords(endReason)}`];
    case "waiting": {
      const turns = Map.groupBy(waitingFor ?? [], ({ participant }) => participant);
      const names = [...turns].map(([participant, { length }]) => {
        const name = plainLine(start === undefined ? participant : nameOf(start, participant));
        return length === 1 ? name : `${name} (${length} answers, one at a time)`;
      });
      return [
        `Waiting for: ${names.join(", ")}`,
        ...[...turns.keys()].map((participant) =>
          `  ${session.commandLine("say", word, "--as", participant, "--file", "FILE")}`
        ),
      ];
    }
    case "paused":
      return ["Paused"];
    default: {
      const reason = endReason === status ? error?.message : endReason && endWords(endReason);
      const state = capitalized(status);
      return [reason === undefined ? state : plainLine(`${state}: ${reason}`)];
    }
  }
}

/** Returns lines with the strength of the outcome, each judge's vote and reason, and the findings. */
export function findingLines(result: ShownResult, start: ConveningStart): string[] {
  return [
    ...reasonItems(start, result, { show: plainLine }),
    ...findingSentences(start, result).map((each) => plainLine(each)),
  ];
}

/** Returns a line per scored participant, highest total first, then the unscored participants. */
export function standingLines({ scores, unscored }: ShownResult, start: ConveningStart): string[] {
  const lines = ranked(scores).map(([, standing]) => {
    const lacking = lackingWords(standing);
    return `  ${totalText(standing.total).padStart(5)}  ${plainLine(standing.name, CUT.name)}${
      lacking === "" ? "" : ` (${lacking})`
    }`;
  });
  return [
    ...lines,
    ...unscored.map((id) =>
      `      –  ${plainLine(nameOf(start, id), CUT.name)} (no turn was scored for every side)`
    ),
  ];
}

function paperLines(result: ShownResult, paper: PaperResult): string[] {
  const { question, questions, debaters } = paper;
  if (question === undefined) {
    return questions.length === 0 ? [] : [
      "Questions:",
      ...questions.map((each, at) => `${String(at + 1).padStart(4)}. ${plainLine(each)}`),
    ];
  }
  return [
    `Question: ${plainLine(question)}`,
    ...byRank(result, debaters).map((each) => debaterLine(each, result)),
  ];
}

function byRank({ scores }: ShownResult, debaters: readonly DebaterResult[]): DebaterResult[] {
  const totalOf = ({ participant }: DebaterResult) => scores[participant]?.total ?? -Infinity;
  // Two debaters without a total differ by no number.
  return debaters.toSorted((a, b) => totalOf(b) - totalOf(a) || 0);
}

function debaterLine(debater: DebaterResult, { scores }: ShownResult): string {
  const { participant, name, posture, failure, notArgued } = debater;
  const standing = scores[participant];
  const better = Object.values(scores).filter(({ total }) => total > (standing?.total ?? 0));
  const rank = standing === undefined ? "   –" : `${String(better.length + 1).padStart(3)}.`;
  const total = standing === undefined ? "     –" : standing.total.toFixed(4).padStart(6);
  const missing = standing?.missing ? ` (${standing.missing} not scored)` : "";
  const what = failure === undefined ? figuresWords(debater) : `failed: ${failure}`;
  const left = notArgued.length === 0 ? "" : ` (not argued: ${notArgued.join(", ")})`;
  return `${rank} ${total}  ${plainLine(`${name}${missing}${left} · ${what} · ${posture}`)}`;
}
