// Types of configurations, for programs; a test checks them against the table of settings.
import type { GuardMode } from "../core/turn.ts";
import type { ProviderConfig, RetryOptions } from "../core/key_rules.ts";
import type { Effort } from "../core/profile.ts";
import type { Rubric } from "../core/outcome.ts";
import type { WordRange } from "../core/words.ts";
import type { ParticipantConfig } from "../core/participant.ts";
import type { Limits } from "../core/limit.ts";
import type { TopicCheck } from "../core/topic.ts";
import type { Prices } from "./prices.ts";

/** Format of a debate: tone and rules. */
export type DebateFormat = "formal" | "casual" | "educational" | "competitive";

/** File format of a transcript. */
export type TranscriptFormat = "md" | "json" | "txt" | "html" | "argdown";

/** Named set of settings for a debate of another shape. */
export type PresetName = "alternating" | "pro-con" | "oxford" | "self-play";

/** Settings of the repetition guard. */
export interface RepetitionSettings {
  /** Action on repetition. @default "reject" */
  readonly mode?: GuardMode | undefined;
  /** Minimum similarity of a repetition, 0 to 1. @default 0.95 */
  readonly threshold?: number | undefined;
}

/** Settings of the coherence guard. */
export interface CoherenceSettings {
  /** Action on turns off the topic. @default "warn" */
  readonly mode?: GuardMode | undefined;
  /** Coherence below which a turn is off topic, 0 to 1; `"strict"` is 0.7. @default 0.15 */
  readonly threshold?: number | "strict" | undefined;
}

/** Settings of the refused-terms guard. */
export interface RefusedTermsSettings {
  /** Action on a refused term. @default "reject" */
  readonly mode?: GuardMode | undefined;
  /** Terms, matched as whole words, case-insensitively. @default the terms refused in topics */
  readonly terms?: readonly string[] | undefined;
}

/** Settings of guards (context-network/rules/every_convening.md). */
export interface GuardSettings {
  /** Guard against turns that repeat an earlier turn. @default "reject", from a similarity of 0.95 */
  readonly repetition?: GuardMode | RepetitionSettings | undefined;
  /** Guard against turns off the topic. @default "off"; when on, below a coherence of 0.15 */
  readonly coherence?: GuardMode | CoherenceSettings | undefined;
  /** Guard against refused terms. @default "reject", with the terms refused in topics */
  readonly refusedTerms?: GuardMode | RefusedTermsSettings | undefined;
  /** Guard against turns outside their range of words, if one is set. @default "reject" */
  readonly length?: GuardMode | undefined;
  /** Guard against turns that do not fit the speaker's persona; asks a model. @default "off" */
  readonly persona?: GuardMode | undefined;
}

/** Settings of fact checks. */
export interface FactCheckConfig {
  /** Off; or false claims are marked; or turns with false claims are rejected. @default standard */
  mode?: "off" | "standard" | "strict" | undefined;
  /** Maximum number of claims per turn, 1 to 5. @default 5 */
  maxClaims?: number | undefined;
  /** Minimum confidence for a false claim to reject or interrupt a turn, 0 to 1. @default 0.7 */
  rejectFrom?: number | undefined;
  /** Model that extracts claims. @default the checker's */
  extractionModel?: string | undefined;
  /** Model that judges claims by their sources. @default the convening's */
  verificationModel?: string | undefined;
  /** URL of a server with Tavily's search API. @default TAVILY_BASE_URL, else Tavily's own */
  searchUrl?: string | undefined;
}

/** Listener of an audience. */
export interface ListenerConfig {
  /** Display name. @default "Listener 1" and so on */
  name?: string | undefined;
  /** Name of the model. @default the judges' */
  model?: string | undefined;
  /** Id or file of a persona, or its text. */
  persona?: string | undefined;
}

/** Configuration of a judge. */
export interface JudgeConfig {
  /** Id, unique among participants and judges. @default "judge"; with several, "judge-1" and so on */
  id?: string | undefined;
  /** Display name. @default "Judge"; with several, "Judge 1" and so on */
  name?: string | undefined;
  /** Name of the model. @default the moderator's */
  model?: string | undefined;
  /** Rubric: an id, the path of a YAML file, or a rubric. @default the debate's `rubric` */
  rubric?: string | Rubric | undefined;
  /** Sampling temperature, 0 to 2. @default `judgeTemperature` */
  temperature?: number | undefined;
  /** Reasoning effort. @default the convening's */
  reasoningEffort?: Effort | undefined;
}

