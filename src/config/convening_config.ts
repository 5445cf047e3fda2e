// Configurations as programs write them; a test holds the interfaces against the table of settings.
import type { GuardMode } from "../core/turn.ts";
import type { Effort } from "../core/profile.ts";
import type { WordRange } from "../core/words.ts";
import type { ParticipantConfig } from "../core/participant.ts";
import type { Limits } from "../core/limit.ts";
import type { TopicCheck } from "../core/topic.ts";
import type { Prices } from "./prices.ts";

/** A criterion of a rubric. */
export interface Criterion {
  /** snake_case. */
  readonly id: string;
  /** The share of the total; the shares of a rubric sum to 1. */
  readonly weight: number;
  /** The question that the criterion asks, in one sentence. */
  readonly description: string;
  /** Scores only turns that were made after another side had spoken. @default false */
  readonly answers?: boolean | undefined;
  /** Caps its numbers by the share of claims that were not refuted, where facts are checked (`factCap`). @default false */
  readonly evidence?: boolean | undefined;
  /** The meaning of numbers for this criterion, such as 2, 5 and 8 of 10. @default the rubric's anchors alone */
  readonly anchors?: readonly Anchor[] | undefined;
}

/** The meaning of a number of a scale, and of those above it up to the next. */
export interface Anchor {
  /** The least number with this meaning. */
  readonly from: number;
  /** The meaning, in a few words. */
  readonly means: string;
}

/** A rubric: what judges score by, as data. */
export interface Rubric {
  /** Small letters, digits, `-` and `_`; records name the rubric by it. */
  readonly id: string;
  /** The least and the most of a criterion. */
  readonly scale: readonly [number, number];
  /** Weights sum to 1. */
  readonly criteria: readonly Criterion[];
  /** The meaning of numbers, from the top of the scale down. */
  readonly anchors: readonly Anchor[];
}

/** A debate's tone and rules, by name. */
export type DebateFormat = "formal" | "casual" | "educational" | "competitive";

/** A transcript's form. */
export type TranscriptFormat = "md" | "json" | "txt" | "html" | "argdown";

/** A debate that differs from the usual one in more than a key, by name. */
export type PresetName = "alternating" | "pro-con" | "oxford" | "self-play";

/** Settings of the repetition guard. */
export interface RepetitionSettings {
  /** Action on repetition. @default "reject" */
  readonly mode?: GuardMode | undefined;
  /** Similarity from which a turn is a repetition, 0 to 1. @default 0.95 */
  readonly threshold?: number | undefined;
}

/** Settings of the coherence guard. */
export interface CoherenceSettings {
  /** Action on turns off the topic. @default "warn" */
  readonly mode?: GuardMode | undefined;
  /** Below it a turn is off topic, 0 to 1; `"strict"` is 0.7. @default 0.15 */
  readonly threshold?: number | "strict" | undefined;
}

/** Settings of the refused-terms guard. */
export interface RefusedTermsSettings {
  /** Action on repetition. @default "reject" */
  readonly mode?: GuardMode | undefined;
  /** Matched as whole words, letter case aside. @default the terms refused in topics */
  readonly terms?: readonly string[] | undefined;
}

/** Settings of guards (context-network/rules/every_convening.md). */
export interface GuardSettings {
  /** Against turns that repeat an earlier one. @default "reject" from a similarity of 0.95 on */
  readonly repetition?: GuardMode | RepetitionSettings | undefined;
  /** Against turns off the topic: below a coherence of 0.15 unless set. @default "off" */
  readonly coherence?: GuardMode | CoherenceSettings | undefined;
  /** Against terms that may not be said. @default "reject" for the terms refused in topics */
  readonly refusedTerms?: GuardMode | RefusedTermsSettings | undefined;
  /** Against turns out of their range of words, where there is one. @default "reject" */
  readonly length?: GuardMode | undefined;
  /** Against turns that do not keep to the speaker's persona; it asks a model. @default "off" */
  readonly persona?: GuardMode | undefined;
}

