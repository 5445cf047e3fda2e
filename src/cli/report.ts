import { join } from "@std/path";
import { noModelSpoke } from "../core/convening_start.ts";
import type { Reply } from "./command.ts";
import { money, number } from "./figures.ts";
import { findingLines } from "./finding_lines.ts";
import { paperLines } from "./paper_lines.ts";
import { plainLine } from "../core/text.ts";
import type { Session } from "./session.ts";
import { lackingWords } from "../judging/scoring.ts";
import type { Told } from "../operations/told.ts";
import { codeOf } from "./exit_code.ts";
import { toldJson } from "../operations/told_json.ts";

/** The line that every output of the offline agent has. */
export const NO_MODEL = "No model spoke: the offline agent, a program, wrote this.";

/** A result, as printed: where it stands, outcome, standings, findings, what it cost, and where it is. */
export function reportResult(told: Told, session: Session): Reply {
  const { dir, usage, paper } = told;
  const isOffline = noModelSpoke(session.record.start?.participants ?? []);
  const lines = [
    ...statusLines(told, session),
    ...paper === undefined ? judgedLines(told) : paperLines(told, paper),
    ...findingLines(told),
    ...isOffline ? [NO_MODEL] : [],
    `Tokens: ${number(usage.inputTokens)} in (${number(usage.cachedInputTokens)} cached), ${
      number(usage.outputTokens)
    } out`,
    `Cost: ${usage.costUsd === "unknown" ? "unknown" : money(usage.costUsd)}`,
    ...(paper?.report === undefined ? [] : [paper.report.page]),
    ...(dir === undefined ? [] : [join(dir, "index.md")]),
  ];
  return {
    code: codeOf(told),
    json: { ...toldJson(told), ...isOffline ? { noModelSpoke: true } : {} },
    text: lines.join("\n") + "\n",
  };
}

/** Outcome and standings; nothing where it goes on later, or comes to an agreement instead. */
function judgedLines(told: Told): string[] {
  const { status, consensus } = told;
  return status === "waiting" || status === "paused" || consensus !== undefined
    ? []
    : [outcomeLine(told), ...standingLines(told)];
}

function statusLines({ status, endReason, waitingFor, dir }: Told, session: Session): string[] {
  switch (status) {
    case "completed":
      return endReason === undefined || endReason === "completed"
        ? []
        : [`Ended: ${endReason.replaceAll("_", " ")}`];
    case "waiting":
      return [
        `Waiting for: ${
          (waitingFor ?? []).map(({ participant }) => {
            const name = session.names.get(participant);
            return plainLine(name === undefined ? participant : name);
          }).join(", ")
        }`,
        ...(waitingFor ?? []).map(({ participant }) =>
          `  ${session.commandLine("say", dir ?? "DIR", "--as", participant, "--file", "FILE")}`
        ),
      ];
    case "paused":
      return ["Paused"];
    default:
      return [`${capital(status)}: ${(endReason ?? "").replaceAll("_", " ")}`];
  }
}

/** The outcome, with the winner's name. */
export function outcomeLine({ outcome, winner, scores, unscored, audience }: Told): string {
  const scored = Object.keys(scores).length > 0 || unscored.length > 0;
  switch (outcome) {
    case "decided": {
      const name = winner === null ? undefined : scores[winner]?.name;
      return `Outcome: decided, ${plainLine(name ?? winner ?? "")} wins`;
    }
    case "undecided":
      return "Outcome: undecided";
    case "unscored":
      return `Outcome: unscored${
        scored && audience === undefined ? ", no turn was scored for every side" : ""
      }`;
  }
}

/** A line for each who was scored, the highest first. */
export function standingLines({ scores, unscored }: Told): string[] {
  const ranked = Object.entries(scores).sort(([, a], [, b]) => b.total - a.total);
  const lines = ranked.map(([, standing]) => {
    const lacking = lackingWords(standing);
    return `  ${standing.total.toFixed(2).padStart(5)}  ${plainLine(standing.name)}${
      lacking === "" ? "" : ` (${lacking})`
    }`;
  });
  return [...lines, ...unscored.map((id) => `      –  ${plainLine(id)}`)];
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
