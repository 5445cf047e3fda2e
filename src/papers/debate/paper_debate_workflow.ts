// The paper debate workflow, made in code or from a configuration; and a workflow for one part of a debate.
import { checkArguments } from "../../core/check_fields.ts";
import type { PaperDebateConfig } from "../../config/convening_config.ts";
import type { ConveningResult, ConveningStart } from "../../core/event.ts";
import { ConfigurationError } from "../../core/error.ts";
import { createParticipant, type Participant, participantsFrom } from "../../core/participant.ts";
import type { Protocol } from "../../core/protocol.ts";
import {
  checkedOptions,
  checkOptions,
  type HandedIn,
  isChecked,
} from "../../engine/workflow_options.ts";
import { DialogueWorkflow } from "../../engine/dialogue_workflow.ts";
import type { PaperDraft } from "../text/check_paper.ts";
import { type PaperDebateOutcome, paperStages } from "../text/paper_stages.ts";
import { designOf } from "./paper_debate_design.ts";
import {
  checkNoPosition,
  checkPickNumber,
  PAPER_DEBATE_DEFAULTS,
  type PaperDebateOptions,
  withDefaultParticipants,
} from "./paper_debate_options.ts";
import { paperDebate, type PaperRules } from "./protocol.ts";

/** Result of a paper debate. */
export type PaperDebateResult = ConveningResult<PaperDebateOutcome>;

/** A debate over research papers: questions, choice of one, postures and topics, concurrent arguments, judges, report. */
export class PaperDebateWorkflow extends DialogueWorkflow<PaperDebateOutcome> {
  readonly #rules: PaperRules;

  /** Creates a debate; throws a `ConfigurationError`, `PaperError` or `TopicError` for unusable inputs. */
  constructor(papers: readonly PaperDraft[], options: PaperDebateOptions = {}) {
    checkArguments(new.target.name, { papers });
    checkOptions("paper-debate", options);
    // Not for checked options: old records may have a larger number and must remain resumable.
    if (!isChecked(options)) checkPickNumber(options.pick);
    const { topic, rules, participants, options: settled } = designOf(papers, options);
    super(topic, participants, settled);
    this.#rules = rules;
  }

  /** Returns the protocol of the debate. */
  protected override protocol(): Protocol<PaperDebateOutcome> {
    return paperDebate(this.#rules);
  }
}

/** A part of a paper debate, such as its questions. */
export class PaperStep<T> extends DialogueWorkflow<T> {
  /** Provisional start of the convening, from which results are computed. */
  readonly start: ConveningStart;
  readonly #rules: PaperRules;
  readonly #play: (rules: PaperRules, start: ConveningStart) => Protocol<T>;

  /** Creates a step over papers (none if arguments are given); `play` returns the protocol of the step. */
  constructor(
    papers: readonly PaperDraft[],
    options: PaperDebateOptions,
    play: (rules: PaperRules, start: ConveningStart) => Protocol<T>,
  ) {
    checkOptions("paper-debate", options);
    const { topic, rules, participants, options: settled, start } = designOf(papers, options);
    super(topic, participants, {
      ...settled,
      // The result of a step is the return value of its protocol.
      design: {
        ...settled.design,
        stages: (...given) => {
          const teller = paperStages(...given);
          return { after: (event) => teller.after(event) };
        },
      },
    });
    this.start = start;
    this.#rules = rules;
    this.#play = play;
  }

  /** Returns the protocol of the step. */
  protected override protocol(): Protocol<T> {
    return this.#play(this.#rules, this.start);
  }
}

/** Creates the paper debate of a configuration; `handed` has its papers. Throws a `ConfigurationError` without papers. */
export function paperDebateFrom(config: PaperDebateConfig, handed: HandedIn): PaperDebateWorkflow {
  const { papers: _files, title: _title, participants: _given, sources: _read, ...settings } =
    config;
  const { agentOf, papers, ...options } = handed;
  if (papers === undefined) {
    throw new ConfigurationError("Cannot hold a paper debate: no paper was read", {
      field: "papers",
      hint: "Give the path of a PDF, markdown or text file.",
    });
  }
  const judges = (config.judges ?? [{}]).map((judge, index, { length }) => ({
    ...judge,
    agent: agentOf(judge.id ?? (length === 1 ? "judge" : `judge-${index + 1}`)),
  }));
  const participants = castOf(config).map((each) => ({ ...each, agent: agentOf(each.id) }));
  const made = checkedOptions({ ...settings, ...options, judges, participants });
  return new PaperDebateWorkflow(papers, made);
}

/** Returns the configured participants, with defaults for missing ones. */
function castOf({ participants = [], postures }: PaperDebateConfig): Participant[] {
  const given = participantsFrom(participants, {
    make: (options) => {
      const participant = createParticipant({ ...options, role: options.role ?? "debater" });
      checkNoPosition(participant);
      return participant;
    },
  });
  return withDefaultParticipants(given, postures ?? PAPER_DEBATE_DEFAULTS.postures);
}
