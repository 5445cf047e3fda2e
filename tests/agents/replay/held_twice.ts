import {
  type Agent,
  composeConvening,
  type ConveningConfig,
  type DialogueWorkflow,
  openConvening,
} from "../../../mod.ts";
import type { Fact, Status } from "../../../protocol.ts";
import { MODEL, startSpeaker } from "../../support/speaking_model.ts";

/** Settings of every convening that is held twice. */
export const COMMON = {
  topic: "Should cities ban private cars from their centres?",
  model: MODEL,
  seed: 7,
} as const;

/** What one convening left. */
export interface Held {
  readonly status: Status;
  readonly facts: readonly Fact[];
}

/** How a convening is held the first time. */
export interface HeldOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Who speaks, by id. */
  readonly agents?: Readonly<Record<string, Agent>>;
  /** The configuration the second time. */
  readonly again?: ConveningConfig;
  prepare?(workflow: DialogueWorkflow<unknown>): void;
  between?(): void;
}

/** Holds a convening, then again with its directory in the place of every model. */
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

/** A record's facts, without what differs from run to run: times, models, usage. */
export function essentials({ facts }: Held): object[] {
  const texts = facts.map((fact) =>
    JSON.stringify({
      ...fact,
      createdAt: undefined,
      model: undefined,
      usage: undefined,
      latencyMs: undefined,
      served: undefined,
      // A replay that cannot answer says so in words of its own.
      ...fact.type === "fact-check" && fact.status === "unchecked"
        ? { reason: undefined, reasons: undefined }
        : {},
    })
  );
  return texts.sort().map((text): object => JSON.parse(text));
}

/** What a record holds, each once: types of facts, kinds of choices. */
export function kindsOf({ facts }: Held): string[] {
  return [...new Set(facts.map((fact) => fact.type === "choice" ? fact.kind : fact.type))].sort();
}
