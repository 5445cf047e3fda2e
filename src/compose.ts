// Composition: the table of kinds, and names and settings turned into agents, searchers, records and workflows.
import { basename } from "@std/path";
import {
  checkArchive,
  loadPersona,
  materialPaths,
  readSources,
  withMaterials,
} from "./inputs/inputs.ts";
import {
  AGENT_VARIABLES,
  defaultModel as registryDefault,
  resolveAgent,
  type Server,
  serverOf,
} from "./agents/registry.ts";
import type { ReplayAnswers } from "./agents/replay.ts";
import type { Agent } from "./core/agent.ts";
import { type OwnKinds, parseConfig } from "./config/config.ts";
import type { CommonConfig, ConveningConfig, DebateConfig } from "./config/convening_config.ts";
import { ConfigurationError } from "./core/error.ts";
import type { PaperDraft } from "./papers/text/check_paper.ts";
import type { KeyRules } from "./core/key_rules.ts";
import { personaText } from "./core/persona.ts";
import type { ConveningStart, Source } from "./core/record.ts";
import type { Searcher } from "./core/search.ts";
import { recordFiles } from "./record/disk_files.ts";
import { folderRecord } from "./record/fs_store.ts";
import type { Participant } from "./engine/participant.ts";
import { sourceSearcher } from "./checking/source_searcher.ts";
import { SEARCH_VARIABLES, searchServer, tavilyFrom } from "./checking/web_search.ts";
import { DebateWorkflow } from "./debate/debate_workflow.ts";
import type { DebateWorkflowConfig } from "./debate/debate_options.ts";
import type { ConsensusOptions } from "./consensus/consensus_options.ts";
import { ConsensusWorkflow } from "./consensus/consensus_workflow.ts";
import { DialogueWorkflow } from "./engine/dialogue_workflow.ts";
import type { DialogueOptions } from "./engine/dialogue_workflow.ts";
import type { PaperDebateOptions } from "./papers/debate/paper_debate_options.ts";
import { checkPickNumber } from "./papers/debate/pick.ts";
import { PaperDebateWorkflow } from "./papers/debate/paper_debate_workflow.ts";
import { consensusFrom } from "./consensus/consensus_from.ts";
import { debateFrom } from "./debate/debate_from.ts";
import { dialogueFrom } from "./engine/dialogue_from.ts";
import { paperDebateFrom } from "./papers/debate/paper_debate_from.ts";
import type { Kind } from "./engine/kind.ts";
import type {
  AgentSettings,
  HandedIn,
  Remembered,
  WorkflowHost,
} from "./engine/workflow_options.ts";

export { withPreset } from "./debate/preset.ts";

/** The archive where none is named. */
export const DEFAULT_OUT = "convenings";

/** Agents of an own provider: `model` is what follows the provider's name and `:`. */
export type AgentFactory = (model: string, settings: AgentSettings) => Agent;

/** What a program adds to the built-in library; the default export of a module for `--extend`. */
export interface LibraryOptions {
  /** Kinds of convenings besides the built-in ones, made by `defineKind`. */
  readonly kinds?: readonly Kind[] | undefined;
  /** Providers of agents: `{ mine }` makes the agent of every model that is named `mine:MODEL`. */
  readonly agents?: Readonly<Record<string, AgentFactory>> | undefined;
  /** Where claims are looked up, besides the web and the convening's sources. */
  readonly searchers?: readonly Searcher[] | undefined;
}

/** Roles of those who did not speak for themselves. */
const NOT_JUDGED: ReadonlySet<string> = new Set([
  "moderator",
  "fact_checker",
  "audience",
  "questioner",
  "reporter",
]);

/** Those who spoke for themselves. */
function speakers({ participants }: ConveningStart): readonly string[] {
  return participants.filter(({ role }) => !NOT_JUDGED.has(role)).map(({ id }) => id);
}

/** Every built-in kind of convening. */
const KINDS: readonly Kind[] = [
  {
    name: "dialogue",
    summary: "A conversation, in turn, as a moderator gives the floor, or by bids",
    create: dialogueFrom,
    judged: speakers,
  },
  {
    name: "consensus",
    summary: "Proposals are discussed until enough agree, or nobody moves any more",
    create: consensusFrom,
    judged: speakers,
  },
  {
    name: "debate",
    summary: "Advocates argue and rebut before a moderator; judges score and name a winner",
    create: debateFrom,
    judged: speakers,
  },
  {
    name: "paper-debate",
    summary:
      "Debaters argue over research papers with citations that are verified; judges score, a report is made",
    create: paperDebateFrom,
    judged: speakers,
  },
];

