// Progress of a study on standard error: one line that changes at a terminal, a line at each percent where piped.
import { counted } from "../core/text.ts";
import type { StudyStatus } from "../studies/status.ts";
import { number } from "./progress_lines.ts";
import { money } from "../core/message.ts";

/** Shows the progress of a study. */
export class StudyProgressLine {
  readonly #write: (text: string) => void;
  readonly #live: boolean;
  #shown = "";
  #percent = -1;

  /** A progress that writes with `write`; `live` where a person watches. */
  constructor(write: (text: string) => void, { live }: { readonly live: boolean }) {
    this.#write = write;
    this.#live = live;
  }

  /** Shows a state that differs from the one shown. */
  take(progress: StudyStatus): void {
    const line = studyLine(progress);
    if (this.#live) {
      if (line !== this.#shown) this.#write(`\r\x1b[K${line}`);
      this.#shown = line;
      return;
    }
    const { planned, done, failed } = progress;
    const percent = planned === 0 ? 100 : Math.floor(100 * (done + failed) / planned);
    if (percent !== this.#percent) this.#write(`${line}\n`);
    this.#percent = percent;
  }

  /** Leaves the line as it is. */
  end(): void {
    if (this.#live && this.#shown !== "") this.#write("\n");
    this.#shown = "";
  }
}

/** The numbers of a study's state that a line shows. */
type StudyNumbers =
  & Pick<StudyStatus, "planned" | "done" | "failed" | "running" | "costUsd">
  & {
    readonly [K in "maxCost" | "perMinute" | "minutesLeft"]?: number | null;
  };

/** A state of a study in one line. */
export function studyLine(
  { planned, done, failed, running, perMinute, costUsd, maxCost, minutesLeft }: StudyNumbers,
): string {
  const cost = money({ costUsd });
  return [
    `${number(done)} of ${number(planned)} done`,
    ...failed === 0 ? [] : [`${number(failed)} failed`],
    ...running === 0 ? [] : [`${number(running)} running`],
    ...perMinute == null ? [] : [`${perMinute.toFixed(perMinute < 10 ? 1 : 0)} a minute`],
    maxCost == null ? cost : `${cost} of ${money({ costUsd: maxCost })}`,
    ...minutesLeft == null ? [] : [`${timeLeft(minutesLeft)} left`],
  ].join(" · ");
}

function timeLeft(minutes: number): string {
  if (minutes < 1) return "under a minute";
  if (minutes < 120) return counted(Math.round(minutes), "minute");
  return counted(Math.round(minutes / 60), "hour");
}
