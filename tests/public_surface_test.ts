import assert from "node:assert/strict";
import { runDeno } from "./support/deno_process.ts";

// What a program can import. A name that goes from here breaks someone; a name that comes stays.

const VALUES = `
  defineFact
  AgentError BUILT_IN_PRICES CONSENSUS_DEFAULTS CONSENSUS_TEMPLATES CancelledError
  ConfigurationError ConsensusWorkflow ConveningError DEBATE_DEFAULTS DEBATE_TEMPLATES
  DebateCoordinator DebateWorkflow DialogueWorkflow MAX_PASSAGES MAX_RESULTS PAPER_DEBATE_DEFAULTS
  PAPER_TEMPLATES PLACEHOLDERS PaperDebateWorkflow PaperError RUBRICS RecordError SearchError
  TopicError TurnOrderError agreementOf ask askConvening assess begin beginAsk checkPaper
  checkRubric coherenceGuard composeConvening configSchema consensus consensusOf createAgent
  createConsensusWorkflow createDebateModerator createDebateParticipant createDebateWorkflow
  createDialogueWorkflow createEmbedder createOfflineAgent createOpenAIAgent createPaperDebateWorkflow
  createParticipant createReplayAgent createScoringAgent createRetriever debate debateReport debateRubric decide
  defaultHost defaultModel emptyGuard exportConvening folderRecord fork interject judge krippendorffAlpha
  lengthGuard likenessOf listConvenings loadPersona loadRubric lookUpPaperTool
  memoryOf memoryRecord nextInOrder openConvening paperDebate parseConfig pauseConvening
  personaText proposeTopics readPaper readPapers rebuildIndex referencesIn refusedTermsGuard
  repetitionGuard reportSchema results resume rubricNamed say scorer searchArchive settle
  settleWhatCan showMessage speak standings untilReleased verify watchConvening webSearch
  webSearchTool weightedTotal
  choiceQuestion createLibrary defineKind
  CLAIM_VERDICTS END_REASONS FACT_EVENTS FileError fileRecord
`;

const TYPES = `
  FactKind OwnFact OwnFactParts
  AddressSetting ActiveGuardMode Agent AgentErrorCode AgentErrorDetail AgentReply AgentRequest AgentSettings
  Agreement AlphaMetric Answer AnswerShelf ArchiveSearch EmbedderSettings KeptVector VectorShelf AskOptions AskResult AssessOptions Assessment
  Audience Baseline Begun ChatMessage Checked CheckedClaim Choice Citations ClaimCounts ClaimSource ClaimVerdict Clock
  CoherenceOptions CoherenceSettings CommonConfig ComposeOptions Consensus ConsensusConfig
  ConsensusKeys ConsensusOptions ConsensusOutcome ConsensusRules ConsensusTemplates
  ConsensusWorkflowResult Consult Consultation Context Convening ConveningConfig ConveningEvent
  ConveningMatter
  ConveningResult ConveningRow ConveningStart CoordinatorOptions Criterion DebateConfig
  DebateFormat DebateJudge DebateKeys DebateListener DebateOutcome DebateParticipant
  DebateProgress DebateReport DebateRules DebateSession DebateTemplates DebateWorkflowConfig
  DebateWorkflowResult DebaterArgument DebaterScores DebaterVerification Decision DialogueConfig
  DialogueOptions Draft EmbedOptions Embedder EndReason Ending ErrorCode ErrorDetail EventBody
  Evidence EvidenceFigures EvidenceMark Exchange Fact FactCheck FactCheckConfig FactCheckSummary FieldProblem
  Failure Fields FieldsProblem Finding FinishReason FolderPlace ForkOptions Guard GuardMode
  GuardSettings GuardTools HandedIn Helper Hold Inbox Judge JudgeAgain JudgeAgreement
  JudgeConfig JudgeOptions JudgeVerdict Judged KeptAnswer KeyRules Likeness LimitName Limits
  ListenerConfig LookUp LookupHit Made Mark Matter Memory MemoryOptions MemoryRecord Message
  MessageAnswer MessageFile Objection Observer ObserverTools OfflineOptions Once OpenAIAgentOptions
  OpenRecord OrderProblem Outcome OwnKinds Paper PaperDebateConfig PaperDebateCourse PaperDebateKeys
  PaperDebateOptions PaperDebateOutcome PaperDebateResult PaperDraft PaperHit PaperJudged PaperPlace
  PaperRules PaperTemplates PaperTurns Papers Parent Parsed Participant ParticipantAgentConfig
  ParticipantClaims ParticipantConfig ParticipantInfo ParticipantOptions Persona PlaceholderValues
  PresetName Price Prices Proposal ProposalStanding ProposedTopics Protocol
  ProtocolRequest Question Quotation ReadPaperOptions RecordHolder RecordOptions RecordProblem
  RecordStore RefusedTermsOptions RefusedTermsSettings Rejection Remembered RepetitionOptions
  RepetitionSettings ReplayAnswers ReplayOptions ReplyRounds ReplySchema ReplySight RequestContext
  ResumeOptions Resumed RetrievalMode RetrieveOptions Retriever RetrieverOptions RetryOptions
  Rubric Said Schema SchemaIssue SchemaShape Score Scored ScoredTurn Scoring ScoringRubric ScorerOptions SearchHit
  ArchiveSearchOptions SearchOptions SearchRow SearchSettings Searcher Selecting SelectionContext Side SideSupport Source SpeakOptions
  Speaker SpeakerSelection Stage StageData StageTeller Stance StanceOn Standing Status Stop
  Submission Summariser Tool ToolTrace TopicArgument TopicCheck TopicOptions TopicScore TranscriptFormat Turn
  TurnDraft TurnInfo TurnStructure Usage ValuesOf Verdict Verification WaitedFor WatchOptions Watched
  WebSearchOptions WebSearchResult WordRange WorkflowDesign WorkflowHost WorkflowOptions
  WorkflowPlan
  AgentFactory Catalogue ChoiceQuestion Kind KindDefinition KindOptions Library LibraryOptions OwnConfig VerifyOptions WorkflowOf
  FactEvent FileEntry FileInfo FileLock FilePart FileProblem FileSystem LockAttempt LockOptions OfTurn
`;

