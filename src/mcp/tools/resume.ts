import { resumeRequest } from "../../operations/resume.ts";
import { resumeForClient } from "../../operations/resume.ts";
import { runReply } from "../running.ts";
import { ID, WAIT } from "../tool_input.ts";
import { defineWriter } from "../writer.ts";

/** Resumes a convening. */
export const RESUME = defineWriter({
  name: "resume",
  title: "Go on with a convening",
  about:
    "Goes on with a convening that was interrupted, paused, stopped or forked, or failed, with settings over its own ones; nothing that was said is asked for again. A completed one is left as it is. As with run, gives the id at once, or with `wait` the result, or where it stands once a person is to speak.",
  input: resumeRequest.extend({ id: ID, wait: WAIT }),
  async call({ id, wait, ...request }, call, runs) {
    const run = await resumeForClient(runs, await call.context.dirOf(id), request);
    return await runReply(run, { runs, call, wait });
  },
});
