// Cleaning of text: invisible characters, single lines, well-formed Unicode; wrapping for a terminal; nearest words.

const LINE_END = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/** Soft hyphens, and the marks of direction that Hebrew and Arabic texts have between words. */
const HINTS = /[\u00ad\u061c\u200e\u200f]/g;
/** Characters that a joiner may stand between: parts of an emoji, and letters of scripts in which a joiner changes a word. */
const JOINED = String
  .raw`[[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]--[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}]]`;
/**
 * Characters that are invisible but affect a terminal, a browser or a model: control characters, directional marks,
 * zero-width characters, tag characters (U+E0000 to U+E007F). Excluded are line breaks, tabs, joiners between
 * {@linkcode JOINED} characters, and the variation selector of an emoji.
 */
let invisiblePattern: RegExp | undefined;

// Compiled on first use: that takes milliseconds, which a text of common characters saves.
function invisible(): RegExp {
  return invisiblePattern ??= new RegExp(
    [
      String.raw`(?:[[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[\n\t]]`,
      `(?<!${JOINED}[\\u200c\\u200d](?=${JOINED}))`,
      String.raw`(?<!\p{Emoji}[\ufe0e\ufe0f]))+`,
    ].join(""),
    "gv",
  );
}

/** Text of ASCII, Latin letters and common punctuation, all of them visible. */
const VISIBLE = /^[\n\t\x20-\x7e\xa0-\xac\xae-\u024f\u2010-\u2027\u2030-\u205e]*$/;

/** Replaces each run of invisible characters, normalizes line ends to `\n`, and repairs lone surrogates. */
function withoutInvisible(text: string, replacement: string): string {
  const lines = text.toWellFormed().replace(LINE_END, "\n").replace(HINTS, "");
  return VISIBLE.test(lines) ? lines : lines.replace(invisible(), replacement);
}

/** Returns a text for display: line breaks are `\n`, each run of invisible characters is `�`, {@linkcode HINTS} are removed. */
export function plainText(text: string): string {
  return withoutInvisible(text, "\ufffd");
}

/** Applies {@linkcode plainText}, then cuts to one line of at most `max` code points with an ellipsis. @default max no limit */
export function plainLine(text: string, max = Infinity): string {
  return oneLine(plainText(text), max);
}

/** Removes the invisible characters of a text that becomes part of a record. */
export function withoutUnseen(text: string): string {
  return withoutInvisible(text, "");
}

/** Replaces each invisible character by the result of `escape`. */
export function escapedUnseen(text: string, escape: (char: string) => string): string {
  return VISIBLE.test(text)
    ? text
    : text.replace(invisible(), (run) => Array.from(run, escape).join(""));
}

/** Replaces secrets by `[key]`, except those of fewer than four characters, which are parts of many words. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (rest, secret) => secret.length < 4 ? rest : rest.replaceAll(secret, "[key]"),
    text,
  );
}

/** Formats a count with its noun, such as `3 turns`. */
export function counted(count: number, thing: string): string {
  return `${thousands(count)} ${thing}${count === 1 ? "" : "s"}`;
}

/** Names the turns up to the last one: `turn 1`, `turns 1 and 2`, `turns 1 to 9`. */
export function turnsThrough(last: number): string {
  return last === 1 ? "turn 1" : `turns 1 ${last === 2 ? "and" : "to"} ${last}`;
}

/** Formats a number with commas between thousands. */
export function thousands(value: number): string {
  return String(value).replace(/\B(?<!\.\d*)(?=(?:\d{3})+(?!\d))/g, ",");
}

