// Composition: the table of kinds, and names and settings turned into agents, searchers, records and workflows.
import { resolve } from "@std/path";
import { z } from "zod";
import { resolveAgent, resolveEmbedder } from "./agents/named_agents.ts";
import { asNew, type Checked, type OwnKinds, parseConfig } from "./config/config.ts";
import type { CommonConfig, ConveningConfig } from "./config/convening_config.ts";
import type { ConsensusWorkflow } from "./consensus/consensus_workflow.ts";
import type { Agent } from "./core/agent.ts";
import { callable, checkFields } from "./core/check_fields.ts";
import type { Embedder, Searcher } from "./core/search.ts";
import { ConfigurationError } from "./core/error.ts";
import type { FactKind } from "./core/record.ts";
import { personaText } from "./core/participant.ts";
import type { ConveningStart } from "./core/event.ts";
import type { DebateWorkflow } from "./debate/debate_workflow.ts";
import type { DialogueWorkflow } from "./engine/dialogue_workflow.ts";
import type { Kind } from "./engine/kind.ts";
import type { AgentSettings, HandedIn, WorkflowHost } from "./engine/workflow_options.ts";
import { loadPersona, readSources, remembered, withInputs } from "./inputs/inputs.ts";
import {
  defaultModel,
  looksUp,
  registrySettings,
  replayedBy,
  searchersOf,
  type SearchSettings,
  withoutEmpty,
} from "./inputs/servers.ts";
import { DEFAULT_OUT } from "./config/setting_shapes.ts";
import { JUDGE_CHECK } from "./judge_check/kind.ts";
import type { PaperDebateWorkflow } from "./papers/debate/paper_debate_workflow.ts";
import { archiveAround } from "./record/archive.ts";
import { folderRecord } from "./record/stores.ts";

/** Agents of an own provider: `model` is what follows the provider's name and `:`. */
export type AgentFactory = (model: string, settings: AgentSettings) => Agent;

/** Additions of a program to the built-in library; the default export of a module for `--extend`. */
export interface LibraryOptions {
  /** Kinds of convenings besides the built-in ones, made by `defineKind`. */
  readonly kinds?: readonly Kind[] | undefined;
  /** Providers of agents: `{ mine }` makes the agent of every model that is named `mine:MODEL`. */
  readonly agents?: Readonly<Record<string, AgentFactory>> | undefined;
  /** Kinds of facts that records of the program have, made by `defineFact`: `verify` checks their values. */
  readonly facts?: readonly FactKind<unknown>[] | undefined;
  /** Searchers for claims, besides the web and the convening's sources. */
  readonly searchers?: readonly Searcher[] | undefined;
}

const LIBRARY = z.strictObject({
  kinds: z.array(z.looseObject({ name: z.string(), summary: z.string(), create: callable }))
    .optional(),
  agents: z.record(z.string(), callable).optional(),
  facts: z.array(z.looseObject({ kind: z.string(), in: callable })).optional(),
  searchers: z.array(z.looseObject({ name: z.string(), search: callable })).optional(),
});

/** Roles of those who did not speak for themselves. */
const NOT_JUDGED: ReadonlySet<string> = new Set([
  "moderator",
  "fact_checker",
  "audience",
  "questioner",
  "reporter",
]);

/** Participants that spoke for themselves. */
function speakers({ participants }: ConveningStart): readonly string[] {
  return participants.filter(({ role }) => !NOT_JUDGED.has(role)).map(({ id }) => id);
}

/** Every built-in kind of convening; its module is loaded with the first workflow. */
const KINDS: readonly Kind[] = [
  {
    name: "dialogue",
    summary: "A conversation, in turn, as a moderator gives the floor, or by bids",
    create: async (...made) =>
      (await import("./engine/dialogue_workflow.ts")).dialogueFrom(...made),
    judged: speakers,
  },
  {
    name: "consensus",
    summary: "Proposals are discussed until enough agree, or nobody moves any more",
    create: async (...made) =>
      (await import("./consensus/consensus_workflow.ts")).consensusFrom(...made),
    judged: speakers,
  },
  {
    name: "debate",
    summary: "Advocates argue and rebut before a moderator; judges score and name a winner",
    create: async (...made) => (await import("./debate/debate_workflow.ts")).debateFrom(...made),
    judged: speakers,
  },
  {
    name: "paper-debate",
    summary:
      "Debaters argue over research papers with citations that are verified; judges score, a report is made",
    create: async (...made) =>
      (await import("./papers/debate/paper_debate_workflow.ts")).paperDebateFrom(...made),
    judged: speakers,
  },
  JUDGE_CHECK,
];

/** The kinds, agents, facts and searchers that a library knows: the built-in ones and a program's own. */
export class Catalogue {
  /** By name. */
  readonly kinds: ReadonlyMap<string, Kind>;
  /** Kinds of facts, by name. */
  readonly facts: ReadonlyMap<string, FactKind<unknown>>;
  /** Turns names into instances. */
  readonly host: WorkflowHost;
  readonly #options: LibraryOptions;

