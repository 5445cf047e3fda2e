// Starts a convening for a command or prints its plan, runs the convening to its end, and builds the reply with the result.
import { join } from "@std/path";
import { onProviderPause } from "../agents/limiter.ts";
import { SEARCH_VARIABLES } from "../checking/searchers.ts";
import { composeConvening } from "../compose.ts";
import type { ConveningConfig } from "../config/convening_config.ts";
import { CLIENT } from "../core/agent.ts";
import { pause } from "../core/clock.ts";
import { ConfigurationError, ConveningError } from "../core/error.ts";
import type { ConveningResult, ConveningStart } from "../core/event.ts";
import type { KeyRules } from "../core/key_rules.ts";
import { counted, plainLine, thousands } from "../core/text.ts";
import type { PlannedPrompt, WorkflowPlan } from "../engine/plan.ts";
import { inputPaths } from "../inputs/inputs.ts";
import { defaultModel, hasPeople, hostsOf, looksUp, modelsOf } from "../inputs/servers.ts";
import type { Resumed } from "../operations/active_run.ts";
import { unheardWords } from "../operations/attending.ts";
import type { Convening } from "../operations/convening.ts";
import { planRows } from "../operations/plan.ts";
import { wordFor } from "./directory.ts";
import { CONFIG, DRY_RUN, PAPER_PICK, PROMPTS, TIMEOUT } from "./flags.ts";
import { requirePermissions } from "./permissions.ts";
import { Progress } from "./progress.ts";
import { paperOf, reportResult } from "./report.ts";
import { Screen } from "./screen.ts";
import type { Invocation, Reply, Session } from "./session.ts";
import { keyRules } from "./settings.ts";
import { TerminalPeople } from "./terminal_people.ts";

export { endingJson } from "./report.ts";

/** Runs a new convening by checked settings, or prints its plan with `--dry-run`. */
export async function startWith(
  config: ConveningConfig,
  invocation: Invocation,
  session: Session,
): Promise<Reply> {
  const { values } = invocation;
  const { io, signal } = session;
  const rules = keyRules(invocation, session);
  const isPlan = values.get(DRY_RUN) === true;
  const timed = withPersonTime(config, session, {
    isRecorded: values.get(TIMEOUT) === undefined && values.get(CONFIG)?.endsWith(".md") === true,
  });
  requirePermissions(io, {
    ...isPlan
      ? { variables: variablesOf(config) }
      : { ...needsOf(config, session, rules), writes: config.out ?? io.folder },
    reads: inputPaths(config),
  });
  const workflow = await composeConvening(timed, {
    env: io.env,
    signal,
    note: (sentence) => session.note(sentence),
    catalogue: session.catalogue,
    ...rules,
  });
  if (isPlan) {
    const prompts = values.get(PROMPTS) === true ? await workflow.prompts() : undefined;
    return planReply(config, await workflow.plan(), { topic: workflow.topic, prompts });
  }
  if (values.get(PROMPTS) === true) {
    throw new ConfigurationError("Cannot use --prompts without --dry-run", {
      field: PROMPTS.name,
      hint: "Give --dry-run too: a run itself prints no prompts.",
    });
  }
  const isUnset = config.model === undefined &&
    defaultModel({ ...config, env: io.env }) === "offline";
  // If some roles have models, the plan says whether the others are asked.
  const isAsked = async () =>
    modelsOf(config).every((model) => model === undefined) ||
    Object.hasOwn((await workflow.plan()).models, "offline");
  if (isUnset && await isAsked()) session.note(NO_KEY);
  noteSearch(config, session);
  await noteRounds(config, workflow, session);
  return await runConvening(workflow, session);
}

/** Prints a note for a debate without rounds, and the maximum usage of more than 20 rounds without a limit. */
async function noteRounds(
  config: ConveningConfig,
  workflow: { plan(): Promise<WorkflowPlan> },
  session: Session,
): Promise<void> {
  if (config.kind !== "debate") return;
  const { roundCount = 1, limits = {} } = config;
  if (roundCount === 0) {
    session.note("There are 0 rounds: no side argues between the openings and the end.");
  }
  if (roundCount <= 20 || Object.keys(limits).length > 0) return;
  const { calls, maxTokens } = await workflow.plan();
  session.note(
    `${thousands(roundCount)} rounds take up to ${thousands(calls)} calls and ${
      thousands(maxTokens)
    } tokens. --max-turns, --max-tokens and --max-cost set a limit.`,
  );
}

/** Note for a run with the offline agent, if no model is configured. */
export const NO_KEY =
  "No model is set up, so the offline agent speaks: set OPENAI_API_KEY, give --model local for a model server of this machine, or --base-url and --model.";

