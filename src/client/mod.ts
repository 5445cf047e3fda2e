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
export type { Empty, Operations } from "./operations.ts";
export type {
  AnswerJson,
  ConveningJson,
  FactJson,
  FoundMessage,
  JudgedJson,
  ListInput,
  LocalKeys,
  MessageChoice,
  MessageJson,
  MessageWithAttachments,
  ModelsJson,
  OfConvening,
  OrNull,
  Page,
  PageInput,
  PaperDebateInput,
  PaperJson,
  ProposalJson,
  Refusal,
  RowJson,
  Standing,
  StartInput,
  StudyDebateJson,
  StudyJson,
  TurnRequest,
  WithoutLocal,
} from "./answers.ts";
