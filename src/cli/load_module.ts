// Loads modules lazily, when a command needs them, for a faster start.
import { ConveningError } from "../core/error.ts";

interface LateModules {
  "../inputs/inputs.ts": typeof import("../inputs/inputs.ts");
  "../operations/convening.ts": typeof import("../operations/convening.ts");
  "../operations/keeping.ts": typeof import("../operations/keeping.ts");
  "../operations/list.ts": typeof import("../operations/list.ts");
  "../operations/messages.ts": typeof import("../operations/messages.ts");
  "../operations/model_acts.ts": typeof import("../operations/model_acts.ts");
  "../operations/record_question.ts": typeof import("../operations/record_question.ts");
  "../operations/schemas.ts": typeof import("../operations/schemas.ts");
  "../operations/searches.ts": typeof import("../operations/searches.ts");
  "../operations/study_plan.ts": typeof import("../operations/study_plan.ts");
  "../operations/study_results.ts": typeof import("../operations/study_results.ts");
  "../operations/study_run.ts": typeof import("../operations/study_run.ts");
  "../operations/study_worker.ts": typeof import("../operations/study_worker.ts");
  "../studies/status.ts": typeof import("../studies/status.ts");
  "./cast_flags.ts": typeof import("./cast_flags.ts");
  "./commands/judge.ts": typeof import("./commands/judge.ts");
  "./commands/starting.ts": typeof import("./commands/starting.ts");
  "./flag.ts": typeof import("./flag.ts");
  "./parse_arguments.ts": typeof import("./parse_arguments.ts");
  "./run_convening.ts": typeof import("./run_convening.ts");
}

/** Loads a module by its path from this folder. */
export async function late<P extends keyof LateModules>(path: P): Promise<LateModules[P]> {
  return await loadModule(import.meta.resolve(path));
}

/**
 * Loads the module of a URL from `import.meta.resolve`. Deno opens the file of a literal `import("…")`, with all its
 * imports, at the start of the program, even if the module is never needed; a computed URL avoids that.
 */
export async function loadModule<M>(url: string): Promise<M> {
  try {
    return await import(url);
  } catch (cause) {
    if (Object(cause).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new ConveningError("not_found", "Cannot start: modules of the program are missing", {
      hint: "Run the program from its sources, with deno run or deno install, not as a bundle.",
      cause,
    });
  }
}
