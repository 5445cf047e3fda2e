import type { Fact, Score, Status, Verdict } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import type { ConveningStart } from "../core/record.ts";
import { weightedTotal } from "../judging/scoring.ts";
import { round4 } from "../core/statistics.ts";
import { factPath } from "./codec.ts";
import { namingOf } from "./read.ts";
import { factCheckFindings, stanceFindings } from "./verify_claims.ts";
import { evidenceFindings } from "./verify_evidence.ts";
import { type Finding, RESTORE } from "./verify_finding.ts";

/** What the checks of truth files look at. */
export interface FactSet {
  readonly start: ConveningStart;
  readonly status: Status;
  /** Each fact by its path in the directory. */
  readonly files: ReadonlyMap<string, Fact>;
}

/** What is wrong with truth files that can be read: names, numbers, keys, sums, and what they refer to. */
export function checkFacts(set: FactSet): Finding[] {
  return [
    ...nameFindings(set),
    ...duplicateFindings(set),
    ...messageFindings(set),
    ...gapFindings(set),
    ...turnFindings(set),
    ...scoreFindings(set),
    ...verdictFindings(set),
    ...factCheckFindings(set),
    ...stanceFindings(set),
    ...evidenceFindings(set),
  ];
}

function* nameFindings({ start, files }: FactSet): Generator<Finding> {
  const naming = namingOf({ start, facts: [...files.values()] });
  for (const [path, fact] of files) {
    const expected = factPath(fact, naming);
    if (path === expected) continue;
    yield {
      path,
      problem: `its name does not fit its front matter, which asks for ${expected}`,
      fix: RESTORE,
    };
  }
}

function* duplicateFindings({ files }: FactSet): Generator<Finding> {
  const seen = new Map<string, string>();
  for (const [path, fact] of files) {
    for (const key of uniqueKeys(fact)) {
      const first = seen.get(key);
      if (first === undefined) seen.set(key, path);
      else {
        yield {
          path,
          problem: `it has the same ${key} as ${first}`,
          fix: "Remove the one that is not the convening's own.",
        };
      }
    }
  }
}

function uniqueKeys(fact: Fact): string[] {
  switch (fact.type) {
    case "message":
      return [`message number ${fact.seq}`, `turn key "${fact.turn}"`];
    case "choice":
    case "stance":
      return [`question key "${fact.key}"`];
    case "context":
      return [`context number ${fact.number}`];
    case "stop":
      return [`stop number ${fact.number}`];
    default:
      return [];
  }
}

function* messageFindings({ start, files }: FactSet): Generator<Finding> {
  const known = new Set([...start.participants, ...start.judges].map(({ id }) => id));
  for (const [path, message] of messagesIn(files)) {
    const { seq, replyTo = 0, previous = 0, participant, role } = message;
    if (replyTo >= seq || previous >= seq) {
      yield {
        path,
        problem: `it refers to a message that is not before it (${Math.max(replyTo, previous)})`,
        fix: RESTORE,
      };
    }
    if (!known.has(participant) && role !== "audience") {
      yield {
        path,
        problem: `metadata.md knows no participant "${participant}"`,
        fix: RESTORE,
      };
    }
  }
}

/** A number without a message that was not in flight; what is referred to and missing is found by reading already. */
function* gapFindings({ status, files }: FactSet): Generator<Finding> {
  if (status !== "completed") return;
  const there = new Set<number>();
  const named = new Set<number>();
  let last = 0;
  for (const fact of files.values()) {
    if (fact.type === "message") last = Math.max(last, fact.seq);
    if (fact.type === "message" || fact.type === "failure") there.add(fact.seq);
    for (const seq of referred(fact)) named.add(seq);
  }
  for (let seq = 1; seq <= last; seq++) {
    if (there.has(seq) || named.has(seq)) continue;
    yield {
      path: "messages",
      problem: `message ${seq} is missing, though the convening is completed`,
      fix: `Put the file of message ${seq} back, or fork before it.`,
    };
  }
}

/** The messages whose absence {@linkcode import("./read.ts").lostMessages} reports. */
function referred(fact: Fact): number[] {
  switch (fact.type) {
    case "message":
      return [fact.previous ?? 0, fact.replyTo ?? 0];
    case "score":
      return [fact.message];
    case "context":
      return [fact.through];
    case "stop":
      return [fact.lastSeq];
    default:
      return [];
  }
}

