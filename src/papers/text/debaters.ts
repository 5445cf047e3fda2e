// The debaters of a paper debate, by its record.
import type { ConveningStart, ParticipantInfo } from "../../core/convening_start.ts";
import type { Evidence, Fact, Failure } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import { argumentIn } from "./argument_body.ts";
import type { DebaterArgument } from "../../core/evidence.ts";
import type { DebateSubject } from "./debate_report.ts";
import { posturesIn } from "./lists.ts";

/** One debater in the record of a paper debate. */
export interface DebaterRecord {
  /** Its id. */
  readonly participant: string;
  /** Name that readers see. */
  readonly name: string;
  /** Position that the debater argues for. */
  readonly posture: string;
  /** Its argument; absent where it made none. */
  readonly speech?: Message | undefined;
  /** Argument by its evidence, else as its message has it; absent where the debater made none. */
  readonly argument?: DebaterArgument | undefined;
  /** The evidence of its argument and of its cross-examination, in this order. */
  readonly evidence: readonly Evidence[];
  /** Reasons why it made no argument, or did not answer in cross-examination. */
  readonly failures: readonly Failure[];
}

/** The question, the postures and the topics of a paper debate, by its record; empty before messages have them. */
export function subjectOf(facts: readonly Fact[]): DebateSubject {
  const bodyOf = (kind: string) => messagesOf(facts, kind)[0]?.body ?? "";
  return { question: bodyOf("question").trim(), ...posturesIn(bodyOf("postures")) };
}

/** The messages of one kind by number. */
export function messagesOf(facts: readonly Fact[], kind: string): Message[] {
  return facts.filter((fact): fact is Message => fact.type === "message" && fact.kind === kind)
    .toSorted((a, b) => a.seq - b.seq);
}

/** The debaters that argued, in the order of their messages, then those that failed to. */
export function debatersOf(
  { participants }: Pick<ConveningStart, "participants">,
  facts: readonly Fact[],
): DebaterRecord[] {
  const { postures, topics } = subjectOf(facts);
  const debaters = participants.filter(({ role }) => role === "debater");
  const speeches = messagesOf(facts, "argument");
  const answers = messagesOf(facts, "cross_examination");
  const spoken = speeches.map((speech) => {
    const { participant, name } = speech;
    const answer = answers.find((each) => each.participant === participant);
    const own = [speech, ...(answer === undefined ? [] : [answer])];
    const evidence = own.flatMap(({ seq }) =>
      facts.filter((fact): fact is Evidence => fact.type === "evidence" && fact.seq === seq)
    );
    const failures = answer === undefined
      ? failuresOf(facts, "cross_examination", participant)
      : [];
    const said = { participant, name, speech, evidence, failures };
    return { ...said, ...argumentOf(said, { postures, topics, debaters }) };
  });
  const failed = debaters.flatMap(({ id, name }, index) => {
    if (speeches.some(({ participant }) => participant === id)) return [];
    const failures = failuresOf(facts, "argument", id);
    const posture = postures[index] ?? "";
    return failures.length === 0
      ? []
      : [{ participant: id, name, posture, evidence: [], failures }];
  });
  return [...spoken, ...failed];
}

function argumentOf(
  { speech, evidence: all }: {
    readonly speech: Message;
    readonly evidence: readonly Evidence[];
  },
  { postures, topics, debaters }: Omit<DebateSubject, "question"> & {
    readonly debaters: readonly ParticipantInfo[];
  },
): Pick<DebaterRecord, "posture" | "argument"> {
  const evidence = all.find(({ seq }) => seq === speech.seq);
  const index = debaters.findIndex(({ id }) => id === speech.participant);
  const posture = speech.position ?? evidence?.posture ?? postures[index] ?? "";
  const { perTopic, overallPosition } = evidence ?? argumentIn(speech.body, topics);
  return { posture, argument: { posture, perTopic, overallPosition } };
}

function failuresOf(facts: readonly Fact[], phase: string, participant: string): Failure[] {
  return facts.filter((fact): fact is Failure =>
    fact.type === "failure" && fact.participant === participant && fact.turn.startsWith(`${phase}/`)
  );
}
