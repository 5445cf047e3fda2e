import { z } from "zod";
import type {
  ConsensusConfig,
  ConveningConfig,
  DebateConfig,
  DebateFormat,
  DialogueConfig,
  PaperDebateConfig,
  PresetName,
  RetrievalMode,
  TranscriptFormat,
} from "./convening_config.ts";
import { ConfigurationError } from "../core/error.ts";
import type { Schema } from "../core/schema.ts";

export type {
  ConsensusConfig,
  ConveningConfig,
  DebateConfig,
  DialogueConfig,
  PaperDebateConfig,
  TranscriptFormat,
} from "./convening_config.ts";

/** A schema for every key of `C`, which all must be there. */
type Shape<C> = { readonly [K in keyof C]-?: z.ZodType<C[K]> };

/** A name, a path or a sentence. */
const words = z.string().min(1).max(2000);
/** Instructions of several paragraphs, or a whole YAML text. */
const passage = z.string().min(1).max(20_000);
const address = z.url({ protocol: /^https?$/ }).max(2000);
/** Participants, judges or positions. */
const MOST_PEOPLE = 100;
const terms = z.array(words).max(1000);
const tokens = z.int().min(1);
/** The range of words a turn can be held to (context-network/rules/every_convening.md). */
const wordCount = z.int().min(200).max(1000);
const temperature = z.number().min(0).max(2);

/** The four formats of a debate. */
export const DEBATE_FORMATS = [
  "formal",
  "casual",
  "educational",
  "competitive",
] as const satisfies readonly DebateFormat[];
/** The forms a whole transcript can be written in. */
export const TRANSCRIPT_FORMATS = [
  "md",
  "json",
  "txt",
  "html",
] as const satisfies readonly TranscriptFormat[];

/** The presets of a debate. */
export const PRESET_NAMES = [
  "alternating",
  "pro-con",
  "oxford",
  "self-play",
] as const satisfies readonly PresetName[];
/** What is done about false claims. */
export const FACT_CHECK_MODES = ["off", "standard", "strict"] as const;
/** How a topic is checked for abuse. */
export const TOPIC_CHECKS = ["words", "provider", "off"] as const;
/** How the next speaker of a dialogue is chosen. */
export const SELECTIONS = ["round-robin", "moderator", "bids"] as const;

/** How passages of papers are found. */
export const RETRIEVAL_MODES = [
  "keyword",
  "semantic",
  "hybrid",
] as const satisfies readonly RetrievalMode[];

const guardMode = z.enum(["off", "warn", "reject"]);
const share = z.number().min(0).max(1);

const guards = z.strictObject({
  repetition: z.union([
    guardMode,
    z.strictObject({ mode: guardMode.optional(), threshold: share.optional() }),
  ]).optional(),
  coherence: z.union([
    guardMode,
    z.strictObject({
      mode: guardMode.optional(),
      threshold: z.union([share, z.literal("strict")]).optional(),
    }),
  ]).optional(),
  refusedTerms: z.union([
    guardMode,
    z.strictObject({ mode: guardMode.optional(), terms: terms.optional() }),
  ]).optional(),
  length: guardMode.optional(),
  persona: guardMode.optional(),
});

const factCheck = z.strictObject({
  mode: z.enum(FACT_CHECK_MODES).optional(),
  maxClaims: z.int().min(1).max(5).optional(),
  rejectFrom: share.optional(),
  extractionModel: words.optional(),
  verificationModel: words.optional(),
  searchUrl: address.optional(),
});

const listener = z.strictObject({
  name: words.optional(),
  model: words.optional(),
  persona: passage.optional(),
});

const participant = z.strictObject({
  id: z.string().regex(
    /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/,
    "an id has letters, digits, '_', '.' and '-', at most 64",
  ).optional(),
  name: words,
  role: z.string().regex(/^[a-z][a-z0-9_]{0,31}$/, "a role is in snake_case")
    .optional(),
  position: words.optional(),
  persona: passage.optional(),
  motivation: words.optional(),
  systemPrompt: passage.optional(),
  model: words.optional(),
  temperature: temperature.optional(),
});

const rubric = z.union([
  words,
  z.strictObject({
    id: z.string().regex(
      /^[a-z][a-z0-9_-]{0,63}$/,
      "a rubric's id has small letters, digits, '-' and '_'",
    ),
    scale: z.tuple([z.number(), z.number()]),
    criteria: z.array(
      z.strictObject({
        id: words,
        weight: share,
        description: words,
        answers: z.boolean().optional(),
      }),
    ).min(1).max(20),
    anchors: z.array(z.strictObject({ from: z.number(), means: words })).max(20),
  }),
]);

const judge = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/).optional(),
  name: words.optional(),
  model: words.optional(),
  rubric: rubric.optional(),
  temperature: temperature.optional(),
});

const limits = z.strictObject({
  maxTurns: z.int().min(1).optional(),
  maxDuration: z.number().positive().optional(),
  maxTokens: tokens.optional(),
  maxCost: z.number().positive().optional(),
});

