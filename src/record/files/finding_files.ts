import type { FactCheck, Stance } from "../../core/fact.ts";
import { shortId } from "../../core/message.ts";
import { common, type FactFile, madeData, padded } from "./renderer.ts";

/** The claims of one message, looked up; the checker's reasons are the body. */
export const factCheckFile: FactFile<FactCheck> = {
  type: "fact-check",
  folder: "fact-checks",
  name: ({ message }, { width }) => `${padded(message, width)}.md`,
  page: (check) => ({
    data: {
      ...common("fact-check"),
      message: check.message,
      participant: check.participant,
      mode: check.mode,
      status: check.status,
      reason: check.reason,
      factuality: check.factuality,
      dropped: check.dropped,
      claims: check.claims.map(({ text, quote, verdict, omitted, confidence, sources }) => ({
        text,
        quote,
        verdict,
        omitted,
        confidence,
        sources: sources.map(({ title, url, snippet }) => ({ title, url, snippet })),
      })),
      model: check.model,
      ...madeData(check),
    },
    body: check.reasons,
  }),
  order: ({ message }) => [message],
};

/** What a participant holds of each proposal or side; its reasons are the body. */
export const stanceFile: FactFile<Stance> = {
  type: "stance",
  folder: "stances",
  name: ({ seq, participant }, { width }) => `${padded(seq, width)}_${shortId(participant)}.md`,
  page: (stance) => ({
    data: {
      ...common("stance"),
      key: stance.key,
      seq: stance.seq,
      participant: stance.participant,
      status: stance.status,
      reason: stance.reason,
      stances: stance.stances.map((each) => ({
        on: each.on,
        stance: each.stance,
        strength: each.strength,
        condition: each.condition,
      })),
      model: stance.model,
      ...madeData(stance),
    },
    body: stance.reasons,
  }),
  order: ({ seq }) => [seq],
};
