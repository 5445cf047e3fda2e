import { DEBATE_FORMATS, PRESET_NAMES } from "../config/config.ts";
import { choice, flag, repeated, shorthand, toggle, word } from "./flag.ts";
import { readNumber, readWhole } from "./read_value.ts";

export const PRESET = choice("--preset", {
  allowed: PRESET_NAMES,
  about: "a debate that differs in more than a setting",
  key: "preset",
});
export const POSITION = repeated("--position", {
  value: "<text>",
  about: "what a side stands for; none, or two or more",
  key: "positions",
  read: (text) => text,
});
export const FORMAT = choice("--format", {
  allowed: DEBATE_FORMATS,
  about: "tone, rules and how the criteria weigh (default: formal)",
  key: "debateFormat",
});
export const ROUNDS = flag("--rounds", {
  value: "<n>",
  about: "rounds of arguments (default: 3, or the preset's)",
  key: "roundCount",
  read: readWhole,
});
export const SIMULTANEOUS = shorthand("--simultaneous", {
  about: "all advocates argue at once, then all rebut at once",
  key: "pacing",
  as: "simultaneous",
});
export const RCR = shorthand("--rcr", {
  about: "each turn is reflected on and criticised in private, then said",
  key: "turnForm",
  as: "rcr",
});
export const ADAPTIVE = toggle(
  "--adaptive",
  "end the rounds when nothing new is said, add one when the sides are close",
  "adaptive",
);
export const MODERATION = choice("--moderation", {
  allowed: ["template", "model", "none"],
  about: "introductions by template or by a model, or no moderator at all",
  key: "moderation",
});
export const INTERRUPT = choice("--interrupt", {
  allowed: ["none", "facts", "rules", "both", "format"],
  about: "what the moderator interrupts for; format: what the format says",
  key: "interruptions",
});
export const ADVOCATE_MODEL = repeated("--advocate-model", {
  value: "<name>",
  about: "one for all advocates, or one each in their order",
  read: (text) => text,
});

export const JUDGE_MODEL = repeated("--judge-model", {
  value: "<name>",
  about: "one judge each",
  read: (text) => text,
});
export const JUDGE_TEMPERATURE = flag("--judge-temperature", {
  value: "<t>",
  about: "of those who judge, 0 to 2",
  key: "judgeTemperature",
  read: readNumber,
});
export const RUBRIC = word("--rubric", {
  value: "<name|file>",
  about: "what judges score by: a built-in rubric or a YAML file (default: the format's)",
  key: "rubric",
});
export const DECISION = choice("--decision", {
  allowed: ["judges", "audience"],
  about: "who names the winner: the judges, or an audience's change of mind",
  key: "decision",
});
export const BASELINE = toggle(
  "--baseline",
  "each judge first answers alone; what the debate changed is told",
  "baseline",
);

export const TOPIC_FROM = word("--topic-from", {
  value: "<subject>",
  about: "have topics on a subject proposed, and debate one",
});
export const PICK = flag("--pick", {
  value: "<n>",
  about: "which of the topics proposed (default: 1)",
  read: readWhole,
});
