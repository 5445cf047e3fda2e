// Papers and replies for paper debates in tests of configurations.
import { join } from "@std/path";
import type { AgentReply, AgentRequest } from "../../../protocol.ts";
import { ROOT } from "../../support/deno_process.ts";
import type { ModelReply, ModelServerOptions } from "../../support/model_server.ts";
import { paperModel } from "../../support/paper_model.ts";
import { json, lookUp, topicsOf, usualReply } from "../../papers/debate/support/paper_talkers.ts";

/** Path of a paper of some pages. */
export const PAPER: string = join(ROOT, "examples", "papers", "four_day_week.md");
/** Path of another paper. */
export const OTHER_PAPER: string = join(ROOT, "examples", "papers", "compressed_week.md");
export const QUESTION = "Under what conditions do private cars harm the centres of cities?";

/** Schemas that only paper debates request. */
const SCHEMAS = [
  "paper_questions",
  "postures_and_topics",
  "debater_argument",
  "cross_examination",
  "topic_scores",
  "insights",
];

/**
 * Returns the reply to a request that only paper debates make; a speech's text becomes the argument's overall position and
 * most of its other fields.
 */
export async function paperAnswer(
  request: AgentRequest,
  speech: ((request: AgentRequest) => string) | undefined,
): Promise<Partial<AgentReply> | undefined> {
  const { context: { kind }, schema } = request;
  if (schema === undefined || !SCHEMAS.includes(schema.name)) return undefined;
  if (kind === "cross_examination" && speech !== undefined) {
    return json({ speech: speech(request), citations: {} });
  }
  if (kind !== "argument" || speech === undefined) return await usualReply(request);
  const perTopic = topicsOf(request).map((topic) => ({
    topic,
    claim: "So.",
    reasoning: "It is.",
    counterpoints: ["No."],
    citations: {},
  }));
  const looked = await lookUp(request, "errors");
  return { ...json({ perTopic, overallPosition: speech(request) }), toolCalls: [looked] };
}

/** Returns server options whose replies cover paper debates; replies of the given options come first. */
export function paperServer({ respond, ...options }: ModelServerOptions): ModelServerOptions {
  const usual = paperModel(({ request }) => {
    const { response_format: format } = request.body;
    const name = format?.json_schema?.name;
    return name === undefined || SCHEMAS.includes(name) ? undefined : {};
  });
  return {
    ...options,
    async respond(request, index): Promise<ModelReply> {
      return { ...usual(request), ...await respond?.(request, index) };
    },
  };
}