/** Settings of fact checks. */
export interface FactCheckConfig {
  /** Not at all; marked and kept; or turned down where a claim is false. @default standard */
  mode?: "off" | "standard" | "strict" | undefined;
  /** The most claims of a turn, 1 to 5. @default 5 */
  maxClaims?: number | undefined;
  /** The least confidence from which a false claim has a turn said again, or interrupted, 0 to 1. @default 0.7 */
  rejectFrom?: number | undefined;
  /** The model that finds the claims. @default the checker's */
  extractionModel?: string | undefined;
  /** The model that weighs what was found. @default the convening's */
  verificationModel?: string | undefined;
  /** A server of Tavily's search API. @default TAVILY_BASE_URL, else Tavily's own */
  searchUrl?: string | undefined;
}

/** One of an audience. */
export interface ListenerConfig {
  /** As readers see it. @default "Listener 1" and so on */
  name?: string | undefined;
  /** The name of its model. @default the judges' */
  model?: string | undefined;
  /** A persona's id or file, or its text. */
  persona?: string | undefined;
}

/** A judge in a configuration. */
export interface JudgeConfig {
  /** Unique among participants and judges. @default "judge", of several "judge-1" and so on */
  id?: string | undefined;
  /** As readers see it. @default "Judge", of several "Judge 1" and so on */
  name?: string | undefined;
  /** The name of its model. @default the moderator's */
  model?: string | undefined;
  /** Rubric of the judge: an id, the path of a YAML file, or a rubric. @default the debate's `rubric` */
  rubric?: string | Rubric | undefined;
  /** 0 to 2. @default `judgeTemperature` */
  temperature?: number | undefined;
  /** The effort of hidden reasoning. @default the convening's */
  reasoningEffort?: Effort | undefined;
}

/** A provider of models. */
export interface ProviderConfig {
  /** The base URL, its `/v1` included. @default that of the built-in provider of this name */
  readonly baseUrl?: string | undefined;
  /** The environment variable of the key. @default the built-in provider's, where `baseUrl` is left out; else no key is sent */
  readonly apiKeyEnv?: string | undefined;
  /** Further headers by name; `${NAME}` stands for an environment variable. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Further fields of every request. @default none */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
  /** The protocol: OpenAI's chat completions, or a package for the provider's own. @default by the profile of each model */
  readonly adapter?: "chat" | "anthropic" | "gemini" | "responses" | undefined;
  /** Keys of the profile of all models. @default as known of the server and model */
  readonly profile?: Readonly<Record<string, unknown>> | undefined;
  /** Keys of the profile by model. @default none */
  readonly models?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  /** Requests in flight at once, at most. @default the profile's, else 32 */
  readonly maxConcurrency?: number | undefined;
  /** Milliseconds that the provider may ask to wait. @default `retry.maxRetryAfter` */
  readonly maxWait?: number | undefined;
}

/** Retries of failed requests. */
export interface RetryOptions {
  /** Retries at most, 0 to 10. @default 4 */
  readonly retries?: number | undefined;
  /** Milliseconds before the first retry. @default 1000 */
  readonly minWait?: number | undefined;
  /** Milliseconds between retries at most. @default 30000 */
  readonly maxWait?: number | undefined;
  /** The longest `Retry-After` that is waited for, in milliseconds; 0 fails at once. @default 120000 */
  readonly maxRetryAfter?: number | undefined;
}