const price = z.strictObject({
  input: z.number().min(0),
  cachedInput: z.number().min(0).optional(),
  output: z.number().min(0),
});

/** The keys every kind of convening has. */
const common = {
  // Topics have rules and an error of their own.
  topic: z.string().max(100_000),
  /** The model of every role that names none. */
  model: words.optional(),
  baseUrl: address.optional(),
  participants: z.array(participant).min(2).max(MOST_PEOPLE).optional(),
  temperature: temperature.optional(),
  seed: z.int().min(0).max(0xffffffff).optional(),
  /** Whether the user gave the seed (it is then sent to models too). */
  seedGiven: z.boolean().optional(),
  out: words.optional(),
  limits: limits.optional(),
  maxPromptTokens: z.int().min(0).optional(),
  language: words.max(100).optional(),
  sources: z.array(words).max(1000).optional(),
  sourceTokens: z.int().min(0).optional(),
  transcript: z.array(z.enum(TRANSCRIPT_FORMATS)).max(20).optional(),
  words: z.strictObject({ min: wordCount, max: wordCount })
    .refine(({ min, max }) => min <= max, "min may not be over max").optional(),
  turnMaxDuration: z.number().positive().optional(),
  topicCheck: z.enum(TOPIC_CHECKS).optional(),
  refusedTerms: terms.optional(),
  prompts: z.record(z.string(), z.string().max(20_000)).optional(),
  prices: z.strictObject({
    date: z.iso.date(),
    models: z.record(z.string(), price),
  }).optional(),
  providers: z.record(
    z.string().regex(
      /^[a-z][a-z0-9-]*$/,
      "a provider's name has small letters, digits and '-'",
    ),
    z.strictObject({
      baseUrl: address,
      apiKeyEnv: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/).optional(),
    }),
  ).optional(),
  retry: z.strictObject({
    retries: z.int().min(0).max(10).optional(),
    minWait: z.number().min(0).optional(),
    maxWait: z.number().min(0).optional(),
    maxRetryAfter: z.number().min(0).optional(),
  }).optional(),
  guards: guards.optional(),
  factCheck: factCheck.optional(),
  personas: words.optional(),
  memory: words.optional(),
  personTimeout: z.number().min(0).optional(),
  idleTimeout: z.number().positive().optional(),
  totalTimeout: z.number().positive().optional(),
  maxReplyBytes: z.int().min(1000).max(100_000_000).optional(),
};

/** A plain dialogue's configuration: keys, types and ranges. */
const dialogueSchema = z.strictObject(
  {
    kind: z.literal("dialogue"),
    ...common,
    maxTurns: z.int().min(1).optional(),
    maxTokensPerTurn: tokens.optional(),
    select: z.enum(SELECTIONS).optional(),
    moderatorModel: words.optional(),
  } satisfies Shape<DialogueConfig>,
);

/** A consensus dialogue's configuration: keys, types and ranges. */
const consensusSchema = z.strictObject(
  {
    kind: z.literal("consensus"),
    ...common,
    threshold: share.optional(),
    stableTurns: z.int().min(1).max(1000).optional(),
    maxTokensPerTurn: tokens.optional(),
    moderatorModel: words.optional(),
  } satisfies Shape<ConsensusConfig>,
);

/** A debate's configuration: keys, types and ranges. */
export const debateSchema = z.strictObject(
  {
    kind: z.literal("debate"),
    ...common,
    positions: z.array(words).min(2).max(MOST_PEOPLE).optional(),
    judges: z.array(judge).min(1).max(MOST_PEOPLE).optional(),
    judgeTemperature: temperature.optional(),
    moderatorModel: words.optional(),
    preset: z.enum(PRESET_NAMES).optional(),
    rubric: rubric.optional(),
    debateFormat: z.enum(DEBATE_FORMATS).optional(),
    exchange: z.enum(["rebuttals", "alternating", "statements"]).optional(),
    openings: z.boolean().optional(),
    closings: z.boolean().optional(),
    turnForm: z.enum(["speech", "rcr"]).optional(),
    summaryBy: z.enum(["moderator", "judge", "none"]).optional(),
    interruptions: z.enum(["none", "facts", "rules", "both", "format"]).optional(),
    adaptive: z.boolean().optional(),
    decision: z.enum(["judges", "audience"]).optional(),
    audience: z.array(listener).min(1).max(50).optional(),
    baseline: z.boolean().optional(),
    roundCount: z.int().min(0).max(1000).optional(),
    openingStatementMaxTokens: tokens.optional(),
    argumentMaxTokens: tokens.optional(),
    closingStatementMaxTokens: tokens.optional(),
    summaryMaxTokens: tokens.optional(),
    roundSummaries: z.boolean().optional(),
    blindOpenings: z.boolean().optional(),
    pacing: z.enum(["sequential", "simultaneous"]).optional(),
    closingOrder: z.enum(["opening", "reversed"]).optional(),
    moderation: z.enum(["template", "model", "none"]).optional(),
    scoringEnabled: z.boolean().optional(),
    generateFullTranscript: z.boolean().optional(),
  } satisfies Shape<DebateConfig>,
);

