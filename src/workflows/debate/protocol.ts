import type { Verdict } from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import { fillTemplate, type PlaceholderValues } from "../../core/prompt.ts";
import {
  begin,
  beginAsk,
  type Begun,
  type Protocol,
  say,
  settle,
  settleWhatCan,
} from "../../core/protocol.ts";
import type { Question, Turn } from "../../core/turn.ts";
import type { DebateTemplates } from "./prompts.ts";

/** One side of a debate, as the protocol needs it. */
export interface Side {
  /** The advocate's id. */
  readonly id: string;
  /** How prompts name the advocate. */
  readonly label: string;
  /** What the advocate stands for. */
  readonly position: string;
}

/** The rules of one debate, as data. */
export interface DebateRules {
  /** The moderator's id, where there is one. */
  readonly moderator?: string | undefined;
  /** Two or more, in speaking order. */
  readonly advocates: readonly Side[];
  /** How many rounds of argument; 0 goes from the openings to the closings. */
  readonly rounds: number;
  /** Whether openings are written at once, none seeing another. */
  readonly blindOpenings: boolean;
  /** Whether all argue at once, then all rebut, and close, at once. */
  readonly simultaneous: boolean;
  /** Whether who opened last closes first. */
  readonly reversedClosings: boolean;
  /** Whether the moderator sums up each round, alongside. */
  readonly roundSummaries: boolean;
  /** Whether the introduction is a template's text. */
  readonly templateIntroduction: boolean;
  /** The most tokens of each kind of turn. */
  readonly caps: {
    readonly opening: number;
    readonly argument: number;
    readonly closing: number;
    readonly summary: number;
  };
  /** What each kind of turn is asked. */
  readonly templates: DebateTemplates;
  /** Values that fill the introduction's text. */
  readonly values: PlaceholderValues;
  /** The judges' questions once the closings are in. */
  readonly verdicts: (speeches: readonly Message[]) => readonly Question<unknown, Verdict>[];
}

/** What a debate comes to. */
export interface DebateOutcome {
  /** The moderator's summary, where there is a moderator. */
  readonly summary?: Message | undefined;
  /** The judges' answers to the closing questions. */
  readonly verdicts: readonly Verdict[];
}

/** A debate, from the introduction to the summary (protocols.md, "Debate"). */
export function* debate(rules: DebateRules): Protocol<DebateOutcome> {
  const speeches: Message[] = [];
  const summaries: Begun<Message>[] = [];
  if (rules.moderator !== undefined) yield* introduce(rules, rules.moderator);
  speeches.push(...yield* open(rules));
  for (let round = 1; round <= rules.rounds; round++) {
    speeches.push(...yield* argue(rules, round));
    if (rules.moderator !== undefined && rules.roundSummaries) {
      summaries.push(yield* begin(roundSummary(rules, rules.moderator, round)));
    }
  }
  speeches.push(...yield* close(rules));
  const verdicts: Begun<Verdict>[] = [];
  for (const question of rules.verdicts(speeches)) verdicts.push(yield* beginAsk(question));
  const summary = rules.moderator === undefined
    ? undefined
    : yield* summarise(rules, rules.moderator, summaries);
  return { summary, verdicts: yield* settle(verdicts) };
}

function* introduce(rules: DebateRules, moderator: string): Protocol<Message> {
  const { templates, values, rounds } = rules;
  const text = rounds === 0 ? templates.introductionTextWithoutRounds : templates.introductionText;
  return yield* say({
    key: `opening/${moderator}`,
    speaker: moderator,
    phase: "opening",
    kind: "introduction",
    round: 0,
    maxTokens: rules.caps.summary,
    task: templates.introduction,
    values,
    text: rules.templateIntroduction ? fillTemplate(text, values) : undefined,
  });
}

