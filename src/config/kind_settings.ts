// Rows of the settings of single kinds: the course of a dialogue, a consensus and a debate, and judging.
import { z } from "zod";
import { PAPER_SETTINGS } from "./paper_settings.ts";
import { ofKinds, rows, SHAPE } from "./setting.ts";
import {
  DEBATE_FORMATS,
  judge,
  listener,
  MOST_PEOPLE,
  PRESET_NAMES,
  rubric,
  SELECTIONS,
  share,
  temperature,
  tokens,
  words,
} from "./setting_shapes.ts";

const JUDGED = ["debate", "paper-debate"] as const;
const JUDGING = "Judging:";

/** The settings of debates; records keep their keys in this order. */
const DEBATE_SETTINGS = ofKinds(["debate"], {
  preset: {
    about: "Settings, sides and audience under what is given.",
    usual: "none",
    schema: z.enum(PRESET_NAMES),
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
    flag: {
      is: "--position <text>",
      group: SHAPE,
      about: "what a side stands for; none, or two or more",
    },
  },
  debateFormat: {
    about: "Tone, rules and weights of criteria.",
    schema: z.enum(DEBATE_FORMATS),
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
    standard: { debate: "rebuttals" },
    composed: { debate: "clash" },
    flag: {
      is: "--exchange",
      group: SHAPE,
      about: "a round; clash: argument, rebuttal and reply (default: clash, or the preset's)",
    },
  },
  openings: {
    about: "Whether there are opening statements.",
    schema: z.boolean(),
    standard: { debate: true },
  },
  closings: {
    about: "Whether there are closing statements.",
    schema: z.boolean(),
    standard: { debate: true },
  },
  turnForm: {
    about: "Plain speech; or reflection and critique in private, then speech.",
    schema: z.enum(["speech", "rcr"]),
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
  },
  interruptions: {
    about: "Reasons for the moderator to interrupt; format: the format's reasons.",
    schema: z.enum(["none", "facts", "rules", "both", "format"]),
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
    standard: { debate: "judges" },
    flag: {
      is: "--decision",
      group: JUDGING,
      about: "who names the winner: the judges, or an audience's change of mind",
    },
  },
  scoreBy: {
    about: "What a judge scores in one request: a turn, or all turns of a round.",
    usual: "turn",
    schema: z.enum(["turn", "round"]),
    flag: {
      is: "--score-by",
      group: JUDGING,
      about: "what a judge scores in one request (default: turn)",
    },
    form: {
      part: "rules",
      label: "Scores",
      choices: {
        none: "A request for each turn",
        words: { turn: "A request for each turn", round: "A request for each round: cheaper" },
      },
    },
  },
  audience: {
    about: "Listeners whose stances are asked before and after.",
    usual: "none; five where the audience decides",
    schema: z.array(listener).min(1).max(50),
  },
  baseline: {
    about: "Whether each judge first answers the topic alone, to show the debate's effect.",
    schema: z.boolean(),
    standard: { debate: false },
    flag: {
      is: "--baseline",
      group: JUDGING,
      about:
        "each judge answers before the debate; the report says if the debate changed the answer",
    },
  },
  roundCount: {
    about: "Rounds of argument, 0 to 1000.",
    schema: z.int().min(0).max(1000),
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
    standard: { debate: 350 },
  },
  summaryMaxTokens: {
    about: "The most tokens of the moderator's summaries.",
    schema: tokens,
    standard: { debate: 400 },
  },
  roundSummaries: {
    about: "Whether the moderator sums up each round.",
    schema: z.boolean(),
    standard: { debate: true },
  },
  blindOpenings: {
    about: "Whether openings are written at once, without sight of each other.",
    schema: z.boolean(),
    standard: { debate: true },
  },
  pacing: {
    about: "Whether a round's advocates speak in turn or all at once.",
    schema: z.enum(["sequential", "simultaneous"]),
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
    standard: { debate: "opening" },
    composed: { debate: "reversed" },
  },
  blindClosings: {
    about: "True if closings are written at once, without sight of each other.",
    schema: z.boolean(),
    standard: { debate: false },
    composed: { debate: true },
  },
  flow: {
    about: "True if the points of every turn are noted, and dropped points are named.",
    schema: z.boolean(),
    standard: { debate: false },
    flag: {
      is: "--flow",
      group: SHAPE,
      about: "note the points of every turn: answered, dropped, conceded",
    },
  },
  noteModel: {
    about: "The note-taker's model.",
    schema: words,
    usual: "the moderator's",
    flag: { is: "--note-model <name>", group: SHAPE, about: "the note-taker's model" },
  },
  speakingOrder: {
    about: "The order of the sides: as given, or drawn from the seed.",
    schema: z.enum(["given", "drawn"]),
    standard: { debate: "given" },
    composed: { debate: "drawn" },
    flag: {
      is: "--speaking-order",
      group: SHAPE,
      about: "the sides as given, or drawn from the seed (default: drawn, or the preset's)",
    },
  },
  moderation: {
    about:
      "The introduction: a template's text, a model's turn; or no moderator. A new debate in a language other " +
      "than English has a model's.",
    schema: z.enum(["template", "model", "none"]),
    standard: { debate: "template" },
    flag: {
      is: "--moderation",
      group: SHAPE,
      about:
        "introductions by template or by a model, or no moderator at all (default: template; model where the language is not English)",
    },
  },
  factCap: {
    about:
      "True if a turn's number for a criterion marked evidence is at most the scale's maximum times the share of its " +
      "claims that were not refuted, where facts are checked.",
    schema: z.boolean(),
    kinds: JUDGED,
    standard: { debate: true, "paper-debate": true },
    earlier: { debate: false, "paper-debate": false },
  },
  scoringEnabled: {
    about: "Whether judges score the turns and name a winner.",
    schema: z.boolean(),
    standard: { debate: true },
  },
  generateFullTranscript: {
    about: "Whether a whole transcript in markdown is written at the end.",
    schema: z.boolean(),
    standard: { debate: false },
  },
  outputFormat: {
    about: "The form of a whole transcript to write at the end, beside the markdown.",
    usual: "none",
    schema: z.enum(["json", "markdown", "text"]),
    recorded: true,
  },
});

/** The settings that not every kind has, by key. */
export const KIND_SETTINGS = rows({
  ...PAPER_SETTINGS,
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
  ...DEBATE_SETTINGS,
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
    usual: "0 where the model takes one",
    schema: temperature,
    kinds: JUDGED,
    standard: { "paper-debate": 0.3 },
    flag: {
      is: "--judge-temperature <t>",
      group: JUDGING,
      about: "the judges' temperature, 0 to 2",
    },
  },
  verdictRepeats: {
    about: "Further askings of each pass of a verdict, which show how steady a judge is.",
    schema: z.int().min(0).max(9),
    kinds: JUDGED,
    standard: { debate: 0, "paper-debate": 0 },
    flag: {
      is: "--verdict-repeats <n>",
      once: true,
      group: JUDGING,
      about: "ask each judge's verdict n more times in each pass, to see how steady it is",
    },
    form: { part: "rules", label: "Times each verdict is asked again", placeholder: "0" },
  },
  tiebreakModel: {
    about: "The model of a judge that is asked only where the panel ties; its vote decides.",
    usual: "none",
    schema: words,
    kinds: ["debate"],
    flag: {
      is: "--tiebreak-model <name>",
      once: true,
      group: JUDGING,
      about: "the model of a judge that is asked only where the panel ties (default: none)",
    },
    form: { part: "rules", label: "Model that decides a tie" },
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
