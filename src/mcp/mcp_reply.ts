import type { CallToolResult, ReadResourceResult } from "@modelcontextprotocol/server";
import { ConveningError, TurnOrderError } from "../core/error.ts";
import { plainText } from "../core/text.ts";
import { withoutPlace } from "../operations/without_place.ts";
import { withHandles } from "./handles.ts";
import { UNTRUSTED_NOTICE, untrustedBlock, type Words } from "./untrusted.ts";

/** What a tool or a resource gives. */
export interface McpReply {
  /** Numbers, ids and states; no words of participants: their ids are told as handles. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Words of participants. @default none */
  readonly words?: readonly Words[] | undefined;
}

/**
 * A reply as a tool's result: the data as structured content and as its first block, the words in a block of their own
 * and, for clients that hand on nothing but structured content, in the field `untrusted`.
 */
export function toolResult({ data: ids, words: given }: McpReply): CallToolResult {
  const data = withHandles(ids);
  const words = seen(given);
  if (words.length === 0) return { structuredContent: { ...data }, content: [textOf(data)] };
  return {
    structuredContent: { ...data, untrusted: { notice: UNTRUSTED_NOTICE, words } },
    content: [textOf(data), { type: "text", text: untrustedBlock(words) }],
  };
}

/** A reply as a resource's contents: the data, then the words. */
export function resourceResult(
  { data: ids, words: given }: McpReply,
  uri: string,
): ReadResourceResult {
  const data = withHandles(ids);
  const words = seen(given);
  const about = { uri, mimeType: "application/json", text: JSON.stringify(data) };
  if (words.length === 0) return { contents: [about] };
  return { contents: [about, { uri, mimeType: "text/plain", text: untrustedBlock(words) }] };
}

/** Words as a reader sees them: a hidden character would reach a model all the same. */
function seen(words: McpReply["words"] = []): Words[] {
  return words.map(({ of, text }) => ({ of, text: plainText(text) }));
}

/** What went wrong as a tool's result: `{"error": {"code", "message", "hint"?, "field"?}}`, and what is known besides. */
export function errorResult(
  error: unknown,
  { out, known = { data: {} } }: {
    readonly out: string;
    readonly known?: McpReply | undefined;
  },
): CallToolResult {
  const { data, words } = known;
  return {
    isError: true,
    ...toolResult({ data: { ...data, error: problemOf(error, out) }, words }),
  };
}

/** A client knows ids: neither the archive's path is told, nor names of participants. */
function problemOf(error: unknown, out: string): ReturnType<ConveningError["toJSON"]> {
  const bare = error instanceof TurnOrderError
    ? new TurnOrderError("Cannot speak: nobody, or another participant, is waited for", {
      field: error.field,
      hint: "status says whose turn it is, in waitingFor.",
    })
    : withoutPlace(error, out);
  return bare instanceof ConveningError
    ? bare.toJSON()
    : new ConveningError("unexpected", "Cannot answer: something went wrong").toJSON();
}

function textOf(data: Readonly<Record<string, unknown>>): { type: "text"; text: string } {
  return { type: "text", text: JSON.stringify(data) };
}
