import type { Evidence, FactCheck, Rejection, Score, TurnDraft } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import { onceEach } from "../core/once_each.ts";
import type { ConveningStart } from "../core/record.ts";
import type { Convening } from "../operations/convening.ts";
import { showBeside, showMessage } from "../operations/showing.ts";
import { recordFiles } from "../record/disk_files.ts";
import { factPath } from "../record/codec.ts";
import { namingOf } from "../record/read.ts";
import { readAbout } from "../record/fact_files.ts";

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

/** The messages of a convening, by number, each with what is shown beside it; of one reading of it made once. */
export const entriesOf: (convening: Convening) => readonly Entry[] = onceEach(entriesIn);

function entriesIn({ start, facts, messages }: Convening): readonly Entry[] {
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
  const sorted = messages.toSorted((a, b) => a.seq - b.seq);
  return sorted.map((message, at) => {
    const { seq, replyTo } = message;
    return {
      message,
      answered: replyTo === undefined ? undefined : bySeq.get(replyTo),
      scores: inOrder(start, scores.get(seq) ?? []),
      check: checks.get(seq),
      evidence: evidence.get(seq),
      rejected: rejected.get(seq) ?? [],
      draft: drafts.get(seq),
      path: factPath(message, naming),
      isHalf: isHalf(start, message),
      opens: isOpening(message, sorted[at - 1]),
    };
  });
}

/** One message by its number, read with what stands beside it and nothing else. Fails with `not_found`, `record_corrupt`. */
export async function entryAt(dir: string, start: ConveningStart, seq: number): Promise<Entry> {
  const { message, path } = await showMessage(dir, seq);
  const { replyTo, previous } = message;
  const [beside, scores, answered, before] = await Promise.all([
    showBeside(dir, seq),
    readAbout(recordFiles(dir), dir, "score", seq),
    replyTo === undefined ? undefined : showMessage(dir, replyTo),
    previous === undefined ? undefined : showMessage(dir, seq - 1).catch(() => undefined),
  ]);
  return {
    message,
    answered: answered?.message,
    scores: inOrder(start, scores),
    check: beside.factCheck,
    evidence: beside.evidence,
    rejected: beside.rejected,
    draft: beside.draft,
    path,
    isHalf: isHalf(start, message),
    opens: isOpening(message, before?.message),
  };
}

/** Scores as the judges stand in the record; then those of others, who judged again. */
function inOrder({ judges }: ConveningStart, scores: readonly Score[]): readonly Score[] {
  const place = ({ judge }: Score) => {
    const at = judges.findIndex(({ id }) => id === judge);
    return at === -1 ? judges.length : at;
  };
  const key = ({ judge, rubric }: Score) => `${judge} ${rubric}`;
  return scores.toSorted((a, b) => place(a) - place(b) || (key(a) < key(b) ? -1 : 1));
}

/** Whether a phase or a round begins with a message. */
function isOpening({ phase, round }: Message, before: Message | undefined): boolean {
  return before?.phase !== phase || before.round !== round;
}

function isHalf(start: ConveningStart, { kind }: Message): boolean {
  return halvesOf(start).includes(kind);
}

/** The kinds of turns that stand beside the one they answer, or that answers them. */
export function halvesOf({ kind, configuration }: ConveningStart): readonly string[] {
  const isPaired = kind === "debate" && (configuration["exchange"] ?? "rebuttals") === "rebuttals";
  return isPaired ? HALVES : [];
}

/** What is said side by side: arguments and their rebuttals, and what the sides open and close with. */
const HALVES: readonly string[] = [
  "opening_statement",
  "argument",
  "rebuttal",
  "closing_statement",
];
