// Builds the prompts of a run: the shared head, the transcript with folds, the task.
import { isQuestion } from "../core/text.ts";
import asking from "../data/prompts/asking.json" with { type: "json" };
import { tokensFor } from "../core/profile.ts";
import type { ChatMessage } from "../core/agent.ts";
import type { Message } from "../core/message.ts";
import {
  fillTemplate,
  type Fold,
  type PlaceholderValues,
  type PromptHead,
  quoted,
  renderFold,
  renderHead,
  renderTurn,
  textsOf,
  Transcript,
} from "../core/prompt.ts";
import { loadTokenCounter, type TokenCounter } from "../core/tokens.ts";
import { notesText, type Question, type ShownRecord, type Turn } from "../core/turn.ts";
import { memoByObject } from "../core/values.ts";
import { wordCountOf } from "../core/words.ts";
import type { CastMember } from "../core/participant.ts";
import type { WorkflowDesign } from "./workflow_options.ts";

/** Part of the transcript in a prompt. */
export interface TranscriptView {
  /** Number of messages, from the first. */
  readonly count: number;
  /** One more message: the one an observer asks about. */
  readonly then?: Message | undefined;
}

/** Part of a prompt after the transcript: role, task and reply format. */
export interface PromptTail extends
  Pick<
    Turn,
    "phase" | "round" | "task" | "values" | "excerpts" | "notes" | "position" | "ending"
  >,
  Pick<Question, "alone"> {
  readonly member: CastMember;
  /** Renders the messages in another form than a transcript. @default the transcript */
  readonly record?: Question["record"];
  /** Description of the reply's keys and types, after the task. @default a plain-text reply */
  readonly shape?: string | undefined;
  /** Body of the message that the turn answers. */
  readonly opponentStatement?: string | undefined;
}

interface PrompterOptions {
  readonly head: PromptHead;
  readonly cast: ReadonlyMap<string, CastMember>;
  readonly design?: Pick<WorkflowDesign, "foldByRounds" | "hidden" | "values"> | undefined;
  /** The most tokens of a prompt, by member id; longer transcripts fold their oldest turns. @default unbounded */
  readonly bounds?: ReadonlyMap<string, number> | undefined;
  /** Makes the text of a fold. Called when the fold is due; awaited when a prompt uses the fold. @default empty */
  readonly foldText?: ((fold: Fold) => Promise<string>) | undefined;
}

/** Estimated tokens of a prompt's role and task. */
export const TAIL_TOKENS = 300;
/** The fewest words to which a turn is cut in a judge's prompt. */
const LEAST_WORDS = 20;
/** The most tokens of a fold's text: a rolling summary, or joined round summaries. */
const FOLD_TOKENS = { rolling: tokensFor("fold"), byRounds: 1000 } as const;

/** Returns the most tokens of a fold's text in prompts with the given bounds. */
export function foldTokensOf(
  { foldByRounds = false }: Pick<WorkflowDesign, "foldByRounds">,
  bounds: Iterable<number>,
): number {
  const most = FOLD_TOKENS[foldByRounds ? "byRounds" : "rolling"];
  return Math.min(most, Math.ceil(Math.min(...bounds) / 6));
}

/** System prompt of a question that shows nothing of the convening. */
const { alone: ALONE } = textsOf(asking);

/** Builds all prompts of a run and folds old turns so that prompts stay within their bounds. */
export class Prompter {
  readonly #options: PrompterOptions;
  readonly #design: NonNullable<PrompterOptions["design"]>;
  readonly #messages: Message[] = [];
  readonly #bounds: Map<string, number>;
  /** Transcripts with their folds, by bound. */
  readonly #transcripts = new Map<number, Transcript>();
  readonly #head: string;
  readonly #folds = new Map<Fold, Promise<string>>();
  readonly #renderTurn = memoByObject((message: Message): string =>
    this.isShown(message)
      ? renderTurn(message, this.#options.cast.get(message.participant)?.label ?? message.name)
      : ""
  );
  /** Tokens by message. */
  readonly #sizes = new WeakMap<Message, number>();
  #headTokens: number | undefined;
  /** Upper estimate of the bytes of head and messages. */
  #bytes: number;
  #count: TokenCounter | undefined;