/** The keys every kind of convening has. */
export interface CommonConfig {
  /** 10 to 200 characters. */
  topic: string;
  /** The model of every role that names none. @default "gpt-4o-mini" with a key or base URL, else "offline" */
  model?: string | undefined;
  /** A server of the OpenAI protocol, for models without a provider prefix. */
  baseUrl?: string | undefined;
  /** Participants; two or more. */
  participants?: readonly ParticipantConfig[] | undefined;
  /** 0 to 2. @default the provider's */
  temperature?: number | undefined;
  /** The effort of hidden reasoning, mapped to the nearest below that a model takes. @default low, where a model has efforts */
  reasoningEffort?: Effort | undefined;
  /** True if the models' hidden reasoning is kept under `drafts/` (turns) and `thoughts/` (answers), as far as providers give the text. @default false */
  keepReasoning?: boolean | undefined;
  /** The most tokens of a reply, hidden reasoning included. @default twice the asked length, and a reserve by effort */
  maxOutputTokens?: number | undefined;
  /** 0 to 4294967295. @default drawn */
  seed?: number | undefined;
  /** True if the user gave the seed (the seed is then sent to models too). */
  seedGiven?: boolean | undefined;
  /** The archive's folder. @default "convenings" */
  out?: string | undefined;
  /** Limits of the whole convening. @default none */
  limits?: Limits | undefined;
  /**
   * Past this many tokens a prompt's oldest turns are folded, within the window of the model; 0 is unbounded.
   * @default 70 % of the window, for speakers at most 100000; 12000 where no window is known
   */
  maxPromptTokens?: number | undefined;
  /** The language asked of models. @default the topic's */
  language?: string | undefined;
  /** Background files, quoted to all: markdown, text or PDF. */
  sources?: readonly string[] | undefined;
  /** Tokens of the sources quoted together. @default 4000 */
  sourceTokens?: number | undefined;
  /** Forms of a whole transcript to write at the end. @default none */
  transcript?: readonly TranscriptFormat[] | undefined;
  /** The words a spoken turn must have, 200 to 1000. @default any number */
  words?: WordRange | undefined;
  /** Milliseconds of one attempt at a turn. @default none */
  turnMaxDuration?: number | undefined;
  /** Check of the topic for abuse. @default "words" */
  topicCheck?: TopicCheck | undefined;
  /** Terms a topic may not contain. @default the built-in list of abuse in English */
  refusedTerms?: readonly string[] | undefined;
  /** Templates by name, over the workflow's own. */
  prompts?: Readonly<Record<string, string>> | undefined;
  /** Prices over the built-in table. */
  prices?: Prices | undefined;
  /** True if `maxCost` allows models without a price, which count as free. @default false */
  allowUnknownPrices?: boolean | undefined;
  /** More providers by name. */
  providers?: Readonly<Record<string, ProviderConfig>> | undefined;
  /** Retries of failed requests. */
  retry?: RetryOptions | undefined;
  /** Settings of guards. */
  guards?: GuardSettings | undefined;
  /** Settings of fact checks. @default off */
  factCheck?: FactCheckConfig | undefined;
  /** A folder of personas in YAML, beside the built-in ones. */
  personas?: string | undefined;
  /** An archive whose most relevant convenings are quoted to all. @default none */
  memory?: string | undefined;
  /** Milliseconds a person has for a turn; then the run waits on disk. 0 does so at once. @default no end */
  personTimeout?: number | undefined;
  /** Milliseconds without a piece of an answer before a request fails. @default 60000 */
  idleTimeout?: number | undefined;
  /** Milliseconds a whole answer may take. @default 300000 */
  totalTimeout?: number | undefined;
  /** The most bytes of a reply; a longer reply fails as `agent_bad_reply`. @default 4000000 */
  maxReplyBytes?: number | undefined;
}

/** A dialogue's configuration, as plain data. */
export interface DialogueConfig extends CommonConfig {
  /** Tells configurations apart. */
  kind: "dialogue";
  /** Number of turns. @default 10 */
  maxTurns?: number | undefined;
  /** The most tokens of a turn. @default 250 */
  maxTokensPerTurn?: number | undefined;
  /** Next speaker: in turn, named by the moderator, or by the highest bid. @default round-robin */
  select?: "round-robin" | "moderator" | "bids" | undefined;
  /** The moderator's model, where the moderator selects. @default the convening's */
  moderatorModel?: string | undefined;
}

