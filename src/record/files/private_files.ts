import type { TurnDraft } from "../../core/fact.ts";
import { markdownText } from "../markdown.ts";
import { common, type FactFile, padded } from "./renderer.ts";

/** What stands before and after a field's text in the body of a draft's file. */
export function draftSection(name: string): { readonly before: string; readonly after: string } {
  return { before: `## ${markdownText(name, 80)}\n\n`, after: "\n\n" };
}

/** The fields of a turn that were not said: a section each, whose lengths the front matter holds. */
export const draftFile: FactFile<TurnDraft> = {
  type: "draft",
  folder: "drafts",
  name: ({ seq }, { width }) => `${padded(seq, width)}.md`,
  page: (draft) => ({
    data: {
      ...common("draft"),
      seq: draft.seq,
      turn: draft.turn,
      participant: draft.participant,
      fields: Object.entries(draft.fields).map(([name, text]) => ({
        name,
        // Code points, so that any language counts alike.
        characters: [...text].length,
      })),
      created_at: draft.createdAt,
    },
    body: Object.entries(draft.fields).map(([name, text]) => {
      const { before, after } = draftSection(name);
      return before + text + after;
    }).join(""),
  }),
  order: ({ seq }) => [seq],
};
