import { z } from "zod";
import { TRANSCRIPT_FORMATS } from "../config/config.ts";
import type { ErrorCode } from "../core/error.ts";
import { reportSchema } from "../papers/text/report_schema.ts";
import type { Schema } from "../core/schema.ts";
import {
  askRequest,
  emptyRequest,
  forkRequest,
  goOnRequest,
  judgeRequest,
  sayRequest,
} from "../operations/remote_requests.ts";
import { sentConfiguration } from "./configuration_schema.ts";
import { posturesBody, questionsBody, runBody, runCompleteBody } from "./debate_bodies.ts";
import { paperBody } from "./routes/papers.ts";

/** What one route does, as the document tells it. */
export interface ApiOperation {
  /** `get /api/papers/{id}`: the method in small letters, and the path. */
  readonly at: string;
  /** One line. */
  readonly about: string;
  /** What can stand behind the `?`, by name. @default nothing */
  readonly query?: Readonly<Record<string, z.ZodType>> | undefined;
  /** The body's schema, by media type. @default it has none */
  readonly body?: Readonly<Record<string, Schema>> | undefined;
  /** Whether the body can be left out. @default false */
  readonly isBodyOptional?: boolean | undefined;
  /** What it answers where all goes well, by status; and what it says in words of another protocol. */
  readonly answers: Readonly<Record<number, ApiAnswer>>;
  /** What it can be refused with, besides what every request can. @default nothing */
  readonly errors?: readonly ErrorCode[] | undefined;
}

/** One kind of answer. */
export interface ApiAnswer {
  /** One line. */
  readonly about: string;
  /** Schemas by media type. @default it has no body */
  readonly content?: Readonly<Record<string, Schema>> | undefined;
  /** Whether `Location` says where what was made is. @default false */
  readonly located?: boolean | undefined;
}

const text = z.string();
const whole = z.int().min(0);
const events = { "text/event-stream": text };
const object = z.looseObject({});
const TEXTS = {
  "text/markdown": text,
  "application/json": object,
  "text/plain": text,
  "text/html": text,
};
const links = z.record(z.string(), z.string());
const standing = z.looseObject({
  id: text,
  status: text,
  queuePosition: whole.nullable(),
  links,
});
const convening = z.looseObject({
  ...standing.shape,
  kind: text,
  topic: text,
  messages: whole,
  participants: z.array(object),
});
const shelvedPaper = z.object({
  id: text,
  title: text,
  characters: whole,
  pages: whole.optional(),
});
const postures = z.object({ postures: z.array(text), topics: z.array(text) });
const page = { after: whole.optional(), limit: z.int().min(1).max(200).optional() };

const MODELS = [
  "agent_auth",
  "agent_rate_limited",
  "agent_timeout",
  "agent_unreachable",
  "agent_refused",
  "agent_bad_reply",
] as const satisfies readonly ErrorCode[];
const KEPT = ["not_found", "record_corrupt"] as const satisfies readonly ErrorCode[];
/** What can be wrong with a body. */
const SENT = [
  "config_invalid",
  "too_large",
  "unsupported_type",
] as const satisfies readonly ErrorCode[];

function json(schema: Schema): Readonly<Record<string, Schema>> {
  return { "application/json": schema };
}

const wholeDebate: Pick<ApiOperation, "answers" | "errors"> = {
  answers: {
    200: {
      about: "the report; as text/event-stream the events progress, complete and error",
      content: { ...json(reportSchema), ...events },
      located: true,
    },
  },
  errors: [...SENT, ...MODELS, "not_found", "paper_unreadable", "busy", "stopped"],
};

const DEBATES: readonly ApiOperation[] = [
  {
    at: "post /api/mas-debate/questions",
    about: "Puts questions to a paper.",
    body: json(questionsBody),
    answers: {
      200: { about: "the questions", content: json(z.object({ questions: z.array(text) })) },
    },
    errors: [...SENT, ...MODELS, "not_found", "paper_unreadable"],
  },
  {
    at: "post /api/mas-debate/postures",
    about: "Finds postures and topics for a question.",
    body: json(posturesBody),
    answers: { 200: { about: "postures and topics", content: json(postures) } },
    errors: [...SENT, ...MODELS, "not_found", "paper_unreadable"],
  },
  {
    at: "post /api/mas-debate/run",
    about: "Debates a question over a paper.",
    body: json(runBody),
    ...wholeDebate,
  },
  {
    at: "post /api/mas-debate/run-complete",
    about: "Puts questions to a paper, and debates one of them.",
    body: json(runCompleteBody),
    ...wholeDebate,
  },
];

