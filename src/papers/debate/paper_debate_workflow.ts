import type { PaperDraft } from "../text/check_paper.ts";
import type { PaperDebateOutcome } from "../text/paper_stages.ts";
import type { Protocol } from "../../core/protocol.ts";
import type { ConveningResult } from "../../core/result.ts";
import { DialogueWorkflow } from "../../engine/dialogue_workflow.ts";
import { drawSeed } from "../../engine/start.ts";
import { designOf } from "./paper_debate_design.ts";
import type { PaperDebateOptions } from "./paper_debate_options.ts";
import { paperDebate } from "./protocol.ts";
import type { PaperRules } from "./rules.ts";

/** What a paper debate comes to. */
export type PaperDebateResult = ConveningResult<PaperDebateOutcome>;

/**
 * A debate over research papers: questions, a pick, postures and topics, debaters in parallel who cite what they look up,
 * judges, a report.
 */
export class PaperDebateWorkflow extends DialogueWorkflow<PaperDebateOutcome> {
  readonly #rules: PaperRules;

  /** A debate that has not started; throws a `ConfigurationError`, `PaperError` or `TopicError` where it could not run. */
  constructor(papers: readonly PaperDraft[], options: PaperDebateOptions = {}) {
    const seed = options.seed ?? drawSeed();
    const { topic, rules, participants, options: settled } = designOf(papers, { ...options, seed });
    super(topic, participants, {
      ...settled,
      seed,
      seedGiven: options.seedGiven ?? options.seed !== undefined,
    });
    this.#rules = rules;
  }

  /** From the questions to the report. */
  protected override protocol(): Protocol<PaperDebateOutcome> {
    return paperDebate(this.#rules);
  }
}
