// Determines the servers of a configuration, with their keys, and creates searchers and agent settings for them.
import { resolve } from "@std/path";
import {
  defaultModel as usualModel,
  keyVariables,
  type RegistrySettings,
  type Server,
  serverOf,
} from "../agents/registry.ts";
import type { ReplayAnswers } from "../agents/replay/recording.ts";
import { searchServer, sourceSearcher, tavilyFrom } from "../checking/searchers.ts";
import type {
  ConveningConfig,
  DebateConfig,
  PaperDebateConfig,
} from "../config/convening_config.ts";
import { isWaitedFor } from "../core/agent.ts";
import { ConfigurationError } from "../core/error.ts";
import {
  type AgentSettings,
  hostAndPort,
  isAllowedHost,
  isLoopback,
  type KeyRules,
} from "../core/key_rules.ts";
import { safeSources } from "../core/files.ts";
import type { Source } from "../core/paper.ts";
import { EMBEDDING_MODEL, type Searcher } from "../core/search.ts";
import { listIn, objectIn } from "../core/values.ts";
import type { HandedIn } from "../engine/workflow_options.ts";
import { recordFiles } from "../record/disk_files.ts";

/** Settings that determine the searchers for claims: keys, URLs, sources, models. */
export type SearchSettings =
  & Pick<HandedIn, "env" | "allowBaseUrls" | "untrusted">
  & { readonly sources?: readonly (Source | string)[] | undefined }
  & Omit<Partial<ConveningConfig>, "sources">;

/** Returns the default model: `gpt-4o-mini` with a key or a base URL, else `offline`. */
export function defaultModel(settings: AgentSettings = {}): string {
  return usualModel(registrySettings(settings));
}

/**
 * Returns the searchers for claims: the web, if the environment has a key or a server, and the convening's own sources. A replay uses
 * the recorded look-ups instead of the web.
 */
export function searchersOf(
  { env = processVariable, sources = [], factCheck, allowBaseUrls, untrusted, ...config }:
    SearchSettings,
): Searcher[] {
  const dirs = replayedBy(config as Partial<ConveningConfig>);
  const web = dirs === undefined
    ? tavilyFrom(env, { searchUrl: factCheck?.searchUrl, allowBaseUrls, untrusted })
    : new RecordedSearch(dirs);
  const texts = safeSources(sources.filter((each) => typeof each !== "string"));
  return [...web === undefined ? [] : [web], ...texts.length === 0 ? [] : [sourceSearcher(texts)]];
}

/** Searcher over the web look-ups of replayed convenings, whose records are read on first use. */
class RecordedSearch implements Searcher {
  readonly name = "webSearch";
  readonly #dirs: readonly string[];
  #recorded: Promise<Searcher | undefined> | undefined;

  constructor(dirs: readonly string[]) {
    this.#dirs = dirs;
  }

  async search(...asked: Parameters<Searcher["search"]>): ReturnType<Searcher["search"]> {
    return await (await this.read())?.search(...asked) ?? [];
  }

  /** Reads the records; undefined if they have no web look-ups. */
  read(): Promise<Searcher | undefined> {
    return this.#recorded ??= this.#read();
  }

  async #read(): Promise<Searcher | undefined> {
    const { replaySearcher } = await import("../agents/replay/recording.ts");
    const answers = await Promise.all(this.#dirs.map(readAnswers));
    return replaySearcher(answers.flatMap(({ facts }) => facts));
  }
}

/** Removes searchers of replayed convenings without look-ups, so that claims have no source in the replay either. */
export async function withoutEmptyReplays(searchers: readonly Searcher[]): Promise<Searcher[]> {
  const recorded = await Promise.all(
    searchers.map((each) => each instanceof RecordedSearch ? each.read() : each),
  );
  return searchers.filter((_, index) => recorded[index] !== undefined);
}

/** Returns the replayed directories if every model is `replay:DIR`, else undefined. */
export function replayedBy(config: Partial<ConveningConfig>): string[] | undefined {
  const models = new Set(modelsOf(config).map((model) => model ?? config.model));
  const dirs = [...models].flatMap((model) => /^replay:(.*\S.*)$/s.exec(model ?? "")?.[1] ?? []);
  return dirs.length === models.size ? dirs : undefined;
}

