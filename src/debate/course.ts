import { fillTemplate } from "../core/prompt.ts";
import english from "./moderation.en.json" with { type: "json" };
import type { Exchange } from "./rules.ts";

/** What the parts of a debate are. */
export interface Parts {
  readonly exchange: Exchange;
  readonly rounds: number;
  readonly openings: boolean;
  readonly closings: boolean;
}

/** How a debate will go, in one sentence for its introduction. */
export function courseOf({ exchange, rounds, openings, closings }: Parts): string {
  const parts = [
    ...(openings ? ["openings"] : []),
    ...(rounds > 0 ? ["rounds"] : []),
    ...(closings ? ["closings"] : []),
  ].join(" ");
  const course = new Map(Object.entries(english.course)).get(parts) ?? "";
  const held = fillTemplate(english.exchange[exchange], { rounds: roundsOf(rounds) });
  return fillTemplate(course, { rounds: held });
}

/** A number of rounds in words. */
export function roundsOf(rounds: number): string {
  return rounds === 1 ? "one round" : `${rounds} rounds`;
}
