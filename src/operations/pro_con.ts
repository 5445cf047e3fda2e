/**
 * Pro/con debates by plain functions: two models, a motion, a number of rounds, and a state that is updated during the
 * debate. Thin adapters over a debate of the preset `pro-con`, recorded like any other convening.
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
import { FACT_CHECK_MODES, TURN_WORDS } from "../config/setting_shapes.ts";
import { ConfigurationError, problemsIn } from "../core/error.ts";
import { NO_USAGE } from "../core/message.ts";
import { checkArguments, valueText } from "../core/check_fields.ts";
import { defined, isObject } from "../core/values.ts";
import { checkTopic, TOPIC_LENGTH, type TopicRules } from "../core/topic.ts";
import { type DebateState, NO_STATISTICS, reduceDebateState } from "./pro_con_state.ts";
import { didYouMean, thousands } from "../core/text.ts";

export { reduceDebateState } from "./pro_con_state.ts";
export type {
  DebateMetadata,
  DebateSide,
  DebateSideStatistics,
  DebateState,
  DebateTurn,
  DebateTurnDraft,
} from "./pro_con_state.ts";

/** Configuration of a pro/con debate. */
export interface DebateConfig extends Pick<DebateState, "proModelId" | "conModelId"> {
  /** Persona of the pro side: an id, a YAML file, or the text of a persona. @default none */
  readonly proPersonaId?: string | undefined;
  /** Persona of the con side, in the same forms. @default none */
  readonly conPersonaId?: string | undefined;
  /** Source of the topic; only this configuration is possible. */
  readonly topicSelection: "manual";
  /** Id of the topic; without `topicMotion` also the motion, in a short sentence if the id is shorter than 10 characters. */
  readonly topicId?: string | undefined;
  /** The motion, 10 to 200 characters. @default `topicId` */
  readonly topicMotion?: string | undefined;
  /** Number of rounds, 1 to 1,000; each side speaks once a round. */
  readonly totalRounds: number;
  /** Maximum words of a turn, 200 to 1,000; the minimum is 200. */
  readonly wordLimitPerTurn: number;
  /** Claims are not checked; checked and marked; or a turn with false claims is rejected, at most three times. */
  readonly factCheckMode: "off" | "standard" | "strict";
}

/**
 * Further keys of the convening's configuration, such as `out`, `seed`, `model`, `judges`, `limits` and `sources`, without
 * the keys that {@linkcode DebateConfig} or the preset `pro-con` sets.
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
    /** Settings of the fact check, without the mode. */
    readonly factCheck?: Omit<NonNullable<Configuration["factCheck"]>, "mode"> | undefined;
  };

/** Options of a debate besides its configuration: agents, record and other objects. */
export interface DebateRunOptions extends ComposeOptions {
  /** Settings that {@linkcode DebateConfig} does not have. */
  readonly config?: DebateSettings | undefined;
}

/** Returns the state before the start of a debate, unchecked; see {@linkcode validateDebateConfig}. */
export function initializeDebateState(debateId: string, config: DebateConfig): DebateState {
  checkArguments("initializeDebateState", { config });
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
 * Returns the problems of a debate's configuration, one sentence each; empty for a valid configuration. Names of personas
 * and models are looked up only at the start of the debate.
 */
export function validateDebateConfig(state: DebateState): string[] {
  const problems = problemsOf(state);
  return isObject(state) ? [...problems, ...topicProblem(state)] : problems;
}

/**
 * Runs a debate and returns its final state. Throws a `ConfigurationError` or a `TopicError` before the first turn, and the
 * error of a model that cannot answer.
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
 * Runs a debate and yields each new state: after each part of a speech, rejected turn, fact check and round. The last state
 * is the final one. Ending the iteration stops the debate; `resume` continues it from its directory.
 */
export async function* streamDebate(
  debateId: string,
  config: DebateConfig,
  options: DebateRunOptions = {},
): AsyncGenerator<DebateState, void, undefined> {
  let state = initializeDebateState(debateId, config);
  const { config: settings, ...composeOptions } = options;
  const more: DebateSettings = defined(settings ?? {});
  checkConfig(config, more, state);
  const workflow = await composeConvening(configurationOf(state, more), composeOptions);
  // Stops the debate if the iteration ends early.
  await using events = workflow.stream();
  for (;;) {
    const { done, value } = await events.next();
    if (done === true) {
      const { dir: directory } = value;
      if (directory !== undefined) yield { ...state, metadata: { ...state.metadata, directory } };
      return;
    }
    const next = reduceDebateState(state, value);
    if (next !== state) yield next;
    state = next;
  }
}

function configurationOf(state: DebateState, more: DebateSettings): Configuration {
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
    words: { min: TURN_WORDS.min, max: state.wordLimitPerTurn },
    // Settings of a fact check would contradict the mode "off".
    factCheck: {
      ...state.factCheckMode === "off" ? {} : more.factCheck,
      mode: state.factCheckMode,
    },
  };
}

