// Writes the speeches, summaries and introductions of the offline agent.
import { isQuestion } from "../../core/text.ts";
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

export interface Scene {
  readonly request: AgentRequest;
  readonly view: PromptView;
  /** Writer with the convening's seed. */
  readonly writer: Writer;
  /** Writer with a seed of the participant that is asked. */
  readonly own: Writer;
  readonly count: TokenCounter;
}

/** The fewest words of a speech if the task names no range. */
const USUAL_WORDS = 70;
/** Share of a token cap that a speech uses. */
const ROOM = 0.92;

const RANGE = /\b(?:Use|Write) (\d+) to (\d+) words\./;

/** Writes the text of a turn or summary within `maxTokens` and the range of words in the task. */
export function speechOf(
  scene: Scene,
  { maxTokens = scene.request.maxTokens, say = [] }: {
    readonly maxTokens?: number | undefined;
    /** Additional sentences before the end. */
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

/** Cuts a text to a number of tokens, at the end of a sentence if possible. */
function cut(text: string, count: TokenCounter, room: number): string {
  let words = countWords(text);
  let kept = text;
  while (count(kept) > room && words > 1) {
    words = Math.floor(words * 0.8);
    kept = cutAtSentence(text, words);
  }
  return kept;
}

/** The sentences of a speech. */
interface Parts {
  readonly start: readonly string[];
  /** Sentences to add until the speech is long enough. */
  readonly middle: Iterable<string>;
  readonly end: readonly string[];
}

/** Plans of speeches by kind of turn; the first match counts. */
const PLANS: readonly (readonly [kind: RegExp, plan: (scene: Scene) => Parts])[] = [
  [/summary|report|fold/, summary],
  [/round_introduction/, ({ writer }) => ({ start: [writer.write("round")], middle: [], end: [] })],
  [/introduction/, introduction],
  [
    /interruption/,
    ({ writer }) => ({ start: [writer.write("interruption")], middle: [], end: [] }),
  ],
  [/opening/, ({ writer }) => argument(writer, "opening")],
  [/closing/, closing],
  [/cross_examination/, crossExamination],
  [/argument/, (scene) => argument(scene.writer, "argument", aboutInterjection(scene))],
];

function partsOf(scene: Scene): Parts {
  const { kind, role } = scene.request.context;
  const [, plan] = PLANS.find(([pattern]) => pattern.test(kind)) ?? [];
  return (plan ?? (role === "moderator" ? summary : reply))(scene);
}

/** Returns an argument of the speaker's own, with further arguments to fill the length. */
function argument(
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

/** Returns all arguments in this turn's order, each in four sentences: theme, claim, reason, example. */
function points(writer: Writer): string[][] {
  const { considerations } = PHRASES;
  const start = writer.draw("considerations") + 2 * writer.turn;
  return considerations.map((_, step) => {
    const { theme, ...said } = considerations[(start + step) % considerations.length]!;
    return [writer.write("argument", { theme }, step), ...Object.values(said)];
  });
}

/** Matches kinds of turns that can be answered, unlike introductions, summaries and interjections. */
const SPOKEN = /argument|rebuttal|reply|statement|answer|examination/;

/** Returns an answer to the turn that the task names, else to another speaker's latest turn. */
function reply(scene: Scene): Parts {
  const { writer, view, request: { context: { label } } } = scene;
  const target = view.named ??
    view.turns.findLast(({ speaker, kind }) => speaker !== label && SPOKEN.test(kind));
  if (target === undefined || target.speaker === label) {
    return argument(writer, "opening", aboutInterjection(scene));
  }
  const { start, ...more } = argument(writer, "argument");
  return { ...more, start: [...aboutInterjection(scene), ...answerTo(target, writer), ...start] };
}

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
    writer.write("answer", { ...quoteSlots(turn, writer), number: turn.number }, step),
    writer.write("rebuttal", {}, step),
  ];
}

function quoteSlots({ speaker, body }: ShownTurn, writer: Writer) {
  return { label: speaker, quote: quotation(body, writer.draw(body)) };
}

/** Returns a sentence about an interjection, if the last message is one. */
function aboutInterjection({ view, writer, request }: Scene): string[] {
  const last = view.turns.at(-1);
  if (last?.kind !== "interjection" || last.speaker === request.context.label) return [];
  return [writer.write("interjection", quoteSlots(last, writer))];
}

function closing({ writer, view, request: { context: { label } } }: Scene): Parts {
  const own = view.turns.find(({ speaker }) => speaker === label);
  const recall = own === undefined ? [] : [writer.write("recall", quoteSlots(own, writer))];
  const { start, middle } = argument(writer, "argument");
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

/** Returns a summary that quotes each speaker, from the last round or from the whole record. */
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

/** Returns a position as a noun phrase, such as `the affirmative side on the question “…”` or `the position “…”`. */
function caseOf(topic: string, position: string | undefined): string {
  const on = `the ${isQuestion(topic) ? "question" : "topic"} ${quoteTopic(topic)}`;
  if (position === undefined || position === "") {
    return isQuestion(topic) ? `an answer of my own to ${on}` : `a view of my own on ${on}`;
  }
  const side = sideOf(position, topic);
  return side === undefined ? `the position ${quoteTopic(position)}` : `${side} on ${on}`;
}

/** Returns the name of a side, such as `the affirmative side`; undefined for a position of its own. */
function sideOf(position: string, topic: string): string | undefined {
  const [, word, of] = /^(For|Against): (.*)$/s.exec(position) ?? [];
  if (word === undefined || of?.trim() !== topic.trim()) return undefined;
  return word === "For" ? "the affirmative side" : "the negative side";
}

/** Creates the writer of one reply. */
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