type ServerRules = Pick<AgentSettings, "env" | keyof KeyRules> & {
  /** The program's own agents by model name, which need no server. @default none */
  readonly catalogue?: { hasOwn(model: string): boolean } | undefined;
};

/** Returns the `host:port` of every server that a configuration uses. */
export function hostsOf(config: Partial<ConveningConfig>, options: ServerRules = {}): string[] {
  const servers = serversOf(config, options);
  return [...new Set(servers.map(({ url }) => hostAndPort(new URL(url))))];
}

/**
 * Returns the servers that a configuration uses, those of models first, each with the variable of the key sent to it. Throws a
 * `ConfigurationError` for a server that may not get its key.
 */
export function serversOf(
  config: Partial<ConveningConfig>,
  { env = processVariable, catalogue, ...rules }: ServerRules = {},
): Server[] {
  const settings = registrySettings({ ...config, env, ...rules });
  const usual = config.model ?? usualModel(settings);
  const models = new Set(modelsOf(config).map((model) => model ?? usual));
  const search = looksUp(config) && replayedBy(config) === undefined
    ? searchServer(env, { searchUrl: config.factCheck?.searchUrl, ...rules })
    : undefined;
  const { retrieval = "keyword", embeddingModel = EMBEDDING_MODEL } = config as Partial<
    PaperDebateConfig
  >;
  const embeds = config.kind === "paper-debate" && retrieval !== "keyword" &&
    replayedBy(config) === undefined;
  if (embeds) models.add(embeddingModel);
  const known = [...models].filter((model) => catalogue?.hasOwn(model) !== true);
  return known.map((model) => serverOf(model, settings)).concat(search)
    .filter((each) => each !== undefined);
}

/**
 * Throws if a stranger may have written a configuration that names texts of this machine and, in an `untrusted` setting, a server
 * elsewhere, unless no server is asked. Personas and rubrics may be named: other files do not have their shape.
 */
export function checkFilesOf(
  config: Partial<ConveningConfig>,
  { untrusted = [], ...rules }: ServerRules,
): void {
  const { baseUrl, providers = {}, factCheck, memory, sources = [] } = config;
  const { papers, embeddingModel } = config as Partial<PaperDebateConfig>;
  const models = [...modelsOf(config), config.model, embeddingModel]
    .filter((model) => typeof model === "string");
  const used = Object.entries(providers).filter(([prefix]) =>
    prefix === "openai" || models.some((model) => model.startsWith(`${prefix}:`))
  ).map(([, each]) => each.baseUrl);
  const urls = { baseUrl: [baseUrl], providers: used, searchUrl: [factCheck?.searchUrl] };
  const url = untrusted.flatMap((setting) => urls[setting])
    .find((each) => each !== undefined && !isLoopback(each) && !isAllowedHost(each, rules));
  const replays = models.filter((model) => model.startsWith("replay:"));
  const file = [...listIn(papers), ...sources, ...replays, memory]
    .find((each) => each !== undefined);
  if (file === undefined || url === undefined) return;
  if (serversOf(config, { untrusted, ...rules }).length === 0) return;
  const host = URL.parse(url)?.host ?? url;
  throw new ConfigurationError(
    `Cannot use "${file}": it would be sent to ${host}, and both come from a file or a record`,
    { hint: `Allow it with --allow-base-url ${host} (in a program: allowBaseUrls).` },
  );
}

/** Returns the models of a configuration's roles; undefined for a role that uses the default model. */
export function modelsOf(config: Partial<ConveningConfig>): (string | undefined)[] {
  const { participants, factCheck } = config;
  const { judges, audience, moderatorModel, noteModel, tiebreakModel } = config as Partial<
    DebateConfig
  >;
  // A key of a program's own kind may have one of these names and another type.
  const roles = [participants, judges, audience].flatMap(listIn).map(objectIn);
  const { extractionModel, verificationModel } = factCheck ?? {};
  const others = [moderatorModel, noteModel, tiebreakModel, extractionModel, verificationModel];
  return [
    ...roles.map(({ model }) => typeof model === "string" ? model : undefined),
    ...others.filter((model) => typeof model === "string"),
    // Default participants and judges use the default model.
    ...participants === undefined || judges === undefined ? [undefined] : [],
  ];
}

