// Runs one turn: asks the speaker, truncates a reply that is too long, checks it with guards, retries, and records the message.
import { type FinishReason, HUMAN, type ToolTrace } from "../core/agent.ts";
import { mostWords } from "../core/profile.ts";
import { AgentError } from "../core/error.ts";
import { eventOf } from "../core/event.ts";
import {
  type Fact,
  type Failure,
  LAST_OWN_LOOK_UP,
  type Rejection,
  THOUGHT_FIELD,
  type TurnDraft,
} from "../core/fact.ts";
import { type Guard, type GuardTools, MAX_RETRIES, type Objection } from "../core/guard.ts";
import { addUsage, type Made, type Mark, type Message, NO_USAGE, sha256 } from "../core/message.ts";
import { SpeechStream } from "../core/schema.ts";
import type { ReplyContext, Turn, TurnStructure } from "../core/turn.ts";
import { defined } from "../core/values.ts";
import { countWords, cutAtSentence, type WordRange } from "../core/words.ts";
import {
  type Asked,
  lengthInWords,
  madeWithoutUsage,
  type Place,
  readReply,
  type RunContext,
  turnInfo,
} from "./asker.ts";
import { type Called, madeOf, takeUsage } from "./caller.ts";
import { type Attempt, guardAttempt, type SpokenTurn, UNREADABLE } from "./guards.ts";
import type { Questions } from "./questions.ts";
import type { WorkflowOptions } from "./workflow_options.ts";
import { counted } from "../core/text.ts";

type TurnPlace = Pick<TurnDraft, "seq" | "turn" | "participant" | "createdAt">;
type Accepted = Pick<Attempt, "body" | "marks" | "fields" | "recorded">;
type Speech = Accepted & Pick<Attempt, "said" | "unreadable">;

/** An accepted attempt, or a template's text, before it becomes a message. */
interface AcceptedReply
  extends Made, Pick<Message, "served">, Accepted, Pick<Attempt, "toolCalls"> {
  readonly attempts: number;
  /** The model's reasoning text, if the configuration keeps it. */
  readonly reasoning?: string | undefined;
}

interface TurnsOptions {
  readonly questions: Questions;
  /** Guards that check every attempt, in order. */
  readonly guards: readonly Guard[];
  /** Called with each fact of a structured reply. */
  readonly onFact: (fact: Fact) => void;
}

export class Turns {
  readonly #run: RunContext;
  readonly #options: TurnsOptions;
  /** Look-ups of finished turns by speaker id, oldest first. */
  readonly #lookedUp: Map<string, readonly ToolTrace[]>;
  /** Final failures of this run's turns, by turn key. */
  readonly failures = new Map<string, Failure>();

  constructor(run: RunContext, options: TurnsOptions) {
    this.#run = run;
    this.#options = options;
    this.#lookedUp = Map.groupBy(lookUpsIn(run.past.facts), ({ participant }) => participant);
  }

