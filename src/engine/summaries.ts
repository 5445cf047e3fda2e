// Summaries that no turn is taken for: texts that stand for older turns, and of an early end.
import { AgentError, type CancelledError } from "../core/error.ts";
import { type Context, type EndReason, endWords, type Stop } from "../core/fact.ts";
import { addUsage, type Made, type Message } from "../core/message.ts";
import type { Fold } from "../core/prompt.ts";
import { type Asked, ASKING_TEXTS, madeFree, type RunContext } from "./asker.ts";
import { madeOf, sumOf, usageBehind } from "./caller.ts";
import type { CastMember } from "./casting.ts";
import { counted, gist, oneLine } from "../core/text.ts";
import type { Summariser } from "./workflow_options.ts";
import { LimitStop } from "../core/limit.ts";

/** Makes the text that stands for older turns in prompts. */
export class Folds {
  readonly #run: RunContext;
  readonly #member: CastMember;
  readonly #aside: (round: number) => Promise<Message | undefined>;
  /** The rolling summaries on record, by the last message that each stands for. */
  readonly #recorded: Map<number, Context>;
  readonly #numbers: Set<number>;

  /** `aside` gives a round's summary once it is there, or undefined where there is none. */
  constructor(
    run: RunContext,
    member: CastMember,
    aside: (round: number) => Promise<Message | undefined>,
  ) {
    this.#run = run;
    this.#member = member;
    this.#aside = aside;
    const contexts = run.past.facts.filter((fact) => fact.type === "context");
    this.#recorded = new Map(contexts.map((context) => [context.through, context]));
    this.#numbers = new Set(contexts.map(({ number }) => number));
  }

  /**
   * The moderator's round summaries within the tokens a fold may have: the latest whole, earlier ones by their gist, what
   * came before those left out; gists of the turns where a round has no summary.
   */
  async byRounds(fold: Fold): Promise<string> {
    const { prompter } = this.#run;
    const covered = prompter.covered(fold);
    const count = await prompter.counter();
    const parts: string[] = [];
    let tokens = 0;
    for (const round of [...new Set(covered.map((each) => each.round))].reverse()) {
      const summary = round === 0 ? undefined : await this.#aside(round);
      const whole = summary?.body ?? this.#gists(covered.filter((each) => each.round === round));
      const text = tokens > prompter.foldTokens * 0.6 ? plain(oneLine(gist(whole), 80)) : whole;
      tokens += count(text) + 4;
      if (parts.length > 0 && tokens > prompter.foldTokens) {
        parts.unshift("(What came before is left out.)");
        break;
      }
      parts.unshift(round === 0 ? `Opening:\n${text}` : `Round ${round}: ${text}`);
    }
    return parts.join("\n\n");
  }

  /** A rolling summary, asked for alongside; from the record where it was made before. */
  async rolling(fold: Fold): Promise<string> {
    const { prompter, emitter, answers } = this.#run;
    const through = prompter.covered(fold).at(-1)!.seq;
    const before = this.#recorded.get(through);
    if (before !== undefined) return before.body;
    const number = this.#nextNumber();
    const key = `fold/${number}`;
    const asked: Asked = {
      key,
      purpose: "fold",
      member: this.#member,
      seq: 0,
      phase: "",
      kind: "fold",
      round: 0,
      sight: { count: fold.begun },
      task: ASKING_TEXTS.fold,
      values: { answered: String(through) },
      maxTokens: prompter.foldTokens,
    };
    const first = await this.#run.asker.ask(asked, 1);
    let { called } = first;
    try {
      if (called.reply.text.trim() === "") {
        await answers.keep(key, first);
        called = sumOf(called, (await this.#run.asker.ask(asked, 2)).called);
        if (called.reply.text.trim() === "") {
          const state = `Cannot fold turns 1 to ${through}: the summary was empty twice`;
          throw new AgentError("agent_bad_reply", state);
        }
      }
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      // The fact that the error leaves has the usage of all attempts: none is recalled at a resume.
      error.usage = addUsage(called.usage, usageBehind(error));
      await answers.drop(key);
      throw error;
    }
    const body = called.reply.text.trim();
    const context: Context = {
      type: "context",
      number,
      through,
      body,
      ...madeOf(called),
    };
    await emitter.emit({ type: "context", context });
    this.#recorded.set(through, context);
    await answers.drop(key);
    return body;
  }

  /** The least number that no summary has: the same whichever summaries were on record. */
  #nextNumber(): number {
    let number = 1;
    while (this.#numbers.has(number)) number++;
    this.#numbers.add(number);
    return number;
  }

  #gists(messages: readonly Message[]): string {
    return messages.map(({ participant, name, body }) =>
      `${this.#run.cast.get(participant)?.label ?? name}: ${plain(gist(body))}`
    ).join("\n");
  }
}

/** One character beyond Latin-1 in it makes every prompt twice as large in memory, and slower to send. */
function plain(gist: string): string {
  return gist.replace(/…$/, "...");
}

interface StopOptions {
  readonly summariser: Summariser | undefined;
  /** The number of the last accepted message. */
  readonly lastSeq: number;
}

/** Records an early end: a summary by the moderator where the limits leave room for it, else by template. */
export async function recordStop(
  run: RunContext,
  why: LimitStop | CancelledError,
  { summariser, lastSeq }: StopOptions,
): Promise<Stop> {
  const limited = why instanceof LimitStop;
  const reason: EndReason = limited ? why.reason : "cancelled";
  const made = limited && summariser !== undefined
    ? await bySummariser(run, summariser)
    : undefined;
  const stop: Stop = {
    type: "stop",
    number: run.past.stops.length + 1,
    reason,
    ...(limited ? { limit: why.max, value: why.value } : {}),
    lastSeq,
    ...byTemplate(run, reason),
    ...made,
  };
  await run.emitter.emit({ type: "stop", stop });
  return stop;
}

async function bySummariser(
  run: RunContext,
  { id, task, maxTokens }: Summariser,
): Promise<Partial<Made & Pick<Stop, "body">> | undefined> {
  const member = run.cast.get(id);
  if (member === undefined || run.prompter.length < 2) return undefined;
  const { messages } = run.prompter;
  try {
    const called = await run.asker.callAfterStop({
      key: `stop/${run.past.stops.length + 1}`,
      purpose: "turn",
      member,
      seq: messages.at(-1)!.seq + 1,
      phase: "summary",
      kind: "summary",
      round: 0,
      sight: { count: messages.length },
      task,
      maxTokens,
    });
    if (called === undefined) return undefined;
    const body = called.reply.text.trim();
    return body === "" ? { usage: called.usage } : { body, ...madeOf(called) };
  } catch (error) {
    // A summary that cannot be had is made by template: the stop itself is a result.
    if (error instanceof AgentError) return { usage: usageBehind(error) };
    if (error instanceof LimitStop) return undefined;
    throw error;
  }
}

function byTemplate(run: RunContext, reason: EndReason): Made & { body: string } {
  const last = new Map(run.prompter.messages.map((message) => [message.participant, message]));
  const lines = [...last].map(([id, { seq, name, body }]) =>
    `- ${run.cast.get(id)?.label ?? name} (message ${seq}): ${gist(body)}`
  );
  const count = run.prompter.length;
  const body = [
    `The convening ended early (${endWords(reason)}) after ${counted(count, "message")}.`,
    lines.length === 0 ? "Nothing had been said." : `What each said last:\n\n${lines.join("\n")}`,
  ].join("\n\n");
  return { body, ...madeFree(run, "template") };
}
