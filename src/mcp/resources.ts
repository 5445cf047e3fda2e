// Resources: what can be read by an address, and the list of them.
import {
  type ListResourcesResult,
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { RecordError } from "../core/error.ts";
import { listPage } from "../operations/list.ts";
import { publishedSchemas } from "../operations/schemas.ts";
import { messageReply, pageReply } from "./reading.ts";
import { type McpReply, problemOf, resourceResult } from "./reply.ts";
import { scoresReply } from "./scores.ts";
import { archiveOf, type McpContext } from "./tool.ts";

/** The most tokens of one resource; the tools read on from there. */
const WHOLE = { offset: 0, maxTokens: 20_000 } as const;
/** The most scores of one resource. */
const SCORES = { limit: 100, reasons: true, maxTokens: WHOLE.maxTokens } as const;
/** Number of convenings on a page of the list of resources. */
const LISTED = 50;
/** The one resource that is no convening's. */
const SCHEMA = "convening://schema/configuration";
const SCHEMA_DATA = {
  title: "The JSON Schema of a configuration",
  mimeType: "application/schema+json",
} as const;

/** One shape of addresses, and what stands there. */
interface Shape {
  readonly name: string;
  readonly title: string;
  readonly template: string;
  read(part: (name: string) => string, context: McpContext): Promise<McpReply>;
}

/** The first that fits counts. */
const SHAPES: readonly Shape[] = [
  {
    name: "scores",
    title: "The result, the verdicts, and the first scores with their reasons",
    template: "convening://{id}/scores",
    read: (part, context) => scoresReply(context, { id: part("id"), ...SCORES }),
  },
  {
    name: "message-scores",
    title: "The scores of a message with their reasons, by its number",
    template: "convening://{id}/scores/{seq}",
    read: (part, context) =>
      scoresReply(context, { id: part("id"), message: seqOf(part("seq")), ...SCORES }),
  },
  {
    name: "message",
    title: "A message, by its number or the name of its file",
    template: "convening://{id}/messages/{seq}",
    read: (part, context) =>
      messageReply(context, { id: part("id"), seq: seqOf(part("seq")), ...WHOLE }),
  },
  {
    name: "page",
    title: "A page of a convening: index.md, and whatever its pages link to",
    template: "convening://{id}/{+page}",
    read: (part, context) => pageReply(context, { id: part("id"), page: part("page"), ...WHOLE }),
  },
];

/** Adds what can be read by its address to a server. */
export function addResources(server: McpServer, context: McpContext): void {
  for (const { name, title, template, read } of SHAPES) {
    server.registerResource(
      name,
      new ResourceTemplate(template, { list: undefined }),
      { title },
      async ({ href }, variables) => {
        const part = (name: string) => decodeURIComponent(String(variables[name] ?? ""));
        return resourceResult(await answered(read(part, context), { context, uri: href }), href);
      },
    );
  }
  server.registerResource("configuration", SCHEMA, SCHEMA_DATA, ({ href }) => {
    const schema = publishedSchemas().find(({ name }) => name === "configuration");
    const text = JSON.stringify(schema?.toJSON());
    return { contents: [{ uri: href, mimeType: "application/schema+json", text }] };
  });
  // The package's own list has no pages.
  server.server.setRequestHandler(
    "resources/list",
    ({ params }) => indexes(context, params?.cursor),
  );
}

/** The schema, and a page of the convenings' index pages, newest first. */
async function indexes(context: McpContext, cursor?: string): Promise<ListResourcesResult> {
  await archiveOf(context);
  const { convenings, next } = await listPage(context, { limit: LISTED, cursor });
  return {
    resources: [
      ...cursor === undefined ? [{ uri: SCHEMA, name: "configuration", ...SCHEMA_DATA }] : [],
      ...convenings.map(({ id, kind }) => ({
        uri: `convening://${id}/index.md`,
        name: `${id}/index.md`,
        title: `Index of the ${kind ?? "convening"} ${id}`,
      })),
    ],
    ...next === null ? {} : { nextCursor: next },
  };
}

/** A reply, or an error of the protocol without the archive's path. */
async function answered(
  reply: Promise<McpReply>,
  { context: { out }, uri }: { readonly context: McpContext; readonly uri: string },
): Promise<McpReply> {
  try {
    return await reply;
  } catch (error) {
    const { code, message: text, hint = "" } = problemOf(error, out);
    const message = `${code}: ${text}. ${hint}`.trimEnd();
    if (code === "not_found") throw new ResourceNotFoundError(uri, message);
    throw new Error(message);
  }
}

function seqOf(name: string): number {
  const [, number] = /^(\d{1,9})(?:_[a-z0-9_]+\.md)?$/.exec(name) ?? [];
  if (number !== undefined) return Number(number);
  throw new RecordError(
    "not_found",
    `Cannot read message "${name.slice(0, 100)}": it is no number`,
    {
      field: "seq",
      hint: "Give a message's number, or the name of its file.",
    },
  );
}
