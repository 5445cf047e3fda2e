// Profiles of models: the defaults of `models.json`, then the row of the server, then the first row whose pattern matches the
// model's id without vendor, tag and date, then what was learned, then the user's own keys. A family's last row stands for
// models that came after the table, and a row's `like` names keys that rows share; windows and outputs are tokens.
import type { Profile, ProfileKeys, ProfileTable } from "../core/profile.ts";
import { memo } from "../core/values.ts";
import data from "../data/models.json" with { type: "json" };
import { learnedKeys, type Lesson, lessonsOf } from "./learned.ts";
import { OPENAI_URL } from "./openai_client.ts";
import { type AgentSettings, providerOf, PROVIDERS, targetOf, userKeys } from "./registry.ts";

/** The name of a model and its server, and what is known besides the rows. */
export interface ProfileOptions {
  readonly model: string;
  readonly baseUrl: string;
  /** The provider's name before the colon, such as `ollama`. @default the row of the base URL's origin */
  readonly provider?: string | undefined;
  /** Keys that the server taught. @default none */
  readonly learned?: ProfileKeys | undefined;
  /** Keys of the user. @default none */
  readonly user?: ProfileKeys | undefined;
}

/** A profile, and where each key comes from. */
export interface ResolvedProfile {
  readonly profile: Profile;
  /** From a key to its source, such as `defaults`, `server openai` or `learned`. */
  readonly from: Readonly<Record<string, string>>;
}

const table = memo(() => {
  // A test holds the file to its schema.
  const { defaults, servers, shapes, models } = data as unknown as ProfileTable;
  const rows = models.map(({ match, like = "", ...keys }) => ({
    match,
    pattern: new RegExp(match, "i"),
    keys: { ...shapes[like], ...keys },
  }));
  return { defaults, servers, rows };
});

/** The profile of a model: defaults < server < model < learned < the user's. */
export function profileOf(
  { model, baseUrl, provider, learned, user }: ProfileOptions,
): ResolvedProfile {
  const { defaults, rows } = table();
  const id = plainId(model);
  const row = rows.find(({ pattern }) => pattern.test(id));
  const known = [
    { source: "defaults", keys: defaults },
    serverRow(provider, baseUrl),
    row && { source: `model ${row.match}`, keys: row.keys },
    learned && { source: "learned", keys: learned },
    user && { source: "user's provider", keys: user },
  ].filter((each) => each !== undefined);
  return {
    profile: Object.assign({}, ...known.map(({ keys }) => keys)),
    from: Object.fromEntries(
      known.flatMap(({ source, keys }) => Object.keys(keys).map((key) => [key, source])),
    ),
  };
}

/** The id after the vendor, without tag and date; `claude-opus-4.6` is `claude-opus-4-6`. */
function plainId(model: string): string {
  return model.split("/").at(-1)!
    .replace(/:.*$/, "")
    .replace(/-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, "")
    .replace(/(claude-.*\d)\.(\d)/, "$1-$2");
}

/** The row of a server: by the provider's name, else by the longest address that the base URL begins with. */
function serverRow(provider: string | undefined, baseUrl: string) {
  const { servers } = table();
  const names = Object.keys(servers).filter((name) =>
    `${baseUrl.replace(/\/+$/, "").replace("://localhost", "://127.0.0.1")}/`
      .startsWith(`${servers[name]!.origin}/`)
  ).sort((a, b) => servers[b]!.origin.length - servers[a]!.origin.length);
  const name = provider !== undefined && Object.hasOwn(servers, provider) ? provider : names[0];
  if (name === undefined) return undefined;
  const { origin: _, ...keys } = servers[name]!;
  return { source: `server ${name}`, keys };
}

/** A model of a server, and what is known of the model. */
export interface KnownModel extends ResolvedProfile {
  readonly model: string;
  readonly provider: string;
  /** Address of the server, its `/v1` included. */
  readonly baseUrl: string;
  /** The lessons of the model that are not too old. */
  readonly lessons: readonly Lesson[];
}

/** The knowledge about a named model; undefined for a name of no server. Fails as `resolveAgent` does for an unknown name. */
export function knownModel(name: string, settings: AgentSettings): KnownModel | undefined {
  const target = targetOf(name, settings);
  if (target.type === "built-in") return undefined;
  const { model, provider, baseUrl, prefix } = target;
  const { origin } = new URL(baseUrl);
  const lessons = lessonsOf(origin, model);
  const learned = learnedKeys(origin, model);
  const user = userKeys(target) as ProfileKeys | undefined;
  const resolved = profileOf({ model, baseUrl, provider: prefix, learned, user });
  return { model, provider, baseUrl, lessons, ...resolved };
}

/** A server that names can stand for. */
export interface KnownServer {
  /** The name before the colon; empty for the server of names without a prefix. */
  readonly prefix: string;
  readonly label: string;
  /** Its `/v1` included. */
  readonly baseUrl: string;
  /** The environment variable of its key. @default none is needed */
  readonly apiKeyEnv?: string | undefined;
}

/** The servers that names can stand for: that of names without a prefix, the built-in ones, those of the settings. */
export function knownServers(settings: AgentSettings): KnownServer[] {
  const target = targetOf("model", settings);
  const baseUrl = target.type === "server" ? target.baseUrl : OPENAI_URL;
  const label = target.type === "server" ? target.provider : "OpenAI";
  const prefixes = new Set([...Object.keys(PROVIDERS), ...Object.keys(settings.providers ?? {})]);
  const named = [...prefixes].map((prefix) => {
    const { label, baseUrl, apiKeyEnv } = providerOf(prefix, settings)!;
    return { prefix, label, baseUrl, apiKeyEnv };
  });
  return [{ prefix: "", label, baseUrl, apiKeyEnv: "OPENAI_API_KEY" }, ...named];
}
