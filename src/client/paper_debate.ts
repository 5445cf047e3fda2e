// Runs a debate over a paper step by step, with an observable state for a page: questions, postures, debaters, verdict,
// report.
import type { DebaterArgument } from "../core/paper.ts";
import type {
  DebateReport,
  DebateStatus,
  JudgeVerdict,
  StageData,
} from "../papers/text/debate_report.ts";
import type { Client } from "./client.ts";

/** Progress of a debater. */
export type DebaterProgress = {
  readonly index: number;
  readonly posture: string;
  readonly status: "idle" | "running" | "complete" | "error";
  readonly argument?: DebaterArgument | undefined;
};

/** A debate in the archive. */
export type DebateHistoryEntry = {
  /** Id of the convening. */
  readonly id: string;
  readonly question: string;
  /** Start time, ISO 8601. */
  readonly timestamp: string;
};

/** State of a debate for a page. */
export type DebateState = {
  readonly status: DebateStatus;
  /** Last stage, as named by the server. */
  readonly progress: string;
  readonly questions?: readonly string[] | undefined;
  readonly postures?: readonly string[] | undefined;
  readonly topics?: readonly string[] | undefined;
  readonly debaterProgress: readonly DebaterProgress[];
  readonly arguments?: readonly DebaterArgument[] | undefined;
  readonly verdict?: JudgeVerdict | undefined;
  readonly report?: DebateReport | undefined;
  /** Newest first. */
  readonly history: readonly DebateHistoryEntry[];
  /** Reason for the failure. */
  readonly error?: string | undefined;
};

const IDLE: DebateState = { status: "idle", progress: "", debaterProgress: [], history: [] };

/** Status after the start of a stage; other stages do not change the status. */
const STEPS: readonly (readonly [stage: RegExp, status: DebateStatus])[] = [
  [/^Generating postures/, "generating_postures"],
  [/^Running debate/, "debating"],
  [/^Judging arguments/, "judging"],
  [/^Generating final report/, "generating_report"],
];

/** A debate over a stored paper, for a page. Each change creates a new {@linkcode DebateState}. */
export class PaperDebate {
  readonly #client: Client;
  readonly #listeners = new Set<() => void>();
  #state: DebateState = IDLE;
  #step = new AbortController();

  /** Creates a debate in the state `idle`. */
  constructor(client: Client) {
    this.#client = client;
  }

  /** Current state. */
  get state(): DebateState {
    return this.#state;
  }

