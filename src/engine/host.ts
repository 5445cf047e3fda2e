import { ConfigurationError } from "../core/error.ts";
import type { WorkflowHost } from "./workflow_options.ts";

let current: WorkflowHost | undefined;

/** What turns names into instances, where the library was put together. */
export function hostIfAny(): WorkflowHost | undefined {
  return current;
}

/** Has names turned into instances by `host` from now on. */
export function setHost(host: WorkflowHost | undefined): void {
  current = host;
}

/** The same as {@linkcode hostIfAny}; a `ConfigurationError` where the library was not put together. */
export function host(): WorkflowHost {
  if (current !== undefined) return current;
  throw new ConfigurationError(
    "Cannot turn names into agents and records: the library was not put together",
    {
      hint: "Import the library's mod.ts, or hand in every agent and the record as instances.",
    },
  );
}
