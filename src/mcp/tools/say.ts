import { z } from "zod";
import { ConfigurationError } from "../../core/error.ts";
import { interject, leaveSpeech } from "../../library/attending.ts";
import { askedChanges } from "../asked_config.ts";
import { stateData } from "../running.ts";
import { ID } from "../tool_input.ts";
import { defineWriter } from "../writer.ts";

/** Says a person's turn, or interjects. */
export const SAY = defineWriter({
  name: "say",
  title: "Say a turn, or interject",
  about:
    "Says the turn that a convening waits for (a participant whose model is human), and goes on with it where no process runs it. With `interject` the words are heard before the next turn, as the audience's. Say only what the person you speak for wants said.",
  input: z.strictObject({
    id: ID,
    text: z.string().max(100_000).describe("What is said, in markdown."),
    as: z.string().max(200).optional().describe(
      "The id or name of the one who speaks; needed where several are waited for.",
    ),
    interject: z.boolean().default(false),
  }),
  async call({ id, text, as, interject: isInterjection }, { context }, { pool, models }) {
    const dir = await context.dirOf(id);
    if (isInterjection) {
      if (as !== undefined) {
        throw new ConfigurationError("Cannot use as: an interjection is nobody's turn", {
          field: "as",
          hint: "Leave it out.",
        });
      }
      return { data: { id, interjected: true, ...await interject(dir, text) } };
    }
    const { participant, held } = await leaveSpeech(dir, text, { as });
    if (held) return { data: { id, participant, status: "running" } };
    const run = await pool.resume(dir, { config: askedChanges({}, models) });
    return { data: { id, participant, ...stateData(run.state) } };
  },
});
