import { basename } from "@std/path";
import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { ConveningError, RecordError } from "../core/error.ts";
import { listConvenings } from "../library/convening.ts";
import { publishedSchemas } from "../library/schemas.ts";
import type { McpContext } from "./mcp_context.ts";
import { type McpReply, resourceResult } from "./mcp_reply.ts";
import { pageReply } from "./tools/read_index.ts";
import { messageReply } from "./tools/read_messages.ts";
import { scoresReply } from "./tools/read_scores.ts";

/** The most tokens of one resource; the tools read on from there. */
const WHOLE = { offset: 0, maxTokens: 20_000 } as const;
/** The most scores of one resource. */
const SCORES = { limit: 100, reasons: true, maxTokens: WHOLE.maxTokens } as const;
/** How many convenings are listed as resources; the tool `list` has them all. */
const LISTED = 50;

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
    name: "page",
    title: "A page of a convening: index.md, metadata.md, summary.md, scores.md, report.md",
    template: "convening://{id}/{page}",
    read: (part, context) => pageReply(context, { id: part("id"), page: part("page"), ...WHOLE }),
  },
  {
    name: "index-page",
    title: "A page under the index of a long convening",
    template: "convening://{id}/pages/{page}",
    read: (part, context) =>
      pageReply(context, { id: part("id"), page: `pages/${part("page")}`, ...WHOLE }),
  },
  {
    name: "message",
    title: "A message, by its number or the name of its file",
    template: "convening://{id}/messages/{seq}",
    read: (part, context) =>
      messageReply(context, { id: part("id"), seq: seqOf(part("seq")), ...WHOLE }),
  },
];

/** Adds what can be read by its address to a server. */
export function addResources(server: McpServer, context: McpContext): void {
  for (const { name, title, template, read } of SHAPES) {
    const list = name === "page" ? () => indexes(context) : undefined;
    server.registerResource(
      name,
      new ResourceTemplate(template, { list }),
      { title },
      async ({ href }, variables) => {
        const part = (name: string) => decodeURIComponent(String(variables[name] ?? ""));
        return resourceResult(await answered(read(part, context), context), href);
      },
    );
  }
  server.registerResource("configuration", "convening://schema/configuration", {
    title: "The JSON Schema of a configuration",
    mimeType: "application/schema+json",
  }, ({ href }) => {
    const schema = publishedSchemas().find(({ name }) => name === "configuration");
    const text = JSON.stringify(schema?.toJSON());
    return { contents: [{ uri: href, mimeType: "application/schema+json", text }] };
  });
}

/** The index pages of the newest convenings. */
async function indexes({ out }: McpContext) {
  const rows = await listConvenings(out);
  return {
    resources: rows.slice(0, LISTED).map(({ dir, kind = "convening" }) => ({
      uri: `convening://${basename(dir)}/index.md`,
      name: `${basename(dir)}/index.md`,
      title: `Index of the ${kind} ${basename(dir)}`,
    })),
  };
}

/** Where the archive lies is not told. */
async function answered(reply: Promise<McpReply>, { out }: McpContext): Promise<McpReply> {
  try {
    return await reply;
  } catch (error) {
    if (!(error instanceof ConveningError)) throw error;
    const hint = error.hint === undefined ? "" : ` ${error.hint}`;
    throw new Error(`${error.code}: ${error.message.replaceAll(`${out}/`, "")}.${hint}`);
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
