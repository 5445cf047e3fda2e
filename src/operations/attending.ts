// People in a convening on disk: speaking, interjecting, pausing.
import { resolve } from "@std/path";
import { ConfigurationError, TurnOrderError } from "../core/error.ts";
import type { WaitedFor } from "../core/event.ts";
import type { Status } from "../core/fact.ts";
import { checkSpeech } from "../core/speech.ts";
import { openConvening, resume, type Resumed, type ResumeOptions } from "./convening.ts";
import { recordFiles } from "../record/disk_files.ts";
import { checkPick, isPickKey } from "./picking.ts";

/** Options of {@linkcode speak}: settings of the resume, over the recorded ones. */
export type SpeakOptions = Omit<ResumeOptions, "say"> & {
  /** The id or the name of the one who speaks. @default the one who is waited for */
  readonly as?: string | undefined;
};

/** The use of a person's words. */
export type Said =
  /** A process runs the convening: it takes them before its next turn. */
  | { readonly left: true; readonly participant: string }
  /** No process does: this one resumes the convening, and says the words when the turn comes. */
  | { readonly left: false; readonly participant: string; readonly convening: Resumed };

/**
 * Says a person's turn in a convening that waits for it. Where a process runs it, the words are left for that process;
 * else the returned convening says them when it is resumed. Fails with a `TurnOrderError` that names whose turn it is, with
 * `not_found`, and with `config_invalid` for a text without a word, or one that chooses no question where one is to be chosen.
 */
export async function speak(dir: string, text: string, options: SpeakOptions = {}): Promise<Said> {
  const { as, ...settings } = options;
  const path = resolve(dir);
  const speech = checkSpeech(text);
  const { participant, turn } = await speakableTurn(path, text, as);
  const list = await import("../record/list.ts");
  if (await list.isHeld(recordFiles(path), path)) {
    const { leaveSubmission } = await import("../record/inbox.ts");
    await leaveSubmission(recordFiles(path), path, {
      type: "say",
      participant,
      turn,
      text: speech,
    });
    return { left: true, participant };
  }
  const convening = await resume(path, {
    ...settings,
    // A process that waits for the next person's turn says so; else the convening waits on disk.
    config: { personTimeout: 0, ...settings.config },
    say: { participant, text: speech },
  });
  return { left: false, participant, convening };
}

/**
 * Leaves a person's words for the turn that is waited for, where a process runs the convening or not: whoever runs it, or
 * next resumes it, says them. Gives whose turn it is, and whether a process runs it. Fails as {@linkcode speak}.
 */
export async function leaveSpeech(
  dir: string,
  text: string,
  { as }: Pick<SpeakOptions, "as"> = {},
): Promise<{ readonly participant: string; readonly held: boolean }> {
  const path = resolve(dir);
  const speech = checkSpeech(text);
  const { participant, turn } = await speakableTurn(path, text, as);
  const list = await import("../record/list.ts");
  const { leaveSubmission } = await import("../record/inbox.ts");
  await leaveSubmission(recordFiles(path), path, { type: "say", participant, turn, text: speech });
  return { participant, held: await list.isHeld(recordFiles(path), path) };
}

/**
 * The turn that is waited for, where the words can be said in it. Fails as {@linkcode speak} does, and with `config_invalid`
 * for words that choose no question where one is to be chosen.
 */
export async function speakableTurn(dir: string, text: string, as?: string): Promise<WaitedFor> {
  checkSpeech(text);
  const waited = await waitedTurn(dir, as);
  if (isPickKey(waited.turn)) {
    checkPick(text, { said: (await openConvening(dir)).messages, field: "text" });
  }
  return waited;
}

/**
 * The turn that is waited for. Fails with a `TurnOrderError` where it is nobody's, or not that of the one whose id or name
 * is given, or was already spoken in, and with `not_found`.
 */
