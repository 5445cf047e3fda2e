// Checks and cleans papers from programs and files, and finds titles in their texts.
import { parse } from "@std/yaml";
import { ID } from "../../core/check_fields.ts";
import { cleanText, MAX_PAPER_CHARACTERS, type Paper } from "../../core/paper.ts";
import { ConfigurationError, PaperError } from "../../core/error.ts";
import { counted, shortened, withoutUnseen } from "../../core/text.ts";
import { fieldOf } from "../../core/turn.ts";

/** A paper before the check. */
export interface PaperDraft {
  /** Id; a duplicate in a debate gets a number. @default made from the title */
  readonly id?: string | undefined;
  /** Title, at most 500 code points. @default the first heading or line of the text, else the id */
  readonly title?: string | undefined;
  /** Full text, markdown or plain. */
  readonly text: string;
  /** Offset of each page in the text, in UTF-16 units. @default no pages */
  readonly pages?: readonly number[] | undefined;
}

const ID_LENGTH = 64;

/**
 * Returns a checked paper: text cleaned, page offsets adjusted, title on one line, id usable in file names (a valid id is
 * unchanged). Throws a `PaperError` for an empty or too long text, and a `ConfigurationError` for a bad title or bad pages.
 */
export function checkPaper(draft: PaperDraft): Paper {
  if (draft === null || typeof draft !== "object") {
    throw unusable("untitled", "it is not an object", "Give an id, a title and a text.");
  }
  const { id, title, text: raw, pages } = draft;
  const name = nameOf(draft);
  if (typeof raw !== "string") throw unusable(name, "it has no text", "Give the text as a string.");
  if (id !== undefined && typeof id !== "string") {
    throw unusable(name, "its id is not a string", "Give a name of letters and digits.");
  }
  checkPages(pages, name, raw.length);
  const refused = (state: string, hint: string) =>
    new PaperError(`Cannot use paper "${name}": ${state}`, { field: "papers", hint });
  if (raw.length > MAX_PAPER_CHARACTERS) {
    const state = `it has more than ${counted(MAX_PAPER_CHARACTERS, "character")}`;
    throw refused(state, "Give a part of it.");
  }
  const { text, places } = cleanText(raw, pages ?? []);
  if (text.trim() === "") throw refused("its text is empty", "Give a paper that has text.");
  const shown = checkTitle(title, name) ?? titleIn(text, { markdown: true });
  const own = id === undefined || id.trim() === "" ? paperId(shown ?? "") : paperId(id);
  return { id: own, title: shown ?? own, text, ...pages === undefined ? {} : { pages: places } };
}

/** Checks the papers of a debate; later papers with the same id, ignoring case, get `-2`, `-3`. */
export function checkPapers(drafts: readonly PaperDraft[]): Paper[] {
  const taken = new Set<string>();
  return drafts.map((draft) => {
    const paper = checkPaper(draft);
    const id = freeId(paper.id, taken);
    taken.add(id.toLowerCase());
    return id === paper.id ? paper : { ...paper, id };
  });
}

/** Checks the papers of a new debate. Throws if two have one text, by the papers' `names`. @default their titles */
export function distinctPapers(drafts: readonly PaperDraft[], names?: readonly string[]): Paper[] {
  const papers = checkPapers(drafts);
  const known = new Map<string, string>();
  for (const [at, { text, title }] of papers.entries()) {
    const name = names?.[at] ?? title;
    const same = known.get(text.trim());
    known.set(text.trim(), name);
    if (same === undefined) continue;
    const state = same === name ? "it is given twice" : `"${same}" has the same text`;
    throw unusable(name, state, "Give each paper once.");
  }
  return papers;
}

/** Converts a name to a paper id: at most 64 letters, digits, `_`, `.` and `-`; `paper` if no character is left. */
export function paperId(name: string): string {
  if (ID.test(name)) return name;
  const id = name.slice(0, 1000).normalize("NFKD").replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9_.-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  return id.slice(0, ID_LENGTH).replace(/[-_.]+$/, "") || "paper";
}

/** Returns a given title on one line; undefined for a title without a visible character. Throws a `ConfigurationError` for a long title. */
export function checkTitle(title: string | undefined, name: string): string | undefined {
  if (title === undefined) return undefined;
  if (typeof title !== "string") {
    throw unusable(name, "its title is not a string", "Give one line.");
  }
  const shown = oneLineTitle(title);
  const length = [...shown].length;
  if (length > TITLE_LENGTH) {
    const state = `its title has ${
      counted(length, "character")
    }, at most ${TITLE_LENGTH} are allowed`;
    throw unusable(name, state, "Give a shorter title.");
  }
  return shown === "" ? undefined : shown;
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
  throw unusable(name, "its pages are not increasing offsets into its text", hint);
}

function nameOf({ id, title }: PaperDraft): string {
  const named = [title, id].map((each) => typeof each === "string" ? oneLineTitle(each) : "");
  return shortened(named.find((each) => each !== "") ?? "untitled", 100);
}

function unusable(name: string, state: string, hint: string): ConfigurationError {
  return new ConfigurationError(`Cannot use paper "${name}": ${state}`, { field: "papers", hint });
}