  /** Runs one turn and returns its accepted message. Records and throws a final failure. */
  async run(spoken: SpokenTurn): Promise<Message> {
    const { turn } = spoken;
    this.#run.emitter.post({ type: "turn-start", turn: turnInfo(placeOf(spoken)) });
    if (turn.text === undefined) return await this.#attempts(spoken);
    return await this.#accept(spoken, {
      body: turn.text,
      attempts: 1,
      marks: [],
      toolCalls: [],
      ...madeWithoutUsage(this.#run, "template"),
    });
  }

  async #attempts(spoken: SpokenTurn): Promise<Message> {
    const { past, emitter } = this.#run;
    const { guards } = this.#options;
    const { key } = spoken.turn;
    const rejected = [...past.rejections(key)];
    let number = Math.max(rejected.at(-1)?.attempt ?? 0, past.find("failure", key)?.attempts ?? 0);
    let earlier = this.#lookedUpBefore(key, rejected.at(-1));
    while (true) {
      number++;
      const attempt = await this.#attempt(spoken, number, { last: rejected.at(-1), earlier })
        .catch(async (error: unknown): Promise<never> => {
          if (error instanceof AgentError) await this.#fail(spoken, error, number);
          throw error;
        });
      const tools = this.#toolsFor(spoken, attempt);
      const { found, marks } = await guardAttempt(this.#run, spoken, attempt, { guards, tools });
      await this.#recordLookUps(spoken, attempt, earlier.length);
      earlier = attempt.toolCalls;
      if (found === undefined) return await this.#accept(spoken, acceptedReply(attempt, marks));
      const { guard, objection } = found;
      const over = retriesUsed(rejected, guard, objection);
      if (over && objection.fatal !== true) {
        const mark = objection.mark ?? guard;
        return await this.#accept(spoken, acceptedReply(attempt, marks, { ...objection, mark }));
      }
      const rejection = rejectionOf(spoken, attempt, guard, objection);
      rejected.push(rejection);
      await emitter.emit({ type: "turn-reject", rejection });
      const { reason } = objection;
      emitter.post({ type: "message-reset", turn: turnInfo(placeOf(spoken)), reason });
      if (over) {
        const error = fatalError(spoken, attempt, guard);
        await this.#fail(spoken, error, number);
        throw error;
      }
    }
  }

  #toolsFor({ turn: { key }, count, seq }: SpokenTurn, { answered }: Attempt): GuardTools {
    const { answers, signal } = this.#run;
    const { questions } = this.#options;
    // A question takes time; a crash meanwhile must not lose the attempt.
    const keep = () => answers.keep(key, answered);
    return {
      ask: (question) => keep().then(() => questions.ask(question, { count })),
      consult: (question) => keep().then(() => questions.consult(question, { count }, key)),
      once: (id, options) => keep().then(() => answers.once(key, id, options)),
      seq,
      signal,
    };
  }

  /** Makes one attempt at a turn; after a rejection the prompt quotes the rejected reply and the reason. */
  async #attempt(
    spoken: SpokenTurn,
    number: number,
    { last, earlier }: {
      readonly last: Rejection | undefined;
      /** Tool calls of earlier attempts. */
      readonly earlier: readonly ToolTrace[];
    },
  ): Promise<Attempt> {
    const rejected = last &&
      { said: last.body, why: last.reason, unreadable: last.guard === UNREADABLE };
    const answered = await this.#run.asker.ask(this.#asked(spoken), number, rejected);
    const { called } = answered;
    const { text, finishReason, toolCalls: calls = [], recorded } = called.reply;
    // Numbers above the maximum belong to look-ups of fact checks.
    const toolCalls = [...earlier, ...calls].slice(0, LAST_OWN_LOOK_UP);
    const structure = structureOf(spoken);
    const isPlain = structure === undefined || finishReason === "refused" || recorded !== undefined;
    const speech = isPlain
      ? { body: text.trim(), marks: [], recorded: recorded as Attempt["recorded"] }
      : parseStructured(structure, called, this.#replyContext(spoken, toolCalls));
    const own = { ...speech, body: withoutOwnName(speech.body, spoken.member) };
    return { number, answered, toolCalls, ...speech, ...this.#cut(spoken, own, finishReason) };
  }

  /** Cuts a speech after its last whole sentence if it exceeds the length asked for by half, or was ended by the token cap. */
  #cut(
    { turn, member }: SpokenTurn,
    { body, marks, said, unreadable, recorded }: Speech,
    finishReason: FinishReason,
  ): Pick<Attempt, "body" | "marks"> {
    const isFields = (said ?? unreadable ?? recorded) !== undefined;
    const ended = finishReason === "length" && !isFields;
    const isFree = isFields || member.agent.model === HUMAN ||
      rangeOf(turn, this.#run.options) !== undefined;
    const most = isFree || turn.maxTokens === undefined ? Infinity : mostWords(turn.maxTokens);
    const words = body.length <= most ? 0 : countWords(body);
    if (!ended && words <= most) return { body, marks };
    const kept = cutAtSentence(body, Math.max(1, Math.min(most, countWords(body) - Number(ended))));
    return { body: kept, marks: [...marks, "truncated"] };
  }

  #asked(spoken: SpokenTurn): Asked {
    const { emitter, prompter, options } = this.#run;
    const { member, count } = spoken;
    const place = placeOf(spoken);
    const structure = structureOf(spoken);
    let speech = structure && new SpeechStream(structure.speech);
    return {
      ...place,
      ...requestOf(spoken, prompter.messages, options),
      purpose: "turn",
      view: { count },
      tools: member.tools,
      waits: true,
      onText: (text) => {
        const said = speech === undefined ? text : speech.add(text);
        if (said !== "") {
          emitter.pushLive({ type: "message-delta", turn: turnInfo(place), text: said });
        }
      },
      onReset: (reason) => {
        speech = structure && new SpeechStream(structure.speech);
        emitter.post({ type: "message-reset", turn: turnInfo(place), reason });
      },
    };
  }

  /** Returns the tool calls and messages that the speaker of a structured reply knew. */
  #replyContext({ member, count }: SpokenTurn, toolCalls: readonly ToolTrace[]): ReplyContext {
    const before = this.#lookedUp.get(member.id) ?? [];
    return {
      toolCalls: [...before, ...toolCalls],
      given: this.#run.prompter.messages.slice(0, count),
    };
  }

  async #fail(spoken: SpokenTurn, error: AgentError, attempts: number): Promise<void> {
    const failure: Failure = {
      type: "failure",
      ...placeInRecord(spoken),
      code: error.code,
      attempts,
      message: error.message,
      ...madeWithoutUsage(this.#run, spoken.member.agent.model),
      // This failure replaces the file of an earlier one, so it includes that usage.
      usage: addUsage(
        this.#run.past.find("failure", spoken.turn.key)?.usage ?? NO_USAGE,
        takeUsage(error),
      ),
    };
    this.failures.set(failure.turn, failure);
    await this.#run.emitter.emit({ type: "turn-fail", failure });
  }

  async #accept(spoken: SpokenTurn, said: AcceptedReply): Promise<Message> {
    const { turn, member, count } = spoken;
    const { emitter, prompter, budget } = this.#run;
    const { toolCalls, fields: _fields, recorded: _facts, reasoning: _thought, ...rest } = said;
    const previous = prompter.messages[count - 1]?.seq;
    const folded = turn.text === undefined
      ? prompter.foldedThrough({ count }, member.id)
      : undefined;
    const position = turn.position ?? member.position;
    await this.#recordFields(spoken, said);
    this.#lookedUp.set(member.id, [...this.#lookedUp.get(member.id) ?? [], ...toolCalls]);
    const message: Message = {
      type: "message",
      ...placeInRecord(spoken),
      name: member.name,
      role: member.role,
      ...defined({ position }),
      phase: turn.phase,
      kind: turn.kind,
      round: turn.round,
      ...defined({ replyTo: turn.replyTo, previous, folded }),
      ...rest,
      sha256: sha256(rest.body),
    };
    await emitter.emit({ type: "message", message, usage: budget.usage });
    if (turn.interrupts === true && turn.replyTo !== undefined) {
      const info = turnInfo(placeOf(spoken));
      emitter.post({ type: "interruption", turn: info, about: turn.replyTo });
    }
    await this.#run.asker.removeSubmission(turn.key);
    return message;
  }

  /** Records a structured reply's fields and reasoning before the message, so that a crash leaves no message without them. */
  async #recordFields(
    spoken: SpokenTurn,
    { fields, recorded = [], reasoning, toolCalls, ...said }: AcceptedReply,
  ): Promise<void> {
    const { emitter, past, budget } = this.#run;
    const place = {
      ...placeInRecord(spoken),
      ...madeOf(said),
      ...this.#replyContext(spoken, toolCalls),
    };
    const { structure } = spoken.turn;
    const facts = fields === undefined
      ? recorded.flatMap((fact) => replayed(fact, place))
      : structure?.toFacts(fields, place) ?? [];
    for (const fact of withThought(facts, reasoning, place)) {
      await emitter.emit(eventOf(fact, budget.usage));
      past.add(fact);
      this.#options.onFact(fact);
    }
  }

  /** Returns the tool calls of the attempts that were rejected before the run was interrupted. */
  #lookedUpBefore(key: string, last: Rejection | undefined): readonly ToolTrace[] {
    if (last === undefined) return [];
    // Later calls belong to the interrupted attempt, which is made again.
    return lookUpsIn(this.#run.past.facts)
      .filter(({ turn, createdAt }) => turn === key && createdAt <= last.createdAt);
  }

  /** Records an attempt's look-ups, without the first `recorded` ones, before the attempt is accepted or rejected. */
  async #recordLookUps(
    spoken: SpokenTurn,
    { toolCalls, answered }: Attempt,
    recorded: number,
  ): Promise<void> {
    // Writing the files takes time; a crash meanwhile must not lose the attempt.
    if (toolCalls.length > recorded) await this.#run.answers.keep(spoken.turn.key, answered);
    const { createdAt } = answered.called;
    for (const [index, { tool, args, failed, result }] of toolCalls.entries()) {
      if (index < recorded) continue;
      const { seq, ...place } = placeInRecord(spoken);
      const made = { tool, args, failed, result, createdAt };
      const lookup = { type: "lookup", seq, number: index + 1, ...place, ...made } as const;
      await this.#run.emitter.emit({ type: "lookup", lookup });
    }
  }
}

