import { workflowContract } from "../contracts/workflow_contract.ts";
import { deliberation } from "./support/deliberators.ts";
import {
  consensusRunIn,
  conveningIn,
  dialogueRunIn,
  paperRunIn,
  runIn,
} from "./support/killed_runs.ts";
import { paperTalker } from "./support/paper_talkers.ts";
import { Talker } from "./support/talkers.ts";

const dirIn = conveningIn;

workflowContract({
  name: "A dialogue",
  agent: () => new Talker(),
  run: (files, dir, agent) => dialogueRunIn(files, dir, { agent }),
  dirIn,
});
workflowContract({
  name: "A debate",
  agent: () => new Talker(),
  run: (files, dir, agent) => runIn(files, dir, { agent }),
  dirIn,
});
workflowContract({
  name: "A search for consensus",
  agent: () => new Talker(deliberation()),
  run: (files, dir, agent) => consensusRunIn(files, dir, { agent }),
  dirIn,
});
workflowContract({
  name: "A paper debate",
  agent: () => paperTalker(),
  run: (files, dir, agent) => paperRunIn(files, dir, { agent, crossExamine: true }),
  dirIn,
});
