import { modelsOf } from "../compose.ts";
import { HUMAN } from "../core/agent.ts";
import type { ConveningConfig } from "../core/config.ts";
import type { Session } from "./session.ts";

/**
 * The configuration with the time a person has for a turn: what was given, else no end at a terminal, and none where
 * nobody can type. A recorded time was for the run it was given for.
 */
export function withPersonTime<C extends ConveningConfig>(
  config: C,
  { io }: Session,
  { isRecorded = false }: { readonly isRecorded?: boolean } = {},
): C {
  if (!hasPeople(config)) return config;
  const { personTimeout } = config;
  const given = isRecorded ? undefined : personTimeout;
  return { ...config, personTimeout: given ?? (io.inIsTerminal ? undefined : 0) };
}

/** Whether a person takes part or judges, or is asked which question is debated. */
export function hasPeople(config: ConveningConfig): boolean {
  const isAsked = config.kind === "paper-debate" && config.pick === "ask";
  return isAsked || [...modelsOf(config), config.model].includes(HUMAN);
}
