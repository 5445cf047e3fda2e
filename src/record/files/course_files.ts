import type { Choice, Context, Stop } from "../../core/fact.ts";
import { common, type FactFile, jsonData, madeData, padded } from "./renderer.ts";

/** What a structured question brought, under `value`; the reasons are the body. */
export const choiceFile: FactFile<Choice> = {
  type: "choice",
  folder: "choices",
  name: ({ seq, number }, { width }) => `${padded(seq, width)}_${number}.md`,
  page: (choice) => ({
    data: {
      ...common("choice"),
      key: choice.key,
      seq: choice.seq,
      number: choice.number,
      participant: choice.participant,
      kind: choice.kind,
      value: jsonData(choice.value),
      model: choice.model,
      ...madeData(choice),
    },
    body: choice.reasons,
  }),
  order: ({ seq, number }) => [seq, number],
};

/** The rolling summary of older turns, the body. */
export const contextFile: FactFile<Context> = {
  type: "context",
  folder: "context",
  name: ({ number }) => `${padded(number, 3)}.md`,
  page: (context) => ({
    data: {
      ...common("context"),
      number: context.number,
      through: context.through,
      model: context.model,
      ...madeData(context),
    },
    body: context.body,
  }),
  order: ({ number }) => [number],
};

/** Why a convening ends, as files name it. */
export const END_REASONS = [
  "completed",
  "exit_condition",
  "consensus",
  "impasse",
  "max_turns",
  "max_duration",
  "max_tokens",
  "max_cost",
  "nothing_new",
  "cancelled",
  "failed",
] as const;

/** An early end; the summary made then is the body. */
export const stopFile: FactFile<Stop> = {
  type: "stop",
  folder: "stops",
  name: ({ number }) => `${number}.md`,
  page: (stop) => ({
    data: {
      ...common("stop"),
      number: stop.number,
      reason: stop.reason,
      limit: stop.limit,
      value: stop.value,
      last_seq: stop.lastSeq,
      model: stop.model,
      ...madeData(stop),
    },
    body: stop.body,
  }),
  order: ({ number }) => [number],
};
