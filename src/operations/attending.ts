// Acts of people and clients in a convening: speak, interject, answer a request, pause and stop.
import { resolve } from "@std/path";
import { z } from "zod";
import { checkArguments } from "../core/check_fields.ts";
import { ConfigurationError, RecordError, TurnOrderError } from "../core/error.ts";
import type { WaitedFor } from "../core/event.ts";
import type { Status } from "../core/fact.ts";
import { checkSpeech } from "../core/topic.ts";
import { recordFiles } from "../record/disk_files.ts";
import type { NewSubmission } from "../record/shelves.ts";
import { namesIn } from "../record/words.ts";
import type { PooledRun } from "./active_run.ts";
import { openConvening, resume, type Resumed, type ResumeOptions } from "./convening.ts";
import { dirOf, idOf } from "./convening_dir.ts";
import {
  ACTING,
  ID,
  OF_CONVENING,
  type Operation,
  operation,
  type OperationContext,
  type Runs,
} from "./operation.ts";
import { NAME, named } from "./outputs.ts";
import { heldOutput, standingOutput } from "./outputs.ts";
import { checkPick, isPickKey } from "./picking.ts";
import { liveRun, resumeForClient } from "./start.ts";
import { standingOf } from "./show.ts";
import { untilReleased } from "./watching.ts";

/** Options of {@linkcode speak}; settings of a resume override the recorded ones. */
export type SpeakOptions = Omit<ResumeOptions, "say"> & {
  /** Id or name of the speaker. @default the only participant that the convening waits for */
  readonly as?: string | undefined;
};

/** The result of {@linkcode speak}. */
export type Said =
  /** Another process runs the convening and says the words before its next turn. */
  | { readonly left: true; readonly participant: string }
  /** No process runs the convening; `convening` says the words when it is run. */
  | { readonly left: false; readonly participant: string; readonly convening: Resumed };

/**
 * Says a person's turn that a convening waits for. If a process runs the convening, the words are left in its inbox; else
 * the returned convening says the words when the caller runs it. Throws a `TurnOrderError` that names whose turn it is,
 * `not_found`, and `config_invalid` for a text without words or an invalid choice of the question.
 */
export async function speak(dir: string, text: string, options: SpeakOptions = {}): Promise<Said> {
  checkArguments("speak", { dir, text, options });
  const { as, ...settings } = options;
  const path = resolve(dir);
  const speech = checkSpeech(text);
  const { participant, turn } = await speakableTurn(path, text, as);
  if (await isHeld(path)) {
    await leave(path, { type: "say", participant, turn, text: speech });
    return { left: true, participant };
  }
  const convening = await resume(path, {
    ...settings,
    // Without a time limit of the caller, do not wait in this process for the next person: the convening waits on disk.
    config: { personTimeout: 0, ...settings.config },
    say: { participant, turn, text: speech },
  });
  return { left: false, participant, convening };
}

async function isHeld(dir: string): Promise<boolean> {
  const archive = await import("../record/archive.ts");
  return await archive.isHeld(recordFiles(dir), dir);
}

/** Leaves a submission in the convening's inbox, for the process that runs or next resumes the convening. */
async function leave(dir: string, submission: NewSubmission): Promise<void> {
  const { leaveSubmission } = await import("../record/shelves.ts");
  await leaveSubmission(recordFiles(dir), dir, submission);
}

/** Returns the turn that the convening waits for, if the text can be said in it. Throws as {@linkcode speak} does. */
async function speakableTurn(dir: string, text: string, as?: string): Promise<WaitedFor> {
  checkSpeech(text);
  const waited = await waitedTurn(dir, as);
  if (isPickKey(waited.turn)) {
    checkPick(text, { said: (await openConvening(dir)).messages, field: "text" });
  }
  return waited;
}

/**
 * Returns the turn that the convening waits for. Throws `not_found`, and a `TurnOrderError` if the convening waits for
 * nobody, for several participants and `as` is absent, for others than `as`, or if words for the turn were already left.
 */
