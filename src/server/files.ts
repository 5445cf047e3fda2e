// Responses with files and transcripts of a convening, and with files of a study.
import type { Context } from "hono";
import { z } from "zod";
import { TRANSCRIPT_FORMATS } from "../config/setting_shapes.ts";
import { ConveningError } from "../core/error.ts";
import { conveningDir, namesOf } from "../operations/client_view.ts";
import { ID, READING } from "../operations/operation.ts";
import {
  archivedFile,
  largeFile,
  renderConvening,
  sumOf,
} from "../operations/reading_convenings.ts";
import { OF_STUDY, STUDY_ID, studyDir } from "../operations/study_json.ts";
import { knownAnswer, type Route, route, tagOf } from "./route.ts";

const text = z.string();
const TEXTS = {
  "text/markdown": text,
  "application/json": z.looseObject({}),
  "text/plain": text,
  "text/html": text,
};
const FILE_ANSWERS = {
  200: { about: "The file, with an ETag.", content: { ...TEXTS, "application/x-ndjson": text } },
};

export const FILE_ROUTES: readonly Route[] = [
  route({
    ...READING,
    name: "file",
    summary: "Reads a file of the directory.",
    path: "/api/convenings/{id}/files",
    input: z.strictObject({
      id: ID,
      path: z.string("Give the path of a file, such as index.md.").describe(
        "The file's path in the directory, as `file` of a message has it.",
      ),
    }),
    isTagged: true,
    answers: FILE_ANSWERS,
    respond: async (context, { id, path }, { out }) =>
      await conveningFile(context, out, { id, names: path.split("/") }),
  }),
  route({
    ...READING,
    name: "file_at",
    summary: "Reads a file of the directory; the path has slashes, which some clients encode.",
    path: "/api/convenings/{id}/files/{path}",
    input: z.strictObject({ id: ID, path: z.string().describe("The file's path.") }),
    isTagged: true,
    answers: FILE_ANSWERS,
    respond: async (context, { id }, { out }) =>
      await conveningFile(context, out, { id, names: namesIn(context.req.path) }),
  }),
  route({
    ...READING,
    name: "export",
    summary: "Gives the whole transcript.",
    path: "/api/convenings/{id}/export",
    input: z.strictObject({
      id: ID,
      format: z.enum(TRANSCRIPT_FORMATS).default("md").describe("The transcript's form."),
    }),
    isTagged: true,
    answers: { 200: { about: "The transcript; browsers show it.", content: TEXTS } },
    async respond(context, { id, format }, { out }) {
      const dir = await conveningDir(out, id);
      const bytes = new TextEncoder().encode(await renderConvening(dir, format));
      const name = `${id}.${format}`;
      const headers = { "content-disposition": `inline; filename="${name}"` };
      return taggedText(context, { bytes, sum: await sumOf(bytes), name, headers });
    },
  }),
];

export const STUDY_FILE: Route = route({
  ...OF_STUDY,
  name: "study_file",
  summary: "Reads the plan, the index or a file of the report or of an export of a study.",
  method: "get",
  path: "/api/studies/{id}/files",
  writes: false,
  errors: ["not_found"],
  input: z.strictObject({
    id: STUDY_ID,
    path: z.string("Give the path of a file, such as report/leaderboard.md.").regex(
      /^(?:index\.md|plan\.jsonl|report[/][^/]+|exports[/][^/]+[/][^/]+)$/,
      "Give index.md, plan.jsonl, or the path of a file of report or exports.",
    ).describe("The file's path in the study's folder, as report and export give it."),
  }),
  isTagged: true,
  answers: FILE_ANSWERS,
  async respond(context, { id, path }, { out }) {
    await studyDir({ out }, id);
    return await fileAnswer(context, out, ["studies", id, ...path.split("/")]);
  },
});

/** Media types by file extension; all other files are sent as plain text, which browsers do not execute. */
const TYPES: Readonly<Record<string, string>> = {
  md: "text/markdown; charset=utf-8",
  json: "application/json; charset=utf-8",
  jsonl: "application/x-ndjson; charset=utf-8",
  html: "text/html; charset=utf-8",
};
const PLAIN = "text/plain; charset=utf-8";

/** Content security policy of a page with models' words: no script, no form, no origin. */
const SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** Returns a response with a text. An HTML page is sent as a download, and in a sandbox for browsers that open it. */
export function textAnswer(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  name: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  const type = Object.hasOwn(TYPES, ending) ? TYPES[ending]! : PLAIN;
  const isPage = type.startsWith("text/html");
  return new Response(body, {
    headers: {
      "content-type": type,
      ...isPage
        ? {
          "content-security-policy": SANDBOX,
          "content-disposition": `attachment; filename="${name.replace(/[^\w.-]/g, "_")}"`,
        }
        : {},
      ...headers,
    },
  });
}

/** Returns a response with a file of a convening. Fails with `not_found` that names the convening or the file. */
async function conveningFile(
  context: Context,
  out: string,
  { id, names }: { readonly id: string; readonly names: readonly string[] },
): Promise<Response> {
  return await fileAnswer(context, out, [...namesOf(id), ...names]).catch(async (error) => {
    await conveningDir(out, id);
    throw error;
  });
}

/**
 * Returns a response with a file of the archive and an `ETag` of its bytes. A log or a transcript over 64 MiB is
 * streamed without an `ETag`; other files of that size are rejected. Fails with `not_found` for a path that is not a file
 * of the convening, is hidden, or leads through a symbolic link.
 */
async function fileAnswer(
  context: Context,
  out: string,
  names: readonly string[],
): Promise<Response> {
  const large = await largeFile(out, names);
  if (large !== undefined) {
    return textAnswer(large.stream, names.at(-1) ?? "", { "content-length": `${large.size}` });
  }
  const file = await archivedFile(out, names);
  return taggedText(context, { ...file, name: names.at(-1) ?? "" });
}

/** Returns a response with a text and an `ETag` of its sum, or a 304 response. */
function taggedText(
  context: Context,
  { bytes, sum, name, headers }: {
    readonly bytes: Uint8Array<ArrayBuffer>;
    readonly sum: string;
    readonly name: string;
    /** @default none */
    readonly headers?: Readonly<Record<string, string>>;
  },
): Response {
  const etag = tagOf(sum);
  return knownAnswer(context, etag) ?? textAnswer(bytes, name, { etag, ...headers });
}

/** Decodes the names in the URL path of a file. Fails with `not_found` for an invalid encoding. */
function namesIn(path: string): string[] {
  try {
    const rest = path.replace(/^\/api\/convenings\/[^/]*\/files\//, "");
    return decodeURIComponent(rest).split("/");
  } catch {
    throw new ConveningError("not_found", "Cannot find that file: its name cannot be decoded", {
      field: "path",
      hint: "Encode the name in UTF-8.",
    });
  }
}
