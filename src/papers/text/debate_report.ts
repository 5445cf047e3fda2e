// The types of a paper debate's report.
import type {
  Citations,
  EvidenceFigures,
  Quotation,
  TopicArgument,
  WebSearchResult,
} from "../../core/evidence.ts";

/** Question, postures and topics of a paper debate. */
export interface DebateSubject {
  /** Question of the debate. */
  readonly question: string;
  /** Postures in the order of the debaters. */
  readonly postures: readonly string[];
  /** Topics that every debater argues on. */
  readonly topics: readonly string[];
}

/** A judge's numbers for one debater, of every topic and in sum. */
export interface DebaterScores {
  /** Position that the debater argues for. */
  readonly posture: string;
  /** One for each topic that was scored; of several judges the means, and the notes of each. */
  readonly perTopic: readonly {
    /** The topic. */
    readonly topic: string;
    /** From criterion id to number, on the rubric's scale. */
    readonly scores: Readonly<Record<string, number>>;
    /** Reasons. */
    readonly notes: string;
    /** False where the topic was not argued: every number is the least of the scale. @default true */
    readonly argued?: boolean | undefined;
  }[];
  /** Totals by arithmetic over the judges' numbers, four decimals; the same as the standings of the convening. */
  readonly totals: {
    /** The weighted sum of `byCriterion`; null where nothing could be scored. */
    readonly weighted: number | null;
    /** The mean over the topics, by criterion, at most what fact checks allow; of several judges the mean of theirs. Empty where nothing was scored. */
    readonly byCriterion: Readonly<Record<string, number>>;
  };
}

/** Result of the judges' numbers and words. Totals are arithmetic, never a model's. */
export interface JudgeVerdict {
  /** In the order of the debaters that argued. */
  readonly perDebater: readonly DebaterScores[];
  /** The posture of the highest total; of equal ones `Tie: A | B`; empty where nothing was scored. */
  readonly bestOverall: string;
  /** Insights of the judges. */
  readonly insights: readonly string[];
  /** Points on which the debaters did not agree. */
  readonly controversialPoints: readonly string[];
}

/** A whole paper debate as a report: `report.json`. */
export interface DebateReport extends DebateSubject {
  /** The reporter's two or three paragraphs. */
  readonly summary: string;
  /** Postures with their totals, the best first; postures without a total are left out. */
  readonly rankedPostures: readonly { readonly posture: string; readonly score: number }[];
  /** The judges' insights. */
  readonly validatedInsights: readonly string[];
  /** The judges' controversial points. */
  readonly controversialPoints: readonly string[];
  /** Pages that web searches returned and works that the papers refer to; none is invented. At most seven. */
  readonly recommendedNextReads: readonly WebSearchResult[];
  /** Reason why there are no next reads, one sentence; absent where there are some. */
  readonly noNextReads?: string | undefined;
  /** Claims and numbers that the report rests on. */
  readonly appendix: {
    /** Every claim, by debater. */
    readonly perDebaterKeyClaims: readonly {
      readonly posture: string;
      readonly claims: readonly { readonly topic: string; readonly claim: string }[];
    }[];
    /** Every number. */
    readonly scoringTable: JudgeVerdict["perDebater"];
  };
  /** The report as a page of markdown: `report.md`. */
  readonly markdown: string;
  /** Quotations and citations of each debater, with their marks. */
  readonly verification: readonly DebaterVerification[];
  /** The judges' comparison of the sides, apart from the numbers. */
  readonly verdict: {
    readonly outcome: "decided" | "undecided" | "unscored";
    /** The posture that the judge, or most judges, named in every order; null where there is none. */
    readonly winner: string | null;
  };
  /** Rubric that the judges scored by; null where nothing was scored. */
  readonly rubric: {
    readonly id: string;
    /** The least and the most a criterion can get. */
    readonly scale: readonly [number, number];
    /** From criterion id to weight; they sum to 1. */
    readonly weights: Readonly<Record<string, number>>;
  } | null;
  /**
   * Notes for readers, one sentence each, not escaped: an early end, a tie, a debater that failed, scores that are
   * missing, a verdict against the totals, what was left out of which prompt.
   */
  readonly notes: readonly string[];
  /** The papers debated. */
  readonly papers: readonly { readonly id: string; readonly title: string }[];
}

/** A debater's evidence, with every mark; the figures are those of its argument and its cross-examination together. */
export interface DebaterVerification extends EvidenceFigures {
  /** The debater's name. */
  readonly debater: string;
  /** Position that the debater argues for. */
  readonly posture: string;
  /** The number of the message with its whole argument; null for one that failed. */
  readonly message: number | null;
  /** Its arguments, with their citations. */
  readonly perTopic: readonly TopicArgument[];
  /** Citations of its cross-examination; empty without one. */
  readonly citations: Citations;
  /** Every passage in quotation marks. */
  readonly quotations: readonly Quotation[];
}

/** A debate over a paper before it is held: its question, topics and postures. */
export interface DebateSession extends DebateSubject {
  /** The paper's id. */
  readonly paperId: string;
}
