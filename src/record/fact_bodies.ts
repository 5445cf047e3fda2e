// Bodies of fact files that are written from several fields, and read back: the points of a turn, and drafts.
import type { Flow, TurnDraft } from "../core/fact.ts";
import { markdownText } from "./markdown.ts";

/** The points of a turn, one line each. */
export function flowBody({ points, reason }: Flow): string {
  if (points.length === 0) {
    return `${reason === undefined ? "No point." : markdownText(reason, 600)}\n`;
  }
  const lines = points.map(({ id, kind, answers, text }) =>
    `- **${id}** (${[kind, ...answers].join(" ")}): ${markdownText(text, 300)}\n`
  );
  return lines.join("");
}

/** A field of a draft as a section of the body. */
export function draftSection(name: string, text: string): string {
  return `## ${markdownText(name, 80)}\n\n${text}\n\n`;
}

/** A section of a draft, as the front matter lists it. */
export interface DraftPart {
  readonly name: string;
  readonly characters: number;
}

/** The texts of a draft's sections, by the lengths the front matter has. Fails with a `RangeError` where they do not fit. */
export function draftFields(body: string, fields: readonly DraftPart[]): TurnDraft["fields"] {
  const found: [string, string][] = [];
  let rest = body;
  for (const { name, characters } of fields) {
    const start = draftSection(name, "").length - 2;
    const points = [...rest.slice(start, start + 2 * characters)];
    const text = points.slice(0, characters).join("");
    const whole = draftSection(name, text);
    if (points.length < characters || !rest.startsWith(whole)) {
      throw new RangeError(`fields: the body has no section "${name}" of ${characters} characters`);
    }
    found.push([name, text]);
    rest = rest.slice(whole.length);
  }
  if (rest !== "") throw new RangeError("fields: the body holds more than the fields named");
  return Object.fromEntries(found);
}
