import { RETRIEVAL_MODES } from "../config/config.ts";
import { choice, flag, once, toggle, word } from "./flag.ts";
import { readWhole } from "./read_value.ts";

export const QUESTION = once(word("--question", {
  value: "<text>",
  about: "what is debated (default: one of the questions that are put to the papers)",
  key: "question",
}));
export const PAPER_PICK = once(flag("--pick", {
  value: "<n>",
  about: "which of these questions (default: you are asked; 1 without a terminal)",
  key: "pick",
  read: readWhole,
}));
export const POSTURES = flag("--postures", {
  value: "<n>",
  about: "how many postures are taken, 2 to 8: a debater each (default: 3)",
  key: "postures",
  read: readWhole,
});
export const TITLE = word("--title", {
  value: "<text>",
  about: "the title of the one paper (default: found in it)",
  key: "title",
});
export const CROSS_EXAMINE = toggle(
  "--cross-examine",
  "the debaters answer each other before they are judged",
  "crossExamine",
);
export const RETRIEVAL = choice("--retrieval", {
  allowed: RETRIEVAL_MODES,
  about: "how passages are found: by words, by meaning (a local model), or both",
  key: "retrieval",
});
