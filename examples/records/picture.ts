// Draws a picture of a record for README: topic, each side's position, total and first words, and the result.
import { parse } from "@std/yaml";
import { totalText } from "../../src/core/text.ts";

const WIDTH = 880;
const MARGIN = 32;
const COLORS = ["#2f5fd0", "#b4531f", "#2f7d57", "#7a4fb0"];
/** Characters of a line of text, by font size. */
const LINE = { 22: 60, 16: 84, 14: 112 } as const;

type FontSize = keyof typeof LINE;

/** Returns the SVG of a record; `files` maps path to text. */
export function pictureOf(files: ReadonlyMap<string, string>): string {
  const { front } = page(files, "metadata.md");
  const sides = sidesOf(files, front);
  const drawing = new Drawing();
  drawing.write(front.topic, 22, { weight: 700, lines: 2 });
  const spoken =
    `${sentenceCase(front.kind)} · ${countOf(files)} messages · ${front.judges.length} judges · ` +
    `spoken by a language model on ${String(front.started_at).slice(0, 10)}`;
  drawing.write(spoken, 14, { color: "#5d6675" });
  drawing.space(10);
  sides.forEach((side, number) => {
    const color = COLORS[number % COLORS.length]!;
    drawing.write(`${side.name}: ${side.position}`, 16, { weight: 600, color, lines: 2 });
    drawing.bar(side.total / side.most, color, `${totalText(side.total)} of ${side.most}`);
    drawing.write(`“${side.words}”`, 14, { lines: 2 });
    drawing.space(12);
  });
  drawing.write(`Result: ${resultOf(front)}`, 16, { weight: 700 });
  return drawing.svg(`${front.topic} ${resultOf(front)}`);
}

interface Side {
  readonly name: string;
  readonly position: string;
  readonly total: number;
  /** The highest score of the rubric. */
  readonly most: number;
  /** The first sentences of the side's first message. */
  readonly words: string;
}

// deno-lint-ignore no-explicit-any -- the keys that are read are those of the record format
type Front = any;

function page(files: ReadonlyMap<string, string>, path: string): { front: Front; body: string } {
  const [, front = "", ...body] = files.get(path)!.split(/^---$/m);
  return { front: parse(front, { schema: "core" }), body: body.join("---").trim() };
}

function pagesIn(files: ReadonlyMap<string, string>, folder: string): ReturnType<typeof page>[] {
  return [...files.keys()].filter((path) => path.startsWith(`${folder}/`)).sort()
    .map((path) => page(files, path)).filter(({ front }) => front.type !== "index");
}

function countOf(files: ReadonlyMap<string, string>): number {
  return pagesIn(files, "messages").length;
}

/** The sides, highest total first. */
function sidesOf(files: ReadonlyMap<string, string>, { scores, judges }: Front): Side[] {
  const messages = pagesIn(files, "messages");
  const scored = pagesIn(files, "scores").find(({ front }) => front.judge === judges[0].id);
  const sides = Object.entries<Front>(scores).map(([id, { name, total }]) => {
    const { front, body } = messages.find(({ front }) => front.participant === id)!;
    const words = body.split("\n").find((line) => line !== "" && !line.startsWith("#")) ?? "";
    const plain = words.replaceAll(/[*`]/g, "").replace(/^Claim\. /, "");
    return { name, position: front.position, total, most: scored!.front.scale[1], words: plain };
  });
  return sides.sort((a, b) => b.total - a.total);
}

function resultOf({ winner, scores, outcome }: Front): string {
  if (winner !== null) return `${scores[winner]?.name ?? winner} wins`;
  return outcome === "undecided" ? "the judges did not agree on a winner" : String(outcome);
}

function sentenceCase(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replaceAll("-", " ")}`;
}

/** Lines and bars from top to bottom. */
class Drawing {
  #y = MARGIN;
  readonly #parts: string[] = [];

  /** Text over as many lines as it needs, at most `lines`. */
  write(
    text: string,
    size: FontSize,
    { weight = 400, color = "#1c2330", lines = 1 }: {
      weight?: number;
      color?: string;
      lines?: number;
    } = {},
  ): void {
    const wrapped = wrap(text, LINE[size]);
    const shown = wrapped.slice(0, lines);
    const last = shown.length - 1;
    if (wrapped.length > lines) shown[last] = `${shown[last]!.replace(/[\s,.;:”]*$/, "")} …`;
    for (const line of shown) {
      this.#y += size * 1.4;
      this.#parts.push(
        `<text x="${MARGIN}" y="${
          this.#y.toFixed(1)
        }" font-size="${size}" font-weight="${weight}" ` +
          `fill="${color}">${escape(line)}</text>`,
      );
    }
  }

  /** A bar that is filled up to `share`, from 0 to 1, with a label at its end. */
  bar(share: number, color: string, label: string): void {
    this.#y += 12;
    const whole = WIDTH - 2 * MARGIN - 110;
    const rect = (width: number, fill: string) =>
      `<rect x="${MARGIN}" y="${this.#y.toFixed(1)}" width="${
        width.toFixed(1)
      }" height="10" rx="5" fill="${fill}"/>`;
    this.#parts.push(
      rect(whole, "#e6e9ef"),
      rect(whole * Math.max(0, Math.min(1, share)), color),
      `<text x="${WIDTH - MARGIN}" y="${
        (this.#y + 10).toFixed(1)
      }" font-size="14" text-anchor="end" ` +
        `fill="#1c2330">${escape(label)}</text>`,
    );
    this.#y += 12;
  }

  /** Empty room. */
  space(height: number): void {
    this.#y += height;
  }

  /** The whole picture, with a title for readers that show none. */
  svg(title: string): string {
    const height = Math.ceil(this.#y + MARGIN);
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" ` +
      `viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" role="img">`,
      `<title>${escape(title)}</title>`,
      `<rect width="${WIDTH}" height="${height}" rx="12" fill="#ffffff" stroke="#cfd5df"/>`,
      ...this.#parts,
      "</svg>",
      "",
    ].join("\n");
  }
}

function wrap(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const last = lines.length - 1;
    const longer = lines[last] === "" ? word : `${lines[last]} ${word}`;
    if (longer.length <= width) lines[last] = longer;
    else lines.push(word);
  }
  return lines;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
