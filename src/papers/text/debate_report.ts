// Types and JSON schema of a paper debate's report.
import { z } from "zod";
import type {
  Citations,
  DebaterArgument,
  EvidenceFigures,
  Quotation,
  TopicArgument,
  WebSearchResult,
} from "../../core/paper.ts";
import type { Schema } from "../../core/values.ts";

/** Question, postures and topics of a paper debate. */
export interface DebateSubject {
  /** Question of the debate. */
  readonly question: string;
  /** Postures in the order of the debaters. */
  readonly postures: readonly string[];
  /** Topics that every debater argues on. */
  readonly topics: readonly string[];
}

/** Scores of one debater, by topic and in total. */
export interface DebaterScores {
  /** Position that the debater argues for. */
  readonly posture: string;
  /** One entry per scored topic; means over the judges. */
  readonly perTopic: readonly {
    readonly topic: string;
    /** Score by criterion id, on the rubric's scale. */
    readonly scores: Readonly<Record<string, number>>;
    /** Reasons of all judges. */
    readonly notes: string;
    /** False if the topic was not argued; then every score is the minimum of the scale. @default true */
    readonly argued?: boolean | undefined;
  }[];
  /** Totals computed from the judges' scores, to four decimals; equal to the standings of the convening. */
  readonly totals: {
    /** Weighted sum of `byCriterion`; null without scores. */
    readonly weighted: number | null;
    /** Mean over topics and judges by criterion id, capped by fact checks; empty without scores. */
    readonly byCriterion: Readonly<Record<string, number>>;
  };
}

/** Result of the judges. Totals are computed, never a model's. */
export interface JudgeVerdict {
  /** Scores in the order of the debaters that argued. */
  readonly perDebater: readonly DebaterScores[];
  /** Posture with the highest total; `Tie: A | B` for a tie; empty without scores. */
  readonly bestOverall: string;
  /** Insights of the judges. */
  readonly insights: readonly string[];
  /** Points on which the debaters disagreed, according to the judges. */
  readonly controversialPoints: readonly string[];
}

/** Report of a paper debate: `report.json`. */
export interface DebateReport extends DebateSubject {
  /** The reporter's summary in two or three paragraphs. */
  readonly summary: string;
  /** Postures with totals, the best first; postures without a total are omitted. */
  readonly rankedPostures: readonly { readonly posture: string; readonly score: number }[];
  /** The judges' insights. */
  readonly validatedInsights: readonly string[];
  /** The judges' controversial points. */
  readonly controversialPoints: readonly string[];
  /** At most seven pages from web searches and references of the papers; none is invented. */
  readonly recommendedNextReads: readonly WebSearchResult[];
  /** Reason why there are no next reads, one sentence; absent if there are any. */
  readonly noNextReads?: string | undefined;
  /** Claims and scores that the report is based on. */
  readonly appendix: {
    /** All claims, by debater. */
    readonly perDebaterKeyClaims: readonly {
      readonly posture: string;
      readonly claims: readonly { readonly topic: string; readonly claim: string }[];
    }[];
    /** All scores. */
    readonly scoringTable: JudgeVerdict["perDebater"];
  };
  /** Report as markdown: `report.md`. */
  readonly markdown: string;
  /** Quotations and citations of each debater, with their status. */
  readonly verification: readonly DebaterVerification[];
  /** The judges' comparison of the sides, independent of the scores. */
  readonly verdict: {
    readonly outcome: "decided" | "undecided" | "unscored";
    /** Posture that the judge, or most judges, named in every order; null without one. */
    readonly winner: string | null;
    /** Sentence on how clear the decision is; absent without verdicts. */
    readonly strength?: string | undefined;
  };
  /** Rubric of the scores; null without scores. */
  readonly rubric: {
    readonly id: string;
    /** Minimum and maximum score of a criterion. */
    readonly scale: readonly [number, number];
    /** Weight by criterion id; the weights sum to 1. */
    readonly weights: Readonly<Record<string, number>>;
  } | null;
  /**
   * Notes for readers, one sentence each, not escaped: an early end, a tie, failed debaters, missing scores, a verdict that
   * contradicts the totals, parts of papers omitted from prompts.
   */
  readonly notes: readonly string[];
  /** Debated papers. */
  readonly papers: readonly { readonly id: string; readonly title: string }[];
}

