// Rows of the settings of single kinds: the course of a dialogue, a consensus, a debate and a paper debate, and judging.
import { z } from "zod";
import { rows, SHAPE } from "./setting.ts";
import {
  DEBATE_FORMATS,
  judge,
  listener,
  MOST_PEOPLE,
  paperCharacters,
  PRESET_NAMES,
  RETRIEVAL_MODES,
  rubric,
  SELECTIONS,
  share,
  temperature,
  tokens,
  words,
} from "./setting_shapes.ts";

const JUDGED = ["debate", "paper-debate"] as const;
const JUDGING = "Judging:";

/** The settings that not every kind has, by key. */
export const KIND_SETTINGS = rows({
  // Paper debates.
  papers: {
    about: "The papers' files: PDF, markdown or text.",
    schema: z.array(words).min(1).max(20),
    kinds: ["paper-debate"],
    needed: ["paper-debate"],
    local: "Post the papers to /api/papers, and give their ids under paperIds.",
  },
  question: {
    about: "The question of the debate.",
    usual: "one of the questions that are put to the papers",
    schema: words.max(1000),
    kinds: ["paper-debate"],
    resume: true,
    flag: {
      is: "--question <text>",
      once: true,
      group: SHAPE,
      about: "what is debated (default: one of the questions that are put to the papers)",
    },
    form: {
      part: "rules",
      label: "A question of your own",
      note: "Without one, questions are put to the paper, and you pick.",
      rows: 2,
      most: 1000,
    },
  },
  pick: {
    about: "The number of the question that is debated, from 1; or ask, for a person to say.",
    schema: z.union([z.int().min(1), z.literal("ask")]),
    kinds: ["paper-debate"],
    standard: { "paper-debate": 1 },
    resume: true,
    flag: {
      is: "--pick <n>",
      once: true,
      group: SHAPE,
      about: "which of these questions (default: you are asked; 1 without a terminal)",
    },
  },
  postures: {
    about: "The number of postures, 2 to 8: a debater each.",
    schema: z.int().min(2).max(8),
    kinds: ["paper-debate"],
    standard: { "paper-debate": 3 },
    flag: {
      is: "--postures <n>",
      group: SHAPE,
      about: "how many postures are taken, 2 to 8: a debater each (default: 3)",
    },
    form: { part: "rules", label: "Postures, a debater each", placeholder: "3" },
  },
  crossExamine: {
    about: "Whether the debaters answer each other before they are judged.",
    schema: z.boolean(),
    kinds: ["paper-debate"],
    standard: { "paper-debate": false },
    flag: {
      is: "--cross-examine",
      group: SHAPE,
      about: "the debaters answer each other before they are judged",
    },
    form: { part: "rules", label: "The debaters answer each other" },
  },
  title: {
    about: "The title of the one paper.",
    usual: "found in the paper",
    schema: words.max(500),
    kinds: ["paper-debate"],
    local: "A paper has the title that it was posted with.",
    flag: {
      is: "--title <text>",
      group: SHAPE,
      about: "the title of the one paper (default: found in it)",
    },
  },
  retrieval: {
    about: "Passages of papers are found by words, by meaning, or by both.",
    schema: z.enum(RETRIEVAL_MODES),
    kinds: ["paper-debate"],
    standard: { "paper-debate": "keyword" },
    resume: true,
    flag: {
      is: "--retrieval",
      group: SHAPE,
      about: "how passages are found: by words, by meaning (an embedding model), or both",
    },
  },
  embeddingModel: {
    about: "The model whose vectors find passages by meaning.",
    usual: "text-embedding-3-small",
    schema: words,
    kinds: ["paper-debate"],
    resume: true,
    flag: {
      is: "--embedding-model <name>",
      group: SHAPE,
      about:
        "finds passages by meaning (default: text-embedding-3-small); ollama:nomic-embed-text …",
    },
  },
  paperCharacters: {
    about: "The characters of papers in prompts; debaters reach the rest by look-ups.",
    schema: paperCharacters,
    kinds: ["paper-debate"],
    standard: {
      "paper-debate": {
        questions: 100_000,
        postures: 100_000,
        debaters: 100_000,
        excerpt: "sections",
      },
    },
  },
  // Dialogues and consensus.
  maxTurns: {
    about: "The number of turns.",
    usual: "10",
    schema: z.int().min(1),
    kinds: ["dialogue"],
    flag: { is: "--max-turns <n>", group: SHAPE, about: "how many turns it has (default: 10)" },
    form: { part: "rules", name: "turns", label: "Turns", placeholder: "10" },
  },
  select: {
    about: "The next speaker: in turn, named by the moderator, or by the highest bid.",
    usual: "round-robin",
    schema: z.enum(SELECTIONS),
    kinds: ["dialogue"],
    flag: {
      is: "--select",
      group: SHAPE,
      about: "who speaks next: in turn, whom a moderator names, or who bids most",
    },
    form: {
      part: "rules",
      label: "Who speaks next",
      choices: {
        none: "Usual: in turn",
        usual: "round-robin",
        words: { moderator: "Whom a moderator names", bids: "Who wants to most" },
      },
    },
  },
  threshold: {
    about: "The share of participants that must agree, 0 to 1.",
    schema: share,
    kinds: ["consensus"],
    standard: { consensus: 0.8 },
    flag: {
      is: "--threshold <share>",
      group: SHAPE,
      about: "the share that must agree, 0 to 1 (default: 0.8)",
    },
    form: { part: "rules", label: "Share that must agree, 0 to 1", placeholder: "0.8" },
  },
  stableTurns: {
    about: "Turns that agreement must hold, or without a change of stance for an impasse.",
    schema: z.int().min(1).max(1000),
    kinds: ["consensus"],
    standard: { consensus: 3 },
    flag: {
      is: "--stable-turns <n>",
      group: SHAPE,
      about: "turns agreement must hold, or nothing move for an impasse (default: 3)",
    },
    form: { part: "rules", label: "Turns it must hold", placeholder: "3" },
  },
  maxTokensPerTurn: {
    about: "The most tokens of a turn.",
    usual: "250",
    schema: tokens,
    kinds: ["dialogue", "consensus"],
    standard: { consensus: 250 },
  },
  // Debates; records keep their keys in this order.
  preset: {
    about: "Settings, sides and audience under what is given.",
    usual: "none",
    schema: z.enum(PRESET_NAMES),
    kinds: ["debate"],
    flag: {
      is: "--preset",
      group: SHAPE,
      about: "a debate that differs in more than a setting",
    },
    form: {
      part: "rules",
      label: "Preset",
      choices: {
        none: "None",
        words: {
          alternating: "Alternating: each answers the other's last turn",
          "pro-con": "Pro and con: statements, reflected on before they are said",
          oxford: "Oxford: an audience's change of mind decides",
          "self-play": "Self-play: one model speaks for all sides",
        },
      },
    },
  },
  positions: {
    about: "The positions of the sides, in the place of participants; two or more that differ.",
    usual: "made from the topic",
    schema: z.array(words).min(2).max(MOST_PEOPLE),
    kinds: ["debate"],
    flag: {
      is: "--position <text>",
      group: SHAPE,
      about: "what a side stands for; none, or two or more",
    },
  },
  debateFormat: {
    about: "Tone, rules and weights of criteria.",
    schema: z.enum(DEBATE_FORMATS),
    kinds: ["debate"],
    standard: { debate: "formal" },
    flag: {
      is: "--format",
      group: SHAPE,
      about: "tone, rules and how the criteria weigh (default: formal)",
    },
    form: {
      part: "rules",
      name: "format",
      label: "Format",
      choices: { none: "Usual: formal" },
    },
  },
  exchange: {
    about:
      "A round: arguments and rebuttals; with clash, replies to rebuttals too; one turn in answer to the last; or a " +
      "statement of each side.",
    schema: z.enum(["rebuttals", "clash", "alternating", "statements"]),
    kinds: ["debate"],
    standard: { debate: "rebuttals" },
    flag: {
      is: "--exchange",
      group: SHAPE,
      about: "a round; clash: argument, rebuttal and reply",
    },
  },
  openings: {
    about: "Whether there are opening statements.",
    schema: z.boolean(),
    kinds: ["debate"],
    standard: { debate: true },
  },
  closings: {
    about: "Whether there are closing statements.",
    schema: z.boolean(),
    kinds: ["debate"],
    standard: { debate: true },
  },
  turnForm: {
    about: "Plain speech; or reflection and critique in private, then speech.",
    schema: z.enum(["speech", "rcr"]),
    kinds: ["debate"],
    standard: { debate: "speech" },
    flag: {
      is: "--rcr",
      as: "rcr",
      group: SHAPE,
      about: "each turn is reflected on and criticised in private, then said",
    },
  },
  summaryBy: {
    about: "The author of the final summary.",
    usual: "the moderator, where there is one",
    schema: z.enum(["moderator", "judge", "none"]),
    kinds: ["debate"],
  },
  interruptions: {
    about: "Reasons for the moderator to interrupt; format: the format's reasons.",
    schema: z.enum(["none", "facts", "rules", "both", "format"]),
    kinds: ["debate"],
    standard: { debate: "none" },
    flag: {
      is: "--interrupt",
      group: SHAPE,
      about: "what the moderator interrupts for; format: what the format says",
    },
  },
  adaptive: {
    about: "Whether rounds end early without new arguments, and one is added when sides are close.",
    schema: z.boolean(),
    kinds: ["debate"],
    standard: { debate: false },
    flag: {
      is: "--adaptive",
      group: SHAPE,
      about: "end the rounds when nothing new is said, add one when the sides are close",
    },
  },
  decision: {
    about: "The winner: by the judges' majority, or by the audience's change of mind.",
    schema: z.enum(["judges", "audience"]),
    kinds: ["debate"],
    standard: { debate: "judges" },
    flag: {
      is: "--decision",
      group: JUDGING,
      about: "who names the winner: the judges, or an audience's change of mind",
    },
  },
  audience: {
    about: "Listeners whose stances are asked before and after.",
    usual: "none; five where the audience decides",
    schema: z.array(listener).min(1).max(50),
    kinds: ["debate"],
  },
  baseline: {
    about: "Whether each judge first answers the topic alone, to show the debate's effect.",
    schema: z.boolean(),
    kinds: ["debate"],
    standard: { debate: false },
    flag: {
      is: "--baseline",
      group: JUDGING,
      about: "each judge first answers alone; what the debate changed is told",
    },
  },
  roundCount: {
    about: "Rounds of argument, 0 to 1000.",
    schema: z.int().min(0).max(1000),
    kinds: ["debate"],
    standard: { debate: 3 },
    flag: {
      is: "--rounds <n>",
      group: SHAPE,
      about: "rounds of arguments (default: 3, or the preset's)",
    },
    form: {
      part: "rules",
      name: "rounds",
      label: "Rounds",
      placeholder: "3, or as the preset has it",
    },
  },
  openingStatementMaxTokens: {
    about: "The most tokens of an opening statement.",
    schema: tokens,
    kinds: ["debate"],
    standard: { debate: 300 },
  },
  argumentMaxTokens: {
    about: "The most tokens of an argument or a rebuttal.",
    schema: tokens,
    kinds: JUDGED,
    standard: { debate: 250, "paper-debate": 4096 },
  },
  closingStatementMaxTokens: {
    about: "The most tokens of a closing statement.",
    schema: tokens,
    kinds: ["debate"],
    standard: { debate: 350 },
  },
  summaryMaxTokens: {
    about: "The most tokens of the moderator's summaries.",
    schema: tokens,
    kinds: ["debate"],
    standard: { debate: 400 },
  },
  roundSummaries: {
    about: "Whether the moderator sums up each round.",
    schema: z.boolean(),
    kinds: ["debate"],
    standard: { debate: true },
  },
  blindOpenings: {
    about: "Whether openings are written at once, without sight of each other.",
    schema: z.boolean(),
    kinds: ["debate"],
    standard: { debate: true },
  },
  pacing: {
    about: "Whether a round's advocates speak in turn or all at once.",
    schema: z.enum(["sequential", "simultaneous"]),
    kinds: ["debate"],
    standard: { debate: "sequential" },
    flag: {
      is: "--simultaneous",
      as: "simultaneous",
      group: SHAPE,
      about: "all advocates argue at once, then all rebut at once",
    },
  },
  closingOrder: {
    about: "The order of closing statements.",
    schema: z.enum(["opening", "reversed"]),
    kinds: ["debate"],
    standard: { debate: "opening" },
  },
  blindClosings: {
    about: "True if closings are written at once, without sight of each other.",
    schema: z.boolean(),
    kinds: ["debate"],
    standard: { debate: false },
  },
  speakingOrder: {
    about: "The order of the sides: as given, or drawn from the seed.",
    schema: z.enum(["given", "drawn"]),
    kinds: ["debate"],
    standard: { debate: "given" },
    flag: {
      is: "--speaking-order",
      group: SHAPE,
      about: "the order of the sides: as given, or drawn from the seed",
    },
  },
  moderation: {
    about: "The introduction: a template's text, a model's turn; or no moderator.",
    schema: z.enum(["template", "model", "none"]),
    kinds: ["debate"],
    standard: { debate: "template" },
    flag: {
      is: "--moderation",
      group: SHAPE,
      about: "introductions by template or by a model, or no moderator at all",
    },
  },
  scoringEnabled: {
    about: "Whether judges score the turns and name a winner.",
    schema: z.boolean(),
    kinds: ["debate"],
    standard: { debate: true },
  },
  generateFullTranscript: {
    about: "Whether a whole transcript in markdown is written at the end.",
    schema: z.boolean(),
    kinds: ["debate"],
    standard: { debate: false },
  },
  outputFormat: {
    about: "The form of a whole transcript to write at the end, beside the markdown.",
    usual: "none",
    schema: z.enum(["json", "markdown", "text"]),
    kinds: ["debate"],
    recorded: true,
  },
  crossExaminationMaxTokens: {
    about: "The most tokens of an answer to the other debaters.",
    schema: tokens,
    kinds: ["paper-debate"],
    standard: { "paper-debate": 1000 },
  },
  reportMaxTokens: {
    about: "The most tokens of the reporter's summary.",
    schema: tokens,
    kinds: ["paper-debate"],
    standard: { "paper-debate": 1000 },
  },
  // Judges.
  judges: {
    about: "The judges.",
    usual: "one judge with the moderator's model",
    schema: z.array(judge).min(1).max(MOST_PEOPLE),
    kinds: JUDGED,
  },
  judgeTemperature: {
    about: "The temperature of judges, 0 to 2.",
    usual: "the provider's",
    schema: temperature,
    kinds: JUDGED,
    standard: { "paper-debate": 0.3 },
    flag: { is: "--judge-temperature <t>", group: JUDGING, about: "of those who judge, 0 to 2" },
  },
  judgeMaxTokens: {
    about: "The most tokens of a judge's reply.",
    schema: tokens,
    kinds: ["paper-debate"],
    standard: { "paper-debate": 3000 },
  },
  rubric: {
    about: "The rubric of the judges: an id, a YAML file, or the rubric.",
    usual: "the format's; of a paper debate conceptual",
    schema: rubric,
    kinds: JUDGED,
    flag: {
      is: "--rubric <name|file>",
      group: JUDGING,
      about: "what judges score by: a built-in rubric or a YAML file (default: the format's)",
      aboutOf: {
        "paper-debate":
          "what judges score by: a built-in rubric or a YAML file (default: conceptual)",
      },
    },
    form: {
      part: "rules",
      label: "Rubric",
      choices: { none: "Usual: the format's" },
      kinds: ["debate"],
    },
  },
});
