// Runs a convening of a study's plan, within the rates and the budget of the study.
import { composeConvening } from "../compose.ts";
import type { ConveningConfig } from "../config/convening_config.ts";
import { ConveningError } from "../core/error.ts";
import { checkFilesOf, personTime } from "../inputs/servers.ts";
import { folderRecord } from "../record/directory_record.ts";
import { readMetadata } from "../record/read.ts";
import { cellDir, checkCell, DEBATES, STUDIES, type StudyOnDisk } from "../studies/folder.ts";
import {
  Budget,
  gateOf,
  MICROS,
  RateLimits,
  type SharedValues,
  type StudyLimits,
} from "../studies/limits.ts";
import { configurations } from "../studies/plan.ts";
import type { HoldCell } from "../studies/queue.ts";
import { CellStates, costOf } from "../studies/status.ts";
import type { Cell } from "../studies/study.ts";
import { resume } from "./convening.ts";
import type { StudyPlanOptions } from "./study_plan.ts";

/** A failed convening of a study. */
export interface CellFailure {
  /** Key of the cell. */
  readonly key: string;
  /** Code of the error. */
  readonly code: string;
  /** Message of the error. */
  readonly message: string;
}

interface HoldOptions extends Omit<StudyPlanOptions, "out"> {
  readonly limits: StudyLimits;
  /** Called for each failed convening. */
  readonly onFailure: (failure: CellFailure) => void;
  /** Called when the study's budget ends a convening. */
  readonly onBudget: () => void;
  /** True if other machines may write to the archive: no file of a record is ever replaced. */
  readonly exclusive: boolean;
}

/** Settings of a study that override the recorded ones when a convening is resumed. */
const OVERRIDES = ["factCheck", "limits", "retry"] as const;

/** Returns the function that runs a cell of a study: it starts a missing convening, and resumes an existing one. */
export function cellHolder(
  on: StudyOnDisk,
  { limits, exclusive, onFailure, onBudget, ...composed }: HoldOptions,
): HoldCell {
  const { study, files, archive } = on;
  const configs = configurations(study);
  const open = async (cell: Cell, ending: AbortSignal) => {
    const config = configs.of(cell) as unknown as ConveningConfig;
    const options = { ...composed, gate: gateOf(study, cell.key, { ...limits, ending }) };
    // No process waits for a person's turn unless the study says so: the convening waits on disk.
    const people = personTime(config, config.personTimeout ?? 0);
    const dir = cellDir(on, cell);
    if (await files.stat(dir) === undefined) {
      checkFilesOf(config, composed);
      const as = [STUDIES, study.study, DEBATES, cell.key].join("/");
      const record = folderRecord({ out: archive, as }, { exclusive });
      return await composeConvening({ ...config, ...people, out: archive }, { ...options, record });
    }
    const overrides = Object.fromEntries(
      OVERRIDES.flatMap((key) => key in config ? [[key, config[key]]] : []),
    );
    // Even where the study has none: a stranger may have written the record.
    const { baseUrl, providers } = config;
    const given = { ...people, ...overrides, baseUrl, providers };
    const workflow = await resume(dir, { ...options, exclusive, config: given });
    checkCell((await readMetadata(files, dir)).start, cell);
    return workflow;
  };
  return async (cell, signal) => {
    if (signal.aborted) return "later";
    try {
      const workflow = await open(cell, signal);
      const pauseWorkflow = () => workflow.pause?.();
      signal.addEventListener("abort", pauseWorkflow, { once: true });
      if (signal.aborted) pauseWorkflow();
      try {
        const { status, endReason } = await workflow.run();
        if (endReason === "study_budget") {
          onBudget();
          // A run with a higher budget resumes the convening; that run may have begun already.
          return "later";
        }
        return status === "paused" || endReason === "cancelled" ? "later" : "done";
      } finally {
        signal.removeEventListener("abort", pauseWorkflow);
      }
    } catch (error) {
      const { code, message, hint } = error instanceof ConveningError
        ? error
        : { code: "unexpected", message: String(error) };
      if (code === "locked" || code === "taken") return "later";
      // Only the user can correct a setting, and needs the hint.
      const advice = code === "config_invalid" && hint !== undefined ? `. ${hint}` : "";
      onFailure({ key: cell.key, code, message: message + advice });
      return "done";
    }
  };
}

/** Returns rates and budget of a study; the costs on record count as spent. */
export function limitsOf(
  values: SharedValues,
  on: StudyOnDisk,
  { known, onWait }: {
    readonly known?: CellStates | undefined;
    readonly onWait?: ((message: string) => void) | undefined;
  } = {},
): StudyLimits {
  const { study, limits: { maxCost = Infinity } = {}, rates } = on.study;
  const recorded = async () => {
    const states = known ?? await CellStates.of(on);
    return Math.round(costOf(await states.read(on.cells, true)) * MICROS);
  };
  return {
    rates: new RateLimits(values, rates, onWait),
    budget: new Budget(values, { study, limit: maxCost * MICROS, recorded }),
  };
}
