import { sayRemote } from "../../library/remote_acts.ts";
import { sayRequest } from "../../library/remote_requests.ts";
import { ID } from "../tool_input.ts";
import { defineWriter } from "../writer.ts";
import { standing } from "./status.ts";

/** Says a person's turn, or interjects. */
export const SAY = defineWriter({
  name: "say",
  title: "Say a turn, or interject",
  about:
    "Says the turn that a convening waits for (a participant whose model is human), and goes on with it where no process runs it. With `interject` the words are heard before the next turn, as the audience's. Say only what the person you speak for wants said.",
  input: sayRequest.extend({ id: ID }),
  async call({ id, ...request }, { context }, runs) {
    const said = await sayRemote(runs, await context.dirOf(id), request);
    const { data, words } = await standing(context, id);
    return { data: { ...data, ...said }, words };
  },
});
