import { z } from "zod";
import { askedChanges } from "../asked_config.ts";
import { runReply } from "../running.ts";
import { ID, WAIT } from "../tool_input.ts";
import { defineWriter } from "../writer.ts";

/** Resumes a convening. */
export const RESUME = defineWriter({
  name: "resume",
  title: "Go on with a convening",
  about:
    "Goes on with a convening that was interrupted, paused, stopped or forked, or failed; nothing that was said is asked for again. A completed one is left as it is. As with run, gives the id at once, or with `wait` the result.",
  input: z.strictObject({
    id: ID,
    config: z.looseObject({}).default({}).describe(
      "Settings over the recorded ones: model, limits, retry, and of a paper debate pick or question.",
    ),
    wait: WAIT,
  }),
  async call({ id, config, wait }, call, runs) {
    const dir = await call.context.dirOf(id);
    const run = await runs.pool.resume(dir, { config: askedChanges(config, runs.models) });
    return await runReply(run, { runs, call, wait });
  },
});
