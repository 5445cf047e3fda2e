// Everyone who can be asked in a run.
import type { Agent } from "../core/agent.ts";
import type { Tool } from "../core/tool.ts";

/** Participant, judge or helper, with the agent that answers. */
export interface CastMember {
  readonly id: string;
  readonly name: string;
  /** Name in prompts. */
  readonly label: string;
  readonly role: string;
  readonly position?: string | undefined;
  /** Persona and motivation, as prompts state them. */
  readonly persona?: string | undefined;
  /** Its persona and motivation as they were given, for the record. @default the persona */
  readonly given?:
    | { readonly persona?: string | undefined; readonly motivation?: string | undefined }
    | undefined;
  readonly systemPrompt?: string | undefined;
  readonly temperature?: number | undefined;
  readonly tools?: readonly Tool[] | undefined;
  readonly agent: Agent;
  /** The moderator, who gives the floor and sums up. */
  readonly chairs: boolean;
  /** One of the sides: neither the moderator, nor a judge, nor a helper. */
  readonly takesSide: boolean;
  /** A helper takes no turns and is named in no prompt. @default false */
  readonly helper?: boolean | undefined;
  /** Says who it is and what it is there for; may hold placeholders. */
  readonly template: string;
}
