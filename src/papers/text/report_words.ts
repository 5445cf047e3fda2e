import { codeMarkdown, wordsMarkdown } from "./prose_markdown.ts";
import { linkableAddress } from "./references.ts";

/** A table whose cells are markdown; the columns of `words`, counted from 0, stand to the left, those of numbers to the right. */
export function tableOf(
  heads: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  words: readonly number[],
): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  const rule = heads.map((_, index) => words.includes(index) ? "---" : "---:");
  return [line(heads), line(rule), ...rows.map(line)].join("\n");
}

/** A list of items that are markdown; says so where there are none. */
export function bulleted(items: readonly string[]): string {
  return items.length === 0 ? "None." : items.map((item) => `- ${item}`).join("\n");
}

/** A criterion's id as words. */
export function criterionWords(id: string): string {
  return wordsMarkdown(id.replaceAll("_", " "));
}

/** A title as a link, where its address is one that a page may link to; else as {@linkcode unlinked} has it. */
export function linked(title: string, url: string): string {
  const address = linkableAddress(url);
  if (address === undefined) return unlinked(title, url);
  return `[${wordsMarkdown(title.trim() === "" ? address : title, 200)}](${destination(address)})`;
}

/** A title and, where there is one, its address as code: no link. */
export function unlinked(title: string, url: string): string {
  const parts = [
    ...(url.trim() === "" ? [] : [codeMarkdown(url, 300)]),
    ...(title.trim() === "" ? [] : [wordsMarkdown(title, 200)]),
  ];
  return parts.length === 0 ? "without a title" : parts.join(": ");
}

/** An address as the target of a link: no sign in it ends the link or stands for another. */
function destination(address: string): string {
  const safe = address.replace(/[\\<>\s`]/g, encodeURIComponent)
    .replace(/&(?=#?[\p{L}\p{N}]{1,40};)/gu, "&amp;");
  return /[()]/.test(safe) ? `<${safe}>` : safe;
}
