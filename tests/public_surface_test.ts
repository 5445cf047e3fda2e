// Published names. Removing a name breaks users; an added name has to stay.
import assert from "node:assert/strict";
import { runDeno } from "./support/deno_process.ts";

const VALUES = `
  AgentError CancelledError ConfigurationError ConveningError DebateCoordinator DebateWorkflow
  DialogueWorkflow PaperError RecordError SearchError TopicError TurnOrderError askConvening
  composeConvening configSchema createAgent createConsensusWorkflow createDebateModerator
  createDebateParticipant createDebateWorkflow createDialogueWorkflow createLibrary
  createOfflineAgent createOpenAIAgent createPaperDebateWorkflow createParticipant createReplayAgent
  exportConvening folderRecord fork interject judge languageModel listConvenings loadPersona loadRubric
  memoryRecord openConvening parseConfig pauseConvening proposeTopics rebuildIndex resume
  searchArchive showMessage speak untilReleased verify watchConvening
  noteFlow writeBrief writeSite
`;

const TYPES = `
  Agent Convening ConveningConfig ConveningEvent ConveningResult DebateConfig DebateParticipant
  DebateSession DebateWorkflowConfig DebateWorkflowResult ErrorCode Library Limits Message Paper
  Participant Usage
`;

const PROTOCOL_VALUES = `
  CLAIM_VERDICTS CONSENSUS_DEFAULTS CONSENSUS_TEMPLATES ConsensusWorkflow
  DEBATE_DEFAULTS DEBATE_TEMPLATES END_REASONS FACT_EVENTS FileError MAX_RESULTS PLACEHOLDERS ask
  begin beginAsk choiceQuestion coherenceGuard consensus debate defaultHost defaultModel defineFact
  defineKind emptyGuard factOf fileRecord lengthGuard likenessOf memoryOf nextInOrder personaText
  refusedTermsGuard repetitionGuard results say settle settleWhatCan webSearch
`;

const PROTOCOL_TYPES = `
  ActiveGuardMode AddressSetting AgentErrorCode AgentErrorDetail AgentFactory AgentNote AgentReply
  AgentRequest AgentSettings Answer AnswerShelf ArchiveSearch ArchiveSearchOptions AskOptions
  AnswerPassage AskResult Begun Brief BriefConsequence BriefCrux BriefForm BriefOptions BriefPoint BriefQuestion
  BriefQuote Catalogue ChatMessage Checked CheckedClaim Choice ChoiceQuestion ClaimSource
  ClaimVerdict ClientRequest Clock CoherenceOptions CoherenceSettings CommonConfig ComposeOptions ConsensusConfig
  ConsensusKeys ConsensusOptions ConsensusOutcome ConsensusRules ConsensusTemplates
  ConsensusWorkflowResult Consult Consultation Context ConveningInputs ConveningRow ConveningStart
  DebateFormat DebateJudge DebateKeys DebateListener DebateOutcome DebateRules DebateTemplates
  DialogueConfig DialogueOptions Draft Effort EndReason Ending ErrorDetail EventBody Exchange Fact
  FactCheck FactCheckConfig FactEvent FactKind Failure FieldProblem Fields FieldsProblem FileEntry
  FileInfo FileLock FilePart FileProblem FileSystem Finding FinishReason Flow FlowOptions FolderPlace ForkOptions
  Guard GuardMode GuardSettings GuardTools HandedIn Helper Inbox JudgeAgain JudgeOptions Judged
  KeptAnswer KeptVector KeyRules Kind KindDefinition KindOptions KnownMessages LanguageModelLike LanguageModelOptions LibraryOptions Likeness LimitName
  ListenerConfig LockAttempt LockOptions LookUp Made Mark Memory MemoryOptions MemoryRecord
  MessageAnswer MessageFile MessageFilter ModelAnswer ModelSource NotedFlow Objection Observer ObserverTools OfTurn OfflineOptions Once
  OpenAIAgentOptions OpenRecord OrderProblem Outcome OwnConfig OwnFact OwnFactParts OwnKinds
  ParameterDropped Parent Parsed ParticipantAgentConfig ParticipantConfig ParticipantInfo
  ParticipantOptions Persona PlaceholderValues PlannedPrompt Point PresetName Price Prices ProfileLearned ProposedTopics
  Protocol ProtocolRequest ProviderConfig Question RecordHolder RecordModelOptions RecordOptions RecordProblem RecordStore RecordedPrompt
  RefusedTermsOptions RefusedTermsSettings Rejection Remembered RepetitionOptions RepetitionSettings
  ReplayAnswers ReplayOptions ReplyRounds ReplySchema ReplyContext RequestContext ResumeOptions
  Resumed RetryOptions Said Schema SchemaIssue SchemaShape SearchHit SearchOptions SearchRow
  SearchSettings Searcher Selecting SelectionContext Served ShownRecord Side SiteOptions Source SpeakOptions Speaker
  SpeakerSelection Stage StageTeller Stance StanceOn StatedClaim Status Stop Submission Summariser Thought Tool
  ToolTrace TopicCheck TopicOptions TranscriptFormat Turn TurnDraft TurnInfo TurnStructure UsedUp ValuesOf
  VectorShelf Verification VerifyOptions WaitedFor WatchOptions Watched WebSearchOptions WordRange
  WorkflowDesign WorkflowHost WorkflowOf WorkflowOptions WorkflowPlan WrittenBrief WrittenSite
`;

const PAPER_VALUES = `
  MAX_PASSAGES PAPER_DEBATE_DEFAULTS PAPER_TEMPLATES PaperDebateWorkflow checkPaper createEmbedder
  createRetriever debateReport lookUpPaperTool paperDebate readPaper readPapers referencesIn
  reportSchema webSearchTool
`;