async function waitedTurn(dir: string, as?: string): Promise<WaitedFor> {
  const { status, waitingFor, names, answered } = await whereItStands(dir);
  const [first] = waitingFor;
  if (status !== "waiting" || first === undefined) {
    throw new TurnOrderError(`Cannot speak in ${dir}: it waits for nobody (${status})`, {
      hint: "Interject instead, or resume it.",
    });
  }
  const whose = waitingFor.map(({ participant }) => nameOf(participant, names)).join(", ");
  const mine = as === undefined && waitingFor.length === 1
    ? first
    : waitingFor.find(({ participant }) =>
      [participant, names.get(participant)].some((name) =>
        name !== undefined && name.toLowerCase() === as?.toLowerCase()
      )
    );
  if (mine === undefined) {
    throw new TurnOrderError(
      as === undefined
        ? `Cannot speak in ${dir}: several are waited for`
        : `Cannot let "${as}" speak in ${dir}: it is not their turn`,
      { field: "as", hint: `It is the turn of ${whose}.` },
    );
  }
  if (answered.has(mine.turn)) {
    throw new TurnOrderError(
      `Cannot speak in ${dir}: the turn of ${
        nameOf(mine.participant, names)
      } was already spoken in`,
      { hint: "The process that runs the convening takes it at once." },
    );
  }
  return mine;
}

function nameOf(id: string, names: ReadonlyMap<string, string>): string {
  const name = names.get(id);
  return name === undefined || name === id ? id : `${name} (${id})`;
}

interface Standing {
  readonly status: Status;
  readonly waitingFor: readonly WaitedFor[];
  readonly names: ReadonlyMap<string, string>;
  /** The turns that somebody's words were left for. */
  readonly answered: ReadonlySet<string>;
}

async function whereItStands(dir: string): Promise<Standing> {
  const { readMetadata } = await import("../record/read.ts");
  const { DirectoryInbox } = await import("../record/inbox.ts");
  const { start, progress } = await readMetadata(recordFiles(dir), dir);
  const left = await new DirectoryInbox(recordFiles(dir), dir).read();
  return {
    status: progress.status,
    waitingFor: progress.waitingFor ?? [],
    names: new Map(start.participants.map(({ id, name }) => [id, name])),
    answered: new Set(left.flatMap((each) => each.type === "say" ? each.turn ?? [] : [])),
  };
}

/**
 * Interjects: the words are left for the process that runs the convening, or for whoever resumes it, and are heard before
 * the next turn. Gives whether a process runs it. Fails with `config_invalid` where it has ended.
 */
export async function interject(dir: string, text: string): Promise<{ readonly held: boolean }> {
  const path = resolve(dir);
  const speech = checkSpeech(text);
  const { status } = await whereItStands(path);
  if (status === "completed") {
    throw new ConfigurationError(`Cannot interject in ${path}: it has ended`, {
      field: "dir",
      hint: "Fork it before its end, and interject there: convenings fork DIR --at N.",
    });
  }
  const list = await import("../record/list.ts");
  const { leaveSubmission } = await import("../record/inbox.ts");
  const held = await list.isHeld(recordFiles(path), path);
  await leaveSubmission(recordFiles(path), path, { type: "interjection", text: speech });
  return { held };
}

/**
 * Asks the process that runs a convening to pause it: turns in flight are finished, its status becomes `paused`, its
 * lock is released. Gives whether a process runs it; where none does, nothing is asked. `resume` continues it.
 */
export async function pauseConvening(
  dir: string,
): Promise<{ readonly held: boolean; readonly status: Status }> {
  const path = resolve(dir);
  const { status } = await whereItStands(path);
  const list = await import("../record/list.ts");
  const held = await list.isHeld(recordFiles(path), path);
  if (held) {
    const { leaveSubmission } = await import("../record/inbox.ts");
    await leaveSubmission(recordFiles(path), path, { type: "pause" });
  }
  return { held, status };
}