/** Formats a share of four decimals as an exact percentage, such as `58 %` or `66.67 %`. */
export function percentText(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`;
}

/** Returns a number with decimals; never -0.00. @default digits 2 */
export function fixed(value: number, digits = 2): string {
  return value.toFixed(digits).replace(/^-(?=[0.]+$)/, "");
}

/** Formats a total of four decimals with two; a half is rounded up. */
export function totalText(total: number): string {
  return (Math.round(Math.round(total * 1e4) / 100) / 100).toFixed(2);
}

/** Formats a number of minutes as minutes, from two hours on as hours. */
export function durationText(minutes: number): string {
  return minutes < 120
    ? counted(Math.round(minutes), "minute")
    : counted(Math.round(minutes / 60), "hour");
}

/** Returns words as a list: `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

/** Question mark of Greek, which looks like a semicolon; after one letter, as in a formula, it is a semicolon. */
const GREEK_MARK = "(?<=[\\u0370-\\u03ff\\u1f00-\\u1fff]{2})[;\\u037e]";
const QUESTION_END = new RegExp(`(?:[?？؟]|${GREEK_MARK}|か。?)$`);

/** True if a text ends with a question mark, of any script, or with the Japanese particle of questions. */
export function isQuestion(text: string): boolean {
  return QUESTION_END.test(text.trim());
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Converts a snake_case word to a heading: `opening_statement` becomes `Opening statement`. */
export function headingWords(name: string): string {
  return capitalized(name.replace(/[_\s]+/gu, " ").trim());
}

/** Returns a text in quotation marks with one end mark: its own, or a full stop after the quotation. */
export function quotedSentence(text: string): string {
  return `“${text}”${/[.!?…。！？؟۔।]$/u.test(text) ? "" : "."}`;
}

/** Returns `status N` and what the server said, unless that only repeats the status. */
export function statusText(status: number, said: string): string {
  const repeats = new RegExp(`^(?:status(?: code)?:? *)?(?:${status})?[.! ]*$`, "i").test(said);
  return repeats ? `status ${status}` : `status ${status}, ${said}`;
}

/** Maximum code points of names, positions and gists, and the maximum tokens of each. */
export const CUT = { name: 80, position: 140, gist: 140, tokens: 40 } as const;

/** Collapses white space and cuts to one line of at most `max` code points, with an ellipsis. @default max no limit */
export function oneLine(text: string, max = Infinity): string {
  return shortened(text.replace(/\s+/gu, " ").trim(), max);
}

/** Cuts a text to `max` code points; the last of a cut text is an ellipsis. */
export function shortened(text: string, max: number): string {
  return firstPoints(text, max) === text ? text : firstPoints(text, max - 1).trimEnd() + "…";
}

/** Created on first use: that takes milliseconds, and few texts need it. */
let graphemes: Intl.Segmenter | undefined;

/** Returns the first `max` code points of a text, or fewer where the cut would split a letter from its marks or an emoji. */
export function firstPoints(text: string, max: number): string {
  // A code point has one or two UTF-16 units, so a short text needs no counting.
  if (text.length <= max) return text;
  const { length } = [...text.slice(0, 2 * max)].slice(0, max).join("");
  const first = text.slice(0, length);
  // No mark or joiner is before U+0300; the longest characters in use, emoji of families, have some 30 units.
  if (first === text || text.charCodeAt(length) < 0x300) return first;
  const around = Math.max(0, length - 32);
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  const within = graphemes.segment(text.slice(around, length + 32));
  return text.slice(0, around + within.containing(length - around)!.index) || first;
}

/** Cuts a line to `max` code points, between words if a word ends in its second half; a cut line ends with `mark`. */
export function cutAtWord(line: string, max: number, mark = "…"): string {
  if (firstPoints(line, max) === line) return line;
  const cut = firstPoints(line, max - mark.length);
  const space = cut.lastIndexOf(" ");
  return `${space > cut.length / 2 ? cut.slice(0, space) : cut}${mark}`;
}

/** Markdown marks of headings, quotations, list items, bold words and code. */
const MARKS = /^[ \t]*(?:#{1,6}|>|[-*+])[ \t]+|\*\*|`+/gm;

/** Removes the markdown marks of a text and returns the text for display on one line. */
export function proseLine(markdown: string): string {
  return plainLine(markdown.replace(MARKS, ""));
}

/** Pattern of the characters that a backslash escapes in markdown. */
export const ESCAPABLE = "[!-/:-@[-`{-~]";
const ESCAPED = new RegExp(`\\\\(${ESCAPABLE})|&lt;|&amp;`, "g");

/** Removes the escapes of markdown that renders as plain text. */
export function unescapedMarkdown(markdown: string): string {
  return markdown.replace(ESCAPED, (found, char) => {
    if (found === "&lt;") return "<";
    return found === "&amp;" ? "&" : char;
  });
}

/** Renders a table of markdown cells; with `left`, the columns but that with this index are aligned right. */
export function tableText(
  heads: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  left?: number,
): string {
  const rule = heads.map((_, at) => at === (left ?? at) ? "---" : "---:");
  return [heads, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Headings, lines in bold that are no sentence, and labels in bold. */
const LABELS = /^#{1,6} .*$|^\*\*[^*\n]{1,80}(?<![.!?…])\*\*[ \t]*$|^\*\*[^*\n]{1,40}[.:]\*\*/gmu;
const HEADING = /^(?:#|\*\*[^*\n]{1,80}(?<![.!?…])\*\*[ \t]*\n)/u;

/** Announcement of a text, but not of a list, and no heading, such as `Sure! Here is my speech:`. */
const ANNOUNCEMENT = /^(?!#)[^\n]{1,80}[:：]\n\n(?!(?:[-*+]|\d+[.)])\s)/u;

/** Returns a body without an announcement, and without headings and labels if it begins with a heading and has other text. */
export function withoutHeadings(body: string): string {
  const said = body.replace(ANNOUNCEMENT, "");
  const prose = HEADING.test(said) ? said.slice(0, 4000).replace(LABELS, "").trim() : said;
  return prose === "" ? body : prose;
}

/** Mark at the end of a sentence, in any script. */
const SENTENCE_END = new RegExp(
  `(?:(?<!(?:^|\\s)(?:\\d{1,2}|vs))[.!?…؟۔।]|${GREEK_MARK})(?=\\s|$)|[。！？](?![」』”’）])`,
  "u",
);

/** Returns the first sentence of a body, at most 140 characters, as by {@linkcode withoutHeadings}. */
export function gist(body: string): string {
  const text = withoutHeadings(body);
  const start = oneLine(text.slice(0, 400), 400);
  // Text beyond 140 code points, of two units each at most, cannot change the result.
  const line = start.length > 300 ? start : oneLine(text.slice(0, 2000), 2000);
  const end = line.search(SENTENCE_END);
  return oneLine(end === -1 ? line : line.slice(0, end + 1), 140);
}

const LIST_MARKER = /^(?:(?:[-*+•>]|#{1,6}|\d{1,3}[.)])\s+)+/u;

/** Cleans text of a model or a person: line ends as `\n`, tabs as spaces, no invisible characters, trimmed. */
export function saidText(text: string): string {
  return withoutUnseen(text).replaceAll("\t", " ").trim();
}

/** Applies {@linkcode saidText}, then cuts to one line of at most `max` code points with an ellipsis. @default max no limit */
export function saidLine(text: string, max = Infinity): string {
  return oneLine(saidText(text), max);
}

/** Removes the markdown markers of a list item, heading or quotation: `1.`, `2)`, `-`, `#`, `>`. */
export function withoutListMarker(line: string): string {
  return line.trimStart().replace(LIST_MARKER, "");
}

const BOLD = /(?<![\p{L}\p{N}*])\*\*(?=\S)(.{1,1000}?)(?<=\S)\*\*(?![\p{L}\p{N}*])/gu;

export function withoutBold(text: string): string {
  return text.replace(BOLD, "$1");
}

/** Returns a list item of a model on one line of at most `max` code points, without a list marker and bold. @default max no limit */
export function itemLine(item: string, max = Infinity): string {
  return oneLine(withoutListMarker(withoutBold(saidText(item))), max);
}

/** Digits, letters and signs that writers of a language exchange, and the form that stands for them. */
const EXCHANGED = "٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९٪ёЁيك";
const FOR_EXCHANGED = "012345678901234567890123456789%еЕیک";

/** Returns a text with European digits for those of Arabic, Persian and Hindi, `е` for `ё`, and Persian letters for the same of Arabic. */
export function withOneSpelling(text: string): string {
  return text.replace(/[٠-٩۰-۹०-९٪ёЁيك]/g, (char) => FOR_EXCHANGED[EXCHANGED.indexOf(char)]!);
}

/** Letters, not digits, of scripts without spaces between words, from Thai to Han and kana. Ranges, because script classes compile slowly. */
export const UNSPACED =
  "\\u0e01-\\u0e3a\\u0e40-\\u0e4f\\u0e5a-\\u0ecf\\u0eda-\\u0eff\\u1000-\\u103f\\u104a-\\u108f\\u109a-\\u109f" +
  "\\u1780-\\u17df\\u17ea-\\u17ff\\u2e80-\\u2fdf\\u3005-\\u3007\\u3041-\\u3096\\u309d-\\u30fa" +
  "\\u30fc-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uff66-\\uff9f\\u{20000}-\\u{3fffd}";

/** Accents of alphabets, vowel points of Hebrew and Arabic, tatweel, joiners. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0640\u064b-\u065f\u0670\u200c\u200d]/g;
/** Letters that a keyboard without them replaces. */
const TYPED: Readonly<Record<string, string>> = { đ: "d", ø: "o", ł: "l", ى: "ی", ة: "ه" };

/**
 * Removes letter case, width, ligatures, the accents of alphabets and the vowel points of Arabic and Hebrew for a comparison; vowel
 * signs of other scripts stay. The script of a site folds the same.
 */
export function foldedText(text: string): string {
  const plain = withOneSpelling(text.normalize("NFKD").replace(ACCENTS, "").normalize("NFC"));
  // Upper case first: it has no sharp s and no dotless i.
  return plain.replaceAll("’", "'").toUpperCase().toLowerCase()
    .replace(/[đøłىة]/g, (char) => TYPED[char]!);
}

/** Replaces lone surrogates in a text, or in data with texts, by U+FFFD, as UTF-8 does; returns well-formed data unchanged. */
export function wellFormed<T>(value: T): T {
  return isWellFormed(value) ? value : repaired(value) as T;
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  for (const key in value) {
    if (!key.isWellFormed() || !isWellFormed(value[key as keyof typeof value])) return false;
  }
  return true;
}

function repaired(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(repaired);
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key.toWellFormed(), repaired(each)]),
  );
}

/** Reads a response's body as text; undefined if it has more than `maxBytes`. */
export async function bodyText({ body }: Response, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const part of body ?? []) {
    size += part.byteLength;
    if (size > maxBytes) return undefined;
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

/** Splits a word into pieces of at most `room` columns; nearly always there is one. */
export function pieces(word: string, room: number): string[] {
  if (columns(word) <= room) return [word];
  const all = [""];
  let used = 0;
  for (const char of word) {
    const more = columns(char);
    used += more;
    if (used > room) {
      all.push("");
      used = more;
    }
    all[all.length - 1] += char;
  }
  return all;
}

/** Wraps a line between words at `width` columns; each part keeps the indent, of at most half of the width. */
export function wrappedLine(line: string, width: number): string {
  if (columns(line) <= width) return line;
  const indent = /^ */.exec(line)![0].slice(0, width >> 1);
  const lines: string[] = [];
  for (const word of line.trim().split(/\s+/u)) {
    for (const piece of pieces(word, Math.max(1, width - indent.length))) {
      const before = lines.at(-1);
      if (before !== undefined && columns(before) + 1 + columns(piece) <= width) {
        lines[lines.length - 1] = `${before} ${piece}`;
      } else lines.push(indent + piece);
    }
  }
  return lines.join("\n");
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{17000}-\u{18cff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Extended_Pictographic}/u;

/** Counts the terminal columns of a text: two for a wide character, none for a combining mark. */
export function columns(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let count = 0;
  for (const char of text) {
    if (/[\p{Mn}\p{Me}\p{Cf}]/u.test(char)) continue;
    count += WIDE.test(char) ? 2 : 1;
  }
  return count;
}

/** Minimum number of letters for a match by the beginning of a word. */
const MIN_PREFIX = 4;

/** Returns the candidate nearest to a misspelt word, else the first that begins with it; undefined without one. */
export function nearWord(word: string, candidates: Iterable<string>): string | undefined {
  const given = comparable(word);
  const all = [...candidates];
  let best: { readonly candidate: string; readonly edits: number } | undefined;
  for (const candidate of all) {
    const edits = editsBetween(given, comparable(candidate));
    const most = Math.max(1, Math.floor(Math.min(given.length, candidate.length) / 3));
    // A word that differs in every letter is not near.
    if (edits <= most && edits < (best?.edits ?? given.length)) best = { candidate, edits };
  }
  if (best !== undefined) return best.candidate;
  const stem = given.replace(/s$/, "");
  if (stem.length < MIN_PREFIX) return undefined;
  return all.find((each) => comparable(each).startsWith(stem));
}

/** Returns the first sentence of a hint, `Did you mean "x"? `, or the empty string. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const near = nearWord(word, candidates);
  return near === undefined ? "" : `Did you mean "${near}"? `;
}

function comparable(word: string): string {
  return word.slice(0, 100).toLowerCase().replace(/[\s_-]+/g, "");
}

/** Counts the letters inserted, deleted, replaced or transposed between two words. */
function editsBetween(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let at = 1; at <= from.length; at++) {
    const next = [at];
    for (let there = 1; there <= to.length; there++) {
      const same = from[at - 1] === to[there - 1];
      const swapped = from[at - 1] === to[there - 2] && from[at - 2] === to[there - 1];
      next[there] = Math.min(
        row[there]! + 1,
        next[there - 1]! + 1,
        row[there - 1]! + (same ? 0 : 1),
        swapped ? (before[there - 2] ?? Infinity) + 1 : Infinity,
      );
    }
    [before, row] = [row, next];
  }
  return row[to.length]!;
}
