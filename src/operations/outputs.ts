// Schemas: tools for them, and those of the outputs that several operations have in common: usage, results, standings, convenings.
import { z } from "zod";
import { END_REASONS } from "../core/fact.ts";
import type { Usage } from "../core/message.ts";
import { CLAIM_VERDICTS, JUDGE_NOTE_KINDS, STRENGTH_LEVELS, VOTE_SPLITS } from "../core/outcome.ts";
import { mapValues, objectIn } from "../core/values.ts";

/** A type whose arrays and objects are read-only at every depth. */
export type Given<T> = T extends readonly (infer U)[] ? readonly Given<U>[]
  : T extends object ? { readonly [K in keyof T]: Given<T[K]> }
  : T;

/** Schemas that are named components of the OpenAPI document. */
export const NAMED: z.core.$ZodRegistry<{ id: string }> = z.registry<{ id: string }>();

/** Registers a schema as a named component of the OpenAPI document, and returns it. */
export function named<S extends z.ZodType>(id: string, schema: S): S {
  NAMED.add(schema, { id });
  return schema;
}

/** Schema of a name or an id, such as a model's. */
export const NAME: z.ZodString = z.string().min(1).max(200);

/** A type whose nullable keys may also be absent, at every depth; extra keys are allowed. */
type Loose<T> = T extends readonly (infer U)[] ? readonly Loose<U>[]
  : T extends object ?
      & { readonly [K in keyof T as null extends T[K] ? never : K]: Loose<T[K]> }
      & { readonly [K in keyof T as null extends T[K] ? K : never]?: Loose<T[K]> | undefined }
  : T;

/** Reduces a value to the keys of its schema, at every depth; an absent nullable key becomes null. */
export function jsonOf<S extends z.ZodType>(
  schema: S,
  value: Loose<z.output<S>>,
): Given<z.output<S>> {
  return fitToSchema(schema, value) as Given<z.output<S>>;
}

function fitToSchema(schema: unknown, value: unknown): unknown {
  if (value === undefined || value === null) {
    return schema instanceof z.ZodNullable ? null : value;
  }
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    return fitToSchema(schema.unwrap(), value);
  }
  if (schema instanceof z.ZodArray) {
    return (value as readonly unknown[]).map((each) => fitToSchema(schema.element, each));
  }
  if (schema instanceof z.ZodRecord) {
    return mapValues(objectIn(value), (each) => fitToSchema(schema.valueType, each));
  }
  if (!(schema instanceof z.ZodObject)) return value;
  const values = new Map(Object.entries(value));
  const parts = Object.entries(schema.shape)
    .map(([key, part]) => [key, fitToSchema(part, values.get(key))] as const);
  return Object.fromEntries(parts.filter(([, part]) => part !== undefined));
}

/** Statuses of a convening: the recorded statuses, and those that only a process can tell, such as "queued". */
export const STATUSES = [
  "queued",
  "running",
  "waiting",
  "paused",
  "completed",
  "stopped",
  "failed",
  "interrupted",
  "unreadable",
] as const;

export type ShownStatus = typeof STATUSES[number];

const text = z.string();
export const count = z.int().min(0);
export const costUsd = z.union([z.number(), z.literal("unknown")]);
const share = z.number();
const time = z.string().describe("ISO 8601, UTC, with milliseconds.");
const texts = z.array(text);
const numbers = z.record(text, z.number());
const participant = z.string().describe("The participant's id.");

/** Schema of the tokens and the cost of calls to models. */
export const usage = named(
  "Usage",
  z.object(
    {
      inputTokens: count.describe("Tokens read, the cached ones included."),
      cachedInputTokens: count.describe("Tokens read from the provider's prompt cache."),
      outputTokens: count.describe("Tokens written, hidden reasoning included."),
      reasoningTokens: count.optional().describe("Tokens written as hidden reasoning."),
      costUsd: costUsd.describe(
        "US dollars; unknown for a model without a price.",
      ),
      cacheWriteTokens: count.optional().describe("Tokens written to the provider's prompt cache."),
      embeddingTokens: count.optional().describe("Tokens read by an embedding model."),
      pricedBy: text.optional().describe(
        "Price table of the cost; `estimated by MODEL` where it has only a related version.",
      ),
      tokensEstimated: z.boolean().optional().describe(
        "Present if a provider reported no counts, and this program counted.",
      ),
    } satisfies Record<keyof Usage, z.ZodType>,
  ),
);

