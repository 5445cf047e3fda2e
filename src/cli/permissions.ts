// Checks the permissions that a command needs, and suggests a command line with the missing ones.
import { resolve } from "@std/path";
import project from "../../deno.json" with { type: "json" };
import { ConfigurationError } from "../core/error.ts";
import { flagValue, type Io, shellQuote } from "./io.ts";

/** Hosts that the tasks of deno.json may reach. */
export const TASK_HOSTS: readonly string[] = grantedTo("--allow-net");
/** Environment variables that the tasks of deno.json may read; all others read as unset. */
export const TASK_VARIABLES: readonly string[] = grantedTo("--allow-env");

function grantedTo(flag: string): readonly string[] {
  const words = project.tasks.convenings.command.split(" ");
  return words.find((word) => word.startsWith(`${flag}=`))!.slice(flag.length + 1).split(",");
}

export interface Needs {
  /** Hosts as `host:port`. @default none */
  readonly hosts?: readonly string[];
  /** Absolute paths. @default none */
  readonly reads?: readonly string[];
  /** Absolute path of the only folder that the command writes to. @default none */
  readonly writes?: string;
  /** Names of environment variables. @default none */
  readonly variables?: readonly string[];
  /** True if later checks have needs that are not known yet: the printed command then grants what the tasks grant, too. */
  readonly isFirst?: boolean;
}

/** Needs of the earlier checks of a run, which the next run has again. */
const earlier = new WeakMap<Io, Needs>();

/** Folders that only `--allow-all` grants: some of Linux, which Deno says after writing was granted, and names with its separator. */
const GUARDED = /^\/(?:dev|proc|sys)(?:\/|$)|,/;

/** Throws a `ConfigurationError` for missing permissions; its hint is a complete command line to run instead, if one works. */
export function requirePermissions(io: Io, needs: Needs): void {
  const before = earlier.get(io);
  const hosts = [...new Set([...before?.hosts ?? [], ...needs.hosts ?? []])];
  const all = { ...before, ...needs, hosts };
  earlier.set(io, { ...all, isFirst: false });
  const missing = missingPermissions(io, needs);
  if (missing.length === 0) return;
  throw new ConfigurationError(`Cannot start: this program may not ${missing.join(", nor ")}`, {
    hint: GUARDED.test(needs.writes ?? "")
      ? "Choose another folder: of all flags of Deno only --allow-all grants this one."
      : `Run this instead:\n${commandWith(io, all)}`,
  });
}

/** Returns the missing permissions in words, such as `reach api.openai.com`. */
export function missingPermissions(
  io: Io,
  { hosts = [], reads = [], writes, variables = [] }: Needs,
): readonly string[] {
  return [
    ...hosts.filter((host) => !io.permitted({ name: "net", host })).map((host) => `reach ${host}`),
    ...(writes !== undefined && !io.permitted({ name: "write", path: writes })
      ? [`write under ${writes}`]
      : []),
    ...reads.filter((path) => !io.permitted({ name: "read", path })).map((path) => `read ${path}`),
    ...variables.filter((variable) => !io.permitted({ name: "env", variable }))
      .map((variable) => `read the variable ${variable}`),
    ...(io.ignoresEnv() ? [] : ["look at the environment"]),
  ];
}

/** Returns a command line that grants the needs; without the environment, which decides needs, also what the tasks grant. */
function commandWith(
  io: Io,
  { hosts: own = [], variables = [], isFirst = !io.ignoresEnv(), ...needs }: Needs,
): string {
  const hosts = [...isFirst ? TASK_HOSTS : [], ...own];
  const writes = needs.writes ??
    (isFirst && !io.args.includes("--read-only") ? outIn(io) : undefined);
  const names = new Set([...TASK_VARIABLES, ...variables]);
  return [
    "deno run --no-prompt",
    ...(hosts.length === 0 ? [] : [shellQuote(`--allow-net=${hosts.join(",")}`)]),
    "--allow-read",
    ...(writes === undefined ? [] : [shellQuote(`--allow-write=${writes}`)]),
    `--ignore-env --allow-env=${[...names].join(",")}`,
    shellQuote(io.program),
    ...io.args.map((each) => shellQuote(each)),
  ].join(" ");
}

/** Returns the folder of the flag `--out`, else the working directory. */
function outIn({ args, folder }: Io): string {
  const given = flagValue(args, args.findLastIndex((each) => /^--out(?:=|$)/.test(each)));
  return resolve(folder, given ?? "");
}
