import { judgeForClient } from "../../operations/judge.ts";
import { judgeRequest } from "../../operations/judge.ts";
import { panelJson } from "../../operations/told_json.ts";
import { apart } from "../apart.ts";
import { ID } from "../tool_input.ts";
import { defineWriter } from "../writer.ts";

/** Judges a convening once more. */
export const JUDGE = defineWriter({
  name: "judge",
  title: "Judge a convening once more",
  about:
    "Has a convening that has ended judged by a new panel, beside the judgement it has, none of which changes; waits for the panel. read_scores gives what it wrote.",
  input: judgeRequest.extend({ id: ID }),
  async call({ id, ...request }, { context, signal }, runs) {
    const judged = await judgeForClient(runs, await context.dirOf(id), { ...request, signal });
    const { data, words } = await apart({ panel: panelJson(judged) });
    return { data: { id, ...data }, words };
  },
});
