// Resolves the inputs that a configuration names: paths, personas, rubrics, sources, memories.
import { isUtf8 } from "node:buffer";
import { basename, dirname, join, resolve } from "@std/path";
import type { Checked } from "../config/config.ts";
import type { ConveningConfig } from "../config/convening_config.ts";
import { checkArguments } from "../core/check_fields.ts";
import type { Rubric } from "../core/outcome.ts";
import { cleanText, type Source } from "../core/paper.ts";
import { type Persona, personaText } from "../core/participant.ts";
import { isWebAddress } from "../core/key_rules.ts";
import { didYouMean } from "../core/text.ts";
import { ConfigurationError } from "../core/error.ts";
import { type FileEntry, fileState } from "../core/files.ts";
import { isObject, mapValues } from "../core/values.ts";
import type { Remembered } from "../engine/workflow_options.ts";
import { archivePlace, CONVENING, DAY } from "../record/archive_place.ts";
import { userFiles } from "../record/disk_files.ts";

/** A part of a configuration that may name a persona or a rubric. */
interface NamedInputs {
  readonly persona?: string | undefined;
  readonly rubric?: unknown;
}

/** Keys of a configuration that hold a path, a list of paths, or entries with paths. */
const PATHS = ["out", "memory", "personas"] as const;
const LISTS_OF_PATHS = ["sources", "papers"] as const;
const ENTRIES = ["participants", "judges", "audience", "contestants"] as const;
type Paths =
  & NamedInputs
  & { readonly [K in typeof PATHS[number]]?: string | undefined }
  & { readonly [K in typeof LISTS_OF_PATHS[number]]?: readonly string[] | undefined }
  & { readonly [K in typeof ENTRIES[number]]?: readonly NamedInputs[] | undefined };

/**
 * Makes every path of a configuration absolute; relative paths are resolved against `folder`. Paths are the archive, papers, sources,
 * memory, the folder of personas, YAML files of personas and rubrics, and replayed directories.
 */
export function absolutePaths<C extends Paths>(config: C, folder: string): C {
  // A web address stays as it is, for the error that names the file.
  const path = (text: string) =>
    typeof text !== "string" || isWebAddress(text) ? text : resolve(folder, text);
  const file = (text: string) => isYaml(text) ? path(text) : text;
  const one = (each: NamedInputs): object =>
    !isObject(each) ? each : {
      ...each,
      ...typeof each.persona === "string" && { persona: file(each.persona) },
      ...typeof each.rubric === "string" && { rubric: file(each.rubric) },
    };
  const absolute: Record<string, unknown> = { ...one(config) };
  for (const key of PATHS) if (config[key] !== undefined) absolute[key] = path(config[key]);
  for (const key of LISTS_OF_PATHS) {
    if (Array.isArray(config[key])) absolute[key] = config[key].map(path);
  }
  // A key of a program's own kind may have the name of a list and another type; every key keeps its type.
  for (const key of ENTRIES) if (Array.isArray(config[key])) absolute[key] = config[key].map(one);
  return renameModels(
    absolute as C,
    (name) => name.startsWith("replay:") ? `replay:${path(name.slice(7))}` : name,
  );
}

/** Returns settings in which models, except `embeddingModel`, have other names, at any depth. */
export function renameModels<T>(settings: T, rename: (name: string) => string): T {
  const renamed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renamed);
    if (!isObject(value)) return value;
    return mapValues(value, (each, key) => {
      const isModel = key === "model" || key.endsWith("Model") && key !== "embeddingModel";
      return isModel && typeof each === "string" ? rename(each) : renamed(each);
    });
  };
  return renamed(settings) as T;
}

/** True for the path of a YAML file, false for a name or a text. */
export function isYaml(value: string): boolean {
  return /\.ya?ml$/i.test(value) && !value.includes("\n");
}

/**
 * Replaces the names of personas and rubrics in a configuration by their contents, so that the record holds all inputs. An unreadable
 * file in the folder of personas is reported to `note`, and is an error only if it is used. Rejects with a `ConfigurationError` that
 * names the file, or lists the known personas.
 */
export async function withInputs(
  config: Checked<ConveningConfig>,
  note: (sentence: string) => void = () => {},
): Promise<Checked<ConveningConfig>> {
  if (config.memory !== undefined) await checkArchive(config.memory, "memory");
  const folder = await personasIn(config.personas);
  for (const { message } of folder.skipped.values()) note(`Skipped: ${message}.`);
  const withPersonas = async <P extends Pick<NamedInputs, "persona">>(
    of: readonly P[],
    key: string,
  ) =>
    await Promise.all(of.map(async (each, at) => {
      const { persona } = each;
      if (persona === undefined) return each;
      const field = `${key}.${at}.persona`;
      return { ...each, persona: await personaOf(persona, { folder, field }) };
    }));
  const withRubric = async <J extends { readonly rubric?: string | Rubric | undefined }>(each: J) =>
    typeof each.rubric === "string" && isYaml(each.rubric)
      ? { ...each, rubric: await readRubricFile(each.rubric) }
      : each;
  const { personas: _read, ...rest } = config;
  const { participants } = rest;
  const resolved = {
    ...rest,
    ...participants && { participants: await withPersonas(participants, "participants") },
  } as Checked<ConveningConfig>;
  if (resolved.kind !== "debate" && resolved.kind !== "paper-debate") return resolved;
  const { judges } = resolved;
  const { audience } = resolved.kind === "debate" ? resolved : {};
  return {
    ...await withRubric(resolved),
    ...judges && { judges: await Promise.all(judges.map(withRubric)) },
    ...audience && { audience: await withPersonas(audience, "audience") },
  } as Checked<ConveningConfig>;
}

