// Transcripts as plain text, 80 columns wide: the markdown page without marks.
import { columns, pieces, plainLine, plainText } from "../core/text.ts";
import { type TextStyle, transcriptBlocks } from "./transcript_blocks.ts";
import type { TranscriptRecord } from "./transcript_outline.ts";

const WIDTH = 80;
const INDENT = "    ";

/**
 * A convening as plain text, no line wider than 80 columns. Only words of participants are indented by four columns, so
 * that none of them can pass for a heading; unseen characters are shown as `�`.
 */
export function renderTextTranscript(record: TranscriptRecord): string {
  return transcriptBlocks(record, PLAIN).join("\n\n") + "\n";
}

const PLAIN: TextStyle = {
  inline: plainLine,
  strong: (text) => text,
  emphasis: (text) => text,
  heading: (level, text) => {
    const lines = wrapped(text);
    const longest = Math.max(...lines.map(columns));
    const rules = level > 2 ? [] : [(level === 1 ? "=" : "-").repeat(longest)];
    return [...lines, ...rules].join("\n");
  },
  paragraph: (text) => wrapped(text).join("\n"),
  list: (items) =>
    items.flatMap(([depth, text]) => wrapped(`${" ".repeat(depth)}- ${text}`)).join("\n"),
  table: ([, ...heads], rows) =>
    rows.flatMap(([name, ...cells]) =>
      wrapped(`- ${name}: ${heads.map((head, at) => `${head} ${cells[at]}`).join(", ")}`)
    ).join("\n"),
  said: (body) =>
    plainText(body).replaceAll("\t", INDENT).split("\n")
      .flatMap((line) => wrapped(line, WIDTH - INDENT.length))
      .map((line) => line === "" ? "" : INDENT + line).join("\n"),
};

/** A line broken at white space; a longer word is cut, and every line keeps the white space before the first. */
function wrapped(line: string, width = WIDTH): string[] {
  const lead = /^ */.exec(line.trimEnd())![0].slice(0, width >> 1);
  const room = width - lead.length;
  const lines: string[] = [];
  let current = "";
  for (const piece of line.trim().split(/\s+/u).flatMap((word) => pieces(word, room))) {
    const longer = current === "" ? piece : `${current} ${piece}`;
    if (columns(longer) > room) lines.push(lead + current);
    current = columns(longer) > room ? piece : longer;
  }
  return [...lines, current === "" ? "" : lead + current];
}
