// The protocol of a debate: openings, rounds, closings, verdicts and summary.
import type { Fact, Verdict } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import {
  begin,
  beginQuestions,
  beginTurns,
  type Begun,
  type Protocol,
  results,
  say,
  settle,
} from "../core/protocol.ts";
import type { Turn } from "../core/turn.ts";
import { decide } from "../judging/panels.ts";
import { withNotes } from "./note_taker.ts";
import {
  interrupt,
  introduce,
  introduceRound,
  reviewRound,
  roundSummary,
  summarise,
  sumsUpRound,
} from "./moderating.ts";
import {
  type DebateOutcome,
  type DebateRules,
  isSpeech,
  type NextStep,
  type Side,
  turnOf,
  withStructure,
} from "./rules.ts";

/** Returns the protocol of a debate, from the introduction to the outcome (context-network/rules/debate.md). */
export function debate(rules: DebateRules): Protocol<DebateOutcome> {
  return rules.flow === true ? withNotes(phases(rules), rules.advocates) : phases(rules);
}

function* phases(rules: DebateRules): Protocol<DebateOutcome> {
  const said: Message[] = [];
  const summaries: Begun<Message>[] = [];
  const before = yield* beginQuestions(rules.before ?? []);
  if (rules.waitsForBefore === true) yield* settle<Fact>(before);
  said.push(...yield* introduce(rules));
  said.push(...yield* open(rules));
  let round = 0;
  let next: NextStep = rules.rounds > 0 ? "continue" : "end";
  while (next === "continue") {
    round++;
    said.push(...yield* introduceRound(rules, round, said));
    said.push(...yield* argue(rules, round, said));
    next = yield* reviewRound(rules, round, said);
    if (sumsUpRound(rules, next)) summaries.push(yield* begin(roundSummary(rules, round)));
  }
  said.push(...yield* close(rules));
  // Judges that are shown fact checks or notes are asked after the last of these; the summary does not wait.
  const { judgesAfter } = rules;
  const early = judgesAfter === undefined ? yield* beginQuestions(rules.verdicts([], said)) : [];
  // A listener is shown what the same listener held before.
  const earlier = before.length === 0 ? [] : yield* settle<Fact>(before);
  const after = yield* beginQuestions(rules.after?.(said, earlier) ?? []);
  const summing = yield* summarise(rules, summaries);
  const facts = judgesAfter === undefined ? [] : yield* results(judgesAfter);
  const late = judgesAfter === undefined ? [] : yield* beginQuestions(rules.verdicts(facts, said));
  const [summary] = yield* settle(summing);
  const answers = yield* settle<Fact>([...early, ...late, ...after]);
  const verdicts = answers.filter((fact): fact is Verdict => fact.type === "verdict");
  const isTied = decide(verdicts, []).winner === null;
  const tiebreak = yield* beginQuestions(isTied ? rules.tiebreak?.(facts, said) ?? [] : []);
  return {
    summary,
    verdicts: tiebreak.length === 0 ? verdicts : [...verdicts, ...yield* settle(tiebreak)],
    rounds: round,
    nothingNew: next === "nothing new",
  };
}

/** Yields the opening statements, if any: concurrently if blind, else one after the other. */
function* open(rules: DebateRules): Protocol<Message[]> {
  if (rules.openings === false) return [];
  const turns = rules.advocates.map((side) => ({
    ...turnOf(side, "opening", "opening_statement", 0),
    maxTokens: rules.caps.opening,
    task: rules.blindOpenings ? rules.templates.opening : rules.templates.openingInTurn,
  }));
  return yield* rules.blindOpenings ? sayTogether(turns) : sayInTurn(turns);
}

/** Yields one round; returns its messages in order, with interruptions and their answers. */
function argue(rules: DebateRules, round: number, said: readonly Message[]): Protocol<Message[]> {
  switch (rules.exchange) {
    case "alternating":
      return alternate(rules, round, said);
    case "statements":
      return statements(rules, round, said);
    default:
      return argueAndRebut(rules, round);
  }
}

