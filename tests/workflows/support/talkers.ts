import {
  type Agent,
  type ConveningEvent,
  type ConveningResult,
  createDebateModerator,
  createDebateParticipant,
  createParticipant,
  DebateWorkflow,
  type DebateWorkflowConfig,
  DialogueWorkflow,
  memoryRecord,
  type Participant,
} from "../../../mod.ts";
import type {
  AgentReply,
  AgentRequest,
  DialogueOptions,
  MemoryRecord,
  ModelSource,
} from "../../../protocol.ts";

export const TOPIC = "Should cities ban private cars from their centres?";

/** What a talker says to a request, where it is not the usual. */
export type Say = (
  request: AgentRequest,
) => Partial<AgentReply> | undefined | Promise<Partial<AgentReply> | undefined>;

/** An agent whose every answer depends on the request's key and attempt alone, and that keeps a journal. */
export class Talker implements Agent {
  readonly model: string;
  readonly source: ModelSource;
  readonly requests: AgentRequest[] = [];
  readonly #say: Say;

  constructor(say: Say = () => undefined, model = "ollama:talker") {
    this.#say = say;
    this.model = model;
    // A talker of this machine costs nothing; no price is known of any other.
    this.source = {
      model,
      url: model.startsWith("ollama:") ? "http://localhost" : "http://talker.test",
    };
  }

  /** The keys asked for, in order. */
  get keys(): string[] {
    return this.requests.map(({ context }) => context.key);
  }

  /** The first request of a key. */
  asked(key: string): AgentRequest {
    const found = this.requests.find(({ context }) => context.key === key);
    if (found === undefined) throw new Error(`"${key}" was never asked: ${this.keys.join(" ")}`);
    return found;
  }

  async reply(request: AgentRequest): Promise<AgentReply> {
    request.signal?.throwIfAborted();
    this.requests.push(request);
    const own = await this.#say(request);
    request.signal?.throwIfAborted();
    const text = own?.text ?? usualText(request);
    request.onDelta?.(text);
    return {
      finishReason: "stop",
      model: this.model,
      usage: { inputTokens: 100, cachedInputTokens: 0, outputTokens: 20 },
      ...own,
      text,
    };
  }
}

/** What is said to a request of a key: the same on every run. */
export function usualText({ context, schema }: AgentRequest): string {
  const { key, kind, data } = context;
  if (schema === undefined) return `Speech for ${key}. It has a second sentence, for good measure.`;
  if (kind === "verdict") {
    const { labels } = data as { labels: Record<string, string> };
    const [[, winner] = []] = Object.entries(labels).toSorted();
    return JSON.stringify({ reasons: `Reasons for ${key}.`, winner });
  }
  const { rubric } = data as { rubric: { criteria: { id: string }[] } };
  const scores = Object.fromEntries(
    rubric.criteria.map(({ id }, i) => [id, (key.length + i) % 11]),
  );
  return JSON.stringify({ reasons: `Reasons for ${key}.`, scores });
}

/** The statement that a fact checker is asked about. */
export function bodyOf({ data }: Pick<AgentRequest["context"], "data">): string {
  return (data as { readonly body: string }).body;
}

/** A moderator and two advocates. */
export function cast(agent: Agent, agents: Readonly<Record<string, Agent>> = {}): Participant[] {
  return [
    createDebateModerator({ agentConfig: { id: "m" } }, agents["m"] ?? agent),
    ...["a", "b"].map((id) =>
      createDebateParticipant({
        name: id === "a" ? "Ada" : "Ben",
        position: `Position ${id}`,
        agentConfig: { id },
      }, agents[id] ?? agent)
    ),
  ];
}

/** A small debate of talkers that is kept in memory. */
export function debateOf(
  agent: Agent,
  { agents, ...config }: DebateWorkflowConfig & {
    readonly agents?: Readonly<Record<string, Agent>>;
  } = {},
): { workflow: DebateWorkflow; record: MemoryRecord } {
  const record = memoryRecord();
  const judges = config.scoringEnabled === false
    ? undefined
    : [{ id: "j", agent: agents?.["j"] ?? agent }];
  // The constructor takes ranges of words that the checked functions refuse.
  const workflow = new DebateWorkflow(TOPIC, cast(agent, agents), {
    roundCount: 1,
    seed: 1,
    record,
    judges,
    retry: { minWait: 0, maxWait: 0 },
    // Talkers say much the same again and again.
    guards: { repetition: "off" },
    ...config,
  });
  return { workflow, record };
}

/** A dialogue of Ada and Ben. */
export function dialogueOf(
  agent: Agent,
  options: DialogueOptions = {},
): { workflow: DialogueWorkflow; record: MemoryRecord } {
  const record = memoryRecord();
  const participants = ["Ada", "Ben"].map((name) => createParticipant({ name }, agent));
  const workflow = new DialogueWorkflow(TOPIC, participants, {
    maxTurns: 4,
    seed: 1,
    record,
    retry: { minWait: 0, maxWait: 0 },
    guards: { repetition: "off" },
    ...options,
  });
  return { workflow, record };
}

/** What running a workflow showed. */
export interface Drained<R> {
  readonly events: ConveningEvent[];
  readonly result?: R;
  readonly error?: unknown;
}

/** Runs a workflow to its end or failure, keeping every event. */
export async function drain<R extends ConveningResult>(
  workflow: { stream(): AsyncGenerator<ConveningEvent, R> },
): Promise<Drained<R>> {
  const events: ConveningEvent[] = [];
  try {
    const stream = workflow.stream();
    let step = await stream.next();
    while (!step.done) {
      events.push(step.value);
      step = await stream.next();
    }
    return { events, result: step.value };
  } catch (error) {
    return { events, error };
  }
}

/** The files of a record that do not move with time: truth files, without times and latencies. */
export function truthOf(files: ReadonlyMap<string, string>): Map<string, string> {
  const truth = /^(messages|scores|verdicts|rejected|failures|context|lookups|choices|stops)\//;
  return new Map(
    [...files].filter(([path]) => truth.test(path)).sort().map((
      [path, text],
    ) => [path, timeless(text)]),
  );
}

/** A file without times and latencies. */
export function timeless(text: string): string {
  return text.replace(/^ *latency_ms: .*$/gm, "").replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME");
}

/** The last user message of a request. */
export function promptOf({ messages }: AgentRequest): string {
  return messages.map(({ content }) => content).join("\n");
}