/** A debater's evidence with its status; the figures cover argument and cross-examination. */
export interface DebaterVerification extends EvidenceFigures {
  /** Name of the debater. */
  readonly debater: string;
  /** Position that the debater argues for. */
  readonly posture: string;
  /** Number of the message with the argument; null if the debater failed. */
  readonly message: number | null;
  /** Arguments by topic, with citations. */
  readonly perTopic: readonly TopicArgument[];
  /** Citations of the cross-examination; empty without one. */
  readonly citations: Citations;
  /** All quotations. */
  readonly quotations: readonly Quotation[];
}

/** A prepared debate over a paper: question, topics and postures. */
export interface DebateSession extends DebateSubject {
  /** Id of the paper. */
  readonly paperId: string;
}

const status = z.enum(["verified", "not found"]);

const place = {
  start: z.int().min(0).optional().describe("Where it begins in the paper, in UTF-16 units."),
  end: z.int().min(0).optional().describe("Where it ends in the paper."),
  page: z.int().min(1).optional().describe(
    "The page it begins on; absent where the paper has no pages.",
  ),
};

const passage = z.object({
  chunkId: z.string().describe("The id of the passage among those of all papers."),
  text: z.string().describe(
    "The passage; if no look-up returned it, the words that the debater gives for it.",
  ),
  score: z.number().describe(
    "How well it fits its query, 0 to 1; 0 if no look-up returned it.",
  ),
  paper: z.string().optional().describe("The paper's id."),
  ...place,
  cited: z.object(place).optional().describe(
    "The place of the words that the debater cites; absent if it cites none, or the passage does not contain them.",
  ),
  status: status.optional().describe("Whether a look-up of the debater really returned it."),
}).describe("A passage of a paper.");

const page = z.object({
  title: z.string().describe("One line."),
  url: z.string().describe("An http or https address; empty where there is none."),
  snippet: z.string().describe("What it says; empty for a reference."),
  status: status.optional().describe(
    "Whether a search really returned it; absent for an entry of a paper's references.",
  ),
}).describe("A page of the web, or an entry of a paper's references.");

const citations = z.object({
  paper: z.array(passage).optional().describe("Passages of the papers."),
  web: z.array(page).optional().describe("Pages of the web."),
});

const topicArgument = z.object({
  topic: z.string().describe("One of the debate's topics."),
  claim: z.string().describe("What is claimed."),
  reasoning: z.string().describe("Why it follows."),
  counterpoints: z.array(z.string()).describe("What a rival would say against it."),
  citations: citations.describe("What it rests on."),
});

const quotation = z.object({
  text: z.string().describe("The words between the marks."),
  status: z.enum([...status.options, "said"]).describe(
    "Whether they were found; said if only an earlier message has them, which is no evidence.",
  ),
  from: z.enum(["paper", "web", "message"]).optional().describe("What they are from."),
  source: z.string().optional().describe(
    "The paper's id, the page's address, or the message's number.",
  ),
  ...place,
  parts: z.array(z.object(place)).optional().describe(
    "The places of the parts between omissions; absent where no words are left out.",
  ),
  namedPage: z.int().min(1).optional().describe(
    "The page that the speaker names, if the words are not on that page.",
  ),
  topic: z.string().optional().describe(
    "The topic of the words; absent in an overall position and in a cross-examination.",
  ),
}).describe("A passage in quotation marks.");

const numbers = z.record(z.string(), z.number());

export const debaterScores = z.object({
  posture: z.string().describe("What the debater stands for."),
  perTopic: z.array(z.object({
    topic: z.string().describe("The topic."),
    scores: numbers.describe("From criterion to number; of several judges the mean."),
    notes: z.string().describe("Why; of several judges the notes of each, named."),
    argued: z.boolean().optional().describe(
      "False where the topic was not argued: every number is the least of the scale.",
    ),
  })).describe("One for each topic that was scored."),
  totals: z.object({
    weighted: z.number().nullable().describe(
      "The weighted sum of byCriterion, four decimals; null where nothing could be scored.",
    ),
    byCriterion: numbers.describe("From criterion to its mean over the topics, four decimals."),
  }),
});