/** Yields the closing statements, if any: concurrently if simultaneous or blind, else one after the other. */
function* close(rules: DebateRules): Protocol<Message[]> {
  if (rules.closings === false) return [];
  const order = rules.reversedClosings ? rules.advocates.toReversed() : rules.advocates;
  const isBlind = rules.simultaneous || rules.blindClosings === true;
  const { closing, closingAtOnce } = rules.templates;
  const turns = order.map((side) =>
    withStructure(rules, {
      ...turnOf(side, "closing", "closing_statement", 0),
      maxTokens: rules.caps.closing,
      task: isBlind ? `${closing} ${closingAtOnce}` : closing,
    })
  );
  return yield* isBlind ? sayTogether(turns) : sayInTurn(turns);
}

/** Returns the position of a round as prompts state it, such as `Round 2 of 3`. */
function placeOf(
  { rounds, advocates, exchange, closings = true }: DebateRules,
  round: number,
): string {
  const place = `Round ${round} of ${Math.max(round, rounds)}`;
  const isAlternating = exchange === "alternating";
  if (round + (isAlternating ? advocates.length : 1) <= rounds) return place;
  const last = isAlternating ? "your last turn" : "the last round";
  return `${place}, ${last}${closings ? " before the closing statements" : ""}`;
}

/**
 * Yields a round of arguments: each advocate argues, every opponent rebuts the argument, and in a clash the advocate replies
 * to the rebuttals. The advocates take turns; if simultaneous, each of the three steps is concurrent for all advocates.
 */
function* argueAndRebut(rules: DebateRules, round: number): Protocol<Message[]> {
  const { advocates, exchange, simultaneous } = rules;
  const speakAll = simultaneous ? speakTogether : speakInTurn;
  const said: Message[] = [];
  for (const sides of simultaneous ? [advocates] : advocates.map((side) => [side])) {
    said.push(...yield* speakAll(rules, sides.map((side) => argument(rules, side, round))));
    const rebuttals = sides.flatMap((side) =>
      advocates.filter(({ id }) => id !== side.id)
        .map((opponent) => rebuttal(rules, opponent, side, argumentOf(said, side)))
    );
    said.push(...yield* speakAll(rules, rebuttals));
    if (exchange !== "clash") continue;
    const replies = sides.map((side) => reply(rules, side, rebuttalsOf(said, side)));
    said.push(...yield* speakAll(rules, replies));
  }
  return said;
}

/** Yields a round of one speech: the sides alternate, and each speech answers the one before. */
function* alternate(
  rules: DebateRules,
  round: number,
  said: readonly Message[],
): Protocol<Message[]> {
  const side = rules.advocates[(round - 1) % rules.advocates.length]!;
  const last = round === 1 ? undefined : said.findLast((message) => isSpeech(rules, message));
  return yield* speak(
    rules,
    last === undefined
      ? argument(rules, side, round)
      : answer(rules, side, { round, kind: "reply", task: rules.templates.reply, answered: last }),
  );
}

/** Yields a statement of each side, in answer to the latest statement of the side before it in speaking order. */
function* statements(
  rules: DebateRules,
  round: number,
  before: readonly Message[],
): Protocol<Message[]> {
  const { advocates } = rules;
  const statement = (index: number, said: readonly Message[]) => {
    const other = advocates.at(index - 1)!.id;
    const latest = said.findLast(({ kind, participant }) =>
      kind === "statement" && participant === other
    );
    return statementOf(rules, advocates[index]!, { round, answered: latest });
  };
  if (rules.simultaneous) {
    return yield* speakTogether(rules, advocates.map((_, index) => statement(index, before)));
  }
  const said: Message[] = [];
  for (const index of advocates.keys()) {
    said.push(...yield* speak(rules, statement(index, [...before, ...said])));
  }
  return said;
}

/** Yields one speech and the moderator's interruption, if any. */
function* speak(rules: DebateRules, turn: Turn): Protocol<Message[]> {
  const message = yield* say(turn);
  return [message, ...yield* interrupt(rules, message, message.seq + 1)];
}

