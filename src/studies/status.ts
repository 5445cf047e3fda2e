// The status of a study and its index page, computed from the records of its convenings.
import { join, resolve } from "@std/path";
import { checkArguments } from "../core/check_fields.ts";
import { systemClock } from "../core/clock.ts";
import { inParallel, writeDurably } from "../core/files.ts";
import { money } from "../core/message.ts";
import { defined, jsonIn, tally } from "../core/values.ts";
import { counted, CUT, thousands } from "../core/text.ts";
import { loadTokenCounter } from "../core/tokens.ts";
import { common, markdownText, writeFrontMatter } from "../record/frontmatter.ts";
import { heldStatus } from "../record/archive.ts";
import { holderName } from "../record/claim.ts";
import { errorCode } from "../record/log.ts";
import { boundedList } from "../record/page_tree.ts";
import { ifReadable } from "../record/problems.ts";
import { readMetadata, readRecord } from "../record/read.ts";
import { settledStamp } from "../record/fact_cache.ts";
import {
  cellDir,
  checkCell,
  DEBATES,
  openStudy,
  QUEUED,
  type StudyFolder,
  type StudyOnDisk,
} from "./folder.ts";
import type { Cell, CellStatus, StudyStatus } from "./study.ts";

export interface CellState {
  readonly status: CellStatus;
  /** True if the convening will not be resumed: completed, failed, or stopped by a limit of its own. */
  readonly isOver: boolean;
  /** True if the study's budget stopped the convening. */
  readonly isSpent?: boolean | undefined;
  /** Error code of a failed convening. */
  readonly code?: string | undefined;
  /** Cost in US dollars; unknown costs count 0. */
  readonly costUsd: number;
  /** ISO 8601, UTC. */
  readonly endedAt?: string | undefined;
}

const NEW: CellState = { status: "planned", isOver: false, costUsd: 0 };
const DAMAGED: CellState = { ...NEW, status: "failed", isOver: true, code: "record_corrupt" };

type Kept = readonly [stamp: string, state: CellState];

/** Reads the states of a study's cells; final states are cached until `metadata.md` changes. */
export class CellStates {
  readonly #folder: StudyFolder;
  readonly #kept = new Map<string, Kept>();

  constructor(folder: StudyFolder) {
    this.#folder = folder;
  }

  /** Creates a cache with the final states in `status.json`. */
  static async of(folder: StudyFolder): Promise<CellStates> {
    const states = new CellStates(folder);
    const path = join(folder.dir, "status.json");
    const text = await ifReadable(() => folder.files.read(path), () => "");
    const { ended } = (jsonIn(text) ?? {}) as { ended?: unknown };
    for (const [key, kept] of Object.entries(ended ?? {})) {
      if (isKept(kept)) states.#kept.set(key, kept);
    }
    return states;
  }

  /** Returns the state of each cell, in the given order; `isExact` counts all costs of running convenings. */
  async read(cells: readonly Cell[], isExact?: boolean): Promise<CellState[]> {
    const { files, dir } = this.#folder;
    const begun = new Set((await files.list(join(dir, DEBATES))).map(({ name }) => name));
    const stateOf = async (cell: Cell) => begun.has(cell.key) ? await this.one(cell, isExact) : NEW;
    return await inParallel(cells, stateOf);
  }

  async one(cell: Cell, isExact?: boolean): Promise<CellState> {
    const { files } = this.#folder;
    const dir = cellDir(this.#folder, cell);
    return await ifReadable(async () => {
      const info = await files.stat(join(dir, "metadata.md"));
      if (info === undefined) return NEW;
      const stamp = settledStamp(info);
      const [known, state] = this.#kept.get(cell.key) ?? [];
      if (stamp !== undefined && known === stamp) return state!;
      const read = await this.#read(dir, cell, isExact);
      if (stamp !== undefined && read.isOver) this.#kept.set(cell.key, [stamp, read]);
      return read;
    }, () => DAMAGED);
  }

  async #read(dir: string, cell: Cell, isExact?: boolean): Promise<CellState> {
    const { files } = this.#folder;
    const { start, progress, usage } = await readMetadata(files, dir);
    checkCell(start, cell);
    const { endReason, endedAt } = progress;
    const status = await heldStatus(files, dir, progress.status);
    const isSpent = endReason === "study_budget";
    const isOver = status === "completed" || status === "failed" ||
      (status === "stopped" && !isSpent && endReason !== "cancelled");
    const code = status === "failed" ? await errorCode(files, dir) : undefined;
    const isBehind = status === "interrupted" || (isExact && status === "running");
    const costUsd = isBehind ? await this.#costOf(dir) : Number(usage.costUsd) || 0;
    return { status, isOver, isSpent, code, costUsd, endedAt };
  }

