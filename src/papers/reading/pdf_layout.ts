import { commonGutter, gutterOf, readingOrder } from "./pdf_columns.ts";
import { flowOf, goesOn, largestOf, pitchOf } from "./pdf_flow.ts";
import { type PdfLine, type PdfPage, rowsOf } from "./pdf_page.ts";
import { withoutRunning } from "./pdf_running.ts";
import { hyphenAt, isDivided, type Vocabulary, vocabularyOf } from "./pdf_words.ts";

/** The text of a PDF as it is read. */
export interface PdfText {
  /** Paragraphs with an empty line between them, each on one line but for breaks that were made on purpose. */
  readonly text: string;
  /** Where each page begins in it, in UTF-16 units; one without text begins where the next one does. */
  readonly pages: readonly number[];
  /** What stands in the largest letters on the first page. */
  readonly title: string | undefined;
}

/** One page of a PDF: what runs in its main direction, then what runs in others, as a table set sideways does. */
export type PdfSheet = readonly [main: PdfPage, ...others: readonly PdfPage[]];

/**
 * Puts pages into words, in reading order: without running headers, footers and page numbers, the left column before the
 * right one, words put together that a line's end divides, also those that a column or a page divides.
 */
export function layOut(sheets: readonly PdfSheet[]): PdfText {
  const main = sheets.map(([page]) => page);
  const rows = withoutRunning(main, main.map(({ items }) => rowsOf(items)));
  const gutters = rows.map(gutterOf);
  const common = commonGutter(gutters);
  const runs = sheets.map(([, ...others], at) => [
    ...readingOrder(rows[at]!, gutters[at] ?? common),
    ...others.flatMap(({ items }) => readingOrder(rowsOf(items), undefined)),
  ]);
  const all = runs.flat();
  const pitch = pitchOf(all);
  const written = new Written(vocabularyOf(textsOf(all)));
  for (const page of runs) {
    written.beginPage();
    for (const run of page) {
      for (const { line, after } of flowOf(run, pitch)) written.add(line, after);
    }
  }
  return { ...written.end(), title: largestOf((runs[0] ?? []).flat()) };
}

function* textsOf(runs: readonly (readonly PdfLine[])[]): Iterable<string> {
  for (const run of runs) for (const { text } of run) yield text.replace(/[\u00ad\u2010]$/, "-");
}

/** A text that is put together line by line. */
class Written {
  readonly #vocabulary: Vocabulary;
  readonly #parts: string[] = [];
  readonly #pages: number[] = [];
  /** Without the last line. */
  #length = 0;
  #last: PdfLine | undefined;
  /** Pages that began since the last line. */
  #begun = 0;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** What comes now is on the next page. */
  beginPage(): void {
    this.#begun++;
  }

  add(line: PdfLine, after: "paragraph" | "line" | "wrap"): void {
    const text = line.text.replace(/[\u00ad\u2010]$/, "-").replaceAll("\u00ad", "");
    if (text === "") return;
    const before = this.#last;
    if (before !== undefined) {
      // A paragraph may go on in the next column or on the next page.
      const isBelow = this.#begun === 0 && line.y > before.y;
      const joins = after === "wrap" || (after === "paragraph" && !isBelow && goesOn(before, line));
      this.#flush(joins ? text : undefined, after === "line" ? "\n" : "\n\n");
    }
    for (; this.#begun > 0; this.#begun--) this.#pages.push(this.#length);
    this.#last = { ...line, text };
  }

  /** Writes the last line, and what parts it from the next, which is joined to it where it is given. */
  #flush(next: string | undefined, between: string): void {
    const { text } = this.#last!;
    if (next === undefined) return this.#write(`${text}${between}`);
    if (!isDivided(text)) return this.#write(`${text} `);
    const hyphen = hyphenAt(text, next, this.#vocabulary);
    if (hyphen === "dropped") return this.#write(text.slice(0, -1));
    this.#write(hyphen === "kept" ? text : `${text} `);
  }

  #write(part: string): void {
    this.#parts.push(part);
    this.#length += part.length;
  }

  end(): { readonly text: string; readonly pages: readonly number[] } {
    if (this.#last !== undefined) this.#write(this.#last.text);
    for (; this.#begun > 0; this.#begun--) this.#pages.push(this.#length);
    return { text: this.#parts.join(""), pages: this.#pages };
  }
}
