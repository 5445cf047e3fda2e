import type { Failure, LookUp, Rejection } from "../../core/fact.ts";
import { common, type FactFile, jsonData, madeData, padded, usageData } from "./renderer.ts";

/** An attempt that a guard turned down; its text is the body. */
export const rejectedFile: FactFile<Rejection> = {
  type: "rejected",
  folder: "rejected",
  name: ({ seq, attempt }, { width }) => `${padded(seq, width)}_${attempt}.md`,
  page: (rejection) => ({
    data: {
      ...common("rejected"),
      seq: rejection.seq,
      turn: rejection.turn,
      participant: rejection.participant,
      attempt: rejection.attempt,
      guard: rejection.guard,
      reason: rejection.reason,
      model: rejection.model,
      ...madeData(rejection),
    },
    body: rejection.body,
  }),
  order: ({ seq, attempt }) => [seq, attempt],
};

/** A turn that failed for good; the error's message is the body. */
export const failureFile: FactFile<Failure> = {
  type: "failure",
  folder: "failures",
  name: ({ seq }, { width }) => `${padded(seq, width)}.md`,
  page: (failure) => ({
    data: {
      ...common("failure"),
      seq: failure.seq,
      turn: failure.turn,
      participant: failure.participant,
      code: failure.code,
      attempts: failure.attempts,
      model: failure.model,
      usage: failure.usage === undefined ? undefined : usageData(failure.usage),
      latency_ms: failure.latencyMs,
      created_at: failure.createdAt,
    },
    body: failure.message,
  }),
  order: ({ seq }) => [seq],
};

/** What a tool was asked, under `args`, and what it gave back, the body. */
export const lookUpFile: FactFile<LookUp> = {
  type: "lookup",
  folder: "lookups",
  name: ({ seq, number }, { width }) => `${padded(seq, width)}_${number}.md`,
  page: (lookup) => ({
    data: {
      ...common("lookup"),
      seq: lookup.seq,
      number: lookup.number,
      turn: lookup.turn,
      participant: lookup.participant,
      tool: lookup.tool,
      args: jsonData(lookup.args),
      failed: lookup.failed,
      created_at: lookup.createdAt,
    },
    body: lookup.result,
  }),
  order: ({ seq, number }) => [seq, number],
};
