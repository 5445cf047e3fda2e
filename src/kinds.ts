import type { ConveningConfig } from "./config/config.ts";
import { consensusFrom } from "./consensus/consensus_from.ts";
import { debateFrom } from "./debate/debate_from.ts";
import { dialogueFrom } from "./engine/dialogue_from.ts";
import type { DialogueWorkflow } from "./engine/dialogue_workflow.ts";
import { paperDebateFrom } from "./papers/debate/paper_debate_from.ts";
import type { HandedIn } from "./engine/workflow_options.ts";

/** A kind of convening, as lists and help texts show it, and how it is made from a configuration. */
interface WorkflowKind<C extends ConveningConfig> {
  /** One line for help texts. */
  readonly summary: string;
  create(config: C, handed: HandedIn): DialogueWorkflow<unknown>;
}

/** Every kind of convening by its name. */
export const WORKFLOWS = {
  dialogue: {
    summary: "A conversation, in turn, as a moderator gives the floor, or by bids",
    create: dialogueFrom,
  },
  consensus: {
    summary: "Proposals are discussed until enough agree, or nobody moves any more",
    create: consensusFrom,
  },
  debate: {
    summary: "Advocates argue and rebut before a moderator; judges score and name a winner",
    create: debateFrom,
  },
  "paper-debate": {
    summary:
      "Debaters argue over research papers with citations that are verified; judges score, a report is made",
    create: paperDebateFrom,
  },
} satisfies { [K in ConveningConfig["kind"]]: WorkflowKind<Extract<ConveningConfig, { kind: K }>> };

/** The workflow a checked configuration describes. */
export function createWorkflow(
  config: ConveningConfig,
  handed: HandedIn,
): DialogueWorkflow<unknown> {
  const kind: WorkflowKind<never> = WORKFLOWS[config.kind];
  return kind.create(config as never, handed);
}