const characters = z.int().min(0).max(10_000_000);

/** A paper debate's configuration: keys, types and ranges. */
export const paperDebateSchema = z.strictObject(
  {
    kind: z.literal("paper-debate"),
    ...common,
    topic: z.string().max(100_000).optional(),
    papers: z.array(words).min(1).max(20),
    title: words.max(500).optional(),
    question: words.max(1000).optional(),
    pick: z.union([z.int().min(1), z.literal("ask")]).optional(),
    postures: z.int().min(2).max(8).optional(),
    crossExamine: z.boolean().optional(),
    retrieval: z.enum(RETRIEVAL_MODES).optional(),
    paperCharacters: z.strictObject({
      questions: characters.optional(),
      postures: characters.optional(),
      debaters: characters.optional(),
    }).optional(),
    judges: z.array(judge).min(1).max(MOST_PEOPLE).optional(),
    judgeTemperature: temperature.optional(),
    rubric: rubric.optional(),
    argumentMaxTokens: tokens.optional(),
    crossExaminationMaxTokens: tokens.optional(),
    reportMaxTokens: tokens.optional(),
    judgeMaxTokens: tokens.optional(),
  } satisfies Shape<PaperDebateConfig>,
);

const kinds = z.discriminatedUnion("kind", [
  dialogueSchema,
  debateSchema,
  consensusSchema,
  paperDebateSchema,
]);

const SCHEMAS = {
  dialogue: dialogueSchema,
  debate: debateSchema,
  consensus: consensusSchema,
  "paper-debate": paperDebateSchema,
};

/** Every kind's configuration, told apart by `kind`: keys, types and ranges. */
export const configSchema: Schema<ConveningConfig> = kinds;

/** The configuration, checked; every error names the key, the value, and what is allowed. */
export function parseConfig(input: unknown): ConveningConfig {
  const result = kinds.safeParse(input);
  if (result.success) return result.data;
  throw configError(input, meant(result.error.issues[0]!));
}

/** Of a value that can have several forms, what is wrong with the form that was meant: with a part of it, not with all of it. */
function meant(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== "invalid_union") return issue;
  const within = issue.errors.map(([first]) => first).find((first) =>
    first !== undefined && (first.path.length > 0 || first.code === "unrecognized_keys")
  );
  return within === undefined ? issue : meant({ ...within, path: [...issue.path, ...within.path] });
}

function configError(
  input: unknown,
  issue: z.core.$ZodIssue,
): ConfigurationError {
  const unknown = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const path = [...issue.path, ...(unknown === undefined ? [] : [unknown])].map(
    String,
  );
  const key = path.join(".") || "configuration";
  if (unknown !== undefined) {
    return new ConfigurationError(
      `Cannot use the configuration: unknown key "${key}"`,
      {
        field: key,
        hint: `Allowed here: ${allowedKeys(input, path.slice(0, -1)).join(", ")}`,
      },
    );
  }
  const value = path.reduce<unknown>(
    (at, part) => (at as Record<string, unknown> | undefined)?.[part],
    input,
  );
  const shown = value === undefined ? "nothing" : JSON.stringify(value)?.slice(0, 80);
  return new ConfigurationError(`Cannot use ${key}: ${shown} is not allowed`, {
    field: key,
    hint: allowed(issue),
  });
}

function allowed(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_value") {
    return `Allowed: ${issue.values.join(", ")}`;
  }
  if (issue.code === "invalid_union" && issue.path[0] === "kind") {
    return `Allowed kinds: ${Object.keys(SCHEMAS).join(", ")}`;
  }
  if (issue.code === "invalid_union") {
    return issue.errors.map(([first]) => first === undefined ? "" : allowed(first)).join("; or ");
  }
  if (issue.code === "invalid_key") return issue.issues[0]?.message ?? issue.message;
  return issue.message;
}

/** The keys allowed at a path of the input's schema. */
function allowedKeys(input: unknown, path: readonly string[]): string[] {
  const kind = (input as { kind?: unknown } | undefined)?.kind;
  let at: unknown = SCHEMAS[kind as keyof typeof SCHEMAS] ?? debateSchema;
  for (const part of path) at = step(at, part);
  const inner = unwrap(at);
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
}

function step(schema: unknown, part: string): unknown {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) return inner.shape[part];
  if (inner instanceof z.ZodArray) return inner.element;
  if (inner instanceof z.ZodRecord) return inner.valueType;
  return undefined;
}

function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional) return unwrap(schema.unwrap());
  // Of several forms, the mapping: no other has keys.
  if (!(schema instanceof z.ZodUnion)) return schema;
  return schema.options.find((option) => option instanceof z.ZodObject) ?? schema;
}