/** Settings that decide what claims are looked up in: keys, addresses, sources, models. */
export type SearchSettings =
  & Pick<HandedIn, "env" | "allowBaseUrls" | "untrusted">
  & { readonly sources?: readonly (Source | string)[] | undefined }
  & Omit<Partial<ConveningConfig>, "sources">;

/** The kinds, agents and searchers that a library knows: the built-in ones and a program's own. */
export class Catalogue {
  /** By name. */
  readonly kinds: ReadonlyMap<string, Kind>;
  /** Turns names into instances. */
  readonly host: WorkflowHost;
  readonly #options: LibraryOptions;

  /** The built-in kinds and agents, and those of `options`. Throws a `ConfigurationError` for a name that is taken. */
  constructor(options: LibraryOptions = {}) {
    this.#options = options;
    const all = [...KINDS, ...options.kinds ?? []];
    this.kinds = new Map(all.map((kind) => [kind.name, kind]));
    const names = all.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) {
      throw new ConfigurationError(`Cannot define the kind "${twice}": the name is taken`, {
        field: "kinds",
        hint: `Taken: ${KINDS.map(({ name }) => name).join(", ")}, and every name once.`,
      });
    }
    this.host = {
      agent: (name, settings) => this.agent(name, settings),
      moderate: async (topic, { model, signal, ...given }) => {
        const { moderateTopic } = await import("./agents/moderation.ts");
        const settings = registrySettings(given);
        await moderateTopic(topic, { model: model ?? registryDefault(settings), settings, signal });
      },
      persona: async (id) => personaText(await loadPersona(id)),
      searchers: (settings) => this.searchers(settings),
      remember: remembered,
      record: (out) => folderRecord({ out: out ?? DEFAULT_OUT }),
    };
  }

  /** The configuration, checked by its kind's schema; see `parseConfig`. */
  parse(input: unknown): ConveningConfig {
    return parseConfig(input, this.settings);
  }

  /** The settings of the program's own kinds, by their names. */
  get settings(): OwnKinds {
    return new Map((this.#options.kinds ?? []).map(({ name, settings = {} }) => [name, settings]));
  }

  /** The agent of a model's name; see `createAgent`. */
  agent(name?: string, settings: AgentSettings = {}): Agent {
    const own = this.#factoryOf(name);
    if (own !== undefined) return own(name!.slice(name!.indexOf(":") + 1), settings);
    const resolved = registrySettings(settings);
    return resolveAgent(name ?? registryDefault(resolved), resolved);
  }

  /** Whether a model is of one of the program's own providers. */
  hasOwn(model: string): boolean {
    return this.#factoryOf(model) !== undefined;
  }

  #factoryOf(name: string | undefined): AgentFactory | undefined {
    const { agents = {} } = this.#options;
    const provider = name?.slice(0, Math.max(0, name.indexOf(":"))) ?? "";
    return Object.hasOwn(agents, provider) ? agents[provider] : undefined;
  }

  /** What a configuration's claims are looked up in. */
  searchers(settings: SearchSettings): Searcher[] {
    return [...searchersOf(settings), ...this.#options.searchers ?? []];
  }

  /** The workflow of a checked configuration. */
  create(config: ConveningConfig, handed: HandedIn): DialogueWorkflow<unknown> {
    return this.kinds.get(config.kind)!.create(config as never, handed);
  }
}

/** The built-in kinds, agents and searchers, and no more. */
export const BUILT_IN: Catalogue = new Catalogue();

/** Turns names into instances: models, archives, personas, searchers. */
export const defaultHost: WorkflowHost = BUILT_IN.host;

/**
 * The agent a name stands for: `gpt-4o-mini` or any model of an OpenAI-compatible server, `openrouter:vendor/model`,
 * `google:model`, `ollama:model`, `offline`, `replay:DIR`. Without a name: `gpt-4o-mini` with a key or base URL, else
 * `offline`. Throws a `ConfigurationError` for an unknown name or a missing key.
 *
 * @example
 * ```ts
 * import { createAgent } from "@convenings/convenings";
 *
 * const agent = createAgent("offline");
 * console.assert(agent.model === "offline");
 * ```
 */
export function createAgent(name?: string, settings: AgentSettings = {}): Agent {
  return BUILT_IN.agent(name, settings);
}

/** The model where none is named: `gpt-4o-mini` with a key or a base URL, else `offline`. */
export function defaultModel(settings: AgentSettings = {}): string {
  return registryDefault(registrySettings(settings));
}

/**
 * A debate over a topic; see {@linkcode DebateWorkflowConfig} for its options. Throws a `ConfigurationError` for an unknown
 * option and a value that is not allowed, and a `TopicError`.
 */
export function createDebateWorkflow(
  topic: string,
  participants: readonly Participant[],
  config: DebateWorkflowConfig = {},
): DebateWorkflow {
  checkOptions(config);
  return new DebateWorkflow(topic, participants, { host: defaultHost, ...config });
}

/** A debate over research papers; see {@linkcode PaperDebateOptions} for its options. */
export function createPaperDebateWorkflow(
  papers: readonly PaperDraft[],
  options: PaperDebateOptions = {},
): PaperDebateWorkflow {
  checkPickNumber(options.pick);
  return new PaperDebateWorkflow(papers, { host: defaultHost, ...options });
}

/** A plain dialogue: round-robin over the participants. */
export function createDialogueWorkflow(
  topic: string,
  participants: readonly Participant[],
  options: DialogueOptions = {},
): DialogueWorkflow {
  return new DialogueWorkflow(topic, participants, { host: defaultHost, ...options });
}

/** A consensus dialogue: proposals, stances, agreement or impasse. */
export function createConsensusWorkflow(
  topic: string,
  participants: readonly Participant[],
  options: ConsensusOptions = {},
): ConsensusWorkflow {
  return new ConsensusWorkflow(topic, participants, { host: defaultHost, ...options });
}

/** Options that no configuration has: instances and functions. */
const INSTANCES: ReadonlySet<string> = new Set(
  [
    "allowBaseUrls",
    "clock",
    "design",
    "env",
    "exitCondition",
    "host",
    "moreGuards",
    "observers",
    "record",
    "remember",
    "searchers",
    "signal",
    "sources",
    "untrusted",
  ] satisfies (keyof DebateWorkflowConfig)[],
);
/** Keys of a configuration that are arguments, or parts of participants, where a debate is made of instances. */
const ARGUMENTS = ["kind", "topic", "participants", "positions", "moderatorModel", "personas"];

/** Refuses options that a debate would ignore, and values that a configuration may not have. */
function checkOptions(options: DebateWorkflowConfig): void {
  const ignored = ARGUMENTS.find((key) => Object.hasOwn(options, key));
  if (ignored !== undefined) {
    throw new ConfigurationError(`Cannot use the options of a debate: unknown key "${ignored}"`, {
      field: ignored,
      hint: "Give the topic and the participants before the options; positions are participants'.",
    });
  }
  const { judges, audience, ...others } = options;
  const given = Object.entries({ ...others, judges: plain(judges), audience: plain(audience) });
  const kept = given.filter(([key, value]) => value !== undefined && !INSTANCES.has(key));
  parseConfig({ kind: "debate", topic: "", ...Object.fromEntries(kept) });
}

/** What is set of judges or listeners, without their agents. */
function plain(cast: readonly { readonly agent?: Agent | undefined }[] | undefined): unknown {
  return cast?.map(({ agent: _agent, ...settings }) => settings);
}

/** What a configuration cannot hold: instances and functions. */
export type ComposeOptions = Omit<HandedIn, "agentOf" | "sources" | "papers"> & {
  /** Agents by participant's or judge's id, in the place of their models. */
  readonly agents?: Readonly<Record<string, Agent>> | undefined;
  /** The kinds and agents there are. @default the built-in ones */
  readonly catalogue?: Catalogue | undefined;
};

/** What a convening is held with besides its configuration: instances, and texts in the place of files. */
export type ConveningMatter = ComposeOptions & Pick<HandedIn, "sources" | "papers"> & {
  /** Called with a sentence about each file that is skipped. @default nothing is called */
  readonly note?: ((sentence: string) => void) | undefined;
};

/** The configuration of a kind that is not built in: the keys of every kind, and its own. */
export type OwnConfig =
  & CommonConfig
  & { readonly kind: string }
  & Readonly<Record<string, unknown>>;

/** The workflow of each built-in kind. */
export interface WorkflowOf {
  /** Of the kind `dialogue`. */
  readonly dialogue: DialogueWorkflow;
  /** Of the kind `debate`. */
  readonly debate: DebateWorkflow;
  /** Of the kind `consensus`. */
  readonly consensus: ConsensusWorkflow;
  /** Of the kind `paper-debate`. */
  readonly "paper-debate": PaperDebateWorkflow;
}

/**
 * The workflow a configuration describes; reads its files: sources, papers, personas, rubrics; sources and papers that are
 * handed in stand for those it names. Throws a `ConfigurationError` or `TopicError`.
 */
export function composeConvening<C extends ConveningConfig>(
  config: C,
  matter?: ConveningMatter,
): Promise<WorkflowOf[C["kind"]]>;
/** The same of a kind that is not built in. */
export function composeConvening(
  config: OwnConfig,
  matter?: ConveningMatter,
): Promise<DialogueWorkflow<unknown>>;
export async function composeConvening(
  config: ConveningConfig | OwnConfig,
  { sources: texts, papers: given, note, ...options }: ConveningMatter = {},
): Promise<DialogueWorkflow<unknown>> {
  const { catalogue = BUILT_IN } = options;
  const checked = await withMaterials(catalogue.parse(config), note);
  const sources = texts ?? await readSources(checked.sources ?? []);
  if (checked.kind !== "paper-debate") return assemble(checked, { ...options, sources });
  checkPickNumber(checked.pick);
  const { readPapers } = await import("./inputs/papers.ts");
  const papers = given ?? await readPapers(checked.papers, { title: checked.title });
  return assemble(checked, { ...options, sources, papers });
}

/** The workflow a checked configuration describes, its sources read. */
export function assemble(
  config: ConveningConfig,
  { agents = {}, catalogue = BUILT_IN, ...handed }: ConveningMatter,
): DialogueWorkflow<unknown> {
  const agentOf = (id: string) => Object.hasOwn(agents, id) ? agents[id] : undefined;
  const searchers = looksUp(config) ? catalogue.searchers({ ...config, ...handed }) : [];
  return catalogue.create(config, { searchers, host: catalogue.host, ...handed, agentOf });
}

/**
 * What claims are looked up in: the web, where the environment has a key or a server, and the convening's own sources. In
 * a replay the recorded look-ups stand for the web.
 */
function searchersOf(
  { env = processVariable, sources = [], factCheck, allowBaseUrls, untrusted, ...config }:
    SearchSettings,
): Searcher[] {
  const dirs = replayedBy(config as Partial<ConveningConfig>);
  const web = dirs === undefined
    ? tavilyFrom(env, { searchUrl: factCheck?.searchUrl, allowBaseUrls, untrusted })
    : recordedSearch(dirs);
  const texts = sources.filter((each) => typeof each !== "string");
  return [
    ...web === undefined ? [] : [web],
    ...texts.length === 0 ? [] : [sourceSearcher(texts)],
  ];
}

/** What a replay looks claims up in: what the replayed convenings were given, read when it is first asked. */
function recordedSearch(dirs: readonly string[]): Searcher {
  let recorded: Promise<Searcher | undefined> | undefined;
  return {
    name: "webSearch",
    search: async (query, options) =>
      await (await (recorded ??= read()))?.search(query, options) ?? [],
  };
  async function read(): Promise<Searcher | undefined> {
    const { replaySearcher } = await import("./agents/replay/replay_searcher.ts");
    const answers = await Promise.all(dirs.map(readAnswers));
    return replaySearcher(answers.flatMap(({ facts }) => facts));
  }
}

/** The directories that answer, where every model is `replay:DIR`. */
function replayedBy(config: Partial<ConveningConfig>): string[] | undefined {
  const models = new Set(modelsOf(config).map((model) => model ?? config.model));
  const dirs = [...models].flatMap((model) => /^replay:(.*\S.*)$/s.exec(model ?? "")?.[1] ?? []);
  return dirs.length === models.size ? dirs : undefined;
}

/** The most relevant earlier convenings of an archive, as prompts quote them. */
async function remembered(archive: string, topic: string): Promise<Remembered[]> {
  const { memoryOf } = await import("./record/remembered.ts");
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

/** The files and folders that a configuration is read from, for permission checks. */
export const pathsOf: (config: Partial<ConveningConfig>) => string[] = materialPaths;

/** How the servers of a configuration are found. */
export type ServerRules = Pick<AgentSettings, "env" | keyof KeyRules> & {
  readonly catalogue?: Catalogue | undefined;
};

/** The `host:port` of every server that a configuration's models are on; none for the offline agent. */
export function hostsOf(
  config: Partial<ConveningConfig>,
  options: ServerRules = {},
): string[] {
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
  { env = processVariable, catalogue = BUILT_IN, ...rules }: ServerRules = {},
): Server[] {
  const settings = registrySettings({ ...config, env, ...rules });
  const usual = config.model ?? registryDefault(settings);
  const models = new Set(modelsOf(config).map((model) => model ?? usual));
  const search = looksUp(config) && replayedBy(config) === undefined
    ? searchServer(env, { searchUrl: config.factCheck?.searchUrl, ...rules })
    : undefined;
  const known = [...models].filter((model) => !catalogue.hasOwn(model));
  return known.map((model) => serverOf(model, settings)).concat(search)
    .filter((each) => each !== undefined);
}

/** The models of a configuration's roles; undefined stands for the usual one, where a role names none. */
export function modelsOf(config: Partial<ConveningConfig>): (string | undefined)[] {
  const { participants, factCheck } = config;
  const { judges, audience, moderatorModel } = config as Partial<DebateConfig>;
  const roles = [...participants ?? [], ...judges ?? [], ...audience ?? []];
  const others = [moderatorModel, factCheck?.extractionModel, factCheck?.verificationModel];
  return [
    ...roles.map(({ model }) => model),
    ...others.filter((model) => model !== undefined),
    // Whoever is not named speaks with the usual one.
    ...participants === undefined || judges === undefined ? [undefined] : [],
  ];
}

/** The variables that are read where claims are looked up on the web. */
export const LOOK_UP_VARIABLES: readonly string[] = SEARCH_VARIABLES;

/** Whether a configuration has anything looked up on the web. */
export function looksUp({ factCheck, ...config }: Partial<ConveningConfig>): boolean {
  // Its debaters may search the web, checked or not.
  if (config.kind === "paper-debate") return true;
  const preset = config.kind === "debate" && config.preset === "pro-con";
  const checker = (config.participants ?? []).some(({ role }) => role === "fact_checker");
  const mode = factCheck?.mode ??
    (factCheck !== undefined || preset || checker ? "standard" : "off");
  return mode !== "off";
}

function registrySettings(settings: AgentSettings): Parameters<typeof resolveAgent>[1] {
  const { env = processVariable, baseUrl, providers } = settings;
  const own = Object.values(providers ?? {}).flatMap(({ apiKeyEnv }) => apiKeyEnv ?? []);
  return {
    baseUrl,
    providers,
    idleTimeout: settings.idleTimeout,
    totalTimeout: settings.totalTimeout,
    maxReplyBytes: settings.maxReplyBytes,
    allowBaseUrls: settings.allowBaseUrls,
    untrusted: settings.untrusted,
    env: Object.fromEntries([...AGENT_VARIABLES, ...own].map((name) => [name, env(name)])),
    replay: readAnswers,
  };
}

/** A variable of the process, where reading it is permitted; never asks. */
function processVariable(name: string): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable: name });
  return state === "granted" ? Deno.env.get(name) : undefined;
}

/** What `replay:DIR` answers from. */
async function readAnswers(dir: string): Promise<ReplayAnswers> {
  const { readRecord } = await import("./record/read.ts");
  const { facts } = await readRecord(recordFiles(dir), dir);
  const messages = facts.flatMap((fact) =>
    fact.type === "message" ? [[fact.turn, fact] as const] : []
  );
  return { model: `replay:${dir}`, messages: new Map(messages), facts };
}
