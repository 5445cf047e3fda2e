// `--extend FILE`: a module with kinds and agents of a user's own, and a command for each of these kinds.
import { pathToFileURL } from "node:url";
import { resolve } from "@std/path";
import { Catalogue, type LibraryOptions } from "../compose.ts";
import { ConfigurationError } from "../core/error.ts";
import type { Kind } from "../engine/kind.ts";
import type { CliCommand } from "./command.ts";
import { EXTEND } from "./flag.ts";
import { DIALOGUE_FLAGS } from "./flags.ts";
import { requirePermissions } from "./permissions.ts";
import type { Session } from "./session.ts";
import { start } from "./start.ts";

/** Loads the module of `--extend` into the session; gives the commands of its kinds. */
export async function extend(session: Session): Promise<readonly CliCommand[]> {
  const path = pathIn(session.io.args);
  if (path === undefined) return [];
  const whole = resolve(session.io.folder, path);
  requirePermissions(session.io, { reads: [whole] });
  const options = await load(whole);
  session.catalogue = new Catalogue(options, `default export of ${EXTEND.name} ${whole}`);
  return (options.kinds ?? []).map(commandOf);
}

/** The value of `--extend`, which is needed before the commands are known that the other arguments are read by. */
function pathIn(args: readonly string[]): string | undefined {
  const end = args.indexOf("--");
  const words = end === -1 ? args : args.slice(0, end);
  const at = words.indexOf(EXTEND.name);
  const joined = words.find((word) => word.startsWith(`${EXTEND.name}=`));
  return joined?.slice(EXTEND.name.length + 1) ?? (at === -1 ? undefined : words[at + 1]);
}

async function load(path: string): Promise<LibraryOptions> {
  const refuse = (state: string, cause?: unknown) =>
    new ConfigurationError(`Cannot use --extend ${path}: ${state}`, {
      field: EXTEND.name,
      hint:
        "Give a module whose default export is what createLibrary takes: { kinds, agents, facts, searchers }.",
      cause,
    });
  let module: { readonly default?: unknown };
  try {
    module = await import(pathToFileURL(path).href);
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error), error);
  }
  if (module.default === null || typeof module.default !== "object") {
    throw refuse("it has no object as its default export");
  }
  return module.default;
}

/** Keys of a dialogue alone. */
const OF_DIALOGUES: readonly unknown[] = [
  "maxTurns",
  "maxTokensPerTurn",
  "select",
  "moderatorModel",
];

/** The command of an own kind; its settings are in the file of `--config`. */
function commandOf({ name, summary }: Kind): CliCommand {
  const flags = DIALOGUE_FLAGS.filter(({ key }) => !OF_DIALOGUES.includes(key));
  return {
    name,
    arguments: ["[topic]"],
    about: summary,
    group: "Convening:",
    runs: true,
    load: () =>
      Promise.resolve({
        flags,
        // Settings are read by the kind's own schema.
        run: (invocation, session) => start(name as "dialogue", invocation, { flags, session }),
      }),
  };
}
