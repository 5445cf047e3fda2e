// Settings that not every kind has: papers, the course of dialogues, consensus dialogues and debates, and judging.
import { z } from "zod";
import { ofKinds, type Setting, type Settings } from "./setting.ts";
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
  text,
  tokens,
  words,
} from "./setting_shapes.ts";

function yesNo<const S extends Setting["defaults"]>(about: string, defaults: S) {
  return { about, schema: z.boolean(), defaults };
}

function mostTokens<const S extends Setting["defaults"]>(of: string, defaults: S) {
  return { about: `The most tokens of ${of}.`, schema: tokens, defaults };
}

const PAPER_SETTINGS = ofKinds(["paper-debate"], {
  papers: {
    about: "The papers' files: PDF, markdown or text.",
    schema: z.array(words).min(1).max(20),
    needed: ["paper-debate"],
    local: "Post the papers to /api/papers, and give their ids under paperIds.",
  },
  question: {
    about: "The question of the debate.",
    defaultText: "one of the questions that are proposed for the papers",
    schema: text(1000),
    resume: true,
    flag: { is: "--question <text>", once: true },
    form: {
      part: "rules",
      label: "A question of your own",
      note: "Without one, questions are proposed for the papers, and you pick.",
      rows: 2,
      most: 1000,
    },
  },
  pick: {
    about: 'The number of the question to debate, from 1; or "ask", to have a person pick.',
    schema: z.union([z.int().min(1), z.literal("ask")]),
    defaults: { "paper-debate": 1 },
    resume: true,
    flag: {
      is: "--pick <n>",
      once: true,
      about: "which of these questions (default: you are asked; 1 without a terminal)",
    },
  },
  postures: {
    about: "The number of postures, 2 to 8; each has a debater of its own.",
    schema: z.int().min(2).max(8),
    defaults: { "paper-debate": 3 },
    flag: { is: "--postures <n>" },
    form: { part: "rules", label: "Debaters, each with a posture", placeholder: "3" },
  },
  crossExamine: {
    about: "Whether the debaters answer each other before they are judged.",
    schema: z.boolean(),
    defaults: { "paper-debate": false },
    flag: { is: "--cross-examine" },
    form: { part: "rules", label: "The debaters answer each other" },
  },
  title: {
    about: "The title of the one paper.",
    defaultText: "found in the paper",
    schema: text(500),
    local: "A paper has the title that it was posted with.",
    flag: { is: "--title <text>" },
  },
  retrieval: {
    about: "Passages of papers are found by words, by meaning, or by both.",
    schema: z.enum(RETRIEVAL_MODES),
    defaults: { "paper-debate": "keyword" },
    resume: true,
    flag: { is: "--retrieval" },
  },
  embeddingModel: {
    about: "The model whose vectors find passages by meaning.",
    defaultText: "text-embedding-3-small",
    schema: words,
    resume: true,
    flag: {
      is: "--embedding-model <name>",
      about:
        "finds passages by meaning (default: text-embedding-3-small); ollama:nomic-embed-text …",
    },
  },
  paperCharacters: {
    about: "How many characters of the papers prompts show; debaters can look up the rest.",
    schema: paperCharacters,
    defaults: {
      "paper-debate": {
        questions: 100_000,
        postures: 100_000,
        debaters: 100_000,
        excerpt: "sections",
      },
    },
  },
});

const JUDGED = ["debate", "paper-debate"] as const;
const JUDGING = "Judging:";

