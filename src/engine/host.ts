// What turns names of models, archives and personas into instances, as a workflow is handed it.
import { ConfigurationError } from "../core/error.ts";
import type { WorkflowHost, WorkflowOptions } from "./workflow_options.ts";

/** The host of a workflow; a `ConfigurationError` that says what is missing where none was handed in. */
export function hostOf({ host }: Pick<WorkflowOptions, "host">, missing: string): WorkflowHost {
  if (host !== undefined) return host;
  throw new ConfigurationError(`Cannot hold the convening: no ${missing} was handed in`, {
    hint: `Hand in the ${missing} as an instance, or the option host, such as defaultHost.`,
  });
}
