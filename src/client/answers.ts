// Types of what a server answers: the fields of the library's types, null where there is nothing; and of refusals.
import type { ChatMessage } from "../core/agent.ts";
import type { ConveningStart, Ending, ParticipantInfo } from "../core/event.ts";
import type { ErrorCode } from "../core/error.ts";
import type { Evidence, Fact, FactCheck, OwnFact, Rejection, Status } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import type {
  Agreement,
  Assessment,
  JudgeAgreement,
  JudgeNote,
  JudgeReason,
  JudgeVote,
  Strength,
} from "../core/outcome.ts";
import type { AnswerPassage, ModelAnswer } from "../operations/search.ts";
import type { ConveningRow } from "../record/list.ts";
import type { SearchRow } from "../record/search.ts";
import type { StudyStatus } from "../studies/status.ts";
import type { Cell } from "../studies/study.ts";

/** The fields of a fact; a field that the fact lacks is null or absent. */
export type FactJson<F extends Fact> = {
  readonly [K in Exclude<keyof F, "type">]?: F[K] | null;
};

/** A message; `file` is its path in the convening's directory. */
export type MessageJson =
  & FactJson<Message>
  & Pick<Message, "seq" | "turn" | "participant" | "name" | "role" | "body">
  & { readonly file: string };

/** One message with its attachments; `private` are fields that the speaker wrote and did not say. */
export type MessageWithAttachments = {
  readonly message: MessageJson;
  readonly private: Readonly<Record<string, string>> | null;
  readonly rejected: readonly FactJson<Rejection>[];
  readonly factCheck: FactJson<FactCheck> | null;
  readonly evidence: FactJson<Evidence> | null;
  /** Facts of kinds that a library adds. */
  readonly own: readonly FactJson<OwnFact>[];
};

/** Status of a convening for a server. */
export interface Standing {
  /** The name of the convening's directory. */
  readonly id: string;
  /** The status of its record, or what a process knows besides. */
  readonly status: Status | "queued" | "interrupted" | "unreadable";
  /** The place in the queue, from 1; null of a convening that is not queued. */
  readonly queuePosition: number | null;
  /** Error of the last run of the server. */
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  /** Paths of the server, by resource. */
  readonly links: Readonly<Record<string, string>>;
}

/** A type whose absent values are null. */
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

/** A convening without its long texts; null where there is nothing. */
export type ConveningJson =
  & Standing
  & JudgedJson
  & Pick<ConveningStart, "kind" | "topic" | "startedAt" | "seed">
  & Pick<Ending, "summary" | "usage">
  & OrNull<Pick<Ending, "endReason" | "waitingFor" | "audience">>
  & {
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
    /** The convening that this is a fork of, and the last message taken over. */
    readonly parent: { readonly id: string; readonly seq: number } | null;
    /** Number of messages. */
    readonly messages: number;
    /** Value that the protocol returned, of kinds that keep it. */
    readonly value?: unknown;
    readonly factChecks: object | null;
    readonly baseline: readonly object[] | null;
    readonly consensus: object | null;
    readonly question: string | null;
    readonly postures: readonly string[] | null;
    readonly topics: readonly string[] | null;
    /** The path of a paper debate's report. */
    readonly report: string | null;
    readonly verification: readonly object[] | null;
  };

/** A row of the archive's list. */
export type RowJson =
  & Standing
  & Pick<ConveningRow, "startedAt" | "messages" | "winner">
  & OrNull<Pick<ConveningRow, "kind" | "topic" | "outcome" | "winnerName" | "costUsd">>
  & {
    /** The models of participants and judges. */
    readonly models: readonly string[];
    /** The id of the convening that it was forked from. */
    readonly parent: string | null;
    /** Reason why the record cannot be read. */
    readonly problem?: string | undefined;
  };

/** A message that was found; `score` is near 1 where it has every word, `link` a path of the server. */
export type FoundMessage =
  & Pick<SearchRow, "seq" | "name" | "kind" | "round" | "snippet">
  & { readonly score: number; readonly link: string };

/** The answer of a model to a question about a convening; `link` is a path of the server. */
export type AnswerJson = Omit<ModelAnswer, "passages"> & {
  readonly passages: readonly (AnswerPassage & { readonly link: string })[];
};