/** Settings of debates, in the order of keys in records. */
const DEBATE_SETTINGS = ofKinds(["debate"], {
  preset: {
    about:
      "A named set of settings, sides and audience; settings that are given replace the preset's.",
    defaultText: "none",
    schema: z.enum(PRESET_NAMES),
    flag: { is: "--preset" },
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
    about: "The positions of the sides, instead of participants; two or more, all different.",
    defaultText: "made from the topic",
    schema: z.array(words).min(2).max(MOST_PEOPLE),
    flag: { is: "--position <text>", about: "the position of a side; give none, or two or more" },
  },
  debateFormat: {
    about: "Tone, rules and weights of criteria.",
    schema: z.enum(DEBATE_FORMATS),
    defaults: { debate: "formal" },
    flag: { is: "--format" },
    form: { part: "rules", label: "Format", choices: { none: "Default: formal" } },
  },
  exchange: {
    about:
      "The form of a round. rebuttals: arguments and rebuttals; clash: with replies to the rebuttals; alternating: " +
      "each turn answers the last; statements: a statement of each side.",
    schema: z.enum(["rebuttals", "clash", "alternating", "statements"]),
    defaults: { debate: "rebuttals" },
    newDefaults: { debate: "clash" },
    flag: { is: "--exchange" },
  },
  openings: yesNo("Whether there are opening statements.", { debate: true }),
  closings: yesNo("Whether there are closing statements.", { debate: true }),
  turnForm: {
    about: "Plain speech; or reflection and critique in private, then speech.",
    schema: z.enum(["speech", "rcr"]),
    defaults: { debate: "speech" },
    flag: {
      is: "--rcr",
      as: "rcr",
      about: "turns of rounds and closings are reflected on and criticised in private, then said",
    },
  },
  summaryBy: {
    about: "The author of the final summary.",
    defaultText: "the moderator, where there is one",
    schema: z.enum(["moderator", "judge", "none"]),
  },
  interruptions: {
    about: "Reasons for the moderator to interrupt; format: the format's reasons.",
    schema: z.enum(["none", "facts", "rules", "both", "format"]),
    defaults: { debate: "none" },
    flag: { is: "--interrupt" },
  },
  adaptive: {
    about:
      "Whether rounds end early when nothing new is argued, and a round is added when the sides are close.",
    schema: z.boolean(),
    defaults: { debate: false },
    flag: { is: "--adaptive" },
  },
  decision: {
    about: "The winner: by the judges' majority, or by the audience's change of mind.",
    schema: z.enum(["judges", "audience"]),
    defaults: { debate: "judges" },
    flag: {
      is: "--decision",
      group: JUDGING,
      about:
        "who names the winner: the judges, or an audience's change of mind (default: judges, or the preset's)",
    },
  },
  scoreBy: {
    about: "What a judge scores in one request: a turn, or all turns of a round.",
    defaultText: "turn",
    schema: z.enum(["turn", "round"]),
    flag: { is: "--score-by", group: JUDGING },
    form: {
      part: "rules",
      label: "Scores",
      choices: {
        none: "Default: a request for each turn",
        words: { turn: "A request for each turn", round: "A request for each round: cheaper" },
      },
    },
  },
  audience: {
    about: "Listeners whose stances are asked before and after.",
    defaultText: "none; five where the audience decides",
    schema: z.array(listener).min(1).max(50),
  },
  baseline: {
    about: "Whether each judge first answers the topic alone, to show the debate's effect.",
    schema: z.boolean(),
    defaults: { debate: false },
    flag: { is: "--baseline", group: JUDGING },
  },
  roundCount: {
    about: "Rounds of argument, 0 to 1,000.",
    schema: z.int().min(0).max(1000),
    defaults: { debate: 3 },
    flag: { is: "--rounds <n>", about: "rounds of arguments (default: 3, or the preset's)" },
    form: {
      part: "rules",
      label: "Rounds",
      placeholder: "3, or the preset's",
    },
  },
  openingStatementMaxTokens: mostTokens("an opening statement", { debate: 300 }),
  argumentMaxTokens: {
    ...mostTokens("an argument or a rebuttal", { debate: 250, "paper-debate": 4096 }),
    kinds: JUDGED,
  },
  closingStatementMaxTokens: mostTokens("a closing statement", { debate: 350 }),
  summaryMaxTokens: mostTokens("the moderator's summaries", { debate: 400 }),
  roundSummaries: yesNo("Whether the moderator sums up each round.", { debate: true }),
  blindOpenings: yesNo(
    "Whether openings are written at the same time, so that no side sees another's.",
    {
      debate: true,
    },
  ),
  pacing: {
    about: "Whether a round's advocates speak in turn or all at once.",
    schema: z.enum(["sequential", "simultaneous"]),
    defaults: { debate: "sequential" },
    flag: {
      is: "--simultaneous",
      as: "simultaneous",
      about: "all advocates argue at once, then all rebut at once",
    },
  },
  closingOrder: {
    about: "The order of closing statements.",
    schema: z.enum(["opening", "reversed"]),
    defaults: { debate: "opening" },
    newDefaults: { debate: "reversed" },
  },
  blindClosings: {
    about: "Whether closings are written at the same time, so that no side sees another's.",
    schema: z.boolean(),
    defaults: { debate: false },
    newDefaults: { debate: true },
  },
  flow: {
    about: "Whether the points of every turn are noted, and dropped points are named.",
    schema: z.boolean(),
    defaults: { debate: false },
    flag: { is: "--flow" },
  },
  noteModel: {
    about: "The note-taker's model.",
    schema: words,
    defaultText: "the moderator's",
    flag: { is: "--note-model <name>" },
  },
  speakingOrder: {
    about: "The order of the sides: as given, or drawn from the seed.",
    schema: z.enum(["given", "drawn"]),
    defaults: { debate: "given" },
    newDefaults: { debate: "drawn" },
    flag: { is: "--speaking-order" },
  },
  moderation: {
    about:
      "The introduction: a template's text, a model's turn; or no moderator. A new debate in a language other " +
      "than English has a model's.",
    schema: z.enum(["template", "model", "none"]),
    defaults: { debate: "template" },
    flag: {
      is: "--moderation",
      about:
        "introductions by template or by a model, or no moderator at all (default: template; model where the language is not English)",
    },
  },
  factCap: {
    about:
      "Whether refuted claims cap scores where facts are checked: on a criterion marked evidence, a turn gets at most " +
      "the scale's maximum times the share of its claims that were not refuted.",
    schema: z.boolean(),
    kinds: JUDGED,
    defaults: { debate: true, "paper-debate": true },
    earlierDefaults: { debate: false, "paper-debate": false },
  },
  scoringEnabled: yesNo("Whether judges score the turns and name a winner.", { debate: true }),
  generateFullTranscript: yesNo("Whether a whole transcript in markdown is written at the end.", {
    debate: false,
  }),
  outputFormat: {
    about: "The form of a whole transcript to write at the end, in addition to the markdown.",
    defaultText: "none",
    schema: z.enum(["json", "markdown", "text"]),
    recorded: true,
  },
});

