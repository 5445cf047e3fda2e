// Reads the settings of a command: the configuration file, overridden by flags, with absolute paths.
import { basename, dirname, join, resolve } from "@std/path";
import { applyCastFlags, type Plain, withDebaters, withLocalModel } from "./cast_flags.ts";
import { cannotUse, type FlagValues } from "./flag.ts";
import {
  ADVOCATE_MODEL,
  ALLOW_BASE_URL,
  BASE_URL,
  CONFIG,
  EMBEDDING_MODEL,
  JUDGE_MODEL,
  MAX_TURNS,
  MODEL,
  PICK,
  SEARCH_URL,
  SEED,
  TOPIC_FROM,
} from "./flags.ts";
import { readConfigFile } from "./config_file.ts";
import { defaultArchive, directoryOf, foundConfig, foundSettings } from "./directory.ts";
import { requirePermissions } from "./permissions.ts";
import type { Invocation, Session } from "./session.ts";
import { FACT_CHECKER } from "../checking/fact_checker.ts";
import { BUILT_IN } from "../compose.ts";
import { followModel, refuseContradictions, withEarlierDefaults } from "../config/config.ts";
import type { ConveningConfig, PaperDebateConfig } from "../config/convening_config.ts";
import { isBuiltIn, type Settings } from "../config/setting.ts";
import { SETTINGS } from "../config/settings.ts";
import { ConfigurationError } from "../core/error.ts";
import { ADDRESS_SETTINGS, type KeyRules } from "../core/key_rules.ts";
import { MODERATOR } from "../core/participant.ts";
import { nearWord } from "../core/text.ts";
import { isObject, objectIn } from "../core/values.ts";
import { absolutePaths, readText, renameModels } from "../inputs/inputs.ts";
import { checkFilesOf, looksUp } from "../inputs/servers.ts";

/** Reads the settings of a new convening: the configuration file, overridden by arguments and flags, with absolute paths. */
export async function readSettings(
  kind: ConveningConfig["kind"],
  invocation: Invocation,
  session: Session,
): Promise<ConveningConfig> {
  const { args, values } = invocation;
  const path = await configPath(invocation, session);
  const file = path === undefined ? {} : await fileSettings(kind, path, session);
  const given: Plain = { ...flagSettings(values), ...subjectOf(kind, args, file), kind };
  const replayed = /^replay:(.+)/s.exec(values.get(MODEL) ?? "")?.[1];
  const replay = replayed && `replay:${await directoryOf({ args: [replayed], values }, session)}`;
  if (replay) given["model"] = replay;
  const isRecord = path?.endsWith(".md") === true;
  const asked = isRecord ? followModel(file, { isNew: values.get(MODEL) !== undefined }) : file;
  // The replay answers for every role, people too.
  const followed = isRecord && replay ? renameModels(file, () => replay) : asked;
  const under = isRecord && kind === "paper-debate" ? forNewDebate(followed, given) : followed;
  const merged = overridden(under, given);
  castByFlags(merged, values);
  if (values.get(SEED) !== undefined) merged["seedGiven"] = true;
  merged["out"] ??= await defaultArchive(session);
  const named = JSON.stringify(merged).includes('odel":"local"')
    ? await withLocalModel(merged, session)
    : merged;
  const { sources, papers, memory }: Partial<PaperDebateConfig> = file;
  const { io: { env }, catalogue } = session;
  const rules = { ...keyRules(invocation, session), env, catalogue };
  checkFilesOf({ ...named, sources, papers, memory }, rules);
  return checked(named, session);
}

/** Applies the flags for the cast, in place. Throws for flags that contradict the configuration. */
function castByFlags(merged: Plain, values: FlagValues): void {
  const { kind, retrieval } = merged;
  const pick = values.get(PICK);
  if (pick !== undefined && kind === "debate" && values.get(TOPIC_FROM) === undefined) {
    const hint = "Give --topic-from SUBJECT with it.";
    throw cannotUse(`--pick ${pick}`, "no topics are proposed", hint);
  }
  // Only the flag: older records and files may have an embedding model with a retrieval that ignores it.
  const embeddingModel = values.get(EMBEDDING_MODEL);
  const advocateModels = values.get(ADVOCATE_MODEL);
  const judgeModels = values.get(JUDGE_MODEL);
  refuseContradictions({ kind, retrieval, embeddingModel, advocateModels, judgeModels });
  applyCastFlags(merged, values);
}

