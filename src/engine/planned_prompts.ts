// The prompts of a run before anyone has spoken, with words that are not known yet in brackets, and those of a record.
import type { ChatMessage } from "../core/agent.ts";
import type { Message } from "../core/message.ts";
import { askOf } from "../core/asks.ts";
import type { PlannedAsk } from "./plan.ts";
import { type RunContext, shapeOf } from "./asker.ts";
import type { Prompter } from "./prompter.ts";
import { requestOf } from "./turns.ts";

/** A request to an agent, as far as it is known before anyone has spoken. */
export interface PlannedPrompt {
  /** The key of the turn or question. */
  readonly key: string;
  /** The id of the member that is asked. */
  readonly participant: string;
  /** The model's name, as records show it. */
  readonly model: string;
  /** Tokens that the answer is asked to have at most; absent where it has no bound. */
  readonly maxTokens?: number;
  /** The prompt. */
  readonly messages: readonly ChatMessage[];
}

/** A turn on record, and its first prompt. */
export interface RecordedPrompt extends PlannedPrompt {
  /** The message of the turn. */
  readonly message: Message;
  /** True if the reply was asked for as fields, of which the message has the speech alone. */
  readonly structured: boolean;
  /** The messages that the prompt shows, oldest first. */
  readonly shown: readonly Message[];
  /** True if the prompt shows sources or memories of earlier convenings. */
  readonly hasSources: boolean;
}

/** The prompts of planned requests, in their order; `given` are the messages of the plan. */
export async function plannedPrompts(
  asked: readonly PlannedAsk[],
  given: readonly Message[],
  { prompter, show = shownAs, ...run }: Pick<RunContext, "words" | "wordedKinds"> & {
    readonly prompter: Prompter;
    /** A message as prompts show it. @default with a line in the place of its words */
    readonly show?: (message: Message) => Message;
  },
): Promise<PlannedPrompt[]> {
  const shown = new Map(given.map((message) => [message, show(message)]));
  for (const message of shown.values()) await prompter.give(message);
  return await Promise.all(asked.map(async ({ member, sight: { count, then }, asks }) => {
    const sight = { count, then: then && (shown.get(then) ?? show(then)) };
    const isTurn = "turn" in asks;
    const { key, phase, round, kind } = isTurn ? asks.turn : asks;
    const request = isTurn ? requestOf(asks, { ...run, given: prompter.messages }) : asks;
    const { maxTokens = askOf(kind, isTurn ? "turn" : "question").tokens, schema } = request;
    const shape = shapeOf({ schema, member });
    const tail = { ...request, member, phase, round, shape };
    return {
      key,
      participant: member.id,
      model: member.agent.model,
      ...maxTokens === undefined ? {} : { maxTokens },
      messages: await prompter.build(sight, tail),
    };
  }));
}

/** A message of a plan, with a line in the place of its words. */
function shownAs(message: Message): Message {
  return { ...message, body: `[What ${message.name} says in turn ${message.seq}.]` };
}
