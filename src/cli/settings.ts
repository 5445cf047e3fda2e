import { dirname, resolve } from "@std/path";
import { DEFAULT_OUT } from "../compose.ts";
import { type ConveningConfig, parseConfig } from "../core/config.ts";
import { ConfigurationError } from "../core/error.ts";
import { absolutePaths } from "./absolute_paths.ts";
import { applyCastFlags } from "./cast_flags.ts";
import type { Invocation } from "./command.ts";
import { nameFlag, refuseContradictions, refuseNewChecks } from "./contradictions.ts";
import type { Flag } from "./flag.ts";
import { CONFIG, MAX_TURNS, SEED } from "./flags.ts";
import { requirePermissions } from "./permissions.ts";
import type { Session } from "./session.ts";
import { isPlain, type Plain } from "./plain.ts";

/** What a role speaks through where a key or a base URL is set and no model. */
const DEFAULT_MODEL = "gpt-4o-mini";

/** What a convening is started with: the configuration file with the flags over it, paths made absolute. */
export async function readSettings(
  kind: ConveningConfig["kind"],
  invocation: Invocation,
  options: {
    readonly flags: readonly Flag<unknown>[];
    readonly session: Session;
  },
): Promise<ConveningConfig> {
  const { flags, session } = options;
  const { args, values } = invocation;
  const path = values.get(CONFIG);
  const file = path === undefined ? {} : await fileSettings(kind, path, session);
  const topic = args[0] ?? file["topic"];
  if (topic === undefined) {
    throw new ConfigurationError(`Cannot start a ${kind}: it has no topic`, {
      field: "topic",
      hint: `Write one in quotes: ${kind} "Should cities ban private cars?"`,
    });
  }
  const given = flagSettings(invocation, flags);
  const under = given["model"] !== undefined && path?.endsWith(".md") === true
    ? followModel(file)
    : file;
  const merged: Plain = { ...merge(withoutIdle(under, given), given), kind, topic };
  refuseContradictions(merged, values);
  applyCastFlags(merged, values);
  if (values.get(SEED) !== undefined) merged["seedGiven"] = true;
  merged["out"] ??= DEFAULT_OUT;
  return absolutePaths(checked(merged, values.keys(flags)), session.io.folder);
}

/** A recorded configuration with the flags of `resume` over it. */
export function resumeSettings(
  recorded: Readonly<Record<string, unknown>>,
  invocation: Invocation,
  options: {
    readonly flags: readonly Flag<unknown>[];
    readonly session: Session;
  },
): ConveningConfig {
  const { flags, session } = options;
  const given = flagSettings(invocation, flags);
  const under = given["model"] === undefined ? { ...recorded } : followModel(recorded);
  const merged = merge(under, given);
  const turns = invocation.values.get(MAX_TURNS);
  if (merged["kind"] === "dialogue" && turns !== undefined) merged["maxTurns"] = turns;
  refuseNewChecks(recorded, invocation.values);
  refuseContradictions(merged, invocation.values);
  applyCastFlags(merged, invocation.values);
  return absolutePaths(
    checked(merged, invocation.values.keys(flags)),
    session.io.folder,
  );
}

/** What the flags alone set, as a part of a configuration. */
export function flagSettings(
  { values }: Invocation,
  flags: readonly Flag<unknown>[],
): Plain {
  const set: Plain = {};
  for (const flag of flags) {
    const value = values.get(flag);
    if (flag.key === undefined || value === undefined) continue;
    const [outer = "", inner] = flag.key.split(".");
    set[outer] = inner === undefined
      ? value
      : { ...set[outer] as Plain | undefined, [inner]: value };
  }
  return set;
}

/** A file's settings but for those that are of no use to what a flag turns off. */
function withoutIdle(file: Plain, given: Plain): Plain {
  const left = { ...file };
  if (given["moderation"] === "none") delete left["moderatorModel"];
  const { factCheck } = given;
  if (isPlain(factCheck) && factCheck["mode"] === "off") delete left["factCheck"];
  return left;
}

/** One configuration over another; limits and retries key by key. */
function merge(under: Plain, over: Plain): Plain {
  const merged = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key];
    merged[key] = isPlain(before) && isPlain(value) ? { ...before, ...value } : value;
  }
  return merged;
}

async function fileSettings(
  kind: string,
  path: string,
  { io }: Session,
): Promise<Plain> {
  const whole = resolve(io.folder, path);
  requirePermissions(io, { reads: [whole] });
  const { readConfigFile } = await import("./config_file.ts");
  const file = readConfigFile(await io.readText(whole, "--config"), whole);
  const own = file["kind"] ?? kind;
  if (own !== kind) {
    throw new ConfigurationError(
      `Cannot start a ${kind}: "${whole}" has the kind ${JSON.stringify(own)}`,
      { field: "kind", hint: `Use the command of that kind, or another file.` },
    );
  }
  // Checked before flags go over it, so that an error names the file's own key.
  const config = parseConfig({ topic: "", ...file, kind });
  const sources = config.sources;
  return whole.endsWith(".md") && sources !== undefined
    // A record keeps its sources beside its metadata.
    ? { ...file, sources: sources.map((each) => resolve(dirname(whole), each)) }
    : file;
}

/** A record names every role's model: those that only followed the default follow a `--model` too. */
function followModel(file: Plain): Plain {
  const usual = file["model"] === undefined ? ["offline", DEFAULT_MODEL] : [file["model"]];
  const follow = (list: unknown) =>
    Array.isArray(list)
      ? list.map(({ model, ...rest }: Plain) =>
        model === undefined || usual.includes(model) ? rest : { ...rest, model }
      )
      : list;
  const followed = { ...file };
  for (const key of ["participants", "judges", "audience"]) {
    if (key in file) followed[key] = follow(file[key]);
  }
  return followed;
}

function checked(merged: Plain, keys: ReadonlyMap<string, Flag<unknown>>): ConveningConfig {
  try {
    return parseConfig(merged);
  } catch (error) {
    throw nameFlag(error, keys);
  }
}