/** Prints a note if a fact check or a paper debate has no web search. */
export function noteSearch(config: Partial<ConveningConfig>, session: Session): void {
  if (!looksUp(config) || config.factCheck?.searchUrl !== undefined) return;
  if (SEARCH_VARIABLES.some((name) => (session.io.env(name) ?? "").trim() !== "")) return;
  session.note(
    `No search is set up${withoutSearch(config)}: set TAVILY_API_KEY, or give --search-url.`,
  );
}

function withoutSearch({ kind, sources = [] }: Partial<ConveningConfig>): string {
  if (kind === "paper-debate") return ", so nothing but the papers can be looked up and cited";
  return sources.length === 0
    ? " and there are no sources, so every claim is unverifiable"
    : ", so claims are checked against the convening's own sources alone";
}

/** Returns the extra environment variables of a configuration: keys of its own providers in use, and keys of searches. */
export function variablesOf(config: Partial<ConveningConfig>): string[] {
  const used = new Set(
    [config.model, ...modelsOf(config)].map((model) =>
      model?.slice(0, Math.max(0, model.indexOf(":")))
    ),
  );
  const keys = Object.entries(config.providers ?? {}).flatMap(([name, { apiKeyEnv }]) =>
    used.has(name) && apiKeyEnv !== undefined ? [apiKeyEnv] : []
  );
  return [...keys, ...looksUp(config) ? SEARCH_VARIABLES : []];
}

export function needsOf(
  config: Partial<ConveningConfig>,
  { io: { env }, catalogue }: Session,
  rules: KeyRules = {},
): { readonly hosts: readonly string[]; readonly variables: readonly string[] } {
  return {
    hosts: hostsOf(config, { env, catalogue, ...rules }),
    variables: variablesOf(config),
  };
}

/**
 * Sets the time limit of a person's turn: the given limit, else no limit at a terminal, and 0 without a terminal (the
 * convening then waits on disk). A recorded limit is ignored, as it was for an earlier run. Throws for the model "client".
 */
export function withPersonTime<C extends ConveningConfig>(
  config: C,
  { io }: Session,
  { isRecorded = false }: { readonly isRecorded?: boolean } = {},
): C {
  if (!hasPeople(config)) return config;
  if ([...modelsOf(config), config.model].includes(CLIENT)) {
    throw new ConfigurationError(
      `Cannot ask the model "${CLIENT}" here: a client of the MCP server answers for it`,
      {
        field: "model",
        hint: "Start or resume the convening by the tool run or resume of `convenings mcp` or " +
          "`convenings serve`; next_turn then gives each prompt.",
      },
    );
  }
  const { personTimeout } = config;
  const given = isRecorded ? undefined : personTimeout;
  return { ...config, personTimeout: given ?? (io.inIsTerminal ? undefined : 0) };
}

/** Builds the reply of `--dry-run`; `topic` is the topic of the convening, also of a paper debate. */
function planReply(
  config: ConveningConfig,
  plan: WorkflowPlan,
  { topic, prompts }: {
    readonly topic: string;
    readonly prompts: readonly PlannedPrompt[] | undefined;
  },
): Reply {
  const { kind, out } = config;
  const { turns, calls, chain, maxTokens, maxCost, models } = plan;
  const lines = [
    ...subjectLines(config, topic),
    ...planRows(config, plan).map((row) => row.join(": ")),
    `Would be written to: ${out}`,
  ];
  const shown = (prompts ?? []).map(({ key, model, messages }) => {
    const texts = messages.map(({ role, content }) => `--- ${role}\n${content}`);
    return [`=== ${key} (${model})`, ...texts].join("\n");
  });
  return {
    code: 0,
    json: {
      dryRun: true,
      dir: null,
      kind,
      topic,
      question: config.kind === "paper-debate" ? config.question ?? null : null,
      turns,
      calls,
      chain,
      maxTokens,
      costUsd: maxCost,
      models,
      out,
      ...prompts === undefined ? {} : { prompts },
    },
    text: [lines.join("\n"), ...shown].join("\n\n") + "\n",
  };
}

function subjectLines(config: ConveningConfig, topic: string): string[] {
  if (config.kind !== "paper-debate") return [`${config.kind} on: ${plainLine(topic)}`];
  const { question, pick, papers } = config;
  const which = pick === "ask" ? "the one that is picked" : `the one with the number ${pick ?? 1}`;
  return [
    `${config.kind} on: ${plainLine(topic)}`,
    ...papers.map((path) => `Paper: ${plainLine(path)}`),
    `Question: ${
      question === undefined ? `${which} of those proposed for the papers` : plainLine(question)
    }`,
  ];
}

/** A workflow of any kind; a resumed one has no plan. */
type Runnable = Resumed & { plan?(): Promise<{ readonly turns: number }> };

type RunPast = Pick<Convening, "messages" | "start">;

