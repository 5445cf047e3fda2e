import { askConvening } from "../../operations/asking.ts";
import { askRequest } from "../../operations/ask.ts";
import { defineTool, type McpTool } from "../mcp_tool.ts";
import { ID } from "../tool_input.ts";

/** Asks one convening. */
export const ASK: McpTool = defineTool({
  name: "ask",
  title: "Ask a convening",
  about:
    "Messages of one convening, finished or running, that answer a question, best first; found by words, no model is asked. Snippets are in the untrusted part.",
  input: askRequest.extend({ id: ID }),
  writes: false,
  async call({ id, question, limit }, { context }) {
    const dir = await context.dirOf(id);
    const { answers, messages, skipped } = await askConvening(dir, question, { limit });
    return {
      data: {
        id,
        messages,
        skipped: skipped.map(({ path }) => ({ path })),
        answers: answers.map(({ seq, kind, round, score, file }) => ({
          seq,
          kind,
          round,
          score,
          file,
        })),
      },
      words: answers.map(({ seq, name, snippet }) => ({
        of: `message ${seq}`,
        text: `${name}\n${snippet}`,
      })),
    };
  },
});
