// The texts of a consensus dialogue.
import { textsOf } from "../core/prompt.ts";
import texts from "../data/prompts/consensus.json" with { type: "json" };

/** The texts of one consensus dialogue. */
export type ConsensusTemplates = Readonly<Record<keyof typeof texts, string>>;

/**
 * The texts of a consensus dialogue; each can be replaced under `prompts` in the configuration. `participant` and
 * `moderator` introduce the member that is asked; `proposalsText` is said as it stands; the others are tasks. A turn's task
 * is `reply`, then `statement`; a person's is `statement` alone, and questions are asked of people in their `InWords` form.
 */
export const CONSENSUS_TEMPLATES: ConsensusTemplates = textsOf(texts);