/** Returns the look-ups of turns by message and number, without those of fact checks. */
function lookUpsIn(facts: readonly Fact[]) {
  return facts.flatMap((fact) =>
    fact.type === "lookup" && fact.seq > 0 && fact.number <= LAST_OWN_LOOK_UP ? [fact] : []
  ).toSorted((a, b) => a.seq - b.seq || a.number - b.number);
}

/** Returns the range of words that a turn must keep to; undefined if its kind has no range. */
function rangeOf(
  { kind }: Turn,
  { words, design }: Pick<WorkflowOptions, "words" | "design">,
): WordRange | undefined {
  return design?.wordedKinds?.includes(kind) === false ? undefined : words;
}

/** Builds a turn's request: task, length in words, quoted texts, token cap and reply schema; `given` are the messages shown so far. */
export function requestOf(
  spoken: SpokenTurn,
  given: readonly Message[],
  options: WorkflowOptions,
): Pick<Asked, "task"> & Partial<Asked> {
  const { turn, count } = spoken;
  const held = rangeOf(turn, options);
  const structure = structureOf(spoken);
  return {
    task: held === undefined || turn.task.includes("{length}")
      ? turn.task
      : `${turn.task} Use {length}.`,
    ending: turn.ending,
    values: { ...turn.values, length: lengthInWords(turn.maxTokens, held) },
    excerpts: turn.excerpts,
    notes: turn.notes,
    position: turn.position,
    opponentStatement: answeredBy(turn, given, count)?.body,
    maxTokens: turn.maxTokens && turn.maxTokens + (structure?.tokens ?? 0),
    schema: structure?.schema,
  };
}

