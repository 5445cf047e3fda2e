// Checks the configuration that a client sends to a server: a client may not name files, folders or addresses.
import { z } from "zod";
import { configSchema, type OwnKinds, ownSchema, parseConfig } from "../config/config.ts";
import { rowsOf, type Setting } from "../config/setting.ts";
import { SETTINGS } from "../config/settings.ts";
import type { ConveningConfig } from "../config/convening_config.ts";
import {
  cannotUse,
  ConfigurationError,
  type FieldProblem,
  fieldProblem,
  MOST_PROBLEMS,
  problemsIn,
} from "../core/error.ts";
import { IN_PLAIN_WORDS, type InputNames, problemsOf } from "../core/check_fields.ts";
import type { Source } from "../core/paper.ts";
import { jsonSchemaOf } from "../core/schema.ts";
import { isObject, type JsonObject, listIn, objectIn } from "../core/values.ts";
import { isYaml } from "../inputs/inputs.ts";
import { NAME } from "./outputs.ts";

interface ClientConfiguration {
  /** The checked configuration; `papers` of a paper debate holds the ids of the papers. */
  readonly config: ConveningConfig;
  /** Background texts. @default none */
  readonly sources?: readonly Source[] | undefined;
  /** Ids of the debated papers; absent for other kinds. */
  readonly paperIds?: readonly string[] | undefined;
}

/** Keys that a client may not set (files, folders and addresses of this machine), with a hint for the error. */
const REFUSED: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries<Setting>(SETTINGS).flatMap(([key, { local }]) =>
    local === undefined ? [] : [[key, local]]
  ),
);

/** Nested keys that a client may not set, by their last part. */
const REFUSED_WITHIN: ReadonlyMap<string, string> = new Map(
  rowsOf(SETTINGS).flatMap(([path, { local }]) =>
    local === undefined || !path.includes(".") ? [] : [[path.split(".").at(-1)!, local] as const]
  ),
);

/** Names of the keys in hints to a client. */
const SPELLED: InputNames["spelled"] = new Map([
  ...[...Object.keys(REFUSED), ...REFUSED_WITHIN.keys()].map((key) => [key, undefined] as const),
  ["papers", "paperIds"],
]);

const MAX_DEPTH = 32;
/** A model name that stands for a directory of this machine. */
const REPLAY = /^\s*replay:/i;

const sourceList = z.array(z.strictObject({
  name: z.string().regex(
    /^[\p{L}\p{N}_][\p{L}\p{N}_. -]{0,79}$/u,
    "a name has letters, digits, '_', '.', '-' and blanks, at most 80",
  ).describe("The source's name."),
  text: z.string().min(1).max(1_000_000).refine(
    (text) => !text.includes("\u0000"),
    "a text has no NUL character",
  ).describe("The source's text."),
}, "Sources are [{name, text}]; no files are read.")).max(20).describe(
  "Background texts, quoted in every prompt.",
);
const idList = z.array(NAME, "Give the ids of posted papers, or papers to the MCP tool run.").min(1)
  .max(20)
  .refine((ids) => new Set(ids).size === ids.length, "name each paper once")
  .describe("The ids of the posted papers to debate.");
const POSTED = z.object({ sources: sourceList.optional(), paperIds: idList });

/**
 * Parses the configuration that a client sent: as in a configuration file, but without files, folders and addresses, with
 * sources as `[{name, text}]` and papers as `paperIds`. `own` has the settings of programs' own kinds. Throws `config_invalid`
 * with the key.
 */
export function clientConfiguration(
  input: unknown,
  own?: OwnKinds,
): ClientConfiguration {
  if (!isObject(input)) {
    throw new ConfigurationError("Cannot use the configuration: it is not an object of keys", {
      field: "configuration",
      hint: "Send an object of JSON with kind and topic.",
    });
  }
  const problems = [...localProblems(input, [], true)];
  const given = Object.fromEntries(
    Object.entries(input).filter(([key]) => !Object.hasOwn(REFUSED, key)),
  );
  const isOfPapers = input["kind"] === "paper-debate";
  const shape = isOfPapers ? POSTED : POSTED.pick({ sources: true });
  const posted = shape.safeParse(given, IN_PLAIN_WORDS);
  if (!posted.success) {
    const names = { whole: "configuration", part: "key" };
    problems.push(...problemsOf(given, { issues: posted.error.issues, names }));
  }
  const { sources: _, ...rest } = given;
  const { paperIds: _ids, ...settings } = rest;
  const { paperIds: papers = ["unknown"] } = objectIn(posted.data);
  let config: ConveningConfig;
  problems.push(...problemsIn(() => {
    config = parseConfig(isOfPapers ? { ...settings, papers } : rest, own, SPELLED);
  }));
  refuse(problems);
  return { config: config!, ...posted.data };
}