  /**
   * The built-in kinds and agents, and those of `options`, which errors call `whole`. Throws a `ConfigurationError` for an
   * option that is not allowed and for a name that is taken.
   */
  constructor(options: LibraryOptions = {}, whole = "options of createLibrary") {
    this.#options = checkFields(options, LIBRARY, whole);
    const all = [...KINDS, ...options.kinds ?? []];
    this.kinds = new Map(all.map((kind) => [kind.name, kind]));
    this.facts = new Map((options.facts ?? []).map((each) => [each.kind, each]));
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
        const { moderateTopic } = await import("./agents/openai_endpoints.ts");
        const settings = registrySettings(given);
        await moderateTopic(topic, { model: model ?? defaultModel(given), settings, signal });
      },
      persona: async (id) => personaText(await loadPersona(id)),
      embedder: (settings) =>
        replayedBy(settings as Partial<ConveningConfig>) === undefined
          ? resolveEmbedder(settings.embeddingModel, registrySettings(settings))
          : undefined,
      searchers: (settings) => this.searchers(settings),
      remember: remembered,
      biases: async (dir, model) => {
        const { knownBiases } = await import("./inputs/lessons.ts");
        return await knownBiases(archiveAround(dir), model);
      },
      record: (out = DEFAULT_OUT) => ({
        open: async (start) => {
          const { recallLessons } = await import("./inputs/lessons.ts");
          await recallLessons(resolve(out));
          return await folderRecord({ out }).open(start);
        },
      }),
    };
  }

  /** The configuration, checked by its kind's schema; see `parseConfig`. */
  parse(input: unknown): Checked<ConveningConfig> {
    return parseConfig(input, this.settings);
  }

  /** The settings of kinds that are not in the table of settings, by their names. */
  get settings(): OwnKinds {
    const own = [...this.kinds.values()].filter(({ settings }) => settings !== undefined);
    return new Map(own.map(({ name, settings }) => [name, settings!]));
  }

  /** The agent of a model's name; see `createAgent`. */
  agent(name?: string, settings: AgentSettings = {}): Agent {
    const own = this.#factoryOf(name);
    if (own !== undefined) return own(name!.slice(name!.indexOf(":") + 1), settings);
    const resolved = registrySettings(settings);
    return resolveAgent(name ?? defaultModel(settings), resolved);
  }

  /** True if a model is of one of the program's own providers. */
  hasOwn(model: string): boolean {
    return this.#factoryOf(model) !== undefined;
  }

  #factoryOf(name: string | undefined): AgentFactory | undefined {
    const { agents = {} } = this.#options;
    const provider = name?.slice(0, Math.max(0, name.indexOf(":"))) ?? "";
    return Object.hasOwn(agents, provider) ? agents[provider] : undefined;
  }

  /** Searchers for the claims of a configuration. */
  searchers(settings: SearchSettings): Searcher[] {
    return [...searchersOf(settings), ...this.#options.searchers ?? []];
  }

  /** The workflow of a checked configuration. */
  async create(
    config: Checked<ConveningConfig>,
    handed: HandedIn,
  ): Promise<DialogueWorkflow<unknown>> {
    return await this.kinds.get(config.kind)!.create(config as never, handed);
  }
}

/** The built-in kinds, agents and searchers, and no facts of a program's own. */
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

const EMBEDDER = z.strictObject({ name: z.string().optional(), settings: z.looseObject({}) });

/**
 * The embedder an embedding model's name stands for: `text-embedding-3-small` or any model of an OpenAI-compatible server
 * with `POST /embeddings`, `ollama:nomic-embed-text`, `google:gemini-embedding-001`. A wrong name and a missing key are a
 * `ConfigurationError` when it is first used.
 */
export function createEmbedder(name?: string, settings: AgentSettings = {}): Embedder {
  checkFields({ name, settings }, EMBEDDER, "arguments of createEmbedder");
  return resolveEmbedder(name, registrySettings(settings));
}

/** Inputs that a configuration cannot hold: instances and functions. */
export type ComposeOptions = Omit<HandedIn, "agentOf" | "sources" | "papers"> & {
  /** Agents by participant's or judge's id, in the place of their models. */
  readonly agents?: Readonly<Record<string, Agent>> | undefined;
  /** The kinds and agents there are. @default the built-in ones */
  readonly catalogue?: Catalogue | undefined;
};

/** Inputs of a convening besides its configuration: instances, and texts in place of files. */
export type ConveningInputs = ComposeOptions & Pick<HandedIn, "sources" | "papers"> & {
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
  matter?: ConveningInputs,
): Promise<WorkflowOf[C["kind"]]>;
/** The same of a kind that is not built in. */
export function composeConvening(
  config: OwnConfig,
  matter?: ConveningInputs,
): Promise<DialogueWorkflow<unknown>>;
export async function composeConvening(
  config: ConveningConfig | OwnConfig,
  { sources: texts, papers: given, note, ...options }: ConveningInputs = {},
): Promise<DialogueWorkflow<unknown>> {
  const { catalogue = BUILT_IN } = options;
  const checked = await withInputs(catalogue.parse(asNew(catalogue.parse(config))), note);
  const sources = texts ?? await readSources(checked.sources ?? []);
  if (checked.kind !== "paper-debate") return assemble(checked, { ...options, sources });
  const { checkPickNumber } = await import("./papers/debate/paper_debate_options.ts");
  checkPickNumber(checked.pick);
  const { readPapers } = await import("./inputs/papers.ts");
  const papers = given ?? await readPapers(checked.papers, { title: checked.title });
  return assemble(checked, { ...options, sources, papers });
}

/** The workflow a checked configuration describes, its sources read. */
export async function assemble(
  config: Checked<ConveningConfig>,
  { agents = {}, catalogue = BUILT_IN, ...handed }: ConveningInputs,
): Promise<DialogueWorkflow<unknown>> {
  const agentOf = (id: string) => Object.hasOwn(agents, id) ? agents[id] : undefined;
  const searchers = looksUp(config)
    ? await withoutEmpty(catalogue.searchers({ ...config, ...handed }))
    : [];
  return await catalogue.create(config, { searchers, host: catalogue.host, ...handed, agentOf });
}
