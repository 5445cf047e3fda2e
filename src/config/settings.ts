// Table of settings: a row per configuration key. Schemas, defaults, recorded keys, flags, forms and requests derive from it.
import { z } from "zod";
import { EFFORTS } from "../core/profile.ts";
import { LONG_ENOUGH, TOPIC_LENGTH } from "../core/topic.ts";
import {
  address,
  DEFAULT_OUT,
  FACT_CHECK_MODES,
  guards,
  milliseconds,
  MOST_PEOPLE,
  participant,
  prices,
  providers,
  share,
  temperature,
  terms,
  text,
  tokens,
  TOPIC_CHECKS,
  TRANSCRIPT_FORMATS,
  wordRange,
  words,
} from "./setting_shapes.ts";
import { KIND_SETTINGS } from "./kind_settings.ts";
import { object, type Settings } from "./setting.ts";

const TALKS = ["dialogue", "debate", "consensus"] as const;
const SPEAKERS = "Who speaks:";
const LIMITS = "Limits:";
const SAID = "What is said:";
const FILES = "Files:";
/** The most milliseconds of a timer, 24 days; a longer one would end at once. */
const LONGEST_TIMER = 2 ** 31 - 1;
const SERVER = "The server's configuration says how models are reached.";

const limits = object({
  maxTurns: {
    about: "The most turns, over the whole record.",
    schema: z.int().min(1),
    flag: { is: "--max-turns <n>", group: LIMITS, kinds: ["debate", "consensus", "paper-debate"] },
    form: { part: "more", label: "Turns, at most", kinds: ["debate", "consensus"] },
  },
  maxTokens: {
    about: "The most tokens of all calls, over the whole record.",
    schema: tokens,
    flag: { is: "--max-tokens <n>", group: LIMITS },
    form: { part: "more", label: "Tokens, at most" },
  },
  maxCost: {
    about: "The most US dollars, over the whole record.",
    schema: z.number().positive(),
    flag: { is: "--max-cost <usd>", group: LIMITS },
    form: { part: "more", label: "US dollars, at most" },
  },
  maxDuration: {
    about: "The most milliseconds of this run.",
    schema: milliseconds.positive(),
    flag: {
      is: "--max-duration <time>",
      group: LIMITS,
      about: "stop early after this time, such as 90s, 10m or 1h; a bare number is milliseconds",
    },
    form: { part: "more", label: "Minutes, at most", times: 60_000 },
  },
});

const retry = object({
  retries: { about: "Retries, 0 to 10; rate limits use none.", schema: z.int().min(0).max(10) },
  minWait: { about: "Milliseconds before the first retry.", schema: milliseconds.min(0) },
  maxWait: { about: "The most milliseconds between retries.", schema: milliseconds.min(0) },
  maxRetryAfter: {
    about: "The most milliseconds that a provider may ask to wait; 0 fails at once.",
    schema: milliseconds.min(0),
    flag: {
      is: "--max-wait <time>",
      group: LIMITS,
      about:
        "the longest wait that a provider may ask of a request, such as 90s or 10m; a bare number is milliseconds (default: 120s)",
    },
  },
});

const factCheck = object({
  mode: {
    about: "off; standard: false claims are marked; strict: a turn with a false claim is rejected.",
    defaultText: "standard",
    schema: z.enum(FACT_CHECK_MODES),
    flag: {
      is: "--fact-check",
      group: SAID,
      about:
        "look claims up, by the convening's model or factCheck.verificationModel; strict rejects turns with false claims (default: off)",
    },
    form: {
      part: "rules",
      label: "Fact checks",
      choices: {
        none: "Default: off",
        noneOf: { debate: "Default: off, or the preset's" },
        words: {
          off: "Off",
          standard: "Claims are looked up and marked",
          strict: "Turns with false claims are rejected",
        },
      },
    },
  },
  maxClaims: {
    about: "The most claims of a turn, 1 to 5.",
    defaultText: "5",
    schema: z.int().min(1).max(5),
  },
  rejectFrom: {
    about: "The confidence from which a false claim rejects or interrupts a turn, 0 to 1.",
    defaultText: "0.7",
    schema: share,
  },
  extractionModel: {
    about: "The model that finds claims.",
    defaultText: "the checker's model",
    schema: words,
  },
  verificationModel: {
    about: "The model that weighs findings.",
    defaultText: "the convening's model",
    schema: words,
  },
  searchUrl: {
    about: "A server of Tavily's search API.",
    defaultText: "TAVILY_BASE_URL, else Tavily's own",
    schema: address,
    resume: true,
    local: "The server's configuration says where claims are looked up.",
    flag: {
      is: "--search-url <url>",
      group: SAID,
      about: "a server of Tavily's search API, to look claims up on and for the debaters of papers",
    },
  },
});