const PAPERS: readonly ApiOperation[] = [
  {
    at: "get /api/papers",
    about: "Lists the papers.",
    answers: {
      200: { about: "all, by id", content: json(z.object({ papers: z.array(shelvedPaper) })) },
    },
  },
  {
    at: "post /api/papers",
    about: "Keeps a paper. A file that is sent as it is can have id and title in the query.",
    query: { id: text.optional(), title: text.optional() },
    body: {
      ...json(paperBody),
      "multipart/form-data": z.object({
        file: z.string().meta({ contentMediaType: "application/octet-stream" }),
        id: text.optional(),
        title: text.optional(),
      }),
      "application/pdf": text,
      "text/markdown": text,
      "text/plain": text,
    },
    answers: { 201: { about: "the paper is kept", content: json(shelvedPaper), located: true } },
    errors: [...SENT, "paper_unreadable", "taken", "record_unwritable"],
  },
  {
    at: "get /api/papers/{id}",
    about: "Gives a paper with its text.",
    answers: {
      200: { about: "the paper", content: json(shelvedPaper.extend({ text })) },
    },
    errors: ["not_found", "paper_unreadable"],
  },
  {
    at: "delete /api/papers/{id}",
    about: "Lets a paper go; debates over it keep their own copy.",
    answers: { 204: { about: "it is gone" } },
    errors: ["not_found", "record_unwritable"],
  },
];

const CONVENINGS: readonly ApiOperation[] = [
  {
    at: "post /api/convenings",
    about:
      "Starts a convening of any kind: the keys of a configuration, but none that names a place; " +
      "sources as [{name, text}], papers as paperIds.",
    body: json(sentConfiguration),
    answers: {
      201: { about: "it runs, or waits in line", content: json(standing), located: true },
    },
    errors: [
      ...SENT,
      "topic_refused",
      "not_found",
      "paper_unreadable",
      "busy",
      "record_unwritable",
    ],
  },
  {
    at: "get /api/convenings",
    about: "Lists convenings, newest first; counts are over everything.",
    query: {
      limit: z.int().min(1).max(200).optional(),
      cursor: text.optional(),
      status: text.optional(),
      kind: text.optional(),
      q: text.optional(),
    },
    answers: {
      200: {
        about: "a page of the list; next is the cursor of the one behind it",
        content: json(z.object({
          convenings: z.array(standing),
          next: text.nullable(),
          counts: object,
        })),
      },
    },
    errors: ["config_invalid"],
  },
  {
    at: "get /api/convenings/{id}",
    about: "Tells where a convening stands, and what it came to.",
    answers: { 200: { about: "the convening, without long texts", content: json(convening) } },
    errors: KEPT,
  },
  ...["pause", "stop"].map((act): ApiOperation => ({
    at: `post /api/convenings/{id}/${act}`,
    about: act === "pause"
      ? "Lets the turns in flight finish, then rests; resume goes on."
      : "Ends it early; resume goes on.",
    body: json(emptyRequest),
    isBodyOptional: true,
    answers: {
      200: { about: "nothing ran", content: json(standing) },
      202: { about: "it will", content: json(standing) },
    },
    errors: act === "stop" ? [...SENT, ...KEPT, "locked"] : [...SENT, ...KEPT],
  })),
  {
    at: "post /api/convenings/{id}/resume",
    about:
      "Goes on with one that was interrupted, paused, stopped, failed or waits; settings stand over its own.",
    body: json(goOnRequest),
    isBodyOptional: true,
    answers: {
      200: { about: "it had completed", content: json(standing) },
      202: { about: "it runs, or waits in line", content: json(standing) },
    },
    errors: [...SENT, ...KEPT, "locked", "busy"],
  },
  {
    at: "post /api/convenings/{id}/say",
    about: "Says a person's turn that is waited for, or interjects.",
    body: json(sayRequest),
    answers: { 202: { about: "it will be heard", content: json(standing) } },
    errors: [...SENT, ...KEPT, "turn_order", "busy"],
  },
  {
    at: "post /api/convenings/{id}/fork",
    about: "Makes a new convening of the first messages; resume goes on there.",
    body: json(forkRequest),
    answers: { 201: { about: "the new one", content: json(object), located: true } },
    errors: [...SENT, ...KEPT, "record_unwritable"],
  },
  {
    at: "post /api/convenings/{id}/judge",
    about: "Has a finished convening judged once more, beside the judgement it has; a judge " +
      "that fails leaves what it did not score among the unscored.",
    body: json(judgeRequest),
    isBodyOptional: true,
    answers: { 200: { about: "the convening, and the new panel", content: json(convening) } },
    errors: [...SENT, ...KEPT, "locked"],
  },
];

