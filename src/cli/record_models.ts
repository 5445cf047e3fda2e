// Settings of the models that a command asks about a record, with the permissions that they need.
import { parseConfig } from "../config/config.ts";
import type { ConveningConfig } from "../config/convening_config.ts";
import { hostsOf } from "../inputs/servers.ts";
import { type Convening, openConvening } from "../operations/convening.ts";
import type { JudgeOptions } from "../operations/judge.ts";
import type { Invocation } from "./command.ts";
import { takeUp } from "./commands/continuing.ts";
import { archiveOf, directoryOf } from "./directory.ts";
import type { Flag } from "./flag.ts";
import { requirePermissions } from "./permissions.ts";
import type { Session } from "./session.ts";
import { flagSettings, keyRules } from "./settings.ts";
import { variablesOf } from "./start.ts";

interface AskedRecord {
  readonly dir: string;
  readonly convening: Convening;
  readonly settings: Omit<JudgeOptions, "judges">;
}

/** The record of the first argument, and the settings of models by the record and the flags. */
export async function recordModels(
  invocation: Invocation,
  session: Session,
  { flags, models, writes }: {
    readonly flags: readonly Flag<unknown>[];
    /** The models that are asked; undefined stands for the convening's. */
    readonly models: (convening: Convening) => readonly (string | undefined)[];
    /** True where the record is written to. */
    readonly writes: boolean;
  },
): Promise<AskedRecord> {
  const { io, catalogue, signal } = session;
  const dir = await directoryOf(invocation, session);
  requirePermissions(io, { reads: [dir] });
  const convening = await openConvening(dir);
  const { model, baseUrl, providers, limits, retry } = parseConfig({
    kind: "debate",
    topic: convening.start.topic,
    ...picked(convening.start.configuration, ["model", "baseUrl", "providers"]),
    ...picked(flagSettings(invocation, flags), ["baseUrl", "limits", "retry"]),
  });
  const asked: Partial<ConveningConfig> = {
    kind: "debate",
    model,
    baseUrl,
    providers,
    participants: [],
    judges: models(convening).map((each) => ({ model: each })),
  };
  const rules = keyRules(invocation, session, { ofRecord: true });
  requirePermissions(io, {
    hosts: hostsOf(asked, { env: io.env, catalogue, ...rules }),
    reads: [dir],
    variables: variablesOf(asked),
    ...writes ? { writes: archiveOf(dir) } : {},
  });
  takeUp(convening, session);
  const settings = { baseUrl, providers, limits, retry, env: io.env, signal, catalogue, ...rules };
  return { dir, convening, settings };
}

function picked(from: Readonly<Record<string, unknown>>, keys: readonly string[]): object {
  return Object.fromEntries(
    keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]]),
  );
}
