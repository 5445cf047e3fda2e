import type { Assessment } from "../core/outcome.ts";
import type { Ending } from "../core/event.ts";
import type { EndReason, Status } from "../core/fact.ts";
import { NO_USAGE, type Usage } from "../core/message.ts";
import type { PaperTold } from "./paper_told.ts";

/** What is told of a convening that ended, rests, or failed. */
export interface Told
  extends Omit<Partial<Assessment>, RequiredOfTold>, Pick<Assessment, RequiredOfTold> {
  /** The absolute path of its directory. */
  readonly dir?: string | undefined;
  readonly status: Status;
  /** Absent of one that waits or is paused. */
  readonly endReason?: EndReason | undefined;
  /** The turns it waits for, while it waits for people. */
  readonly waitingFor?: Ending["waitingFor"];
  /** What the protocol returned, of kinds that keep it in the record. */
  readonly value?: unknown;
  readonly usage: Usage;
  /** Of a paper debate. */
  readonly paper?: PaperTold | undefined;
}

type RequiredOfTold = "outcome" | "winner" | "scores" | "unscored";

/** What is told where no convening came about. */
const NOTHING_TOLD: Told = {
  status: "failed",
  endReason: "failed",
  outcome: "unscored",
  winner: null,
  scores: {},
  unscored: [],
  usage: NO_USAGE,
};

/** What an ending tells; without one, that nothing came about. */
export function toldOf(ending: Ending | undefined, more: Pick<Told, "dir" | "paper">): Told {
  const { dir, paper } = more;
  return { ...ending ?? NOTHING_TOLD, dir, paper };
}