  /** Calls a listener after each change. Returns a function that removes the listener. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Generates questions about a paper. */
  async fetchQuestions(paperId: string): Promise<readonly string[]> {
    return await this.#runStep("generating_questions", async (signal) => {
      const { questions } = await this.#client.questions({ paperId }, { signal });
      this.#set(signal, { status: "selecting_question", questions });
      return questions;
    });
  }

  /** Generates postures and topics for a question. */
  async fetchPostures(
    paperId: string,
    question: string,
    numPostures = 3,
  ): Promise<{ readonly postures: readonly string[]; readonly topics: readonly string[] }> {
    return await this.#runStep("generating_postures", async (signal) => {
      const input = { paperId, question, numPostures };
      const { postures, topics } = await this.#client.postures(input, { signal });
      this.#set(signal, { status: "selecting_question", postures, topics });
      return { postures, topics };
    });
  }

  /** Runs a debate of a question over a paper, and returns the report. Reconnects after a lost connection. */
  async runDebate(paperId: string, question: string, numPostures = 3): Promise<DebateReport> {
    return await this.#runStep("generating_postures", async (signal) => {
      const { id } = await this.#client.start({
        kind: "paper-debate",
        paperIds: [paperId],
        question,
        postures: numPostures,
      }, { signal });
      let error = "The debate ended without a report";
      for await (const event of this.#client.events(id, { signal })) {
        if (event.type === "stage") this.#set(signal, afterStage(this.#state, event));
        else if (event.type === "convening-end") error = event.ending.error?.message ?? error;
      }
      const { report, startedAt } = await this.#client.show({ id }, { signal });
      if (report === null) throw new Error(error);
      const entry = { id, question, timestamp: startedAt };
      const state = { ...this.#state, history: [entry, ...this.#state.history] };
      return this.#complete(signal, state, await this.#readReport(id, signal));
    });
  }

  /** Loads the newest completed debates in the archive, up to 200. A step that begins meanwhile does not abort the loading. */
  async loadHistory(): Promise<readonly DebateHistoryEntry[]> {
    const { convenings } = await this.#client.list({
      kind: "paper-debate",
      status: "completed",
      limit: 200,
    });
    const history = convenings.map(({ id, question, topic, startedAt }) => ({
      id,
      question: question ?? topic ?? "",
      timestamp: startedAt,
    }));
    this.#set(this.#step.signal, { history });
    return history;
  }

  /** Loads the report, arguments and verdict of an earlier debate. */
  async loadDebateFromHistory(historyId: string): Promise<DebateReport> {
    const before = this.#state;
    return await this.#runStep(before.status, async (signal) => {
      const report = await this.#readReport(historyId, signal);
      let state = withoutResult(this.#state);
      for await (const event of this.#client.events(historyId, { signal })) {
        if (event.type === "stage") state = afterStage(state, event);
      }
      return this.#complete(signal, { ...state, history: this.#state.history }, report);
    }, before);
  }

  /** Resets the state, except the history; a running step fails with an `AbortError`. Work on the server continues. */
  reset(): void {
    this.#step.abort(new DOMException("The debate was reset", "AbortError"));
    this.#step = new AbortController();
    this.#set(this.#step.signal, { ...IDLE, history: this.#state.history }, {});
  }

  /** Runs a step, and aborts the previous one. An error becomes part of the state. */
  async #runStep<T>(
    status: DebateStatus,
    work: (signal: AbortSignal) => Promise<T>,
    before = withoutResult(this.#state),
  ): Promise<T> {
    this.#step.abort(new DOMException("Another step began", "AbortError"));
    this.#step = new AbortController();
    const { signal } = this.#step;
    this.#set(signal, { status, progress: "", debaterProgress: [], error: undefined }, before);
    try {
      return await work(signal);
    } catch (cause) {
      const error = cause instanceof Error ? cause.message : String(cause);
      this.#set(signal, { status: "error", error });
      throw cause;
    }
  }

  async #readReport(id: string, signal: AbortSignal): Promise<DebateReport> {
    return JSON.parse(await this.#client.file({ id, path: "report.json" }, { signal }));
  }

  #complete(signal: AbortSignal, state: DebateState, report: DebateReport): DebateReport {
    const { postures, topics } = report;
    this.#set(signal, { ...state, status: "completed", postures, topics, report });
    return report;
  }

  /** Changes the state, unless the step was aborted. */
  #set(signal: AbortSignal, change: Partial<DebateState>, before: object = this.#state): void {
    if (signal.aborted) return;
    this.#state = { ...IDLE, ...before, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** Returns the state before a debate: the questions and the history remain. */
function withoutResult({ questions, history }: DebateState): DebateState {
  return { ...IDLE, questions, history };
}

function afterStage(
  state: DebateState,
  { name, data }: { readonly name: string; readonly data: unknown },
): DebateState {
  const stage = (data ?? {}) as StageData;
  const { questions, postures, topics, arguments: all, verdict } = stage;
  const [, status = state.status] = STEPS.find(([each]) => each.test(name)) ?? [];
  const debaterProgress = postures === undefined
    ? state.debaterProgress.map((each) => updateDebater(each, name, stage))
    : postures.map((posture, index) => ({ index, posture, status: "idle" as const }));
  const made = { questions, postures, topics, arguments: all, verdict };
  const known = Object.fromEntries(Object.entries(made).filter(([, each]) => each !== undefined));
  return { ...state, ...known, status, progress: name, debaterProgress };
}

function updateDebater(
  debater: DebaterProgress,
  stage: string,
  { debaterIndex, argument }: StageData,
): DebaterProgress {
  if (debaterIndex !== debater.index) return debater;
  if (stage === "debater_started") return { ...debater, status: "running" };
  if (stage === "debater_error") return { ...debater, status: "error" };
  return stage === "debater_complete" ? { ...debater, status: "complete", argument } : debater;
}
