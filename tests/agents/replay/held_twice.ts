// Runs a convening and then a replay of it, for tests of the replay agent.
import {
  type Agent,
  composeConvening,
  type ConveningConfig,
  type DialogueWorkflow,
  openConvening,
} from "../../../mod.ts";
import type { Fact, Status } from "../../../protocol.ts";
import { MODEL, startSpeaker } from "../../support/speaking_model.ts";

/** Settings of every convening that is run twice. */
export const COMMON = {
  topic: "Should cities ban private cars from their centres?",
  model: MODEL,
  seed: 7,
} as const;

/** Record of a convening. */
export interface Held {
  readonly status: Status;
  readonly facts: readonly Fact[];
}

/** Options of the first and second run. */
export interface HeldOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Agents by id. */
  readonly agents?: Readonly<Record<string, Agent>>;
  /** Configuration of the second run. */
  readonly again?: ConveningConfig;
  prepare?(workflow: DialogueWorkflow<unknown>): void;
  between?(): void;
}

/** Runs a convening, then again with a replay of its directory as every model. */
export async function heldTwice(
  config: ConveningConfig,
  { env = {}, agents = {}, again = config, prepare, between }: HeldOptions = {},
): Promise<{ first: Held; second: Held }> {
  const out = await Deno.makeTempDir();
  await using speaker = await startSpeaker();
  const variables = { env: (name: string) => ({ ...speaker.env, ...env })[name] };
  try {
    const workflow = await composeConvening({ ...config, out }, { ...variables, agents });
    prepare?.(workflow);
    const { dir, ...first } = await heldBy(workflow);
    between?.();
    const replay = await composeConvening({ ...again, model: `replay:${dir}`, out }, variables);
    return { first, second: await heldBy(replay) };
  } finally {
    await Deno.remove(out, { recursive: true });
  }
}

async function heldBy(workflow: DialogueWorkflow<unknown>): Promise<Held & { dir: string }> {
  const { dir = "", status } = await workflow.run();
  return { dir, status, facts: (await openConvening(dir)).facts };
}

/** Returns a record's facts without times, models and usage, which differ between runs. */
export function essentials({ facts }: Held): object[] {
  const texts = facts.map((fact) =>
    JSON.stringify({
      ...fact,
      createdAt: undefined,
      model: undefined,
      usage: undefined,
      latencyMs: undefined,
      served: undefined,
      // A replay without an answer has its own error message.
      ...fact.type === "fact-check" && fact.status === "unchecked"
        ? { reason: undefined, reasons: undefined }
        : {},
      // A record does not have the whole reply of a note-taker.
      ...fact.type === "flow" ? { reason: undefined, unknown: undefined } : {},
    })
  );
  return texts.sort().map((text): object => JSON.parse(text));
}

/** Returns the distinct types of facts and kinds of choices in a record. */
export function kindsOf({ facts }: Held): string[] {
  return [...new Set(facts.map((fact) => fact.type === "choice" ? fact.kind : fact.type))].sort();
}
