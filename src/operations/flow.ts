// The operation that notes the points of a debate that has ended.
import { z } from "zod";
import { AGENT_ERROR_CODES } from "../core/error.ts";
import { refusePlaces } from "./client_configuration.ts";
import { dirOf, idOf } from "./convening_dir.ts";
import { noteFlow } from "./noting.ts";
import { ID, linksOf, named, OF_CONVENING, type Operation, operation } from "./operation.ts";
import { askingOf } from "./record_question.ts";

/** Codes of a note-taker that fails; a turn with a reply that cannot be read has no notes. */
const FAILURES = AGENT_ERROR_CODES.filter((code) =>
  code !== "agent_refused" && code !== "agent_bad_reply"
);

/** `POST /api/convenings/{id}/flow`. */
export const FLOW: Operation = operation({
  name: "flow",
  summary: "Notes the points of a debate that has ended: flow/NNN.md, arguments.md and " +
    "arguments.json, with the points that were answered, dropped and conceded.",
  tags: ["convenings"],
  method: "post",
  path: "/api/convenings/{id}/flow",
  writes: true,
  errors: [...FAILURES, ...OF_CONVENING, "locked"],
  tool: {
    title: "Note the points of a debate",
    about: "Has a model note the points of each turn of a debate that has ended: what was " +
      "answered, dropped, conceded. Waits for the model. The page is in the untrusted part.",
    only: ["id", "noted", "points", "dropped", "conceded", "page"],
  },
  input: z.strictObject({
    id: ID,
    model: z.string().min(1).max(200).optional().describe(
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
    if (context.asking === undefined) refusePlaces({ model });
    const dir = await dirOf(context, id);
    const { dir: _, ...flow } = await noteFlow(dir, { ...askingOf(context, call), model });
    return { id, ...flow, link: `${linksOf(idOf(dir))["self"]}/files/arguments.md` };
  },
});
