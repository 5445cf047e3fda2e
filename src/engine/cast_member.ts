// Everyone who can be asked in a run.
import type { Agent } from "../core/agent.ts";
import type { Tool } from "../core/tool.ts";

/** Whoever can be asked: a participant or a judge, with the agent that answers for it. */
export interface CastMember {
  readonly id: string;
  readonly name: string;
  /** How prompts name it. */
  readonly label: string;
  readonly role: string;
  readonly position?: string | undefined;
  /** Who it is and what it is after, as its prompts say it. */
  readonly persona?: string | undefined;
  /** Its persona and motivation as they were given, for the record. @default the persona */
  readonly given?:
    | { readonly persona?: string | undefined; readonly motivation?: string | undefined }
    | undefined;
  readonly systemPrompt?: string | undefined;
  readonly temperature?: number | undefined;
  readonly tools?: readonly Tool[] | undefined;
  readonly agent: Agent;
  /** Whether this is the moderator, who gives the floor and sums up. */
  readonly chairs: boolean;
  /** Whether this is one of the sides: neither the moderator, nor a judge, nor a helper. */
  readonly takesSide: boolean;
  /** Whether it is only asked: it takes no turns, and no one hears of it. @default false */
  readonly helper?: boolean | undefined;
  /** Says who it is and what it is there for; may hold placeholders. */
  readonly template: string;
}