/** Runs a convening to its end, with progress on standard error. Sets the session's directory also if the run fails. */
export async function runConvening(
  workflow: Runnable,
  session: Session,
  past?: RunPast,
): Promise<Reply> {
  try {
    const result = await follow(workflow, session, past);
    await noteUnheard(result, session);
    return finish(result, session);
  } catch (error) {
    if (error instanceof ConveningError) session.dir = error.dir ?? session.dir;
    throw error;
  }
}

async function follow(
  workflow: Runnable,
  session: Session,
  past: RunPast | undefined,
): Promise<ConveningResult> {
  const { io } = session;
  const view = session.quiet ? undefined : liveView(session, past?.start);
  const progress = view?.progress;
  const screen = view?.screen ?? new Screen(io.err);
  if (progress !== undefined && io.live && past === undefined) {
    progress.status.turns = (await workflow.plan?.())?.turns;
  }
  const endPauses = progress && onProviderPause((pause) => progress.pause(pause));
  const people = io.inIsTerminal
    ? new TerminalPeople({
      io,
      screen,
      said: past?.messages,
      start: () => session.record.start,
      onTyped: (turn) => progress?.typed(turn),
    })
    : undefined;
  try {
    const events = workflow.stream();
    for (;;) {
      const step = await events.next();
      if (step.done === true) return step.value;
      session.take(step.value);
      // At a terminal the prompt shows whose turn it is, so skip the progress line.
      if (people === undefined || step.value.type !== "turn-wait") progress?.take(step.value);
      else progress?.asked(step.value.turn.turn);
      people?.take(step.value, workflow);
    }
  } finally {
    endPauses?.();
    await people?.end();
    view?.end();
  }
}

/** Makes a convening the session's: its directory, start, facts and ending. */
export function setConvening({ dir, start, facts, result }: Convening, session: Session): void {
  session.dir = dir;
  session.follow(start, facts);
  session.ending = result;
}

export function finish(result: ConveningResult, session: Session): Reply {
  session.dir = result.dir;
  // Take the value from the recorded ending: some kinds, such as debates, do not record one.
  const { value } = session.ending ?? {};
  const reply = reportResult({ ...result, value, paper: paperOf(session) }, session);
  // The report of a waiting convening already shows how to say the turn.
  if (result.status !== "completed" && result.status !== "waiting") tellHowToResume(session);
  return reply;
}

/** Prints a note if words that were left for a completed convening were never heard. */
async function noteUnheard({ status, dir }: ConveningResult, session: Session): Promise<void> {
  const count = status !== "completed" || dir === undefined ? 0 : await unheardWords(dir);
  if (count === 0) return;
  session.note(
    `The convening ended before it heard ${counted(count, "text")} that ${
      count === 1 ? "was" : "were"
    } left for it, in ${join(dir!, ".inbox")}.`,
  );
}

/** End reasons of limits that count the whole record, which a resume has to raise. */
const WHOLE_RECORD: ReadonlySet<string> = new Set(["max_turns", "max_tokens", "max_cost"]);

/** Prints the command that resumes the session's convening, unless there is none or the convening is completed. */
export function tellHowToResume(session: Session, ...flags: readonly string[]): void {
  const { status, endReason = "" } = session.ending ?? {};
  if (session.dir === undefined || status === "completed") return;
  const raised = WHOLE_RECORD.has(endReason) ? [`--${endReason.replace("_", "-")}`, "N"] : [];
  const word = wordFor(session.dir, session);
  session.tell(`To continue: ${session.commandLine("resume", word, ...raised, ...flags)}`);
}

/** Prints the command that picks another question, after an error of `--pick`; the generated questions are on record. */
export function tellHowToPick(error: unknown, session: Session): void {
  const isPick = error instanceof ConfigurationError && error.field === "pick";
  if (isPick) tellHowToResume(session, PAPER_PICK.name, "N");
}

/** Update interval of the status line, in milliseconds. */
const EVERY = 200;

interface LiveView {
  readonly progress: Progress;
  readonly screen: Screen;
  /** Shows the remaining progress and removes the status line. */
  end(): void;
}

/** Starts the progress display of a session; `start` is present for a resumed convening. */
export function liveView(session: Session, start?: ConveningStart): LiveView {
  const { io } = session;
  const { live, colour } = io;
  const screen = new Screen(io.err);
  const columns = () => io.columns();
  const progress = new Progress((text) => screen.show(text), { live, colour, start, columns });
  const over = new AbortController();
  // Without a status line if `--json` prints events to the same terminal.
  if (live && !(session.json && io.outIsTerminal)) {
    session.screen = screen;
    void (async () => {
      while (!over.signal.aborted) {
        screen.status(progress.status.at(io.now(), io.columns()));
        await pause(EVERY, over.signal).catch(() => {});
      }
    })();
  }
  return {
    progress,
    screen,
    end() {
      over.abort();
      screen.status("");
      session.screen = undefined;
      progress.end();
    },
  };
}