  constructor(options: PrompterOptions) {
    this.#options = options;
    this.#design = options.design ?? {};
    this.#head = renderHead(options.head);
    this.#bounds = new Map(options.bounds);
    for (const bound of new Set(this.#bounds.values())) this.#transcriptFor(bound);
    this.#bytes = new TextEncoder().encode(this.#head).length;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  get values(): PlaceholderValues {
    return { ...this.#design.values, topic: this.#options.head.topic };
  }

  /** Adds a message to the transcript and begins each fold that is due. */
  async give(message: Message): Promise<void> {
    this.#messages.push(message);
    this.#bytes += message.body.length * 3 + 100;
    for (const transcript of this.#transcripts.values()) await this.#weigh(transcript);
  }

  /** Returns the most tokens of a member's prompts; `Infinity` if unbounded. */
  boundOf(id: string): number {
    return this.#bounds.get(id) ?? Infinity;
  }

  /** Changes the bound of a member's prompts and begins each fold that is due. */
  async bind(id: string, bound: number): Promise<void> {
    this.#bounds.set(id, bound);
    // Folds of a bound that no member has any more would be paid for, and never used.
    for (const each of this.#transcripts.keys()) {
      if (!this.#bounds.values().some((own) => own === each)) this.#transcripts.delete(each);
    }
    await this.#weigh(this.#transcriptFor(bound));
  }

  #transcriptFor(bound: number): Transcript {
    const { foldByRounds: byRounds = false } = this.#design;
    const messages = this.#messages;
    return this.#transcripts.getOrInsertComputed(
      bound,
      () => new Transcript({ messages, bound, byRounds }),
    );
  }

  async #weigh(transcript: Transcript): Promise<void> {
    // A token has at least one byte, so below the bound in bytes no tokens need counting.
    if (this.#bytes < transcript.bound) return;
    const count = await this.counter();
    const sizeOf = (message: Message) =>
      this.#sizes.getOrInsertComputed(message, () => count(message.body));
    this.#headTokens ??= count(this.#head);
    const reserved = this.#headTokens + TAIL_TOKENS + this.foldTokens;
    for (const fold of transcript.weigh(sizeOf, reserved)) {
      const text = this.#options.foldText?.(fold) ?? Promise.resolve("");
      // A prompt that uses the fold awaits the text; until then a rejection must not count as unhandled.
      text.catch(() => {});
      this.#folds.set(fold, text);
    }
  }

  /** The most tokens of a fold's text. */
  get foldTokens(): number {
    return foldTokensOf(this.#design, this.#transcripts.keys());
  }

  /** Waits until no fold is in progress; ignores failures. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#folds.values());
  }

  async counter(): Promise<TokenCounter> {
    return this.#count ??= await loadTokenCounter();
  }

  /** Returns false for a message of a kind that prompts omit. */
  isShown({ kind }: Message): boolean {
    return this.#design.hidden?.includes(kind) !== true;
  }

  /** Returns the messages that a fold replaces. */
  covered(fold: Fold): readonly Message[] {
    return this.#messages.slice(0, fold.covers);
  }

  /** Builds the messages of a request. Prompts share the longest possible beginning, for providers' caches. */
  async build(view: TranscriptView, tail: PromptTail): Promise<ChatMessage[]> {
    if (tail.alone === true) {
      return [{ role: "system", content: ALONE }, {
        role: "user",
        content: this.#renderTail(tail, ""),
      }];
    }
    if (tail.record !== undefined) {
      const { text } = await this.recordFor(tail.record, view, tail);
      return [
        { role: "system", content: renderHead({ ...this.#options.head, sides: [] }) },
        { role: "user", content: text + this.#renderTail(tail, ""), shared: text.length },
      ];
    }
    const transcript = await this.#render(view, tail.member.id);
    // A template with a placeholder for the transcript shows the transcript only there.
    const isPlaced = `${tail.member.template}${tail.task}`.includes("{previousExchanges}");
    const before = isPlaced ? "" : transcript;
    const texts = typeof tail.excerpts === "function" ? tail.excerpts() : tail.excerpts;
    const excerpts = texts ? `${texts}\n\n` : "";
    return [
      { role: "system", content: this.#head },
      {
        role: "user",
        content: excerpts + before +
          this.#renderTail({ ...tail, notes: await this.#fitNotes(tail, transcript) }, transcript),
        shared: excerpts === "" ? before.length : 0,
      },
    ];
  }

  /** Leaves out the first notes of a list that a prompt has no room for. */
  async #fitNotes({ notes, member }: PromptTail, transcript: string): Promise<PromptTail["notes"]> {
    if (notes === undefined || typeof notes === "string") return notes;
    const bound = this.boundOf(member.id);
    const beside = this.#head + transcript;
    // A character has at most three bytes, and a token has at least one.
    if ((beside.length + notesText(notes).length) * 3 < bound) return notes;
    const count = await this.counter();
    const room = bound - count(beside) - TAIL_TOKENS;
    let tokens = 0;
    const cut = notes.findLastIndex((note) => (tokens += count(note)) > room);
    return cut < 0 ? notes : ["(Earlier notes are left out.)", ...notes.slice(cut + 1)];
  }

  /** Returns the number of the last message that a fold replaces in a member's prompt; undefined if all messages are whole. */
  foldedThrough({ count }: TranscriptView, id: string): number | undefined {
    const fold = this.#foldAt(count, id);
    return fold && this.messages[fold.covers - 1]!.seq;
  }

  /**
   * Renders the messages in the form of a question's own record. If a member's prompt has no room for the whole record, cuts every
   * turn to the largest number of words that fits.
   */
  async recordFor(
    record: NonNullable<Question["record"]>,
    { count }: TranscriptView,
    { member, notes }: Pick<PromptTail, "member" | "notes">,
  ): Promise<ShownRecord> {
    const bound = this.boundOf(member.id);
    const said = this.#messages.slice(0, count).filter((each) => this.isShown(each));
    const beside = this.#head + notesText(notes);
    const whole = record(said);
    // A token has at least one byte, and a character has at most three.
    if ((beside.length + whole.text.length) * 3 < bound) return whole;
    const sizeOf = await this.counter();
    const room = bound - sizeOf(beside) - TAIL_TOKENS;
    if (sizeOf(whole.text) <= room) return whole;
    let [least, over] = [LEAST_WORDS, Math.max(...said.map(wordCountOf))];
    while (over - least > 1) {
      const middle = Math.floor((least + over) / 2);
      if (sizeOf(record(said, middle).text) <= room) least = middle;
      else over = middle;
    }
    return record(said, least);
  }

  async tokens(messages: readonly ChatMessage[]): Promise<number> {
    const count = await this.counter();
    return messages.reduce((sum, { content }) => sum + count(content) + 4, 0);
  }

  #foldAt(count: number, id: string): Fold | undefined {
    return this.#transcripts.get(this.boundOf(id))?.foldAt(count);
  }

  async #render({ count, then }: TranscriptView, id: string): Promise<string> {
    const fold = this.#foldAt(count, id);
    const shown = this.#messages.slice(fold?.covers, count).map(this.#renderTurn).join("");
    const folded = fold === undefined
      ? ""
      : renderFold(await this.#folds.get(fold)!, this.messages[fold.covers - 1]!.seq);
    // A message renders the same inside and outside the transcript.
    return folded + shown + (then === undefined ? "" : this.#renderTurn(then));
  }

  #renderTail(tail: PromptTail, transcript: string): string {
    const { member, phase, round, task, notes, opponentStatement } = tail;
    const position = tail.position ?? member.position ?? "";
    const values: PlaceholderValues = {
      ...this.values,
      name: member.label,
      position,
      case: caseOf(position),
      round: String(round),
      currentPhase: phase,
      previousExchanges: transcript,
      opponentStatement: quoted(opponentStatement ?? ""),
      ...tail.values,
    };
    const instructions = fillTemplate(task, values);
    const role = fillTemplate(member.template, {
      ...values,
      nextAction: instructions,
      turnInstructions: instructions,
    });
    const isInRole = /\{(nextAction|turnInstructions)\}/.test(member.template);
    return [
      role,
      member.persona,
      member.systemPrompt,
      notesText(notes),
      isInRole ? undefined : instructions,
      tail.shape,
      tail.ending,
    ]
      .filter((part) => part !== undefined && part !== "").join("\n\n");
  }
}

/** States a position as a sentence for the speaker; for a topic that is a question, names the answer to argue for. */
function caseOf(position: string): string {
  const [, side, topic] = /^(For|Against): (.+)$/s.exec(position) ?? [];
  if (topic === undefined) return `You argue for this position: ${position}`;
  if (!isQuestion(topic)) return `You argue ${side!.toLowerCase()} this: ${topic}`;
  return `You argue that the answer to this question is ${side === "For" ? "yes" : "no"}: ${topic}`;
}
