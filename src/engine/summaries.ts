// Makes the summaries that are not turns: of older turns in prompts, and of an early end.
import { HUMAN, isWaitedFor } from "../core/agent.ts";
import { AgentError, CancelledError } from "../core/error.ts";
import { type Context, type EndReason, endWords, type Stop } from "../core/fact.ts";
import { addUsage, type Made, type Message } from "../core/message.ts";
import type { Fold } from "../core/prompt.ts";
import type { TokenCounter } from "../core/tokens.ts";
import { counted, gist, oneLine } from "../core/text.ts";
import { LimitStop } from "../core/limit.ts";
import { type Asked, ASKING_TEXTS, madeWithoutUsage, type RunContext } from "./asker.ts";
import { type Called, madeOf, takeUsage, withUsageOfBoth } from "./caller.ts";
import type { CastMember } from "../core/participant.ts";
import { RunStop } from "./run_stop.ts";
import type { Summariser, WorkflowOptions } from "./workflow_options.ts";

/** Returns the author of rolling summaries: the moderator, else the first member, but no person; a judge if the run takes no turns. */
export function foldAuthor(
  cast: ReadonlyMap<string, CastMember>,
  { design }: WorkflowOptions,
): CastMember {
  const all = [...cast.values()];
  const models = all.filter(({ agent }) => agent.model !== HUMAN);
  const author = models.find(({ part, chairs }) =>
    design?.adds === true ? part === "judge" : chairs
  );
  // The prompts of people are not folded.
  return author ?? models[0] ?? all[0]!;
}

/** Makes the texts of folds, which replace older turns in prompts. */
export class Folds {
  readonly #run: RunContext;
  readonly #member: CastMember;
  readonly #roundSummary: (round: number) => Promise<Message | undefined>;
  /** Rolling summaries, recorded or asked for, by the number of the last message that each replaces. */
  readonly #rolling: Map<number, Promise<string>>;
  readonly #numbers: Set<number>;

  /** Creates the maker of folds; `roundSummary` waits for a round's summary and returns undefined if there is none. */
  constructor(
    run: RunContext,
    member: CastMember,
    roundSummary: (round: number) => Promise<Message | undefined>,
  ) {
    this.#run = run;
    this.#member = member;
    this.#roundSummary = roundSummary;
    const contexts = run.past.facts.filter((fact) => fact.type === "context");
    this.#rolling = new Map(contexts.map(({ through, body }) => [through, Promise.resolve(body)]));
    this.#numbers = new Set(contexts.map(({ number }) => number));
  }

  /**
   * Joins the moderator's round summaries within a fold's tokens: the latest whole, earlier ones shortened to their gist, the
   * earliest omitted. A round that is not over, or has no summary, is represented by the gists of its latest turns.
   */
  async byRounds(fold: Fold): Promise<string> {
    const { prompter } = this.#run;
    const covered = prompter.covered(fold);
    const count = await prompter.counter();
    const parts: string[] = [];
    let tokens = 0;
    for (const round of [...new Set(covered.map((each) => each.round))].reverse()) {
      const isOver = round > 0 && prompter.messages[fold.covers]?.round !== round;
      const summary = isOver ? await this.#roundSummary(round) : undefined;
      const whole = summary?.body ??
        this.#gists(covered.filter((each) => each.round === round), count);
      const text = tokens > prompter.foldTokens * 0.6 ? oneLine(gist(whole), 80) : whole;
      tokens += count(text) + 4;
      if (parts.length > 0 && tokens > prompter.foldTokens) {
        parts.unshift("(What came before is left out.)");
        break;
      }
      parts.unshift(round === 0 ? `Opening:\n${text}` : `Round ${round}: ${text}`);
    }
    return parts.join("\n\n");
  }