function placeOf({ turn: { key, phase, kind, round }, member, seq }: SpokenTurn): Place {
  return { key, member, seq, phase, kind, round };
}

/** Returns the fields that place a turn's facts in the record. */
function placeInRecord(
  { turn, seq, member }: SpokenTurn,
): { readonly seq: number; readonly turn: string; readonly participant: string } {
  return { seq, turn: turn.key, participant: member.id };
}

/** Returns the message that a turn answers: `replyTo`, else the latest of another speaker among the last eight messages. */
function answeredBy(
  { replyTo, speaker }: Turn,
  given: readonly Message[],
  count: number,
): Message | undefined {
  if (replyTo !== undefined) return given.findLast(({ seq }) => seq === replyTo);
  return given.slice(Math.max(0, count - 8), count)
    .findLast(({ participant }) => participant !== speaker);
}

/**
 * Removes the speaker's own name before a model's speech, `Ada: …`, `**Ada:** …` or `## Ada` on a line, and a heading above the
 * name. A heading or bold words that say more than the name are kept, and so is a replayed message.
 */
function withoutOwnName(body: string, { label, agent }: SpokenTurn["member"]): string {
  if (agent.model === HUMAN || agent.model.startsWith("replay:")) return body;
  const name = RegExp.escape(label);
  const alone = `(?:#+ +[*_]*|[*_]+)${name}[*_:]* *\\n`;
  const before = `([*_]*)${name}(?::\\1|\\1:)`;
  return body.replace(new RegExp(`^(?:#+ .*\\n\\s*)?(?:${alone}|${before})\\s*`, "u"), "") || body;
}

/** Returns the structure of the requested reply; undefined for plain text and for people, who always reply with plain text. */
function structureOf({ turn, member }: SpokenTurn): Turn["structure"] {
  return member.agent.model === HUMAN ? undefined : turn.structure;
}

