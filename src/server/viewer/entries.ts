import type { Evidence, FactCheck, Rejection, Score, TurnDraft } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import type { Convening } from "../../library/convening.ts";
import { factPath } from "../../output/files/registry.ts";
import { namingOf } from "../../output/read.ts";

/** A message with everything that is shown beside it. */
export interface Entry {
  readonly message: Message;
  /** The message it answers, if that is on record. */
  readonly answered?: Message | undefined;
  readonly scores: readonly Score[];
  /** What looking its claims up brought. */
  readonly check?: FactCheck | undefined;
  /** What it argues and rests on. */
  readonly evidence?: Evidence | undefined;
  /** What was turned down before it. */
  readonly rejected: readonly Rejection[];
  /** What its speaker did not say. */
  readonly draft?: TurnDraft | undefined;
  /** Its file, in the convening's directory. */
  readonly path: string;
  /** Whether it stands beside the one it answers, or that answers it. */
  readonly isHalf: boolean;
  /** Whether a phase or a round begins with it. */
  readonly opens: boolean;
}

/** The messages of a convening, by number, each with what is shown beside it. */
export function entriesOf({ start, facts, messages }: Convening): readonly Entry[] {
  const naming = namingOf({ start, facts });
  const bySeq = new Map(messages.map((message) => [message.seq, message]));
  const scores = Map.groupBy(facts.filter((fact) => fact.type === "score"), (each) => each.message);
  const rejected = Map.groupBy(facts.filter((fact) => fact.type === "rejected"), ({ seq }) => seq);
  const checks = new Map(
    facts.filter((fact) => fact.type === "fact-check").map((each) => [each.message, each]),
  );
  const evidence = new Map(
    facts.filter((fact) => fact.type === "evidence").map((each) => [each.seq, each]),
  );
  const drafts = new Map(
    facts.filter((fact) => fact.type === "draft").map((each) => [each.seq, each]),
  );
  const isPaired = start.kind === "debate" &&
    (start.configuration.exchange ?? "rebuttals") === "rebuttals";
  const sorted = messages.toSorted((a, b) => a.seq - b.seq);
  return sorted.map((message, at) => {
    const { seq, replyTo, kind, phase, round } = message;
    const before = sorted[at - 1];
    return {
      message,
      answered: replyTo === undefined ? undefined : bySeq.get(replyTo),
      scores: scores.get(seq) ?? [],
      check: checks.get(seq),
      evidence: evidence.get(seq),
      rejected: rejected.get(seq) ?? [],
      draft: drafts.get(seq),
      path: factPath(message, naming),
      isHalf: isPaired && HALVES.has(kind),
      opens: before?.phase !== phase || before.round !== round,
    };
  });
}

/** What is said side by side: arguments and their rebuttals, and what the sides open and close with. */
const HALVES: ReadonlySet<string> = new Set([
  "opening_statement",
  "argument",
  "rebuttal",
  "closing_statement",
]);
