// Runs small convenings of every kind from configurations, with scripted agents or a model server.
import {
  type Agent,
  composeConvening,
  ConveningError,
  type ConveningEvent,
  type ConveningResult,
  memoryRecord,
  type Message,
  parseConfig,
} from "../../../mod.ts";
import type { AgentReply, AgentRequest, Clock, Fact } from "../../../protocol.ts";
import { factOf } from "../../../src/core/event.ts";
import {
  type ChatBody,
  type ModelServerOptions,
  startModelServer,
} from "../../support/model_server.ts";
import { sampleJson } from "../../support/sample_json.ts";
import { deliberation, idsIn } from "../../consensus/support/deliberators.ts";
import { Talker, usualText } from "../../support/talkers.ts";
import { PAPER, paperAnswer, paperServer, QUESTION } from "./paper_holding.ts";

/** Kinds of convenings. */
export const KINDS = ["dialogue", "consensus", "debate", "paper-debate"] as const;
export type Kind = typeof KINDS[number];

/** A configuration, or a part of one, as in a file. */
export type Settings = Readonly<Record<string, unknown>>;

export const TOPIC = "Should cities ban private cars from their centres?";

const SHORT: Readonly<Record<Kind, Settings>> = {
  dialogue: { maxTurns: 4 },
  consensus: { limits: { maxTurns: 12 } },
  debate: { roundCount: 1 },
  "paper-debate": { papers: [PAPER], question: QUESTION, crossExamine: true },
};

/** Returns the configuration of a small convening of Ada and Ben, changed as given. */
export function settingsOf(kind: Kind, given: Settings = {}): Settings {
  const settings: Settings = {
    kind,
    topic: TOPIC,
    seed: 1,
    participants: [person("Ada"), person("Ben")],
    guards: { repetition: "off", coherence: "off" },
    retry: { minWait: 0, maxWait: 0 },
    ...SHORT[kind],
    ...given,
  };
  return kind === "paper-debate" ? { ...settings, ...castWithoutPositions(settings) } : settings;
}

/** Removes positions: a paper debate takes its postures from the papers. */
function castWithoutPositions({ participants }: Settings): Settings {
  if (!Array.isArray(participants)) return {};
  return { participants: participants.map(({ position: _position, ...rest }) => rest) };
}

/** Returns a participant for any kind of convening. */
export function person(name: string, more: Settings = {}): Settings {
  return { id: name.toLowerCase(), name, position: `${name}'s position`, ...more };
}

