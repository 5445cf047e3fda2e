import type { Baseline } from "../core/outcome.ts";
import type { Choice, Verdict } from "../core/fact.ts";
import { oneMindOf } from "./judge_panels.ts";

/** The answers that judges gave alone, against their verdicts; one that could not be read is left out. */
export function baselinesOf(
  choices: readonly Choice[],
  verdicts: readonly Verdict[],
): Baseline[] {
  return choices.flatMap(({ kind, participant: judge, model, value }) => {
    const before = kind === "baseline" ? winnerIn(value) : undefined;
    if (before === undefined) return [];
    const own = verdicts.filter((each) => each.judge === judge);
    const after = own.length === 0 ? undefined : oneMindOf(own);
    return [{ judge, model, before, after, changed: after !== undefined && after !== before }];
  });
}

/** Which judges' answers could not be read, one sentence each. */
export function unreadBaselines(choices: readonly Choice[]): string[] {
  return choices.filter(({ kind, value }) => kind === "baseline" && winnerIn(value) === undefined)
    .map(({ participant }) =>
      `The answer that judge "${participant}" gave alone could not be read.`
    );
}

function winnerIn(value: unknown): string | null | undefined {
  if (value === null || typeof value !== "object" || !("winner" in value)) return undefined;
  const { winner } = value;
  return winner === null || typeof winner === "string" ? winner : undefined;
}
