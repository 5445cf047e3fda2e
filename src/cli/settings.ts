// Settings of a command: the configuration file with the flags over it, paths made absolute.
import { dirname, isAbsolute, resolve } from "@std/path";
import { BUILT_IN } from "../compose.ts";
import { DEFAULT_OUT } from "../config/setting_shapes.ts";
import type { ConveningConfig } from "../config/convening_config.ts";
import { asRecorded } from "../config/config.ts";
import { ConfigurationError } from "../core/error.ts";
import { ADDRESS_SETTINGS, type KeyRules } from "../core/key_rules.ts";
import { followModel } from "../config/cast.ts";
import { applyCastFlags, isPlain, type Plain, withDebaters } from "./cast_flags.ts";
import type { Invocation } from "./command.ts";
import { refuseContradictions, refuseNewChecks } from "./contradictions.ts";
import { type Flag, nameFlag } from "./flag.ts";
import { ALLOW_BASE_URL, BASE_URL, CONFIG, MAX_TURNS, MODEL, SEARCH_URL, SEED } from "./flags.ts";
import { requirePermissions } from "./permissions.ts";
import type { Session } from "./session.ts";

/** The settings that a convening starts with: the configuration file with the flags over it, paths made absolute. */
export async function readSettings(
  kind: ConveningConfig["kind"],
  invocation: Invocation,
  options: {
    readonly flags: readonly Flag<unknown>[];
    readonly session: Session;
  },
): Promise<ConveningConfig> {
  const { flags, session } = options;
  const { args, values } = invocation;
  const path = values.get(CONFIG);
  const file = path === undefined ? {} : await fileSettings(kind, path, session);
  const given = { ...flagSettings(invocation, flags), ...subjectOf(kind, args, file), kind };
  const isRecord = path?.endsWith(".md") === true;
  const followed = isRecord && values.get(MODEL) !== undefined ? followModel(file) : file;
  const under = isRecord && kind === "paper-debate" ? renewed(followed, given) : followed;
  const merged: Plain = withoutChecks(merge(withoutIdle(under, given), given));
  refuseContradictions(merged, values);
  applyCastFlags(merged, values);
  if (values.get(SEED) !== undefined) merged["seedGiven"] = true;
  merged["out"] ??= DEFAULT_OUT;
  const named = JSON.stringify(merged).includes('odel":"local"')
    ? await (await import("./local_model.ts")).withLocalModel(merged, session)
    : merged;
  return absolutePaths(checked(named, values.keys(flags), session), session.io.folder);
}

/** The topic or the papers; the arguments go before the file. */
function subjectOf(kind: string, args: readonly string[], file: Plain): Plain {
  if (kind === "paper-debate") {
    const papers = args.length > 0 ? [...args] : file["papers"];
    if (papers !== undefined) return { papers };
    throw new ConfigurationError("Cannot start a paper debate: no paper was given", {
      field: "papers",
      hint: "Give the path of a PDF, markdown or text file, or of several: paper article.pdf",
    });
  }
  const topic = args[0] ?? file["topic"];
  if (topic !== undefined) return { topic };
  throw new ConfigurationError(`Cannot start a ${kind}: it has no topic`, {
    field: "topic",
    hint: `Write one in quotes: ${kind} "Should cities ban private cars?"`,
  });
}

/** A recorded configuration with the flags of `resume` over it. */
export function resumeSettings(
  recorded: Readonly<Record<string, unknown>>,
  invocation: Invocation,
  options: {
    readonly flags: readonly Flag<unknown>[];
    readonly session: Session;
  },
): ConveningConfig {
  const { flags, session } = options;
  const given = flagSettings(invocation, flags);
  const under = given["model"] === undefined ? { ...recorded } : followModel(recorded);
  const merged = withoutChecks(merge(withoutIdle(under, given), given));
  const turns = invocation.values.get(MAX_TURNS);
  if (merged["kind"] === "dialogue" && turns !== undefined) merged["maxTurns"] = turns;
  refuseNewChecks(recorded, invocation.values);
  refuseContradictions(merged, invocation.values);
  applyCastFlags(merged, invocation.values);
  return absolutePaths(
    checked(merged, invocation.values.keys(flags), session),
    session.io.folder,
  );
}

/** The settings of the flags alone, as a part of a configuration. */
export function flagSettings(
  { values }: Invocation,
  flags: readonly Flag<unknown>[],
): Plain {
  const set: Plain = {};
  for (const flag of flags) {
    const value = values.get(flag);
    if (flag.key === undefined || value === undefined) continue;
    const [outer = "", inner] = flag.key.split(".");
    set[outer] = inner === undefined
      ? value
      : { ...set[outer] as Plain | undefined, [inner]: value };
  }
  return set;
}

/** A file's settings but for those that are of no use to what a flag turns off, or says in another way. */
function withoutIdle(file: Plain, given: Plain): Plain {
  const left = { ...file };
  if (given["moderation"] === "none") delete left["moderatorModel"];
  // Undefined and not gone: it goes over what a record says.
  if (given["question"] !== undefined && "pick" in left) left["pick"] = undefined;
  if (given["pick"] !== undefined && "question" in left) left["question"] = undefined;
  const { factCheck } = given;
  if (isPlain(factCheck) && factCheck["mode"] === "off") delete left["factCheck"];
  return left;
}

