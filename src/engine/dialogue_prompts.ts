// The texts of a plain dialogue; each can be replaced under `prompts` in the configuration.
import { textsOf } from "../core/prompt.ts";
import texts from "../data/prompts/dialogue.json" with { type: "json" };

/** The texts of a plain dialogue, by name. */
export const DIALOGUE_TEMPLATES: Readonly<Record<keyof typeof texts, string>> = textsOf(texts);
