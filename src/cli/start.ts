import { composeConvening, defaultModel, hostsOf } from "../compose.ts";
import type { ConveningConfig } from "../core/config.ts";
import type { Invocation, Reply } from "./command.ts";
import type { Flag } from "./flag.ts";
import { DRY_RUN } from "./flags.ts";
import { requirePermissions } from "./permissions.ts";
import { planReply } from "./plan_reply.ts";
import { runConvening } from "./run_convening.ts";
import type { Session } from "./session.ts";
import { readSettings } from "./settings.ts";

/** What {@linkcode start} needs besides what it was given. */
export interface StartOptions {
  /** The flags of the command. */
  readonly flags: readonly Flag<unknown>[];
  readonly session: Session;
}

/** Runs a new convening, or with `--dry-run` says what it would do. */
export async function start(
  kind: ConveningConfig["kind"],
  invocation: Invocation,
  { flags, session }: StartOptions,
): Promise<Reply> {
  const { io, signal } = session;
  const config = await readSettings(kind, invocation, { flags, session });
  const variables = keyVariables(config);
  requirePermissions(io, { reads: config.sources ?? [], variables });
  const workflow = await composeConvening(config, { env: io.env, signal });
  if (invocation.values.get(DRY_RUN) === true) {
    return planReply(config, await workflow.plan());
  }
  requirePermissions(io, {
    hosts: hostsOf(config, { env: io.env }),
    reads: config.sources ?? [],
    writes: config.out ?? io.folder,
    variables,
  });
  if (config.model === undefined && defaultModel({ ...config, env: io.env }) === "offline") {
    session.note(NO_KEY);
  }
  return await runConvening(workflow, session);
}

const NO_KEY =
  "No model is set up, so the offline writer speaks: set OPENAI_API_KEY, or give --base-url and --model.";

/** The variables that hold the keys of the configured providers that are used. */
export function keyVariables(config: Partial<ConveningConfig>): string[] {
  const used = new Set(
    modelsOf(config).map((model) => model.slice(0, Math.max(0, model.indexOf(":")))),
  );
  return Object.entries(config.providers ?? {}).flatMap(([name, { apiKeyEnv }]) =>
    used.has(name) && apiKeyEnv !== undefined ? [apiKeyEnv] : []
  );
}

function modelsOf(config: Partial<ConveningConfig>): string[] {
  const debate = config.kind === "debate" ? config : {};
  return [
    config.model,
    debate.moderatorModel,
    ...(config.participants ?? []).map(({ model }) => model),
    ...(debate.judges ?? []).map(({ model }) => model),
  ].filter((model) => model !== undefined);
}
