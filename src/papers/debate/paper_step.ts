import type { ConveningStart } from "../../core/convening_start.ts";
import type { PaperDraft } from "../text/check_paper.ts";
import { paperStages } from "../text/paper_stages.ts";
import type { Protocol } from "../../core/protocol.ts";
import type { StageTeller } from "../../core/stage.ts";
import { DialogueWorkflow } from "../../engine/dialogue_workflow.ts";
import { drawSeed } from "../../engine/start.ts";
import { designOf } from "./paper_debate_design.ts";
import type { PaperDebateOptions } from "./paper_debate_options.ts";
import type { PaperRules } from "./rules.ts";

/** The stages of a paper debate, and no outcome. */
function stagesAlone(...told: Parameters<typeof paperStages>): StageTeller {
  const teller = paperStages(...told);
  return { after: (event) => teller.after(event) };
}

/** A part of a paper debate by itself, such as its questions. */
export class PaperStep<T> extends DialogueWorkflow<T> {
  /** What is known of it before it starts, for what is reckoned of its facts. */
  readonly start: ConveningStart;
  readonly #rules: PaperRules;
  readonly #play: (rules: PaperRules) => Protocol<T>;

  /** A step over papers, of which there may be none where what is argued is given; `play` says what is asked. */
  constructor(
    papers: readonly PaperDraft[],
    options: PaperDebateOptions,
    play: (rules: PaperRules) => Protocol<T>,
  ) {
    const seed = options.seed ?? drawSeed();
    const { topic, rules, participants, options: settled, start } = designOf(papers, {
      ...options,
      seed,
    });
    super(topic, participants, {
      ...settled,
      seed,
      seedGiven: options.seed !== undefined,
      // What a step comes to is what its own protocol returns.
      design: { ...settled.design, stages: stagesAlone },
    });
    this.start = start;
    this.#rules = rules;
    this.#play = play;
  }

  /** The part's turns. */
  protected override protocol(): Protocol<T> {
    return this.#play(this.#rules);
  }
}
