// Checking of configurations: schemas of the kinds, folded from the table of settings, and errors in plain words.
import { z } from "zod";
import type { ConveningConfig } from "./convening_config.ts";
import { ConfigurationError } from "../core/error.ts";
import { memo } from "../core/once_each.ts";
import { IN_PLAIN_WORDS, problemsOf } from "../core/plain_problems.ts";
import type { Schema, SchemaShape } from "../core/schema.ts";
import { defined } from "../core/defined.ts";
import { composedOf, earlierOf, isBuiltIn, type Kind, KINDS, schemaOf } from "./setting.ts";
import { SETTINGS } from "./settings.ts";

const schemaFor = (kind: Kind) => memo(() => schemaOf(SETTINGS, kind));
const SCHEMAS: Readonly<Record<Kind, () => z.ZodObject>> = {
  dialogue: schemaFor("dialogue"),
  debate: schemaFor("debate"),
  consensus: schemaFor("consensus"),
  "paper-debate": schemaFor("paper-debate"),
};
const { dialogue, debate, consensus, "paper-debate": paper } = SCHEMAS;
const union = z.lazy(() =>
  z.discriminatedUnion("kind", [dialogue(), debate(), consensus(), paper()])
);

/** Every kind's configuration, told apart by `kind`: keys, types and ranges. */
// The table was compared with the interfaces when it was compiled.
export const configSchema: Schema<ConveningConfig> = union as unknown as Schema<ConveningConfig>;

/** Configuration keys of kinds that are not built in, by the kind's name. */
export type OwnKinds = ReadonlyMap<string, SchemaShape>;

/** A configuration that was checked; the key is in the type alone. */
export type Checked<C> = C & { readonly "~checked": true };

/** Configurations that were checked, with the schemas of the own kind; none of them can be changed any more. */
const checkedBefore = new WeakMap<object, SchemaShape | undefined>();

/**
 * The configuration, checked; a checked configuration is given back as it is. The error names every key that is wrong, its
 * value, and what is allowed. Keys of a kind of `own` stand over those that every kind has.
 */
export function parseConfig(input: unknown, own: OwnKinds = new Map()): Checked<ConveningConfig> {
  const kind = String((input as { kind?: unknown } | undefined)?.kind);
  const shape = own.get(kind);
  if (isChecked(input, shape)) return input;
  const schema = shape ? ownSchema(kind, shape) : isBuiltIn(kind) ? SCHEMAS[kind]() : union;
  const result = schema.safeParse(input, IN_PLAIN_WORDS);
  if (result.success) {
    checkedBefore.set(result.data, shape);
    // The schema of the kind is what the configuration's type says.
    return Object.freeze(result.data) as unknown as Checked<ConveningConfig>;
  }
  const { issues } = result.error;
  const names = { whole: "configuration", part: "key", forms: [...KINDS, ...own.keys()] };
  throw ConfigurationError.of(problemsOf(schema, input, { issues, names }));
}

/** Names and tags of English, in which the moderator's templates are. */
const ENGLISH = /^en(?:glish)?(?:[-_ ]|$)/i;

/** A configuration with the defaults of a new convening; a preset has its own. */
export function asNew(config: Checked<ConveningConfig>): object {
  const { kind, language } = config;
  if ("preset" in config && config.preset !== undefined) return config;
  const isTranslated = kind === "debate" && language !== undefined && !ENGLISH.test(language);
  return {
    ...composedOf(SETTINGS, kind),
    ...isTranslated ? { moderation: "model" } : {},
    ...defined(config),
  };
}

/** The configuration of a record with the defaults that it was made with, of keys that it does not have. */
export function asRecorded(
  kind: string,
  recorded: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return isBuiltIn(kind) ? { ...earlierOf(SETTINGS, kind), ...recorded } : { ...recorded };
}

/** The schema of configurations of a kind that is not built in. */
export function ownSchema(kind: string, shape: SchemaShape): z.ZodObject {
  // Every schema of a kind is one of zod.
  return schemaOf(SETTINGS, kind).extend(shape as unknown as z.ZodRawShape);
}

function isChecked(
  input: unknown,
  shape: SchemaShape | undefined,
): input is Checked<ConveningConfig> {
  if (typeof input !== "object" || input === null || !checkedBefore.has(input)) return false;
  return checkedBefore.get(input) === shape;
}
