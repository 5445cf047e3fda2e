import { oneLine } from "../../core/message.ts";
import type { EvidenceFigures } from "../../core/evidence.ts";
import { type Paper, paperFile } from "../../core/paper.ts";
import type { ConveningStart } from "../../core/record.ts";
import type { LeftOut, PaperFindings, PaperPrompt } from "../paper_findings.ts";
import { nameOf } from "./assessment_words.ts";
import { paperIndexPath } from "./paper_file.ts";

/** Where a title is cut in a sentence, in code points. */
const TITLE = 40;

/** Words of participants and papers as a page shows them: one line, escaped, cut to so many code points. */
type Cut = (text: string, max: number) => string;

/** How many quotations and citations were found where they are said to stand, in a few words. */
export function figuresWords({ verified, notFound }: EvidenceFigures): string {
  return `${verified} verified, ${notFound} not found`;
}

/** What became of the debaters' quotations, which of them failed, and what prompts lack of the papers: a sentence each. */
export function paperSentences(start: ConveningStart, found: PaperFindings): string[] {
  const figures = [...found.figures].map(([id, each]) =>
    `Quotations and citations of ${nameOf(start, id)}: ${figuresWords(each)}.`
  );
  const failed = found.failed.map(({ participant, message }) =>
    `${nameOf(start, participant)} failed: ${message}`
  );
  return [...failed, ...figures, ...found.leftOut.map(leftOutSentence)];
}

const PROMPT_WORDS: Readonly<Record<PaperPrompt, string>> = {
  questions: "the questions",
  postures: "the postures",
  debaters: "each argument",
};

function leftOutSentence({ title, characters, prompts }: LeftOut): string {
  const parts = (["questions", "postures", "debaters"] as const).flatMap((prompt) => {
    const left = prompts[prompt];
    return left === undefined ? [] : [`${left} for ${PROMPT_WORDS[prompt]}`];
  });
  return `Left out of prompts of “${oneLine(title, TITLE)}”, of ${characters} characters: ${
    parts.join(", ")
  }; look-ups reach the whole paper.`;
}

/** A paper's title with links to its file, and to its pages where it has any. */
export function paperLinks(
  { title }: Paper,
  { index, isPaged, cut }: {
    readonly index: number;
    readonly isPaged: boolean;
    readonly cut: Cut;
  },
): string {
  const file = paperFile(index);
  const pages = paperIndexPath(index);
  const name = cut(title, 140);
  return `${name === "" ? "" : `${name}: `}[${file}](${file})${
    isPaged ? `, in parts: [${pages}](${pages})` : ""
  }`;
}