/** A consensus dialogue's configuration, as plain data. */
export interface ConsensusConfig extends CommonConfig {
  /** Tells configurations apart. */
  kind: "consensus";
  /** The share of those who take part that must agree, 0 to 1. @default 0.8 */
  threshold?: number | undefined;
  /** Number of turns that agreement must hold, or without a change of stance for an impasse. @default 3 */
  stableTurns?: number | undefined;
  /** The most tokens of a turn. @default 250 */
  maxTokensPerTurn?: number | undefined;
  /** The moderator's model. @default the convening's */
  moderatorModel?: string | undefined;
}

/**
 * A debate's configuration, as plain data; for the defaults see `DEBATE_DEFAULTS`. Composed without a preset, `exchange` is
 * clash, `speakingOrder` drawn, `closingOrder` reversed, `blindClosings` true.
 */
export interface DebateConfig extends CommonConfig {
  /** Tells configurations apart. */
  kind: "debate";
  /** Positions of the sides, in place of `participants`; two or more that differ. @default made from the topic */
  positions?: readonly string[] | undefined;
  /** Judges. @default one judge with the moderator's model */
  judges?: readonly JudgeConfig[] | undefined;
  /** Of those who judge, 0 to 2. @default 0 where the model takes one; a request that has none is recorded as `dropped` */
  judgeTemperature?: number | undefined;
  /** Further askings of each pass of a verdict, 0 to 9. @default 0 */
  verdictRepeats?: number | undefined;
  /** The moderator's model. @default the convening's */
  moderatorModel?: string | undefined;
  /** Model of a judge that is asked only where the panel ties; its vote decides. @default none */
  tiebreakModel?: string | undefined;
  /** Named settings under those given. @default none */
  preset?: PresetName | undefined;
  /** Rubric: an id, the path of a YAML file, or a rubric. @default the format's */
  rubric?: string | Rubric | undefined;
  /** Tone, rules and how the criteria weigh. */
  debateFormat?: DebateFormat | undefined;
  /**
   * A round: arguments and rebuttals; with `clash`, replies to rebuttals too; one turn in answer to the last; or a
   * statement of each side.
   */
  exchange?: "rebuttals" | "clash" | "alternating" | "statements" | undefined;
  /** True if there are opening statements. */
  openings?: boolean | undefined;
  /** True if there are closing statements. */
  closings?: boolean | undefined;
  /** Form of a turn: plain speech, or reflection and critique in private, then speech. */
  turnForm?: "speech" | "rcr" | undefined;
  /** Author of the final summary. @default the moderator, where there is one */
  summaryBy?: "moderator" | "judge" | "none" | undefined;
  /** Reasons for the moderator to interrupt; `format` is the format's reasons. */
  interruptions?: "none" | "facts" | "rules" | "both" | "format" | undefined;
  /** True if rounds end early when nothing new is said, and a round is added when the sides are close. */
  adaptive?: boolean | undefined;
  /** Decision by the judges' majority, or by the audience's change of mind. */
  decision?: "judges" | "audience" | undefined;
  /** Unit that a judge scores in one request: a turn, or all turns of a round. @default "turn" */
  scoreBy?: "turn" | "round" | undefined;
  /** Listeners that are asked for their stances before and after. @default none; five where the audience decides */
  audience?: readonly ListenerConfig[] | undefined;
  /** True if each judge first answers the topic alone, to show the change by the debate. */
  baseline?: boolean | undefined;
  /** Rounds of argument, 0 to 1000. */
  roundCount?: number | undefined;
  /** The most tokens of an opening statement. */
  openingStatementMaxTokens?: number | undefined;
  /** The most tokens of an argument or a rebuttal. */
  argumentMaxTokens?: number | undefined;
  /** The most tokens of a closing statement. */
  closingStatementMaxTokens?: number | undefined;
  /** The most tokens of the moderator's summaries. */
  summaryMaxTokens?: number | undefined;
  /** True if the moderator sums up each round. */
  roundSummaries?: boolean | undefined;
  /** True if openings are written at once, without sight of each other. */
  blindOpenings?: boolean | undefined;
  /** Pacing of a round: advocates speak in turn, or all at once. */
  pacing?: "sequential" | "simultaneous" | undefined;
  /** Order of closing statements. */
  closingOrder?: "opening" | "reversed" | undefined;
  /** True if closings are written at once, without sight of each other. */
  blindClosings?: boolean | undefined;
  /** True if the points of every turn are noted, and dropped points are named. */
  flow?: boolean | undefined;
  /** The note-taker's model. @default the moderator's */
  noteModel?: string | undefined;
  /** Order of the sides: as given, or drawn from the seed. */
  speakingOrder?: "given" | "drawn" | undefined;
  /** Introduction: a template's text or a model's turn; or no moderator. */
  moderation?: "template" | "model" | "none" | undefined;
  /** True if a turn's numbers for evidence are at most the share of its claims that were not refuted, where facts are checked. */
  factCap?: boolean | undefined;
  /** True if judges score the turns and name a winner. */
  scoringEnabled?: boolean | undefined;
  /** True if a whole transcript in markdown is written at the end. */
  generateFullTranscript?: boolean | undefined;
  /** The form of a whole transcript to write at the end, beside the markdown. @default none */
  outputFormat?: "json" | "markdown" | "text" | undefined;
}

