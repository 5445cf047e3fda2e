import assert from "node:assert/strict";
import { runDeno } from "./support/deno_process.ts";

// What a program can import. A name that goes from here breaks someone; a name that comes stays.

const VALUES = `
  AgentError BUILT_IN_PRICES CONSENSUS_DEFAULTS CONSENSUS_TEMPLATES CancelledError
  ConfigurationError ConsensusWorkflow ConveningError DEBATE_DEFAULTS DEBATE_TEMPLATES
  DebateWorkflow DialogueWorkflow MAX_RESULTS PLACEHOLDERS RUBRICS RecordError SearchError
  TopicError TurnOrderError agreementOf ask assess begin beginAsk checkRubric coherenceGuard
  composeConvening configSchema consensus consensusOf createAgent createConsensusWorkflow
  createDebateModerator createDebateParticipant createDebateWorkflow createDialogueWorkflow
  createOfflineAgent createOpenAIAgent createParticipant createReplayAgent debate debateRubric
  decide defaultModel emptyGuard exportConvening folderRecord fork interject judge
  krippendorffAlpha lengthGuard likenessOf listConvenings loadPersona loadRubric memoryOf
  memoryRecord nextInOrder openConvening parseConfig pauseConvening personaText proposeTopics
  rebuildIndex refusedTermsGuard repetitionGuard results resume rubricNamed say scorer
  searchArchive settle settleWhatCan showMessage speak standings untilReleased verify
  watchConvening webSearch weightedTotal
`;

const TYPES = `
  ActiveGuardMode Agent AgentErrorCode AgentErrorDetail AgentReply AgentRequest AgentSettings
  Agreement AlphaMetric Answer ArchiveSearch AssessOptions Assessment Audience Baseline Begun
  ChatMessage CheckedClaim Choice ClaimCounts ClaimSource Clock CoherenceOptions
  CoherenceSettings CommonConfig ComposeOptions Consensus ConsensusConfig ConsensusKeys
  ConsensusOptions ConsensusOutcome ConsensusRules ConsensusTemplates ConsensusWorkflowResult
  Consult Consultation Context Convening ConveningConfig ConveningEvent ConveningResult
  ConveningRow ConveningStart Criterion DebateConfig DebateFormat DebateJudge DebateKeys
  DebateListener DebateOutcome DebateParticipant DebateRules DebateTemplates
  DebateWorkflowConfig DebateWorkflowResult Decision DialogueConfig DialogueOptions Draft
  EndReason Ending ErrorCode ErrorDetail EventBody Exchange Fact FactCheck FactCheckConfig
  FactCheckSummary Failure Finding FinishReason FolderPlace ForkOptions Guard GuardMode
  GuardSettings GuardTools GuardsConfig HandedIn Helper Hold Inbox Judge JudgeAgain
  JudgeAgreement JudgeConfig JudgeOptions Judged Likeness LimitName Limits LimitsConfig
  ListenerConfig LookUp Made Mark Memory MemoryOptions MemoryRecord Message MessageFile
  Objection Observer ObserverTools OfflineOptions OpenAIAgentOptions OpenRecord OrderProblem
  Outcome Parent Parsed Participant ParticipantAgentConfig ParticipantClaims ParticipantConfig
  ParticipantInfo ParticipantOptions Persona PlaceholderValues PresetName Price Prices
  PricesConfig Proposal ProposalStanding ProposedTopics Protocol ProtocolRequest Question
  RecordHolder RecordOptions RecordProblem RecordStore RefusedTermsOptions RefusedTermsSettings
  Rejection Remembered RepetitionOptions RepetitionSettings ReplayAnswers ReplayOptions
  ReplySchema RequestContext ResumeOptions Resumed RetryConfig RetryOptions Rubric RubricConfig
  Said Schema SchemaIssue Score ScorerOptions SearchHit SearchOptions SearchRow Searcher
  Selecting SelectionContext Side SideSupport Source SpeakOptions Speaker SpeakerSelection
  Stance StanceOn Standing Status Stop Submission Summariser Tool ToolTrace TopicOptions
  TranscriptFormat Turn TurnDraft TurnInfo TurnStructure Usage Verdict Verification WaitedFor
  WatchOptions Watched WebSearchOptions WordRange WorkflowDesign WorkflowHost WorkflowOptions
  WorkflowPlan
`;

const TESTING_VALUES = `
  agentContract createScriptedAgent recordStoreContract
`;

const TESTING_TYPES = `
  ScriptedAgent ScriptedLine ScriptedOptions ScriptedText StoreUnderTest Subject
`;

const PRO_CON_VALUES = `
  initializeDebateState reduceDebateState runDebate streamDebate validateDebateConfig
`;

const PRO_CON_TYPES = `
  DebateConfig DebateMetadata DebateRunOptions DebateSettings DebateSide DebateSideStatistics
  DebateState DebateTurn DebateTurnDraft
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

Deno.test("pro_con.ts exports what it says, no more and no less", async () => {
  assert.deepEqual(
    Object.keys(await import("../src/library/pro_con.ts")).sort(),
    listed(PRO_CON_VALUES),
  );
  assert.deepEqual(await namesOf("src/library/pro_con.ts"), listed(PRO_CON_VALUES, PRO_CON_TYPES));
});