const PAPER_TYPES = `
  Citations CoordinatorOptions DebateProgress DebateReport DebateSession DebateSubject DebaterArgument
  DebaterScores DebaterVerification EmbedOptions Embedder EmbedderSettings EmbeddingMeter Evidence EvidenceFigures
  EvidenceMark JudgeVerdict LookupHit MeteredEmbedder Paper PaperCharacters PaperDebateConfig PaperDebateCourse
  PaperDebateKeys PaperDebateOptions PaperDebateOutcome PaperDebateResult PaperDraft PaperHit
  PaperJudged PaperPlace PaperRules PaperTemplates PaperTurns Papers Quotation ReadPaperOptions
  RetrievalMode RetrieveOptions Retriever RetrieverOptions StageData TopicArgument TopicScore
  WebSearchResult
`;

const SCORING_VALUES = `
  RUBRICS agreementOf assess checkRubric consensusOf createScoringAgent debateRubric decide
  krippendorffAlpha rubricNamed scorer standings weightedTotal
`;

const SCORING_TYPES = `
  Agreement AlphaMetric Anchor AssessOptions Assessment Audience Baseline ClaimCounts Consensus Criterion
  Decision FactCheckSummary Hold Judge JudgeAgreement JudgeConfig JudgeNote JudgeNoteKind JudgeReason JudgeVote
  ParticipantClaims Proposal ProposalStanding Rubric Score Scored ScoredTurn ScorerOptions Scoring ScoringRubric
  SideSupport Standing Strength StrengthLevel Verdict VoteSplit
`;

const STUDY_VALUES = `
  LimitStop exportStudy forecastStudy planStudy retryStudy runStudy runWorker stopStudy studyReport studyStatus
`;

const STUDY_TYPES = `
  AllowedContent CallGate Cell CellEnd CellFailure CheckedStudy Contestant Diagnostic DiagnosticTable Estimate
  ExportFormat ExportedFile Filled GatedCall Interval LeftOut ProviderRate Rating RatingSettings RedisQueueTimes StudyConfig StudyExport StudyExportOptions StudyFolder StudyForecast
  StudyLimitSettings StudyOnDisk StudyPlanOptions StudyReport StudyReportOptions
  StudyResult StudyRunOptions StudyStanding StudyStatus StudyTopic WorkerNote WorkerOptions
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
  AgentSettings AppOptions ArchiveOptions ConnectionInfo ErrorCode ErrorDetail HostingOptions OpenSocket ResumedConvening SecurityOptions Server
  ServerModels SocketHandlers SocketUpgrade
  ServerOptions
`;

const CLIENT_VALUES = `
  ClientError PaperDebate createClient
`;

const CLIENT_TYPES = `
  AnswerJson CallOptions CalledOperations Client ClientOptions ConveningJson DebateHistoryEntry DebateState DebateStatus
  DebaterProgress Empty FactJson FoundMessage JudgedJson LimiterState ListInput LocalKeys MessageChoice MessageJson MessageWithAttachments ModelsJson OfConvening
  Operations OrNull Page PageInput PaperDebateInput PaperJson ProposalJson Refusal RowJson Standing StartInput StudyDebateJson
  StudyJson TurnRequest WithoutLocal
`;

const MCP_VALUES = `
  createMcpServer
`;

const MCP_TYPES = `
  ArchiveOptions McpArchiveServer McpModels McpServerOptions
`;

/** Fields of `deno doc --json` that are read here. */
interface Documented {
  readonly nodes: Readonly<
    Record<string, { readonly symbols: readonly { readonly name: string }[] }>
  >;
}

function listed(...lists: readonly string[]): string[] {
  return lists.join(" ").trim().split(/\s+/).sort();
}

/** Exported values and types of each published module. */
const MODULES: Readonly<Record<string, readonly [values: string, types: string]>> = {
  "mod.ts": [VALUES, TYPES],
  "protocol.ts": [PROTOCOL_VALUES, PROTOCOL_TYPES],
  "papers.ts": [PAPER_VALUES, PAPER_TYPES],
  "scoring.ts": [SCORING_VALUES, SCORING_TYPES],
  "studies.ts": [STUDY_VALUES, STUDY_TYPES],
  "src/testing/mod.ts": [TESTING_VALUES, TESTING_TYPES],
  "src/operations/pro_con.ts": [PRO_CON_VALUES, PRO_CON_TYPES],
  "src/server/mod.ts": [SERVER_VALUES, SERVER_TYPES],
  "src/client/mod.ts": [CLIENT_VALUES, CLIENT_TYPES],
  "src/mcp/mod.ts": [MCP_VALUES, MCP_TYPES],
};

/** Returns the exported names of each module, types included, by URL. */
async function documentedNames(): Promise<Map<string, string[]>> {
  const { stdout, stderr } = await runDeno(["doc", "--json", ...Object.keys(MODULES)]);
  assert.notEqual(stdout, "", stderr);
  const { nodes }: Documented = JSON.parse(stdout);
  const entries = Object.entries(nodes);
  return new Map(
    entries.map(([url, { symbols }]) => [url, symbols.map(({ name }) => name).sort()]),
  );
}

Deno.test("every published module exports exactly its listed names", async (test) => {
  const documented = await documentedNames();
  for (const [module, [values, types]] of Object.entries(MODULES)) {
    await test.step(module, async () => {
      const url = new URL(`../${module}`, import.meta.url).href;
      assert.deepEqual(Object.keys(await import(url)).sort(), listed(values));
      assert.deepEqual(documented.get(url), listed(values, types));
    });
  }
});
