/**
 * A typed client of a server, for programs and for pages: every operation of the HTTP interface, events, and debates over
 * papers step by step. It needs `fetch` and nothing else.
 *
 * @module
 */
export { createClient } from "./client.ts";
export type { CalledOperations, CallOptions, Client, ClientOptions } from "./client.ts";
export { ClientError } from "./answers.ts";
export { PaperDebate } from "./paper_debate.ts";
export type { LimiterState } from "../agents/limiter.ts";
export type { DebateStatus } from "../papers/text/debate_report.ts";
export type { DebateHistoryEntry, DebaterProgress, DebateState } from "./paper_debate.ts";
export type {
  Empty,
  ListInput,
  LocalKeys,
  MessageChoice,
  OfConvening,
  Operations,
  Page,
  PageInput,
  PaperDebateInput,
  StartInput,
  WithoutLocal,
} from "./operations.ts";
export type {
  AnswerJson,
  ConveningJson,
  FactJson,
  FoundMessage,
  JudgedJson,
  MessageJson,
  MessageWithAttachments,
  ModelsJson,
  OrNull,
  PaperJson,
  ProposalJson,
  Refusal,
  RowJson,
  Standing,
  StudyDebateJson,
  StudyJson,
  TurnRequest,
} from "./answers.ts";
