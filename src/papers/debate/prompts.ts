// The templates of a paper debate's prompts.
import templates from "../../data/prompts/paper_debate.json" with { type: "json" };

/** The texts of one paper debate: `questioner` to `reader` say who is asked; the others say what for. */
export type PaperTemplates = Readonly<Record<keyof typeof templates, string>>;

/**
 * The texts of a paper debate; each can be replaced under `prompts` in the configuration. Four go with `score`:
 * `scoring`, `passages`, `writtenApart` where the debaters did not answer each other, and `answeredLater` where they did; `searchWeb` goes with
 * `argument` where a search is set up, `posture` ends the tasks of debaters.
 */
export const PAPER_TEMPLATES: PaperTemplates = templates;
