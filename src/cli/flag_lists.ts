import { SELECTIONS } from "../config/config.ts";
import {
  ADAPTIVE,
  ADVOCATE_MODEL,
  BASELINE,
  DECISION,
  FORMAT,
  INTERRUPT,
  JUDGE_MODEL,
  JUDGE_TEMPERATURE,
  MODERATION,
  PICK,
  POSITION,
  PRESET,
  RCR,
  ROUNDS,
  RUBRIC,
  SIMULTANEOUS,
  TOPIC_FROM,
} from "./debate_flags.ts";
import { choice, type Flag, flag, grouped, reworded, toggle, word } from "./flag.ts";
import {
  ALLOW_BASE_URL,
  BASE_URL,
  CONFIG,
  FILE_FLAGS,
  LIMIT_FLAGS,
  MAX_COST,
  MAX_DURATION,
  MAX_TOKENS,
  MAX_TURNS,
  MAX_WAIT,
  MODEL,
  MODEL_FLAGS,
  MODERATOR_MODEL,
  PARTICIPANT,
  PERSONA,
  PERSONAS,
  RULE_FLAGS,
  SEARCH_URL,
  SEED,
  TEMPERATURE,
  TRANSCRIPT,
} from "./flags.ts";
import { CROSS_EXAMINE, PAPER_PICK, POSTURES, QUESTION, RETRIEVAL, TITLE } from "./paper_flags.ts";
import { readShare, readWhole } from "./read_value.ts";

export const DIALOGUE_TURNS = flag("--max-turns", {
  value: "<n>",
  about: "how many turns it has (default: 10)",
  key: "maxTurns",
  read: readWhole,
});
export const SELECT = choice("--select", {
  allowed: SELECTIONS,
  about: "who speaks next: in turn, whom a moderator names, or who bids most",
  key: "select",
});
export const THRESHOLD = flag("--threshold", {
  value: "<share>",
  about: "the share that must agree, 0 to 1 (default: 0.8)",
  key: "threshold",
  read: readShare,
});
export const STABLE_TURNS = flag("--stable-turns", {
  value: "<n>",
  about: "turns agreement must hold, or nothing move for an impasse (default: 3)",
  key: "stableTurns",
  read: readWhole,
});

export const AS = word("--as", {
  value: "<participant>",
  about: "the name or id of the one who speaks (default: the one waited for)",
});
export const SAY_FILE = word("--file", {
  value: "<file>",
  about: "the text; - is standard input (default: -)",
});
export const INTERJECT = toggle("--interject", "say it from the audience; it is nobody's turn");

type FlagList = readonly Flag<unknown>[];

/** The flags of `debate`. */
export const DEBATE_FLAGS: FlagList = [
  ...grouped("The debate:", [
    PRESET,
    FORMAT,
    POSITION,
    ROUNDS,
    SIMULTANEOUS,
    RCR,
    ADAPTIVE,
    MODERATION,
    INTERRUPT,
    TOPIC_FROM,
    PICK,
  ]),
  ...grouped("Judging:", [JUDGE_MODEL, JUDGE_TEMPERATURE, RUBRIC, DECISION, BASELINE]),
  ...grouped("Who speaks:", [
    ...MODEL_FLAGS,
    MODERATOR_MODEL,
    ADVOCATE_MODEL,
    PERSONA,
    PERSONAS,
  ]),
  ...RULE_FLAGS,
  ...grouped("Limits:", [MAX_TURNS, ...LIMIT_FLAGS]),
  ...FILE_FLAGS,
];

/** The flags of `dialogue`. */
export const DIALOGUE_FLAGS: FlagList = [
  ...grouped("The dialogue:", [DIALOGUE_TURNS, SELECT]),
  ...grouped("Who speaks:", [PARTICIPANT, ...MODEL_FLAGS, MODERATOR_MODEL, PERSONA, PERSONAS]),
  ...RULE_FLAGS,
  ...grouped("Limits:", LIMIT_FLAGS),
  ...FILE_FLAGS,
];

/** The flags of `consensus`. */
export const CONSENSUS_FLAGS: FlagList = [
  ...grouped("The consensus:", [THRESHOLD, STABLE_TURNS]),
  ...grouped("Who speaks:", [PARTICIPANT, ...MODEL_FLAGS, MODERATOR_MODEL, PERSONA, PERSONAS]),
  ...RULE_FLAGS,
  ...grouped("Limits:", [MAX_TURNS, ...LIMIT_FLAGS]),
  ...FILE_FLAGS,
];

/** The flags of `paper`. */
export const PAPER_FLAGS: FlagList = [
  ...grouped("The debate:", [
    QUESTION,
    PAPER_PICK,
    POSTURES,
    CROSS_EXAMINE,
    TITLE,
    RETRIEVAL,
  ]),
  ...grouped("Judging:", [
    JUDGE_MODEL,
    JUDGE_TEMPERATURE,
    reworded(
      RUBRIC,
      "what judges score by: a built-in rubric or a YAML file (default: conceptual)",
    ),
  ]),
  ...grouped("Who speaks:", [...MODEL_FLAGS, PERSONA, PERSONAS]),
  ...RULE_FLAGS.map((each) =>
    each.name === SEARCH_URL.name
      ? reworded(each, "a server of Tavily's search API for the debaters, and to look claims up on")
      : each
  ),
  ...grouped("Limits:", [MAX_TURNS, ...LIMIT_FLAGS]),
  ...FILE_FLAGS,
];

/** The flags of `paper questions`. */
export const QUESTIONS_FLAGS: FlagList = [TITLE, ...MODEL_FLAGS, MAX_WAIT, CONFIG];

/** The flags with which one goes on with any convening. */
const GO_ON_FLAGS: FlagList = [
  ...grouped("Who speaks:", [
    MODEL,
    BASE_URL,
    ALLOW_BASE_URL,
    MODERATOR_MODEL,
    ADVOCATE_MODEL,
    JUDGE_MODEL,
  ]),
  ...grouped("Limits:", [MAX_TURNS, ...LIMIT_FLAGS]),
  ...grouped("Files:", [SEARCH_URL, TRANSCRIPT]),
];

/** The flags of `resume`. */
export const RESUME_FLAGS: FlagList = [
  ...GO_ON_FLAGS,
  ...grouped("A paper debate without its question yet:", [
    reworded(QUESTION, "what is debated"),
    reworded(PAPER_PICK, "which of the questions that were put to the papers"),
  ]),
];

/** The flags of `say`. */
export const SAY_FLAGS: FlagList = [AS, SAY_FILE, INTERJECT, ...GO_ON_FLAGS];

/** The flags of `judge`. */
export const JUDGE_FLAGS: FlagList = [
  ...grouped("The panel:", [
    reworded(
      RUBRIC,
      "what it scores by: a built-in rubric or a YAML file (default: debate; of papers: conceptual)",
    ),
    reworded(MODEL, "the judge's (default: the convening's)"),
    reworded(JUDGE_MODEL, "one judge each, in the place of --model (repeatable)"),
    JUDGE_TEMPERATURE,
    BASE_URL,
    ALLOW_BASE_URL,
  ]),
  ...grouped("Limits:", [MAX_TOKENS, MAX_COST, MAX_DURATION, MAX_WAIT]),
];

/** The flags of `topics`, but for how many. */
export const TOPIC_FLAGS: FlagList = [
  reworded(MODEL, "the one that proposes (default: gpt-4o-mini with a key, else offline)"),
  BASE_URL,
  reworded(TEMPERATURE, "0 to 2"),
  reworded(SEED, "the same seed, the same offline topics"),
  MAX_WAIT,
];
