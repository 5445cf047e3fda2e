// Speeches, summaries and introductions of the offline agent.
import type { AgentRequest, RequestContext } from "../../core/agent.ts";
import { mixSeed } from "../../core/statistics.ts";
import type { TokenCounter } from "../../core/tokens.ts";
import { countWords, cutAtSentence } from "../../core/words.ts";
import {
  bare,
  PHRASES,
  type PromptView,
  quotation,
  quoteTopic,
  type ShownTurn,
  Writer,
} from "./writer.ts";

/** The request, its prompt as it is read, and what sentences are written with. */
export interface Scene {
  readonly request: AgentRequest;
  readonly view: PromptView;
  readonly writer: Writer;
  /** Draws of the participant that is asked. */
  readonly own: Writer;
  readonly count: TokenCounter;
}

/** Words of a speech without a range, and of a speaker's quotation at most. */
const USUAL_WORDS = 70;
/** The share of a token limit that a speech uses. */
const ROOM = 0.92;

const RANGE = /\b(?:Use|Write) (\d+) to (\d+) words\./;

/** The text of a turn, or of a summary of older turns, within `maxTokens` and the range of words that the task names. */
export function speechOf(
  scene: Scene,
  { maxTokens = scene.request.maxTokens, say = [] }: {
    readonly maxTokens?: number | undefined;
    /** Sentences that are said before the last. */
    readonly say?: readonly string[];
  } = {},
): string {
  const [, least, most] = RANGE.exec(scene.view.task) ?? [];
  const room = Math.floor((maxTokens ?? Infinity) * ROOM);
  const range = least === undefined
    ? { least: USUAL_WORDS, most: Infinity }
    : { least: Number(least), most: Number(most) };
  const { start, middle, end: last } = partsOf(scene);
  const end = [...say, ...last];
  const fits = (sentences: readonly string[]) => {
    const text = sentences.join(" ");
    return countWords(text) <= range.most && scene.count(text) <= room;
  };
  const chosen = [...start];
  while (chosen.length > 1 && !fits([...chosen, ...end])) chosen.pop();
  for (const sentence of middle) {
    if (countWords([...chosen, ...end].join(" ")) >= range.least) break;
    if (fits([...chosen, sentence, ...end])) chosen.push(sentence);
  }
  const whole = fits([...chosen, ...end]) ? [...chosen, ...end] : chosen;
  return cut(whole.join(" ").replaceAll(" \n", "\n"), scene.count, room);
}

/** A text cut to a number of tokens, at a sentence where it can be. */
function cut(text: string, count: TokenCounter, room: number): string {
  let words = countWords(text);
  let kept = text;
  while (count(kept) > room && words > 1) {
    words = Math.floor(words * 0.8);
    kept = cutAtSentence(text, words);
  }
  return kept;
}

/** The sentences of a speech: those that are said, those that fill its length, and the last. */
interface Parts {
  readonly start: readonly string[];
  readonly middle: Iterable<string>;
  readonly end: readonly string[];
}

const PLANS: readonly (readonly [kind: RegExp, plan: (scene: Scene) => Parts])[] = [
  [/summary|report|fold/, summary],
  [/round_introduction/, ({ writer }) => ({ start: [writer.write("round")], middle: [], end: [] })],
  [/introduction/, introduction],
  [
    /interruption/,
    ({ writer }) => ({ start: [writer.write("interruption")], middle: [], end: [] }),
  ],
  [/opening/, ({ writer }) => argued(writer, "opening")],
  [/closing/, closing],
  [/cross_examination/, crossExamination],
  [/argument/, (scene) => argued(scene.writer, "argument", interjected(scene))],
];

function partsOf(scene: Scene): Parts {
  const { kind, role } = scene.request.context;
  const [, plan] = PLANS.find(([pattern]) => pattern.test(kind)) ?? [];
  return (plan ?? (role === "moderator" ? summary : reply))(scene);
}

/** A point of one's own, which goes on with others where the speech has to be longer. */
function argued(
  writer: Writer,
  list: "opening" | "argument",
  before: readonly string[] = [],
): Parts {
  const [first, ...others] = points(writer);
  const said = first!.slice(1);
  const start = list === "opening" ? [writer.write("opening"), ...said] : first!;
  return {
    start: [...before, ...start],
    middle: others.flatMap(([theme, claim, ...more]) => [`\n\n${theme} ${claim}`, ...more]),
    end: [writer.write("conclusion")],
  };
}

/** All points in the order of this turn, each in four sentences: theme, claim, reason, example. */
function points(writer: Writer): string[][] {
  const { considerations } = PHRASES;
  const start = writer.draw("considerations") + 2 * writer.turn;
  return considerations.map((_, step) => {
    const { theme, ...said } = considerations[(start + step) % considerations.length]!;
    return [writer.write("argument", { theme }, step), ...Object.values(said)];
  });
}

/** The kinds of turns that are answered; introductions, summaries and interjections are others. */
const SPOKEN = /argument|rebuttal|reply|statement|answer|examination/;

