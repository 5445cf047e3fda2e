// Transcripts as one markdown page.
import markdownIt from "markdown-it";
import { plainText } from "../core/text.ts";
import { common, writeFrontMatter } from "./frontmatter.ts";
import { markdownText } from "./markdown.ts";
import { type TextStyle, transcriptBlocks } from "./transcript_blocks.ts";
import type { TranscriptRecord } from "./transcript_outline.ts";

/**
 * A convening as one markdown page. Words of participants stand in block quotes, their headings, HTML and link
 * definitions made plain text, so that the page's structure is the transcript's alone.
 */
export function renderMarkdownTranscript(record: TranscriptRecord): string {
  const data = { ...common("transcript"), index: "index.md" };
  return writeFrontMatter(data, transcriptBlocks(record, MARKDOWN).join("\n\n") + "\n");
}

const MARKDOWN: TextStyle = {
  inline: (text) => markdownText(text, Infinity),
  strong: (text) => `**${text}**`,
  emphasis: (text) => `*${text}*`,
  heading: (level, text) => `${"#".repeat(level)} ${text}`,
  paragraph: (text) => text,
  list: (items) => items.map(([depth, text]) => `${"  ".repeat(depth)}- ${text}`).join("\n"),
  table: (heads, rows) => {
    const rule = heads.map((_, at) => at === 0 ? "---" : "---:");
    return [heads, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  },
  said: containMarkdown,
};

// Any other markdown reader that allows HTML sees the same blocks once no `<` is left outside code.
const parser = markdownIt("commonmark", { html: false });
const PASSES = 8;

/**
 * Words of a participant as a block quote that no line leaves: headings and link definitions become plain text, `<` becomes
 * `&lt;` outside code blocks, and no line stands at the page's own level. Other text is shown as code.
 */
export function containMarkdown(body: string): string {
  // A tab's width depends on its column, which the quote moves.
  const text = plainText(body).replaceAll("\t", "    ")
    .replace(/^\n+/, "").trimEnd();
  return (flatten(text) ?? fenced(text)).split("\n")
    .map((line) => line === "" ? ">" : `> ${line}`)
    .join("\n");
}

/** The text without headings, definitions and HTML; undefined if some remain after several passes. */
function flatten(text: string): string | undefined {
  if (!/[<#]|\]:|^[ >*+\-\d.)=]*[=-] *$/mu.test(text)) return text;
  let lines = text.split("\n");
  for (let pass = 0; pass < PASSES; pass++) {
    const { headings, code, definitions } = survey(lines);
    if (headings.length === 0 && !definitions) {
      return lines.map((line, at) => code.has(at) ? line : line.replaceAll("<", "&lt;")).join("\n");
    }
    const marked = new Set(headings);
    lines = lines.map((line, at) => {
      if (code.has(at)) return line;
      const plain = definitions ? line.replaceAll("]:", "]\\:") : line;
      return marked.has(at) ? plain.replace(/#+|=+|-+(?=\s*$)/, "\\$&") : plain;
    });
  }
  return undefined;
}

/** The lines that make headings, those that are code, and whether there are link definitions. */
function survey(
  lines: readonly string[],
): { headings: number[]; code: Set<number>; definitions: boolean } {
  const env: NonNullable<Parameters<typeof parser.parse>[1]> = {};
  const headings: number[] = [];
  const code = new Set<number>();
  for (const token of parser.parse(lines.join("\n"), env)) {
    const [from, to] = token.map ?? [0, 0];
    if (token.type === "heading_open") {
      headings.push(token.markup.startsWith("#") ? from : to - 1);
    } else if (token.type === "fence" || token.type === "code_block") {
      for (let at = from; at < to; at++) code.add(at);
    }
  }
  return {
    headings,
    code,
    definitions: Object.keys(env.references ?? {}).length > 0,
  };
}

function fenced(text: string): string {
  const longest = Math.max(
    2,
    ...[...text.matchAll(/`+/g)].map(([run]) => run.length),
  );
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
