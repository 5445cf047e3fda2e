// Program that runs or resumes a debate against a server; the test kills this process.
import { createAgent, createDebateWorkflow, folderRecord, resume } from "../../../mod.ts";
import { cast } from "../../support/talkers.ts";

const [url = "", out = "", dir] = Deno.args;
const agent = createAgent("test-model", { baseUrl: url });
if (dir !== undefined) {
  const agents = { m: agent, a: agent, b: agent, judge: agent };
  await (await resume(dir, { agents })).run();
} else {
  await createDebateWorkflow("Should cities ban private cars?", cast(agent), {
    roundCount: 2,
    seed: 1,
    record: folderRecord({ out }),
  }).run();
}
