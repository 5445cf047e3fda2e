// Servers of a configuration: its models, search servers and keys, and the searchers and answers that are made of them.
import {
  defaultModel as usualModel,
  keyVariables,
  type Server,
  serverOf,
} from "../agents/registry.ts";
import { EMBEDDING_MODEL, type resolveAgent } from "../agents/named_agents.ts";
import type { ReplayAnswers } from "../agents/replay/recording.ts";
import { sourceSearcher } from "../checking/source_searcher.ts";
import { SEARCH_VARIABLES, searchServer, tavilyFrom } from "../checking/web_search.ts";
import type {
  ConveningConfig,
  DebateConfig,
  PaperDebateConfig,
} from "../config/convening_config.ts";
import { isWaitedFor } from "../core/agent.ts";
import type { KeyRules } from "../core/key_rules.ts";
import type { Source } from "../core/paper.ts";
import type { Searcher } from "../core/search.ts";
import type { AgentSettings, HandedIn } from "../engine/workflow_options.ts";
import { recordFiles } from "../record/disk_files.ts";

/** Settings that decide what claims are looked up in: keys, addresses, sources, models. */
export type SearchSettings =
  & Pick<HandedIn, "env" | "allowBaseUrls" | "untrusted">
  & { readonly sources?: readonly (Source | string)[] | undefined }
  & Omit<Partial<ConveningConfig>, "sources">;

/** The model where none is named: `gpt-4o-mini` with a key or a base URL, else `offline`. */
export function defaultModel(settings: AgentSettings = {}): string {
  return usualModel(registrySettings(settings));
}

/**
 * Searchers for claims: the web, where the environment has a key or a server, and the convening's own sources. In a
 * replay the recorded look-ups stand for the web.
 */
export function searchersOf(
  { env = processVariable, sources = [], factCheck, allowBaseUrls, untrusted, ...config }:
    SearchSettings,
): Searcher[] {
  const dirs = replayedBy(config as Partial<ConveningConfig>);
  const web = dirs === undefined
    ? tavilyFrom(env, { searchUrl: factCheck?.searchUrl, allowBaseUrls, untrusted })
    : new RecordedSearch(dirs);
  const texts = sources.filter((each) => typeof each !== "string");
  return [...web === undefined ? [] : [web], ...texts.length === 0 ? [] : [sourceSearcher(texts)]];
}

/** Searches of the web as the replayed convenings made them; their records are read when they are first needed. */
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

  /** The searches on record; undefined where there are none. */
  read(): Promise<Searcher | undefined> {
    return this.#recorded ??= this.#read();
  }

  async #read(): Promise<Searcher | undefined> {
    const { replaySearcher } = await import("../agents/replay/recording.ts");
    const answers = await Promise.all(this.#dirs.map(readAnswers));
    return replaySearcher(answers.flatMap(({ facts }) => facts));
  }
}

/** The searchers without those of replayed convenings that searched nothing: claims had no source there, and have none now. */
export async function withoutEmpty(searchers: readonly Searcher[]): Promise<Searcher[]> {
  const recorded = await Promise.all(
    searchers.map((each) => each instanceof RecordedSearch ? each.read() : each),
  );
  return searchers.filter((_, index) => recorded[index] !== undefined);
}

/** The directories that answer, where every model is `replay:DIR`. */
export function replayedBy(config: Partial<ConveningConfig>): string[] | undefined {
  const models = new Set(modelsOf(config).map((model) => model ?? config.model));
  const dirs = [...models].flatMap((model) => /^replay:(.*\S.*)$/s.exec(model ?? "")?.[1] ?? []);
  return dirs.length === models.size ? dirs : undefined;
}

/** Rules for finding the servers of a configuration. */
type ServerRules = Pick<AgentSettings, "env" | keyof KeyRules> & {
  /** The agents there are, for models of a program's own. @default the built-in ones */
  readonly catalogue?: { hasOwn(model: string): boolean } | undefined;
};

/** The `host:port` of every server that a configuration's models are on; none for the offline agent. */
export function hostsOf(config: Partial<ConveningConfig>, options: ServerRules = {}): string[] {
  const urls = serversOf(config, options).map(({ url }) => new URL(url));
  return [
    ...new Set(
      urls.map(({ hostname, port, protocol }) =>
        `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`
      ),
    ),
  ];
}

