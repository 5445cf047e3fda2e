import { type AgentRequest, type ChatMessage, HUMAN, type RequestContext } from "../core/agent.ts";
import { AgentError } from "../core/error.ts";
import type { TurnInfo } from "../core/event.ts";
import { LAST_OWN_LOOK_UP, type Rejection } from "../core/fact.ts";
import type { ToolTrace } from "../core/tool.ts";
import { countWords, cutAtSentence } from "../core/words.ts";
import { addUsage, type Mark, type Message } from "../core/message.ts";
import { INTERJECTION } from "../core/past.ts";
import { quoted } from "../core/prompt.ts";
import { SpeechStream } from "../core/speech_stream.ts";
import { readStructured } from "../core/structured.ts";
import type { Fields, ReplySight, Turn, TurnStructure } from "../core/turn.ts";
import type { Answered } from "./answers.ts";
import { LimitStop } from "../core/limit.ts";
import type { Called } from "./caller.ts";
import type { Desk } from "./desk.ts";
import type { Party } from "./party.ts";

/** The most tokens of the words that finish a reply that was cut off. */
const CONCLUSION_TOKENS = 80;

/** A turn that was given its number and what it may see. */
export interface SeatedTurn {
  readonly turn: Turn;
  readonly party: Party;
  readonly seq: number;
  /** How many messages its speaker had been given. */
  readonly count: number;
}

/** One attempt, as the guards see it. */
export interface Attempt {
  readonly number: number;
  readonly called: Called;
  /** What was asked and answered for it, of which `called` is the sum. */
  readonly answered: readonly Answered[];
  readonly body: string;
  readonly marks: readonly Mark[];
  /** Every call of a tool so far, those of earlier attempts included. */
  readonly toolCalls: readonly ToolTrace[];
  /** The fields of a structured reply. */
  readonly fields?: Fields | undefined;
  /** The speaker's own words, where the body shows more than they: what was found of them. */
  readonly said?: string | undefined;
  /** Why a structured reply could not be read. */
  readonly unreadable?: string | undefined;
}

/** Asks a turn's speaker, and has a reply that was cut off concluded. */
export class TurnAsker {
  readonly #desk: Desk;

  /** An asker for one run. */
  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** One attempt at a turn; after a rejection it is told what was wrong. */
  async attempt(
    seated: SeatedTurn,
    number: number,
    { last, earlier }: {
      readonly last: Rejection | undefined;
      /** The calls of tools in earlier attempts. */
      readonly earlier: readonly ToolTrace[];
    },
  ): Promise<Attempt> {
    const { prompter } = this.#desk;
    const { turn, party, count } = seated;
    const answered = this.#answered(seated);
    const prompt = await prompter.build({ count }, {
      party,
      phase: turn.phase,
      round: turn.round,
      task: turn.task + this.#desk.wordsAsked(turn),
      values: turn.values,
      notes: turn.notes,
      position: turn.position,
      opponentStatement: answered?.body,
    });
    const messages = last === undefined ? prompt : [...prompt, ...retryMessages(last)];
    const asked = await this.#call(seated, number, messages);
    const { called } = asked;
    // Further calls have no number among the look-ups of the turn.
    const toolCalls = [...earlier, ...called.reply.toolCalls ?? []].slice(0, LAST_OWN_LOOK_UP);
    const structure = structureOf(seated);
    if (structure !== undefined && called.reply.finishReason !== "refused") {
      const before = this.#desk.lookedUp.get(party.id) ?? [];
      const given = prompter.messages.slice(0, count);
      const sight = { toolCalls: [...before, ...toolCalls], given };
      const answered = [asked];
      return { ...structured(structure, called, sight), number, called, answered, toolCalls };
    }
    const attempt = {
      number,
      called,
      answered: [asked],
      body: called.reply.text.trim(),
      marks: [],
      toolCalls,
    };
    return called.reply.finishReason === "length"
      ? await this.#conclude(seated, attempt, messages)
      : attempt;
  }

