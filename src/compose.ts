import { basename } from "@std/path";
import {
  AGENT_VARIABLES,
  defaultModel as registryDefault,
  hostsOf as registryHosts,
  resolveAgent,
} from "./agents/registry.ts";
import type { ReplayAnswers } from "./agents/replay.ts";
import type { Agent } from "./core/agent.ts";
import type { ConveningConfig } from "./core/convening_config.ts";
import { ConfigurationError } from "./core/error.ts";
import { FileError } from "./core/files.ts";
import type { Source } from "./core/record.ts";
import { diskFiles, folderRecord } from "./output/fs_store.ts";
import type { Participant } from "./participants/participant.ts";
import { DebateWorkflow } from "./workflows/debate/debate_workflow.ts";
import type { DebateWorkflowConfig } from "./workflows/debate/debate_options.ts";
import { DialogueWorkflow } from "./workflows/dialogue_workflow.ts";
import type { DialogueOptions } from "./workflows/dialogue_workflow.ts";
import { createWorkflow } from "./workflows/registry.ts";
import type { AgentSettings, HandedIn } from "./workflows/workflow_options.ts";

/** The archive where none is named. */
export const DEFAULT_OUT = "convenings";

DialogueWorkflow.host = {
  agent: (name, settings) => createAgent(name, settings),
  record: (out) => folderRecord({ out: out ?? DEFAULT_OUT }),
};

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
  const resolved = registrySettings(settings);
  return resolveAgent(name ?? registryDefault(resolved), resolved);
}

/** The model where none is named: `gpt-4o-mini` with a key or a base URL, else `offline`. */
export function defaultModel(settings: AgentSettings = {}): string {
  return registryDefault(registrySettings(settings));
}

/** A debate over a topic; see {@linkcode DebateWorkflowConfig} for its options. */
export function createDebateWorkflow(
  topic: string,
  participants: readonly Participant[],
  config: DebateWorkflowConfig = {},
): DebateWorkflow {
  return new DebateWorkflow(topic, participants, config);
}

/** A plain dialogue: round-robin over the participants. */
export function createDialogueWorkflow(
  topic: string,
  participants: readonly Participant[],
  options: DialogueOptions = {},
): DialogueWorkflow {
  return new DialogueWorkflow(topic, participants, options);
}

/** What a configuration cannot hold: instances and functions. */
export type ComposeOptions = Omit<HandedIn, "agentOf" | "sources"> & {
  /** Agents by participant's or judge's id, in the place of their models. */
  readonly agents?: Readonly<Record<string, Agent>> | undefined;
};

/** The workflow a configuration describes; reads its source files. Throws a `ConfigurationError` or `TopicError`. */
export async function composeConvening(
  config: ConveningConfig,
  options: ComposeOptions = {},
): Promise<DialogueWorkflow<unknown>> {
  // A workflow made of instances needs no schema of configurations.
  const { parseConfig } = await import("./core/config.ts");
  const checked = parseConfig(config);
  return assemble(checked, { ...options, sources: await readSources(checked.sources ?? []) });
}

/** The workflow a checked configuration describes, its sources read. */
export function assemble(
  config: ConveningConfig,
  { agents = {}, ...handed }: ComposeOptions & Pick<HandedIn, "sources">,
): DialogueWorkflow<unknown> {
  const agentOf = (id: string) => Object.hasOwn(agents, id) ? agents[id] : undefined;
  return createWorkflow(config, { ...handed, agentOf });
}

/** The `host:port` of every server that a configuration's models are on; none for the offline agent. */
export function hostsOf(
  config: Partial<ConveningConfig>,
  options: Pick<AgentSettings, "env"> = {},
): string[] {
  const settings = registrySettings({ ...config, ...options });
  const named = config as {
    readonly participants?: readonly { readonly model?: string | undefined }[];
    readonly judges?: readonly { readonly model?: string | undefined }[];
    readonly moderatorModel?: string;
  };
  const usual = config.model ?? registryDefault(settings);
  const roles = [...named.participants ?? [], ...named.judges ?? []];
  const models = roles.map((each) => each.model ?? usual);
  if (named.moderatorModel !== undefined) models.push(named.moderatorModel);
  // Where no one is named, or someone without a model, the usual one speaks.
  if (named.participants === undefined || named.judges === undefined) models.push(usual);
  const hosts = [...new Set(models)].flatMap((model) => registryHosts(model, settings) ?? []);
  return [...new Set(hosts)];
}

/** Background files, read; a file that is neither markdown nor text is refused. */
async function readSources(paths: readonly string[]): Promise<Source[]> {
  return await Promise.all(paths.map(async (path) => {
    let text: string;
    try {
      text = await diskFiles.read(path);
    } catch (error) {
      throw new ConfigurationError(
        `Cannot read source "${path}": ${fileState(error)}`,
        { field: "sources", hint: "Give the path of a markdown or text file.", cause: error },
      );
    }
    if (text.includes("\u0000") || text.startsWith("%PDF-")) {
      throw new ConfigurationError(`Cannot use source "${path}": it is no text`, {
        field: "sources",
        hint: "Sources are markdown or plain text files.",
      });
    }
    return { name: basename(path), text };
  }));
}

function fileState(error: unknown): string {
  const problem = error instanceof FileError ? error.problem : "other";
  if (problem === "not_found") return "there is no such file";
  return problem === "denied" ? "reading it is not permitted" : "it is no readable file";
}

function registrySettings(settings: AgentSettings): Parameters<typeof resolveAgent>[1] {
  const { env = processVariable, baseUrl, providers, idleTimeout, totalTimeout } = settings;
  const own = Object.values(providers ?? {}).flatMap(({ apiKeyEnv }) => apiKeyEnv ?? []);
  return {
    baseUrl,
    providers,
    idleTimeout,
    totalTimeout,
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
  const { readRecord } = await import("./output/read.ts");
  const { facts } = await readRecord(diskFiles, dir);
  const messages = facts.flatMap((fact) =>
    fact.type === "message" ? [[fact.turn, fact] as const] : []
  );
  return { model: `replay:${dir}`, messages: new Map(messages), facts };
}
