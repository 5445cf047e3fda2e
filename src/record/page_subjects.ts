// The words that set a page of messages apart from the others.
import type { Message } from "../core/message.ts";
import { languageOf, termReader } from "../core/words.ts";
import { boundedText, type Measure } from "./markdown.ts";
import type { MessageRow, RecordModel } from "./record_model.ts";

/** Words of bodies that can show a subject, by message. */
const knownWords = new WeakMap<Message, ReadonlySet<string>>();

/** The words that show the subject of a page, as a cell. */
export type Subjects<R> = (rows: readonly R[]) => string;

/** Words that show the subject of a page, and their most tokens. */
const SUBJECT = { words: 8, tokens: 24 } as const;
/** A word in a larger share of the messages sets no page apart. */
const COMMON_SHARE = 0.3;

/**
 * The words that set a page apart: in many of its messages, and in few of all messages up to its end, so that later
 * messages change no page's words.
 */
export async function subjectsOf<R extends { readonly row: MessageRow }>(
  { start }: RecordModel,
  rows: readonly R[],
  measure: Measure,
): Promise<Subjects<R>> {
  const reader = await termReader();
  const named = start.participants.flatMap(({ name, position = "" }) => [name, position]);
  const plain = new Set([start.topic, ...named].flatMap((text) => [...subjectWords(text, reader)]));
  const wordsIn = (message: Message) => {
    let found = knownWords.get(message);
    if (found === undefined) knownWords.set(message, found = subjectWords(message.body, reader));
    return found;
  };
  /** Numbers of the rows that each word is in. */
  const places = new Map<string, number[]>();
  const numbers = new Map(rows.map((row, number) => [row, number]));
  for (const [number, { row: { message } }] of rows.entries()) {
    for (const word of wordsIn(message)) {
      const list = places.get(word);
      if (list === undefined) places.set(word, [number]);
      else list.push(number);
    }
  }
  const known = new Map<string, string>();
  return (page) => {
    const [from, to] = [numbers.get(page[0]!)!, numbers.get(page.at(-1)!)! + 1];
    const span = `${from} ${to}`;
    const before = known.get(span);
    if (before !== undefined) return before;
    const found = new Set(page.flatMap(({ row }) => [...wordsIn(row.message)]));
    const weighed = [...found].filter((word) => !plain.has(word)).map((word) => {
      const list = places.get(word)!;
      const so = countBelow(list, to);
      const here = so - countBelow(list, from);
      return { word, weight: so > to * COMMON_SHARE ? 0 : here * Math.log(to / so) };
    });
    const best = weighed.sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
      .slice(0, SUBJECT.words).filter(({ weight }) => weight > 0);
    const text = best.map(({ word }) => word).join(", ");
    const cell = boundedText(text, 200, { maxTokens: SUBJECT.tokens, measure });
    known.set(span, cell);
    return cell;
  };
}

/** The number of items of a rising list that are less than `end`. */
function countBelow(list: readonly number[], end: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! < end) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The words of the beginning of a text that can show a subject: stop words and short words of alphabets cannot. */
function subjectWords(text: string, reader: Awaited<ReturnType<typeof termReader>>): Set<string> {
  const read = reader.read(text.slice(0, 8000));
  const language = languageOf(read);
  return new Set(
    [...new Set(read.words)].filter((word) =>
      word.length < 40 && !reader.isStopWord(word, language) &&
      !/^(?:\p{N}.*|[\p{Script=Latin}'’]{1,3})$/u.test(word)
    ),
  );
}
