// Composition: the table of kinds; creation of agents, searchers, records and workflows from names and settings.
import { resolve } from "@std/path";
import { z } from "zod";
import { resolveAgent, resolveEmbedder } from "./agents/named_agents.ts";
import { type Checked, type OwnKinds, parseConfig, withNewDefaults } from "./config/config.ts";
import type {
  CommonConfig,
  ConveningConfig,
  PaperDebateConfig,
} from "./config/convening_config.ts";
import type { ConsensusWorkflow } from "./consensus/consensus_workflow.ts";
import type { Agent } from "./core/agent.ts";
import {
  agentShape,
  callable,
  checkAgent,
  checkFields,
  having,
  refuseUnknownOptions,
} from "./core/check_fields.ts";
import type { Embedder, Searcher } from "./core/search.ts";
import { asConveningError, ConfigurationError } from "./core/error.ts";
import type { FactKind } from "./core/record.ts";
import { personaText, sidesOf } from "./core/participant.ts";
import type { ConveningStart } from "./core/event.ts";
import { memo } from "./core/values.ts";
import type { DebateWorkflow } from "./debate/debate_workflow.ts";
import type { DialogueWorkflow } from "./engine/dialogue_workflow.ts";
import { type Kind, kindOf } from "./engine/kind.ts";
import { AGENT_SETTINGS, type AgentSettings } from "./core/key_rules.ts";
import { partOf } from "./engine/run_stop.ts";
import { type HandedIn, INSTANCES, type WorkflowHost } from "./engine/workflow_options.ts";
import { loadPersona, readSources, remembered, withInputs } from "./inputs/inputs.ts";
import {
  defaultModel,
  looksUp,
  registrySettings,
  replayedBy,
  searchersOf,
  type SearchSettings,
  withoutEmptyReplays,
} from "./inputs/servers.ts";
import { DEFAULT_OUT } from "./config/setting_shapes.ts";
import { SETTINGS } from "./config/settings.ts";
import type { PaperDebateWorkflow } from "./papers/debate/paper_debate_workflow.ts";
import { archiveAround } from "./record/archive_place.ts";
import { folderRecord } from "./record/directory_record.ts";

/**
 * Creates agents of a program's own provider; `model` is the part of the name after `PROVIDER:`. The recorded configuration has the
 * whole name, by which `resume` creates the agent again; messages and verdicts name the agent's own `model`.
 */
export type AgentFactory = (model: string, settings: AgentSettings) => Agent;

/** Additions of a program to the built-in library; a module for `--extend` has them as its default export. */
export interface LibraryOptions {
  /** Additional kinds of convenings, made by `defineKind`. */
  readonly kinds?: readonly Kind[] | undefined;
  /** Additional providers of agents: `{ mine }` creates the agent of every model named `mine:MODEL`. */
  readonly agents?: Readonly<Record<string, AgentFactory>> | undefined;
  /** Kinds of facts, made by `defineFact`, whose values `verify` checks. */
  readonly facts?: readonly FactKind<unknown>[] | undefined;
  /** Additional searchers for claims, besides the web and the convening's sources. */
  readonly searchers?: readonly Searcher[] | undefined;
}

const libraryOptions = memo(() =>
  z.strictObject({
    kinds: z.array(z.looseObject({ name: z.string(), summary: z.string(), create: callable }))
      .optional(),
    agents: z.record(z.string(), callable).optional(),
    facts: z.array(z.looseObject({ kind: z.string(), in: callable })).optional(),
    searchers: z.array(having("search", "name")).optional(),
  })
);

/** Returns the ids of the participants that spoke for themselves. */
function speakers(start: ConveningStart): readonly string[] {
  return sidesOf(start).map(({ id }) => id);
}

