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
import { deliberation, idsIn } from "../../workflows/support/deliberators.ts";
import { Talker, usualText } from "../../workflows/support/talkers.ts";
import { PAPER, paperAnswer, paperServer, QUESTION } from "./paper_holding.ts";

/** The kinds of convenings. */
export const KINDS = ["dialogue", "consensus", "debate", "paper-debate"] as const;
/** A kind of convening. */
export type Kind = typeof KINDS[number];

/** A configuration, or a part of it, as a file would hold it. */
export type Settings = Readonly<Record<string, unknown>>;

export const TOPIC = "Should cities ban private cars from their centres?";

const SHORT: Readonly<Record<Kind, Settings>> = {
  dialogue: { maxTurns: 4 },
  consensus: { limits: { maxTurns: 12 } },
  debate: { roundCount: 1 },
  "paper-debate": { papers: [PAPER], question: QUESTION, crossExamine: true },
};

/** A small convening of Ada and Ben of any kind, under what is given. */
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

/** Postures are taken from the papers. */
function castWithoutPositions({ participants }: Settings): Settings {
  if (!Array.isArray(participants)) return {};
  return { participants: participants.map(({ position: _position, ...rest }) => rest) };
}

/** A participant that can take part in any kind of convening. */
export function person(name: string, more: Settings = {}): Settings {
  return { id: name.toLowerCase(), name, position: `${name}'s position`, ...more };
}

/** How a convening is held. */
export interface HoldOptions {
  /** What an agent answers, where it is not the usual. */
  readonly say?: ((request: AgentRequest) => Answer | Promise<Answer>) | undefined;
  /** What is said in speeches, also in those that are a field of a reply. */
  readonly speech?: ((request: AgentRequest) => string) | undefined;
  /** The name of the agents' model. @default "ollama:talker" */
  readonly model?: string | undefined;
  /** The ids that no agent is handed in for: their models are found by name. @default none */
  readonly byName?: readonly string[] | "all" | undefined;
  /** A server of models, whose address is the configuration's `baseUrl`; no agents are handed in. */
  readonly server?: ModelServerOptions | undefined;
  /** @default the machine's */
  readonly clock?: Clock | undefined;
  /** What a person says where it is waited for. */
  readonly person?: string | undefined;
  /** The environment. @default empty */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** A part of a reply; undefined for the usual one. */
export type Answer = Partial<AgentReply> | undefined;

/** What a convening showed: of one that was refused, the error alone. */
export interface Seen {
  /** What the agents that were handed in were asked, in order. */
  readonly requests: readonly AgentRequest[];
  /** What the model server was asked, in order. */
  readonly bodies: readonly ChatBody[];
  /** The headers of these. */
  readonly headers: readonly Readonly<Record<string, string>>[];
  readonly events: readonly ConveningEvent[];
  readonly messages: readonly Message[];
  readonly facts: readonly Fact[];
  readonly files: ReadonlyMap<string, string>;
  readonly result?: ConveningResult;
  readonly error?: ConveningError;
}

/** Everyone an agent can be handed in for. */
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

/** Holds a convening to its end, its refusal or its failure. */
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

/** Makes a workflow and runs it; whenever a person is waited for, it says what it has to say. */
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

/** The facts an event tells of, messages aside. */
function factsIn(event: ConveningEvent): Fact[] {
  const fact = factOf(event);
  return fact === undefined || fact.type === "message" ? [] : [fact];
}

const CONSENSUS_KINDS = ["proposals", "proposals_merged"];

/** An answer of the shape that is asked for. */
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
