import { DEBATE_FORMATS, TRANSCRIPT_FORMATS } from "../core/config.ts";
import { choice, flag, repeated, toggle, word } from "./flag.ts";
import { readDuration, readFormats, readNumber, readParticipant, readWhole } from "./read_value.ts";

export const JSON_OUTPUT = toggle(
  "--json",
  "print one JSON object on standard output, whatever happens",
);
export const QUIET = toggle("--quiet", "show no progress");
export const DEBUG = toggle("--debug", "show where an error comes from");

export const CONFIG = word("--config", {
  value: "<file>",
  about: "a YAML configuration, or a convening's metadata.md",
});
export const OUT = word("--out", {
  value: "<folder>",
  about: "the archive the convening is kept in (default: convenings)",
  key: "out",
});
export const SEED = flag("--seed", {
  value: "<n>",
  about: "the same seed, the same offline debate",
  key: "seed",
  read: readWhole,
});
export const SOURCE = repeated("--source", {
  value: "<file>",
  about: "a background file, markdown or text, quoted to all",
  key: "sources",
  read: (text) => text,
});
export const TRANSCRIPT = flag("--transcript", {
  value: "<formats>",
  about: `also write whole transcripts: a comma list of ${TRANSCRIPT_FORMATS.join(", ")}`,
  key: "transcript",
  read: readFormats,
});
export const DRY_RUN = toggle(
  "--dry-run",
  "print the plan and the most it can cost; call no model, write nothing",
);
export const TEMPERATURE = flag("--temperature", {
  value: "<t>",
  about: "of those who speak, 0 to 2",
  key: "temperature",
  read: readNumber,
});

export const MODEL = word("--model", {
  value: "<name>",
  about: "every role's, such as gpt-4o-mini, ollama:llama3.2 or offline",
  key: "model",
});
export const BASE_URL = word("--base-url", {
  value: "<url>",
  about: "any server of the OpenAI protocol, such as http://127.0.0.1:8080/v1",
  key: "baseUrl",
});

export const MAX_TOKENS = flag("--max-tokens", {
  value: "<n>",
  about: "stop early before more tokens are used, all calls together",
  key: "limits.maxTokens",
  read: readWhole,
});
export const MAX_COST = flag("--max-cost", {
  value: "<usd>",
  about: "stop early before it costs more US dollars",
  key: "limits.maxCost",
  read: readNumber,
});
export const MAX_DURATION = flag("--max-duration", {
  value: "<time>",
  about: "stop early after 90s, 10m, 1h",
  key: "limits.maxDuration",
  read: readDuration,
});
export const MAX_WAIT = flag("--max-wait", {
  value: "<time>",
  about: "how long a provider may make a request wait (default: 120s)",
  key: "retry.maxRetryAfter",
  read: readDuration,
});
export const MAX_TURNS = flag("--max-turns", {
  value: "<n>",
  about: "stop early after so many turns",
  key: "limits.maxTurns",
  read: readWhole,
});
export const DIALOGUE_TURNS = flag("--max-turns", {
  value: "<n>",
  about: "how many turns it has (default: 10)",
  key: "maxTurns",
  read: readWhole,
});

export const PARTICIPANT = repeated("--participant", {
  value: "<name[=model]>",
  about: "who takes part; two or more",
  key: "participants",
  read: readParticipant,
});
export const POSITION = repeated("--position", {
  value: "<text>",
  about: "what a side stands for; none, or two or more",
  key: "positions",
  read: (text) => text,
});
export const FORMAT = choice("--format", {
  allowed: DEBATE_FORMATS,
  about: "tone and rules (default: formal)",
  key: "debateFormat",
});
export const ROUNDS = flag("--rounds", {
  value: "<n>",
  about: "rounds of arguments (default: 3)",
  key: "roundCount",
  read: readWhole,
});
export const SIMULTANEOUS = toggle(
  "--simultaneous",
  "all advocates argue at once, then all rebut at once",
);
export const MODERATOR_MODEL = word("--moderator-model", {
  value: "<name>",
  about: "the moderator's",
  key: "moderatorModel",
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

export const AT = flag("--at", {
  value: "<n>",
  about: "the last message to take over",
  read: readWhole,
});
export const EDIT = word("--edit", {
  value: "<file>",
  about: "a text that takes the place of that message",
});
export const EXPORT_FORMAT = choice("--format", {
  allowed: TRANSCRIPT_FORMATS,
  about: "the transcript's form",
});

/** How everything is shown; every command has these. */
export const OUTPUT_FLAGS = [JSON_OUTPUT, QUIET, DEBUG] as const;
/** Limits of a whole convening, but for its turns. */
const LIMIT_FLAGS = [MAX_TOKENS, MAX_COST, MAX_DURATION, MAX_WAIT] as const;
const SETTING_FLAGS = [
  MODEL,
  BASE_URL,
  TEMPERATURE,
  SEED,
  OUT,
  TRANSCRIPT,
  SOURCE,
  ...LIMIT_FLAGS,
  CONFIG,
  DRY_RUN,
] as const;
/** The flags of `debate`. */
export const DEBATE_FLAGS = [
  POSITION,
  FORMAT,
  ROUNDS,
  SIMULTANEOUS,
  MODERATOR_MODEL,
  ADVOCATE_MODEL,
  JUDGE_MODEL,
  JUDGE_TEMPERATURE,
  MAX_TURNS,
  ...SETTING_FLAGS,
] as const;
/** The flags of `dialogue`. */
export const DIALOGUE_FLAGS = [
  PARTICIPANT,
  DIALOGUE_TURNS,
  ...SETTING_FLAGS,
] as const;
/** The flags of `resume`. */
export const RESUME_FLAGS = [
  MODEL,
  BASE_URL,
  MODERATOR_MODEL,
  ADVOCATE_MODEL,
  JUDGE_MODEL,
  MAX_TURNS,
  ...LIMIT_FLAGS,
  TRANSCRIPT,
] as const;