/** Yields concurrent speeches; interruptions follow after the last speech, in the order of the speeches. */
function* speakTogether(rules: DebateRules, turns: readonly Turn[]): Protocol<Message[]> {
  const said = yield* sayTogether(turns);
  for (const message of [...said]) {
    said.push(...yield* interrupt(rules, message, said.at(-1)!.seq + 1));
  }
  return said;
}

function* sayTogether(turns: readonly Turn[]): Protocol<Message[]> {
  return yield* settle(yield* beginTurns(turns));
}

/** Yields speeches one after the other, each followed by the moderator's interruption, if any. */
function* speakInTurn(rules: DebateRules, turns: readonly Turn[]): Protocol<Message[]> {
  const said: Message[] = [];
  for (const turn of turns) said.push(...yield* speak(rules, turn));
  return said;
}

function* sayInTurn(turns: readonly Turn[]): Protocol<Message[]> {
  const said: Message[] = [];
  for (const turn of turns) said.push(yield* say(turn));
  return said;
}

function argument(rules: DebateRules, side: Side, round: number): Turn {
  return withStructure(rules, {
    ...turnOf(side, "argument", "argument", round),
    key: `round-${round}/argument/${side.id}`,
    maxTokens: rules.caps.argument,
    task: rules.templates.argument,
    values: { place: placeOf(rules, round) },
  });
}

function rebuttal(rules: DebateRules, side: Side, opponent: Side, answered: Message): Turn {
  const { round } = answered;
  const { templates, exchange } = rules;
  const turn = answer(rules, side, {
    round,
    kind: "rebuttal",
    task: exchange === "clash" ? templates.rebuttalInClash : templates.rebuttal,
    answered,
  });
  return { ...turn, key: `round-${round}/rebuttal/${side.id}/${opponent.id}` };
}

function argumentOf(said: readonly Message[], { id }: Side): Message {
  return said.findLast(({ kind, participant }) => kind === "argument" && participant === id)!;
}

function rebuttalsOf(said: readonly Message[], side: Side): Message[] {
  const argument = argumentOf(said, side);
  return said.filter(({ kind, replyTo }) => kind === "rebuttal" && replyTo === argument.seq);
}

/** Returns a side's reply to all rebuttals of its argument; `replyTo` is the last rebuttal. */
function reply(rules: DebateRules, side: Side, rebuttals: readonly Message[]): Turn {
  const last = rebuttals.at(-1)!;
  const turn = answer(rules, side, {
    round: last.round,
    kind: "reply",
    task: rules.templates.replyInClash,
    answered: last,
  });
  const labels = rebuttals.map(({ participant }) =>
    rules.advocates.find(({ id }) => id === participant)!.label
  );
  const values = {
    opponent: labels.join(", "),
    answered: rebuttals.map(({ seq }) => seq).join(", "),
  };
  return { ...turn, values: { ...turn.values, ...values } };
}

function statementOf(
  rules: DebateRules,
  side: Side,
  { round, answered }: { readonly round: number; readonly answered: Message | undefined },
): Turn {
  const { templates } = rules;
  if (answered !== undefined) {
    const task = templates.statementInAnswer;
    return answer(rules, side, { round, kind: "statement", task, answered });
  }
  const turn = argument(rules, side, round);
  return { ...turn, kind: "statement", key: `round-${round}/statement/${side.id}` };
}

/** Returns a side's turn that answers a speech. */
function answer(
  rules: DebateRules,
  side: Side,
  { round, kind, task, answered }: {
    readonly round: number;
    readonly kind: string;
    readonly task: string;
    readonly answered: Message;
  },
): Turn {
  const opponent = rules.advocates.find(({ id }) => id === answered.participant)!;
  return withStructure(rules, {
    ...turnOf(side, "argument", kind, round),
    key: `round-${round}/${kind}/${side.id}`,
    replyTo: answered.seq,
    maxTokens: rules.caps.argument,
    task,
    values: {
      opponent: opponent.label,
      answered: String(answered.seq),
      place: placeOf(rules, round),
    },
  });
}