/** Maximum code points of a paper's title. */
export const TITLE_LENGTH = 500;

/** Maximum code points of a first line used as title. */
const FIRST_LINE = 200;
/** Length of the part of a text searched for a title, in UTF-16 units. */
const BEGINNING = 20_000;
/** Maximum length of a heading's line. */
const LONGEST_HEADING = 1000;

const FRONT_MATTER = /^---[ \t]*\n([\s\S]*?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)/;
const FENCE = /^ {0,3}(```|~~~)/;
const BEGINS = /^["'“‘«„([¿¡]*[\p{L}\p{N}]/u;

/** Returns a title on one line, without control characters and with single spaces; empty without a visible character. */
export function oneLineTitle(title: string): string {
  const line = title.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\ufeff]/gu, " ")
    .replace(/\s+/g, " ").trim();
  return withoutUnseen(line).trim() === "" ? "" : line;
}

/** Returns a title on one line, cut to {@linkcode TITLE_LENGTH}. */
export function shortTitle(title: string): string {
  return shortened(oneLineTitle(title), TITLE_LENGTH);
}

/**
 * Returns the title in a text. Markdown: `title` in the front matter, else the first heading of level 1, else the first
 * heading. LaTeX: `\title{…}`. Any text: the first line if it looks like a title. Otherwise undefined.
 */
export function titleIn(
  text: string,
  { markdown }: { readonly markdown: boolean },
): string | undefined {
  const beginning = text.slice(0, BEGINNING);
  const matter = FRONT_MATTER.exec(beginning);
  const body = matter === null ? beginning : beginning.slice(matter[0].length);
  const found = markdown
    ? titleOf(matter?.[1]) ?? headingIn(body) ?? firstLine(body)
    : latexTitle(beginning) ?? firstLine(beginning);
  const title = found === undefined ? "" : shortTitle(found);
  return title === "" ? undefined : title;
}

function titleOf(matter: string | undefined): string | undefined {
  if (matter === undefined) return undefined;
  try {
    const title = fieldOf(parse(matter, { schema: "core" }), "title");
    return typeof title === "string" && title.trim() !== "" ? title : undefined;
  } catch {
    // If the front matter is no YAML, it is part of the paper's text.
    return undefined;
  }
}

function headingIn(text: string): string | undefined {
  let fence: string | undefined;
  let first: string | undefined;
  const lines = text.split("\n");
  for (const [at, line] of lines.entries()) {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined && (fence ?? mark) === mark) {
      fence = fence === undefined ? mark : undefined;
    }
    if (fence !== undefined || line.length > LONGEST_HEADING) continue;
    const [, level, words] = /^ {0,3}(#{1,6})[ \t]+(.*)$/.exec(line) ?? [];
    const heading = words === undefined ? "" : plain(words.replace(/[ \t]#+$/, ""));
    if (level === "#" && heading !== "") return heading;
    if (heading !== "") first ??= heading;
    const under = lines[at + 1] ?? "";
    if (/^={2,}$/.test(under) && /\p{L}/u.test(line)) return plain(line);
  }
  return first;
}

/** Returns the title that a LaTeX file sets, without commands. */
function latexTitle(text: string): string | undefined {
  const [, title] = /^[ \t]*\\title\s*(?:\[[^\]]*\]\s*)?\{((?:[^{}]|\{[^{}]*\})*)\}/m.exec(text) ??
    [];
  return title?.replace(/(?<!\\)%.*|\\(?:thanks|footnote)\{[^}]*\}|\\\\|~/g, " ")
    .replace(/\\[A-Za-z]+\*?|[{}]/g, "").replace(/\\(?=[&%$#_])/g, "");
}

function firstLine(text: string): string | undefined {
  const lines = text.split("\n");
  const at = lines.findIndex((each) => each.trim() !== "");
  const line = lines[at]?.trim() ?? "";
  const isTitle = [...line].length <= FIRST_LINE && BEGINS.test(line) && /\p{L}/u.test(line) &&
    !/[.,;:]$/.test(line) && !/^\s*\p{Ll}/u.test(lines[at + 1] ?? "");
  return isTitle ? line : undefined;
}

function plain(heading: string): string {
  return heading
    .replace(/!?\[([^\]\n]{0,500})\]\([^)\n]{0,500}\)/g, "$1")
    .replace(/<br ?\/?>/gi, " ").replace(/<\/?[a-z][a-z\d]{0,15}>/gi, "")
    .replace(/\*+|`+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, "")
    .trim();
}

/** A file without readable text; the message describes the file's state, and callers add the file's name. */
export class UnreadableError extends Error {
  /** Remedy, one sentence. */
  readonly hint: string;

  constructor(state: string, hint: string, cause?: unknown) {
    super(state, { cause });
    this.name = "UnreadableError";
    this.hint = hint;
  }
}

export function tooLong(): UnreadableError {
  const most = counted(MAX_PAPER_CHARACTERS, "character");
  return new UnreadableError(`it has more than ${most} of text`, "Give a part of it.");
}