/** Returns a built-in persona by its id, or reads one from a YAML file. Rejects with a `ConfigurationError`. */
export async function loadPersona(idOrPath: string): Promise<Persona> {
  checkArguments("loadPersona", { idOrPath });
  if (isYaml(idOrPath)) return await readPersonaFile(idOrPath, "persona");
  const { personaNamed } = await import("./yaml_files.ts");
  return personaNamed(idOrPath);
}

/** Returns a built-in rubric by its id, or reads one from a YAML file. Rejects with a `ConfigurationError`. */
export async function loadRubric(idOrPath: string): Promise<Rubric> {
  checkArguments("loadRubric", { idOrPath });
  if (isYaml(idOrPath)) return await readRubricFile(idOrPath);
  const { rubricNamed } = await import("../judging/scoring.ts");
  return rubricNamed(idOrPath);
}

/** Returns the files and folders of a configuration's papers, sources, memory, personas and rubrics, for permission checks. */
export function inputPaths(config: Partial<ConveningConfig>): string[] {
  const judged = config.kind === "debate" || config.kind === "paper-debate" ? config : {};
  const rubrics = [judged.rubric, ...(judged.judges ?? []).map(({ rubric }) => rubric)];
  const listeners = config.kind === "debate" ? config.audience ?? [] : [];
  const personas = [...config.participants ?? [], ...listeners].map(({ persona }) => persona);
  return [
    ...config.kind === "paper-debate" ? config.papers ?? [] : [],
    ...config.sources ?? [],
    ...config.personas === undefined ? [] : [config.personas],
    ...config.memory === undefined ? [] : [config.memory],
    ...[...rubrics, ...personas].filter((each) => typeof each === "string").filter(isYaml),
  ];
}

/**
 * Reads background files: markdown and text unchanged, PDFs as text with `.md` added to their names. Rejects with a
 * `ConfigurationError` for any other file.
 */
export async function readSources(paths: readonly string[]): Promise<Source[]> {
  if (paths.length === 0) return [];
  const { isPdfAt } = await import("./papers.ts");
  return await Promise.all(paths.map(async (path) => {
    if (await isPdfAt(path)) return await pdfSource(path);
    const text = await readFile(path, {
      what: "source",
      field: "sources",
      hint: "Give the path of a PDF, markdown or text file.",
    });
    if (text.trim() === "") {
      throw new ConfigurationError(`Cannot use source "${path}": it is empty`, {
        field: "sources",
        hint: "Sources are PDF, markdown or plain text files.",
      });
    }
    return { name: basename(path), text };
  }));
}

async function pdfSource(path: string): Promise<Source> {
  const { textOf } = await import("./papers.ts");
  const { UnreadableError } = await import("../papers/text/check_paper.ts");
  try {
    const { text } = cleanText((await textOf(path)).text);
    return { name: `${basename(path)}.md`, text };
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    throw new ConfigurationError(`Cannot use source "${path}": ${error.message}`, {
      field: "sources",
      hint: error.hint,
      cause: error.cause,
    });
  }
}

/**
 * Checks that an archive is a folder, and neither a day nor a convening of an archive. Rejects with a `ConfigurationError` that
 * names the key or flag `what`.
 */
export async function checkArchive(path: string, what: "memory" | "--out"): Promise<void> {
  const entries = await entriesOf(path, { what, hint: "Give the folder of an archive." });
  const has = (form: RegExp) => entries.some(({ isFolder, name }) => isFolder && form.test(name));
  const isDay = DAY.test(basename(path)) && has(CONVENING);
  const archive = isDay ? dirname(path) : archivePlace(path)?.out;
  if (archive === undefined || has(DAY)) return;
  throw new ConfigurationError(
    `Cannot read ${what} "${path}": it is a ${
      isDay ? "day" : "convening"
    } of the archive ${archive}`,
    { field: what, hint: `Give ${archive}.` },
  );
}

/** Lists a folder by name. Rejects with a `ConfigurationError` that names the key or flag `what`. */
async function entriesOf(
  path: string,
  { what, hint }: { readonly what: "memory" | "--out" | "personas"; readonly hint: string },
): Promise<readonly FileEntry[]> {
  const refused = (state: string, cause?: unknown) =>
    new ConfigurationError(`Cannot read ${what} "${path}": ${state}`, { field: what, hint, cause });
  try {
    if ((await userFiles.stat(path))?.isFolder === true) return await userFiles.list(path);
  } catch (error) {
    throw refused(fileState(error), error);
  }
  throw refused("there is no such folder");
}

