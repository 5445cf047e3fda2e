import { AgentError } from "../core/error.ts";
import type { Context } from "../core/fact.ts";
import { addUsage, gist, type Message, oneLine } from "../core/message.ts";
import type { Fold } from "../core/transcript.ts";
import type { Desk } from "./desk.ts";
import type { Party } from "./party.ts";

const TASK =
  "Sum up the turns above up to turn {name} in at most 250 words, so that the conversation can " +
  "go on without them: who claimed what and why, what was answered, what is open. Take a summary that " +
  "stands above into account. Take no side and add nothing.";

/** Makes the text that stands for older turns in prompts. */
export class Folds {
  readonly #desk: Desk;
  readonly #party: Party;
  readonly #aside: (round: number) => Promise<Message | undefined>;

  /** `aside` gives a round's summary once it is there, or undefined where there is none. */
  constructor(
    desk: Desk,
    party: Party,
    aside: (round: number) => Promise<Message | undefined>,
  ) {
    this.#desk = desk;
    this.#party = party;
    this.#aside = aside;
  }

  /**
   * The moderator's round summaries within the tokens a fold may have: the latest whole, earlier ones by their gist, what
   * came before those left out; gists of the turns where a round has no summary.
   */
  async byRounds(fold: Fold): Promise<string> {
    const { prompter } = this.#desk;
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
    const { prompter, past, emitter, answers } = this.#desk;
    const key = `fold/${fold.number}`;
    const covered = prompter.covered(fold);
    const through = covered.at(-1)!.seq;
    const before = past.context(fold.number);
    if (before !== undefined && before.through === through) return before.body;
    const prompt = await prompter.build({ count: fold.begun }, {
      party: this.#party,
      phase: "",
      round: 0,
      task: TASK.replace("{name}", String(through)),
    });
    const request = {
      messages: prompt,
      maxTokens: prompter.foldTokens,
      temperature: this.#party.temperature,
      context: this.#desk.context(this.#party, {
        key,
        purpose: "fold",
        seq: 0,
        phase: "",
        kind: "fold",
        round: 0,
        attempt: 1,
        about: covered.slice(-64),
      }),
    };
    let called = await this.#desk.call(this.#party, request);
    if (called.reply.text.trim() === "") {
      const first = called;
      await answers.keep(key, { request, called });
      const again = { ...request, context: { ...request.context, attempt: 2 } };
      called = await this.#desk.call(this.#party, again);
      called = { ...called, usage: addUsage(first.usage, called.usage) };
    }
    const body = called.reply.text.trim();
    if (body === "") {
      throw new AgentError(
        "agent_bad_reply",
        `Cannot fold turns 1 to ${through}: the summary was empty twice`,
      );
    }
    const { model, usage, latencyMs, createdAt } = called;
    const context: Context = {
      type: "context",
      number: fold.number,
      through,
      body,
      model,
      usage,
      latencyMs,
      createdAt,
    };
    await emitter.emit({ type: "context", context });
    await answers.drop(key);
    return body;
  }

  #gists(messages: readonly Message[]): string {
    return messages.map(({ participant, name, body }) =>
      `${this.#desk.parties.get(participant)?.label ?? name}: ${plain(gist(body))}`
    ).join("\n");
  }
}

/** One character beyond Latin-1 in it makes every prompt twice as large in memory, and slower to send. */
function plain(gist: string): string {
  return gist.replace(/…$/, "...");
}