/** All settings, by key. */
export const SETTINGS = {
  topic: {
    about: "The topic, 10 to 200 characters.",
    // The topic rule rejects a topic of the wrong length with its own error.
    schema: z.string().max(100_000).meta({
      minLength: TOPIC_LENGTH.minEast,
      maxLength: TOPIC_LENGTH.max,
      pattern: LONG_ENOUGH.source,
    }),
    needed: TALKS,
  },
  ...KIND_SETTINGS,
  // The order of keys in records.
  participants: {
    about: "The participants; at least two.",
    schema: z.array(participant).min(2).max(MOST_PEOPLE),
    flag: {
      is: "--participant <name[=model]>",
      group: SPEAKERS,
      about: "a participant; at least two",
      kinds: ["dialogue", "consensus"],
    },
  },
  model: {
    about: "The model of every role that names none.",
    defaultText: "gpt-4o-mini with a key or base URL, else offline",
    schema: words,
    recorded: true,
    resume: true,
    flag: {
      is: "--model <name>",
      group: SPEAKERS,
      about: "the model of every role: gpt-4o-mini, local, ollama:llama3.2, offline, human …",
    },
    form: { part: "more", label: "Model" },
  },
  baseUrl: {
    about: "A server of the OpenAI protocol, for models without a provider prefix.",
    schema: address,
    resume: true,
    local: SERVER,
    flag: {
      is: "--base-url <url>",
      group: SPEAKERS,
      about: "any server of the OpenAI protocol, such as http://127.0.0.1:8080/v1",
    },
  },
  temperature: {
    about: "The sampling temperature of participants, 0 to 2.",
    defaultText: "the provider's",
    schema: temperature,
    recorded: true,
    defaults: { "paper-debate": 0.7 },
    flag: { is: "--temperature <t>", group: SPEAKERS },
  },
  seed: {
    about: "The seed of random choices, 0 to 4294967295.",
    defaultText: "drawn",
    schema: z.int().min(0).max(0xffffffff),
    flag: {
      is: "--seed <n>",
      group: SPEAKERS,
      about: "the seed of random choices; the same seed repeats an offline debate",
    },
    form: {
      part: "more",
      label: "Seed",
      placeholder: "Random",
      note: "The same seed draws the same order again.",
    },
  },
  seedGiven: {
    about: "Whether the user gave the seed, which then goes to models too.",
    schema: z.boolean(),
  },
  reasoningEffort: {
    about: "The effort of hidden reasoning, mapped to the nearest below that a model takes.",
    defaultText: "low, where a model has efforts",
    schema: z.enum(EFFORTS),
    recorded: true,
    resume: true,
    flag: {
      is: "--reasoning-effort <effort>",
      group: SPEAKERS,
      about: `the effort of models' reasoning: ${EFFORTS.join(", ")}`,
    },
  },
  keepReasoning: {
    about:
      "Whether the models' hidden reasoning is kept under drafts/ and thoughts/, as far as providers give the text.",
    defaultText: "false",
    schema: z.boolean(),
    recorded: true,
    resume: true,
    flag: { is: "--keep-reasoning", group: SPEAKERS },
  },
  maxOutputTokens: {
    about: "The most tokens of a reply, hidden reasoning included.",
    defaultText: "twice the asked length, and a reserve by effort",
    schema: tokens,
    recorded: true,
    resume: true,
  },
  moderatorModel: {
    about: "The model of the moderator.",
    defaultText: "the convening's model",
    schema: words,
    kinds: TALKS,
    resume: true,
    flag: { is: "--moderator-model <name>", group: SPEAKERS },
  },
  personas: {
    about: "A folder of personas in YAML, in addition to the built-in personas.",
    schema: words,
    local: "Name a built-in persona, or write one out under persona.",
    flag: { is: "--personas <folder>", group: SPEAKERS },
  },
  limits: {
    about: "Limits of the whole convening.",
    defaultText: "none",
    recorded: true,
    resume: true,
    ...limits,
  },
  maxPromptTokens: {
    about:
      "The tokens of a prompt beyond which the oldest turns are folded into a summary, within the model's window; 0: no limit.",
    defaultText: "70 % of the window, for speakers at most 100000; 12000 where no window is known",
    schema: z.int().min(0),
    recorded: true,
    defaults: { "paper-debate": 60_000 },
  },
  language: {
    about: "The language in which models are asked to write.",
    defaultText: "the topic's",
    schema: text(100),
    recorded: true,
    form: { part: "more", label: "Language", placeholder: "The topic's", most: 60 },
  },
  sources: {
    about: "Background files, quoted to all: markdown, text or PDF.",
    schema: z.array(words).max(1000),
    flag: {
      is: "--source <file>",
      group: FILES,
      about: "a background file (PDF, markdown, text), quoted to all",
    },
  },
  sourceTokens: {
    about: "The most tokens of all quoted sources together.",
    defaultText: "4000; less in a small context window",
    schema: z.int().min(0),
    recorded: true,
  },
  out: {
    about: "The archive's folder.",
    defaultText: DEFAULT_OUT,
    schema: words,
    local: "The server has its own archive.",
    flag: {
      is: "--out <folder>",
      group: FILES,
      about: "the archive the convening is kept in (default: convenings)",
    },
  },
  transcript: {
    about: "Formats of a whole transcript to write at the end.",
    defaultText: "none",
    schema: z.array(z.enum(TRANSCRIPT_FORMATS)).max(20),
    recorded: true,
    resume: true,
    flag: {
      is: "--transcript <formats>",
      group: FILES,
      about: `also write whole transcripts: a comma list of ${TRANSCRIPT_FORMATS.join(", ")}`,
    },
  },
  words: {
    about: "The fewest and the most words of a spoken turn, within 200 to 1,000.",
    defaultText: "any number",
    schema: wordRange,
    recorded: true,
    flag: { is: "--words <min-max>", group: SAID },
  },
  guards: { about: "The guards by name.", schema: guards, recorded: true },
  factCheck: { about: "Checks of claims.", defaultText: "off", ...factCheck },
  turnMaxDuration: {
    about: "The most milliseconds of one attempt at a turn.",
    defaultText: "none",
    schema: milliseconds.positive().max(LONGEST_TIMER),
    recorded: true,
  },
  topicCheck: {
    about: "The check of the topic for abuse: by a list of words, by a provider, or none.",
    defaultText: "words",
    schema: z.enum(TOPIC_CHECKS),
    recorded: true,
    flag: { is: "--topic-check", group: SAID },
  },
  refusedTerms: {
    about: "Terms that a topic may not contain.",
    defaultText: "the built-in list of abuse in English",
    schema: terms,
    recorded: true,
  },
  prompts: {
    about: "Templates by name, which replace the workflow's own.",
    schema: z.record(z.string(), z.string().max(20_000)),
    recorded: true,
  },
  prices: {
    about: "Prices that replace those of the built-in table.",
    schema: prices,
    recorded: true,
  },
  allowUnknownPrices: {
    about: "Whether maxCost allows models without a price, which count as free.",
    defaultText: "false",
    schema: z.boolean(),
    recorded: true,
  },
  providers: { about: "More providers by name.", schema: providers, recorded: true, local: SERVER },
  retry: { about: "Retries of failed requests.", recorded: true, resume: true, ...retry },
  idleTimeout: {
    about: "Milliseconds without a piece of an answer before a request fails.",
    defaultText:
      "60000; totalTimeout for LM Studio, Ollama, llama.cpp, vLLM and models that reason",
    schema: milliseconds.positive(),
    recorded: true,
    resume: true,
  },
  totalTimeout: {
    about: "The most milliseconds of a whole answer.",
    defaultText: "300000",
    schema: milliseconds.positive(),
    recorded: true,
    resume: true,
  },
  maxReplyBytes: {
    about: "The most bytes of a reply; a longer reply fails as agent_bad_reply.",
    defaultText: "4000000",
    schema: z.int().min(1000).max(100_000_000),
    recorded: true,
    resume: true,
  },
  personTimeout: {
    about:
      "Milliseconds that a person has for a turn; then the run ends and waits on disk. 0: it waits on disk at once.",
    defaultText: "no end",
    schema: milliseconds.min(0).max(LONGEST_TIMER),
    recorded: true,
    resume: true,
    flag: {
      is: "--timeout <time>",
      group: LIMITS,
      about:
        "how long a person has for a turn, such as 90s or 10m; a bare number is milliseconds (default: no limit at a terminal, else 0)",
    },
  },
  memory: {
    about: "An archive whose most relevant convenings are quoted to all.",
    defaultText: "none",
    schema: words,
    recorded: true,
    local: "No other archive is read.",
    flag: { is: "--memory <folder>", group: FILES },
  },
} as const satisfies Settings;

/** Returns the configuration keys whose given value is recorded. */
export function recordedKeys(settings: Settings = SETTINGS): string[] {
  return Object.entries(settings).flatMap(([key, { recorded }]) => recorded === true ? [key] : []);
}
