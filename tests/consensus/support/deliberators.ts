// Participants of a consensus search with scripted stances.
import { type Agent, memoryRecord, type Participant } from "../../../mod.ts";
import type { AgentRequest, MemoryRecord } from "../../../protocol.ts";
import {
  type ConsensusOptions,
  ConsensusWorkflow,
} from "../../../src/consensus/consensus_workflow.ts";
import { called, type Say, type Talker, TOPIC } from "../../support/talkers.ts";

/** A stance on a proposal, as a reply has it. */
interface View {
  readonly stance: "agree" | "disagree" | "abstain";
  readonly strength?: number;
  readonly condition?: string;
}

/** Returns a participant's stance on a proposal in a round. */
export type Views = (participant: string, proposal: string, round: number) => View;

/** Everyone agrees to everything. */
const AGREED: Views = (): View => ({ stance: "agree" });

/** Returns the proposals' ids from the requested schema. */
export function idsIn({ schema }: AgentRequest): string[] {
  const shape = JSON.stringify(schema!.type.toJSONSchema({ io: "input", unrepresentable: "any" }));
  const [, ids = "[]"] = /"on":\{[^}]*"enum":(\[[^\]]*\])/.exec(shape) ?? [];
  return JSON.parse(ids);
}

/** Returns replies of a consensus search that depend on key and round alone. */
export function deliberation(views: Views = AGREED): Say {
  return (request) => ({ text: answer(request, views) });
}

function answer(request: AgentRequest, views: Views): string {
  const { key, kind, participant, round, data } = request.context;
  if (request.schema === undefined) return `Speech for ${key}. It has a second sentence.`;
  if (kind === "proposals") {
    return JSON.stringify({ reasons: "Reasons.", proposals: [`${participant} wants more buses.`] });
  }
  if (kind === "proposals_merged") {
    const { proposals } = data as { proposals: { number: number; text: string }[] };
    return JSON.stringify({
      reasons: "Nothing to merge.",
      proposals: proposals.map(({ number, text }) => ({ text, from: [number] })),
    });
  }
  const stances = idsIn(request).map((on) => ({
    on,
    strength: 0.7,
    condition: "",
    ...views(participant, on, round),
  }));
  return JSON.stringify(
    kind === "stance"
      ? { reasons: "Reasons.", stances }
      : { speech: `Speech for ${key}.`, stances },
  );
}

/** Creates participants A, B and so on. */
export function deliberators(agent: Agent, count = 3): Participant[] {
  return called(agent, ...["Ada", "Ben", "Cleo", "Dan", "Eve"].slice(0, count));
}

/** Creates a consensus search in memory. */
export function consensusOfTalkers(
  agent: Talker,
  { count = 3, ...options }: ConsensusOptions & { readonly count?: number } = {},
): { workflow: ConsensusWorkflow; record: MemoryRecord } {
  const record = memoryRecord();
  const workflow = new ConsensusWorkflow(TOPIC, deliberators(agent, count), {
    seed: 1,
    record,
    retry: { minWait: 0, maxWait: 0 },
    ...options,
  });
  return { workflow, record };
}
