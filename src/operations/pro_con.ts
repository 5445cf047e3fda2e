/**
 * Pro/con debates by plain functions: two models, a motion, a number of rounds, and a state that changes as the debate is
 * held. Thin adapters over a debate of the preset `pro-con`, which they keep like any other convening.
 *
 * ```ts
 * import { runDebate } from "@convenings/convenings/pro-con";
 * import { memoryRecord } from "@convenings/convenings";
 *
 * const state = await runDebate("debate-1", {
 *   proModelId: "offline",
 *   conModelId: "offline",
 *   topicSelection: "manual",
 *   topicMotion: "Should cities build more tram lines?",
 *   totalRounds: 1,
 *   wordLimitPerTurn: 400,
 *   factCheckMode: "off",
 * }, { record: memoryRecord(), config: { seed: 1 } });
 * console.assert(state.transcript.length === 2 && state.isDebateComplete);
 * ```
 *
 * @module
 */
import { z } from "zod";
import { composeConvening, type ComposeOptions } from "../compose.ts";
import type { DebateConfig as Configuration } from "../config/convening_config.ts";
import { ConfigurationError, TopicError } from "../core/error.ts";
import type { ConveningEvent, ConveningResult } from "../core/event.ts";
import { NO_USAGE } from "../core/message.ts";
import { shown } from "../core/check_fields.ts";
import { checkTopic, TOPIC_LENGTH } from "../core/topic.ts";
import { type DebateState, NO_STATISTICS, reduceDebateState } from "./pro_con_state.ts";

export { reduceDebateState } from "./pro_con_state.ts";
export type {
  DebateMetadata,
  DebateSide,
  DebateSideStatistics,
  DebateState,
  DebateTurn,
  DebateTurnDraft,
} from "./pro_con_state.ts";

/** A pro/con debate's configuration. */
export interface DebateConfig {
  /** The name of the model that speaks for the motion. */
  readonly proModelId: string;
  /** The name of the model that speaks against it. */
  readonly conModelId: string;
  /** The persona of who speaks for the motion: an id, a YAML file, or its text. @default none */
  readonly proPersonaId?: string | undefined;
  /** The persona of who speaks against it. @default none */
  readonly conPersonaId?: string | undefined;
  /** The source of the topic: the configuration. */
  readonly topicSelection: "manual";
  /** The topic's id; where there is no `topicMotion`, the motion: by its name, where it is too short for a topic. */
  readonly topicId?: string | undefined;
  /** The motion, 10 to 200 characters. @default `topicId` */
  readonly topicMotion?: string | undefined;
  /** 1 to 1000; in each, both sides speak once. */
  readonly totalRounds: number;
  /** The most words of a turn, 200 to 1000; the fewest are 200. */
  readonly wordLimitPerTurn: number;
  /** The treatment of claims: not checked, checked and marked, or rejected where they are false, three times at most. */
  readonly factCheckMode: "off" | "standard" | "strict";
}

/**
 * More keys of the convening's configuration: `out`, `seed`, `model` and `judges`, `limits`, `sources` and so on. Left out
 * are those that {@linkcode DebateConfig} speaks for, and those that would make it another debate.
 */
export type DebateSettings =
  & Omit<
    Partial<Configuration>,
    | "kind"
    | "preset"
    | "topic"
    | "participants"
    | "positions"
    | "roundCount"
    | "words"
    | "exchange"
    | "openings"
    | "closings"
    | "turnForm"
    | "pacing"
    | "adaptive"
    | "factCheck"
  >
  & {
    /** Settings of the fact check, but for the mode. */
    readonly factCheck?: Omit<NonNullable<Configuration["factCheck"]>, "mode"> | undefined;
  };

/** Options of a debate besides its configuration: instances, and where it is kept. */
export interface DebateRunOptions extends ComposeOptions {
  /** Settings that a {@linkcode DebateConfig} does not have. */
  readonly config?: DebateSettings | undefined;
}

/** The state of a debate that has not started. Checks nothing: {@linkcode validateDebateConfig} does. */
export function initializeDebateState(debateId: string, config: DebateConfig): DebateState {
  const { topicId = "", proModelId, conModelId } = config;
  const { topicMotion = motionOf(topicId) } = config;
  return {
    debateId,
    topicMotion,
    proModelId,
    conModelId,
    proPersonaId: config.proPersonaId,
    conPersonaId: config.conPersonaId,
    currentRound: 1,
    totalRounds: config.totalRounds,
    currentSpeaker: "pro",
    wordLimitPerTurn: config.wordLimitPerTurn,
    factCheckMode: config.factCheckMode,
    transcript: [],
    factCheckLogs: [],
    currentTurnDraft: undefined,
    currentFactCheckResults: [],
    shouldRejectTurn: false,
    retryCount: 0,
    isDebateComplete: false,
    metadata: {
      topicId: topicMotion === topicId ? undefined : config.topicId,
      status: "running",
      winner: null,
      summary: "",
      statistics: NO_STATISTICS,
      rejectedTurns: [],
      factCheckErrors: [],
      usage: NO_USAGE,
    },
  };
}

/**
 * Problems of a debate's configuration, one sentence each; empty where it can be held. A persona's or a model's
 * name is looked up only when the debate starts.
 */
