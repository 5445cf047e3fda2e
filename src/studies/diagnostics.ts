// Diagnostics of a study: a row for each measure, with its finding or the reason that the data do not allow it.
import { defined } from "../core/defined.ts";
import {
  availability,
  cost,
  formats,
  lengthBias,
  sideAdvantage,
  swapConsistency,
  ties,
  topicEffect,
  transitivity,
} from "./debate_diagnostics.ts";
import type { Diagnostic, DiagnosticInput, Finding } from "./diagnostic.ts";
import {
  agreement,
  judgeSwaps,
  judgeTable,
  people,
  positionConsistency,
  profiles,
  repetition,
  selfPreference,
} from "./judge_diagnostics.ts";

/** Every diagnostic, in the order of reports. */
const ROWS = {
  "side-advantage": ["Advantage of the first seat", sideAdvantage],
  "swap-consistency": ["Same winner from both seats", swapConsistency],
  "length": ["Length", lengthBias],
  "ties": ["Debates without a winner", ties],
  "topics": ["Topics", topicEffect],
  "formats": ["Formats", formats],
  "transitivity": ["Circles", transitivity],
  "judges": ["Judges one by one", judgeTable],
  "agreement": ["Agreement of judges", agreement],
  "judge-swaps": ["Votes over exchanged seats", judgeSwaps],
  "position": ["Order of the sides before a judge", positionConsistency],
  "repetition": ["Repeated questions to a judge", repetition],
  "self-preference": ["Judges and their own model", selfPreference],
  "profiles": ["Judge checks", profiles],
  "people": ["Labels of people", people],
  "availability": ["Availability", availability],
  "cost": ["Cost of a decided debate", cost],
} as const satisfies Record<string, readonly [string, (input: DiagnosticInput) => Finding]>;

/** Every diagnostic of a study's debates. */
export function diagnose(input: Omit<DiagnosticInput, "ended">): Diagnostic[] {
  const ended = input.debates.filter(({ winner, sides }) =>
    winner !== undefined && sides.length === 2
  );
  return Object.entries(ROWS).map(([id, [name, find]]) => {
    const found = find({ ...input, ended });
    const row = { id, name };
    return typeof found === "string" ? { ...row, missing: found } : defined({ ...row, ...found });
  });
}