/** Splits a structured reply into body and fields. For an unreadable reply the body is the part of the speech that was received. */
function parseStructured(
  { schema, speech, render }: TurnStructure,
  called: Called,
  context: ReplyContext,
): Speech {
  const { text, finishReason } = called.reply;
  const reading = readReply(called, schema);
  const stream = new SpeechStream(speech);
  if (reading.problem !== undefined || render !== undefined) stream.add(text);
  if (reading.problem === undefined) {
    const fields = reading.value;
    return render === undefined
      ? { body: String(fields[String(speech)] ?? "").trim(), marks: [], fields }
      : { body: render(fields, context).trim(), marks: [], fields, said: stream.text.trim() };
  }
  return {
    body: stream.text.trim() || text.trim(),
    marks: finishReason === "length" ? ["truncated"] : [],
    unreadable: reading.problem,
  };
}

/** True if a turn has used all its retries, or those of this guard. */
function retriesUsed(
  rejected: readonly Rejection[],
  guard: string,
  { maxRetries = MAX_RETRIES }: Objection,
): boolean {
  return rejected.length >= MAX_RETRIES ||
    rejected.filter((each) => each.guard === guard).length >= maxRetries;
}

function acceptedReply(
  { number, answered: { called }, body, fields, recorded, marks, toolCalls }: Attempt,
  warned: readonly Mark[],
  objection?: Objection,
): AcceptedReply {
  const { reasoning, served = {} } = called.reply;
  return {
    body: objection?.replacement ?? body,
    attempts: number,
    marks: [...marks, ...warned, ...objection?.mark === undefined ? [] : [objection.mark]],
    fields,
    recorded,
    toolCalls,
    ...madeOf(called),
    reasoning,
    ...(Object.keys(served).length === 0 ? {} : { served }),
  };
}

/** Returns a fact of a replayed turn as a fact of this turn, without usage and reasoning; none for a draft of reasoning alone. */
function replayed(fact: Fact, { seq, turn, participant, createdAt }: TurnPlace): readonly Fact[] {
  if (fact.type === "own") {
    const { type, kind, key, value, body } = fact;
    return [{ type, kind, key, message: seq, value, body, createdAt }];
  }
  const moved = { ...fact, seq, turn, participant, createdAt };
  if (moved.type !== "draft") return [moved as Fact];
  const { [THOUGHT_FIELD]: _thought, ...fields } = moved.fields;
  return Object.keys(fields).length === 0 ? [] : [{ ...moved, fields }];
}

/** Adds the reasoning text to a turn's facts: to the draft if there is one, else in a new draft. */
function withThought(
  facts: readonly Fact[],
  thought = "",
  { seq, turn, participant, createdAt }: TurnPlace,
): readonly Fact[] {
  if (thought.trim() === "") return facts;
  const draft = facts.find((fact) => fact.type === "draft");
  const fields = { [THOUGHT_FIELD]: thought.trim(), ...draft?.fields };
  const kept: TurnDraft = { type: "draft", seq, turn, participant, createdAt, fields };
  return [kept, ...facts.filter((fact) => fact !== draft)];
}

function rejectionOf(
  spoken: SpokenTurn,
  { answered: { called }, body, number }: Attempt,
  guard: string,
  { reason, usage = NO_USAGE }: Objection,
): Rejection {
  return {
    type: "rejected",
    ...placeInRecord(spoken),
    attempt: number,
    guard,
    reason,
    // The reason names fields, which a speech does not have.
    body: guard === UNREADABLE ? called.reply.text.trim() : body,
    ...madeOf(called),
    usage: addUsage(called.usage, usage),
  };
}

function fatalError({ turn, member }: SpokenTurn, { number }: Attempt, guard: string): AgentError {
  const state = guard === "refused"
    ? "the provider refused it"
    : guard === UNREADABLE || guard === "empty"
    ? `its reply was ${guard}`
    : `guard "${guard}" rejected its reply`;
  return new AgentError(
    guard === "refused" ? "agent_refused" : "agent_bad_reply",
    `Cannot get turn "${turn.key}" from ${member.label} (model "${member.agent.model}"): ${state} in ${
      counted(number, "attempt")
    }`,
    { hint: "Resume to try the turn again, or use another model." },
  );
}
