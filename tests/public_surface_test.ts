import assert from "node:assert/strict";
import { runDeno } from "./support/deno_process.ts";

// What a program can import. A name that goes from here breaks someone; a name that comes stays.

const VALUES = `
  AgentError BUILT_IN_PRICES CancelledError ConfigurationError ConveningError DEBATE_DEFAULTS
  DEBATE_TEMPLATES DebateWorkflow DialogueWorkflow PLACEHOLDERS RecordError TopicError
  TurnOrderError ask begin beginAsk checkRubric composeConvening configSchema createAgent
  createDebateModerator createDebateParticipant createDebateWorkflow createDialogueWorkflow
  createOfflineAgent createOpenAIAgent createParticipant createReplayAgent debate debateRubric
  decide defaultModel emptyGuard exportConvening folderRecord fork lengthGuard listConvenings
  memoryRecord openConvening parseConfig rebuildIndex results resume say scorer settle
  settleWhatCan showMessage standings verify weightedTotal
`;

const TYPES = `
  Agent AgentErrorCode AgentErrorDetail AgentReply AgentRequest AgentSettings Answer Begun
  ChatMessage Choice Clock CommonConfig ComposeOptions Context Convening ConveningConfig
  ConveningEvent ConveningResult ConveningRow ConveningStart Criterion DebateConfig DebateFormat
  DebateJudge DebateKeys DebateOutcome DebateParticipant DebateRules DebateTemplates
  DebateWorkflowConfig DebateWorkflowResult Decision DialogueConfig DialogueOptions Draft
  EndReason Ending ErrorCode ErrorDetail EventBody Fact Failure Finding FinishReason FolderPlace
  ForkOptions Guard HandedIn Judge JudgeConfig LimitName Limits LimitsConfig LookUp Made Mark
  MemoryRecord Message MessageFile Objection Observer ObserverTools OfflineOptions
  OpenAIAgentOptions OpenRecord OrderProblem Outcome Parent Parsed Participant
  ParticipantAgentConfig ParticipantConfig ParticipantInfo ParticipantOptions PlaceholderValues
  Price Prices PricesConfig Protocol ProtocolRequest Question RecordHolder RecordOptions
  RecordStore Rejection ReplayAnswers ReplayOptions ReplySchema RequestContext ResumeOptions
  Resumed RetryConfig RetryOptions Rubric Schema SchemaIssue Score ScorerOptions Side Source
  Standing Status Stop Summariser Tool ToolTrace TranscriptFormat Turn TurnInfo Usage Verdict
  Verification WordRange WorkflowDesign WorkflowHost WorkflowOptions WorkflowPlan
`;

const TESTING_VALUES = `
  agentContract createScriptedAgent recordStoreContract
`;

const TESTING_TYPES = `
  ScriptedAgent ScriptedLine ScriptedOptions ScriptedText StoreUnderTest Subject
`;

/** What `deno doc --json` says of one module, as far as it is read here. */
interface Documented {
  readonly nodes: Readonly<
    Record<string, { readonly symbols: readonly { readonly name: string }[] }>
  >;
}

/** The names a module exports, types included. */
async function namesOf(module: string): Promise<string[]> {
  const { stdout, stderr } = await runDeno(["doc", "--json", module]);
  assert.notEqual(stdout, "", stderr);
  const documented: Documented = JSON.parse(stdout);
  return Object.values(documented.nodes).flatMap(({ symbols }) => symbols)
    .map(({ name }) => name).sort();
}

function listed(...lists: readonly string[]): string[] {
  return lists.join(" ").trim().split(/\s+/).sort();
}

Deno.test("mod.ts exports what it says, no more and no less", async () => {
  assert.deepEqual(Object.keys(await import("../mod.ts")).sort(), listed(VALUES));
  assert.deepEqual(await namesOf("mod.ts"), listed(VALUES, TYPES));
});

Deno.test("testing.ts exports what it says, no more and no less", async () => {
  assert.deepEqual(Object.keys(await import("../src/testing.ts")).sort(), listed(TESTING_VALUES));
  assert.deepEqual(await namesOf("src/testing.ts"), listed(TESTING_VALUES, TESTING_TYPES));
});
