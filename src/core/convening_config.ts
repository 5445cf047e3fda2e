/** A debate's tone and rules, by name. */
export type DebateFormat = "formal" | "casual" | "educational" | "competitive";

/** A transcript's form. */
export type TranscriptFormat = "md" | "json" | "txt" | "html";

/** A participant in a configuration. */
export interface ParticipantConfig {
  /** Letters, digits, `_`, `.` and `-`, at most 64. @default made from the name */
  id?: string | undefined;
  /** As readers see it. */
  name: string;
  /** snake_case. @default in a debate "position_advocate", else "participant" */
  role?: string | undefined;
  /** What it stands for. */
  position?: string | undefined;
  /** How it speaks, as text for the prompt. */
  persona?: string | undefined;
  /** What it is told besides. */
  systemPrompt?: string | undefined;
  /** The name of its model. @default the convening's */
  model?: string | undefined;
  /** 0 to 2. @default the convening's */
  temperature?: number | undefined;
}

/** A judge in a configuration. */
export interface JudgeConfig {
  /** Unique among participants and judges. @default "judge", of several "judge-1" and so on */
  id?: string | undefined;
  /** As readers see it. @default "Judge", of several "Judge 1" and so on */
  name?: string | undefined;
  /** The name of its model. @default the moderator's */
  model?: string | undefined;
  /** What it scores by. @default "debate" */
  rubric?: "debate" | undefined;
  /** 0 to 2. @default `judgeTemperature` */
  temperature?: number | undefined;
}

/** Limits in a configuration; see `Limits`. */
export interface LimitsConfig {
  /** Turns, over the whole record. */
  maxTurns?: number | undefined;
  /** Milliseconds, of the present run. */
  maxDuration?: number | undefined;
  /** Tokens of every call, over the whole record. */
  maxTokens?: number | undefined;
  /** US dollars, over the whole record. */
  maxCost?: number | undefined;
}

/** A dated price table in a configuration: US dollars per million tokens. */
export interface PricesConfig {
  /** The day the prices were read, such as `2026-11-01`. */
  date: string;
  /** From a model's name to its price. */
  models: Record<string, { input: number; cachedInput?: number | undefined; output: number }>;
}

/** How requests that failed are sent again; see `RetryOptions`. */
export interface RetryConfig {
  /** How often at most, 0 to 10. */
  retries?: number | undefined;
  /** Milliseconds before the first retry. */
  minWait?: number | undefined;
  /** Milliseconds between retries at most. */
  maxWait?: number | undefined;
  /** Milliseconds a provider may ask for at most; 0 fails at once. */
  maxRetryAfter?: number | undefined;
}

/** The keys every kind of convening has. */
export interface CommonConfig {
  /** 10 to 200 characters. */
  topic: string;
  /** The model of every role that names none. @default "gpt-4o-mini" with a key or base URL, else "offline" */
  model?: string | undefined;
  /** A server of the OpenAI protocol, for models without a provider prefix. */
  baseUrl?: string | undefined;
  /** Who takes part; two or more. */
  participants?: ParticipantConfig[] | undefined;
  /** 0 to 2. @default the provider's */
  temperature?: number | undefined;
  /** 0 to 4294967295. @default drawn */
  seed?: number | undefined;
  /** Whether the user gave the seed (it is then sent to models too). */
  seedGiven?: boolean | undefined;
  /** The archive's folder. @default "convenings" */
  out?: string | undefined;
  /** Limits of the whole convening. @default none */
  limits?: LimitsConfig | undefined;
  /** Past this many tokens a prompt's oldest turns are folded; 0 is unbounded. @default 12000 */
  maxPromptTokens?: number | undefined;
  /** The language asked of models. @default the topic's */
  language?: string | undefined;
  /** Background files, markdown or text, quoted to all. */
  sources?: string[] | undefined;
  /** Tokens of the sources quoted together. @default 4000 */
  sourceTokens?: number | undefined;
  /** Forms of a whole transcript to write at the end. @default none */
  transcript?: TranscriptFormat[] | undefined;
  /** The words a spoken turn must have, 200 to 1000. @default any number */
  words?: { min: number; max: number } | undefined;
  /** Milliseconds of one attempt at a turn. @default none */
  turnMaxDuration?: number | undefined;
  /** Terms a topic may not contain. @default a short list */
  refusedTerms?: string[] | undefined;
  /** Templates by name, over the workflow's own. */
  prompts?: Record<string, string> | undefined;
  /** Prices over the built-in table. */
  prices?: PricesConfig | undefined;
  /** More providers by name: their base URL, and the variable that holds their key. */
  providers?:
    | Record<string, { baseUrl: string; apiKeyEnv?: string | undefined }>
    | undefined;
  /** How requests that failed are sent again. */
  retry?: RetryConfig | undefined;
  /** Milliseconds without a piece of an answer before a request fails. @default 60000 */
  idleTimeout?: number | undefined;
  /** Milliseconds a whole answer may take. @default 300000 */
  totalTimeout?: number | undefined;
}

/** A dialogue's configuration, as plain data. */
export interface DialogueConfig extends CommonConfig {
  /** Tells configurations apart. */
  kind: "dialogue";
  /** How many turns it has. @default 10 */
  maxTurns?: number | undefined;
  /** The most tokens of a turn. @default 250 */
  maxTokensPerTurn?: number | undefined;
}

/** A debate's configuration, as plain data; for the defaults see `DEBATE_DEFAULTS`. */
export interface DebateConfig extends CommonConfig {
  /** Tells configurations apart. */
  kind: "debate";
  /** What the sides stand for, in the place of `participants`; two or more that differ. @default made from the topic */
  positions?: string[] | undefined;
  /** Who judges. @default one judge with the moderator's model */
  judges?: JudgeConfig[] | undefined;
  /** Of those who judge, 0 to 2. @default the provider's */
  judgeTemperature?: number | undefined;
  /** The moderator's model. @default the convening's */
  moderatorModel?: string | undefined;
  /** Tone, rules and how the criteria weigh. */
  debateFormat?: DebateFormat | undefined;
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
  /** Whether the moderator sums up each round. */
  roundSummaries?: boolean | undefined;
  /** Whether openings are written at once, none seeing another. */
  blindOpenings?: boolean | undefined;
  /** Whether a round's advocates speak in turn or all at once. */
  pacing?: "sequential" | "simultaneous" | undefined;
  /** Who closes first. */
  closingOrder?: "opening" | "reversed" | undefined;
  /** Whether the introduction is a template's text or a model's turn; or there is no moderator. */
  moderation?: "template" | "model" | "none" | undefined;
  /** Whether judges score the turns and name a winner. */
  scoringEnabled?: boolean | undefined;
  /** Whether a whole transcript in markdown is written at the end. */
  generateFullTranscript?: boolean | undefined;
}

/** Any convening's configuration, as plain data. */
export type ConveningConfig = DialogueConfig | DebateConfig;