async function waitedTurn(dir: string, as?: string): Promise<WaitedFor> {
  const { start, progress: { status, waitingFor = [] } } = await metadataOf(dir);
  const [first] = waitingFor;
  if (status !== "waiting" || first === undefined) {
    throw await noTurnWaits(dir, status);
  }
  const names = namesIn(start);
  const nameOf = (id: string) => {
    const name = names.get(id);
    return name === undefined || name === id ? id : `${name} (${id})`;
  };
  const isAs = (name: string | undefined) => name?.toLowerCase() === as?.toLowerCase();
  const isMine = (id: string) => isAs(id) || isAs(names.get(id));
  const waited = [...new Set(waitingFor.map(({ participant }) => participant))];
  const mine = as === undefined
    ? waited.length === 1 ? first : undefined
    : waitingFor.find(({ participant }) => isMine(participant));
  if (mine === undefined) {
    const isKnown = [...names.keys()].some(isMine);
    throw new TurnOrderError(
      as === undefined
        ? `Cannot speak in ${dir}: it waits for several participants`
        : `Cannot let "${as}" speak in ${dir}: ${
          isKnown ? "it is not their turn" : "no participant has this name"
        }`,
      {
        field: "as",
        hint: `It is the turn of ${waited.map(nameOf).join(", ")}.`,
      },
    );
  }
  const { DirectoryInbox } = await import("../record/shelves.ts");
  const left = await new DirectoryInbox(recordFiles(dir), dir).read();
  if (left.some((each) => each.type === "say" && each.turn === mine.turn)) {
    throw new TurnOrderError(`Cannot speak in ${dir}: words for this turn were already given`, {
      hint: "The process that runs the convening reads them at once.",
    });
  }
  return mine;
}

/** Returns the error of words in a convening that waits for nobody; `status` is the recorded one. */
export async function noTurnWaits(dir: string, status: Status): Promise<TurnOrderError> {
  const { heldStatus } = await import("../record/list.ts");
  const shown = await heldStatus(recordFiles(dir), dir, status);
  return new TurnOrderError(`Cannot speak in ${dir}: no turn waits for a person (${shown})`, {
    hint: status === "completed"
      ? "It has ended; fork it to continue from one of its messages."
      : "Interject instead, or resume it.",
  });
}

async function metadataOf(dir: string) {
  const { readMetadata } = await import("../record/read.ts");
  return await readMetadata(recordFiles(dir), dir);
}

/**
 * Leaves an interjection for the process that runs or next resumes the convening; it is heard before the next turn. `held`
 * is true if a process runs the convening. Throws `config_invalid` if the convening has ended.
 */
export async function interject(dir: string, text: string): Promise<{ readonly held: boolean }> {
  checkArguments("interject", { dir, text });
  const path = resolve(dir);
  const speech = checkSpeech(text);
  const { progress: { status } } = await metadataOf(path);
  if (status === "completed") {
    throw new ConfigurationError(`Cannot interject in ${path}: it has ended`, {
      field: "dir",
      hint: "Fork it before its end, and interject there: convenings fork DIR --at N.",
    });
  }
  const held = await isHeld(path);
  await leave(path, { type: "interjection", text: speech });
  return { held };
}

/**
 * Asks the process that runs a convening to pause it: the process finishes the turns in flight, records the status `paused`
 * and releases the lock. `held` is false, and no request is left, if no process runs the convening. `resume` continues it.
 */
export async function pauseConvening(
  dir: string,
): Promise<{ readonly held: boolean; readonly status: Status }> {
  checkArguments("pauseConvening", { dir });
  const path = resolve(dir);
  const { progress: { status } } = await metadataOf(path);
  const held = await isHeld(path);
  if (held) await leave(path, { type: "pause" });
  return { held, status };
}

