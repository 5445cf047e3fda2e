// Schemas for the values of settings, and the allowed values of choices. Schemas of objects are built with the first
// configuration that is validated, because many commands validate none.
import { z } from "zod";
import { idShape, roleShape } from "../core/check_fields.ts";
import { EFFORTS, profileKeys } from "../core/profile.ts";
import { memoByObject } from "../core/values.ts";

/** Default folder of the archive. */
export const DEFAULT_OUT = "convenings";

export const DEBATE_FORMATS = ["formal", "casual", "educational", "competitive"] as const;
export const TRANSCRIPT_FORMATS = ["md", "json", "txt", "html", "argdown"] as const;
export const PRESET_NAMES = ["alternating", "pro-con", "oxford", "self-play"] as const;
export const FACT_CHECK_MODES = ["off", "standard", "strict"] as const;
export const TOPIC_CHECKS = ["words", "provider", "off"] as const;
export const SELECTIONS = ["round-robin", "moderator", "bids"] as const;
export const RETRIEVAL_MODES = ["keyword", "semantic", "hybrid"] as const;

export function text(most: number): z.ZodString {
  return z.string().min(1).max(most);
}
/** Schema of a name, a path or a sentence. */
export const words = text(2000);
/** Schema of several paragraphs, or of a whole YAML text. */
const passage = text(20_000);
export const address = z.url({ protocol: /^https?$/ }).max(2000);
export const terms = z.array(words).max(1000);
export const tokens = z.int().min(1);
/** Schema of a time; its error names the unit, since flags take 90s and 10m. */
export const milliseconds = z.number({
  error: ({ code }) => code === "invalid_type" ? "Give a number of milliseconds." : undefined,
});
export const temperature = z.number().min(0).max(2);
export const share = z.number().min(0).max(1);
export const MOST_PEOPLE = 100;

/** Bounds of the words of a spoken turn (context-network/rules/every_convening.md). */
export const TURN_WORDS = { min: 200, max: 1000 } as const;
const wordCount = z.int().min(TURN_WORDS.min).max(TURN_WORDS.max);

/** Schema of the range of words of a turn (context-network/rules/every_convening.md). */
export const wordRange = z.lazy(() =>
  z.strictObject({
    min: wordCount.describe("The fewest words."),
    max: wordCount.describe("The most words."),
  }).refine(({ min, max }) => min <= max, "min may not be over max")
);

const guardMode = z.enum(["off", "warn", "reject"]);
const mode = guardMode.optional().describe("Ignore a finding, mark it, or reject the turn.");

/** Makes the schema of a guard: its mode, or its mode and other settings. */
function guard<S extends z.core.$ZodLooseShape>(about: string, settings: S) {
  return z.union([guardMode, z.strictObject({ mode, ...settings })]).optional().describe(about);
}

export const guards = z.lazy(() =>
  z.strictObject({
    repetition: guard("Turns that repeat an earlier turn. Default: reject, 0.95.", {
      threshold: share.optional().describe("The similarity from which a turn repeats another."),
    }),
    coherence: guard("Turns that stray from topic, position and question. Default: off.", {
      threshold: z.union([share, z.literal("strict")]).optional().describe(
        "The coherence below which a turn strays; strict is 0.7.",
      ),
    }),
    refusedTerms: guard("Turns with a refused term. Default: reject, the terms of refusedTerms.", {
      terms: terms.optional().describe("The terms."),
    }),
    length: guardMode.optional().describe(
      "Turns with fewer or more words than words allows. Default: reject.",
    ),
    persona: guardMode.optional().describe(
      "Turns that a model finds unlike the speaker's persona. Default: off.",
    ),
  })
);

export const listener = z.lazy(() =>
  z.strictObject({
    name: words.optional().describe("The name for readers. Default: Listener 1 and so on."),
    model: words.optional().describe("The name of the model. Default: the judges' model."),
    persona: passage.optional().describe("A persona's id, YAML file or text."),
  })
);

export const participant = z.lazy(() =>
  z.strictObject({
    id: idShape.optional().describe("A unique id. Default: made from the name."),
    name: words.describe("The name for readers."),
    role: roleShape.optional().describe(
      "The role, in snake_case. Default: position_advocate in a debate, debater over papers, else participant.",
    ),
    position: words.optional().describe("The position of the participant."),
    persona: passage.optional().describe("A persona's id, YAML file, or text for the prompt."),
    motivation: words.optional().describe(
      "The aim of the participant, such as truth-seeking; shapes bids and turns.",
    ),
    systemPrompt: passage.optional().describe("More instructions."),
    model: words.optional().describe("The name of the model. Default: the convening's model."),
    temperature: temperature.optional().describe("0 to 2. Default: the convening's temperature."),
    reasoningEffort: z.enum(EFFORTS).optional().describe(
      "The effort of hidden reasoning. Default: the convening's.",
    ),
  })
);

