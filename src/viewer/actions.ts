import { defined } from "../core/defined.ts";
import type { Fields } from "./fields.ts";

/** What a form asks of the interface for programs. */
interface Asked {
  /** The last part of the address, under the convening's. */
  readonly act: "say" | "pause" | "stop" | "resume" | "fork" | "judge";
  readonly body: object;
}

/** What the forms of a convening's page ask, by the last part of their own address. */
export const ACTIONS: Readonly<Record<string, (fields: Fields) => Asked>> = {
  say: ({ as, text = "" }) => ({ act: "say", body: { text, ...whose(as) } }),
  pick: ({ as, pick = "", own = "" }) => ({
    act: "say",
    body: { text: pick === "own" ? own : pick, ...whose(as) },
  }),
  interject: ({ text = "" }) => ({ act: "say", body: { text, interject: true } }),
  pause: () => ({ act: "pause", body: {} }),
  stop: () => ({ act: "stop", body: {} }),
  resume: (fields) => ({ act: "resume", body: limitsOf(fields) }),
  fork: ({ at = "" }) => ({ act: "fork", body: { at: Number(at) } }),
  judge: ({ rubric, models = "" }) => ({ act: "judge", body: panelOf(rubric, models) }),
};

function whose(as: string | undefined): { readonly participant?: string } {
  return as === undefined || as === "" ? {} : { participant: as };
}

function limitsOf({ maxTurns, maxTokens, maxCost, minutes }: Fields): object {
  const number = (text: string | undefined, unit = 1) =>
    text === undefined || text.trim() === "" ? undefined : Number(text) * unit;
  const limits = defined({
    maxTurns: number(maxTurns),
    maxTokens: number(maxTokens),
    maxCost: number(maxCost),
    maxDuration: number(minutes, MINUTE),
  });
  return Object.keys(limits).length === 0 ? {} : { limits };
}

/** In milliseconds. */
const MINUTE = 60_000;

function panelOf(rubric: string | undefined, models: string): object {
  const named = models.split(",").map((each) => each.trim()).filter((each) => each !== "");
  return defined({ rubric, models: named.length === 0 ? undefined : named });
}