function checked(merged: Plain, { io, catalogue = BUILT_IN }: Session): ConveningConfig {
  return absolutePaths(catalogue.parse(merged), io.folder);
}

/** Returns the path of `--config`, which may be `DIR/metadata.md`, else of the found configuration file. */
export async function configPath(
  { values }: Invocation,
  session: Session,
): Promise<string | undefined> {
  const given = values.get(CONFIG);
  if (given !== undefined) {
    if (basename(given) !== "metadata.md") return given;
    return join(await directoryOf({ args: [dirname(given)], values }, session), basename(given));
  }
  return session.foundConfig = await foundConfig(session);
}

/** Returns the topic or the papers, from the arguments, else from the file. Throws `config_invalid` without either. */
function subjectOf(kind: string, args: readonly string[], file: Plain): Plain {
  if (kind === "paper-debate") {
    const papers = args.length > 0 ? [...args] : file["papers"];
    if (papers !== undefined && !args.includes("")) return { papers };
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

/** Returns a recorded configuration, overridden by the flags of `resume`. */
export function resumeSettings(
  recorded: Readonly<Record<string, unknown>>,
  values: FlagValues,
  session: Session,
): ConveningConfig {
  const given = flagSettings(values);
  const under = followModel(recorded, { isNew: given["model"] !== undefined });
  const merged = overridden(under, given);
  const turns = values.get(MAX_TURNS);
  // More turns than planned lengthen a dialogue; fewer are a limit alone.
  if (merged["kind"] === "dialogue" && turns !== undefined) {
    merged["maxTurns"] = Math.max(turns, Number(merged["maxTurns"] ?? 10));
  }
  refuseOtherKinds(String(recorded["kind"]), values);
  refuseNewChecks(recorded, values);
  castByFlags(merged, values);
  return checked(merged, session);
}

/** Returns the settings of the flags alone, as a partial configuration. */
export function flagSettings(values: FlagValues): Plain {
  const set: Plain = {};
  for (const flag of values.given) {
    const value = values.get(flag);
    const [outer, inner] = flag.key?.split(".") ?? [];
    if (outer === undefined) continue;
    set[outer] = inner === undefined
      ? value
      : { ...set[outer] as Plain | undefined, [inner]: value };
  }
  return set;
}

/** Lays the settings of flags over those of a file, without settings that a flag turns off or replaces by another. */
function overridden(file: Plain, given: Plain): Plain {
  const left = { ...file };
  const turnOff = (role: string, ...keys: readonly string[]): void => {
    for (const key of keys) delete left[key];
    const { participants } = left as Pick<PaperDebateConfig, "participants">;
    if (participants) left["participants"] = participants.filter((each) => each.role !== role);
  };
  const summary = left["summaryBy"] === "moderator" ? ["summaryBy"] : [];
  if (given["moderation"] === "none") turnOff(MODERATOR, "moderatorModel", ...summary);
  // Set to undefined instead of deleting, so that the key overrides the recorded one.
  if (given["question"] !== undefined && "pick" in left) left["pick"] = undefined;
  if (given["pick"] !== undefined && "question" in left) left["question"] = undefined;
  if (objectIn(given["factCheck"])["mode"] === "off") turnOff(FACT_CHECKER, "factCheck");
  // The debaters of a paper debate use the search URL too, so --search-url alone turns no fact check on.
  if ((given["kind"] ?? left["kind"]) === "paper-debate" && given["factCheck"] !== undefined) {
    left["factCheck"] ??= { mode: "off" };
  }
  // Objects such as limits are merged key by key.
  for (const [key, value] of Object.entries(given)) {
    const before = left[key];
    left[key] = isObject(before) && isObject(value) ? { ...before, ...value } : value;
  }
  return left;
}

/** Returns a record's settings for a new paper debate, without those that depend on replaced papers, question or postures. */
function forNewDebate(file: Plain, given: Plain): Plain {
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
 * Returns the rules for API keys. A key may go to addresses of the command line, of the environment and of the file that
 * `--config` names; to addresses of a record or of a found file only if `--allow-base-url` names the host.
 */
export function keyRules(
  { values }: Invocation,
  { foundConfig }: Session,
  { ofRecord = false } = {},
): KeyRules {
  const isOthers = ofRecord || foundConfig !== undefined ||
    values.get(CONFIG)?.endsWith(".md") === true;
  const isGiven = {
    baseUrl: values.get(BASE_URL) !== undefined,
    providers: false,
    searchUrl: values.get(SEARCH_URL) !== undefined,
  };
  return {
    allowBaseUrls: values.get(ALLOW_BASE_URL),
    untrusted: isOthers ? ADDRESS_SETTINGS.filter((each) => !isGiven[each]) : undefined,
  };
}

/**
 * Reads and checks the settings of a configuration file. Throws if the file is of another kind than `kind`. In a file found
 * without `--config`, settings of other kinds are ignored and paths are relative to the file's folder.
 */
export async function fileSettings(
  kind: string | undefined,
  path: string,
  session: Session,
): Promise<Plain> {
  const { io, catalogue = BUILT_IN } = session;
  const isFound = path === session.foundConfig;
  const whole = resolve(io.folder, path);
  requirePermissions(io, { reads: [whole], isFirst: true });
  const given = isFound
    ? await foundSettings(session)
    : await readConfigFile(await readText(whole, "--config"), whole);
  const own = given["kind"] ?? kind ?? "debate";
  // A misspelt kind is an error of its own; in a found file, any other may be the kind of a module that is not loaded now.
  const { kinds } = catalogue;
  const isMeant = !isFound || nearWord(String(own), kinds.keys()) !== undefined;
  if (isMeant && !kinds.has(String(own))) catalogue.parse({ kind: own });
  if (kind !== undefined && own !== kind) {
    if (isFound) {
      session.note(`Only out of ${whole} is used: it has the kind ${JSON.stringify(own)}.`);
      return {};
    }
    throw new ConfigurationError(
      `Cannot start a ${kind}: "${whole}" has the kind ${JSON.stringify(own)}`,
      { field: "kind", hint: `Use the command of that kind, or another file.` },
    );
  }
  if (isFound) session.note(`Settings: ${whole}`);
  const settings = isFound ? settingsOf(String(own), given) : given;
  // Check the file before flags override it, so that an error names the file's own key.
  const usual = own === "paper-debate" ? { papers: ["paper.md"] } : { topic: "Any topic at all?" };
  const { named } = session;
  session.named = [];
  const config = catalogue.parse({ ...usual, ...settings, kind: own });
  session.named = named;
  const file = isFound ? absolutePaths(settings, dirname(whole)) : settings;
  if (!whole.endsWith(".md")) return file;
  // Paths of a record's papers and sources are relative to its metadata.md.
  const absolute = (paths: readonly string[]) => paths.map((each) => resolve(dirname(whole), each));
  const { sources } = config;
  const papers = config.kind === "paper-debate" && "papers" in file ? config.papers : undefined;
  return {
    ...withEarlierDefaults(config.kind, file),
    ...sources === undefined ? {} : { sources: absolute(sources) },
    ...papers === undefined ? {} : { papers: absolute(papers) },
  };
}

/** Returns the settings of a file without those that only other kinds have. */
function settingsOf(kind: string, file: Plain): Plain {
  const table: Settings = SETTINGS;
  return Object.fromEntries(
    Object.entries(file).filter(([key]) => {
      const kinds: readonly string[] | undefined = table[key]?.kinds;
      return kinds === undefined || kinds.includes(kind);
    }),
  );
}

/** Throws for a flag of a setting that a recorded convening cannot have, because it is of another kind. */
function refuseOtherKinds(kind: string, values: FlagValues): void {
  for (const { key, name } of values.given) {
    if (!isBuiltIn(kind) || key === undefined || key in settingsOf(kind, { [key]: true })) continue;
    throw cannotUse(name, `this is a ${kind}`, "Leave it out.");
  }
}

/** Throws for `--search-url` at the resume of a convening without a fact check, which only a start can turn on. */
function refuseNewChecks(recorded: Plain, values: FlagValues): void {
  const url = values.get(SEARCH_URL);
  if (url === undefined || looksUp(recorded)) return;
  const hint = "Leave it out; --fact-check is for a new convening.";
  throw cannotUse(`--search-url ${url}`, "this convening checks no claims", hint);
}