/** Built-in kinds of convenings; the module of a kind is loaded with its first workflow. */
const BUILT_IN_KINDS: readonly Kind[] = [
  {
    name: "dialogue",
    summary: "A conversation: in turn, by a moderator's choice, or by bids",
    create: async (...args) =>
      (await import("./engine/dialogue_workflow.ts")).dialogueFrom(...args),
    judged: speakers,
  },
  {
    name: "consensus",
    summary: "Proposals are discussed until enough agree, or no stance changes any more",
    create: async (...args) =>
      (await import("./consensus/consensus_workflow.ts")).consensusFrom(...args),
    judged: speakers,
  },
  {
    name: "debate",
    summary: "Advocates argue and rebut before a moderator; judges score and name a winner",
    create: async (...args) => (await import("./debate/debate_workflow.ts")).debateFrom(...args),
    judged: speakers,
  },
  {
    name: "paper-debate",
    summary:
      "Debaters argue over research papers with citations that are verified; judges score, a report is made",
    create: async (...args) =>
      (await import("./papers/debate/paper_debate_workflow.ts")).paperDebateFrom(...args),
    judged: speakers,
  },
  kindOf({
    name: "judge-check",
    summary: "A judge compares pairs of speeches in every order and label; its biases are measured",
    settings: {
      topic: SETTINGS.topic.schema.default("Which of two short speeches argues better?")
        .describe("The topic in lists; the questions are the same."),
      quick: z.boolean().default(false).describe("Asks a third of the questions."),
    },
    // The clerk, whose model is not asked, states the profile.
    participants: [{ name: "Clerk", role: "moderator" }, { name: "Judge" }],
    create: async (...args) =>
      new (await import("./judge_check/judge_check.ts")).JudgeCheck(...args),
  }),
];

const NAMED_MODEL = z.strictObject({ name: z.string().optional(), settings: z.looseObject({}) });

/** Kinds, agents, facts and searchers of a library: the built-in ones and a program's own. */
export class Catalogue {
  /** Kinds of convenings, by name. */
  readonly kinds: ReadonlyMap<string, Kind>;
  /** Kinds of facts, by name. */
  readonly facts: ReadonlyMap<string, FactKind<unknown>>;
  /** Services that create instances from names. */
  readonly host: WorkflowHost;
  readonly #options: LibraryOptions;
  /** Names by which the program's own providers created agents. */
  readonly #names = new WeakMap<Agent, string>();

  /**
   * Adds the `given` options to the built-in library; errors call the options `whole`. Throws a `ConfigurationError` for an invalid
   * option and for a name that is already used.
   */
  constructor(given?: LibraryOptions, whole = "options of createLibrary") {
    const options = given === undefined ? {} : checkFields(given, libraryOptions(), whole);
    this.#options = options;
    const all = [...BUILT_IN_KINDS, ...options.kinds ?? []];
    this.kinds = new Map(all.map((kind) => [kind.name, kind]));
    this.facts = new Map((options.facts ?? []).map((each) => [each.kind, each]));
    const builtIn = BUILT_IN_KINDS.map(({ name }) => name).join(", ");
    const names = all.map(({ name }) => name);
    refuseTwice("kinds", "kind", names, `Taken: ${builtIn}, and every name once.`);
    const factKinds = (options.facts ?? []).map(({ kind }) => kind);
    refuseTwice("facts", "kind of fact", factKinds, "Give every kind of fact once.");
    this.host = {
      agent: (name, settings) => this.agent(name, settings),
      nameOf: (agent) => this.#names.get(agent),
      moderate: async (topic, { model, signal, ...rest }) => {
        const { moderateTopic } = await import("./agents/openai_endpoints.ts");
        const settings = registrySettings(rest);
        await moderateTopic(topic, { model: model ?? defaultModel(rest), settings, signal });
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
          await recall(out);
          return await folderRecord({ out }).open(start);
        },
      }),
    };
  }

  /** Validates a configuration by the schema of its kind; see `parseConfig`. */
  parse(input: unknown): Checked<ConveningConfig> {
    return parseConfig(input, this.settings);
  }

  /** Schemas of the settings of programs' own kinds, by kind. */
  get settings(): OwnKinds {
    const own = [...this.kinds.values()].filter(({ settings }) => settings !== undefined);
    return new Map(own.map(({ name, settings }) => [name, settings!]));
  }

  /** Creates the agent of a model; see `createAgent`. */
  agent(name?: string, settings: AgentSettings = {}): Agent {
    checkFields({ name, settings }, NAMED_MODEL, "arguments of createAgent");
    const create = this.#factoryOf(name);
    if (create !== undefined) {
      const [provider = ""] = name!.split(":");
      const part = `agents.${provider}`;
      try {
        const agent = create(name!.slice(provider.length + 1), settings);
        checkAgent(agent, `result of ${part}`);
        this.#names.set(agent, name!);
        return agent;
      } catch (error) {
        throw asConveningError(error, { part });
      }
    }
    const own = Object.keys(this.#options.agents ?? {});
    return resolveAgent(name ?? defaultModel(settings), { ...registrySettings(settings), own });
  }

  /** Returns true if a model belongs to one of the program's own providers. */
  hasOwn(model: string): boolean {
    return this.#factoryOf(model) !== undefined;
  }

  #factoryOf(name: string | undefined): AgentFactory | undefined {
    const { agents = {} } = this.#options;
    const provider = name?.slice(0, Math.max(0, name.indexOf(":"))) ?? "";
    return Object.hasOwn(agents, provider) ? agents[provider] : undefined;
  }

  /** Returns the kind of a record; throws a `ConfigurationError` for an unknown kind, with the verb `act`. */
  kindOf({ kind: name }: Pick<ConveningStart, "kind">, act: string): Kind {
    const kind = this.kinds.get(name);
    if (kind !== undefined) return kind;
    throw new ConfigurationError(`Cannot ${act}: the kind "${name}" is not known here`, {
      field: "dir",
      hint: "Name the module that defines the kind: --extend FILE, or createLibrary({ kinds }).",
    });
  }

  /** Returns the searchers for the claims of a convening. */
  searchers(settings: SearchSettings): Searcher[] {
    return [...searchersOf(settings), ...this.#options.searchers ?? []];
  }

  /** Creates the workflow of a validated configuration. */
  async create(
    config: Checked<ConveningConfig>,
    inputs: HandedIn,
  ): Promise<DialogueWorkflow<unknown>> {
    const { kind } = config;
    const create = () => this.kinds.get(kind)!.create(config as never, inputs);
    const workflow = await partOf(`create of kind "${kind}"`, inputs, create);
    if (typeof Object(workflow).stream === "function") return workflow;
    throw new ConfigurationError(`Cannot use kind "${kind}": create returned no workflow`, {
      field: "kind",
      hint: "Return an object of a class that extends DialogueWorkflow.",
    });
  }
}