/** An answer to the turn that the task names, else to the latest of somebody else. */
function reply(scene: Scene): Parts {
  const { writer, view, request: { context: { label } } } = scene;
  const target = view.named ??
    view.turns.findLast(({ speaker, kind }) => speaker !== label && SPOKEN.test(kind));
  if (target === undefined || target.speaker === label) {
    return argued(writer, "opening", interjected(scene));
  }
  const { start, ...more } = argued(writer, "argument");
  return { ...more, start: [...interjected(scene), ...answerTo(target, writer), ...start] };
}

/** An answer to the argument of each other debater. */
function crossExamination({ writer, view, request: { context: { label } } }: Scene): Parts {
  const others = view.turns.filter(({ speaker, kind }) => speaker !== label && kind === "argument");
  return {
    start: others.flatMap((turn, step) => answerTo(turn, writer, step)),
    middle: [],
    end: [writer.write("conclusion")],
  };
}

function answerTo(turn: ShownTurn, writer: Writer, step = 0): string[] {
  return [
    writer.write("answer", { ...answered(turn, writer), number: turn.number }, step),
    writer.write("rebuttal", {}, step),
  ];
}

function answered({ speaker, body }: ShownTurn, writer: Writer) {
  return { label: speaker, quote: quotation(body, writer.draw(body)) };
}

/** A sentence on what was said from the audience last. */
function interjected({ view, writer, request }: Scene): string[] {
  const last = view.turns.at(-1);
  if (last?.kind !== "interjection" || last.speaker === request.context.label) return [];
  return [writer.write("interjection", answered(last, writer))];
}

function closing({ writer, view, request: { context: { label } } }: Scene): Parts {
  const own = view.turns.find(({ speaker }) => speaker === label);
  const recall = own === undefined ? [] : [writer.write("recall", answered(own, writer))];
  const { start, middle } = argued(writer, "argument");
  return {
    start: [writer.write("closing")],
    middle: [...recall, ...start, ...middle],
    end: [writer.write("farewell")],
  };
}

function introduction({ writer, view, request: { context: { topic } } }: Scene): Parts {
  const speakers = view.sides.filter(({ position }) => position !== undefined);
  return {
    start: [
      writer.write("introduction"),
      ...speakers.map(({ label, position }) =>
        writer.write("introduced", { label, case: caseOf(topic, position) })
      ),
    ],
    middle: [],
    end: [writer.write("begin")],
  };
}

/** Words of each speaker, quoted: of the round that has just ended, or of the whole record. */
function summary({ writer, view, request: { context } }: Scene): Parts {
  const { label, kind } = context;
  const spoken = view.turns.filter(({ speaker, kind }) => speaker !== label && SPOKEN.test(kind));
  const isRound = kind === "round_summary";
  const since = view.turns.findLast((turn) => turn.speaker === label)?.number ?? 0;
  const turns = isRound
    ? spoken.filter(({ number, kind }) => number > since && !kind.startsWith("opening"))
    : spoken;
  const lines = [...Map.groupBy(turns, ({ speaker }) => speaker)].flatMap(([speaker, own], at) =>
    quotedOf(writer, speaker, own, at)
  );
  return {
    start: [writer.write(isRound ? "roundSummary" : "summary"), ...lines],
    middle: [],
    end: [writer.write("unweighed")],
  };
}

function quotedOf(writer: Writer, label: string, own: readonly ShownTurn[], at: number): string[] {
  const [first, last] = [own[0]!, own.at(-1)!];
  const line = (list: "first" | "last" | "only", { body }: ShownTurn) =>
    writer.write(list, { label, quote: quotation(body, writer.draw(body)) }, at);
  return first === last ? [line("only", first)] : [line("first", first), line("last", last)];
}

/** A position as a noun phrase: `the affirmative side on the question “…”`, `the position “…”`. */
function caseOf(topic: string, position: string | undefined): string {
  const isQuestion = /[?？؟]$/u.test(topic.trim());
  const on = `the ${isQuestion ? "question" : "topic"} ${quoteTopic(topic)}`;
  if (position === undefined || position === "") {
    return isQuestion ? `an answer of my own to ${on}` : `a view of my own on ${on}`;
  }
  const side = sideOf(position, topic);
  return side === undefined ? `the position ${quoteTopic(position)}` : `${side} on ${on}`;
}

/** A position in a few words, once it has been named. */
function sideOf(position: string, topic: string): string | undefined {
  const [, word, of] = /^(For|Against): (.*)$/s.exec(position) ?? [];
  if (word === undefined || of?.trim() !== topic.trim()) return undefined;
  return word === "For" ? "the affirmative side" : "the negative side";
}

/** The writer of one reply. */
export function writerOf(
  { seed, seq, attempt, topic, position, round, key }: RequestContext,
): Writer {
  const turn = (seq > 0 ? seq : mixSeed(seed, key) % 97) + 5 * (attempt - 1);
  return new Writer({
    seed: mixSeed(seed, topic),
    turn,
    slots: {
      topic: quoteTopic(topic),
      subject: `“${bare(topic, 100)}”`,
      round,
      case: caseOf(topic, position),
      side: position === undefined ? "my view" : sideOf(position, topic) ?? "my position",
      position: bare(position ?? topic),
    },
  });
}
