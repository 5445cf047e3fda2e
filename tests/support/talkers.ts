// Scripted agents ("talkers"), debates and dialogues of talkers, virtual time, and notes of points.
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
} from "../../mod.ts";
import type {
  AgentReply,
  AgentRequest,
  DialogueOptions,
  MemoryRecord,
  ModelSource,
} from "../../protocol.ts";

export const TOPIC = "Should cities ban private cars from their centres?";

/** Returns a reply that replaces the usual one, or undefined. */
export type Say = (
  request: AgentRequest,
) => Partial<AgentReply> | undefined | Promise<Partial<AgentReply> | undefined>;

/** An agent whose replies depend on the request's key and attempt alone; keeps its requests. */
export class Talker implements Agent {
  readonly model: string;
  readonly source: ModelSource;
  readonly requests: AgentRequest[] = [];
  readonly #say: Say;

  constructor(say: Say = () => undefined, model = "ollama:talker") {
    this.#say = say;
    this.model = model;
    // A local model costs nothing; other models have no known price.
    this.source = {
      model,
      url: model.startsWith("ollama:") ? "http://localhost" : "http://talker.test",
    };
  }

  /** Keys of the requests, in order. */
  get keys(): string[] {
    return this.requests.map(({ context }) => context.key);
  }

  /** Returns the first request with a key. */
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

/** Returns the usual reply to a request: the same for the same key. */
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

/** Returns the statement in a fact checker's request. */
export function bodyOf({ data }: Pick<AgentRequest["context"], "data">): string {
  return (data as { readonly body: string }).body;
}

/** Creates a moderator and two advocates. */
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

/** Creates a small debate in memory. */
export function debateOf(
  agent: Agent,
  { agents, participants = cast(agent, agents), ...config }: DebateWorkflowConfig & {
    readonly agents?: Readonly<Record<string, Agent>>;
    readonly participants?: readonly Participant[];
  } = {},
): { workflow: DebateWorkflow; record: MemoryRecord } {
  const record = memoryRecord();
  const judges = config.scoringEnabled === false
    ? undefined
    : [{ id: "j", agent: agents?.["j"] ?? agent }];
  // The constructor accepts word ranges that the checked functions reject.
  const workflow = new DebateWorkflow(TOPIC, participants, {
    roundCount: 1,
    seed: 1,
    record,
    judges,
    retry: { minWait: 0, maxWait: 0 },
    // Talkers repeat themselves.
    guards: { repetition: "off" },
    ...config,
  });
  return { workflow, record };
}

/** Creates participants with these names. */
export function called(agent: Agent, ...names: readonly string[]): Participant[] {
  return names.map((name) => createParticipant({ name }, agent));
}

/** Creates a dialogue of Ada and Ben, or of the given participants. */
export function dialogueOf(
  agent: Agent,
  { participants = called(agent, "Ada", "Ben"), ...options }: DialogueOptions & {
    readonly participants?: readonly Participant[];
  } = {},
): { workflow: DialogueWorkflow; record: MemoryRecord } {
  const record = memoryRecord();
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

/** Events and result of a run. */
export interface Drained<R> {
  readonly events: ConveningEvent[];
  readonly result?: R;
  readonly error?: unknown;
}

/** Runs a workflow to its end or failure; keeps every event. */
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

/** Returns the files of a record that are facts, without times and latencies. */
export function truthOf(files: ReadonlyMap<string, string>): Map<string, string> {
  const truth = /^(messages|scores|verdicts|rejected|failures|context|lookups|choices|stops)\//;
  return new Map(
    [...files].filter(([path]) => truth.test(path)).sort().map((
      [path, text],
    ) => [path, timeless(text)]),
  );
}

/** Returns a file's text without times and latencies. */
export function timeless(text: string): string {
  return text.replace(/^ *latency_ms: .*$/gm, "").replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME");
}

/** Returns the last user message of a request. */
export function promptOf({ messages }: AgentRequest): string {
  return messages.map(({ content }) => content).join("\n");
}

/** Duration of a request in virtual time. */
interface Span {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** A talker whose replies take virtual time: the time advances when nothing else can happen. */
export class VirtualTime {
  readonly spans: Span[] = [];
  readonly agent: Talker;
  readonly #pending: { readonly end: number; readonly answer: () => void }[] = [];
  #now = 0;

  /** `latency` returns the duration of a request. */
  constructor(latency: (request: AgentRequest) => number = () => 1) {
    this.agent = new Talker((request) => this.#take(request, latency(request)));
  }

  /** Current virtual time. */
  get now(): number {
    return this.#now;
  }

  /** Runs `work` to its end; advances the time whenever all other work waits. */
  async run<T>(work: Promise<T>): Promise<T> {
    let done = false;
    const finished = work.finally(() => done = true);
    finished.catch(() => {});
    while (!done) {
      // In the next macrotask all work that does not wait is done.
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (done || this.#pending.length === 0) continue;
      this.#now = Math.min(...this.#pending.map(({ end }) => end));
      const due = this.#pending.filter(({ end }) => end === this.#now);
      for (const each of due) {
        this.#pending.splice(this.#pending.indexOf(each), 1);
        each.answer();
      }
    }
    return await finished;
  }

  /** Returns the keys of the requests that were in flight during the whole of the named request. */
  during(key: string): string[] {
    const { start, end } = this.spans.find((each) => each.key === key)!;
    return this.spans.filter((each) => each.key !== key && each.start < end && each.end > start)
      .map((each) => each.key);
  }

  async #take(
    { context }: AgentRequest,
    latency: number,
  ): Promise<Partial<AgentReply> | undefined> {
    const end = this.#now + latency;
    this.spans.push({ key: context.key, start: this.#now, end });
    await new Promise<void>((answer) => this.#pending.push({ end, answer }));
    return undefined;
  }
}

/** A point in short form: kind, ids, and a line. */
type GivenPoint = readonly [
  kind: "new" | "answers" | "extends" | "concedes" | "repeats",
  answers: readonly string[],
  text: string,
];

/** Returns notes with points by the key of the turn; a speech's key is in its first sentence. */
export function noting(points: Readonly<Record<string, readonly GivenPoint[]>>): Say {
  return ({ context }) => {
    if (context.kind !== "notes") return undefined;
    const body = bodyOf(context);
    const [quote = ""] = body.split(". ");
    const key = Object.keys(points).find((each) => quote === `Speech for ${each}`);
    const found = (points[key ?? ""] ?? []).map(([kind, answers, text]) => ({
      quote,
      text,
      kind,
      answers,
    }));
    const claims = [{ quote, text: `It is said in ${quote}.` }];
    return { text: JSON.stringify({ points: found, claims }) };
  };
}

/** Points of a debate of one round in which Ada's A2 is dropped, Ben's B1 conceded, and Ada's A1 repeated. */
export const DROPPED: Readonly<Record<string, readonly GivenPoint[]>> = {
  "opening/a": [["new", [], "Clean air saves lives"], ["new", [], "Streets belong to people"]],
  "opening/b": [["new", [], "Deliveries need cars"]],
  "round-1/argument/a": [["concedes", ["B1"], "Deliveries do need vans"]],
  "round-1/rebuttal/b/a": [["answers", ["A1"], "Filters clean the air as well"]],
  "round-1/argument/b": [["new", [], "Shops lose custom"], ["answers", ["A9"], "Nobody said this"]],
  "round-1/rebuttal/a/b": [["repeats", ["A1"], "Clean air, once more"]],
  "closing/a": [["answers", ["B3"], "Shops gain walkers"]],
};
