// The model `local` of flags and configurations: the first model server of this machine that answers, named by its own prefix from then on.
import { findLocalServers, LOCAL_SERVERS, type LocalServer } from "../agents/local_servers.ts";
import { LOCAL } from "../agents/registry.ts";
import { ConfigurationError } from "../core/error.ts";
import { plainLine } from "../core/text.ts";
import { isPlain, type Plain } from "./cast_flags.ts";
import type { Invocation } from "./command.ts";
import { ADVOCATE_MODEL, BASE_URL, JUDGE_MODEL, MODEL, MODERATOR_MODEL } from "./flags.ts";
import { requirePermissions } from "./permissions.ts";
import type { Session } from "./session.ts";

const MODEL_FLAGS = [MODEL, MODERATOR_MODEL, ADVOCATE_MODEL, JUDGE_MODEL];

/**
 * Puts the name of a model of this machine in the place of `local` in the flags of models, and notes which. With a base
 * URL, `local` is that server's own name of a model. Fails with a `ConfigurationError` where no server answers with a model.
 */
export async function useLocalModel(
  { values }: Invocation,
  session: Session,
  find: typeof findLocalServers = findLocalServers,
): Promise<void> {
  const isAsked = values.replace(MODEL_FLAGS, { value: LOCAL, by: LOCAL });
  if (!isAsked || hasBaseUrl(values.get(BASE_URL), session)) return;
  values.replace(MODEL_FLAGS, { value: LOCAL, by: await localModel(session, find) });
}

/** Settings with the name of a model of this machine in the place of `local`, under the rules of {@linkcode useLocalModel}. */
export async function withLocalModel(
  settings: Plain,
  session: Session,
  find: typeof findLocalServers = findLocalServers,
): Promise<Plain> {
  if (hasBaseUrl(settings["baseUrl"], session)) return settings;
  return renamed(settings, await localModel(session, find)) as Plain;
}

/** A value with another name in the place of `local`, at every key of a speaking model. */
function renamed(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((each) => renamed(each, name));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      const isModel = key === "model" || key.endsWith("Model") && key !== "embeddingModel";
      return [key, isModel && each === LOCAL ? name : renamed(each, name)];
    }),
  );
}

function hasBaseUrl(given: unknown, { io }: Session): boolean {
  return (given ?? io.env("OPENAI_BASE_URL") ?? "") !== "";
}

/** The name of the first model of this machine; a note says which. */
async function localModel(session: Session, find: typeof findLocalServers): Promise<string> {
  const hosts = Object.values(LOCAL_SERVERS).map(({ origin }) => new URL(origin).host);
  requirePermissions(session.io, { hosts });
  const servers = await find({ signal: session.signal });
  const server = servers.find(({ models }) => models.length > 0);
  if (server === undefined) throw noServer(servers);
  const { id, window } = server.models[0]!;
  const name = `${server.provider}:${id}`;
  const size = window === undefined ? "" : `, with a window of ${window} tokens`;
  session.note(`Local model: ${plainLine(name)} (${server.label} at ${server.origin}${size})`);
  return name;
}

function noServer(servers: readonly LocalServer[]): ConfigurationError {
  const empty = servers.map(({ label }) => label).join(", ");
  const usual = Object.values(LOCAL_SERVERS)
    .map(({ label, origin }) => `${label} (${new URL(origin).port})`).join(", ");
  return new ConfigurationError(
    empty === ""
      ? "Cannot use model local: no model server of this machine answers"
      : `Cannot use model local: ${empty} has no model`,
    {
      field: "model",
      hint: empty === ""
        ? `Start one at its usual port: ${usual}. Or name another address: --base-url http://127.0.0.1:PORT/v1 --model NAME.`
        : "Load a model there first, such as: ollama pull llama3.2",
    },
  );
}