/** Configuration keys of every kind of convening. */
export interface CommonConfig {
  /** Topic, 10 to 200 characters. */
  topic: string;
  /** Model of every role that has none of its own. @default "gpt-4o-mini" with a key or base URL, else "offline" */
  model?: string | undefined;
  /** URL of a server with OpenAI's protocol, for models without a provider prefix. */
  baseUrl?: string | undefined;
  /** Participants, at least two. */
  participants?: readonly ParticipantConfig[] | undefined;
  /** Sampling temperature of participants, 0 to 2. @default the provider's */
  temperature?: number | undefined;
  /** Reasoning effort, mapped to the nearest lower effort that a model supports. @default low, if a model has efforts */
  reasoningEffort?: Effort | undefined;
  /** True to record hidden reasoning, if the provider returns it, under `drafts/` and `thoughts/`. @default false */
  keepReasoning?: boolean | undefined;
  /** Maximum output tokens of a reply, hidden reasoning included. @default twice the target length, plus a reserve by effort */
  maxOutputTokens?: number | undefined;
  /** Seed of random choices, 0 to 4294967295. @default drawn at random */
  seed?: number | undefined;
  /** True if the user chose the seed; only then the seed is sent to models. */
  seedGiven?: boolean | undefined;
  /** Folder of the archive. @default "convenings" */
  out?: string | undefined;
  /** Limits of the whole convening. @default none */
  limits?: Limits | undefined;
  /**
   * Prompt size in tokens beyond which the oldest turns are folded, within the model's context window; 0 is no limit.
   * @default 70 % of the window, for speakers at most 100000; 12000 if the window is unknown
   */
  maxPromptTokens?: number | undefined;
  /** Language of the models' answers. @default the topic's */
  language?: string | undefined;
  /** Background files quoted to all participants: markdown, text or PDF. */
  sources?: readonly string[] | undefined;
  /** Maximum tokens of all quoted sources together. @default 4000, at most a third of the smallest prompt */
  sourceTokens?: number | undefined;
  /** Formats of the full transcripts written at the end. @default none */
  transcript?: readonly TranscriptFormat[] | undefined;
  /** Range of words of a spoken turn, within 200 to 1,000. @default any number */
  words?: WordRange | undefined;
  /** Maximum duration of one attempt at a turn, in milliseconds. @default none */
  turnMaxDuration?: number | undefined;
  /** Check of the topic for abuse. @default "words" */
  topicCheck?: TopicCheck | undefined;
  /** Terms that a topic must not contain. @default the built-in English list of abuse */
  refusedTerms?: readonly string[] | undefined;
  /** Templates by name; override the workflow's own. */
  prompts?: Readonly<Record<string, string>> | undefined;
  /** Prices that override the built-in table. */
  prices?: Prices | undefined;
  /** True to allow models without a price, counted as free, in spite of `maxCost`. @default false */
  allowUnknownPrices?: boolean | undefined;
  /** Additional providers by name. */
  providers?: Readonly<Record<string, ProviderConfig>> | undefined;
  /** Retries of failed requests. */
  retry?: RetryOptions | undefined;
  /** Settings of guards. */
  guards?: GuardSettings | undefined;
  /** Settings of fact checks. @default off */
  factCheck?: FactCheckConfig | undefined;
  /** Folder of personas in YAML, in addition to the built-in ones. */
  personas?: string | undefined;
  /** Archive whose most relevant convenings are quoted to all participants. @default none */
  memory?: string | undefined;
  /** Milliseconds for a turn of a person or of the model `client`; then the run stops and waits on disk. 0 does so at once. @default no limit */
  personTimeout?: number | undefined;
  /** Milliseconds without streamed text after which a request fails. @default 60000; `totalTimeout` for LM Studio, Ollama, llama.cpp, vLLM and models that reason */
  idleTimeout?: number | undefined;
  /** Maximum duration of a complete answer, in milliseconds. @default 300000 */
  totalTimeout?: number | undefined;
  /** Maximum size of a reply in bytes; a longer reply fails with `agent_bad_reply`. @default 4000000 */
  maxReplyBytes?: number | undefined;
}

/** Configuration of a dialogue, as plain data. */
export interface DialogueConfig extends CommonConfig {
  /** Discriminant of the union. */
  kind: "dialogue";
  /** Number of turns. @default 10 */
  maxTurns?: number | undefined;
  /** Maximum length of a turn, in tokens. @default 250 */
  maxTokensPerTurn?: number | undefined;
  /** Selection of the next speaker: in order, by the moderator, or by the highest bid. @default round-robin */
  select?: "round-robin" | "moderator" | "bids" | undefined;
  /** Model of the moderator, with `select` "moderator". @default the convening's */
  moderatorModel?: string | undefined;
}