/** Throws a `ConfigurationError` for a name that is given twice: the later definition would replace the earlier one. */
function refuseTwice(field: string, what: string, names: readonly string[], hint: string): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  const message = `Cannot define the ${what} "${twice}": the name is taken`;
  throw new ConfigurationError(message, { field, hint });
}

/** Built-in library, without a program's own kinds, agents, facts and searchers. */
export const BUILT_IN: Catalogue = new Catalogue();

/** Creates models, archives, personas and searchers from their names, for workflows of the built-in library. */
export const defaultHost: WorkflowHost = BUILT_IN.host;

/**
 * Creates the agent of a model: `gpt-4o-mini` or any model of an OpenAI-compatible server, `openrouter:vendor/model`,
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
  refuseUnknownOptions<AgentSettings>("createAgent", settings, AGENT_SETTINGS);
  return BUILT_IN.agent(name, settings);
}

/**
 * Creates the embedder of a model: `text-embedding-3-small` or any model of an OpenAI-compatible server with
 * `POST /embeddings`, `ollama:nomic-embed-text`, `google:gemini-embedding-001`. An invalid name or a missing key throws a
 * `ConfigurationError` at the first use.
 */
export function createEmbedder(name?: string, settings: AgentSettings = {}): Embedder {
  checkFields({ name, settings }, NAMED_MODEL, "arguments of createEmbedder");
  return resolveEmbedder(name, registrySettings(settings));
}

/** Inputs that are instances or functions and so cannot be part of a configuration. */
export type ComposeOptions = Omit<HandedIn, "agentOf" | "sources" | "papers"> & {
  /** Agents by id of participant or judge, in place of their models; one map may serve convenings with other ids. */
  readonly agents?: Readonly<Record<string, Agent>> | undefined;
  /** Available kinds and agents. @default the built-in ones */
  readonly catalogue?: Catalogue | undefined;
};

/** Inputs of a convening besides its configuration: instances, and texts instead of files. */
export type ConveningInputs = ComposeOptions & Pick<HandedIn, "sources" | "papers"> & {
  /** Called with a sentence about each skipped file, and about a debate's topic without two sides. */
  readonly note?: ((sentence: string) => void) | undefined;
};

/** Schema of {@linkcode ComposeOptions}. */
export const composeOptions = memo(() => {
  const { design: _design, ofKind: _kind, sources: _sources, ...instances } = INSTANCES;
  const [agents, catalogue] = [z.record(z.string(), agentShape), z.looseObject({})];
  return z.strictObject({ ...instances, agents, catalogue }).partial();
});