/** Returns the text of a persona: from a YAML file, from the user's folder, of a built-in persona, or the value itself. */
async function personaOf(
  value: string,
  { folder: { personas, skipped }, field }: {
    readonly folder: OwnPersonas;
    readonly field: string;
  },
): Promise<string> {
  if (isYaml(value)) return personaText(await readPersonaFile(value, field));
  // Several words describe the persona; a single word is an id.
  if (/\s/.test(value.trim())) return value;
  const { PERSONAS, personaNamed } = await import("./yaml_files.ts");
  const own = personas.get(value);
  if (own !== undefined) return personaText(own);
  const bad = skipped.get(value);
  if (bad !== undefined) throw bad;
  if (PERSONAS.includes(value)) return personaText(personaNamed(value));
  const known = [...personas.keys(), ...PERSONAS];
  throw new ConfigurationError(`Cannot use persona "${value}": there is no persona of that name`, {
    field,
    hint: `${didYouMean(value, known)}Known: ${
      known.join(", ")
    }. Or give a YAML file, or describe in a few words how the persona speaks.`,
  });
}

interface OwnPersonas {
  readonly personas: ReadonlyMap<string, Persona>;
  /** Errors of unreadable files, by file name without extension. */
  readonly skipped: ReadonlyMap<string, ConfigurationError>;
}

async function personasIn(path: string | undefined): Promise<OwnPersonas> {
  const personas = new Map<string, Persona>();
  const skipped = new Map<string, ConfigurationError>();
  if (path === undefined) return { personas, skipped };
  const hint = "Give a folder of YAML files, one persona each.";
  const entries = await entriesOf(path, { what: "personas", hint });
  const unusable = (state: string, hint: string) =>
    new ConfigurationError(`Cannot use personas "${path}": ${state}`, { field: "personas", hint });
  const files = new Map<string, string>();
  for (const name of entries.map(({ name }) => name).filter(isYaml)) {
    const persona = await readPersonaFile(join(path, name), "personas").catch((error: unknown) => {
      if (!(error instanceof ConfigurationError)) throw error;
      skipped.set(name.replace(/\.[^.]*$/, ""), error);
    });
    if (persona === undefined) continue;
    const other = files.get(persona.id);
    if (other !== undefined) {
      const state = `"${other}" and "${name}" both have the id "${persona.id}"`;
      throw unusable(state, "Give each persona an id of its own, or its file a name of its own.");
    }
    files.set(persona.id, name);
    personas.set(persona.id, persona);
  }
  if (personas.size + skipped.size === 0) throw unusable("there is no YAML file in it", hint);
  return { personas, skipped };
}

async function readPersonaFile(path: string, field: string): Promise<Persona> {
  const { readPersona } = await import("./yaml_files.ts");
  const hint = "Give the path of a persona's YAML file.";
  return readPersona(await readFile(path, { what: "persona", field, hint }), path);
}

async function readRubricFile(path: string): Promise<Rubric> {
  const { readRubric } = await import("./yaml_files.ts");
  const hint = "Give the path of a rubric's YAML file.";
  return readRubric(await readFile(path, { what: "rubric", field: "rubric", hint }), path);
}

/** Reads a text file of the user; throws a `ConfigurationError` with the path and the reason if that fails. */
export async function readFile(
  path: string,
  { what, field, hint }: { readonly what: string; readonly field: string; readonly hint: string },
): Promise<string> {
  const isWeb = isWebAddress(path);
  const refused = (state: string, remedy: string, cause?: unknown) =>
    new ConfigurationError(`Cannot read ${what} "${path}": ${state}`, {
      field,
      hint: isWeb ? "Download the file, and give its path." : remedy,
      cause,
    });
  let text: string;
  try {
    text = await userFiles.read(path);
  } catch (error) {
    throw refused(isWeb ? "it is a web address" : fileState(error), hint, error);
  }
  // Reading replaces bytes that are not UTF-8 by U+FFFD, which a text may contain.
  const isReplaced = text.includes("\ufffd") &&
    !isUtf8((await userFiles.readFrom(path, 0, 3 * text.length)).bytes);
  if (!text.includes("\0") && !isReplaced) return text;
  throw refused("it is not text in UTF-8", `${hint} Save text of another encoding as UTF-8.`);
}

/** Reads a text file that a flag names. Rejects with a `ConfigurationError`. */
export async function readText(path: string, flag: string): Promise<string> {
  const hint = "Give the path of a text file that can be read.";
  return await readFile(path, { what: flag, field: flag, hint });
}

/** Returns the most relevant earlier convenings of an archive, as prompts quote them. */
export async function remembered(archive: string, topic: string): Promise<Remembered[]> {
  const { memoryOf } = await import("../record/search.ts");
  await checkArchive(archive, "memory");
  return (await memoryOf(archive, topic)).map((each) => ({
    dir: basename(each.dir),
    text: [
      `An earlier convening on: ${each.topic}`,
      `Held: ${each.startedAt.slice(0, 10)}. Winner: ${each.winner ?? "none"}.`,
      each.summary,
    ].join("\n"),
  }));
}