/** Schema of a person's words: a turn, an answer to a request, or an interjection. */
export const sayRequest = z.strictObject({
  text: z.string().max(50_000).describe("What is said, in markdown."),
  participant: NAME.optional().describe(
    "The id or name of the participant who speaks; needed if the convening waits for several.",
  ),
  request: z.string().min(1).max(40).optional().describe(
    "The id of the answered request, as next_turn gives it.",
  ),
  interject: z.boolean().optional().describe(
    "Whether the words come from the audience, before the next turn and outside of the turns.",
  ),
});

export const SAY: Operation = operation({
  ...ACTING,
  name: "say",
  summary:
    "Says a person's turn that the convening waits for, answers a request of next_turn, or interjects.",
  path: "/api/convenings/{id}/say",
  errors: [...OF_CONVENING, "turn_order", "busy"],
  tool: {
    title: "Say a turn, or interject",
    about:
      "Says the turn that a convening waits for (a participant whose model is human), and resumes it if no process runs it. With `request`, the id of one of next_turn's requests, the text answers that request, in JSON where it has a schema. With `interject` the words are heard before the next turn, as the audience's. `participant` is one of `waitingFor`, or a name. Say only what the person you speak for wants said.",
  },
  input: sayRequest.extend({ id: ID }),
  output: named(
    "Said",
    standingOutput.extend({
      participant: z.string().optional().describe("The participant who speaks."),
      left: z.boolean().optional().describe("Whether another process says the turn."),
      interjected: z.literal(true).optional().describe("Present for an interjection."),
      held: z.boolean().optional().describe("Whether a process hears the interjection next."),
    }),
  ),
  answers: { 202: "The words are accepted." },
  async run(context: OperationContext, { id, ...request }) {
    const dir = await dirOf(context, id);
    const said = await sayForClient(context, dir, request);
    return { ...await standingOf(context, dir), ...said };
  },
});

type SaidForClient =
  /** `left`: another process runs the convening and says the turn. */
  | { readonly participant: string; readonly left: boolean }
  /** `held`: a process runs the convening, and hears the words before the next turn. */
  | { readonly interjected: true; readonly held: boolean };

/**
 * Says a person's turn or answers a request, and resumes the convening if no process runs it; or interjects. Throws as
 * {@linkcode speak} and {@linkcode interject} do.
 */
export async function sayForClient(
  runs: Runs,
  dir: string,
  { text, participant: as, request, interject: isInterjection = false }: z.infer<typeof sayRequest>,
): Promise<SaidForClient> {
  if (request !== undefined) return await answerRequest(runs, dir, { text, request });
  if (isInterjection) {
    if (as === undefined) return { interjected: true, ...await interject(dir, text) };
    throw new ConfigurationError(
      "Cannot use participant: an interjection comes from the audience",
      {
        field: "participant",
        hint: "Leave participant out, or interject.",
      },
    );
  }
  const waiting = await waitingRun(runs, dir, { text, as });
  if (waiting.run !== undefined) {
    waiting.run.say(waiting.participant, text);
    return { participant: waiting.participant, left: false };
  }
  // Check again: a run may have ended meanwhile, and with it the turn.
  const { participant, turn } = await speakableTurn(dir, text, as).catch(asParticipant);
  await leave(dir, { type: "say", participant, turn, text: checkSpeech(text) });
  const left = await isHeld(dir);
  if (!left) await resumeForClient(runs, dir);
  return { participant, left };
}

/** Answers a request; resumes the convening if this process does not run it. Throws `turn_order` for an unknown request. */
async function answerRequest(
  runs: Runs,
  dir: string,
  { text, request }: { readonly text: string; readonly request: string },
): Promise<SaidForClient> {
  const run = await liveRun(runs, dir);
  for (;;) {
    const last = run.feed.last;
    const open = run.requests.find(({ id }) => id === request);
    if (open !== undefined) {
      run.say(open.participant, text, request);
      return { participant: open.participant, left: false };
    }
    if (run.requests.length > 0 || run.feed.ended) {
      throw new TurnOrderError(`Cannot answer the request ${request}: it is not open`, {
        field: "request",
        hint: "next_turn gives the open requests.",
      });
    }
    await run.feed.passed(last);
  }
}

