// Reads the text of PDF files page by page, with the library unpdf.
import { MAX_PAPER_CHARACTERS } from "../../core/paper.ts";
import { oneLineTitle, TITLE_LENGTH, tooLong, UnreadableError } from "../text/check_paper.ts";
import { type PdfLine, type PdfPage, type PdfText, textOf } from "./pdf_text.ts";
import { counted, thousands } from "../../core/text.ts";

const MAX_PAGES = 5000;
/** Minimum average characters per page; a file with fewer probably consists of scanned images. */
const LEAST_CHARACTERS = 20;

const DAMAGED_HINT = "Open it with another program and save it again, or give its text.";
/** Characters that a font without a map to Unicode has instead of letters; TeX's ligatures, up to 8 % in a paper, are among them. */
const UNMAPPED = /(?!\s)\p{Cc}/gu;
/** Minimum share of unmapped characters of a file whose text cannot be read. */
const MANY_UNMAPPED = 0.15;

const NO_LETTERS_HINT = "Run text recognition (OCR) on its pages first, or give its text.";
const NO_TEXT_HINT = "Its pages are probably pictures: run text recognition (OCR) on it first.";

/** Maximum runs that are held until the sizes of their fonts are known; a usual page has fewer. */
const MOST_RUNS = 20_000;

type PdfFile = Awaited<ReturnType<(typeof import("unpdf"))["getDocumentProxy"]>>;

/**
 * Returns the text of a PDF in the order of the file. Executes no code in the file and fetches nothing. Throws an
 * {@linkcode UnreadableError} if the file is damaged, requires a password, or has no text or too much.
 */
export async function readPdf(bytes: Uint8Array): Promise<PdfText> {
  const { getDocumentProxy } = await import("unpdf");
  let file: PdfFile | undefined;
  try {
    // Verbosity 0 keeps the library's warnings off the console.
    file = await getDocumentProxy(bytes, { verbosity: 0 });
    const pages = lettered(await pagesOf(file));
    const text = textOf(pages);
    const characters = text.text.match(/\S/gu)?.length ?? 0;
    if (characters < LEAST_CHARACTERS * pages.length) {
      const where = pages.length === 1 ? "on its only page" : `on its ${pages.length} pages`;
      const state = characters === 0
        ? `there is no text ${where}`
        : `there is almost no text ${where}, ${characters} characters in all`;
      throw new UnreadableError(state, NO_TEXT_HINT);
    }
    // A file with damaged metadata may still have text.
    const data = await file.getMetadata().catch(() => undefined);
    const given = data?.info as { readonly Title?: unknown } | undefined;
    return { ...text, title: titleOf(pdfTitle(given?.Title), text.title) };
  } catch (error) {
    throw unreadable(error);
  } finally {
    await file?.loadingTask.destroy();
  }
}

/** Reads the lines of every page; releases each page after reading. */
async function pagesOf(file: PdfFile): Promise<PdfPage[]> {
  if (file.numPages > MAX_PAGES) {
    const state = `it has ${counted(file.numPages, "page")}, at most ${
      thousands(MAX_PAGES)
    } are read`;
    throw new UnreadableError(state, "Split it, and give the part you need.");
  }
  if (file.numPages === 0) throw new UnreadableError("it has no pages", DAMAGED_HINT);
  const pages: PdfPage[] = [];
  const fonts: FontWidths = new Map();
  let left = MAX_PAPER_CHARACTERS;
  let unmapped = 0;
  for (let number = 1; number <= file.numPages; number++) {
    const page = await file.getPage(number);
    const { height, transform } = page.getViewport({ scale: 1 });
    const lines = new Lines(transform);
    const runs: RawItem[] = [];
    const add = () => atTheirSize(runs.splice(0), fonts).forEach((run) => lines.add(run));
    // Streamed, so that a huge page cannot exhaust the memory.
    for await (const { items } of page.streamTextContent()) {
      for (const item of items) {
        left -= item.str.length;
        unmapped += item.str.match(UNMAPPED)?.length ?? 0;
        runs.push(item);
      }
      if (left < 0) throw tooLong();
      if (runs.length > MOST_RUNS) add();
    }
    add();
    pages.push({ lines: lines.end(), height });
    page.cleanup();
  }
  if (unmapped > MANY_UNMAPPED * (MAX_PAPER_CHARACTERS - left)) {
    throw new UnreadableError("its fonts do not say which letters they show", NO_LETTERS_HINT);
  }
  return pages;
}