function open(rules: DebateRules): Protocol<Message[]> {
  const turns = rules.advocates.map((side) => ({
    ...turnOf(side, "opening", "opening_statement", 0),
    maxTokens: rules.caps.opening,
    task: rules.blindOpenings ? rules.templates.opening : rules.templates.openingInTurn,
  }));
  return rules.blindOpenings ? together(turns) : inTurn(turns);
}

/** One round: each advocate argues and every opponent rebuts it, in turn or all at once. */
function* argue(rules: DebateRules, round: number): Protocol<Message[]> {
  if (rules.simultaneous) {
    const said = yield* together(rules.advocates.map((side) => argument(rules, side, round)));
    const answered = rules.advocates.flatMap((side, index) =>
      opponents(rules, side).map((opponent) => rebuttal(rules, opponent, side, said[index]!))
    );
    return [...said, ...yield* together(answered)];
  }
  const said: Message[] = [];
  for (const side of rules.advocates) {
    const message = yield* say(argument(rules, side, round));
    said.push(message);
    for (const opponent of opponents(rules, side)) {
      said.push(yield* say(rebuttal(rules, opponent, side, message)));
    }
  }
  return said;
}

function close(rules: DebateRules): Protocol<Message[]> {
  const order = rules.reversedClosings ? rules.advocates.toReversed() : rules.advocates;
  const turns = order.map((side) => ({
    ...turnOf(side, "closing", "closing_statement", 0),
    maxTokens: rules.caps.closing,
    task: rules.templates.closing,
  }));
  return rules.simultaneous ? together(turns) : inTurn(turns);
}

function* summarise(
  rules: DebateRules,
  moderator: string,
  begun: readonly Begun<Message>[],
): Protocol<Message> {
  const rounds = yield* settleWhatCan(begun);
  const notes = rounds.flatMap((each) =>
    each.type === "message" ? [`Your summary of round ${each.round}: ${each.body}`] : []
  );
  return yield* say({
    key: `summary/${moderator}`,
    speaker: moderator,
    phase: "summary",
    kind: "summary",
    round: 0,
    maxTokens: rules.caps.summary,
    task: rules.templates.summary,
    notes: notes.length === 0 ? undefined : notes.join("\n\n"),
  });
}

function* together(turns: readonly Turn[]): Protocol<Message[]> {
  const begun: Begun<Message>[] = [];
  for (const turn of turns) begun.push(yield* begin(turn));
  return yield* settle(begun);
}

function* inTurn(turns: readonly Turn[]): Protocol<Message[]> {
  const said: Message[] = [];
  for (const turn of turns) said.push(yield* say(turn));
  return said;
}

function opponents({ advocates }: DebateRules, side: Side): Side[] {
  return advocates.filter(({ id }) => id !== side.id);
}

function argument(rules: DebateRules, side: Side, round: number): Turn {
  return {
    ...turnOf(side, "argument", "argument", round),
    key: `round-${round}/argument/${side.id}`,
    maxTokens: rules.caps.argument,
    task: rules.templates.argument,
  };
}

function rebuttal(rules: DebateRules, side: Side, opponent: Side, answered: Message): Turn {
  return {
    ...turnOf(side, "argument", "rebuttal", answered.round),
    key: `round-${answered.round}/rebuttal/${side.id}/${opponent.id}`,
    replyTo: answered.seq,
    maxTokens: rules.caps.argument,
    task: rules.templates.rebuttal,
    values: { opponent: opponent.label, answered: String(answered.seq) },
  };
}

function roundSummary(rules: DebateRules, moderator: string, round: number): Turn {
  return {
    key: `round-${round}/summary/${moderator}`,
    speaker: moderator,
    phase: "argument",
    kind: "round_summary",
    round,
    maxTokens: rules.caps.summary,
    task: rules.templates.roundSummary,
    aside: true,
  };
}

function turnOf(
  { id }: Side,
  phase: string,
  kind: string,
  round: number,
): Pick<Turn, "key" | "speaker" | "phase" | "kind" | "round"> {
  return { key: `${phase}/${id}`, speaker: id, phase, kind, round };
}
