// Checks of truth files that can be read: loops over facts and the columns of the table of facts.
import { factualityOf } from "../core/fact_check_summary.ts";
import type { Fact, FactCheck, Score, Stance, Status, Verdict } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import type { ConveningStart } from "../core/record.ts";
import { round4 } from "../core/statistics.ts";
import { weightedTotal } from "../judging/scoring.ts";
import { aboutOf, factPath, fieldOf, needsOf, rowOf } from "./codec.ts";
import { RESTORE } from "./problems.ts";
import { type Finding, namingOf } from "./read.ts";
import { evidenceProblems } from "./verify_evidence.ts";

/** The truth files of a record. */
interface FactSet {
  readonly start: ConveningStart;
  readonly status: Status;
  /** Each fact by its path in the directory. */
  readonly files: ReadonlyMap<string, Fact>;
}

/** Facts as the checks look them up. */
interface Known {
  readonly isCompleted: boolean;
  /** Ids of participants and judges. */
  readonly ids: ReadonlySet<string>;
  readonly messages: ReadonlyMap<number, Message>;
  /** The numbers of turns that failed. */
  readonly failed: ReadonlySet<number>;
}

/** What is wrong with names, numbers, keys and sums of truth files, and with what they refer to. */
export function checkFacts(set: FactSet): Finding[] {
  const facts = [...set.files.values()];
  const known: Known = {
    isCompleted: set.status === "completed",
    ids: new Set([...set.start.participants, ...set.start.judges].map(({ id }) => id)),
    messages: new Map(
      facts.filter((fact) => fact.type === "message").map((message) => [message.seq, message]),
    ),
    failed: new Set(facts.filter((fact) => fact.type === "failure").map(({ seq }) => seq)),
  };
  const naming = namingOf({ start: set.start, facts });
  const evidence = evidenceProblems(set.start, facts);
  const findings = [...duplicates(set.files), ...gaps(facts, known)];
  for (const [path, fact] of set.files) {
    const expected = factPath(fact, naming);
    const problems = [
      ...(path === expected
        ? []
        : [`its name does not fit its front matter, which asks for ${expected}`]),
      ...referenceProblems(fact, known),
      ...sumProblems(fact),
      ...(fact.type === "evidence" ? evidence(fact) : []),
    ];
    for (const problem of problems) findings.push({ path, problem, fix: RESTORE });
  }
  return findings;
}

/** Files that share what is unique by the table. */
function* duplicates(files: FactSet["files"]): Generator<Finding> {
  const seen = new Map<string, string>();
  for (const [path, fact] of files) {
    for (const [what, field] of Object.entries(rowOf(fact).unique ?? {})) {
      const key = `${what} ${JSON.stringify(fieldOf(fact, field))}`;
      const first = seen.get(key);
      seen.set(key, first ?? path);
      if (first === undefined) continue;
      const fix = "Remove the one that is not the convening's own.";
      yield { path, problem: `it has the same ${key} as ${first}`, fix };
    }
  }
}

/** Numbers without a message in a completed convening; a missing message that others need is found by reading. */
function* gaps(facts: readonly Fact[], { isCompleted, messages, failed }: Known) {
  const needed = new Set(facts.flatMap((fact) => [...needsOf(fact)].map(([seq]) => seq)));
  const last = isCompleted ? Math.max(0, ...messages.keys()) : 0;
  for (let seq = 1; seq <= last; seq++) {
    if (messages.has(seq) || failed.has(seq) || needed.has(seq)) continue;
    yield {
      path: "messages",
      problem: `message ${seq} is missing, though the convening is completed`,
      fix: `Put the file of message ${seq} back, or fork before it.`,
    };
  }
}

