import assert from "node:assert/strict";
import {
  createDebateParticipant,
  createDebateWorkflow,
  type DebateWorkflowConfig,
  memoryRecord,
} from "../../../mod.ts";
import { speakingAgent } from "../../support/speaking_model.ts";

const TOPIC = "Should cities ban private cars?";

/** A debate with options that no type has checked. */
function debateWith(options: Record<string, unknown>) {
  const agent = speakingAgent();
  const cast = ["Yes", "No"].map((position) =>
    createDebateParticipant({ name: position, position }, agent)
  );
  const base = { record: memoryRecord(), seed: 1, roundCount: 0 };
  return createDebateWorkflow(TOPIC, cast, { ...base, ...options } as DebateWorkflowConfig);
}

const refusals: [options: Record<string, unknown>, field: string][] = [
  [{ debateFormat: "nonsense" }, "debateFormat"],
  [{ argumentMaxTokens: 0 }, "argumentMaxTokens"],
  [{ roundCount: -1 }, "roundCount"],
  [{ outputFormat: "yaml" }, "outputFormat"],
  [{ scoringCriteria: {} }, "scoringCriteria"],
  [{ maxTurns: 10 }, "maxTurns"],
  [{ limits: { maxRounds: 1 } }, "limits.maxRounds"],
  [{ judges: [{ nickname: "J" }] }, "judges.0.nickname"],
  [{ positions: ["Yes", "No"] }, "positions"],
  [{ topic: "Another topic altogether" }, "topic"],
];

for (const [options, field] of refusals) {
  Deno.test(`createDebateWorkflow() refuses ${JSON.stringify(options)} by name`, () => {
    assert.throws(() => debateWith(options), { code: "config_invalid", field });
  });
}

Deno.test("createDebateWorkflow() takes instances, functions and what is left undefined", async () => {
  const agent = speakingAgent();
  const { status } = await debateWith({
    judges: [{ agent, rubric: undefined }],
    audience: [{ agent, name: "Lis" }],
    env: () => undefined,
    exitCondition: () => false,
    observers: [],
    language: undefined,
  }).run();
  assert.equal(status, "completed");
});
