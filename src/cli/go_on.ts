import { hostsOf, serversOf } from "../inputs/servers.ts";
import type { Convening } from "../operations/convening.ts";
import type { ConveningConfig } from "../config/convening_config.ts";
import type { Invocation } from "./command.ts";
import { refuseNewQuestion } from "./contradictions.ts";
import { archiveOf } from "./directory.ts";
import type { Flag } from "./flag.ts";
import { TIMEOUT } from "./flags.ts";
import { requirePermissions } from "./permissions.ts";
import type { RunPast } from "./run_convening.ts";
import type { Session } from "./session.ts";
import { keyRules, resumeSettings } from "./settings.ts";
import { noteSearch, variablesOf, withPersonTime } from "./start.ts";

/** A convening's recorded settings with the flags over them; what going on with it takes is checked and noted. */
export function settingsToGoOn(
  convening: Convening,
  invocation: Invocation,
  { flags, session }: { readonly flags: readonly Flag<unknown>[]; readonly session: Session },
): ConveningConfig {
  const { io } = session;
  const { dir, start } = convening;
  refuseNewQuestion(convening, invocation.values);
  const config = resumeSettings(start.configuration, invocation, { flags, session });
  const { catalogue } = session;
  const rules = { env: io.env, catalogue, ...keyRules(invocation, { ofRecord: true }) };
  requirePermissions(io, {
    hosts: hostsOf(config, rules),
    reads: [dir],
    variables: variablesOf(config),
    writes: archiveOf(dir),
  });
  noteServers(serversOf(config, rules), session);
  noteSearch(config, session);
  const isRecorded = invocation.values.get(TIMEOUT) === undefined;
  return withPersonTime(config, session, { isRecorded });
}

/** Says which addresses are used, and which key goes where. */
function noteServers(servers: ReturnType<typeof serversOf>, session: Session): void {
  const shown = servers.map(({ url, apiKeyEnv }) =>
    apiKeyEnv === undefined ? url : `${url} (with ${apiKeyEnv})`
  );
  if (shown.length > 0) session.note(`Addresses: ${[...new Set(shown)].join(", ")}`);
}

/** Keeps a convening at hand: its directory, where it stands, and the names of those who take part. */
export function takeUp({ dir, start, facts, result }: Convening, session: Session): void {
  session.dir = dir;
  session.follow(start, facts);
  session.ending = result;
  for (const { id, name } of start.participants) session.names.set(id, name);
}

/** What a run of a convening that is gone on with follows on from. */
export function pastOf({ messages, start }: Convening): RunPast {
  return { said: messages, start };
}