/** What is wrong with the messages and participants that a fact names. */
function* referenceProblems(fact: Fact, known: Known): Generator<string> {
  const { isBeside = false, ids, ...row } = rowOf(fact);
  const shares: readonly string[] = row.shares ?? [];
  for (const id of ids?.(fact) ?? []) {
    if (!known.ids.has(id)) yield `metadata.md knows no participant "${id}"`;
  }
  const about = aboutOf(fact) ?? 0;
  const message = known.messages.get(about);
  if (fact.type === "message") {
    for (const [seq] of needsOf(fact)) {
      if (seq >= about) yield `it refers to a message that is not before it (${seq})`;
    }
  } else if (message !== undefined) {
    for (const field of shares) {
      const [is, should] = [fieldOf(fact, field), fieldOf(message, field)];
      if (is !== should) yield `its ${field} is ${is}, but that of message ${about} is ${should}`;
    }
  } else if (known.isCompleted && about > 0 && !known.failed.has(about)) {
    if (isBeside || shares.includes("turn")) yield `it is about message ${about}, which is missing`;
  }
}

/** What is wrong with what a fact says of itself. */
function* sumProblems(fact: Fact): Generator<string> {
  const check: ((fact: never) => string | undefined) | undefined = SUMS[fact.type];
  const problem = check?.(fact as never);
  if (problem !== undefined) yield problem;
}

/** The checks of numbers and states, by type of fact. */
const SUMS: { readonly [T in Fact["type"]]?: (fact: never) => string | undefined } = {
  score: (score: Score) =>
    weightsProblem(score) ??
      (score.status === "scored"
        ? numbersProblem(score) ?? topicsProblem(score)
        : score.total !== undefined || Object.keys(score.criteria).length > 0
        ? "it has numbers, though it says unscored"
        : undefined),
  verdict: ({ winner, status, order }: Verdict) =>
    winner === null
      ? undefined
      : status === "unread"
      ? "it names a winner, though it says unread"
      : order.includes(winner)
      ? undefined
      : `its winner "${winner}" is none of the sides it was shown`,
  "fact-check": ({ status, claims, factuality }: FactCheck) => {
    const expected = status === "unchecked" ? null : factualityOf([{ claims }]);
    return (factuality === null ? null : round4(factuality)) === expected
      ? undefined
      : status === "unchecked"
      ? "it has a factuality, though it says unchecked"
      : `its factuality is ${factuality}, but its claims make it ${expected}`;
  },
  stance: ({ status, stances }: Stance) =>
    status === "unread" && stances.length > 0
      ? "it holds something, though it says unread"
      : undefined,
};

function weightsProblem({ weights }: Score): string | undefined {
  const sum = Object.values(weights).reduce((all, each) => all + each, 0);
  return Math.abs(sum - 1) > 1e-9 ? `its weights sum to ${round4(sum)}, not to 1` : undefined;
}

function numbersProblem({ weights, criteria, total, scale: [low, high] }: Score) {
  const missing = Object.keys(weights).find((id) => criteria[id] === undefined);
  if (missing !== undefined) return `it has no number for "${missing}"`;
  for (const [id, value] of Object.entries(criteria)) {
    if (weights[id] === undefined) return `it has no weight for "${id}"`;
    if (value < low || value > high) {
      return `its ${id} of ${value} is outside the scale ${low} to ${high}`;
    }
  }
  const expected = weightedTotal(criteria, weights);
  return total === expected
    ? undefined
    : `its total is ${total ?? "missing"}, but its weighted rows sum to ${expected}`;
}

/** The numbers of a score on several topics are the means of the topics' numbers. */
function topicsProblem({ topics, weights, criteria, scale: [low, high] }: Score) {
  for (const id of topics === undefined ? [] : Object.keys(weights)) {
    const numbers = topics!.map((topic) => topic.criteria[id] ?? NaN);
    const bad = numbers.findIndex((number) => !(number >= low && number <= high));
    if (bad !== -1) return `its ${id} of topic ${bad + 1} is no number from ${low} to ${high}`;
    const mean = round4(numbers.reduce((sum, number) => sum + number, 0) / numbers.length);
    if (mean !== criteria[id]) {
      return `its ${id} is ${criteria[id]}, but its topics make it ${mean}`;
    }
  }
  return undefined;
}