const TESTING_VALUES = `
  agentContract createScriptedAgent recordStoreContract retrieverContract
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

const SERVER_VALUES = `
  ConveningError createServer
`;

const SERVER_TYPES = `
  AgentSettings AppOptions ConnectionInfo ErrorCode ErrorDetail OpenSocket ResumedConvening SecurityOptions Server
  ServerModels SocketHandlers SocketUpgrade
  ServerOptions
`;

const CLIENT_VALUES = `
  ClientError PaperDebate createClient
`;

const CLIENT_TYPES = `
  CallOptions CalledOperations Client ClientOptions ConveningJson DebateHistoryEntry DebateState DebateStatus
  DebaterProgress Empty FactJson FoundMessage JudgedJson LocalKeys MessageJson MessageWithAttachments OfConvening
  Operations OrNull Page PageInput PaperDebateInput PaperJson Refusal RowJson Standing StartInput WithoutLocal
`;

const MCP_VALUES = `
  createMcpServer
`;

const MCP_TYPES = `
  McpArchiveServer McpModels McpServerOptions
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
  assert.deepEqual(
    Object.keys(await import("../src/testing/mod.ts")).sort(),
    listed(TESTING_VALUES),
  );
  assert.deepEqual(await namesOf("src/testing/mod.ts"), listed(TESTING_VALUES, TESTING_TYPES));
});

Deno.test("pro_con.ts exports what it says, no more and no less", async () => {
  assert.deepEqual(
    Object.keys(await import("../src/operations/pro_con.ts")).sort(),
    listed(PRO_CON_VALUES),
  );
  assert.deepEqual(
    await namesOf("src/operations/pro_con.ts"),
    listed(PRO_CON_VALUES, PRO_CON_TYPES),
  );
});

Deno.test("server/mod.ts exports what it says, no more and no less", async () => {
  assert.deepEqual(
    Object.keys(await import("../src/server/mod.ts")).sort(),
    listed(SERVER_VALUES),
  );
  assert.deepEqual(await namesOf("src/server/mod.ts"), listed(SERVER_VALUES, SERVER_TYPES));
});

Deno.test("client/mod.ts exports what it says, no more and no less", async () => {
  assert.deepEqual(Object.keys(await import("../src/client/mod.ts")).sort(), listed(CLIENT_VALUES));
  assert.deepEqual(await namesOf("src/client/mod.ts"), listed(CLIENT_VALUES, CLIENT_TYPES));
});

Deno.test("mcp/mod.ts exports what it says, no more and no less", async () => {
  assert.deepEqual(Object.keys(await import("../src/mcp/mod.ts")).sort(), listed(MCP_VALUES));
  assert.deepEqual(await namesOf("src/mcp/mod.ts"), listed(MCP_VALUES, MCP_TYPES));
});