export function validateDebateConfig(state: DebateState): string[] {
  return [...problemsOf(state), ...topicProblem(state)];
}

/**
 * Holds a debate; resolves with its final state. Fails with a `ConfigurationError` or a `TopicError` before anything is
 * said, and with what went wrong where a model cannot answer.
 */
export async function runDebate(
  debateId: string,
  config: DebateConfig,
  options: DebateRunOptions = {},
): Promise<DebateState> {
  let last = initializeDebateState(debateId, config);
  for await (const state of streamDebate(debateId, config, options)) last = state;
  return last;
}

/**
 * Holds a debate; gives its state each time it changes: speeches as they come, rejected turns, fact checks,
 * rounds. The last one is the final state. Leaving the loop stops the debate; `resume` continues in its directory.
 */
export async function* streamDebate(
  debateId: string,
  config: DebateConfig,
  options: DebateRunOptions = {},
): AsyncGenerator<DebateState, void, undefined> {
  let state = initializeDebateState(debateId, config);
  checkConfig(config, state);
  const { config: more = {}, ...handed } = options;
  const workflow = await composeConvening(configurationOf(state, more), handed);
  for await (const event of withResult(workflow.stream())) {
    const next = event.type === "result"
      ? withDirectory(state, event.result)
      : reduceDebateState(state, event);
    if (next !== state) yield next;
    state = next;
  }
}

/** The events of a run, and its result as the last of them. */
async function* withResult(
  events: AsyncGenerator<ConveningEvent, ConveningResult>,
): AsyncGenerator<ConveningEvent | { readonly type: "result"; readonly result: ConveningResult }> {
  yield { type: "result", result: yield* events };
}

function withDirectory(state: DebateState, { dir }: ConveningResult): DebateState {
  return dir === undefined ? state : { ...state, metadata: { ...state.metadata, directory: dir } };
}

function configurationOf(
  state: DebateState,
  more: DebateSettings,
): Configuration {
  const { proModelId, conModelId, proPersonaId, conPersonaId } = state;
  return {
    ...more,
    kind: "debate",
    preset: "pro-con",
    topic: state.topicMotion,
    participants: [
      { id: "pro", name: "Pro", model: proModelId, persona: proPersonaId },
      { id: "con", name: "Con", model: conModelId, persona: conPersonaId },
    ],
    roundCount: state.totalRounds,
    words: { min: WORDS.min, max: state.wordLimitPerTurn },
    // The host's settings for all debates are of no use to one that checks nothing.
    factCheck: {
      ...state.factCheckMode === "off" ? {} : more.factCheck,
      mode: state.factCheckMode,
    },
  };
}

/** The motion that an id stands for: the id, or its name in quotes where an id is too short for a topic. */
function motionOf(topicId: string): string {
  const id = typeof topicId === "string" ? topicId.trim() : "";
  return id !== "" && [...id].length < TOPIC_LENGTH.min ? `The topic "${id}"` : topicId;
}

function checkConfig({ topicSelection }: DebateConfig, state: DebateState): void {
  const problems = problemsOf(state);
  if (topicSelection !== "manual") {
    problems.push(`topicSelection: ${shown(topicSelection)} is not allowed, only "manual" is.`);
  }
  const [first] = problems;
  if (first === undefined) return;
  throw new ConfigurationError(`Cannot hold debate "${state.debateId}": ${problems.join(" ")}`, {
    field: first.slice(0, first.indexOf(":")),
    hint: "validateDebateConfig(initializeDebateState(debateId, config)) lists what is wrong.",
  });
}

/** The bounds of a turn's limit of words (context-network/rules/every_convening.md). */
const WORDS = { min: 200, max: 1000 } as const;
const MODES = ["off", "standard", "strict"] as const;

const name = z.string("give a name").regex(/\S/, "give a name");
const persona = z.string("give a persona or none").regex(/\S/, "give a persona or none").optional();

/** Values of a state that a debate can be held with; messages end the sentence of a problem. */
const STATE = z.object({
  debateId: name,
  proModelId: name,
  conModelId: name,
  proPersonaId: persona,
  conPersonaId: persona,
  totalRounds: within({ min: 1, max: 1000 }),
  wordLimitPerTurn: within(WORDS),
  factCheckMode: z.enum(MODES, `only ${MODES.join(", ")} are`),
});

function within({ min, max }: { readonly min: number; readonly max: number }): z.ZodInt {
  const allowed = `whole numbers from ${min} to ${max} are`;
  return z.int(allowed).min(min, allowed).max(max, allowed);
}

function problemsOf(state: DebateState): string[] {
  const issues = STATE.safeParse(state, { jitless: true }).error?.issues ?? [];
  return issues.map(({ path: [key], message }) =>
    `${String(key)}: ${shown(state[key as keyof DebateState])} is not allowed, ${message}.`
  );
}

function topicProblem({ topicMotion }: DebateState): string[] {
  if (typeof topicMotion !== "string") {
    return [`topicMotion: ${shown(topicMotion)} is not allowed, give a topic.`];
  }
  try {
    checkTopic(topicMotion);
    return [];
  } catch (error) {
    if (error instanceof TopicError) return [`topicMotion: ${error.message}.`];
    throw error;
  }
}
