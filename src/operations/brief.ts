// Declares the operation that writes a brief of a record.
import { z } from "zod";
import { AGENT_ERROR_CODES } from "../core/error.ts";
import { BRIEF_FORMS } from "../core/brief.ts";
import { writeBrief } from "./briefing.ts";
import { refuseLocalValues } from "./client_configuration.ts";
import { dirOf, idOf } from "./convening_dir.ts";
import { factJson, factOutput } from "./messages.ts";
import {
  ACTING,
  ID,
  linksOf,
  NAME,
  named,
  OF_CONVENING,
  type Operation,
  operation,
  recordModelsOf,
} from "./operation.ts";

export const BRIEF: Operation = operation({
  ...ACTING,
  name: "brief",
  summary:
    "Writes a brief of a convening that has ended, for the person who decides: briefs/N.md and " +
    "brief.md. Quotations are looked up in the messages, and numbers come from the record.",
  path: "/api/convenings/{id}/brief",
  errors: [
    ...AGENT_ERROR_CODES.filter((code) => code !== "agent_refused"),
    ...OF_CONVENING,
    "locked",
  ],
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
    if (context.recordModels === undefined) refuseLocalValues({ model });
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