const READING: readonly ApiOperation[] = [
  {
    at: "get /api/convenings/{id}/events",
    about:
      "Every event as server-sent events, id = number; Last-Event-ID or after goes on from there.",
    query: { after: page.after },
    answers: {
      200: { about: "the events, until the run ends", content: events },
      204: { about: "all was heard, and nothing comes any more" },
    },
    errors: ["config_invalid", "busy", ...KEPT],
  },
  {
    at: "get /api/convenings/{id}/socket",
    about: "A WebSocket: the events of the event stream; takes say, interject and pause as JSON.",
    query: { after: page.after },
    answers: { 101: { about: "the socket; it is closed with 1000 once the convening has ended" } },
    errors: ["config_invalid", ...KEPT],
  },
  ...["messages", "scores"].map((part): ApiOperation => ({
    at: `get /api/convenings/{id}/${part}`,
    about: part === "messages"
      ? "A part of the messages, by number."
      : "Scores by the messages they are of, and verdicts.",
    query: page,
    answers: {
      200: {
        about: "next is what to give as after for what is behind it",
        content: json(z.looseObject({
          [part]: z.array(object),
          next: whole.nullable(),
          total: whole,
        })),
      },
    },
    errors: ["config_invalid", ...KEPT],
  })),
  {
    at: "get /api/convenings/{id}/verify",
    about: "Proves the directory against the format.",
    answers: {
      200: {
        about: "what was found",
        content: json(z.looseObject({ sound: z.boolean(), findings: z.array(object) })),
      },
    },
    errors: KEPT,
  },
  {
    at: "post /api/convenings/{id}/ask",
    about: "Finds what its messages say on a question.",
    body: json(askRequest),
    answers: {
      200: {
        about: "passages with links",
        content: json(z.looseObject({ answers: z.array(object) })),
      },
    },
    errors: [...SENT, ...KEPT],
  },
  {
    at: "get /api/convenings/{id}/files/{path}",
    about: "A file of the directory.",
    answers: {
      200: {
        about: "the file, with an ETag",
        content: { ...TEXTS, "application/x-ndjson": text },
      },
      304: { about: "it is the one of If-None-Match" },
    },
    errors: KEPT,
  },
  {
    at: "get /api/convenings/{id}/export",
    about: "The whole transcript.",
    query: { format: z.enum(TRANSCRIPT_FORMATS).optional() },
    answers: {
      200: {
        about: "the transcript, to keep",
        content: TEXTS,
      },
    },
    errors: ["config_invalid", ...KEPT],
  },
  {
    at: "get /api/search",
    about: "Messages of the whole archive by words, best first.",
    query: { q: z.string().min(1).max(1000), limit: z.int().min(1).max(100).optional() },
    answers: {
      200: { about: "what was found", content: json(z.looseObject({ results: z.array(object) })) },
    },
    errors: ["config_invalid"],
  },
];

/** Every route for programs. Pages for people are told by what they link to. */
export const API_OPERATIONS: readonly ApiOperation[] = [
  {
    at: "get /healthz",
    about: "Says that the server answers; takes no token.",
    answers: { 200: { about: "it does", content: json(z.object({ status: z.literal("ok") })) } },
  },
  {
    at: "get /api/openapi.json",
    about: "This document.",
    answers: { 200: { about: "an OpenAPI 3.1 document", content: json(object) } },
  },
  ...DEBATES,
  ...PAPERS,
  ...CONVENINGS,
  ...READING,
  {
    at: "post /mcp",
    about: "The archive as an MCP server, over streamable HTTP.",
    body: json(object),
    answers: {
      200: { about: "an answer of JSON-RPC", content: events },
      202: { about: "a notification was taken" },
      400: { about: "it is no message of JSON-RPC", content: json(object) },
      406: {
        about: "Accept has not both application/json and text/event-stream",
        content: json(object),
      },
      415: { about: "it is no JSON", content: json(object) },
    },
    errors: ["too_large"],
  },
];
