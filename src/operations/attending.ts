// Acts of people in a convening on disk: speak, interject, pause.
import { join, resolve } from "@std/path";
import { z } from "zod";
import { checkArguments, checkFields } from "../core/check_fields.ts";
import { ConfigurationError, RecordError, TurnOrderError } from "../core/error.ts";
import { withLock } from "../core/files.ts";
import type { WaitedFor } from "../core/event.ts";
import type { Status } from "../core/fact.ts";
import { checkSpeech } from "../core/topic.ts";
import { recordFiles } from "../record/disk_files.ts";
import { AGAIN, ifReadable, withRecordErrors } from "../record/problems.ts";
import { namesIn } from "../record/words.ts";
import type { Metadata } from "../record/metadata_file.ts";
import type { Resumed } from "./active_run.ts";
import { openConvening, resume, type ResumeOptions, resumeOptions } from "./convening.ts";
import { checkPick, isPickKey } from "./picking.ts";

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
 * Says a person's turn that a convening waits for. The words are left in the convening's inbox; if no process runs the
 * convening, the returned convening says the words when the caller runs it. Throws a `TurnOrderError` that names whose turn
 * it is, `not_found`, and `config_invalid` for a text without words or an invalid choice of the question.
 */
export async function speak(dir: string, text: string, options: SpeakOptions = {}): Promise<Said> {
  checkArguments("speak", { dir, text, options });
  const known = resumeOptions().omit({ say: true }).extend({ as: z.string().optional() });
  checkFields(options, known, "options of speak");
  const { as, ...settings } = options;
  const path = resolve(dir);
  const find = () => speakableTurn(path, text, { as });
  await find();
  const convening = await isHeld(path) ? undefined : await resume(path, {
    ...settings,
    // Without a time limit of the caller, do not wait in this process for the next person: the convening waits on disk.
    config: { personTimeout: 0, ...settings.config },
  });
  const { participant } = await leaveWords(path, text, find);
  return convening === undefined
    ? { left: true, participant }
    : { left: false, participant, convening };
}

/**
 * Leaves words for the turn that `find` returns, and returns the turn. Of several words for one turn, from any processes, only
 * the first are left. Throws as `find` does, and a `TurnOrderError` if words for the turn were already left.
 */
export async function leaveWords(
  dir: string,
  text: string,
  find: () => Promise<WaitedFor>,
): Promise<WaitedFor> {
  const files = recordFiles(dir);
  const { DirectoryInbox, INBOX, leaveSubmission, makeFolderIn } = await import(
    "../record/shelves.ts"
  );
  return await withRecordErrors(async () => {
    await makeFolderIn(files, dir, INBOX);
    return await withLock(files, join(dir, INBOX, ".lock"), async () => {
      // Read before the turn: words are removed after the record shows that the turn waits no longer.
      const left = await new DirectoryInbox(files, dir).read();
      const { participant, turn } = await find();
      if (left.some((each) => each.type === "say" && each.turn === turn)) {
        throw new TurnOrderError(`Cannot speak in ${dir}: words for this turn were already given`, {
          hint: "They are said while the convening runs; resume it if no process runs it.",
        });
      }
      await leaveSubmission(files, dir, {
        type: "say",
        participant,
        turn,
        text: checkSpeech(text),
      });
      return { participant, turn };
    });
  }, AGAIN);
}

export async function isHeld(dir: string): Promise<boolean> {
  const archive = await import("../record/archive.ts");
  return await archive.isHeld(recordFiles(dir), dir);
}

/** Returns undefined for the error of a convening that another process runs by now; throws any other error. */
export function unlessHeld(error: unknown): undefined {
  if (error instanceof RecordError && error.code === "locked") return undefined;
  throw error;
}

/** Counts the words that were left for a convening and that no turn has heard. */
export async function unheardWords(dir: string): Promise<number> {
  const { DirectoryInbox } = await import("../record/shelves.ts");
  const left = await ifReadable(() => new DirectoryInbox(recordFiles(dir), dir).read(), () => []);
  return left.filter(({ type }) => type !== "pause").length;
}

/** Turn that words are meant for. */
export interface Wanted {
  /** Id or name of the speaker. @default the only participant that the convening waits for */
  readonly as?: string | undefined;
  /** Key of the turn. @default the first turn of the speaker */
  readonly turn?: string | undefined;
}

