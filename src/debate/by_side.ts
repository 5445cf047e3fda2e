// The record of a debate laid out by side, under labels that name nobody: what the passes of a verdict compare.
import asking from "../data/prompts/asking.json" with { type: "json" };
import { INTERJECTION } from "../core/past.ts";
import type { Message } from "../core/message.ts";
import { renderSpeech, textsOf } from "../core/prompt.ts";
import { mixSeed, seededRandom, shuffled } from "../core/statistics.ts";
import type { ShownRecord } from "../core/turn.ts";
import { onceEach } from "../core/values.ts";
import { cutAtSentence, wordsIn } from "../core/words.ts";
import { INTERRUPTION_ANSWER, type Side } from "./rules.ts";

/** A side as one pass shows it. */
export interface ShownSide extends Side {
  /** Label in the pass, such as `Side 1`, after the place of the side. */
  readonly shownAs: string;
}

/** One pass of a verdict: the sides in an order and under labels that no other pass has. */
export interface Pass {
  /** From 1. */
  readonly number: number;
  /** The sides in the order in which they are set out. */
  readonly sides: readonly ShownSide[];
}

const { bySide: INTRODUCTION } = textsOf({ bySide: asking.bySide });

/** The passes: as many as sides, rotated from an order drawn from the seed, so that each side has every place and label once. */
export function passesOf(sides: readonly Side[], seed: number): Pass[] {
  const drawn = shuffled(sides, seededRandom(mixSeed(seed, "verdict")));
  return drawn.map((_, index) => ({
    number: index + 1,
    sides: [...drawn.slice(index), ...drawn.slice(0, index)]
      .map((side, place) => ({ ...side, shownAs: `Side ${place + 1}` })),
  }));
}

/** The text with the labels of a pass in the place of the sides' labels in prompts, as whole words. */
export function inPass(pass: Pass, text: string): string {
  return intoPass(pass)(text);
}

const intoPass = onceEach(({ sides }: Pass) =>
  replacing(new Map(sides.map(({ label, shownAs }) => [label, shownAs])))
);

/** The text with the sides' labels in prompts in the place of a pass's labels. */
export function outOfPass({ sides }: Pass, text: string): string {
  return replacing(new Map(sides.map(({ label, shownAs }) => [shownAs, label])))(text);
}

function replacing(labels: ReadonlyMap<string, string>): (text: string) => string {
  // The longest first: one label may begin another.
  const longest = [...labels.keys()].sort((a, b) => b.length - a.length);
  const any = longest.map((label) => RegExp.escape(label)).join("|");
  const whole = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${any})(?![\p{L}\p{N}])`, "gu");
  return (text) =>
    longest.some((label) => text.includes(label))
      ? text.replace(whole, (label) => labels.get(label)!)
      : text;
}

/** Places of turns in a pass, such as `1.2`, by message number: the case, and the turn within the case. */
export function placesIn(pass: Pass, said: readonly Message[]): ReadonlyMap<number, string> {
  return new Map(
    casesOf(pass, said).flatMap((turns, index) =>
      turns.map(({ seq }, place) => [seq, `${index + 1}.${place + 1}`] as const)
    ),
  );
}

/**
 * The record by side: each side's speeches in their order, each followed by what answered it; then what the audience said.
 * Turns of more than `mostWords` words are cut.
 */
export function recordBySide(
  pass: Pass,
  said: readonly Message[],
  mostWords = Infinity,
): ShownRecord {
  const places = placesIn(pass, said);
  const roots = rootsIn(said);
  const labels = new Map(pass.sides.map(({ id, shownAs }) => [id, shownAs]));
  let shortened = 0;
  const shown = (message: Message, speaker: string) => {
    const { seq, body, replyTo = 0 } = message;
    const isCut = mostWords < Infinity && wordsIn(message) > mostWords;
    if (isCut) shortened++;
    const text = isCut ? cutTo(message, mostWords) : body;
    return renderSpeech({
      number: places.get(seq),
      speaker,
      // In a chain of replies, the name of a kind would give away who spoke first.
      kind: message.kind === "reply" && roots.get(seq) === message ? "argument" : message.kind,
      answers: places.get(replyTo),
      body: inPass(pass, text),
    });
  };
  const cases = casesOf(pass, said).map((turns, index) => {
    const label = pass.sides[index]!.shownAs;
    const texts = turns.map((each) => shown(each, labels.get(each.participant) ?? "Moderator"));
    return `<case side="${label}">\n${texts.join("")}</case>\n\n`;
  });
  const heard = said.filter(({ kind }) => kind === INTERJECTION)
    .map((each) => shown(each, "Audience"));
  return { text: [`${INTRODUCTION}\n\n`, ...cases, ...heard].join(""), shortened };
}

/** The latest cuts of messages: the passes of a verdict cut to the same number of words. */
const cuts = new WeakMap<Message, { readonly mostWords: number; readonly text: string }>();

function cutTo(message: Message, mostWords: number): string {
  const latest = cuts.get(message);
  if (latest?.mostWords === mostWords) return latest.text;
  const text = `${cutAtSentence(message.body, mostWords)} […]`;
  cuts.set(message, { mostWords, text });
  return text;
}

/** The messages of each case, in the order of a pass. */
function casesOf({ sides }: Pass, said: readonly Message[]): Message[][] {
  const roots = rootsIn(said);
  const threads = Map.groupBy(said, ({ seq }) => roots.get(seq)!);
  return sides.map(({ id }) =>
    [...threads].filter(([{ participant }]) => participant === id).flatMap(([, turns]) => turns)
  );
}

/** By message number, the speech that a message answers as part of the same exchange; itself for a speech of its own. */
function rootsIn(said: readonly Message[]): ReadonlyMap<number, Message> {
  const roots = new Map<number, Message>();
  const kinds = new Map(said.map(({ seq, kind }) => [seq, kind]));
  for (const message of said) {
    const { seq, kind, replyTo = 0 } = message;
    const isAnswer = ANSWERS.has(kind) || kind === "reply" && kinds.get(replyTo) === "rebuttal";
    roots.set(seq, isAnswer ? roots.get(replyTo) ?? message : message);
  }
  return roots;
}

/** The kinds of messages that stand with what they answer. */
const ANSWERS: ReadonlySet<string> = new Set(["rebuttal", "interruption", INTERRUPTION_ANSWER]);
