// Looks for people in a configuration.
import { modelsOf } from "../inputs/servers.ts";
import { HUMAN } from "../core/agent.ts";
import type { ConveningConfig } from "../config/convening_config.ts";

/** True where a person takes part or judges, or is asked which question is debated. */
export function hasPeople(config: ConveningConfig): boolean {
  const isAsked = config.kind === "paper-debate" && config.pick === "ask";
  return isAsked || [...modelsOf(config), config.model].includes(HUMAN);
}