/** A server to search is the debaters' too: of a paper debate it turns no fact check on. */
function withoutChecks(merged: Plain): Plain {
  const { kind, factCheck } = merged;
  if (kind !== "paper-debate" || !isPlain(factCheck)) return merged;
  const { searchUrl, ...checks } = factCheck;
  return searchUrl !== undefined && Object.keys(checks).length === 0
    ? { ...merged, factCheck: { mode: "off", searchUrl } }
    : merged;
}

/** A record's settings for another paper debate: what followed from its papers, its question or its postures is left out. */
function renewed(file: Plain, given: Plain): Plain {
  const left = { ...file };
  const { papers, question, pick, postures } = given;
  if (papers !== file["papers"] || question !== undefined || pick !== undefined) {
    delete left["topic"];
  }
  const { participants } = file;
  if (typeof postures === "number" && Array.isArray(participants)) {
    left["participants"] = withDebaters(participants, postures);
  }
  return left;
}

/**
 * Rules for keys: a key goes to addresses of the command line, of the environment, and of the configuration file that
 * `--config` names; to those of a record only where `--allow-base-url` names the host.
 */
export function keyRules({ values }: Invocation, { ofRecord = false } = {}): KeyRules {
  const file = values.get(CONFIG);
  const isRecord = ofRecord || file?.endsWith(".md") === true;
  const isGiven = {
    baseUrl: values.get(BASE_URL) !== undefined,
    providers: false,
    searchUrl: values.get(SEARCH_URL) !== undefined,
  };
  return {
    allowBaseUrls: values.get(ALLOW_BASE_URL),
    untrusted: isRecord ? ADDRESS_SETTINGS.filter((each) => !isGiven[each]) : undefined,
  };
}

/** One configuration over another; limits and retries key by key. */
function merge(under: Plain, over: Plain): Plain {
  const merged = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key];
    merged[key] = isPlain(before) && isPlain(value) ? { ...before, ...value } : value;
  }
  return merged;
}

/** The settings of a configuration file, which were checked; with `kind`, the file may not have another. */
export async function fileSettings(
  kind: string | undefined,
  path: string,
  { io, catalogue = BUILT_IN }: Session,
): Promise<Plain> {
  const whole = resolve(io.folder, path);
  requirePermissions(io, { reads: [whole] });
  const { readConfigFile } = await import("./config_file.ts");
  const file = readConfigFile(await io.readText(whole, "--config"), whole);
  const own = file["kind"] ?? kind ?? "debate";
  if (kind !== undefined && own !== kind) {
    throw new ConfigurationError(
      `Cannot start a ${kind}: "${whole}" has the kind ${JSON.stringify(own)}`,
      { field: "kind", hint: `Use the command of that kind, or another file.` },
    );
  }
  // Checked before flags go over it, so that an error names the file's own key.
  const usual = own === "paper-debate" ? { papers: ["paper.md"] } : { topic: "" };
  const config = catalogue.parse({ ...usual, ...file, kind: own });
  if (!whole.endsWith(".md")) return file;
  // A record keeps its papers and its sources beside its metadata.
  const beside = (paths: readonly string[]) => paths.map((each) => resolve(dirname(whole), each));
  const { sources } = config;
  const papers = config.kind === "paper-debate" && "papers" in file ? config.papers : undefined;
  return {
    ...asRecorded(config.kind, file),
    ...sources === undefined ? {} : { sources: beside(sources) },
    ...papers === undefined ? {} : { papers: beside(papers) },
  };
}

function checked(
  merged: Plain,
  keys: ReadonlyMap<string, Flag<unknown>>,
  { catalogue = BUILT_IN }: Session,
): ConveningConfig {
  try {
    return catalogue.parse(merged);
  } catch (error) {
    throw nameFlag(error, keys);
  }
}

/**
 * The configuration with every path in it absolute: relative ones mean `folder`, where the user stands. Paths are the
 * archive, papers, sources, memory, the personas' folder, YAML files of personas and rubrics, and directories that are replayed.
 */
function absolutePaths(config: ConveningConfig, folder: string): ConveningConfig {
  const path = (text: string) => isAbsolute(text) ? text : resolve(folder, text);
  const file = (text: string) => isYaml(text) ? path(text) : text;
  const one = <E extends Whose>(each: E): E => ({
    ...each,
    ...each.model?.startsWith("replay:") && { model: `replay:${path(each.model.slice(7))}` },
    ...each.persona !== undefined && { persona: file(each.persona) },
    ...typeof each.rubric === "string" && { rubric: file(each.rubric) },
  });
  const absolute: ConveningConfig = one(config);
  for (const key of ["out", "memory", "personas"] as const) {
    const value = config[key];
    if (value !== undefined) absolute[key] = path(value);
  }
  if (config.sources !== undefined) absolute.sources = config.sources.map(path);
  if (config.participants !== undefined) absolute.participants = config.participants.map(one);
  if (absolute.kind === "paper-debate") absolute.papers = absolute.papers.map(path);
  if (absolute.kind === "debate" || absolute.kind === "paper-debate") {
    const { judges } = absolute;
    if (judges !== undefined) absolute.judges = judges.map(one);
  }
  if (absolute.kind === "debate") {
    const { audience } = absolute;
    if (audience !== undefined) absolute.audience = audience.map(one);
  }
  return absolute;
}

/** An entry that may name a model, a persona or a rubric. */
interface Whose {
  readonly model?: string | undefined;
  readonly persona?: string | undefined;
  readonly rubric?: unknown;
}

/** True of the path of a YAML file, false of a name or a text. */
export function isYaml(value: string): boolean {
  return /\.ya?ml$/i.test(value) && !value.includes("\n");
}
