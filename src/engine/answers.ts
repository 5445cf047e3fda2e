// Answers that are kept until a fact carries them.
import { z } from "zod";
import { type AgentRequest, isWaitedFor, type ReplyRounds } from "../core/agent.ts";
import { replyUsage, servedReply, toolTrace } from "../core/structured.ts";
import { sha256, type Usage } from "../core/message.ts";
import { memo } from "../core/values.ts";
import type { AnswerShelf, KeptAnswer } from "../core/record.ts";
import type { Schema } from "../core/schema.ts";
import type { Called } from "./caller.ts";

/** A request and what it was answered with. */
export interface Answered {
  readonly request: AgentRequest;
  readonly called: Called;
}

const usage = memo(() => replyUsage().required({ costUsd: true }));
const answer = memo(() =>
  z.object({
    model: z.string(),
    usage: usage(),
    latencyMs: z.number().min(0),
    createdAt: z.iso.datetime(),
    reply: z.object({
      text: z.string(),
      finishReason: z.enum(["stop", "length", "refused"]),
      model: z.string(),
      usage: replyUsage(),
      toolCalls: z.array(toolTrace()).exactOptional(),
      served: servedReply().exactOptional(),
      reasoning: z.string().exactOptional(),
    }),
  })
);

/**
 * Keeps answers that no fact carries until more is known, such as an attempt that a guard asks about: after a crash the
 * same request is answered with what is kept. What a fact carries at once is never kept, so that most answers cost nothing.
 */
export class Answers {
  readonly #shelf: AnswerShelf | undefined;
  /** Answers found in the record's store and not asked for yet, by id. */
  readonly #before = new Map<string, unknown>();
  /** Results of tool calls in this run, by id. */
  readonly #rounds = new Map<string, unknown>();
  /** The ids that need not be kept again. */
  readonly #held = new Set<string>();
  /** The ids on the shelf by what they are part of. */
  readonly #parts = new Map<string, Set<string>>();

  /** The answers of one run, with those that one before it kept. */
  constructor(shelf: AnswerShelf | undefined, before: readonly KeptAnswer[]) {
    this.#shelf = shelf;
    for (const { of, id, value } of before) {
      this.#before.set(id, value);
      this.#note(of, id);
    }
  }

  /** Answer to the same request from before the run was interrupted; given once. */
  recall(request: AgentRequest): Called | undefined {
    if (this.#before.size === 0) return undefined;
    const id = idOf(request);
    const { data } = answer().safeParse(this.#before.get(id));
    if (data === undefined) return undefined;
    this.#before.delete(id);
    this.#held.add(id);
    return data;
  }

  /** Keeps an answer that is part of a turn or question, until {@linkcode drop}. */
  async keep(of: string, { request, called }: Answered): Promise<void> {
    const id = idOf(request);
    // Words that were waited for stay where they were left until the turn is on record.
    if (this.#shelf === undefined || isWaitedFor(called.model) || this.#held.has(id)) return;
    this.#held.add(id);
    await this.#keep(of, id, called);
  }

  /** Result from before the run was interrupted; else the result of `make`, which is kept. */
  async once<T>(
    of: string,
    id: string,
    { schema, make }: { readonly schema: Schema<T>; readonly make: () => Promise<T> },
  ): Promise<T> {
    const before = this.#before.has(id) ? schema.safeParse(this.#before.get(id)) : undefined;
    this.#before.delete(id);
    if (before?.success === true) return before.data;
    const made = await make();
    if (this.#shelf !== undefined) await this.#keep(of, id, made);
    return made;
  }

  /** Store for the results of an agent's tool calls. */
  rounds(of: string, request: Pick<AgentRequest, "context" | "messages">): ReplyRounds | undefined {
    if (this.#shelf === undefined) return undefined;
    const id = idOf(request);
    const idFor = (number: number) => `${id}/${number}`;
    return {
      before: (number) => this.#rounds.get(idFor(number)) ?? this.#before.get(idFor(number)),
      keep: async (number, round) => {
        this.#rounds.set(idFor(number), round);
        await this.#keep(of, idFor(number), round);
      },
    };
  }

  async #keep(of: string, id: string, value: unknown): Promise<void> {
    this.#note(of, id);
    await this.#shelf?.keep({ of, id, value });
  }

  /** Removes the answers of a turn or question that is on record. */
  async drop(of: string): Promise<void> {
    const ids = this.#parts.get(of);
    if (ids === undefined) return;
    this.#parts.delete(of);
    for (const id of ids) {
      this.#before.delete(id);
      this.#rounds.delete(id);
      this.#held.delete(id);
    }
    await this.#shelf?.drop(of);
  }

  /** Keeps the usage of attempts at a question that has no answer yet, in the place of what was kept before. */
  async owe(of: string, usage: Usage): Promise<void> {
    if (usage.inputTokens + usage.outputTokens > 0) await this.#keep(of, owedId(of), usage);
  }

  /** Usage of attempts at a question in an interrupted run. */
  owed(of: string): Usage | undefined {
    return usage().safeParse(this.#before.get(owedId(of))).data;
  }

  /** Everything is on record. */
  async clear(): Promise<void> {
    await this.#shelf?.clear();
  }

  #note(of: string, id: string): void {
    const ids = this.#parts.get(of);
    if (ids === undefined) this.#parts.set(of, new Set([id]));
    else ids.add(id);
  }
}

function owedId(of: string): string {
  return `${of} owed`;
}

/** The same for the same question at the same attempt alone: a prompt never depends on when it is built. */
function idOf(
  { context: { key, attempt }, messages }: Pick<AgentRequest, "context" | "messages">,
): string {
  return `${key} ${attempt} ${sha256(JSON.stringify(messages)).slice(0, 32)}`;
}
