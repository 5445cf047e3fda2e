// Asks the structured questions of one run, retries an unreadable reply once, and records the answers as facts.
import { untilAborted } from "../core/clock.ts";
import { AgentError, CancelledError, errorMessage, TurnOrderError } from "../core/error.ts";
import { eventOf } from "../core/event.ts";
import type { Choice, Fact, Thought } from "../core/fact.ts";
import { addUsage, NO_USAGE, type Usage } from "../core/message.ts";
import { withQuestionKey } from "../core/record.ts";
import type { Answer, Consultation, Question } from "../core/turn.ts";
import type { Agent } from "../core/agent.ts";
import { readStructured } from "../core/schema.ts";
import { madeWithoutUsage, readReply, type RunContext } from "./asker.ts";
import { type Called, madeOf, takeUsage, withUsageOfBoth } from "./caller.ts";
import type { CastMember } from "../core/participant.ts";
import type { TranscriptView } from "./prompter.ts";

export class Questions {
  readonly #run: RunContext;
  /** Facts without an answer, by question key, not recorded yet; `later` is the error if the judge may answer on a resume. */
  readonly #unanswered = new Map<string, { readonly fact: Fact; readonly later?: AgentError }>();
  /** Number of choices asked before each message, by message number. */
  readonly #numbers = new Map<number, number>();
  /** Unreadable first replies by question key: their usage is recorded even if the second attempt fails. */
  readonly #unread = new Map<string, Called>();
  /** Reasoning texts of answers by question key, until they are recorded. */
  readonly #thoughts = new Map<string, string[]>();

  constructor(run: RunContext) {
    this.#run = run;
  }

  /**
   * Returns the fact of a question, from the record if it holds the answer. If the agent fails, returns a fact without a value,
   * which is recorded only when the protocol or the run continues without an answer: see {@linkcode recordUnanswered}.
   */
  async ask<T, F extends Fact>(question: Question<T, F>, view: TranscriptView): Promise<F> {
    const number = this.#numberFor(question);
    const before = this.#run.past.recall(question);
    if (before !== undefined) {
      await this.#run.answers.drop(question.key);
      return before;
    }
    const member = this.#memberFor(question);
    const keptUsage = this.#run.answers.keptUsage(question.key);
    if (keptUsage !== undefined) this.#run.budget.spend(keptUsage);
    try {
      const { recorded, ...answer } = await this.#answer(question, member, view);
      const usage = addUsage(answer.usage, keptUsage ?? NO_USAGE);
      const made = withQuestionKey(question.toFact({ ...answer, usage }, number), question.key);
      const bare = made.type === "choice" ? { ...made, ...recorded } : made;
      const fact = await this.#withCaveats(bare, question, { member, view });
      await this.#record(question.key, fact);
      await this.#run.asker.removeSubmission(question.key);
      await this.#recordThought(question, view);
      return fact;
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      const used = addUsage(takeUsage(error), keptUsage ?? NO_USAGE);
      const answer = this.#problemAnswer(question, member, { problem: error.message, used });
      const fact = withQuestionKey(question.toFact(answer, number), question.key);
      const isJudged = fact.type === "score" || fact.type === "verdict";
      const later = isJudged && isTemporary(error) ? error : undefined;
      if (later !== undefined) await this.#run.answers.keepUsage(question.key, used);
      this.#unanswered.set(question.key, { fact, ...later && { later } });
      return fact;
    }
  }

  /**
   * Asks a question whose answer is not a fact of its own. The answer is stored until the turn `of` is finished. If the agent
   * fails, the answer holds the problem.
   */
  async consult<T>(
    question: Consultation<T>,
    view: TranscriptView,
    of: string,
  ): Promise<Answer<T>> {
    const member = this.#memberFor(question);
    try {
      const answer = await this.#answer(question, member, view, of);
      const removal = this.#run.asker.removeSubmission(question.key);
      if (removal !== undefined) await removal;
      await this.#recordThought(question, view);
      const folded = this.#run.prompter.foldedThrough(view, member.id);
      return question.alone === true || folded === undefined ? answer : { ...answer, folded };
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      const used = takeUsage(error);
      const answer = this.#problemAnswer(question, member, { problem: error.message, used });
      return { ...answer, failed: error, ...isTemporary(error) && { later: error } };
    }
  }

  /** True for the fact of a question that was not answered, if the fact is not recorded. */
  isUnanswered(fact: Fact): boolean {
    return [...this.#unanswered.values()].some((each) => each.fact === fact);
  }

  /** Throws the error of a judge that may answer later, so that the run fails and a resume asks the judge again. */
  check(keys: Iterable<string> = this.#unanswered.keys()): void {
    for (const key of keys) {
      const later = this.#unanswered.get(key)?.later;
      if (later !== undefined) throw later;
    }
  }

  /**
   * Records that questions have no answer before the protocol continues without one, so that a resume replays the same. Throws
   * like {@linkcode check}, before anything is recorded.
   */
  async recordUnanswered(keys: readonly string[] = [...this.#unanswered.keys()]): Promise<void> {
    this.check(keys);
    for (const key of keys) {
      const fact = this.#unanswered.get(key)?.fact;
      if (fact === undefined) continue;
      this.#unanswered.delete(key);
      await this.#record(key, fact);
    }
  }

  /** Adds to a verdict or score what its judge's prompt lacked, and the judge's known biases. */
  async #withCaveats<F extends Fact>(
    fact: F,
    { record, notes }: Question,
    { member, view }: { readonly member: CastMember; readonly view: TranscriptView },
  ): Promise<F> {
    const { prompter } = this.#run;
    if (fact.type !== "verdict" && fact.type !== "score") return fact;
    if (record !== undefined) {
      const { shortened } = await prompter.recordFor(record, view, { member, notes });
      const profile = await this.#run.biasesOf(member.agent.model);
      return {
        ...fact,
        ...shortened === 0 ? {} : { shortened },
        ...profile.length === 0 ? {} : { profile },
      };
    }
    const folded = prompter.foldedThrough(view, member.id);
    return folded === undefined ? fact : { ...fact, folded };
  }

  #memberFor({ key, asked }: Consultation): CastMember {
    const { cast } = this.#run;
    const member = cast.get(asked);
    if (member !== undefined) return member;
    throw new TurnOrderError(
      `Cannot ask "${key}": "${asked}" is neither a participant nor a judge`,
      { hint: `Known: ${[...cast.keys()].join(", ")}` },
    );
  }

