import type { Fields } from "./new_page.ts";

/** What a form asks of the interface for programs. */
interface Asked {
  /** The last part of the address, under the convening's. */
  readonly act: "say" | "pause" | "stop" | "resume" | "fork";
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
  resume: () => ({ act: "resume", body: {} }),
  fork: ({ at = "" }) => ({ act: "fork", body: { at: Number(at) } }),
};

function whose(as: string | undefined): { readonly participant?: string } {
  return as === undefined || as === "" ? {} : { participant: as };
}
