import type { Agent } from "../../core/agent.ts";
import type { Tool } from "../../core/tool.ts";

/** Whoever can be asked: a participant or a judge, with the agent that answers for it. */
export interface Party {
  readonly id: string;
  readonly name: string;
  /** How prompts name it. */
  readonly label: string;
  readonly role: string;
  readonly position?: string | undefined;
  readonly persona?: string | undefined;
  readonly systemPrompt?: string | undefined;
  readonly temperature?: number | undefined;
  readonly tools?: readonly Tool[] | undefined;
  readonly agent: Agent;
  /** Says who it is and what it is there for; may hold placeholders. */
  readonly template: string;
}