  /** Sums the costs of a record's facts: `metadata.md` may lack those of a killed process, or of the last minute of a run. */
  async #costOf(dir: string): Promise<number> {
    const { facts } = await readRecord(this.#folder.files, dir);
    const costs = facts.flatMap((fact) => "usage" in fact ? fact.usage?.costUsd ?? [] : []);
    return costs.reduce<number>((sum, cost) => cost === "unknown" ? sum : sum + cost, 0);
  }

  /** Writes `status.json`: the status, and the cached final states. */
  async write(status: StudyStatus): Promise<void> {
    const { dir: _dir, perMinute: _rate, minutesLeft: _left, isRunning: _runs, ...kept } = status;
    const text = JSON.stringify({ ...kept, ended: Object.fromEntries(this.#kept) });
    await writeDurably(this.#folder.files, join(this.#folder.dir, "status.json"), `${text}\n`);
  }
}

function isKept(value: unknown): value is Kept {
  if (!Array.isArray(value) || typeof value[0] !== "string") return false;
  const { status, isOver, costUsd } = Object(value[1]);
  return typeof status === "string" && typeof isOver === "boolean" && typeof costUsd === "number";
}

/** Returns the total cost in US dollars. */
export function costOf(states: readonly CellState[]): number {
  return states.reduce((sum, { costUsd }) => sum + costUsd, 0);
}

/** Share of failures at which a study stops without a setting. */
const MAX_FAILED_SHARE = 0.1;
/** Minimum denominator of the share of failures while the study runs. */
const MIN_ENDED = 10;

/** Returns true if more than the allowed share of the ended convenings failed; the share is taken of `least` or more. */
export function isOverFailed(
  { limits: { maxFailures = MAX_FAILED_SHARE } = {} }: StudyOnDisk["study"],
  { failed, ended, least = MIN_ENDED }: {
    readonly failed: number;
    readonly ended: number;
    readonly least?: number | undefined;
  },
): boolean {
  return failed > maxFailures * Math.max(least, ended);
}

/** Number of latest endings used for the rate. */
const ENDINGS = 50;

export function statusOf(
  { study, dir }: Pick<StudyOnDisk, "study" | "dir">,
  states: readonly CellState[],
  { isRunning, since = 0, ...more }:
    & Pick<StudyStatus, "isQueued" | "processes">
    & {
      readonly isRunning: boolean;
      /** Time in milliseconds; earlier endings do not count for the rate. @default 0 */
      readonly since?: number | undefined;
    },
): StudyStatus {
  const failed = states.filter(({ status }) => status === "failed");
  const codes = Object.fromEntries(tally(failed.map(({ code = "failed" }) => code)));
  const over = states.filter(({ isOver }) => isOver);
  const rate = isRunning ? rateOf(over, since) : undefined;
  const { maxCost } = study.limits ?? {};
  return {
    study: study.study,
    dir,
    planned: states.length,
    done: over.length - failed.length,
    failed: failed.length,
    running: states.filter(({ status }) => status === "running").length,
    codes,
    isRunning,
    ...defined(more),
    isSpent: states.some(({ isSpent = false }) => isSpent),
    ...isOverFailed(study, { failed: failed.length, ended: over.length })
      ? { hasFailed: true }
      : {},
    costUsd: Math.round(costOf(states) * 1e8) / 1e8,
    ...maxCost === undefined ? {} : { maxCost },
    ...rate === undefined ? {} : {
      perMinute: Math.round(rate * 100) / 100,
      minutesLeft: Math.round((states.length - over.length) / rate * 10) / 10,
    },
  };
}

/** Returns convenings per minute over the latest endings; undefined with fewer than two. */
function rateOf(
  over: readonly CellState[],
  since: number,
): number | undefined {
  const ended = over.map(({ endedAt = "" }) => Date.parse(endedAt)).filter((at) => at >= since)
    .sort((a, b) => a - b).slice(-ENDINGS);
  const now = systemClock.now();
  const minutes = (now - (ended[0] ?? now)) / 60_000;
  return ended.length < 2 || minutes <= 0 ? undefined : (ended.length - 1) / minutes;
}

/** Writes the study's `index.md` (for a long plan, also files in `pages/`) and `debates/index.md`. */
export async function writeIndex(
  { dir, files, study, cells }: StudyOnDisk,
  states: readonly CellState[],
  { done, failed, planned, costUsd }: StudyStatus,
): Promise<void> {
  const cell = (text: string | undefined) => markdownText(text ?? "", CUT.name);
  const rows = cells.map(({ key, topic, first, second, format, repeat, question }, index) => {
    const { status, code } = states[index]!;
    const sides = [cell(first), cell(second), cell(format), repeat].join(" | ");
    const subject = cell(question === undefined ? topic : `${topic}, question ${question}`);
    const state = code === undefined ? status : `${status}: ${code}`;
    return {
      label: `${subject}, repeat ${repeat}`,
      line: (up: string) => {
        const name = status === "planned" ? key : `[${key}](${up}${DEBATES}/${key}/index.md)`;
        return `| ${name} | ${subject} | ${sides} | ${state} |\n`;
      },
    };
  });
  const counts = `${counted(planned, "convening")} planned, ${thousands(done)} done, ${
    thousands(failed)
  } failed`;
  const intro =
    `${counts}; ${money({ costUsd })} as far as prices are known. The configuration is in ` +
    "[study.yaml](study.yaml), the plan in [plan.jsonl](plan.jsonl), the counts in [status.json](status.json); " +
    "`study report` writes the result to `report/leaderboard.md`.";
  const title = `Study ${study.study}`;
  const pages = boundedList({
    title,
    intro,
    columns: ["convening", "topic", "first", "second", "format", "repeat", "state"],
    rows: rows.toReversed(),
  }, await loadTokenCounter());
  if (pages.length > 1) await files.makeFolder(join(dir, "pages"));
  for (const { path, text } of pages) await writeDurably(files, join(dir, path), text);
  // Records link to an index page in their parent folder.
  const above = writeFrontMatter(common("index"), `# ${title}\n\nUp: [index.md](../index.md)\n`);
  await writeDurably(files, join(dir, DEBATES, "index.md"), above);
}

/** Reads the status of a study from the directories of its convenings. Takes no lock and writes nothing. */
export async function studyStatus(dir: string): Promise<StudyStatus> {
  checkArguments("studyStatus", { dir });
  const on = await openStudy(resolve(dir));
  const { files } = on;
  const lock = join(on.dir, ".lock");
  // Read before the convenings, which a process finishes before it removes these files.
  const hasQueue = await files.stat(join(on.dir, QUEUED)) !== undefined;
  const isLocked = await files.isLocked(lock);
  const states = await (await CellStates.of(on)).read(on.cells);
  const processes: Record<string, number> = {};
  // Workers hold the locks of convenings, not that of the study.
  for (const [index, { status }] of states.entries()) {
    if (status !== "running") continue;
    const path = join(cellDir(on, on.cells[index]!), ".lock");
    const name = holderName(await ifReadable(() => files.read(path), () => ""));
    processes[name] = (processes[name] ?? 0) + 1;
  }
  const isHeld = Object.keys(processes).length > 0;
  // A worker may have ended after its last convening, before it removed the file.
  const isQueued = hasQueue && states.some(({ status }) => status !== "completed");
  const since = (await files.stat(lock))?.modified;
  return statusOf(on, states, {
    isRunning: isHeld || isQueued || isLocked,
    since,
    isQueued: isQueued || undefined,
    processes: isHeld ? processes : undefined,
  });
}