/** Configuration of a consensus dialogue, as plain data. */
export interface ConsensusConfig extends CommonConfig {
  /** Discriminant of the union. */
  kind: "consensus";
  /** Share of participants that must agree, 0 to 1. @default 0.8 */
  threshold?: number | undefined;
  /** Number of turns for which an agreement must hold, or without change of stance for an impasse. @default 3 */
  stableTurns?: number | undefined;
  /** Maximum length of a turn, in tokens. @default 250 */
  maxTokensPerTurn?: number | undefined;
  /** Model of the moderator. @default the convening's */
  moderatorModel?: string | undefined;
}

/** Configuration of a debate, as plain data. A preset, and a format, bring their own values for keys that are not given. */
export interface DebateConfig extends CommonConfig {
  /** Discriminant of the union. */
  kind: "debate";
  /** Positions of the sides, instead of `participants`; at least two different ones. @default derived from the topic */
  positions?: readonly string[] | undefined;
  /** Judges. @default one judge with the moderator's model */
  judges?: readonly JudgeConfig[] | undefined;
  /** Sampling temperature of judges, 0 to 2. @default 0 if the model supports it; otherwise recorded as `dropped` */
  judgeTemperature?: number | undefined;
  /** Number of repeated askings of each pass of a verdict, 0 to 9. @default 0 */
  verdictRepeats?: number | undefined;
  /** Model of the moderator. @default the convening's */
  moderatorModel?: string | undefined;
  /** Model of a judge that is asked only if the panel ties, and whose vote decides. @default none */
  tiebreakModel?: string | undefined;
  /** Preset: a named set of settings, overridden by the settings given. @default none */
  preset?: PresetName | undefined;
  /** Rubric: an id, the path of a YAML file, or a rubric. @default the format's */
  rubric?: string | Rubric | undefined;
  /** Format: tone, rules and weights of the criteria. @default "formal" */
  debateFormat?: DebateFormat | undefined;
  /**
   * Structure of a round: arguments and rebuttals; with `clash` also replies; one turn answering the last; a statement per side.
   * @default "rebuttals"; "clash" from `composeConvening` without a preset
   */
  exchange?: "rebuttals" | "clash" | "alternating" | "statements" | undefined;
  /** True if there are opening statements. @default true */
  openings?: boolean | undefined;
  /** True if there are closing statements. @default true */
  closings?: boolean | undefined;
  /** Form of a turn: plain speech, or private reflection and critique before the speech. @default "speech" */
  turnForm?: "speech" | "rcr" | undefined;
  /** Author of the final summary. @default the moderator, if there is one */
  summaryBy?: "moderator" | "judge" | "none" | undefined;
  /** Reasons for which the moderator interrupts; `format` uses the format's reasons. @default "none" */
  interruptions?: "none" | "facts" | "rules" | "both" | "format" | undefined;
  /**
   * True to end the rounds early when nothing new is said, and to add a round when the sides are close.
   * @default false
   */
  adaptive?: boolean | undefined;
  /** Decision by the majority of judges, or by the audience's change of mind. @default "judges" */
  decision?: "judges" | "audience" | undefined;
  /** Unit that a judge scores per request: a turn, or all turns of a round. @default "turn" */
  scoreBy?: "turn" | "round" | undefined;
  /** Listeners whose stances are asked before and after the debate. @default none; five if the audience decides */
  audience?: readonly ListenerConfig[] | undefined;
  /** True if each judge also answers the topic before the debate, to measure the debate's effect. @default false */
  baseline?: boolean | undefined;
  /** Number of rounds of argument, 0 to 1,000. @default 3 */
  roundCount?: number | undefined;
  /** Maximum length of an opening statement, in tokens. @default 300 */
  openingStatementMaxTokens?: number | undefined;
  /** Maximum length of an argument or a rebuttal, in tokens. @default 250 */
  argumentMaxTokens?: number | undefined;
  /** Maximum length of a closing statement, in tokens. @default 350 */
  closingStatementMaxTokens?: number | undefined;
  /** Maximum length of the moderator's summaries, in tokens. @default 400 */
  summaryMaxTokens?: number | undefined;
  /**
   * True if the moderator summarizes each round.
   * @default true; false in the format `casual`, and for exchanges without rebuttals
   */
  roundSummaries?: boolean | undefined;
  /** True if openings are written concurrently, without seeing each other. @default true */
  blindOpenings?: boolean | undefined;
  /** Pacing of a round: advocates speak in turn, or all concurrently. @default "sequential" */
  pacing?: "sequential" | "simultaneous" | undefined;
  /**
   * Order of closing statements.
   * @default "opening"; "reversed" in the format `competitive`, and from `composeConvening` without a preset
   */
  closingOrder?: "opening" | "reversed" | undefined;
  /**
   * True if closings are written concurrently, without seeing each other.
   * @default false; true from `composeConvening` without a preset
   */
  blindClosings?: boolean | undefined;
  /** True to list the points of every turn and name dropped points. @default false */
  flow?: boolean | undefined;
  /** Model of the note-taker. @default the moderator's */
  noteModel?: string | undefined;
  /**
   * Order of the sides: as given, or drawn from the seed.
   * @default "given"; "drawn" from `composeConvening` without a preset
   */
  speakingOrder?: "given" | "drawn" | undefined;
  /**
   * Introduction by a template or by a model; or no moderator.
   * @default "template"; "model" from `composeConvening` in other languages than English
   */
  moderation?: "template" | "model" | "none" | undefined;
  /** True to cap a turn's evidence scores by the share of its checked claims that were not refuted. @default true */
  factCap?: boolean | undefined;
  /** True if judges score the turns and name a winner. @default true */
  scoringEnabled?: boolean | undefined;
  /** True to write a full transcript in markdown at the end. @default false */
  generateFullTranscript?: boolean | undefined;
  /** Further format of a full transcript to write at the end. @default none */
  outputFormat?: "json" | "markdown" | "text" | undefined;
}