/** A paper of the server's shelf. */
export type PaperJson = {
  readonly id: string;
  readonly title: string;
  readonly characters: number;
  readonly pages?: number | undefined;
};

/** The body of a refusal. */
export type Refusal = {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly hint?: string | undefined;
    readonly field?: string | undefined;
  };
};

/** A refusal of the server, or of options of the client. */
export class ClientError extends Error {
  /** Stable; tells errors apart. */
  readonly code: ErrorCode;
  /** The HTTP status; 0 where nothing was sent. */
  readonly status: number;
  /** Remedy. */
  readonly hint: string | undefined;
  /** The key, parameter or header concerned. */
  readonly field: string | undefined;

  /** A refusal with a status. */
  constructor(status: number, { code, message, hint, field }: Refusal["error"]) {
    super(message);
    this.name = "ClientError";
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.field = field;
  }
}

/** Knowledge about models: with a name, the profile of the model and its lessons; else servers and all lessons. */
export interface ModelsJson {
  /** Null without a name, and for a name of no server. */
  readonly model: {
    /** The model, as the server knows it. */
    readonly id: string;
    readonly provider: string;
    readonly baseUrl: string;
    /** Each key with its source, such as `defaults`, `server openai` or `learned`. */
    readonly profile: readonly {
      readonly key: string;
      readonly value: unknown;
      readonly from: string;
    }[];
  } | null;
  /** Servers that names can stand for. */
  readonly servers: readonly {
    /** The name before the colon; empty for names without a prefix. */
    readonly prefix: string;
    readonly label: string;
    readonly baseUrl: string;
    /** The environment variable of the key. */
    readonly apiKeyEnv: string | null;
  }[];
  /** Servers of the machine that answer. */
  readonly local: readonly {
    readonly prefix: string;
    readonly label: string;
    readonly origin: string;
    /** Loaded models first; `window` in tokens. */
    readonly models: readonly { readonly id: string; readonly window: number | null }[];
  }[];
  /** Keys of profiles that servers taught in the last seven days. */
  readonly lessons: readonly {
    readonly origin: string;
    readonly model: string;
    readonly key: string;
    readonly from?: unknown;
    readonly to?: unknown;
    readonly because: string;
    /** ISO 8601, UTC. */
    readonly at: string;
  }[];
}

/** A prompt that the client's own model is to answer. */
export interface TurnRequest {
  /** The id that `say` takes as `request`. */
  readonly id: string;
  /** The key of the turn or question. */
  readonly turn: string;
  /** The id of the participant or judge that is asked. */
  readonly participant: string;
  /** A speech, a structured answer, or a summary of older turns. */
  readonly purpose: "turn" | "question" | "fold";
  /** From 1; past 1 the last answer could not stand. */
  readonly attempt: number;
  /** The tokens that the answer is asked to have. */
  readonly maxTokens: number | null;
  /** The JSON schema of the answer; null for prose. */
  readonly schema: Readonly<Record<string, unknown>> | null;
  /** Messages for a model. */
  readonly prompt: readonly Pick<ChatMessage, "role" | "content">[];
}

/** The state of a study; null where a number is not known. */
export type StudyJson =
  & Pick<StudyStatus, "planned" | "done" | "failed" | "running" | "codes" | "costUsd">
  & OrNull<Pick<StudyStatus, "maxCost" | "perMinute" | "minutesLeft">>
  & {
    /** The study's id. */
    readonly id: string;
    /** `running` while a process runs it; `unfinished` where convenings are left, or failed. */
    readonly state: "running" | "unfinished" | "completed" | "unreadable";
    /** The reason why it is unfinished; null otherwise. */
    readonly why: string | null;
    /** Paths of its resources. */
    readonly links: Readonly<Record<string, string>>;
  };

/** A convening of a study's plan; `planned` where its record is not there. */
export type StudyDebateJson =
  & OrNull<Pick<Cell, "topic" | "format" | "repeat" | "first" | "second">>
  & {
    /** The convening's id. */
    readonly id: string;
    readonly status: Status | "interrupted" | "planned";
    /** Code of the error of a convening that failed. */
    readonly code: string | null;
    /** The contestant that won; null for none. */
    readonly winner: string | null;
    /** Paths of its resources. */
    readonly links: Readonly<Record<string, string>>;
  };
