// Types of a server's requests and responses, with null for missing values, and of its errors.
import type { ConveningConfig } from "../config/convening_config.ts";
import type { ChatMessage, ProfileLearned } from "../core/agent.ts";
import type {
  ConveningRow,
  ConveningStart,
  Ending,
  ParticipantInfo,
  WaitedFor,
} from "../core/event.ts";
import type { ErrorCode, FieldProblem } from "../core/error.ts";
import type { Evidence, Fact, FactCheck, OwnFact, Rejection, Score, Status } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import type {
  Agreement,
  Assessment,
  Baseline,
  Consensus,
  Hold,
  JudgeAgreement,
  JudgeNote,
  JudgeReason,
  JudgeVote,
  ProposalStanding,
  Rubric,
  Strength,
} from "../core/outcome.ts";
import type { AnswerPassage, ModelAnswer } from "../core/search.ts";
import type { Cell, StudyStatus } from "../studies/study.ts";

/** Keys of a configuration that name a file, a folder or an address on the server's machine. */
export type LocalKeys =
  | "baseUrl"
  | "providers"
  | "out"
  | "memory"
  | "personas"
  | "papers"
  | "title"
  | "sources";

/** Configuration that a client sends, with texts and ids instead of files; that of a kind which a library adds needs a cast. */
export type StartInput = WithoutLocal<ConveningConfig> & {
  /** Background texts. */
  readonly sources?: readonly { readonly name: string; readonly text: string }[] | undefined;
  /** Ids of stored papers, for a paper debate. */
  readonly paperIds?: readonly string[] | undefined;
};

/** Each kind of configuration without {@linkcode LocalKeys}. */
export type WithoutLocal<C> = C extends unknown ? Omit<C, LocalKeys> : never;

/** Input of an operation on a convening. */
export interface OfConvening {
  /** Id of the convening. */
  readonly id: string;
}

/** Filter of messages; an absent key does not filter. */
export interface MessageChoice {
  /** Name or id of the speaker. */
  readonly speaker?: string;
  /** Round; 0 for messages outside rounds. */
  readonly round?: number;
  /** Kind of message, such as `rebuttal`. */
  readonly kind?: string;
}

/** Input for a page of a convening's messages, or of data about them. */
export interface PageInput extends OfConvening {
  /** `next` of the previous page. @default 0 */
  readonly after?: number;
  /** Maximum messages, up to 200. @default 50 */
  readonly limit?: number;
}

/** Input for a page of any other list. */
export interface ListInput {
  /** `next` of the previous page. @default 0 */
  readonly offset?: number;
  /** Maximum rows, up to 200. @default 50 */
  readonly limit?: number;
}

/** Paging data of an output. `next` is the `after` or `offset` for the next page; null on the last page. */
export type Page = { readonly next: number | null; readonly total: number };

/** A paper debate that the server runs at once: papers, and how they are debated. */
export interface PaperDebateInput {
  /** Id of the stored paper. */
  readonly paperId: string;
  /** Ids of more papers for the same debate. */
  readonly paperIds?: readonly string[] | undefined;
  /** Number of postures, from 2 to 8. @default 3 */
  readonly numPostures?: number | undefined;
  /** Id of a built-in rubric, criteria, or a complete rubric. @default "conceptual" */
  readonly rubric?: string | Rubric["criteria"] | Rubric | undefined;
}

/** Fields of a fact; a missing field is null or absent. */
export type FactJson<F extends Fact> = {
  readonly [K in Exclude<keyof F, "type">]?: F[K] | null;
};

/** A message; `file` is the path in the convening's directory. */
export type MessageJson =
  & FactJson<Message>
  & Pick<Message, "seq" | "turn" | "participant" | "name" | "role" | "body">
  & { readonly file: string };

/** A message with its attachments; `private` has fields that the speaker wrote but did not speak. */
export type MessageWithAttachments = {
  readonly message: MessageJson;
  readonly private: Readonly<Record<string, string>> | null;
  readonly rejected: readonly FactJson<Rejection>[];
  readonly factCheck: FactJson<FactCheck> | null;
  readonly evidence: FactJson<Evidence> | null;
  /** Facts of added kinds. */
  readonly own: readonly FactJson<OwnFact>[];
  readonly scores: readonly FactJson<Score>[];
};

/** Status of a convening on a server. */
export interface Standing {
  /** Name of the convening's directory. */
  readonly id: string;
  /** Recorded status, or a status that only the server knows. */
  readonly status: Status | "queued" | "interrupted" | "unreadable";
  /** Position in the queue, from 1; null if the convening is not queued. */
  readonly queuePosition: number | null;
  /** Error of the server's last run of the convening. */
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  /** Paths on the server, by resource. */
  readonly links: Readonly<Record<string, string>>;
}