function refuse(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw ConfigurationError.of(problems.slice(0, MOST_PROBLEMS));
}

/**
 * Throws `config_invalid` with the keys for addresses, files and directories at any depth of a value; of settings, also
 * with the keys that a client may not set. `path` is the path of the value in the whole configuration.
 */
export function refuseLocal(
  value: unknown,
  path: readonly string[] = [],
  isSettings = false,
): void {
  refuse([...localProblems(value, path, isSettings)]);
}

function* localProblems(
  value: unknown,
  path: readonly string[],
  isSettings = false,
): Generator<FieldProblem> {
  if (value === null || typeof value !== "object") return;
  if (path.length > MAX_DEPTH) {
    throw cannotUse(path.slice(0, 4).join("."), "it is nested too deep", "No key needs that.");
  }
  for (const [key, each] of Object.entries(value)) {
    const at = [...path, key];
    const isRefused = isSettings && Object.hasOwn(REFUSED, key);
    const reason = isRefused ? REFUSED[key] : REFUSED_WITHIN.get(key);
    if (reason !== undefined) yield fieldProblem(at.join("."), "clients cannot set it", reason);
    else if (typeof each !== "string") yield* localProblems(each, at);
    else if (/^(?:model|models|[a-z]+Model|\d+)$/.test(key) && REPLAY.test(each)) {
      yield fieldProblem(
        at.join("."),
        "a replay reads a directory",
        "Name a model, or offline or human.",
      );
    } else if (/^(?:persona|rubric)$/.test(key) && isYaml(each)) {
      const hint = `Write the ${key} out, or name a built-in one.`;
      yield fieldProblem(at.join("."), "no files are read", hint);
    }
  }
}

/** Returns the JSON schema of the configurations of all built-in kinds and of those in `own`. */
export function configurationShapes(
  own: OwnKinds,
): JsonObject & { readonly oneOf: readonly JsonObject[] } {
  const { oneOf, ...rest } = objectIn(jsonSchemaOf(configSchema));
  const more = [...own].map(([kind, shape]) => partOf(ownSchema(kind, shape)));
  return { ...rest, oneOf: [...listIn<JsonObject>(oneOf), ...more] };
}

/** Returns the JSON schema of a client's configuration for all kinds, without the keys that a client may not set. */
export function sentShape(own: OwnKinds): JsonObject & { readonly oneOf: readonly JsonObject[] } {
  const { oneOf, $schema: _dialect, ...rest } = configurationShapes(own);
  return { ...rest, oneOf: oneOf.map(sentKind) };
}

/** Returns the JSON schema of a client's configuration for one kind, built in or of `own`; empty for an unknown kind. */
export function configurationShape(kind: string, own: OwnKinds): JsonObject {
  return sentShape(own).oneOf.find(({ properties }) =>
    objectIn(objectIn(properties)["kind"])["const"] === kind
  ) ?? {};
}

function partOf(schema: z.ZodType): JsonObject {
  const { $schema: _dialect, ...shape } = objectIn(jsonSchemaOf(schema));
  return shape;
}

function sentKind(kind: JsonObject): JsonObject {
  const properties = objectIn(kind["properties"]);
  const required = Array.isArray(kind["required"]) ? kind["required"] : [];
  const kept = Object.entries(properties).filter(([key]) => !Object.hasOwn(REFUSED, key));
  return {
    ...kind,
    properties: {
      ...Object.fromEntries(kept),
      sources: partOf(sourceList),
      ..."papers" in properties ? { paperIds: partOf(idList) } : {},
    },
    required: required.map((key) => key === "papers" ? "paperIds" : key),
  };
}

/** Schema of a client's configuration; {@linkcode clientConfiguration} checks the value. */
export const sentConfiguration: z.ZodUnknown = z.unknown();
