// Permissions that a command needs, and the whole command that would work.
import { ConfigurationError } from "../core/error.ts";
import { type Io, shellQuote } from "./io.ts";

/** The hosts that tasks may reach. */
export const TASK_HOSTS: readonly string[] = [
  "api.openai.com",
  "openrouter.ai",
  "generativelanguage.googleapis.com",
  "api.anthropic.com",
  "api.tavily.com",
  "127.0.0.1",
  "localhost",
];

/** The environment variables that tasks may read; all others are as if unset. */
export const TASK_VARIABLES: readonly string[] = [
  "OPENAI_API_KEY",
  "OPENAI_BASE_URL",
  "OPENROUTER_API_KEY",
  "GOOGLE_API_KEY",
  "ANTHROPIC_API_KEY",
  "TAVILY_API_KEY",
  "TAVILY_BASE_URL",
  "CONVENINGS_TOKEN",
  "INIT_CWD",
  "NO_COLOR",
];

interface Needs {
  /** As `host:port`. @default none */
  readonly hosts?: readonly string[];
  /** Absolute paths. @default none */
  readonly reads?: readonly string[];
  /** The absolute path of a folder under which everything is written. */
  readonly writes?: string;
  /** Environment variables. @default none */
  readonly variables?: readonly string[];
}

/**
 * Fails with a `ConfigurationError` before anything is written or sent when a permission is missing; its hint is the
 * whole command to run instead.
 */
export function requirePermissions(io: Io, needs: Needs): void {
  const missing = missingPermissions(io, needs);
  if (missing.length === 0) return;
  throw new ConfigurationError(
    `Cannot start: this program may not ${missing.join(", nor ")}`,
    { hint: `Run this instead:\n${commandWith(io, needs)}` },
  );
}

/** Acts that a command needs and that are not permitted, such as `reach api.openai.com`. */
export function missingPermissions(
  io: Io,
  { hosts = [], reads = [], writes, variables = [] }: Needs,
): readonly string[] {
  return [
    ...hosts.filter((host) => !io.permitted({ name: "net", host }))
      .map((host) => `reach ${host}`),
    ...(writes !== undefined && !io.permitted({ name: "write", path: writes })
      ? [`write under ${writes}`]
      : []),
    ...reads.filter((path) => !io.permitted({ name: "read", path }))
      .map((path) => `read ${path}`),
    ...variables.filter((variable) => !io.permitted({ name: "env", variable }))
      .map((variable) => `read the variable ${variable}`),
    ...(io.ignoresEnv() ? [] : ["look at the environment"]),
  ];
}

function commandWith(io: Io, needs: Needs): string {
  const { hosts = [], writes, variables = [] } = needs;
  const names = new Set([...TASK_VARIABLES, ...variables]);
  return [
    "deno run --no-prompt",
    ...(hosts.length === 0 ? [] : [shellQuote(`--allow-net=${hosts.join(",")}`)]),
    "--allow-read",
    ...(writes === undefined ? [] : [shellQuote(`--allow-write=${writes}`)]),
    `--ignore-env --allow-env=${[...names].join(",")}`,
    shellQuote(io.program),
    ...io.args.map(shellQuote),
  ].join(" ");
}