  #gists(messages: readonly Message[], count: TokenCounter): string {
    const { cast, prompter } = this.#run;
    const shown = messages.filter((each) => prompter.isShown(each));
    const lines = shown.map(({ participant, name, body }) =>
      `${cast.get(participant)?.label ?? name}: ${gist(body)}`
    );
    let tokens = 0;
    const most = prompter.foldTokens * 0.6;
    const cut = lines.findLastIndex((line) => (tokens += count(line)) > most);
    return [...cut < 0 ? [] : ["(Earlier turns are left out.)"], ...lines.slice(cut + 1)].join(
      "\n",
    );
  }

  /** Returns a rolling summary, from the record or from the author's model; prompts with other bounds share the summary. */
  rolling(fold: Fold): Promise<string> {
    const through = this.#run.prompter.covered(fold).at(-1)!.seq;
    return this.#rolling.getOrInsertComputed(through, () => this.#ask(fold, through));
  }

  async #ask(fold: Fold, through: number): Promise<string> {
    const { prompter, emitter, answers } = this.#run;
    // The lowest free number, so that a resumed run reuses the number of a lost summary.
    let number = 1;
    while (this.#numbers.has(number)) number++;
    this.#numbers.add(number);
    const key = `fold/${number}`;
    const asked: Asked = {
      key,
      purpose: "fold",
      member: this.#member,
      seq: 0,
      phase: "",
      kind: "fold",
      round: 0,
      view: { count: fold.begun },
      task: ASKING_TEXTS.fold,
      values: { answered: String(through) },
      maxTokens: prompter.foldTokens,
    };
    const first = await this.#run.asker.ask(asked, 1);
    let { called } = first;
    try {
      if (summaryIn(called) === "") {
        await answers.keep(key, first);
        called = withUsageOfBoth(called, (await this.#run.asker.ask(asked, 2)).called);
      }
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      // The failure will hold the usage of all attempts, so a resume must not count a stored answer again.
      error.usage = addUsage(called.usage, takeUsage(error));
      await answers.drop(key);
      throw error;
    }
    const made = { body: summaryIn(called), ...madeOf(called) };
    if (made.body === "") {
      // The filter of a provider may refuse each summary of a delicate topic and none of the turns.
      made.body = this.#gists(prompter.covered(fold), await prompter.counter());
      made.model = TEMPLATE;
    }
    const context: Context = { type: "context", number, through, ...made };
    await emitter.emit({ type: "context", context });
    await answers.drop(key);
    const removal = this.#run.asker.removeSubmission(key);
    if (removal !== undefined) await removal;
    return made.body;
  }
}

/** Returns the text of a summary; empty if the provider refused to give one. */
function summaryIn({ reply: { text, finishReason } }: Called): string {
  return finishReason === "refused" ? "" : text.trim();
}

const TEMPLATE = "template";

/**
 * Records an early end after the message `lastSeq`, with a summary by the summariser if the limits leave room, else by a template;
 * returns the last recorded end instead if it came after the same message for the same reason at the same limit.
 */
export async function recordStop(
  run: RunContext,
  why: LimitStop | CancelledError,
  lastSeq: number,
): Promise<Stop> {
  const { summariser } = run.options.design ?? {};
  const limited = why instanceof LimitStop;
  const reason: EndReason = limited ? why.reason : "cancelled";
  const limit = limited ? why.max : undefined;
  const last = run.past.stops.at(-1);
  if (last?.lastSeq === lastSeq && last.reason === reason && last.limit === limit) return last;
  const made = limited && summariser !== undefined
    ? summaryOfStop(run, lastSeq) ?? await bySummariser(run, summariser)
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

/** Returns the summary of an earlier stop after the same message, so that the same summary is not paid for twice. */
function summaryOfStop(
  { past }: RunContext,
  lastSeq: number,
): Pick<Stop, "body" | "model"> | undefined {
  const same = past.stops.findLast((each) => each.lastSeq === lastSeq && each.model !== TEMPLATE);
  return same && { body: same.body, model: same.model };
}

async function bySummariser(
  run: RunContext,
  { id, task, maxTokens }: Summariser,
): Promise<Partial<Made & Pick<Stop, "body">> | undefined> {
  const member = run.cast.get(id);
  const { messages } = run.prompter;
  // A run that ends does not wait for a person or a client.
  if (member === undefined || isWaitedFor(member.agent.model) || messages.length < 2) {
    return undefined;
  }
  try {
    const called = await run.asker.callAfterStop({
      key: `stop/${run.past.stops.length + 1}`,
      purpose: "turn",
      member,
      seq: messages.at(-1)!.seq + 1,
      phase: "summary",
      kind: "summary",
      round: 0,
      view: { count: messages.length },
      task,
      maxTokens,
    });
    if (called === undefined) return undefined;
    const body = summaryIn(called);
    return body === "" ? { usage: called.usage } : { body, ...madeOf(called) };
  } catch (error) {
    // Fall back to the template: a failed summary must not fail the run.
    if (error instanceof AgentError) return { usage: takeUsage(error) };
    const isStop = [LimitStop, CancelledError, RunStop].some((each) => error instanceof each);
    if (isStop) return undefined;
    throw error;
  }
}

function byTemplate(run: RunContext, reason: EndReason): Made & { body: string } {
  const { messages } = run.prompter;
  const last = new Map(messages.map((message) => [message.participant, message]));
  const lines = [...last].map(([id, { seq, name, body }]) =>
    `- ${run.cast.get(id)?.label ?? name} (message ${seq}): ${gist(body)}`
  );
  const body = [
    `The convening ended early (${endWords(reason)}) after ${counted(messages.length, "message")}.`,
    lines.length === 0 ? "Nothing had been said." : `What each said last:\n\n${lines.join("\n")}`,
  ].join("\n\n");
  return { body, ...madeWithoutUsage(run, TEMPLATE) };
}