/** True if a person or client takes part, judges, or chooses the question of a paper debate. */
export function hasPeople(config: ConveningConfig): boolean {
  const isAsked = config.kind === "paper-debate" && config.pick === "ask";
  return isAsked || [...modelsOf(config), config.model].some(isWaitedFor);
}

/** True if a convening may search the web. */
export function looksUp({ factCheck, ...config }: Partial<ConveningConfig>): boolean {
  // Debaters of a paper debate may search the web even without fact checks.
  if (config.kind === "paper-debate") return true;
  const preset = config.kind === "debate" && config.preset === "pro-con";
  const checker = (config.participants ?? []).some(({ role }) => role === "fact_checker");
  const mode = factCheck?.mode ??
    (factCheck !== undefined || preset || checker ? "standard" : "off");
  return mode !== "off";
}

/** Returns an environment in which every provider's key counts as set, for a machine that plans runs of other machines. */
export function withKeys(
  { providers }: Pick<AgentSettings, "providers">,
  env: NonNullable<AgentSettings["env"]> = processVariable,
): (name: string) => string | undefined {
  const keys = new Set(keyVariables(providers));
  return (name) => env(name) ?? (keys.has(name) ? "not-set" : undefined);
}

/** Adds the environment, the import of packages and the reader of records to the settings of agents. */
export function registrySettings(settings: AgentSettings): RegistrySettings {
  const { env = processVariable } = settings;
  return { ...settings, env, importPackage, replay: readAnswers };
}

/** The last import; imports run one at a time, because each restores the lock file. */
let importing: Promise<unknown> = Promise.resolve();

/** Imports an optional package. Deno adds the package to the lock file; the project's own lock file is restored afterwards. */
export function importPackage(specifier: string): Promise<unknown> {
  const imported = importing.then(async () => {
    const lock = projectLock();
    const before = lock && await Deno.readTextFile(lock).catch(() => undefined);
    try {
      return await import(specifier);
    } finally {
      if (lock && before !== undefined && await Deno.readTextFile(lock) !== before) {
        await Deno.writeTextFile(lock, before);
      }
    }
  });
  importing = imported.catch(() => {});
  return imported;
}

/** Returns the URL of this project's lock file; undefined without permission to read and write it. */
function projectLock(): URL | undefined {
  const url = new URL("../../deno.lock", import.meta.url);
  return isPermitted("read", url) && isPermitted("write", url) ? url : undefined;
}

/** Returns true if the permissions allow access to a file of this machine; false for any other URL. */
export function isPermitted(name: "read" | "write", file: URL): boolean {
  return file.protocol === "file:" &&
    Deno.permissions.querySync({ name, path: file }).state === "granted";
}

/** Returns the bytes of memory that the process has. */
export function memoryInUse(): number {
  return Deno.memoryUsage().rss;
}

/** Reads an environment variable of the process if permitted, without a permission prompt. */
function processVariable(name: string): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable: name });
  return state === "granted" ? Deno.env.get(name) : undefined;
}

/** Reads the record of `replay:DIR`. */
async function readAnswers(dir: string): Promise<ReplayAnswers> {
  const { readRecord } = await import("../record/read.ts");
  const { facts } = await readRecord(recordFiles(dir), resolve(dir));
  const messages = facts.flatMap((fact) =>
    fact.type === "message" ? [[fact.turn, fact] as const] : []
  );
  return { model: `replay:${dir}`, messages: new Map(messages), facts };
}

/**
 * Milliseconds that a run waits for a person. The run then ends with the status `waiting`, so that others can run, and is resumed when
 * the person speaks.
 */
const PERSON_TIME = 60_000;

/** Returns the setting `personTimeout` for a convening with people, else no setting. */
export function personTime(
  config: ConveningConfig,
  personTimeout: number = PERSON_TIME,
): Pick<ConveningConfig, "personTimeout"> {
  return hasPeople(config) ? { personTimeout } : {};
}
