// Errors as text and JSON, and exit codes.
import { ConveningError } from "../core/error.ts";
import type { Session } from "./session.ts";
import { plainText, wrappedLine } from "../core/text.ts";
import type { ShownResult } from "../operations/results.ts";

/** An error as `--json` prints it. */
interface ErrorJson {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly field?: string;
}

const USAGE: readonly string[] = [
  "config_invalid",
  "topic_refused",
  "turn_order",
  "not_found",
  "paper_unreadable",
];

/** The exit code of an error: 2 for what the user gave, 130 for an interruption, else 1. */
export function codeOfError(error: unknown): number {
  if (!(error instanceof ConveningError)) return 1;
  if (error.code === "cancelled") return 130;
  return USAGE.includes(error.code) ? 2 : 1;
}

/** An error as `--json` prints it; one that nobody meant has the code `unexpected`. */
export function errorJson(error: unknown): ErrorJson {
  return error instanceof ConveningError
    ? error.toJSON()
    : { code: "unexpected", message: messageOf(error), hint: REPORT };
}

const REPORT = "This is a fault of the program; run it again with --debug to see where.";

/** Shows an error on standard error: one line, its hint, and with `--debug` where it comes from. */
export function showError(error: unknown, session: Session): void {
  const { message, hint } = errorJson(error);
  const { live, columns } = session.io;
  const line = `error: ${message.replace(/\s*\n\s*/g, " ")}`;
  const lines = [live ? wrappedLine(line, columns()) : line];
  if (hint !== undefined) lines.push(hint);
  if (session.debug) lines.push(...stackOf(error));
  session.io.err(plainText(lines.join("\n")) + "\n");
}

function stackOf(error: unknown): string[] {
  const lines: string[] = [];
  let at: unknown = error;
  while (at instanceof Error && lines.length < 5) {
    lines.push(`${lines.length === 0 ? "" : "caused by "}${at.stack ?? at.message}`);
    at = at.cause;
  }
  return lines;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

/** The exit code of a result: 0 done or paused, 1 failed, 3 stopped by a limit, 4 waiting, 130 interrupted. */
export function codeOf({ status, endReason }: Pick<ShownResult, "status" | "endReason">): number {
  if (endReason === "cancelled" && status !== "completed") return 130;
  switch (status) {
    case "completed":
    case "paused":
      return 0;
    case "stopped":
      return 3;
    case "waiting":
      return 4;
    default:
      return 1;
  }
}