/** A text run of the library. */
interface RawItem {
  readonly str: string;
  readonly width: number;
  readonly transform: readonly number[];
  readonly fontName: string;
  readonly hasEOL: boolean;
}

/** Average width of a letter, in font sizes. */
const LETTER_WIDTH = 0.48;
/** Minimum size of the letters of a bitmap font, in units of its scale; for other fonts the two are about the same. */
const BITMAP = 10;

/** Total width and number of the letters of each font. */
type FontWidths = Map<string, readonly [width: number, letters: number]>;

/**
 * Returns runs in bitmap fonts, as in old TeX files, at their size and without the library's spaces; other runs unchanged. The
 * scale of a bitmap font is one dot, so that the library takes shifts of a dot for spaces; the width of the letters tells the size.
 */
function atTheirSize(runs: readonly RawItem[], fonts: FontWidths): readonly RawItem[] {
  for (const { fontName, width, str } of runs) {
    const [all, letters] = fonts.get(fontName) ?? [0, 0];
    if (str.trim() !== "") fonts.set(fontName, [all + Math.abs(width), letters + str.length]);
  }
  return runs.map((run) => {
    const [a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = run.transform;
    const [width, letters] = fonts.get(run.fontName) ?? [0, 1];
    const size = width / letters / LETTER_WIDTH;
    if (size < BITMAP * Math.hypot(a, b)) return run;
    const scale = size / (Math.hypot(c, d) || 1);
    const str = run.str.replaceAll(" ", "");
    return { ...run, str, transform: [a, b, c * scale, d * scale, e, f] };
  });
}

/** Maximum distance between baselines within a line, in font sizes; superscript notes belong to the line. */
const SAME_LINE = 0.6;
/** Minimum gap between words, in font sizes. */
const WORD_GAP = 0.18;
/** Maximum overlap of the letters of a word, such as of `P` and a period, in font sizes. */
const KERNING = 0.4;

/** Unit of the direction of a line: 30 degrees, in radians; scanned text that is a little askew counts as upright. */
const TURN = Math.PI / 6;

/** A text run of a line, with its ends along the line. */
type Run = Pick<PdfLine, "text" | "x" | "end">;

/** Assembles lines from text runs, in the order of the file; the runs of Hebrew and Arabic lines from right to left. */
class Lines {
  readonly #page: readonly number[];
  readonly #lines: PdfLine[] = [];
  /** The unfinished line. */
  #open: (Omit<PdfLine, "fonts"> & { readonly fonts: Set<string> }) | undefined;
  #runs: Run[] = [];
  /** Length of the longest run in the unfinished line, which determines baseline and size. */
  #most = 0;
  #ended = false;

  /** `page` is the transformation matrix to points from the upper left corner of the page. */
  constructor(page: readonly number[]) {
    this.#page = page;
  }

  add({ str, width, transform, fontName, hasEOL }: RawItem): void {
    const [a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = transform;
    const [pa = 1, pb = 0, pc = 0, pd = -1, pe = 0, pf = 0] = this.#page;
    const size = Math.hypot(c, d) || 1;
    const turn = Math.round(Math.atan2(pb * a + pd * b, pa * a + pc * b) / TURN);
    const [cos, sin] = [Math.cos(turn * TURN), Math.sin(turn * TURN)];
    const [left, top] = [pa * e + pc * f + pe, pb * e + pd * f + pf];
    const [x, y] = [left * cos + top * sin, top * cos - left * sin];
    const end = x + Math.abs(width);
    const text = composed(str);
    if (str.trim() === "") {
      if (this.#open !== undefined && str !== "") {
        this.#open = { ...this.#open, text: `${this.#open.text} ` };
        this.#runs.push({ text: " ", x, end });
      }
    } else {
      const last = this.#open;
      if (last !== undefined) {
        const isBelow = Math.abs(y - last.y) > 0.9 * Math.max(size, last.size);
        const isOther = (isBelow || this.#ended) && !continues(last, { x, y, size });
        if (isOther || turn !== last.turn) this.#flush();
      }
      this.#runs.push({ text, x, end });
      const open = this.#open ?? { text: "", x, end: x, y, size, turn, fonts: new Set<string>() };
      const isNote = /^\d{1,3}$/.test(open.text) && open.size < size && /^\p{Lu}/u.test(text);
      const gap = (x - open.end) / Math.min(size, open.size);
      const isApart = isNote || gap > WORD_GAP || gap < -KERNING;
      const isMost = str.length > this.#most;
      this.#most = Math.max(this.#most, str.length);
      this.#open = {
        text: open.text + (isApart && !open.text.endsWith(" ") ? " " : "") + text,
        x: Math.min(open.x, x),
        end: Math.max(open.end, end),
        y: isMost ? y : open.y,
        size: isMost ? size : open.size,
        turn,
        fonts: open.fonts.add(fontName),
      };
      this.#ended = false;
    }
    this.#ended ||= hasEOL;
  }

  end(): readonly PdfLine[] {
    this.#flush();
    return this.#lines;
  }

  #flush(): void {
    if (this.#open === undefined) return;
    const { text: given, size } = this.#open;
    const isRightToLeft = (given.match(RIGHT_TO_LEFT)?.length ?? 0) * 2 >
      (given.match(/\p{L}/gu)?.length ?? 0);
    const text = composed(isRightToLeft ? rightToLeft(this.#runs, size) : given)
      .replace(/\s+/g, " ").trim();
    if (text !== "") this.#lines.push({ ...this.#open, text });
    this.#open = undefined;
    this.#most = 0;
    this.#runs = [];
  }
}

/** Returns true if a run belongs to the line before it, such as a superscript note or the run after the note. */
function continues(
  line: Pick<PdfLine, "end" | "y" | "size">,
  { x, y, size }: Pick<PdfLine, "x" | "y" | "size">,
): boolean {
  const small = Math.min(size, line.size);
  return Math.abs(y - line.y) < SAME_LINE * small && x > line.end - small &&
    x < line.end + 4 * small;
}

/** Letters of scripts from right to left. */
const RIGHT_TO_LEFT = /(?!\p{N})[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/gu;
/** Brackets; the library gives those of right-to-left text as they look, not as they read. */
const BRACKETS = /[()[\]{}«»]/g;
/** A run with brackets at its ends only. */
const BRACKETED = /^([([{«]*)([^()[\]{}«»]+)([)\]}»]*)$/;
/** Pairs of brackets: the indices of a pair differ in the last bit. */
const PAIRS = "()[]{}«»";

/** Joins the runs of a line from right to left; Latin words and numbers with separators, such as dates, from left to right. */
function rightToLeft(runs: readonly Run[], size: number): string {
  let text = "";
  /** Runs of a part that is read from left to right, and the runs without letters and digits after it. */
  let [part, between]: [string[], string[]] = [[], []];
  const mirrored = (each: string) =>
    each.replace(BRACKETS, (sign) => PAIRS[PAIRS.indexOf(sign) ^ 1]!);
  const end = () => {
    text += part.reverse().join("") + mirrored(between.join(""));
    [part, between] = [[], []];
  };
  let left = -Infinity;
  for (const run of runs.toSorted((a, b) => b.x - a.x)) {
    if (left - run.end > WORD_GAP * size) between.push(" ");
    left = run.x;
    if (run.text.search(RIGHT_TO_LEFT) !== -1) {
      end();
      text += mirrored(run.text);
      continue;
    }
    for (const piece of (BRACKETED.exec(run.text)?.slice(1) ?? [run.text]).reverse()) {
      if (/[\p{L}\p{N}]/u.test(piece)) {
        const isSpaced = between.some((each) => each.trim() === "");
        // Signs and blanks before a piece are read before the piece.
        if (part.length === 0 || isSpaced && !/\p{Script=Latin}/u.test(piece)) end();
        part.push(...between.splice(0), piece);
      } else if (piece !== "") between.push(piece);
    }
  }
  end();
  return text.replace(/\s+(?=\p{M})/gu, "");
}

/** Ligatures in the order of their codes, and quotation marks and dashes by code, in TeX fonts (older and newer encodings) without a mapping to Unicode. */
const LIGATURES = ["ff", "fi", "fl", "ffi", "ffl"];
const TEX_SIGNS: Readonly<Record<string, string>> = {
  "\x10": "“",
  "\x11": "”",
  "\x15": "–",
  "\x16": "—",
};
// deno-lint-ignore no-control-regex -- codes of such fonts
const TEX_CODES = /[\x0b-\x11\x15\x16\x1b-\x1f]/g;
/** Spacing accents that precede a letter, and combining characters for these. */
const ACCENTS = "\u00a8\u00b4\u02c6\u02dc\u02c7\u02da\u02d8\u02dd\u02cb\u00af\u02d9";
const COMBINING = "\u0308\u0301\u0302\u0303\u030c\u030a\u0306\u030b\u0300\u0304\u0307";
const ACCENTED = new RegExp(`([${ACCENTS}]) ?(\\p{L})`, "gu");

/**
 * Dingbats whose glyphs are named a1, a2 and so on, in this order. In bitmap fonts, TeX names a letter by its code, such as a97,
 * and a map to Unicode that is made from names then has dingbats.
 */
const DINGBATS = "✁✂✄☎✆✝✞✟✠✡☛☞✌✍✎✏✑✒✓✔✕✖✗✘✙✚✛✜✢✣✤✥✦✧★✩✪✫✬✭✮✯✰✱✲✳✴✵✶✷✸✹✺✻✼✽✾✿❀❁❂❃❄❅❆❇❈❉❊❋" +
  "●❍■❏❑▲▼◆❖ ◗❘❙❚❯❱❲❳❨❩❬❭❪❫❴❵❛❜❝❞❡❢❣❤✐❥❦❧♠♥♦♣    ✉✈✇①②③④⑤⑥⑦⑧⑨⑩❶❷❸❹❺❻❼❽❾❿➀" +
  "➁➂➃➄➅➆➇➈➉➊➋➌➍➎➏➐➑➒➓➔→➣↔↕➙➛➜➝➞➟➠➡➢➤➥➦➧➨➩➫➭➯➲➳➵➸➺➻➼➽➾➚➪➶➹➘➴➷➬➮➱✃❐❒❮❰";
const DINGBAT = new RegExp(`[${DINGBATS.replaceAll(" ", "")}]`, "g");
/** Minimum share of dingbats among the characters of a file whose dingbats are letters. */
const MANY_DINGBATS = 0.2;

/** Returns the pages with letters instead of dingbats, if there are many. */
function lettered(pages: readonly PdfPage[]): readonly PdfPage[] {
  const text = pages.flatMap(({ lines }) => lines.map((line) => line.text)).join("");
  if ((text.match(DINGBAT)?.length ?? 0) < MANY_DINGBATS * text.length) return pages;
  const letter = (sign: string) => String.fromCharCode(DINGBATS.indexOf(sign) + 1);
  return pages.map(({ lines, height }) => ({
    lines: lines.map((line) => ({ ...line, text: composed(line.text.replace(DINGBAT, letter)) })),
    height,
  }));
}

/** Radicals of Chinese that some fonts, such as Noto, map instead of letters of the same shape, and these letters; NFKC has the others. */
const RADICALS = "⺠⻄⻅⻆⻉⻋⻓⻔⻘⻚⻛⻜⻝⻢⻣⻤⻥⻦⻧⻨⻩⻬⻮⻰";
const OF_RADICALS = "民西见角贝车长门青页风飞食马骨鬼鱼鸟卤麦黄齐齿龙";

/** Returns the text with ligatures, Chinese radicals and shapes of Arabic letters replaced by letters, and accents composed with their letters. */
export function composed(text: string): string {
  return text.replace(
    TEX_CODES,
    // The codes of the newer encoding are 16 higher.
    (code) => TEX_SIGNS[code] ?? LIGATURES[(code.charCodeAt(0) - 11) % 16]!,
  )
    .replace(/[\ufb50-\ufdff\ufe70-\ufefc]+/g, (shapes) => shapes.normalize("NFKC"))
    .replace(
      /[\u2e80-\u2fd5]/g,
      (sign) => OF_RADICALS[RADICALS.indexOf(sign)] ?? sign.normalize("NFKC"),
    )
    .replace(ACCENTED, (both, accent, letter) => {
      const bare = letter === "\u0131" ? "i" : letter === "\u0237" ? "j" : letter;
      const one = `${bare}${COMBINING[ACCENTS.indexOf(accent)]}`.normalize("NFC");
      return [...one].length === 1 ? one : both;
    })
    // TeX has the cedilla before c and s, and after T and capitals, which a shift divides from the next letter.
    .replace(
      /(?<![cCsStT] ?)\u00b8 ?([cs])|([CST]) ?\u00b8 (?=\p{Ll})|([cCsStT]) ?\u00b8/gu,
      (_, ...letters) => `${letters.find((each) => each !== undefined)}\u0327`.normalize("NFC"),
    );
}

/**
 * Returns the title in the metadata, unless the first page has a different one in large letters: the metadata may name the
 * journal, or have the author before the title.
 */
function titleOf(given: string | undefined, shown: string | undefined): string | undefined {
  if (given === undefined || shown === undefined) return given ?? shown;
  const wordsOf = (text: string): readonly string[] =>
    text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const [own, large] = [wordsOf(given), wordsOf(shown)];
  const shared = large.filter((word) => own.includes(word)).length;
  const isBehind = own.length > large.length && own.join(" ").endsWith(large.join(" "));
  const isOther = shared * 2 < Math.min(own.length, large.length);
  return large.length >= 4 && (isBehind || isOther) ? shown : given;
}

function unreadable(error: unknown): UnreadableError {
  if (error instanceof UnreadableError) return error;
  const name = error instanceof Error ? error.name : "";
  if (name === "PasswordException") {
    const hint = "Remove its password, with the program that set it, and give the copy.";
    return new UnreadableError("it is encrypted and needs a password", hint, error);
  }
  return new UnreadableError("it is damaged and cannot be read as a PDF", DAMAGED_HINT, error);
}

/** Placeholder titles that programs write. */
const MEANS_NOTHING =
  /^(?:untitled|unbenannt|sans titre|sin t[ií]tulo|no title|title|document|manuscript|paper|article|main|template|default|slide|presentation|pii:?|doi:?|arxiv:?|latex)\b[\s\d:._()[\]/-]*(?:document|article|template)?[\s\d]*$/i;
const FILE_NAME =
  /^microsoft (?:word|powerpoint|excel)|\.(?:docx?|dotx?|rtf|odt|tex|dvi|ps|eps|pdf|indd|qxd|fm|pages|pptx?|xlsx?|txt|md|html?)$|^[a-z]:\\|^(?:file:|\/)\S*$/i;

/** Several words, a word in a script without capitals, or a capitalized word. */
const WORDS = /\p{L}{2}.*\s|\s.*\p{L}{2}|\p{Lo}|^\p{Lu}\p{L}{3,}$/u;

/** Tags of publishers in titles, such as `<Emphasis Type="Italic">`; `List<T>` has none. */
const TAG = /<\/?(?:bold|emphasis|italic|su(?:b|p|bscript|perscript)|em|[bi])\b[^<>]*>/gi;

/** Returns a metadata title on one line; undefined for placeholders and file names, such as `Microsoft Word - x.doc`. */
export function pdfTitle(title: unknown): string | undefined {
  if (typeof title !== "string") return undefined;
  const shown = oneLineTitle(title.replace(TAG, ""));
  // The length comes first: the expressions take quadratic time.
  const isMeant = [...shown].length <= TITLE_LENGTH && WORDS.test(shown) &&
    !MEANS_NOTHING.test(shown) && !FILE_NAME.test(shown);
  return isMeant ? shown : undefined;
}