/** Schema of the URL paths of a convening's resources, by resource. */
export const links = z.record(text, text).describe("Paths of this server, by resource.");

export const status = z.enum(STATUSES);
export const queuePosition = z.int().min(1).nullable().describe("The place in the queue, from 1.");
export const questionOfPapers = z.string().nullable()
  .describe("The question of a debate over papers, once it is known.");
export const outcome = z.enum(["decided", "undecided", "unscored"]);
export const winner = z.string().nullable().describe("A participant's id; null where no one won.");

const state = {
  status,
  queuePosition,
  error: z.object({ code: text, message: text }).optional().describe(
    "Why the last run of this server failed.",
  ),
};
const idAndState = { id: text, ...state };

/** Status, queue position and last error of a convening. */
export type StateJson = Given<z.output<z.ZodObject<typeof state>>>;

/** Output schema of an act on a convening: its state, with links. */
export const standingOutput = named("Standing", z.object({ ...idAndState, links }));

/** Output schema of a request to the process that runs a convening. */
export const heldOutput = named(
  "HeldStanding",
  z.object({
    ...idAndState,
    held: z.boolean().describe("Whether a process runs the convening."),
    links,
  }),
);

const scores = z.record(
  text,
  named(
    "ParticipantStanding",
    z.object({
      name: text,
      total: z.number().describe("On the rubric's scale, four decimals."),
      breakdown: numbers.describe("From criterion to mean."),
      scored: count.describe("How many scores the total rests on."),
      missing: count.describe("How many scores could not be read."),
      unmatched: count.optional().describe(
        "How many readable scores are not counted, because the judge has no score for the matching turn of another side.",
      ),
    }),
  ),
).describe("By participant, those with a readable score; by the first judge's rubric.");

const agreement = named(
  "Agreement",
  z.object({
    alpha: z.number().nullable().describe("Krippendorff's alpha of all totals."),
    judges: z.array(z.object({
      judge: text,
      model: text,
      rubric: text,
      scored: count,
      mean: z.number().nullable(),
      alphaWithout: z.number().nullable().describe("The panel's alpha without the judge."),
      withOthers: z.number().nullable().describe("The correlation with the others' mean."),
      byLength: z.number().nullable().describe("The rank correlation with the words of speeches."),
      votes: z.array(text.nullable()).describe("The side named in each order; null for a tie."),
      steady: z.boolean().describe("Whether the judge named the same side in every order."),
    })),
    spread: numbers.describe("From criterion to the mean standard deviation among judges."),
  }),
);

const strength = named(
  "Strength",
  z.object({
    level: z.enum(STRENGTH_LEVELS),
    sentence: text.describe("Level, votes, steadiness and margin in one sentence."),
    votes: z.array(z.object({
      judge: text,
      model: text,
      rubric: text,
      winner,
      split: z.enum(VOTE_SPLITS).nullable().describe("Why the verdicts make no vote."),
      askings: count.describe("Verdicts of the judge."),
      tiebreak: z.boolean().describe("Whether the judge was asked since the panel tied."),
    })),
    judgeNotes: z.array(z.object({
      kind: z.enum(JUDGE_NOTE_KINDS),
      judge: text.nullable(),
      sentence: text,
    })),
    steadinessMeasured: z.boolean().describe("Whether every pass was asked more than once."),
    margin: z.number().nullable().describe("The winner's total less the best other total."),
    spread: z.number().nullable().describe(
      "The margin of error (95 %) of the margin; null with too few turns.",
    ),
  }),
);

const verdicts = CLAIM_VERDICTS.map((each) => [each, count] as const);
const claimCounts = {
  claims: count,
  ...Object.fromEntries(verdicts) as Record<typeof CLAIM_VERDICTS[number], typeof count>,
};
const factChecks = named(
  "FactCheckSummary",
  z.object({
    mode: z.enum(["standard", "strict"]),
    checked: count.describe("Messages whose claims were looked up."),
    unchecked: count.describe("Messages that the checker failed on."),
    ...claimCounts,
    byParticipant: z.record(
      text,
      z.object({ ...claimCounts, factuality: share.nullable().describe("0 to 1.") }),
    ),
  }),
);

const audience = named(
  "Audience",
  z.object({
    members: count,
    missing: count.describe("Members whose stance could not be read."),
    sides: z.record(text, z.object({ before: share, after: share, moved: share })),
    winner,
  }),
);

