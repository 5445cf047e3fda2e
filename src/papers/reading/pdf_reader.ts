import { MAX_PAPER_CHARACTERS } from "../../core/clean_text.ts";
import { layOut, type PdfSheet, type PdfText } from "./pdf_layout.ts";
import type { PdfItem, PdfPage } from "./pdf_page.ts";
import { pdfTitle } from "./pdf_title.ts";
import { tooLong, UnreadableError } from "./unreadable.ts";

/** The most pages of a PDF. */
const MAX_PAGES = 5000;
/** With fewer characters on a page, on average, its pages are pictures of text. */
const LEAST_CHARACTERS = 20;

const DAMAGED_HINT = "Open it with another program and save it anew, or give its text.";
const NO_TEXT_HINT = "Its pages are probably pictures: run text recognition (OCR) on it first.";

type Library = typeof import("unpdf");
type PdfFile = Awaited<ReturnType<Library["getDocumentProxy"]>>;

/**
 * The text of a PDF in reading order. Nothing in the file is run, nothing is fetched. Fails with a {@linkcode UnreadableError}
 * that says why where it is damaged, asks for a password, has no text or too much.
 */
export async function readPdf(bytes: Uint8Array): Promise<PdfText> {
  const { getDocumentProxy } = await import("unpdf");
  let file: PdfFile;
  try {
    // Its warnings would go to the console.
    file = await getDocumentProxy(bytes, { verbosity: 0 });
  } catch (error) {
    throw refused(error);
  }
  try {
    const sheets = await sheetsOf(file);
    const text = layOut(sheets);
    const characters = text.text.match(/\S/gu)?.length ?? 0;
    if (characters < LEAST_CHARACTERS * sheets.length) {
      throw new UnreadableError(noText(characters, sheets.length), NO_TEXT_HINT);
    }
    return { ...text, title: await titleOf(file) ?? text.title };
  } catch (error) {
    throw refused(error);
  } finally {
    await file.loadingTask.destroy();
  }
}

function noText(characters: number, pages: number): string {
  const where = pages === 1 ? "on its only page" : `on its ${pages} pages`;
  return characters === 0
    ? `there is no text ${where}`
    : `there is next to no text ${where}, ${characters} characters in all`;
}

/** The text of every page; each page is let go of once it is read. */
async function sheetsOf(file: PdfFile): Promise<PdfSheet[]> {
  if (file.numPages > MAX_PAGES) {
    const state = `it has ${file.numPages} pages, at most ${MAX_PAGES} are read`;
    throw new UnreadableError(state, "Split it, and give the part you need.");
  }
  if (file.numPages === 0) throw new UnreadableError("it has no pages", DAMAGED_HINT);
  const sheets: PdfSheet[] = [];
  let left = MAX_PAPER_CHARACTERS;
  for (let number = 1; number <= file.numPages; number++) {
    const page = await file.getPage(number);
    const { width, height, transform } = page.getViewport({ scale: 1 });
    const found: Found[] = [];
    // Chunk by chunk, so that a page without end does not fill the memory.
    for await (const { items } of page.streamTextContent()) {
      for (const item of items) {
        left -= item.str.length;
        add(found, item, transform);
      }
      if (left < 0) throw tooLong();
    }
    sheets.push(sheetOf(found, { width, height }));
    page.cleanup();
  }
  return sheets;
}

/** A run of text as the library gives it. */
interface RawItem {
  readonly str: string;
  readonly dir: string;
  readonly width: number;
  readonly transform: readonly number[];
  readonly hasEOL: boolean;
}

/** A run of text, and how often a quarter turn to the right its direction is. */
interface Found extends PdfItem {
  readonly turns: 0 | 1 | 2 | 3;
}

/** Adds an item, its place in points from the page's upper left corner; a blank one is the space after the one before. */
function add(found: Found[], { str, dir, width, transform }: RawItem, page: number[]): void {
  if (str.trim() === "") {
    const before = found.at(-1);
    if (before !== undefined && str !== "") {
      found[found.length - 1] = { ...before, spaceAfter: true };
    }
    return;
  }
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = transform;
  const [pa = 1, pb = 0, pc = 0, pd = -1, pe = 0, pf = 0] = page;
  const angle = Math.atan2(pb * a + pd * b, pa * a + pc * b);
  const turns = (Math.round(angle / (Math.PI / 2)) + 4) % 4;
  found.push({
    text: str,
    x: pa * e + pc * f + pe,
    y: pb * e + pd * f + pf,
    width: Math.abs(width),
    size: Math.hypot(c, d) || 1,
    rightToLeft: dir === "rtl",
    spaceAfter: false,
    turns: turns === 1 || turns === 2 || turns === 3 ? turns : 0,
  });
}

/** A page's text by direction: that of most letters first. */
function sheetOf(
  found: readonly Found[],
  { width, height }: { readonly width: number; readonly height: number },
): PdfSheet {
  const letters = (items: readonly Found[]) =>
    items.reduce((sum, { text }) => sum + text.length, 0);
  const groups = [...Map.groupBy(found, ({ turns }) => turns).values()]
    .sort((a, b) => letters(b) - letters(a));
  const pages = groups.map((items): PdfPage => ({
    items: items.map((each) => ({ ...each, ...turned(each, { width, height }) })),
    height: items[0]!.turns % 2 === 0 ? height : width,
  }));
  const [main = { items: [], height }, ...others] = pages;
  return [main, ...others];
}

/** Where an item is once the page is turned so that it reads from left to right. */
function turned(
  { x, y, turns }: Found,
  { width, height }: { readonly width: number; readonly height: number },
): { readonly x: number; readonly y: number } {
  switch (turns) {
    case 0:
      return { x, y };
    case 1:
      return { x: y, y: width - x };
    case 2:
      return { x: width - x, y: height - y };
    case 3:
      return { x: height - y, y: x };
  }
}

async function titleOf(file: PdfFile): Promise<string | undefined> {
  try {
    const { info } = await file.getMetadata();
    return "Title" in info && typeof info.Title === "string" ? pdfTitle(info.Title) : undefined;
  } catch {
    // A file with damaged metadata can have a text.
    return undefined;
  }
}

function refused(error: unknown): UnreadableError {
  if (error instanceof UnreadableError) return error;
  const name = error instanceof Error ? error.name : "";
  if (name === "PasswordException") {
    const hint = "Remove its password, with the program that set it, and give the copy.";
    return new UnreadableError("it is encrypted, and opens with a password alone", hint, error);
  }
  return new UnreadableError("it is damaged: no PDF can be read from it", DAMAGED_HINT, error);
}
