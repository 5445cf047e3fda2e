// Small debates of talkers on disk.
import {
  type ConveningResult,
  createDebateWorkflow,
  type DebateWorkflowConfig,
  folderRecord,
  type Participant,
} from "../../../mod.ts";
import { cast, type Talker, TOPIC } from "../../support/talkers.ts";

/** Runs a debate of one round, whose judge is `j`, in an archive; returns its result and directory. */
export async function keepDebate(
  out: string,
  agent: Talker,
  { participants = cast(agent), ...config }: DebateWorkflowConfig & {
    readonly participants?: readonly Participant[];
  } = {},
): Promise<ConveningResult & { readonly dir: string }> {
  const result = await createDebateWorkflow(TOPIC, participants, {
    roundCount: 1,
    seed: 1,
    // Talkers repeat themselves.
    guards: { repetition: "off" },
    retry: { minWait: 0, maxWait: 0 },
    judges: [{ id: "j", agent }],
    record: folderRecord({ out }),
    ...config,
  }).run();
  return { ...result, dir: result.dir! };
}