/**
 * The servers that a configuration reaches, models first, each with the variable of the key that is sent there. Throws a
 * `ConfigurationError` for an address that may not get its key.
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

/** The models of a configuration's roles; undefined stands for the usual one, where a role names none. */
export function modelsOf(config: Partial<ConveningConfig>): (string | undefined)[] {
  const { participants, factCheck } = config;
  const { judges, audience, moderatorModel, noteModel, tiebreakModel } = config as Partial<
    DebateConfig
  >;
  const roles = [...participants ?? [], ...judges ?? [], ...audience ?? []];
  const { extractionModel, verificationModel } = factCheck ?? {};
  const others = [moderatorModel, noteModel, tiebreakModel, extractionModel, verificationModel];
  return [
    ...roles.map(({ model }) => model),
    ...others.filter((model) => model !== undefined),
    // Whoever is not named speaks with the usual one.
    ...participants === undefined || judges === undefined ? [undefined] : [],
  ];
}

/** True where a person or a client takes part or judges, or is asked which question is debated. */
export function hasPeople(config: ConveningConfig): boolean {
  const isAsked = config.kind === "paper-debate" && config.pick === "ask";
  return isAsked || [...modelsOf(config), config.model].some(isWaitedFor);
}

/** The variables that are read where claims are looked up on the web. */
export const LOOK_UP_VARIABLES: readonly string[] = SEARCH_VARIABLES;

/** True if a configuration has anything looked up on the web. */
export function looksUp({ factCheck, ...config }: Partial<ConveningConfig>): boolean {
  // Its debaters may search the web, checked or not.
  if (config.kind === "paper-debate") return true;
  const preset = config.kind === "debate" && config.preset === "pro-con";
  const checker = (config.participants ?? []).some(({ role }) => role === "fact_checker");
  const mode = factCheck?.mode ??
    (factCheck !== undefined || preset || checker ? "standard" : "off");
  return mode !== "off";
}

/** The environment of a machine that asks no model: a key that is not set counts as set. */
export function withKeys(
  { providers }: Pick<AgentSettings, "providers">,
  env: NonNullable<AgentSettings["env"]> = processVariable,
): (name: string) => string | undefined {
  const keys = new Set(keyVariables(providers));
  return (name) => env(name) ?? (keys.has(name) ? "not-set" : undefined);
}

/** The settings of agents, with the variables that they read. */
export function registrySettings(settings: AgentSettings): Parameters<typeof resolveAgent>[1] {
  const { env = processVariable, baseUrl, providers } = settings;
  return {
    baseUrl,
    providers,
    idleTimeout: settings.idleTimeout,
    totalTimeout: settings.totalTimeout,
    maxReplyBytes: settings.maxReplyBytes,
    maxWait: settings.retry?.maxRetryAfter,
    allowBaseUrls: settings.allowBaseUrls,
    untrusted: settings.untrusted,
    env: Object.fromEntries(
      ["OPENAI_BASE_URL", ...keyVariables(providers)].map((name) => [name, env(name)]),
    ),
    importPackage,
    replay: readAnswers,
  };
}

/** The import of a package that runs; the next begins when the lock is as it was. */
let importing: Promise<unknown> = Promise.resolve();

/** Imports a package that is loaded by need. Deno notes it in the lock; the project's own lock is put back as it was. */
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

/** This project's lock, where it may be read and written without asking. */
function projectLock(): URL | undefined {
  const url = new URL("../../deno.lock", import.meta.url);
  if (url.protocol !== "file:") return undefined;
  const may = (name: "read" | "write") =>
    Deno.permissions.querySync({ name, path: url }).state === "granted";
  return may("read") && may("write") ? url : undefined;
}

/** A variable of the process, where reading it is permitted; never asks. */
function processVariable(name: string): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable: name });
  return state === "granted" ? Deno.env.get(name) : undefined;
}

/** Answers of `replay:DIR`. */
async function readAnswers(dir: string): Promise<ReplayAnswers> {
  const { readRecord } = await import("../record/read.ts");
  const { facts } = await readRecord(recordFiles(dir), dir);
  const messages = facts.flatMap((fact) =>
    fact.type === "message" ? [[fact.turn, fact] as const] : []
  );
  return { model: `replay:${dir}`, messages: new Map(messages), facts };
}

/**
 * The time that a run waits for a person before others run, in milliseconds: the run then waits on disk, and is resumed when
 * the person speaks.
 */
const PERSON_TIME = 60_000;

/** The time that people have, where some take part. */
export function personTime(config: ConveningConfig): Pick<ConveningConfig, "personTimeout"> {
  return hasPeople(config) ? { personTimeout: PERSON_TIME } : {};
}