/** Makes optional values required, with null for a missing value. */
export type OrNull<T> = {
  readonly [K in keyof T]-?: undefined extends T[K] ? Exclude<T[K], undefined> | null : T[K];
};

/** Result of the judges. */
export type JudgedJson = Pick<Assessment, "outcome" | "winner" | "unscored"> & {
  /** Standings by participant id; `total` is on the rubric's scale. */
  readonly scores: Readonly<
    Record<
      string,
      Omit<Assessment["scores"][string], "unmatched"> & { readonly unmatched?: number | undefined }
    >
  >;
  /** Vote and reason of each judge. */
  readonly reasons: readonly OrNull<JudgeReason>[] | null;
  readonly strength:
    | OrNull<Omit<Strength, "votes" | "judgeNotes">> & {
      readonly votes: readonly OrNull<JudgeVote>[];
      readonly judgeNotes: readonly OrNull<JudgeNote>[];
    }
    | null;
  readonly agreement:
    | OrNull<Omit<Agreement, "judges">> & { readonly judges: readonly OrNull<JudgeAgreement>[] }
    | null;
  readonly contradictions: readonly string[] | null;
  readonly notes: readonly string[] | null;
};

/** A proposal with the latest stance of each participant. */
export type ProposalJson = Omit<ProposalStanding, "holds"> & {
  /** By participant id. */
  readonly holds: Readonly<Record<string, OrNull<Hold>>>;
};

/** A convening without its long texts; missing values are null. */
export type ConveningJson =
  & Standing
  & Omit<JudgedJson, "outcome">
  & Pick<ConveningStart, "kind" | "topic" | "startedAt" | "seed">
  & Pick<Ending, "summary" | "usage">
  & OrNull<Pick<Ending, "endReason" | "audience" | "factChecks">>
  & {
    /** Turns that wait for a person; `rejected` is the reason why the last words for the turn were rejected. */
    readonly waitingFor: readonly (WaitedFor & { readonly rejected?: string })[] | null;
    /** Null until the convening ends. */
    readonly outcome: JudgedJson["outcome"] | null;
    readonly endedAt: string | null;
    readonly participants: readonly OrNull<
      Pick<ParticipantInfo, "id" | "name" | "role" | "position" | "model">
    >[];
    readonly judges: readonly Pick<
      ConveningStart["judges"][number],
      "id" | "name" | "model" | "rubric"
    >[];
    readonly sources: readonly string[];
    readonly papers: readonly { readonly id: string; readonly title: string }[];
    /** Convening that this is a fork of, and the last copied message. */
    readonly parent: { readonly id: string; readonly seq: number } | null;
    /** Number of messages. */
    readonly messages: number;
    /** Return value of the protocol, for kinds that record it. */
    readonly value?: unknown;
    /** Answer of each judge before and after the debate; null if the judges were not asked before. */
    readonly baseline: readonly OrNull<Baseline>[] | null;
    /** Proposals agreed and open; null without proposals. */
    readonly consensus:
      | Pick<Consensus, "threshold">
        & {
          readonly [K in "agreed" | "open"]: readonly ProposalJson[];
        }
      | null;
    /** Question, postures and topics of a paper debate. */
    readonly question: string | null;
    readonly postures: readonly string[] | null;
    readonly topics: readonly string[] | null;
    /** Path of the report of a paper debate. */
    readonly report: string | null;
    /** Number of a debater's quotations and citations that were found, and not found. */
    readonly verification:
      | readonly {
        readonly participant: string;
        readonly posture: string;
        readonly verified: number;
        readonly notFound: number;
      }[]
      | null;
  };

/** A row of the list of convenings. */
export type RowJson =
  & Standing
  & Pick<ConveningRow, "startedAt" | "messages" | "winner">
  & OrNull<
    Pick<
      ConveningRow,
      "kind" | "topic" | "question" | "outcome" | "winnerName" | "strengthLevel" | "costUsd"
    >
  >
  & {
    /** Models of participants and judges. */
    readonly models: readonly string[];
    /** Id of the convening that this is a fork of. */
    readonly parent: string | null;
    /** Present for a fork that was never resumed; its status is `interrupted`. */
    readonly isNewFork?: true | undefined;
    /** Reason that the record cannot be read. */
    readonly problem?: string | undefined;
  };

/** A matching message. */
export interface FoundMessage extends Pick<Message, "seq" | "name" | "kind" | "round"> {
  /** Relevance, at most 1; near 1 if the message contains every word. */
  readonly score: number;
  /** Matching words in context: a line of plain text. */
  readonly snippet: string;
  /** Path on the server. */
  readonly link: string;
}

