import { sayForClient } from "../../operations/say.ts";
import { sayRequest } from "../../operations/say.ts";
import { recordFiles } from "../../record/disk_files.ts";
import { handleOf } from "../handles.ts";
import { ID } from "../tool_input.ts";
import { defineWriter } from "../writer.ts";
import { standing } from "./status.ts";

/** Says a person's turn, or interjects. */
export const SAY = defineWriter({
  name: "say",
  title: "Say a turn, or interject",
  about:
    "Says the turn that a convening waits for (a participant whose model is human), and goes on with it where no process runs it. With `interject` the words are heard before the next turn, as the audience's; `participant` is one of `waitingFor`, or a name. Say only what the person you speak for wants said.",
  input: sayRequest.extend({ id: ID }),
  async call({ id, participant, ...request }, { context }, runs) {
    const dir = await context.dirOf(id);
    const { readMetadata } = await import("../../record/read.ts");
    const { start: { participants } } = await readMetadata(recordFiles(dir), dir);
    const named = participants.find((each) => handleOf(each.id) === participant)?.id ?? participant;
    const said = await sayForClient(runs, dir, { ...request, participant: named });
    const { data, words } = await standing(context, id);
    return { data: { ...data, ...said }, words };
  },
});
