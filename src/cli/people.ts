import type { ConveningConfig } from "../config/convening_config.ts";
import { hasPeople } from "../operations/has_people.ts";
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