/** Returns the motion of a topic's id: the id, or a sentence that quotes it if the id is too short for a topic. */
function motionOf(topicId: string): string {
  const id = typeof topicId === "string" ? topicId.trim() : "";
  return id !== "" && [...id].length < TOPIC_LENGTH.min ? `The topic "${id}"` : topicId;
}

function checkConfig(config: DebateConfig, more: DebateSettings, state: DebateState): void {
  const problems = problemsOf(state);
  const { topicSelection } = config;
  if (topicSelection !== "manual") {
    problems.push(`topicSelection: ${valueText(topicSelection)} is not allowed, only "manual" is.`);
  }
  for (const key of Object.keys(defined(config)).filter((each) => !KEYS.includes(each))) {
    problems.push(`${key}: there is no such key. ${didYouMean(key, KEYS)}`.trim());
  }
  for (const key of OWN.filter((each) => each in more)) {
    problems.push(`config.${key}: the debate sets it itself, leave it out.`);
  }
  const [first] = problems;
  if (first === undefined) return;
  problems.push(...topicProblem(state, more));
  throw new ConfigurationError(`Cannot hold debate "${state.debateId}": ${problems.join(" ")}`, {
    field: first.slice(0, first.indexOf(":")),
    hint: `Keys of the configuration: ${KEYS.join(", ")}.`,
  });
}

const name = z.string("give a name").regex(/\S/, "give a name");
const persona = z.string("give a persona or none").regex(/\S/, "give a persona or none").optional();

/** Schema of a valid state; each message is the second half of a sentence in {@linkcode problemsOf}. */
const STATE = z.object({
  debateId: name,
  proModelId: name,
  conModelId: name,
  proPersonaId: persona,
  conPersonaId: persona,
  totalRounds: within({ min: 1, max: 1000 }),
  wordLimitPerTurn: within(TURN_WORDS),
  factCheckMode: z.enum(FACT_CHECK_MODES, `only ${FACT_CHECK_MODES.join(", ")} are`),
}, "give a state of initializeDebateState");

/** Keys of {@linkcode DebateConfig}. */
const KEYS = ["topicSelection", "topicId", "topicMotion", ...Object.keys(STATE.shape).slice(1)];
/** Keys of the convening's configuration that follow from {@linkcode DebateConfig}. */
const OWN = ["kind", "preset", "topic", "participants", "roundCount", "words"];

function within({ min, max }: { readonly min: number; readonly max: number }): z.ZodInt {
  const allowed = `whole numbers from ${min} to ${thousands(max)} are`;
  return z.int(allowed).min(min, allowed).max(max, allowed);
}

function problemsOf(state: DebateState): string[] {
  const issues = STATE.safeParse(state, { jitless: true }).error?.issues ?? [];
  return issues.map(({ path: [key], message }) => {
    const value = key === undefined ? state : state[key as keyof DebateState];
    return `${String(key ?? "state")}: ${valueText(value)} is not allowed, ${message}.`;
  });
}

function topicProblem({ topicMotion }: DebateState, rules: TopicRules = {}): string[] {
  if (typeof topicMotion !== "string") {
    return [`topicMotion: ${valueText(topicMotion)} is not allowed, give a topic.`];
  }
  return problemsIn(() => checkTopic(topicMotion, rules)).map(({ message }) =>
    `topicMotion: ${message}.`
  );
}
