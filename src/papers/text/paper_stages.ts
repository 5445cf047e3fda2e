// Computes the stages of a paper debate from its events.
import {
  type ConveningStart,
  type EventBody,
  factOf,
  type Stage,
  type StageTeller,
} from "../../core/event.ts";
import { type Fact, type Failure, messagesOf } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import type { DebateReport, DebateSubject } from "./debate_report.ts";
import { debateResults, type DebaterRecord, debatersOf, subjectOf } from "./debaters.ts";
import { questionsIn } from "./lists.ts";
import { debateReport } from "./report.ts";

/** Result of a paper debate. */
export interface PaperDebateOutcome extends DebateSubject {
  /** Report; absent before the reporter's summary, and after an early end without scores. */
  readonly report?: DebateReport;
}

/** Returns a source of a paper debate's stages with data (context-network/rules/paper_debate.md). */
export function paperStages(start: ConveningStart, facts: readonly Fact[]): StageTeller {
  return new PaperStages(start, facts);
}

class PaperStages implements StageTeller {
  readonly #start: ConveningStart;
  readonly #facts: Fact[];
  /** Failures of an earlier run, whose turns are taken again. */
  readonly #earlier: ReadonlySet<Fact>;

  constructor(start: ConveningStart, facts: readonly Fact[]) {
    this.#start = start;
    this.#facts = [...facts];
    this.#earlier = new Set(facts.filter(({ type }) => type === "failure"));
  }

  after(event: EventBody): readonly Stage[] {
    const fact = factOf(event);
    if (fact !== undefined) this.#keep(fact);
    if (event.type === "turn-start") {
      const begun = AT_START.get(event.turn.kind);
      return begun === undefined ? [] : [begun];
    }
    if (fact?.type === "message") return this.#afterMessage(fact);
    return fact?.type === "failure" ? this.#afterFailure(fact) : [];
  }

  outcome(): PaperDebateOutcome {
    const report = debateReport(this.#start, this.#facts);
    return { ...this.#subject, ...report === undefined ? {} : { report } };
  }

  /** Stores a fact; a repeated failure of a turn after a resume replaces the first, as in the record. */
  #keep(fact: Fact): void {
    const before = fact.type === "failure"
      ? this.#facts.findIndex((each) => each.type === "failure" && each.turn === fact.turn)
      : -1;
    if (before === -1) this.#facts.push(fact);
    else this.#facts[before] = fact;
  }

  #afterMessage(message: Message): readonly Stage[] {
    const { kind, body, participant } = message;
    switch (kind) {
      case "questions":
        return [stage("questions_generated", { questions: questionsIn(body) })];
      case "question":
        return messagesOf(this.#facts, "questions").length === 0
          ? []
          : [stage("question_selected", { question: body })];
      case "postures":
        return this.#afterPostures();
      case "argument": {
        const own = this.#arguments.find(({ speech }) => speech === message);
        const data = { ...this.#seatOf(participant), argument: own?.argument };
        return [stage("debater_complete", data), ...this.#afterTurn(kind)];
      }
      case "cross_examination":
        return this.#afterTurn(kind);
      case "verdict":
        return [
          stage("judging_complete", { verdict: debateResults(this.#start, this.#facts).verdict }),
        ];
      case "report":
        return [stage("report_complete", { report: debateReport(this.#start, this.#facts) })];
      default:
        return [];
    }
  }

  #afterFailure({ turn, participant, message }: Failure): readonly Stage[] {
    const [kind = ""] = turn.split("/");
    if (kind !== "argument") return this.#afterTurn(kind);
    const data = { ...this.#seatOf(participant), error: message };
    return [stage("debater_error", data), ...this.#afterTurn(kind)];
  }

  #afterPostures(): readonly Stage[] {
    const { postures, topics } = this.#subject;
    return [
      stage("postures_generated", { postures, topics }),
      stage(`Running debate with ${postures.length} debaters...`),
      ...this.#debaters.slice(0, postures.length)
        .map((id) => stage("debater_started", this.#seatOf(id))),
    ];
  }

  /** Returns the stages after the last argument, and after the last cross-examination. */
  #afterTurn(kind: string): readonly Stage[] {
    const finished =
      this.#facts.filter((fact) =>
        fact.type === "message" ? fact.kind === kind : fact.type === "failure" &&
          fact.turn.startsWith(`${kind}/`) && !this.#earlier.has(fact)
      ).length;
    const argued = this.#arguments;
    if (kind === "cross_examination") return finished === argued.length ? [JUDGING] : [];
    const seats = this.#subject.postures.length;
    if (kind !== "argument" || finished < seats || argued.length === 0) return [];
    const crossed = this.#start.configuration.crossExamine === true && argued.length > 1;
    return [
      stage("debate_complete", { arguments: argued.map(({ argument }) => argument) }),
      ...crossed ? [] : [JUDGING],
    ];
  }

  get #debaters(): readonly string[] {
    return this.#start.participants.filter(({ role }) => role === "debater").map(({ id }) => id);
  }

  get #subject(): DebateSubject {
    const subject = subjectOf(this.#facts);
    return { ...subject, postures: subject.postures.slice(0, this.#debaters.length) };
  }

  #seatOf(id: string): { debaterIndex: number; posture: string; total: number } {
    const debaterIndex = this.#debaters.indexOf(id);
    const { postures } = this.#subject;
    return { debaterIndex, posture: postures[debaterIndex] ?? "", total: postures.length };
  }

  /** Returns the arguments so far, in the order of their messages. */
  get #arguments(): readonly DebaterRecord[] {
    return debatersOf(this.#start, this.#facts).filter(({ speech }) => speech !== undefined);
  }
}

const JUDGING = stage("Judging arguments...");

/** Stages at the start of a turn, by kind of turn. */
const AT_START: ReadonlyMap<string, Stage> = new Map([
  ["questions", stage("Generating questions from paper...")],
  ["postures", stage("Generating postures and topics...")],
  ["report", stage("Generating final report...")],
]);

function stage(name: string, data: unknown = null): Stage {
  return { name, data };
}