/** Retrieval of passages of papers: by words (BM25), by meaning (an embedding model), or both. */
export type RetrievalMode = "keyword" | "semantic" | "hybrid";

/** A paper debate's configuration, as plain data; for the defaults see `PAPER_DEBATE_DEFAULTS`. */
export interface PaperDebateConfig extends Omit<CommonConfig, "topic"> {
  /** Tells configurations apart. */
  kind: "paper-debate";
  /** The papers' files: PDF, markdown or text. */
  papers: readonly string[];
  /** The title of the one paper. @default found in it */
  title?: string | undefined;
  /** Name of the convening. @default the question where one is given, else the first paper's title */
  topic?: string | undefined;
  /** Question of the debate. @default one of the questions proposed for the papers */
  question?: string | undefined;
  /** The number of the question that is debated, from 1, or `ask` for a person to say. */
  pick?: number | "ask" | undefined;
  /** Number of postures, 2 to 8: a debater each. */
  postures?: number | undefined;
  /** True if the debaters answer each other before they are judged. */
  crossExamine?: boolean | undefined;
  /** Retrieval of passages of the papers. */
  retrieval?: RetrievalMode | undefined;
  /** The model whose vectors find passages by meaning. @default "text-embedding-3-small" */
  embeddingModel?: string | undefined;
  /** Number of characters of the papers in prompts; look-ups reach the rest. */
  paperCharacters?: {
    /** Into the one that asks for questions. */
    questions?: number | undefined;
    /** Into the one that asks for postures and topics. */
    postures?: number | undefined;
    /** Into each debater's. */
    debaters?: number | undefined;
    /** The part of a longer paper that is shown: its start, or also all headings and the sections on results and conclusions. @default "sections" */
    excerpt?: "start" | "sections" | undefined;
  } | undefined;
  /** Judges. @default one judge with the convening's model */
  judges?: readonly JudgeConfig[] | undefined;
  /** Of those who judge, 0 to 2. */
  judgeTemperature?: number | undefined;
  /** Further askings of each pass of a verdict, 0 to 9. @default 0 */
  verdictRepeats?: number | undefined;
  /** True if a debater's numbers for evidence are at most the share of its claims that were not refuted, where facts are checked. */
  factCap?: boolean | undefined;
  /** Rubric: an id, the path of a YAML file, or a rubric. @default "conceptual" */
  rubric?: string | Rubric | undefined;
  /** The most tokens of an argument. */
  argumentMaxTokens?: number | undefined;
  /** The most tokens of an answer to the other debaters. */
  crossExaminationMaxTokens?: number | undefined;
  /** The most tokens of the reporter's summary. */
  reportMaxTokens?: number | undefined;
  /** The most tokens of a judge's reply. */
  judgeMaxTokens?: number | undefined;
}

/** Any convening's configuration, as plain data. */
export type ConveningConfig =
  | DialogueConfig
  | DebateConfig
  | ConsensusConfig
  | PaperDebateConfig;
