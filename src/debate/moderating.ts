// Turns of the moderator: introductions and summaries.
import english from "./moderation.en.json" with { type: "json" };
import type { Message } from "../core/message.ts";
import { fillTemplate } from "../core/prompt.ts";
import { begin, type Begun, type Protocol, say, settleWhatCan } from "../core/protocol.ts";
import type { Turn } from "../core/turn.ts";
import type { DebateRules, Exchange, Next } from "./rules.ts";

/** The introduction; none without a moderator, or where the first round's introduction comes right after it. */
export function* introduce(rules: DebateRules): Protocol<Message[]> {
  const { moderator, rounds, openings = true } = rules;
  if (moderator === undefined) return [];
  if (rules.exchange === "statements" && !openings && rounds > 0) return [];
  return [
    yield* say({
      ...introduction(rules, moderator),
      key: `opening/${moderator}`,
      phase: "opening",
      kind: "introduction",
      round: 0,
    }),
  ];
}

/** The introduction of a round of statements; none where the moderator spoke last: it never speaks twice running. */
export function* introduceRound(
  rules: DebateRules,
  round: number,
  said: readonly Message[],
): Protocol<Message[]> {
  const { moderator, templates, values } = rules;
  if (moderator === undefined || rules.exchange !== "statements") return [];
  if (said.at(-1)?.participant === moderator || (round > 1 && rules.roundSummaries)) return [];
  const place = {
    key: `round-${round}/introduction/${moderator}`,
    phase: "argument",
    kind: "round_introduction",
    round,
  };
  if (said.length === 0) return [yield* say({ ...introduction(rules, moderator), ...place })];
  return [
    yield* say({
      ...place,
      speaker: moderator,
      maxTokens: rules.caps.summary,
      task: templates.roundIntroduction,
      values,
      text: rules.templateIntroduction
        ? fillTemplate(templates.roundIntroductionText, { ...values, round: String(round) })
        : undefined,
    }),
  ];
}

/** True if the moderator sums a round up; false where its summary of the whole would come right after. */
export function sumsUpRound(
  { moderator, roundSummaries, closings = true, summary = true }: DebateRules,
  next: Next,
): boolean {
  return moderator !== undefined && roundSummaries && (next === "goes on" || closings || !summary);
}

/** The moderator's summary of a round; begun and not waited for. */
export function roundSummary(rules: DebateRules, round: number): Turn {
  const moderator = rules.moderator!;
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

/** Begins the moderator's summary of the whole, which knows its summaries of the rounds; nothing where it makes none. */
export function* summarise(
  rules: DebateRules,
  begun: readonly Begun<Message>[],
): Protocol<Begun<Message>[]> {
  const { moderator, summary = true } = rules;
  if (moderator === undefined) return [];
  const rounds = yield* settleWhatCan(begun);
  if (!summary) return [];
  const notes = rounds.flatMap((each) =>
    each.type === "message" ? [`Your summary of round ${each.round}: ${each.body}`] : []
  );
  const turn: Turn = {
    key: `summary/${moderator}`,
    speaker: moderator,
    phase: "summary",
    kind: "summary",
    round: 0,
    maxTokens: rules.caps.summary,
    task: rules.templates.summary,
    notes: notes.length === 0 ? undefined : notes.join("\n\n"),
  };
  return [yield* begin(turn)];
}

function introduction(
  rules: DebateRules,
  moderator: string,
): Pick<Turn, "speaker" | "maxTokens" | "task" | "values" | "text"> {
  const { templates, rounds, exchange = "rebuttals", openings = true, closings = true } = rules;
  const text = rounds === 0 ? templates.introductionTextWithoutRounds : templates.introductionText;
  const nextAction = courseOf({ exchange, rounds, openings, closings });
  const values = { nextAction, ...rules.values };
  return {
    speaker: moderator,
    maxTokens: rules.caps.summary,
    task: templates.introduction,
    values,
    text: rules.templateIntroduction ? fillTemplate(text, values) : undefined,
  };
}

interface Parts {
  readonly exchange: Exchange;
  readonly rounds: number;
  readonly openings: boolean;
  readonly closings: boolean;
}

/** Course of a debate in one sentence for its introduction. */
function courseOf({ exchange, rounds, openings, closings }: Parts): string {
  const parts = [
    ...(openings ? ["openings"] : []),
    ...(rounds > 0 ? ["rounds"] : []),
    ...(closings ? ["closings"] : []),
  ].join(" ");
  const course = new Map(Object.entries(english.course)).get(parts) ?? "";
  const held = fillTemplate(english.exchange[exchange], { rounds: roundsOf(rounds) });
  return fillTemplate(course, { rounds: held });
}

/** A number of rounds in words. */
export function roundsOf(rounds: number): string {
  return rounds === 1 ? "one round" : `${rounds} rounds`;
}