/** Options of {@linkcode hold}. */
export interface HoldOptions {
  /** Returns an agent's reply, or undefined for the usual one. */
  readonly say?: ((request: AgentRequest) => Answer | Promise<Answer>) | undefined;
  /** Returns the text of speeches, also of those in a field of a reply. */
  readonly speech?: ((request: AgentRequest) => string) | undefined;
  /** Name of the agents' model. @default "ollama:talker" */
  readonly model?: string | undefined;
  /** Ids without a handed-in agent, whose models are resolved by name. @default none */
  readonly byName?: readonly string[] | "all" | undefined;
  /** Options of a model server that is used as `baseUrl`; no agents are handed in. */
  readonly server?: ModelServerOptions | undefined;
  /** @default the machine's clock */
  readonly clock?: Clock | undefined;
  /** Words of a person whose turn is pending. */
  readonly person?: string | undefined;
  /** Environment variables. @default none */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Fields of a reply; undefined for the usual one. */
export type Answer = Partial<AgentReply> | undefined;

/** Outcome of a convening; only the error if it was rejected. */
export interface Seen {
  /** Requests to handed-in agents, in order. */
  readonly requests: readonly AgentRequest[];
  /** Bodies of requests to the model server, in order. */
  readonly bodies: readonly ChatBody[];
  /** Headers of these requests. */
  readonly headers: readonly Readonly<Record<string, string>>[];
  readonly events: readonly ConveningEvent[];
  readonly messages: readonly Message[];
  readonly facts: readonly Fact[];
  readonly files: ReadonlyMap<string, string>;
  readonly result?: ConveningResult;
  readonly error?: ConveningError;
}

/** Ids for which an agent can be handed in. */
const IDS = [
  ...[
    "ada",
    "ben",
    "cleo",
    "dan",
    "eve",
    "vera",
    "moderator",
    "judge",
    "judge-1",
    "judge-2",
    "pro",
    "con",
  ],
  ...["advocate-a", "advocate-b", "advocate-c", "jo", "questioner", "reporter", "reader"],
  ...["debater-a", "debater-b", "debater-c", "debater-d"],
  ...[1, 2, 3, 4, 5].map((number) => `listener-${number}`),
];

const NO_OPTIONS: HoldOptions = {};
const seenOnce = new WeakMap<HoldOptions, Map<string, Promise<Seen>>>();

/** As {@linkcode hold}, but runs only once for the same settings and the same object of options. */
export function heldOnce(settings: Settings, options: HoldOptions = NO_OPTIONS): Promise<Seen> {
  const known = seenOnce.get(options) ?? new Map<string, Promise<Seen>>();
  seenOnce.set(options, known);
  const key = JSON.stringify(settings);
  const seen = known.get(key) ?? hold(settings, options);
  known.set(key, seen);
  return seen;
}

/** Runs a convening to its end, rejection or failure. */
export async function hold(settings: Settings, options: HoldOptions = {}): Promise<Seen> {
  if (options.server === undefined) return await held(settings, options);
  const { server: given } = options;
  await using server = await startModelServer(
    settings["kind"] === "paper-debate" ? paperServer(given) : given,
  );
  const seen = await held({ model: "one", baseUrl: server.url, ...settings }, {
    ...options,
    byName: "all",
  });
  return {
    ...seen,
    bodies: server.requests.map(({ body }) => body),
    headers: server.requests.map(({ headers }) => headers),
  };
}

async function held(settings: Settings, options: HoldOptions): Promise<Seen> {
  const { byName = [], env = {}, clock, model, say } = options;
  const agent = new Talker(async (request) => {
    const own = await say?.(request);
    return own?.text === undefined ? { ...await usual(request, options), ...own } : own;
  }, model);
  const ids = byName === "all" ? [] : IDS.filter((id) => !byName.includes(id));
  const agents: Readonly<Record<string, Agent>> = Object.fromEntries(ids.map((id) => [id, agent]));
  const record = memoryRecord();
  const drained = await drainWith(options.person, () =>
    composeConvening(parseConfig(settings), {
      agents,
      env: (name) => env[name],
      clock,
      ...("out" in settings ? {} : { record }),
    }));
  const { events } = drained;
  return {
    ...drained,
    requests: agent.requests,
    bodies: [],
    headers: [],
    messages: events.flatMap((event) => event.type === "message" ? [event.message] : []),
    facts: events.flatMap(factsIn),
    files: record.files,
  };
}

/** Creates and runs a workflow; says the person's words whenever a person's turn is pending. */
async function drainWith(
  person: string | undefined,
  make: () => ReturnType<typeof composeConvening>,
): Promise<Pick<Seen, "events" | "result" | "error">> {
  const events: ConveningEvent[] = [];
  try {
    const workflow = await make();
    const stream = workflow.stream();
    for (;;) {
      const step = await stream.next();
      if (step.done === true) return { events, result: step.value };
      events.push(step.value);
      if (step.value.type === "turn-wait" && person !== undefined) {
        workflow.say(step.value.turn.participant, person);
      }
    }
  } catch (error) {
    if (!(error instanceof ConveningError)) throw error;
    return { events, error };
  }
}

/** Returns the facts in an event, without messages. */
function factsIn(event: ConveningEvent): Fact[] {
  const fact = factOf(event);
  return fact === undefined || fact.type === "message" ? [] : [fact];
}

const CONSENSUS_KINDS = ["proposals", "proposals_merged"];

/** Returns a reply that matches the requested schema. */
async function usual(request: AgentRequest, { speech }: HoldOptions): Promise<Answer> {
  const { schema, context } = request;
  const paper = await paperAnswer(request, speech);
  if (paper !== undefined) return paper;
  if (schema === undefined) {
    return speech !== undefined && context.purpose === "turn"
      ? { text: speech(request) }
      : undefined;
  }
  if (context.kind === "verdict" || context.kind === "score") return { text: usualText(request) };
  if (CONSENSUS_KINDS.includes(context.kind)) return deliberation()(request);
  const shape = { ...schema.type.toJSONSchema({ io: "input", unrepresentable: "any" }) };
  const sample = sampleJson(shape, (path) => {
    if (path === "speech") return speech?.(request);
    if (path !== "stances") return undefined;
    return idsIn(request).map((on) => ({ on, stance: "agree", strength: 0.7, condition: "" }));
  });
  return { text: JSON.stringify(sample) };
}
