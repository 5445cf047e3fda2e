// Routes that keep and remove papers, and routes that run a whole paper debate in one request.
import type { Context } from "hono";
import { z } from "zod";
import { MAX_PAPER_CHARACTERS, type Paper } from "../core/paper.ts";
import {
  AGENT_ERROR_CODES,
  cannotUse,
  ConfigurationError,
  ConveningError,
  namingField,
} from "../core/error.ts";
import { counted } from "../core/text.ts";
import type { PaperShelf, ShelvedPaper } from "../inputs/folder_shelf.ts";
import { MAX_FILE_BYTES, paperIn } from "../inputs/papers.ts";
import type { OperationContext } from "../operations/operation.ts";
import { named } from "../operations/outputs.ts";
import {
  beginDebate,
  type BegunDebate,
  reportOf,
  type RunBody,
  runBody,
  runCompleteBody,
  shelvedPaper,
} from "../operations/papers.ts";
import { checkPaper, paperId, TITLE_LENGTH } from "../papers/text/check_paper.ts";
import { reportSchema } from "../papers/text/debate_report.ts";
import { eventStream, type SentEvent } from "./events.ts";
import { checkBody, formBody, jsonBody, mediaType, unsupported } from "./request_body.ts";
import { LOCATION, type Route, route, streamOf } from "./route.ts";

const text = z.string();
const title = z.string("Give one line.")
  .refine((title) => [...title].length <= TITLE_LENGTH, `Give at most ${TITLE_LENGTH} characters.`)
  .meta({ description: "The title, one line.", maxLength: TITLE_LENGTH });
const ID = "The id that the paper gets; without, one made from the file's name or the title.";

const paperBody = z.strictObject({
  id: z.string().trim().min(1, "Give a name, or leave it out.").max(200).optional().describe(ID),
  title: title.trim().min(1, "Give one line."),
  text: z.string("Give the paper's text.")
    .meta({ description: "The paper's text, markdown or plain.", maxLength: MAX_PAPER_CHARACTERS }),
});

/** File names for bodies without a name, by media type. */
const NAMES: Readonly<Record<string, string>> = {
  "application/pdf": "paper.pdf",
  "text/markdown": "paper.md",
  "text/plain": "paper.txt",
};

interface Posted {
  readonly paper: Paper;
  readonly isNamed: boolean;
}

export const PAPER_ROUTES: readonly Route[] = [
  route({
    name: "post_paper",
    summary: "Stores a paper; for a file that is the whole body, id and title may be in the query.",
    tags: ["papers"],
    method: "post",
    path: "/api/papers",
    writes: true,
    errors: ["too_large", "unsupported_type", "paper_unreadable", "taken", "record_unwritable"],
    input: z.strictObject({ id: text.optional().describe(ID), title: title.optional() }),
    bodies: {
      "application/json": paperBody,
      "multipart/form-data": z.object({
        file: text.meta({
          description: "A PDF, markdown or plain text file.",
          contentMediaType: "application/octet-stream",
        }),
        id: text.optional().describe(ID),
        title: title.optional(),
      }),
      "application/pdf": text,
      "text/markdown": text,
      "text/plain": text,
    },
    answers: {
      201: {
        about: "The paper is kept.",
        content: { "application/json": shelvedPaper },
        headers: LOCATION,
      },
    },
    async respond(context, query, { papers }) {
      const kept = await keep(papers, await posted(context.req.raw, query));
      return context.json(kept, 201, { location: `/api/papers/${kept.id}` });
    },
  }),
  route({
    name: "remove_paper",
    summary: "Removes a paper; debates over the paper keep their own copy.",
    tags: ["papers"],
    method: "delete",
    path: "/api/papers/{id}",
    writes: true,
    errors: ["not_found", "record_unwritable"],
    input: z.strictObject({ id: text.describe("The paper's id.") }),
    answers: { 204: { about: "The paper is removed." } },
    async respond(context, { id }, { papers }) {
      await papers.remove(id);
      return context.body(null, 204);
    },
  }),
];

/** Keeps a paper; a paper without a given id gets the next free id. */
export async function keep(papers: PaperShelf, { paper, isNamed }: Posted): Promise<ShelvedPaper> {
  for (let number = 1;; number++) {
    const id = number === 1 ? paper.id : `${paper.id.slice(0, 58)}-${number}`;
    try {
      return await papers.put({ ...paper, id });
    } catch (error) {
      const isTaken = error instanceof ConveningError && error.code === "taken";
      if (!isTaken || isNamed || number >= 1000) throw error;
    }
  }
}

type Query = Readonly<Partial<Record<"id" | "title", string | undefined>>>;

