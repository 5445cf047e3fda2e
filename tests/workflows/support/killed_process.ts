// Program that runs or resumes a debate, with or without a paper, against a server; the test kills this process.
import {
  createAgent,
  createDebateWorkflow,
  createPaperDebateWorkflow,
  folderRecord,
  resume,
} from "../../../mod.ts";
import { paperCast, TREES } from "./paper_talkers.ts";
import { cast } from "./talkers.ts";

const [kind = "", url = "", out = "", dir] = Deno.args;
const agent = createAgent("test-model", { baseUrl: url });
if (dir !== undefined) {
  const agents = { m: agent, a: agent, b: agent, judge: agent };
  await (await resume(dir, { agents })).run();
} else if (kind === "paper-debate") {
  await createPaperDebateWorkflow([TREES], {
    participants: paperCast(agent),
    judges: [{ id: "judge", agent }],
    seed: 1,
    searchers: [],
    record: folderRecord({ out }),
  }).run();
} else {
  await createDebateWorkflow("Should cities ban private cars?", cast(agent), {
    roundCount: 2,
    seed: 1,
    record: folderRecord({ out }),
  }).run();
}