/** Configuration of a program's own kind: the keys of every kind, and its own keys. A kind without a default topic needs `topic`. */
export type OwnConfig =
  & Omit<CommonConfig, "topic">
  & { readonly kind: string; readonly topic?: string | undefined }
  & Readonly<Record<string, unknown>>;

/** Workflow class of each built-in kind. */
export interface WorkflowOf {
  /** Workflow of the kind `dialogue`. */
  readonly dialogue: DialogueWorkflow;
  /** Workflow of the kind `debate`. */
  readonly debate: DebateWorkflow;
  /** Workflow of the kind `consensus`. */
  readonly consensus: ConsensusWorkflow;
  /** Workflow of the kind `paper-debate`. */
  readonly "paper-debate": PaperDebateWorkflow;
}

/**
 * Creates the workflow of a configuration and reads its files: sources, papers, personas, rubrics. `inputs.sources` and
 * `inputs.papers` replace the files. Throws a `ConfigurationError` or `TopicError`.
 */
export function composeConvening<K extends ConveningConfig["kind"]>(
  config: ConveningConfig & { readonly kind: K },
  inputs?: ConveningInputs,
): Promise<WorkflowOf[K]>;
/** Creates a paper debate over given papers. */
export function composeConvening(
  config: Omit<PaperDebateConfig, "papers">,
  inputs: ConveningInputs & { readonly papers: NonNullable<HandedIn["papers"]> },
): Promise<PaperDebateWorkflow>;
/** Creates the workflow of a program's own kind. */
export function composeConvening<const K extends string>(
  config: OwnConfig & { readonly kind: K extends keyof WorkflowOf ? never : K },
  inputs?: ConveningInputs,
): Promise<DialogueWorkflow<unknown>>;
export async function composeConvening(
  config: ConveningConfig | Omit<PaperDebateConfig, "papers"> | OwnConfig,
  inputs: ConveningInputs = {},
): Promise<DialogueWorkflow<unknown>> {
  const more = { sources: INSTANCES.sources, papers: z.unknown(), note: callable };
  checkFields(inputs, composeOptions().extend(more).partial(), "inputs of composeConvening");
  const { sources: texts, papers: given, note, ...options } = inputs;
  const { catalogue = BUILT_IN } = options;
  // The schema of a paper debate needs files; given papers replace them.
  const needsFiles = config?.kind === "paper-debate" && given !== undefined;
  const complete = needsFiles ? { papers: ["paper.md"], ...config } : config;
  const parsed = catalogue.parse(withNewDefaults(catalogue.parse(complete)));
  const checked = await withInputs(parsed, note);
  const sources = texts ?? await readSources(checked.sources ?? []);
  if (checked.kind !== "paper-debate") {
    const workflow = await assemble(checked, { ...options, sources });
    if (checked.kind !== "debate" || note === undefined) return workflow;
    const hint = (await import("./debate/formats.ts")).positionHint(checked);
    if (hint !== undefined) note(hint);
    return workflow;
  }
  const { checkPickNumber } = await import("./papers/debate/paper_debate_plan.ts");
  checkPickNumber(checked.pick);
  const { readPapers } = await import("./inputs/papers.ts");
  const { distinctPapers } = await import("./papers/text/check_paper.ts");
  const papers = given === undefined
    ? await readPapers(checked.papers, { title: checked.title })
    : distinctPapers(given);
  return assemble(checked, { ...options, sources, papers });
}

async function recall(out: string): Promise<void> {
  const { recallLessons } = await import("./inputs/lessons.ts");
  await recallLessons(resolve(out));
}

/** Creates the workflow of a validated configuration whose sources have been read. */
export async function assemble(
  config: Checked<ConveningConfig>,
  { agents = {}, catalogue = BUILT_IN, ...inputs }: ConveningInputs,
): Promise<DialogueWorkflow<unknown>> {
  const { out = DEFAULT_OUT } = config;
  if (config.out !== undefined || inputs.record === undefined) await recall(out);
  // The record of the host would recall again.
  const { record = folderRecord({ out }) } = inputs;
  const agentOf = (id: string) => Object.hasOwn(agents, id) ? agents[id] : undefined;
  const searchers = looksUp(config)
    ? await withoutEmptyReplays(catalogue.searchers({ ...config, ...inputs }))
    : [];
  const { host } = catalogue;
  return await catalogue.create(config, { searchers, host, ...inputs, record, agentOf });
}