const proposal = z.object({
  id: text,
  text,
  by: texts,
  share: share.describe("The share of participants that agree."),
  holds: z.record(
    text,
    z.object({
      stance: z.enum(["agree", "disagree", "abstain"]),
      strength: share,
      condition: text.nullable(),
    }),
  ).describe("The last stance of each participant."),
});
const consensus = named(
  "Consensus",
  z.object({ threshold: share, agreed: z.array(proposal), open: z.array(proposal) }),
);

/** Output keys of a panel's assessment. */
const judged = {
  outcome,
  winner,
  scores,
  unscored: texts.describe("Scored participants without a total."),
  reasons: z.array(z.object({
    judge: text,
    model: text,
    winner,
    split: z.enum(VOTE_SPLITS).nullable().describe("Why the verdicts make no vote."),
    verdict: count.describe("The number of the verdict that is quoted."),
    named: text.nullable().describe(
      "The id of the quoted verdict's side, if the judge has no vote.",
    ),
    quote: text.describe("A sentence of the judge's reasons."),
  })).nullable().describe("Vote and reason of each judge."),
  strength: strength.nullable(),
  agreement: agreement.nullable(),
  contradictions: texts.nullable().describe("Where winner, verdicts and scores do not agree."),
  notes: texts.nullable().describe("What a reader should know of the judges."),
};

const judge = z.object({ id: text, name: text, model: text, rubric: text });

const ofPaperDebate = {
  question: text.nullable().describe("The question of a paper debate, once it is settled."),
  postures: texts.nullable().describe("The postures of a paper debate."),
  topics: texts.nullable().describe("The topics of a paper debate."),
  report: text.nullable().describe("The path of a paper debate's report."),
  verification: z.array(
    z.object({ participant, posture: text, verified: count, notFound: count }),
  ).nullable().describe("How many quotations and citations of each debater were found."),
};

const result = {
  status,
  endReason: z.enum(END_REASONS).nullable(),
  ...judged,
  outcome: outcome.nullable().describe("null until the convening ends."),
  value: z.unknown().optional().describe("What the protocol returned, of kinds that keep it."),
  usage,
  waitingFor: z.array(z.object({
    participant,
    turn: text,
    rejected: text.optional().describe("Why the last words for the turn were rejected."),
  })).nullable().describe("The turns that wait for a person."),
  factChecks: factChecks.nullable(),
  audience: audience.nullable(),
  baseline: z.array(
    z.object({
      judge: text,
      model: text,
      before: text.nullable(),
      after: text.nullable(),
      changed: z.boolean(),
    }),
  ).nullable().describe("What each judge answered alone, before the debate and after."),
  noModelSpoke: z.literal(true).optional().describe(
    "Present if the offline agent or people spoke, and no model.",
  ),
  consensus: consensus.nullable(),
  ...ofPaperDebate,
};

/** Output schema of a run's result; `dir` is the absolute path of its directory, null for a record in memory. */
export const resultOutput = z.object({ dir: text.nullable(), ...result });

const convening = {
  ...result,
  ...idAndState,
  kind: text,
  topic: text,
  startedAt: time,
  endedAt: time.nullable(),
  seed: z.number(),
  participants: z.array(
    z.object({ id: text, name: text, role: text, position: text.nullable(), model: text }),
  ),
  judges: z.array(judge),
  sources: texts,
  papers: z.array(z.object({ id: text, title: text })),
  parent: z.object({ id: text, seq: count }).nullable().describe(
    "The convening that this is a fork of, and the last copied message.",
  ),
  messages: count.describe("Number of messages."),
  summary: text,
  links,
};

/** Output schema of a convening, without long texts. */
export const conveningOutput = named("Convening", z.object(convening));

export type ConveningJson = Given<z.output<typeof conveningOutput>>;

export const panelOutput = z.object({
  rubric: text.nullable(),
  judges: z.array(judge.omit({ rubric: true })),
  endReason: z.enum(END_REASONS).describe("completed, or the limit that ended the judging."),
  ...judged,
}).describe("The result of the new panel alone.");

export type PanelJson = Given<z.output<typeof panelOutput>>;

export const judgedOutput = named(
  "JudgedConvening",
  z.object({ ...convening, panel: panelOutput }),
);

/** Schema of the speakers and kinds of messages, for a filter that fits no message. */
export const known = z.object({ speakers: texts, kinds: texts }).optional().describe(
  "Present if the filter fits no message: names of speakers, and kinds of messages.",
);

/** Schema of the damaged files that an output leaves out. */
export const skipped = z.array(z.object({ path: text, problem: text })).describe(
  "Damaged files, which are left out.",
);