/** Retrieval of passages by keywords (BM25), by meaning (an embedding model), or both. */
export type RetrievalMode = "keyword" | "semantic" | "hybrid";

/** Configuration of a paper debate, as plain data. */
export interface PaperDebateConfig extends Omit<CommonConfig, "topic"> {
  /** Discriminant of the union. */
  kind: "paper-debate";
  /** Files of the papers: PDF, markdown or text. */
  papers: readonly string[];
  /** Title of the paper, if there is only one. @default extracted from the paper */
  title?: string | undefined;
  /** Name of the convening. @default the question if one is given, else the title of the first paper */
  topic?: string | undefined;
  /** Question of the debate. @default one of the questions proposed for the papers */
  question?: string | undefined;
  /** Number of the proposed question to debate, from 1, or `ask` to let a person choose. @default 1 */
  pick?: number | "ask" | undefined;
  /** Number of postures, 2 to 8; each has a debater. @default 3 */
  postures?: number | undefined;
  /** True if the debaters answer each other before they are judged. @default false */
  crossExamine?: boolean | undefined;
  /** Method of finding passages of the papers. @default "keyword" */
  retrieval?: RetrievalMode | undefined;
  /** Embedding model for retrieval by meaning. @default "text-embedding-3-small" */
  embeddingModel?: string | undefined;
  /** Number of the papers' characters in prompts; debaters reach the rest by look-ups. */
  paperCharacters?: {
    /** In the prompt for questions. @default 100000 */
    questions?: number | undefined;
    /** In the prompt for postures and topics. @default 100000 */
    postures?: number | undefined;
    /** In each debater's prompt. @default 100000 */
    debaters?: number | undefined;
    /** Excerpt of a longer paper: its start, or also headings, results and conclusions. @default "sections" */
    excerpt?: "start" | "sections" | undefined;
  } | undefined;
  /** Judges. @default one judge with the convening's model */
  judges?: readonly JudgeConfig[] | undefined;
  /** Sampling temperature of judges, 0 to 2. @default 0.3 */
  judgeTemperature?: number | undefined;
  /** Number of repeated askings of each pass of a verdict, 0 to 9. @default 0 */
  verdictRepeats?: number | undefined;
  /** True to cap a debater's evidence scores by the share of its checked claims that were not refuted. @default true */
  factCap?: boolean | undefined;
  /** Rubric: an id, the path of a YAML file, or a rubric. @default "conceptual" */
  rubric?: string | Rubric | undefined;
  /** Maximum length of an argument, in tokens. @default 4096 */
  argumentMaxTokens?: number | undefined;
  /** Maximum length of an answer to the other debaters, in tokens. @default 1000 */
  crossExaminationMaxTokens?: number | undefined;
  /** Maximum length of the reporter's summary, in tokens. @default 1000 */
  reportMaxTokens?: number | undefined;
  /** Maximum length of a judge's reply, in tokens. @default 3000 */
  judgeMaxTokens?: number | undefined;
}

/** Configuration of any built-in kind of convening, as plain data. */
export type ConveningConfig =
  | DialogueConfig
  | DebateConfig
  | ConsensusConfig
  | PaperDebateConfig;
