// Proposes topics on a subject for a client of a server.
import { z } from "zod";
import { BUILT_IN } from "../compose.ts";
import { AGENT_ERROR_CODES } from "../core/error.ts";
import { named, type Operation, operation, whole } from "./operation.ts";
import { usage } from "./outputs.ts";
import { proposeTopics } from "./topics.ts";

/** `POST /api/topics`. */
export const TOPICS: Operation = operation({
  name: "topics",
  summary: "Proposes debatable topics on a subject; asks a model.",
  tags: ["archive"],
  method: "post",
  path: "/api/topics",
  writes: true,
  errors: AGENT_ERROR_CODES.filter((code) => code !== "agent_refused"),
  input: z.strictObject({
    subject: z.string().min(1).max(1000).describe("What the topics are about."),
    count: whole(1, 50, "How many topics at most.").default(8),
    language: z.string().min(1).max(100).optional().describe("Default: the subject's."),
    seed: z.int().optional().describe("Sent to the model."),
  }),
  output: named(
    "Topics",
    z.object({
      subject: z.string(),
      topics: z.array(z.string()),
      model: z.string().describe("The model that proposed the topics."),
      usage,
    }),
  ),
  async run({ models, catalogue = BUILT_IN }, { subject, ...options }, { signal }) {
    const agent = catalogue.agent(models.model, models);
    return { subject, ...await proposeTopics(subject, { ...options, agent, signal }) };
  },
});
