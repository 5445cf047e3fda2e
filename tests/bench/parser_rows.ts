// Row of the benchmark that compares the times of parsers of external text for long texts and short ones.
import process from "node:process";
import { proseMarkdown } from "../../src/papers/text/lists.ts";
import { referencesIn } from "../../src/papers/text/references.ts";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import { withoutBold } from "../../src/core/text.ts";
import { cutAtSentence } from "../../src/core/words.ts";
import { containMarkdown } from "../../src/record/transcript_text.ts";
import { pdfTitle } from "../../src/papers/reading/pdf_reader.ts";
import { type PdfLine, textOf } from "../../src/papers/reading/pdf_text.ts";
import { briefPart } from "../../src/viewer/convening_parts.tsx";
import type { Bench, Extent } from "./bench.ts";
import { type Figure, figure } from "./figure.ts";

const count = await loadTokenCounter();

/** Parsers of external text. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  "loadTokenCounter()": count,
  "referencesIn()": (text) => referencesIn({ text: `References\n${text}` }),
  "cutAtSentence()": (text) => cutAtSentence(text, 100_000),
  "proseMarkdown()": proseMarkdown,
  "withoutBold()": withoutBold,
  "containMarkdown()": containMarkdown,
  "pdfTitle()": pdfTitle,
  "textOf()": (text) => textOf([{ lines: linesOf(text.repeat(8)), height: 800 }]),
  "briefPart()": (text) => String(briefPart(text, "")),
};

/** Returns the lines of a page with a text. */
function linesOf(text: string): readonly PdfLine[] {
  const words = text.match(/[^]{1,30}/g)!;
  return words.map((text, at) => ({
    text,
    x: 0,
    end: 400,
    y: 12 * at,
    size: 10,
    turn: 0,
    fonts: new Set(["text"]),
  }));
}

/** Texts that are slow for nested loops or backtracking patterns. */
const TEXTS: Readonly<Record<string, (length: number) => string>> = {
  "blanks": (n) => `a${" ".repeat(n)}b`,
  "tabs": (n) => `a${"\t".repeat(n)}b`,
  "line breaks": (n) => `a${"\n".repeat(n)}b`,
  "one letter": (n) => "a".repeat(n),
  "dashes": (n) => `${"-".repeat(n)}x`,
  "dashes and blanks": (n) => `${"- ".repeat(n / 2)}x`,
  "equals signs": (n) => `${"=".repeat(n)}x`,
  "ideographs": (n) => "中文字".repeat(n / 3),
  "emoji": (n) => "😀".repeat(n / 2),
  "initials": (n) => "A. B. ".repeat(n / 6),
  "references": (n) => "\n[1] a".repeat(n / 6),
  "years": (n) => "Smith, J. (2010). ".repeat(n / 18),
  "labels": (n) => "A:\n".repeat(n / 3),
  "marks of bold words": (n) => "a **b ".repeat(n / 6),
  "brackets": (n) => "[".repeat(n),
  "quotation marks": (n) => "“ a ".repeat(n / 4),
};

/** Number of runs of which none is quick if a parser is slow. */
const RUNS = 12;

/** Returns the processor time of a call in milliseconds. */
function work(read: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage();
  read(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Returns how much longer a parser takes for a text of eight times the length, beyond 20 ms, which the clock does not resolve. */
function growthOf(read: (text: string) => unknown, make: (length: number) => string): number {
  // Another length in each call, because results of short texts are cached; the first call compiles the parser.
  read(make(7_500));
  let [runs, short, long] = [0, Infinity, Infinity];
  const growth = () => Math.max(0, long - 20) / Math.max(short, 0.001);
  // The clock has a low resolution and includes garbage collection, so the least of runs counts.
  do {
    runs++;
    short = Math.min(short, work(read, make(7_500 + 18 * runs)));
    long = Math.min(long, work(read, make(60_000 + 18 * runs)));
  } while (growth() > LINEAR && runs < RUNS);
  return growth();
}

/** Three doublings of the length, each of at most 2.5 times the time. */
const LINEAR = 2.5 ** 3;

/** Measures the growth of each parser's time with the length of the text that is slowest for the parser. */
export function parsers(_bench: Bench, { quick }: Extent): Promise<Figure[]> {
  const texts = Object.values(TEXTS).slice(0, quick ? 2 : undefined);
  const kinds = Object.fromEntries(
    Object.entries(READERS).map(([name, read]) =>
      [name, Math.max(...texts.map((make) => growthOf(read, make)))] as const
    ),
  );
  const what = "time of a parser for 8 times the text ÷ for the text";
  return Promise.resolve([
    figure(what, { atMost: LINEAR }, Math.max(...Object.values(kinds)), { kinds }),
  ]);
}
