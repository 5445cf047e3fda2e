// Runs a debate against a server, or goes on with one: the test kills this process.
import { createAgent, createDebateWorkflow, folderRecord, resume } from "../../../mod.ts";
import { cast } from "./talkers.ts";

const [url = "", out = "", dir] = Deno.args;
const agent = createAgent("test-model", { baseUrl: url });
const agents = { m: agent, a: agent, b: agent, judge: agent };
if (dir === undefined) {
  const record = folderRecord({ out });
  await createDebateWorkflow("Should cities ban private cars?", cast(agent), {
    roundCount: 2,
    seed: 1,
    record,
  }).run();
} else {
  const resumed = await resume(dir, { agents });
  await resumed.run();
}
