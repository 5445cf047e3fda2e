// Runs a convening to its end, shows its progress, and builds the reply with the result.
import { onProviderPause } from "../agents/limiter.ts";
import { pause } from "../core/clock.ts";
import type { ConveningEvent, ConveningResult, ConveningStart } from "../core/event.ts";
import { ConfigurationError, ConveningError } from "../core/error.ts";
import type { Convening } from "../operations/convening.ts";
import { type PaperResult, paperResultOf, resultJson, resultOf } from "../operations/results.ts";
import { wordFor } from "./directory.ts";
import { PAPER_PICK } from "./flags.ts";
import { Progress } from "./progress.ts";
import { reportResult } from "./report.ts";
import { Screen } from "./screen.ts";
import type { Reply, Session } from "./session.ts";
import { TerminalPeople } from "./terminal_people.ts";

/** A workflow of any kind, or a completed convening, which has only `stream`. */
interface Runnable {
  stream(): AsyncGenerator<ConveningEvent, ConveningResult>;
  say?(participant: string, text: string): void;
  /** Returns the plan; absent for a resumed convening. */
  plan?(): Promise<{ readonly turns: number }>;
  pause?(): void;
}

type RunPast = Pick<Convening, "messages" | "start">;

/** Runs a convening to its end, with progress on standard error. Sets the session's directory also if the run fails. */
export async function runConvening(
  workflow: Runnable,
  session: Session,
  past?: RunPast,
): Promise<Reply> {
  try {
    return finish(await follow(workflow, session, past), session);
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
      configuration: past?.start.configuration,
      onTyped: (turn) => progress?.typed(turn),
    })
    : undefined;
  const listening = {
    say: (participant: string, text: string) => workflow.say?.(participant, text),
    pause: () => workflow.pause?.(),
  };
  try {
    const events = workflow.stream();
    for (;;) {
      const step = await events.next();
      if (step.done === true) return step.value;
      session.take(step.value);
      // At a terminal the prompt shows whose turn it is, so skip the progress line.
      if (people === undefined || step.value.type !== "turn-wait") progress?.take(step.value);
      people?.take(step.value, listening);
    }
  } finally {
    endPauses?.();
    await people?.end();
    view?.end();
  }
}

/** Makes a convening the session's: its directory, start, facts, ending and names of participants. */
export function setConvening({ dir, start, facts, result }: Convening, session: Session): void {
  session.dir = dir;
  session.follow(start, facts);
  session.ending = result;
  for (const { id, name } of start.participants) session.names.set(id, name);
}

/** Builds the reply of a command from the result of a convening. */
export function finish(result: ConveningResult, session: Session): Reply {
  session.dir = result.dir;
  // Take the value from the recorded ending: some kinds, such as debates, do not record one.
  const { value } = session.ending ?? {};
  const reply = reportResult({ ...result, value, paper: paperOf(session) }, session);
  // The report of a waiting convening already shows how to say the turn.
  if (result.status !== "completed" && result.status !== "waiting") tellHowToResume(session);
  return reply;
}

/** Returns the results of the session's convening if it is a paper debate. */
export function paperOf(session: Session): PaperResult | undefined {
  const { start, facts } = session.record;
  return paperResultOf(start, facts, session);
}

/** Returns the result of the session's convening as JSON, even if the run failed. */
export function endingJson(session: Session): Readonly<Record<string, unknown>> {
  return resultJson(resultOf(session.ending, { dir: session.dir, paper: paperOf(session) }));
}

/** End reasons of limits that count the whole record, which a resume has to raise. */
const WHOLE_RECORD: ReadonlySet<string> = new Set(["max_turns", "max_tokens", "max_cost"]);

/** Prints the command that resumes the session's convening, unless there is none or the convening is completed. */
export function tellHowToResume(session: Session): void {
  const { status, endReason = "" } = session.ending ?? {};
  if (session.dir === undefined || status === "completed") return;
  const raised = WHOLE_RECORD.has(endReason) ? [`--${endReason.replace("_", "-")}`, "N"] : [];
  const word = wordFor(session.dir, session);
  session.tell(`To continue: ${session.commandLine("resume", word, ...raised)}`);
}

/** Prints the command that picks another question, after an error of `--pick`; the generated questions are on record. */
export function tellHowToPick(error: unknown, session: Session): void {
  const isPick = error instanceof ConfigurationError && error.field === "pick";
  if (!isPick || session.dir === undefined) return;
  const word = wordFor(session.dir, session);
  session.tell(`To continue: ${session.commandLine("resume", word, PAPER_PICK.name, "N")}`);
}

/** Update interval of the status line, in milliseconds. */
const EVERY = 200;

export interface LiveView {
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