  #problemAnswer(
    { key }: Consultation,
    { agent: { model } }: CastMember,
    { problem, used }: { readonly problem: string; readonly used: Usage },
  ): Answer<never> {
    const { usage = NO_USAGE, latencyMs = 0, reply } = this.#unread.get(key) ?? {};
    const made = { ...madeWithoutUsage(this.#run, model), usage: addUsage(usage, used), latencyMs };
    return { ...made, problem, text: reply?.text ?? "" };
  }

  /** Returns the number of a choice among those before one message, in the order of asking; 1 for other questions. */
  #numberFor({ key, seq }: Pick<Question, "key" | "seq">): number {
    if (seq === undefined) return 1;
    let number = (this.#numbers.get(seq) ?? 0) + 1;
    while (this.#run.past.isTaken(seq, number, key)) number++;
    this.#numbers.set(seq, number);
    return number;
  }

  async #record(key: string, fact: Fact): Promise<void> {
    await this.#run.emitter.emit(eventOf(fact, this.#run.budget.usage));
    await this.#run.answers.drop(key);
  }

  /** Records an answer's reasoning after the answer is stored, so that a crash leaves no reasoning of a lost answer. */
  async #recordThought({ key, asked }: Consultation, { count, then }: TranscriptView) {
    const thoughts = this.#thoughts.get(key);
    if (thoughts === undefined) return;
    this.#thoughts.delete(key);
    const { emitter, past, prompter, budget, now } = this.#run;
    const message = (then ?? prompter.messages[count - 1])?.seq ?? 0;
    const fact: Thought = {
      type: "thought",
      key,
      message,
      participant: asked,
      body: thoughts.join("\n\n"),
      createdAt: now(),
    };
    if (past.has(fact)) return;
    past.note(fact);
    await emitter.emit(eventOf(fact, budget.usage));
  }

  /** Gets the answer from a program or the agent, with one retry. `of` is the turn under which an answer without a fact is stored. */
  async #answer<T>(
    question: Consultation<T>,
    member: CastMember,
    view: TranscriptView,
    of?: string,
  ): Promise<Answer<T> & { readonly recorded?: Pick<Choice, "value" | "reasons"> }> {
    const computed = await computedBy(member.agent, question, this.#run.signal);
    if (computed !== undefined) {
      return { ...madeWithoutUsage(this.#run, member.agent.model), ...computed };
    }
    const { answers, asker } = this.#run;
    const { key, schema } = question;
    const asked = { ...question, member, view, purpose: "question", seq: 0, waits: true } as const;
    const first = await asker.ask(asked, 1);
    this.#noteReasoning(key, first.called);
    const { text: said, recorded = [] } = first.called.reply;
    const [choice] = recorded as readonly Fact[];
    if (choice?.type === "choice") {
      const { value, reasons } = choice;
      return { ...madeOf(first.called), text: said, recorded: { value, reasons } };
    }
    const reading = readReply(first.called, schema);
    const isRejected = reading.problem !== undefined;
    // Rejected words of a person must not answer again after a crash.
    if (isRejected) await asker.removeSubmission(key);
    if (of !== undefined || isRejected) await answers.keep(of ?? key, first);
    if (reading.problem === undefined) {
      return { ...madeOf(first.called), text: said, value: reading.value };
    }
    this.#unread.set(key, first.called);
    const rejected = { said, why: reading.problem, unreadable: true };
    const second = await asker.ask(asked, 2, rejected);
    this.#noteReasoning(key, second.called);
    if (of !== undefined) await answers.keep(of, second);
    const { called } = second;
    const both = { ...madeOf(withUsageOfBoth(first.called, called)), text: called.reply.text };
    return { ...both, ...readReply(called, schema) };
  }

  #noteReasoning(key: string, { reply: { reasoning = "" } }: Called): void {
    if (this.#run.options.keepReasoning !== true || reasoning.trim() === "") return;
    this.#thoughts.getOrInsert(key, []).push(reasoning.trim());
  }
}

/** True if the same request may succeed later: the server is busy or unreachable. */
function isTemporary({ code, retryable }: AgentError): boolean {
  return code === "agent_rate_limited" ||
    retryable && (code === "agent_unreachable" || code === "agent_timeout");
}

/** Returns the checked answer of the question's `compute` function; undefined if the agent must be asked. */
async function computedBy<T>(
  agent: Agent,
  { key, schema, compute }: Consultation<T>,
  signal: AbortSignal,
): Promise<Pick<Answer<T>, "value" | "problem" | "text"> | undefined> {
  try {
    const value = await (compute && untilAborted(compute(agent), signal));
    if (value === undefined) {
      if (compute === undefined || agent.scoring === undefined) return undefined;
      throw new Error("the scoring program returned nothing");
    }
    const text = JSON.stringify(value);
    return { text, ...readStructured(text, schema.type) };
  } catch (error) {
    if (signal.aborted) throw new CancelledError(signal.reason);
    throw new AgentError("agent_bad_reply", `Cannot compute "${key}": ${errorMessage(error)}`, {
      cause: error,
    });
  }
}
