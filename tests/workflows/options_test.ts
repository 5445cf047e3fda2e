import assert from "node:assert/strict";
import {
  createDebateParticipant,
  createDebateWorkflow,
  DebateWorkflow,
  type DebateWorkflowConfig,
  DialogueWorkflow,
  memoryRecord,
  parseConfig,
} from "../../mod.ts";
import { PaperDebateWorkflow } from "../../papers.ts";
import { ConsensusWorkflow } from "../../protocol.ts";
import { speakingAgent } from "../support/speaking_model.ts";

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

const people = ["Ada", "Ben"].map((name) =>
  createDebateParticipant({ name, position: `As ${name} has it` }, speakingAgent())
);
const paper = { title: "Trees", text: "# Trees\n\nTrees cool streets." };
type Refused = [made: string, make: (options: object) => unknown, options: object, field: string];
const constructors: Refused[] = [
  [
    "DialogueWorkflow",
    (o) => new DialogueWorkflow(TOPIC, people, o),
    { select: "nobody" },
    "select",
  ],
  ["DialogueWorkflow", (o) => new DialogueWorkflow(TOPIC, people, o), { rounds: 1 }, "rounds"],
  ["DebateWorkflow", (o) => new DebateWorkflow(TOPIC, people, o), { pacing: "fast" }, "pacing"],
  ["DebateWorkflow", (o) => new DebateWorkflow(TOPIC, people, o), { kind: "debate" }, "kind"],
  [
    "ConsensusWorkflow",
    (o) => new ConsensusWorkflow(TOPIC, people, o),
    { threshold: 2 },
    "threshold",
  ],
  ["PaperDebateWorkflow", (o) => new PaperDebateWorkflow([paper], o), { postures: 1 }, "postures"],
  ["PaperDebateWorkflow", (o) => new PaperDebateWorkflow([paper], o), { title: "Oaks" }, "title"],
];
for (const [made, make, options, field] of constructors) {
  Deno.test(`new ${made}() refuses ${JSON.stringify(options)} by name, as a configuration is refused`, () => {
    assert.throws(() => make(options), { code: "config_invalid", field });
  });
}

Deno.test("A configuration is checked once: a checked one is given back as it is, and cannot be changed", () => {
  const config = parseConfig({ kind: "debate", topic: TOPIC, roundCount: 1 });
  assert.equal(parseConfig(config), config);
  assert.throws(() => (config as { topic: string }).topic = "", TypeError);
});