async function posted(request: Request, query: Query): Promise<Posted> {
  const type = mediaType(request);
  if (Object.hasOwn(NAMES, type)) {
    return await read(await request.bytes(), { name: NAMES[type]!, ...query });
  }
  const isJson = /^application\/(?:[\w.-]+\+)?json$/.test(type);
  if (!isJson && type !== "multipart/form-data") {
    throw unsupported(
      type,
      "Send a form with a file, or application/pdf, text/markdown, text/plain or application/json.",
    );
  }
  const [field] = Object.keys(query);
  if (field !== undefined) {
    throw cannotUse(field, "a form or JSON has it in the body", `Give ${field} in the body.`);
  }
  return isJson ? await fromText(await jsonBody(request)) : await fromForm(await formBody(request));
}

export async function fromText(sent: unknown): Promise<Posted> {
  const body = checkBody(paperBody, sent);
  return await namingField(
    { papers: "text" },
    () => ({ paper: checkPaper(body), isNamed: body.id !== undefined }),
  );
}

const FORM = z.strictObject({
  file: z.unknown().optional(),
  id: text.optional(),
  title: title.optional(),
});

export async function fromForm(form: FormData): Promise<Posted> {
  const { file, ...about } = checkBody(FORM, Object.fromEntries(form));
  const names = [...form.keys()];
  const twice = names.find((each, index) => names.indexOf(each) !== index);
  if (twice !== undefined) {
    throw cannotUse(twice, "the body has it twice", "Send one paper at a time.");
  }
  if (!(file instanceof File)) {
    throw new ConfigurationError("Cannot read the form: it contains no file", {
      field: "file",
      hint: "Give a PDF, markdown or plain text file in the field file.",
    });
  }
  // The name that a form gives a file without a name.
  const type = file.name === "blob" ? file.type.split(";")[0]!.trim() : "";
  return await read(await file.bytes(), { name: NAMES[type] ?? file.name, ...about });
}

/** Reads a paper from a file's bytes. Without `id`, the id comes from the file name, or for `paper` from the title. */
async function read(
  bytes: Uint8Array,
  { name, id, title }: Query & { readonly name: string },
): Promise<Posted> {
  if (bytes.length > MAX_FILE_BYTES) {
    const most = counted(MAX_FILE_BYTES, "byte");
    throw new ConveningError("too_large", `Cannot read the paper: it has more than ${most}`, {
      field: "file",
      hint: "Send a smaller file, or its text alone.",
    });
  }
  const isNamed = id !== undefined && id.trim() !== "";
  return await namingField({ papers: "file" }, async () => {
    const paper = await paperIn(bytes, { name: name.slice(-200), title });
    const own = isNamed ? id : paper.id === "paper" ? paper.title : paper.id;
    return { paper: { ...paper, id: paperId(own) }, isNamed };
  });
}

const WHOLE = [
  ["run", "debate_paper", "Debates a question over a paper.", runBody],
  [
    "run-complete",
    "debate_paper_whole",
    "Puts questions to a paper, and debates one of them.",
    runCompleteBody,
  ],
] as const;

// `reportSchema` is a zod schema behind the narrower type `Schema`.
const report = named("Report", reportSchema as unknown as z.ZodType);
const stage = named("Stage", z.object({ stage: text, data: z.unknown() }));

export const DEBATE_ROUTES: readonly Route[] = WHOLE.map(([path, name, summary, input]) =>
  route({
    name,
    summary,
    tags: ["mas-debate"],
    method: "post",
    path: `/api/mas-debate/${path}`,
    writes: true,
    errors: [...AGENT_ERROR_CODES, "not_found", "paper_unreadable", "busy", "stopped"],
    input: input as z.ZodObject,
    answers: {
      200: {
        about: "The report; as text/event-stream the events progress, complete and error.",
        content: { "application/json": report, "text/event-stream": streamOf(stage, report) },
        headers: LOCATION,
      },
    },
    async respond(context, body, server) {
      return await answer(context, await beginDebate(server, body as RunBody), server);
    },
  })
);

async function answer(
  context: Context,
  debate: BegunDebate,
  server: OperationContext,
): Promise<Response> {
  const location = `/api/convenings/${debate.run.id}`;
  context.header("location", location);
  const wantsEvents = (context.req.header("accept") ?? "").split(",")
    .some((each) => each.split(";")[0]!.trim().toLowerCase() === "text/event-stream");
  if (!wantsEvents) return context.json(await reportOf(debate));
  return eventStream((signal) => stages(debate, { server, signal }), {
    signal: server.signal,
    scope: server,
    headers: { location },
  });
}

async function* stages(
  debate: BegunDebate,
  { server, signal }: { readonly server: OperationContext; readonly signal: AbortSignal },
): AsyncGenerator<SentEvent> {
  for await (const event of server.pool.events(debate.run.dir, { signal })) {
    if (event.type !== "stage") continue;
    yield { event: "progress", data: { stage: event.name, data: event.data ?? null } };
  }
  if (!signal.aborted) yield { event: "complete", data: await reportOf(debate) };
}
