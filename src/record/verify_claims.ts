import type { Fact, FactCheck, Stance, Status } from "../core/fact.ts";
import { factualityOf } from "../core/fact_check_summary.ts";
import type { Message } from "../core/message.ts";
import type { ConveningStart } from "../core/record.ts";
import { round4 } from "../core/statistics.ts";
import { type Finding, RESTORE } from "./verify_finding.ts";

/** What these checks look at. */
interface ClaimSet {
  readonly start: ConveningStart;
  readonly status: Status;
  readonly files: ReadonlyMap<string, Fact>;
}

/** A fact check must be about a message that is there, by the one it names, and its factuality what its claims come to. */
export function* factCheckFindings({ status, files }: ClaimSet): Generator<Finding> {
  const messages = new Map<number, Message>();
  for (const fact of files.values()) if (fact.type === "message") messages.set(fact.seq, fact);
  for (const [path, fact] of files) {
    if (fact.type !== "fact-check") continue;
    const message = messages.get(fact.message);
    if (message === undefined && status === "completed") {
      yield {
        path,
        problem: `it checks message ${fact.message}, which is missing`,
        fix: `Put the file of message ${fact.message} back.`,
      };
    } else if (message !== undefined && message.participant !== fact.participant) {
      yield {
        path,
        problem:
          `it checks ${fact.participant}, but message ${fact.message} is ${message.participant}'s`,
        fix: RESTORE,
      };
    }
    const problem = claimsProblem(fact);
    if (problem !== undefined) yield { path, problem, fix: RESTORE };
  }
}

function claimsProblem({ status, claims, factuality }: FactCheck): string | undefined {
  if (status === "unchecked") {
    return factuality === null ? undefined : "it has a factuality, though it says unchecked";
  }
  const expected = factualityOf([{ claims }]);
  const same = (factuality === null ? null : round4(factuality)) === expected;
  return same ? undefined : `its factuality is ${factuality}, but its claims make it ${expected}`;
}

/** A stance must be a participant's, taken after a message that is there; one of the audience is on sides of the debate. */
export function* stanceFindings({ start, status, files }: ClaimSet): Generator<Finding> {
  const known = new Set(start.participants.map(({ id }) => id));
  const there = new Set<number>();
  for (const fact of files.values()) if (fact.type === "message") there.add(fact.seq);
  for (const [path, fact] of files) {
    if (fact.type !== "stance") continue;
    const problem = stanceProblem(fact, known) ??
      (status === "completed" && fact.seq > 0 && !there.has(fact.seq)
        ? `it was taken after message ${fact.seq}, which is missing`
        : undefined);
    if (problem !== undefined) yield { path, problem, fix: RESTORE };
  }
}

function stanceProblem(
  { key, participant, status, stances }: Stance,
  known: ReadonlySet<string>,
): string | undefined {
  if (status === "unread" && stances.length > 0) return "it holds something, though it says unread";
  const isAudience = /^stance\/(?:before|after)\//.test(key);
  if (!isAudience) {
    return known.has(participant) ? undefined : `metadata.md knows no participant "${participant}"`;
  }
  const stranger = stances.find(({ on }) => !known.has(on));
  return stranger && `metadata.md knows no participant "${stranger.on}"`;
}