/** Files about a turn must be about the turn that has their number. */
function* turnFindings({ status, files }: FactSet): Generator<Finding> {
  const turns = new Map<number, Message>();
  const failed = new Set<number>();
  for (const [, message] of messagesIn(files)) turns.set(message.seq, message);
  for (const fact of files.values()) {
    if (fact.type === "failure") failed.add(fact.seq);
  }
  for (const [path, fact] of files) {
    if (
      fact.type !== "rejected" && fact.type !== "failure" &&
      fact.type !== "lookup" && fact.type !== "draft" && fact.type !== "evidence"
    ) continue;
    // What was remembered of earlier convenings is about no turn.
    if (fact.seq === 0) continue;
    const message = turns.get(fact.seq);
    if (message === undefined) {
      if (status !== "completed" || failed.has(fact.seq)) continue;
      yield {
        path,
        problem: `it is about message ${fact.seq}, which is missing`,
        fix: `Put the file of message ${fact.seq} back.`,
      };
    } else if (
      message.turn !== fact.turn || message.participant !== fact.participant
    ) {
      yield {
        path,
        problem:
          `it is about turn "${fact.turn}" of ${fact.participant}, but message ${fact.seq} is "${message.turn}" of ${message.participant}`,
        fix: RESTORE,
      };
    }
  }
}

function* scoreFindings({ files }: FactSet): Generator<Finding> {
  const speakers = new Map<number, string>();
  for (const [, { seq, participant }] of messagesIn(files)) {
    speakers.set(seq, participant);
  }
  for (const [path, fact] of files) {
    if (fact.type !== "score") continue;
    const speaker = speakers.get(fact.message);
    if (speaker !== undefined && speaker !== fact.participant) {
      yield {
        path,
        problem: `it scores ${fact.participant}, but message ${fact.message} is ${speaker}'s`,
        fix: RESTORE,
      };
    }
    const problem = numbersProblem(fact);
    if (problem !== undefined) yield { path, problem, fix: RESTORE };
  }
}

function numbersProblem(score: Score): string | undefined {
  const { weights, criteria, total, scale: [low, high] } = score;
  const sum = Object.values(weights).reduce((all, each) => all + each, 0);
  if (Math.abs(sum - 1) > 1e-9) {
    return `its weights sum to ${round4(sum)}, not to 1`;
  }
  if (score.status === "unscored") {
    return total === undefined && Object.keys(criteria).length === 0
      ? undefined
      : "it has numbers, though it says unscored";
  }
  const ids = Object.keys(weights);
  const missing = ids.find((id) => criteria[id] === undefined);
  if (missing !== undefined) return `it has no number for "${missing}"`;
  for (const [id, value] of Object.entries(criteria)) {
    if (!ids.includes(id)) return `it has no weight for "${id}"`;
    if (value < low || value > high) {
      return `its ${id} of ${value} is outside the scale ${low} to ${high}`;
    }
  }
  const expected = weightedTotal(criteria, weights);
  return total === expected
    ? topicsProblem(score, ids)
    : `its total is ${total ?? "missing"}, but its weighted rows sum to ${expected}`;
}

/** The numbers of a score on several topics are the means of the topics' numbers. */
function topicsProblem(
  { topics, criteria, scale: [low, high] }: Score,
  ids: readonly string[],
): string | undefined {
  if (topics === undefined) return undefined;
  for (const id of ids) {
    const numbers = topics.map((topic) => topic.criteria[id] ?? NaN);
    const bad = numbers.findIndex((number) => !(number >= low && number <= high));
    if (bad !== -1) {
      return `its ${id} of topic ${bad + 1} is no number from ${low} to ${high}`;
    }
    const mean = round4(numbers.reduce((sum, number) => sum + number, 0) / numbers.length);
    if (mean !== criteria[id]) {
      return `its ${id} is ${criteria[id]}, but its topics make it ${mean}`;
    }
  }
  return undefined;
}

function* verdictFindings({ start, files }: FactSet): Generator<Finding> {
  const known = new Set(start.participants.map(({ id }) => id));
  for (const [path, fact] of files) {
    if (fact.type !== "verdict") continue;
    const problem = verdictProblem(fact, known);
    if (problem !== undefined) yield { path, problem, fix: RESTORE };
  }
}

function verdictProblem(
  { order, winner, status }: Verdict,
  known: ReadonlySet<string>,
): string | undefined {
  const stranger = order.find((id) => !known.has(id));
  if (stranger !== undefined) {
    return `metadata.md knows no participant "${stranger}"`;
  }
  if (winner === null) return undefined;
  if (status === "unread") return "it names a winner, though it says unread";
  return order.includes(winner)
    ? undefined
    : `its winner "${winner}" is none of the sides it was shown`;
}

function* messagesIn(
  files: ReadonlyMap<string, Fact>,
): Generator<[string, Message]> {
  for (const [path, fact] of files) {
    if (fact.type === "message") yield [path, fact];
  }
}