  /** Finishes a reply that was cut off at its token limit: asks once to conclude, and marks it. */
  async #conclude(
    seated: SeatedTurn,
    attempt: Attempt,
    messages: readonly ChatMessage[],
  ): Promise<Attempt> {
    const { called, body } = attempt;
    if (body === "") return attempt;
    await this.#desk.answers.keep(seated.turn.key, ...attempt.answered);
    const conclusion = await this.#conclusion(seated, attempt.number, [
      ...messages,
      { role: "assistant", content: body },
      {
        role: "user",
        content:
          "Your reply was cut off here. Finish the last sentence, going on exactly where it " +
          "stops, and conclude in one short sentence. Write only the continuation.",
      },
    ]);
    if (conclusion === undefined) {
      const whole = cutAtSentence(body, Math.max(1, countWords(body) - 1));
      return { ...attempt, body: whole, marks: ["truncated"] };
    }
    const { called: more } = conclusion;
    const whole = joined(called.reply.text, more.reply.text);
    const cut = more.reply.finishReason === "length" ||
      more.reply.text.trim() === "";
    return {
      ...attempt,
      answered: [...attempt.answered, conclusion],
      called: {
        ...more,
        usage: addUsage(called.usage, more.usage),
        latencyMs: called.latencyMs + more.latencyMs,
        reply: {
          ...more.reply,
          toolCalls: called.reply.toolCalls,
          finishReason: "stop",
        },
      },
      body: cut ? cutAtSentence(whole, Math.max(1, countWords(whole) - 1)) : whole,
      marks: cut ? ["concluded", "truncated"] : ["concluded"],
    };
  }

  /** The words that finish a reply; undefined where they cannot be had: what was said and paid for stays. */
  async #conclusion(
    seated: SeatedTurn,
    attempt: number,
    messages: readonly ChatMessage[],
  ): Promise<Answered | undefined> {
    try {
      return await this.#call(seated, attempt, messages, CONCLUSION_TOKENS);
    } catch (error) {
      if (error instanceof AgentError || error instanceof LimitStop) return undefined;
      throw error;
    }
  }

  async #call(
    { turn, party, seq, count }: SeatedTurn,
    attempt: number,
    messages: readonly ChatMessage[],
    maxTokens: number | undefined = turn.maxTokens,
  ): Promise<Answered> {
    const { emitter, answers } = this.#desk;
    const info = turnInfo({ turn, party, seq, count });
    const about = this.#about(turn, count);
    const context: RequestContext = this.#desk.context(party, {
      key: turn.key,
      purpose: "turn",
      seq,
      phase: turn.phase,
      kind: turn.kind,
      round: turn.round,
      attempt,
      about,
      words: this.#desk.wordsFor(turn),
      data: turn.data,
    }, turn.position);
    const show = (text: string) => emitter.show({ type: "message-delta", turn: info, text });
    const structure = structureOf({ turn, party });
    let speech = structure && new SpeechStream(structure.speech);
    const request: AgentRequest = {
      messages,
      context,
      maxTokens,
      temperature: party.temperature,
      tools: party.tools,
      rounds: party.tools && answers.rounds(turn.key, { context, messages }),
      schema: structure?.schema,
      onDelta: (text) => {
        const said = speech === undefined ? text : speech.add(text);
        if (said !== "") show(said);
      },
      hear: () =>
        this.#desk.hear(info, {
          task: turn.task + this.#desk.wordsAsked(turn),
          values: turn.values,
        }),
    };
    const called = await this.#desk.call(party, request, {
      onReset: (reason) => {
        speech = structure && new SpeechStream(structure.speech);
        emitter.tell({ type: "message-reset", turn: info, reason });
      },
    });
    return { request, called };
  }

  /** What the turn answers or looks back on: the message it replies to and an interjection since, its round, everything, or the latest. */
  #about(turn: Turn, count: number): readonly Message[] {
    const given = this.#desk.prompter.messages;
    if (turn.about !== undefined) {
      const about = new Set(turn.about);
      return given.slice(0, count).filter(({ seq }) => about.has(seq));
    }
    if (turn.replyTo !== undefined) {
      const answered = given.findLast(({ seq }) => seq === turn.replyTo)!;
      const last = given[count - 1];
      return last?.kind === INTERJECTION && last !== answered ? [answered, last] : [answered];
    }
    if (turn.kind === "round_summary") {
      return given.slice(0, count).filter(({ round }) => round === turn.round);
    }
    const whole = turn.kind === "summary" || turn.kind === "closing_statement";
    return given.slice(whole ? 0 : Math.max(0, count - 4), count)
      .filter(({ role, participant }) => role !== "moderator" || participant === turn.speaker);
  }

  #answered({ turn, count }: SeatedTurn): Message | undefined {
    const given = this.#desk.prompter.messages;
    if (turn.replyTo !== undefined) {
      return given.findLast(({ seq }) => seq === turn.replyTo);
    }
    for (let i = count - 1; i >= Math.max(0, count - 8); i--) {
      if (given[i]!.participant !== turn.speaker) return given[i];
    }
    return undefined;
  }
}

/** Where a turn stands, as events tell it. */
export function turnInfo({ turn, party, seq }: SeatedTurn): TurnInfo {
  const { key, phase, kind, round } = turn;
  return {
    seq,
    turn: key,
    participant: party.id,
    name: party.name,
    phase,
    kind,
    round,
  };
}

/** What the retry is told: its own last words, and what was wrong with them. */
function retryMessages({ body, reason }: Rejection): ChatMessage[] {
  return [
    { role: "assistant", content: body === "" ? "(nothing)" : body },
    {
      role: "user",
      content: `That was turned down. ${quoted(reason)}\nWrite the whole reply again.`,
    },
  ];
}

/** The fields of the reply that is asked for; a person just speaks. */
function structureOf({ turn, party }: Pick<SeatedTurn, "turn" | "party">): Turn["structure"] {
  return party.agent.model === HUMAN ? undefined : turn.structure;
}

/** A structured reply, taken apart; what cannot be read is said as far as its speech came through. */
function structured(
  { schema, speech, render }: TurnStructure,
  { reply: { text, finishReason } }: Called,
  sight: ReplySight,
): Pick<Attempt, "body" | "marks" | "fields" | "said" | "unreadable"> {
  const reading = readStructured(text, schema.type);
  const stream = new SpeechStream(speech);
  if (reading.problem !== undefined || render !== undefined) stream.add(text);
  if (reading.problem === undefined) {
    const fields = reading.value;
    return render === undefined
      ? { body: String(fields[String(speech)] ?? "").trim(), marks: [], fields }
      : { body: render(fields, sight).trim(), marks: [], fields, said: stream.text.trim() };
  }
  const cut = finishReason === "length"
    ? "The reply was cut off at its token limit: be shorter. "
    : "";
  return {
    body: stream.text.trim() || text.trim(),
    marks: finishReason === "length" ? ["truncated"] : [],
    unreadable: `${cut}${reading.problem}`,
  };
}

function joined(start: string, rest: string): string {
  const glue = /\s$/.test(start) || /^[\s.,;:!?…)]/.test(rest) || rest === "" ? "" : " ";
  return (start + glue + rest).trim();
}