/** Schema of the id of a rubric, or of a persona in a file. */
export const dataId = z.string().regex(
  /^[a-z][a-z0-9_-]{0,63}$/,
  "an id has small letters, digits, '-' and '_', at most 64",
);

/** Makes the schema of a rubric that is written out; `texts` is the schema of its descriptions. */
export const rubricShape = memoByObject((texts: z.ZodString) => {
  const anchors = z.array(
    z.strictObject({
      from: z.number().describe("The least score."),
      means: texts.max(2000).describe("The meaning of the score."),
    }),
  ).max(20);
  return z.strictObject({
    id: dataId.describe("The id."),
    scale: z.tuple([z.number(), z.number()]).describe("The least and the most of a criterion."),
    criteria: z.array(
      z.strictObject({
        id: words.describe("The id."),
        weight: share.describe("The weight; all weights sum to 1."),
        description: texts.max(2000).describe("The question that the criterion asks."),
        answers: z.boolean().optional().describe(
          "Whether only turns after another side's turn are scored. Default: false.",
        ),
        evidence: z.boolean().optional().describe(
          "Whether the share of claims that were not refuted caps its scores. Default: false.",
        ),
        anchors: anchors.optional().describe(
          "The meanings of scores on this criterion. Default: those of the rubric.",
        ),
      }),
    ).min(1).max(20).describe("The criteria."),
    anchors: anchors.describe("The meanings of scores."),
  });
});

/** Schema of a rubric: an id, a YAML file, or the rubric itself. */
export const rubric = z.lazy(() => z.union([words, rubricShape(words)]));

export const judge = z.lazy(() =>
  z.strictObject({
    id: idShape.optional().describe("A unique id. Default: judge, or judge-1 and so on."),
    name: words.optional().describe("The name for readers. Default: Judge, or Judge 1 and so on."),
    model: words.optional().describe("The name of the model. Default: the moderator's model."),
    rubric: rubric.optional().describe(
      "A rubric's id, YAML file, or the rubric. Default: the convening's rubric.",
    ),
    temperature: temperature.optional().describe("0 to 2. Default: judgeTemperature."),
    reasoningEffort: z.enum(EFFORTS).optional().describe(
      "The effort of hidden reasoning. Default: the convening's.",
    ),
  })
);

export const prices = z.lazy(() =>
  z.strictObject({
    date: z.iso.date().describe("The day of the prices, such as 2026-11-01."),
    models: z.record(
      z.string(),
      z.strictObject({
        input: z.number().min(0).describe("US dollars for a million tokens of input."),
        cachedInput: z.number().min(0).optional().describe(
          "US dollars for a million tokens of cached input. Default: input.",
        ),
        cacheWrite: z.number().min(0).optional().describe(
          "US dollars for a million tokens written to the provider's cache. Default: input.",
        ),
        output: z.number().min(0).describe("US dollars for a million tokens of output."),
      }),
    ).describe("Prices by model."),
  })
);

/** Schema of the keys of a model's profile. */
const keysOfProfile = profileKeys as z.ZodType<Record<string, unknown>>;

export const providers = z.lazy(() =>
  z.record(
    z.string().regex(
      /^[a-z][a-z0-9-]*$/,
      "a provider's name has small letters, digits and '-'",
    ),
    z.strictObject({
      baseUrl: address.optional().describe(
        "The base URL of the provider. Default: that of the built-in provider of this name.",
      ),
      apiKeyEnv: z.string().regex(
        /^[A-Za-z_][A-Za-z0-9_]{0,99}$/,
        "a variable has letters, digits and '_'",
      ).optional().describe(
        "The environment variable of the key.",
      ),
      headers: z.record(z.string(), z.string().max(2000)).optional().describe(
        "Further headers by name; ${NAME} stands for an environment variable.",
      ),
      extraBody: z.record(z.string(), z.unknown()).optional().describe(
        "Further fields of every request.",
      ),
      adapter: z.enum(["chat", "anthropic", "gemini", "responses"]).optional().describe(
        "The protocol: OpenAI's chat completions, or a package for the provider's own. Default: by model.",
      ),
      profile: keysOfProfile.optional().describe("Keys of the profile of all models."),
      models: z.record(z.string(), keysOfProfile).optional().describe(
        "Keys of the profile by model.",
      ),
      maxConcurrency: z.int().min(1).optional().describe("Requests in flight at once, at most."),
      maxWait: milliseconds.min(0).optional().describe(
        "Milliseconds that the provider may ask to wait. Default: retry.maxRetryAfter.",
      ),
    }),
  )
);

const characters = z.int().min(0).max(10_000_000).optional();

/** Schema of the number of a paper's characters in prompts. */
export const paperCharacters = z.lazy(() =>
  z.strictObject({
    questions: characters.describe("In the prompt for questions."),
    postures: characters.describe("In the prompt for postures and topics."),
    debaters: characters.describe("In the prompts of debaters."),
    excerpt: z.enum(["start", "sections"]).optional().describe(
      "The part of a longer paper: its start, or also all headings and the sections on results and conclusions.",
    ),
  })
);