/** Settings that not every kind has, by key. */
export const KIND_SETTINGS = {
  ...PAPER_SETTINGS,
  // Dialogues and consensus.
  maxTurns: {
    about: "The number of turns.",
    defaultText: "10",
    schema: z.int().min(1),
    kinds: ["dialogue"],
    flag: { is: "--max-turns <n>" },
    form: { part: "rules", label: "Turns", placeholder: "10" },
  },
  select: {
    about: "The next speaker: in turn, named by the moderator, or by the highest bid.",
    defaultText: "round-robin",
    schema: z.enum(SELECTIONS),
    kinds: ["dialogue"],
    flag: { is: "--select" },
    form: {
      part: "rules",
      label: "Who speaks next",
      choices: {
        none: "Default: in turn",
        usual: "round-robin",
        words: { moderator: "Named by the moderator", bids: "Highest bid" },
      },
    },
  },
  threshold: {
    about: "The share of participants that must agree, 0 to 1.",
    schema: share,
    kinds: ["consensus"],
    defaults: { consensus: 0.8 },
    flag: { is: "--threshold <share>" },
    form: { part: "rules", label: "Share that must agree, 0 to 1", placeholder: "0.8" },
  },
  stableTurns: {
    about: "How many turns agreement must last; as many without a change of stance are an impasse.",
    schema: z.int().min(1).max(1000),
    kinds: ["consensus"],
    defaults: { consensus: 3 },
    flag: { is: "--stable-turns <n>" },
    form: { part: "rules", label: "Turns that agreement must last", placeholder: "3" },
  },
  maxTokensPerTurn: {
    about: "The most tokens of a turn.",
    defaultText: "250",
    schema: tokens,
    kinds: ["dialogue", "consensus"],
    defaults: { consensus: 250 },
  },
  ...DEBATE_SETTINGS,
  crossExaminationMaxTokens: {
    ...mostTokens("an answer to the other debaters", { "paper-debate": 1000 }),
    kinds: ["paper-debate"],
  },
  reportMaxTokens: {
    ...mostTokens("the reporter's summary", { "paper-debate": 1000 }),
    kinds: ["paper-debate"],
  },
  // Judges.
  judges: {
    about: "The judges.",
    defaultText: "one judge with the moderator's model",
    schema: z.array(judge).min(1).max(MOST_PEOPLE),
    kinds: JUDGED,
  },
  judgeTemperature: {
    about: "The temperature of judges, 0 to 2.",
    defaultText: "0 where the model takes one",
    schema: temperature,
    kinds: JUDGED,
    defaults: { "paper-debate": 0.3 },
    flag: { is: "--judge-temperature <t>", group: JUDGING },
  },
  verdictRepeats: {
    about: "Repeats of each pass of a verdict, to show how steady a judge is.",
    schema: z.int().min(0).max(9),
    kinds: JUDGED,
    defaults: { debate: 0, "paper-debate": 0 },
    flag: { is: "--verdict-repeats <n>", group: JUDGING },
    form: { part: "more", label: "Repeats of each verdict", placeholder: "0" },
  },
  tiebreakModel: {
    about: "The model of a judge that is asked only if the panel ties; its vote decides.",
    defaultText: "none",
    schema: words,
    kinds: ["debate"],
    flag: { is: "--tiebreak-model <name>", group: JUDGING },
    form: { part: "more", label: "Model that decides a tie" },
  },
  judgeMaxTokens: {
    ...mostTokens("a judge's reply", { "paper-debate": 3000 }),
    kinds: ["paper-debate"],
  },
  rubric: {
    about: "The rubric of the judges: an id, a YAML file, or the rubric.",
    defaultText: "the format's; of a paper debate conceptual",
    schema: rubric,
    kinds: JUDGED,
    flag: {
      is: "--rubric <name|file>",
      group: JUDGING,
      about:
        "what judges score by: a built-in rubric or a YAML file (default: the format's; of papers conceptual)",
    },
    form: {
      part: "rules",
      label: "Rubric",
      choices: { none: "Default: the format's" },
      kinds: ["debate"],
    },
  },
} as const satisfies Settings;
