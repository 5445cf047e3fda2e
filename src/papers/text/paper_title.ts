// The title that a paper's text shows.
import { parse } from "@std/yaml";

/** The most code points of a paper's title. */
export const TITLE_LENGTH = 500;

/** The most code points of a first line that is taken for a title. */
const FIRST_LINE = 200;
/** Length of the beginning of a text in which its title is looked for, in UTF-16 units. */
const BEGINNING = 20_000;
/** A line that is longer is no heading. */
const LONGEST_HEADING = 1000;

const FRONT_MATTER = /^---[ \t]*\n([\s\S]*?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)/;
const FENCE = /^ {0,3}(```|~~~)/;
const BEGINS = /^["'“‘«„([¿¡]*[\p{L}\p{N}]/u;

/** A title on one line: without control characters, white space made single spaces. */
export function oneLineTitle(title: string): string {
  return title.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\ufeff]/gu, " ").replace(/\s+/g, " ")
    .trim();
}

/** A title that was found rather than given: cut where it is too long. */
export function shortTitle(title: string): string {
  const points = [...oneLineTitle(title)];
  if (points.length <= TITLE_LENGTH) return points.join("");
  return `${points.slice(0, TITLE_LENGTH - 1).join("").trimEnd()}…`;
}

/**
 * The title that a text shows: of markdown the `title` of its front matter, then its first heading, one of the first
 * level before others; of any text its first line, where that looks like a title. Undefined where there is none.
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
    : firstLine(beginning);
  const title = found === undefined ? "" : shortTitle(found);
  return title === "" ? undefined : title;
}

function titleOf(matter: string | undefined): string | undefined {
  if (matter === undefined) return undefined;
  try {
    const data = parse(matter, { schema: "core" });
    const title = typeof data === "object" && data !== null && "title" in data
      ? data.title
      : undefined;
    return typeof title === "string" && title.trim() !== "" ? title : undefined;
  } catch {
    // Text that is no YAML is text of the paper.
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

function firstLine(text: string): string | undefined {
  const lines = text.split("\n");
  const at = lines.findIndex((each) => each.trim() !== "");
  const line = lines[at]?.trim() ?? "";
  const isTitle = [...line].length <= FIRST_LINE && BEGINS.test(line) && /\p{L}/u.test(line) &&
    !/[.,;:]$/.test(line) && !/^\s*\p{Ll}/u.test(lines[at + 1] ?? "");
  return isTitle ? line : undefined;
}

/** A heading's words without its marks. */
function plain(heading: string): string {
  return heading
    .replace(/!?\[([^\]\n]{0,500})\]\([^)\n]{0,500}\)/g, "$1")
    .replace(/<br ?\/?>/gi, " ").replace(/<\/?[a-z][a-z\d]{0,15}>/gi, "")
    .replace(/\*+|`+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, "")
    .trim();
}