/** A model's answer to a question about a convening; `link` is a path on the server. */
export type AnswerJson = Omit<ModelAnswer, "passages"> & {
  readonly passages: readonly (AnswerPassage & { readonly link: string })[];
};

/** A stored paper. */
export type PaperJson = {
  readonly id: string;
  readonly title: string;
  readonly characters: number;
  readonly pages?: number | undefined;
};

/** Body of an error response. */
export type Refusal = {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly hint?: string | undefined;
    readonly field?: string | undefined;
    /** Each problem, if there are several. */
    readonly fields?: readonly FieldProblem[] | undefined;
  };
};

/** An error response of the server, or invalid options of the client. */
export class ClientError extends Error {
  /** Stable error code. */
  readonly code: ErrorCode;
  /** HTTP status; 0 if no request was sent. */
  readonly status: number;
  /** Advice on how to fix the problem. */
  readonly hint: string | undefined;
  /** Key, parameter or header with the problem. */
  readonly field: string | undefined;
  /** Each problem, if there are several. */
  readonly fields: readonly FieldProblem[] | undefined;

  /** Creates an error with a status. */
  constructor(status: number, { code, message, hint, field, fields }: Refusal["error"]) {
    super(message);
    this.name = "ClientError";
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.field = field;
    this.fields = fields;
  }
}

/** Information about models: the profile of a named model with its lessons, else the servers with all lessons. */
export interface ModelsJson {
  /** Null without a name, and for a name that belongs to no server. */
  readonly model: {
    /** Name of the model on the server. */
    readonly id: string;
    readonly provider: string;
    readonly baseUrl: string;
    /** Keys with their sources, such as `defaults`, `server openai` or `learned`. */
    readonly profile: readonly {
      readonly key: string;
      readonly value: unknown;
      readonly from: string;
    }[];
  } | null;
  /** Servers that model names can refer to. */
  readonly servers: readonly {
    /** Prefix before the colon of a model name; empty for names without a prefix. */
    readonly prefix: string;
    readonly label: string;
    readonly baseUrl: string;
    /** Environment variable of the API key. */
    readonly apiKeyEnv: string | null;
  }[];
  /** Model servers on the server's machine that respond. */
  readonly local: readonly {
    readonly prefix: string;
    readonly label: string;
    readonly origin: string;
    /** Loaded models first; `window` is in tokens. */
    readonly models: readonly { readonly id: string; readonly window: number | null }[];
  }[];
  /** Keys of profiles that were learned from responses of servers in the last seven days. */
  readonly lessons: readonly (Omit<ProfileLearned, "type" | "learnedAt"> & {
    /** ISO 8601, UTC. */
    readonly at: string;
  })[];
}

/** A prompt for the client's own model. */
export interface TurnRequest {
  /** Id for the `request` of `say`. */
  readonly id: string;
  /** Key of the turn or question. */
  readonly turn: string;
  /** Id of the participant or judge. */
  readonly participant: string;
  /** A message, a structured answer, or a summary of older messages. */
  readonly purpose: "turn" | "question" | "fold";
  /** Attempt number from 1; above 1, the previous answer was rejected. */
  readonly attempt: number;
  /** Requested length of the answer, in tokens. */
  readonly maxTokens: number | null;
  /** JSON schema of the answer; null for prose. */
  readonly schema: Readonly<Record<string, unknown>> | null;
  /** Chat messages for the model. */
  readonly prompt: readonly Pick<ChatMessage, "role" | "content">[];
}

/** State of a study; unknown numbers are null. */
export type StudyJson =
  & Pick<StudyStatus, "planned" | "done" | "failed" | "running" | "codes" | "costUsd">
  & OrNull<Pick<StudyStatus, "maxCost" | "perMinute" | "minutesLeft">>
  & {
    /** Id of the study. */
    readonly id: string;
    /** `running`: a process runs the study. `unfinished`: convenings remain or have failed. */
    readonly state: "running" | "unfinished" | "completed" | "unreadable";
    /** Reason that the study is unfinished; null otherwise. */
    readonly why: string | null;
    /** Paths on the server, by resource. */
    readonly links: Readonly<Record<string, string>>;
  };

/** A convening in the plan of a study; `planned` if it has no record. */
export type StudyDebateJson =
  & OrNull<Pick<Cell, "topic" | "format" | "repeat" | "first" | "second">>
  & {
    /** Id of the convening. */
    readonly id: string;
    readonly status: Status | "interrupted" | "planned";
    /** Error code of a failed convening. */
    readonly code: string | null;
    /** Contestant that won; null without a winner. */
    readonly winner: string | null;
    /** Paths on the server, by resource. */
    readonly links: Readonly<Record<string, string>>;
  };
