// The stages of a paper debate, made from its events.
import {
  type ConveningStart,
  type EventBody,
  factOf,
  type Stage,
  type StageTeller,
} from "../../core/event.ts";
import type { Fact, Failure } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import { argumentIn } from "./argument_body.ts";
import type { DebateReport, DebateSubject } from "./debate_report.ts";
import type { DebaterArgument } from "../../core/paper.ts";
import { judgeVerdict, messagesOf, subjectOf } from "./debaters.ts";
import { questionsIn } from "./lists.ts";
import { debateReport } from "./report.ts";

/** Result of a paper debate. */
export interface PaperDebateOutcome extends DebateSubject {
  /** The whole of it; absent where nothing was argued. */
  readonly report?: DebateReport;
}

/** The stages of a paper debate, with their data (context-network/rules/paper_debate.md). */
export function paperStages(start: ConveningStart, facts: readonly Fact[]): StageTeller {
  return new PaperStages(start, facts);
}

class PaperStages implements StageTeller {
  readonly #start: ConveningStart;
  readonly #facts: Fact[];
  /** The debaters whose turn is over, by id; by kind of turn. */
  readonly #over = { argument: new Set<string>(), cross_examination: new Set<string>() };

  constructor(start: ConveningStart, facts: readonly Fact[]) {
    this.#start = start;
    this.#facts = [...facts];
    for (const fact of facts) {
      if (fact.type === "message" && isDebated(fact.kind)) {
        this.#over[fact.kind].add(fact.participant);
      }
    }
  }

  after(event: EventBody): readonly Stage[] {
    const fact = factOf(event);
    if (fact !== undefined) this.#keep(fact);
    if (event.type === "turn-start") {
      const begun = BEGUN.get(event.turn.kind);
      return begun === undefined ? [] : [begun];
    }
    if (fact?.type === "message") return this.#said(fact);
    return fact?.type === "failure" ? this.#failed(fact) : [];
  }

  outcome(): PaperDebateOutcome {
    const report = debateReport(this.#start, this.#facts);
    return { ...this.#subject, ...report === undefined ? {} : { report } };
  }

  /** Keeps a fact; a turn that fails once more after a stop leaves one failure, as in the record. */
  #keep(fact: Fact): void {
    const before = fact.type === "failure"
      ? this.#facts.findIndex((each) => each.type === "failure" && each.turn === fact.turn)
      : -1;
    if (before === -1) this.#facts.push(fact);
    else this.#facts[before] = fact;
  }

  #said(message: Message): readonly Stage[] {
    const { kind, body, participant } = message;
    if (isDebated(kind)) this.#over[kind].add(participant);
    switch (kind) {
      case "questions":
        return [stage("questions_generated", { questions: questionsIn(body) })];
      case "question":
        return this.#messages("questions").length === 0
          ? []
          : [stage("question_selected", { question: body })];
      case "postures":
        return this.#postured();
      case "argument": {
        const data = { ...this.#place(participant), argument: this.#argumentOf(message) };
        return [stage("debater_complete", data), ...this.#afterArgument()];
      }
      case "cross_examination":
        return this.#afterCross();
      case "verdict":
        return [stage("judging_complete", { verdict: judgeVerdict(this.#start, this.#facts) })];
      case "report":
        return [stage("report_complete", { report: debateReport(this.#start, this.#facts) })];
      default:
        return [];
    }
  }

  #failed({ turn, participant, message }: Failure): readonly Stage[] {
    const [kind = ""] = turn.split("/");
    if (!isDebated(kind)) return [];
    this.#over[kind].add(participant);
    if (kind === "cross_examination") return this.#afterCross();
    const data = { ...this.#place(participant), error: message };
    return [stage("debater_error", data), ...this.#afterArgument()];
  }

  #postured(): readonly Stage[] {
    const { postures, topics } = this.#subject;
    return [
      stage("postures_generated", { postures, topics }),
      stage(`Running debate with ${postures.length} debaters...`),
      ...this.#debaters.map((id) => stage("debater_started", this.#place(id))),
    ];
  }

  /** Once nobody argues any more. */
  #afterArgument(): readonly Stage[] {
    const speeches = this.#messages("argument");
    if (this.#over.argument.size < this.#debaters.length || speeches.length === 0) return [];
    const crossed = this.#start.configuration.crossExamine === true && speeches.length > 1;
    return [
      stage("debate_complete", { arguments: speeches.map((each) => this.#argumentOf(each)) }),
      ...crossed ? [] : [JUDGING],
    ];
  }

  /** Once nobody answers any more. */
  #afterCross(): readonly Stage[] {
    const answering = this.#messages("argument").length;
    return this.#over.cross_examination.size === answering ? [JUDGING] : [];
  }

  get #subject(): DebateSubject {
    const { question, postures, topics } = subjectOf(this.#facts);
    return { question, postures: postures.slice(0, this.#allDebaters.length), topics };
  }

  get #allDebaters(): readonly string[] {
    return this.#start.participants.filter(({ role }) => role === "debater").map(({ id }) => id);
  }

  get #debaters(): readonly string[] {
    return this.#allDebaters.slice(0, this.#subject.postures.length);
  }

  #place(id: string): { debaterIndex: number; posture: string; total: number } {
    const debaterIndex = this.#debaters.indexOf(id);
    const { postures } = this.#subject;
    return { debaterIndex, posture: postures[debaterIndex] ?? "", total: postures.length };
  }

  #messages(kind: string): Message[] {
    return messagesOf(this.#facts, kind);
  }

  #argumentOf({ seq, body, position = "" }: Message): DebaterArgument {
    for (const fact of this.#facts) {
      if (fact.type !== "evidence" || fact.seq !== seq) continue;
      const { posture, perTopic, overallPosition } = fact;
      return { posture, perTopic, overallPosition };
    }
    return { posture: position, ...argumentIn(body, this.#subject.topics) };
  }
}

const JUDGING = stage("Judging arguments...");

/** Stages of turns that begin, by kind of turn. */
const BEGUN: ReadonlyMap<string, Stage> = new Map([
  ["questions", stage("Generating questions from paper...")],
  ["postures", stage("Generating postures and topics...")],
  ["report", stage("Generating final report...")],
]);

function isDebated(kind: string): kind is "argument" | "cross_examination" {
  return kind === "argument" || kind === "cross_examination";
}

function stage(name: string, data: unknown = null): Stage {
  return { name, data };
}
