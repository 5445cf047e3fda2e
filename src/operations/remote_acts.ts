import { basename } from "@std/path";
import { defined } from "../core/defined.ts";
import { CancelledError, ConfigurationError, RecordError, TurnOrderError } from "../core/error.ts";
import type { PooledRun, RunState } from "./active_run.ts";
import { interject, leaveSpeech, pauseConvening, speakableTurn } from "./attending.ts";
import { judge, type Judged } from "./judging.ts";
import { refusePlaces, remoteConfiguration } from "./remote_configuration.ts";
import type { JudgeRequest, sayRequest } from "./remote_requests.ts";
import { addressesOf, goOnRemote, type RemoteRuns } from "./remote_runs.ts";
import { untilReleased } from "./watching.ts";
import type { z } from "zod";

/** What became of words that a client sent. */
export type SaidRemotely =
  /** `left`: for another process that runs the convening. */
  | { readonly participant: string; readonly left: boolean }
  /** `held`: a process runs it, and hears them before the next turn. */
  | { readonly interjected: true; readonly held: boolean };

/**
 * Says a person's turn, and goes on with the convening where no process runs it; or interjects. Fails as `speak` and
 * `interject` do.
 */
export async function sayRemote(
  runs: Pick<RemoteRuns, "pool" | "models">,
  dir: string,
  { text, participant: as, interject: isAside = false }: z.infer<typeof sayRequest>,
): Promise<SaidRemotely> {
  if (isAside) {
    if (as === undefined) return { interjected: true, ...await interject(dir, text) };
    throw new ConfigurationError("Cannot use participant: an interjection is nobody's turn", {
      field: "participant",
      hint: "Leave participant out, or interject.",
    });
  }
  const run = liveRun(runs, dir);
  const { participant } = await speakableTurn(dir, text, as).catch(asParticipant);
  if (run?.state.state === "running") {
    run.say(participant, text);
    return { participant, left: false };
  }
  const { held } = await leaveSpeech(dir, text, { as });
  if (!held) await goOnRemote(runs, dir);
  return { participant, left: held };
}

/** Clients name who speaks with another key than the library. */
function asParticipant(error: unknown): never {
  if (!(error instanceof TurnOrderError) || error.field !== "as") throw error;
  const { message, hint } = error;
  throw new TurnOrderError(message, { field: "participant", hint, cause: error });
}

/** Has whoever runs a convening finish the turns in flight, then rest; gives whether a process runs it. */
export async function pauseRemote(
  runs: Pick<RemoteRuns, "pool">,
  dir: string,
): Promise<{ readonly held: boolean }> {
  const run = liveRun(runs, dir);
  run?.pause();
  return { held: run !== undefined || (await pauseConvening(dir)).held };
}

/**
 * Ends a run of this process early, or takes it out of the line; gives whether there was one, and when it has let go of its
 * record. Fails with `locked` where another process runs it.
 */
export async function stopRemote(
  runs: Pick<RemoteRuns, "pool">,
  dir: string,
): Promise<{ readonly held: boolean; readonly ended?: Promise<RunState> }> {
  const run = liveRun(runs, dir);
  run?.stop();
  if (run !== undefined) return { held: true, ended: run.ended };
  if (!await untilReleased(dir, { within: 0 })) return { held: false };
  throw new RecordError("locked", `Cannot stop ${dir}: another process runs it`, {
    field: "id",
    hint: "Pause it, or stop it where it runs.",
  });
}

/** Has a convening judged once more; see `judge`. Fails with `config_invalid` and `cancelled` too. */
export async function judgeRemote(
  { models: { env, ...addressed }, signal, catalogue }: Pick<
    RemoteRuns,
    "models" | "signal" | "catalogue"
  >,
  dir: string,
  request: JudgeRequest & { readonly signal?: AbortSignal | undefined },
): Promise<Judged> {
  const { rubric, models = [undefined], temperature, limits, retry, signal: asked } = request;
  refusePlaces({ rubric, models });
  // A rubric is what it is in a debate's configuration.
  const { config } = remoteConfiguration(
    defined({ kind: "debate", topic: basename(dir), rubric }),
  );
  const given = config.kind === "debate" ? config.rubric : undefined;
  const ends = asked === undefined ? signal : AbortSignal.any([signal, asked]);
  const judged = await judge(dir, {
    // The addresses stand over the record's also where the process has none.
    ...addressesOf(addressed),
    env,
    catalogue,
    limits,
    retry,
    signal: ends,
    judges: models.map((model) => ({ model, rubric: given, temperature })),
  });
  if (ends.aborted) throw new CancelledError(ends.reason);
  return judged;
}

/** The run of a directory, as long as this process has it. */
function liveRun({ pool }: Pick<RemoteRuns, "pool">, dir: string): PooledRun | undefined {
  const run = pool.run(basename(dir));
  return run === undefined || run.feed.ended ? undefined : run;
}