const verification = z.object({
  debater: z.string().describe("The debater's name."),
  posture: z.string().describe("What the debater stands for."),
  message: z.int().min(1).nullable().describe(
    "The number of the message with its whole argument; null for a debater that failed.",
  ),
  verified: z.int().min(0).describe("Quotations and citations that were found."),
  notFound: z.int().min(0).describe("Quotations and citations that were not found."),
  perTopic: z.array(topicArgument).describe("Its arguments, with their citations."),
  citations: citations.describe("What it cites in its cross-examination."),
  quotations: z.array(quotation).describe("Every passage in quotation marks."),
});

/** Schema of `report.json`, with descriptions of the keys. */
export const reportSchema: Schema<DebateReport> = z.object({
  question: z.string().describe("What was debated."),
  topics: z.array(z.string()).describe("What every debater argued on."),
  postures: z.array(z.string()).describe(
    "What the debaters stood for, in their order, including debaters that failed.",
  ),
  summary: z.string().describe("The reporter's two or three paragraphs."),
  rankedPostures: z.array(z.object({
    posture: z.string().describe("What the debater stands for."),
    score: z.number().describe("Its total."),
  })).describe("By total, the best first; postures without a total are left out."),
  validatedInsights: z.array(z.string()).describe("What the debate brought to light."),
  controversialPoints: z.array(z.string()).describe("What the debaters did not agree on."),
  recommendedNextReads: z.array(page).max(7).describe(
    "What web searches returned and what the papers refer to; none is invented.",
  ),
  noNextReads: z.string().optional().describe("Why there are no next reads."),
  appendix: z.object({
    perDebaterKeyClaims: z.array(z.object({
      posture: z.string().describe("What the debater stands for."),
      claims: z.array(z.object({
        topic: z.string().describe("The topic."),
        claim: z.string().describe("What is claimed on it."),
      })),
    })).describe("Every claim, by debater."),
    scoringTable: z.array(debaterScores).describe("Every number, by debater."),
  }).describe("What the report rests on."),
  markdown: z.string().describe("The report as a page of markdown."),
  verification: z.array(verification).describe(
    "By debater, how far its quotations and citations could be verified: those that argued, then those that failed.",
  ),
  verdict: z.object({
    outcome: z.enum(["decided", "undecided", "unscored"]).describe(
      "Whether the judges named a winner.",
    ),
    winner: z.string().nullable().describe(
      "The posture that the judge, or most judges, named in every order; null where there is none.",
    ),
    strength: z.string().optional().describe(
      "How clear the decision is, as a sentence; absent without verdicts.",
    ),
  }).describe("The judges' comparison of the sides, apart from the numbers."),
  rubric: z.object({
    id: z.string().describe("Its name."),
    scale: z.tuple([z.number(), z.number()]).describe(
      "The least and the most a criterion can get.",
    ),
    weights: numbers.describe("From criterion to weight; they sum to 1."),
  }).nullable().describe("What the judges scored by; null where nothing was scored."),
  notes: z.array(z.string()).describe("What a reader must know, one sentence each."),
  papers: z.array(z.object({
    id: z.string().describe("The id by which citations name the paper."),
    title: z.string().describe("As readers see it."),
  })).describe("The papers debated."),
});

/** Data of a stage; the keys depend on the stage (context-network/rules/paper_debate.md). */
export interface StageData {
  /** Present in the stage `questions_generated`. */
  readonly questions?: readonly string[];
  /** Present in the stage `question_selected`. */
  readonly question?: string;
  /** Present in the stage `postures_generated`. */
  readonly postures?: readonly string[];
  /** Present in the stage `postures_generated`. */
  readonly topics?: readonly string[];
  /** Index of the debater from 0, in the stages `debater_started`, `debater_complete` and `debater_error`. */
  readonly debaterIndex?: number;
  /** Posture of the debater, in the same stages. */
  readonly posture?: string;
  /** Number of debaters, in the same stages. */
  readonly total?: number;
  /** Present in the stage `debater_complete`. */
  readonly argument?: DebaterArgument;
  /** Error message, in the stage `debater_error`. */
  readonly error?: string;
  /** Present in the stage `debate_complete`. */
  readonly arguments?: readonly DebaterArgument[];
  /** Present in the stage `judging_complete`. */
  readonly verdict?: JudgeVerdict;
  /** Present in the stage `report_complete`. */
  readonly report?: DebateReport;
}

/** Steps of a debate over a paper. */
export type DebateStatus =
  | "idle"
  | "generating_questions"
  | "selecting_question"
  | "generating_postures"
  | "debating"
  | "judging"
  | "generating_report"
  | "completed"
  | "error";
