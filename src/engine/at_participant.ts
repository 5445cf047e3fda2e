import { ConfigurationError } from "../core/error.ts";

/**
 * What `make` makes of the participant at `index` of a configuration; an error about one of its keys names it by its place,
 * such as `participants.1.name`.
 */
export function atParticipant<T>(index: number, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof ConfigurationError) || error.field === undefined) throw error;
    const key = error.field.replace(/^agentConfig\./, "");
    const field = `participants.${index}.${key}`;
    const message = error.message.replace(`Cannot use ${key}:`, `Cannot use ${field}:`);
    throw new ConfigurationError(message, { field, hint: error.hint, cause: error });
  }
}