/** Returns the turn that the convening waits for, if the text can be said in it. Throws as {@linkcode speak} does. */
export async function speakableTurn(dir: string, text: string, wanted: Wanted): Promise<WaitedFor> {
  checkSpeech(text);
  const waited = await waitedTurn(dir, wanted);
  if (isPickKey(waited.turn)) {
    checkPick(text, { said: (await openConvening(dir)).messages, field: "text" });
  }
  return waited;
}

/**
 * Returns the turn that the convening waits for. Throws `not_found`, and a `TurnOrderError` if the convening waits for
 * nobody, for several participants and `as` is absent, for others than `as`, or for other turns than `turn`.
 */
async function waitedTurn(dir: string, { as, turn }: Wanted): Promise<WaitedFor> {
  const metadata = await metadataOf(dir);
  const { start, progress: { status, waitingFor: open = [] } } = metadata;
  if (status !== "waiting" || open.length === 0) throw await noTurnWaits(dir, metadata);
  const waitingFor = open.filter((each) => turn === undefined || each.turn === turn);
  const [first] = waitingFor;
  if (first === undefined) {
    throw new TurnOrderError(`Cannot speak in ${dir}: the turn "${turn}" no longer waits`, {
      field: "turn",
      hint: "Another turn waits now: read what is asked before you answer.",
    });
  }
  const names = namesIn(start);
  const nameOf = (id: string) => {
    const name = names.get(id);
    return name === undefined || name === id ? id : `${name} (${id})`;
  };
  const isAs = (name: string | undefined) => name?.toLowerCase() === as?.toLowerCase();
  const waited = [...new Set(waitingFor.map(({ participant }) => participant))];
  // The id of a participant "Judge" is the name of the judge.
  const isId = [...names.keys(), ...waited].some(isAs);
  const isMine = (id: string) => isAs(isId ? id : names.get(id));
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
  return mine;
}

/** Returns the error of words in a convening that waits for nobody; reads the metadata unless given. */
export async function noTurnWaits(dir: string, metadata?: Metadata): Promise<TurnOrderError> {
  const { statusWords } = await import("../record/archive.ts");
  const { start, progress } = metadata ?? await metadataOf(dir);
  const { status } = progress;
  const shown = await statusWords(recordFiles(dir), { dir, start, ...progress });
  return new TurnOrderError(`Cannot speak in ${dir}: no turn waits for a person (${shown})`, {
    hint: status === "completed"
      ? "The convening has ended; fork it to continue from one of its messages."
      : `Interject instead, or ${shown === "running" ? "wait for a person's turn" : "resume it"}.`,
  });
}

export async function metadataOf(dir: string): Promise<Metadata> {
  const { readMetadata } = await import("../record/read.ts");
  return await readMetadata(recordFiles(dir), dir);
}

/**
 * Leaves an interjection for the process that runs or next resumes the convening; it is heard before the next turn, or after
 * the last. `held` is true if a process runs the convening. Throws `config_invalid` if the convening has ended.
 */
export async function interject(dir: string, text: string): Promise<{ readonly held: boolean }> {
  checkArguments("interject", { dir, text });
  const path = resolve(dir);
  const speech = checkSpeech(text);
  const hasEnded = async () => (await metadataOf(path)).progress.status === "completed";
  const ended = () =>
    new ConfigurationError(`Cannot interject in ${path}: it has ended`, {
      field: "dir",
      hint: "Fork it before its end, and interject there.",
    });
  if (await hasEnded()) throw ended();
  const held = await isHeld(path);
  const files = recordFiles(path);
  const { DirectoryInbox, leaveSubmission } = await import("../record/shelves.ts");
  const left = await leaveSubmission(files, path, { type: "interjection", text: speech });
  // The run may have ended since, before it read the words.
  if (await hasEnded()) {
    const inbox = new DirectoryInbox(files, path);
    const isUnheard = (await inbox.read()).some(({ id }) => id === left);
    await inbox.done(left);
    if (isUnheard) throw ended();
  }
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
  const { leaveSubmission } = await import("../record/shelves.ts");
  if (held) await leaveSubmission(recordFiles(path), path, { type: "pause" });
  return { held, status };
}
