// Papers as programs give them, checked and cleaned.
import { ConfigurationError, PaperError } from "../../core/error.ts";
import { cleanText, MAX_PAPER_CHARACTERS } from "../../core/clean_text.ts";
import type { Paper } from "../../core/paper.ts";
import { oneLineTitle, TITLE_LENGTH, titleIn } from "./paper_title.ts";

/** A paper as a program gives it. */
export interface PaperDraft {
  /** Unique in a debate, or made so. @default made from the title */
  readonly id?: string | undefined;
  /** One line of at most 500 code points. @default the first heading or line of the text, else the id */
  readonly title?: string | undefined;
  /** The whole text, markdown or plain. */
  readonly text: string;
  /** Beginnings of pages in the text, in UTF-16 units. @default no pages */
  readonly pages?: readonly number[] | undefined;
}

const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const ID_LENGTH = 64;

/**
 * A paper that can be debated: its text cleaned, its pages moved with it, its title on one line, its id fit for names of
 * files; a legal id stays as it is. Fails with a `PaperError` where there is no text or too much, and with a
 * `ConfigurationError` where a title or pages cannot be used.
 */
export function checkPaper(draft: PaperDraft): Paper {
  const { id, title, text: raw, pages } = draft;
  const name = nameOf(draft);
  if (typeof raw !== "string") throw unusable(name, "it has no text", "Give the text as a string.");
  if (id !== undefined && typeof id !== "string") {
    throw unusable(name, "its id is no text", "Give a name of letters and digits.");
  }
  checkPages(pages, name, raw.length);
  checkLength(raw.length, name);
  const { text, places } = cleanText(raw, pages ?? []);
  if (text.trim() === "") {
    throw new PaperError(`Cannot use paper "${name}": its text is empty`, {
      field: "papers",
      hint: "Give a paper that has text.",
    });
  }
  const shown = checkTitle(title, name) ?? titleIn(text, { markdown: true });
  const own = id === undefined || id.trim() === "" ? paperId(shown ?? "") : paperId(id);
  return { id: own, title: shown ?? own, text, ...pages === undefined ? {} : { pages: places } };
}

/** Papers of one debate, each checked; of equal ids, whatever their case, the later ones get `-2`, `-3`. */
export function checkPapers(drafts: readonly PaperDraft[]): Paper[] {
  const taken = new Set<string>();
  return drafts.map((draft) => {
    const paper = checkPaper(draft);
    const id = freeId(paper.id, taken);
    taken.add(id.toLowerCase());
    return id === paper.id ? paper : { ...paper, id };
  });
}

/** A name as the id of a paper: letters, digits, `_`, `.` and `-`, at most 64; `paper` where nothing is left. */
export function paperId(name: string): string {
  if (ID.test(name)) return name;
  const id = name.slice(0, 1000).normalize("NFKD").replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9_.-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  return id.slice(0, ID_LENGTH).replace(/[-_.]+$/, "") || "paper";
}

/** A title that was given, on one line; undefined for a blank one. Fails with a `ConfigurationError` at a long one. */
export function checkTitle(title: string | undefined, name: string): string | undefined {
  if (title === undefined) return undefined;
  if (typeof title !== "string") throw unusable(name, "its title is no text", "Give one line.");
  const shown = oneLineTitle(title);
  const length = [...shown].length;
  if (length > TITLE_LENGTH) {
    const state = `its title has ${length} characters, at most ${TITLE_LENGTH} are allowed`;
    throw unusable(name, state, "Give a shorter title.");
  }
  return shown === "" ? undefined : shown;
}

function checkLength(length: number, name: string): void {
  if (length <= MAX_PAPER_CHARACTERS) return;
  const most = MAX_PAPER_CHARACTERS.toLocaleString("en");
  throw new PaperError(`Cannot use paper "${name}": it has more than ${most} characters`, {
    field: "papers",
    hint: "Give a part of it.",
  });
}

function freeId(id: string, taken: ReadonlySet<string>): string {
  let free = id;
  for (let number = 2; taken.has(free.toLowerCase()); number++) {
    const ending = `-${number}`;
    free = `${id.slice(0, ID_LENGTH - ending.length)}${ending}`;
  }
  return free;
}

function checkPages(pages: readonly number[] | undefined, name: string, length: number): void {
  const isOffset = (page: number, at: number, all: readonly number[]) =>
    Number.isInteger(page) && page >= (all[at - 1] ?? 0) && page <= length;
  if (pages === undefined || (Array.isArray(pages) && pages.every(isOffset))) return;
  const hint =
    "Give the offset of each page's first character, from 0, each at least the one before.";
  throw unusable(name, "its pages are no rising offsets into its text", hint);
}

function nameOf({ id, title }: PaperDraft): string {
  const named = [title, id].find((each) => typeof each === "string" && each.trim() !== "");
  return oneLineTitle(named ?? "untitled").slice(0, 100);
}

function unusable(name: string, state: string, hint: string): ConfigurationError {
  return new ConfigurationError(`Cannot use paper "${name}": ${state}`, { field: "papers", hint });
}
