// Operations that have models judge and sum up a convening, note the points of a debate, and propose topics.
import { basename } from "@std/path";
import { z } from "zod";
import { BUILT_IN } from "../compose.ts";
import { SETTINGS } from "../config/settings.ts";
import { BRIEF_FORMS } from "../core/brief.ts";
import { CancelledError, namingField } from "../core/error.ts";
import { defined } from "../core/values.ts";
import { clientConfiguration, refuseLocal } from "./client_configuration.ts";
import { dirOf, idOf, linksOf } from "./client_view.ts";
import { conveningJson, factJson, factOutput } from "./convening_json.ts";
import { judge, noteFlow, writeBrief } from "./ended_convening.ts";
import {
  ACTING,
  ID,
  OF_CONVENING,
  OF_MODEL,
  type Operation,
  operation,
  recordModelsOf,
  whole,
} from "./operation.ts";
import { judgedOutput, NAME, named, usage } from "./outputs.ts";
import { panelJson } from "./results.ts";
import { proposeTopics } from "./topics.ts";

const { limits, retry, judgeTemperature, verdictRepeats } = SETTINGS;

/** Schema of a new panel: judges, rubric and settings. */
const judgeRequest = z.strictObject({
  rubric: z.unknown().optional().meta({
    description: "A built-in rubric's id, or a whole rubric.",
    anyOf: [{ type: "string" }, { type: "object", additionalProperties: true }],
  }),
  models: z.array(NAME).min(1).max(10).optional().describe("One judge each."),
  temperature: judgeTemperature.schema.optional().describe(judgeTemperature.about),
  verdictRepeats: verdictRepeats.schema.optional().describe(verdictRepeats.about),
  limits: limits.schema.omit({ maxTurns: true }).optional().describe(limits.about),
  retry: retry.schema.optional().describe(retry.about),
});

export const JUDGE: Operation = operation({
  ...ACTING,
  name: "judge",
  summary:
    "Has a new panel judge a convening that has ended; the earlier judgement stays. A judge " +
    "whose reply cannot be read leaves its messages unscored.",
  path: "/api/convenings/{id}/judge",
  errors: ["agent_rate_limited", "agent_timeout", "agent_unreachable", ...OF_CONVENING, "locked"],
  tool: {
    title: "Judge a convening again",
    about:
      "Has a new panel judge a convening that has ended; the earlier judgement does not change. Waits for the panel; read_scores gives its scores and verdicts.",
    only: ["id", "panel"],
  },
  input: judgeRequest.extend({ id: ID }),
  output: judgedOutput,
  async run(context, { id, rubric, models = [undefined], temperature, ...settings }, call) {
    const dir = await dirOf(context, id);
    refuseLocal({ rubric, models });
    // Check the rubric by the schema of a debate's configuration.
    const { config } = clientConfiguration(
      defined({ kind: "debate", topic: basename(dir), rubric }),
    );
    const given = config.kind === "debate" ? config.rubric : undefined;
    const recordModels = recordModelsOf(context, call);
    const judges = models.map((model) => ({ model, rubric: given, temperature }));
    const judged = await namingField(
      { judges: "models" },
      () => judge(dir, { ...recordModels, ...settings, judges }),
    );
    if (recordModels.signal?.aborted === true) throw new CancelledError(recordModels.signal.reason);
    return { ...await conveningJson(context, dir), panel: panelJson(judged) };
  },
});

export const BRIEF: Operation = operation({
  ...ACTING,
  name: "brief",
  summary:
    "Writes a brief of a convening that has ended, for the person who decides: briefs/N.md and " +
    "brief.md. Quotations are looked up in the messages, and numbers come from the record.",
  path: "/api/convenings/{id}/brief",
  errors: [...OF_MODEL, ...OF_CONVENING, "locked"],
  tool: {
    title: "Write a brief",
    about:
      "Has a model write one page on a convening that has ended, for the person who decides: the " +
      "recommendation, the strongest point of each side, the conditions of the outcome, what to " +
      "find out next. Waits for the model. The page is in the untrusted part.",
    only: ["id", "brief", "page"],
  },
  input: z.strictObject({
    id: ID,
    as: z.enum(BRIEF_FORMS).default("memo").describe(
      "The form; adr is an architecture decision record, questions lists the open questions.",
    ),
    model: NAME.optional().describe(
      "The model that writes; offline uses a template (default: the moderator's, else the convening's).",
    ),
  }),
  output: named(
    "WrittenBrief",
    z.object({
      id: z.string(),
      brief: factOutput("brief"),
      page: z.string().describe("The text of brief.md."),
      link: z.string().describe("The path of brief.md on this server."),
    }),
  ),
  async run(context, { id, as, model }, call) {
    if (context.recordModels === undefined) refuseLocal({ model });
    const dir = await dirOf(context, id);
    const { brief, page } = await writeBrief(dir, { ...recordModelsOf(context, call), as, model });
    return {
      id,
      brief: factJson(brief),
      page,
      link: `${linksOf(idOf(dir))["self"]}/files/brief.md`,
    };
  },
});

/** Error codes of a note-taker; an unreadable reply is not an error: the turn then has no notes. */
const FAILURES = OF_MODEL.filter((code) => code !== "agent_bad_reply");

export const FLOW: Operation = operation({
  ...ACTING,
  name: "flow",
  summary: "Notes the points of a debate that has ended: flow/NNN.md, arguments.md and " +
    "arguments.json, with the points that were answered, dropped and conceded.",
  path: "/api/convenings/{id}/flow",
  errors: [...FAILURES, ...OF_CONVENING, "locked"],
  tool: {
    title: "Note the points of a debate",
    about: "Has a model note the points of each turn of a debate that has ended: what was " +
      "answered, dropped, conceded. Waits for the model. The page is in the untrusted part.",
    only: ["id", "noted", "points", "dropped", "conceded", "page"],
  },
  input: z.strictObject({
    id: ID,
    model: NAME.optional().describe(
      "The note-taker's model (default: the moderator's, else the convening's).",
    ),
  }),
  output: named(
    "NotedFlow",
    z.object({
      id: z.string(),
      noted: z.int().describe("Number of turns that were noted now."),
      points: z.int().describe("Number of points."),
      dropped: z.array(z.string()).describe("The ids of the points that nobody answered."),
      conceded: z.array(z.string()).describe("The ids of the points that were conceded."),
      page: z.string().describe("The text of arguments.md."),
      link: z.string().describe("The path of arguments.md on this server."),
    }),
  ),
  async run(context, { id, model }, call) {
    if (context.recordModels === undefined) refuseLocal({ model });
    const dir = await dirOf(context, id);
    const { dir: _, ...flow } = await noteFlow(dir, { ...recordModelsOf(context, call), model });
    return { id, ...flow, link: `${linksOf(idOf(dir))["self"]}/files/arguments.md` };
  },
});

export const TOPICS: Operation = operation({
  name: "topics",
  summary: "Proposes debatable topics on a subject; asks a model.",
  tags: ["archive"],
  method: "post",
  path: "/api/topics",
  writes: true,
  errors: OF_MODEL,
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
      noModelSpoke: z.literal(true).optional().describe("Present if the offline agent spoke."),
      missing: z.int().optional().describe("Topics that did not come; absent if all came."),
      usage,
    }),
  ),
  async run({ models, catalogue = BUILT_IN }, { subject, ...options }, { signal }) {
    const agent = catalogue.agent(models.model, models);
    return { subject, ...await proposeTopics(subject, { ...options, agent, signal }) };
  },
});
