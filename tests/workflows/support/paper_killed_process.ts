// Holds a paper debate against a server: the test kills this process.
import { createAgent, createPaperDebateWorkflow, folderRecord } from "../../../mod.ts";
import { paperCast, TREES } from "./paper_talkers.ts";

const [url = "", out = ""] = Deno.args;
const agent = createAgent("test-model", { baseUrl: url });
await createPaperDebateWorkflow([TREES], {
  participants: paperCast(agent),
  judges: [{ id: "judge", agent }],
  seed: 1,
  searchers: [],
  record: folderRecord({ out }),
}).run();