/**
 * Returns the turn that the convening waits for, with the run of this process that waits; `run` is undefined if none does.
 * If the person's time is over, the run stops waiting before its end is on record: then waits for the run's next event.
 */
async function waitingRun(
  { pool }: Pick<Runs, "pool">,
  dir: string,
  { text, as }: { readonly text: string; readonly as: string | undefined },
): Promise<WaitedFor & { readonly run: PooledRun | undefined }> {
  for (;;) {
    const last = pool.liveRun(idOf(dir))?.feed.last ?? 0;
    const waited = await speakableTurn(dir, text, as).catch(asParticipant);
    const run = pool.liveRun(idOf(dir));
    if (run?.state.state !== "running") return { ...waited, run: undefined };
    if (run.waitingFor.some(({ participant }) => participant === waited.participant)) {
      return { ...waited, run };
    }
    await run.feed.passed(last);
  }
}

/** Renames the field `as` of an error to `participant`, the key that clients use, and throws it. */
function asParticipant(error: unknown): never {
  if (!(error instanceof TurnOrderError) || error.field !== "as") throw error;
  const { message, hint } = error;
  throw new TurnOrderError(message, { field: "participant", hint, cause: error });
}

const shared = {
  tags: ["convenings"],
  method: "post",
  writes: true,
  input: z.strictObject({ id: ID }),
  output: heldOutput,
  status: ({ held }: { readonly held: boolean }) => held ? 202 : 200,
} as const;

export const PAUSE: Operation = operation({
  ...shared,
  name: "pause",
  summary: "Pauses a running convening after the current turns; resume continues it.",
  path: "/api/convenings/{id}/pause",
  tool: {
    title: "Pause a convening",
    about:
      "Pauses a running convening: turns in flight finish, then the process releases the convening; resume continues it. If no process runs it, `held` is false and nothing changes.",
  },
  errors: OF_CONVENING,
  answers: { 200: "No process runs the convening.", 202: "The current turns end first." },
  async run(context: OperationContext, { id }) {
    const dir = await dirOf(context, id);
    const { held } = await pauseForClient(context, dir);
    return { ...await standingOf(context, dir), held };
  },
});

export const STOP: Operation = operation({
  ...shared,
  name: "stop",
  summary:
    "Stops a convening of this server early, or takes it out of the queue; resume continues it.",
  path: "/api/convenings/{id}/stop",
  tool: {
    title: "Stop a convening",
    about:
      "Stops a convening that this server runs, or removes it from the queue, and waits until its record is released; turns in flight are lost, and resume continues it. If no process runs it, `held` is false and nothing changes; a convening that another process runs can only be paused.",
    waits: "always",
  },
  errors: [...OF_CONVENING, "locked"],
  answers: { 200: "No process runs the convening.", 202: "The convening stops." },
  async run(context: OperationContext, { id }) {
    const dir = await dirOf(context, id);
    const run = context.pool.liveRun(idOf(dir));
    run?.stop();
    if (run === undefined && await untilReleased(dir, { within: 0 })) {
      throw new RecordError("locked", `Cannot stop ${dir}: another process runs it`, {
        field: "id",
        hint: "Pause it, or stop it where it runs.",
      });
    }
    return { ...await standingOf(context, dir), held: run !== undefined };
  },
});

/** Pauses a convening after the current turns, in this process or another; `held` is true if a process runs it. */
export async function pauseForClient(
  { pool }: Pick<Runs, "pool">,
  dir: string,
): Promise<{ readonly held: boolean }> {
  const run = pool.liveRun(idOf(dir));
  run?.pause();
  return { held: run !== undefined || (await pauseConvening(dir)).held };
}
