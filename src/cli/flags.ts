import { FACT_CHECK_MODES, TOPIC_CHECKS, TRANSCRIPT_FORMATS } from "../config/config.ts";
import { choice, flag, grouped, repeated, toggle, word } from "./flag.ts";
import {
  readDuration,
  readFormats,
  readGuard,
  readNumber,
  readParticipant,
  readPersona,
  readWhole,
  readWord,
  readWords,
} from "./read_value.ts";

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
export const MEMORY = word("--memory", {
  value: "<folder>",
  about: "an archive whose most relevant convenings are quoted to all",
  key: "memory",
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

export const MODEL = word("--model", {
  value: "<name>",
  about: "every role's: gpt-4o-mini, ollama:llama3.2, offline, human …",
  key: "model",
});
export const BASE_URL = word("--base-url", {
  value: "<url>",
  about: "any server of the OpenAI protocol, such as http://127.0.0.1:8080/v1",
  key: "baseUrl",
});
export const ALLOW_BASE_URL = repeated("--allow-base-url", {
  value: "<host>",
  about:
    "a host of a record or a file that may get the keys of the environment, such as 127.0.0.1:8080",
  read: readWord,
});
export const TEMPERATURE = flag("--temperature", {
  value: "<t>",
  about: "of those who speak, 0 to 2",
  key: "temperature",
  read: readNumber,
});
export const MODERATOR_MODEL = word("--moderator-model", {
  value: "<name>",
  about: "the moderator's",
  key: "moderatorModel",
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
export const TIMEOUT = flag("--timeout", {
  value: "<time>",
  about: "how long a person has for a turn (default: no end; none without a terminal)",
  key: "personTimeout",
  read: readDuration,
});

export const PARTICIPANT = repeated("--participant", {
  value: "<name[=model]>",
  about: "who takes part; two or more",
  key: "participants",
  read: readParticipant,
});
export const PERSONA = repeated("--persona", {
  value: "<[name=]id|file>",
  about: "how one speaks: a persona's name or YAML file, in their order or by name",
  read: readPersona,
});
export const PERSONAS = word("--personas", {
  value: "<folder>",
  about: "a folder of personas in YAML beside the built-in ones",
  key: "personas",
});

export const WORDS = flag("--words", {
  value: "<min-max>",
  about: "the words of a turn, 200 to 1000",
  key: "words",
  read: readWords,
});
export const GUARD = repeated("--guard", {
  value: "<name=mode>",
  about: "repetition, coherence, refused-terms, length or persona: off, warn or reject",
  read: readGuard,
});
export const FACT_CHECK = choice("--fact-check", {
  allowed: FACT_CHECK_MODES,
  about: "look up what is claimed; strict turns false claims down (default: off)",
  key: "factCheck.mode",
});
export const TOPIC_CHECK = choice("--topic-check", {
  allowed: TOPIC_CHECKS,
  about: "how the topic is checked for abuse: by a list, by a provider (default: words)",
  key: "topicCheck",
});
export const SEARCH_URL = word("--search-url", {
  value: "<url>",
  about: "a server of Tavily's search API to look claims up on",
  key: "factCheck.searchUrl",
});

/** How everything is shown; every command has these. */
export const OUTPUT_FLAGS = [JSON_OUTPUT, QUIET, DEBUG] as const;

/** What every convening's models are given by. */
export const MODEL_FLAGS = [MODEL, BASE_URL, ALLOW_BASE_URL, TEMPERATURE, SEED] as const;

/** What turns are held to. */
export const RULE_FLAGS = grouped("What is said:", [
  WORDS,
  GUARD,
  TOPIC_CHECK,
  FACT_CHECK,
  SEARCH_URL,
]);

/** Limits of a whole convening, but for its turns. */
export const LIMIT_FLAGS = [MAX_TOKENS, MAX_COST, MAX_DURATION, MAX_WAIT, TIMEOUT] as const;

/** What a convening reads and writes. */
export const FILE_FLAGS = grouped("Files:", [SOURCE, MEMORY, OUT, TRANSCRIPT, CONFIG, DRY_RUN]);
