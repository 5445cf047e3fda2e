// Profiles of models, merged with rising precedence from: the defaults of `models.json`, the row of the server, the first row whose
// pattern matches the model's id without vendor, tag and date, learned keys, and the user's keys. A family's last row covers models
// newer than the table; a row's `like` names shared keys. Windows and outputs are in tokens.
import type { Profile, ProfileKeys, ProfileTable } from "../core/profile.ts";
import { memo } from "../core/values.ts";
import data from "../data/models.json" with { type: "json" };
import { learnedKeys, type Lesson, lessonsOf, programs } from "./learned.ts";
import {
  plainTarget,
  profileRow,
  providerOf,
  PROVIDERS,
  type RegistrySettings,
  type ServerTarget,
  targetOf,
  userKeys,
} from "./registry.ts";

/** A model with its server, and keys that override the table. */
interface ProfileOptions {
  readonly model: string;
  readonly baseUrl: string;
  /** Provider's name before the colon, such as `ollama`. @default determined by the base URL */
  readonly provider?: string | undefined;
  /** Keys learned from the server's errors. @default none */
  readonly learned?: ProfileKeys | undefined;
  /** The user's keys. @default none */
  readonly user?: ProfileKeys | undefined;
}

interface ResolvedProfile {
  readonly profile: Profile;
  /** Source of each key, such as `defaults`, `server openai` or `learned`. */
  readonly from: Readonly<Record<string, string>>;
}

const table = memo(() => {
  // A test checks the file against its schema.
  const { defaults, servers, shapes, models } = data as unknown as ProfileTable;
  const rows = models.map(({ match, like = "", ...keys }) => ({
    match,
    pattern: new RegExp(match, "i"),
    keys: { ...shapes[like], ...keys },
  }));
  return { defaults, servers, rows };
});

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

/** Removes vendor, tag and date from a model's id, and normalizes `claude-opus-4.6` to `claude-opus-4-6`; Bedrock separates vendors by dots. */
function plainId(model: string): string {
  return model.split("/").at(-1)!
    .replace(/^(?:[\w-]+\.)?(?:anthropic|openai)\./, "")
    .replace(/:.*$/, "")
    .replace(/-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, "")
    .replace(/(claude-.*\d)\.(\d)/, "$1-$2");
}

/** Returns the row of a server, by the provider's name, else by the longest origin that is a prefix of the base URL. */
function serverRow(provider: string | undefined, baseUrl: string) {
  const { servers } = table();
  const names = Object.keys(servers).filter((name) =>
    `${baseUrl.replace(/\/+$/, "").replace("://localhost", "://127.0.0.1")}/`
      .startsWith(`${servers[name]!.origin}/`)
  ).sort((a, b) => servers[b]!.origin.length - servers[a]!.origin.length);
  const name = provider !== undefined && Object.hasOwn(servers, provider)
    ? provider
    : names[0] ?? programs.get(URL.parse(baseUrl)?.origin);
  if (name === undefined) return undefined;
  const { origin: _, ...keys } = servers[name]!;
  return { source: `server ${name}`, keys };
}

interface KnownModel extends ResolvedProfile {
  readonly model: string;
  readonly provider: string;
  /** Base URL of the server, including `/v1`. */
  readonly baseUrl: string;
  /** Lessons about the model that have not expired. */
  readonly lessons: readonly Lesson[];
}

/** Returns what is known of a named model; undefined for a built-in agent. Throws like `resolveAgent` for an unknown name. */
export function knownModel(name: string, settings: RegistrySettings): KnownModel | undefined {
  const target = targetOf(name, settings);
  if (target.type === "built-in") return undefined;
  const { model, label: provider, baseUrl } = target;
  const { origin } = new URL(baseUrl);
  const lessons = lessonsOf(origin, model);
  const learned = learnedKeys(origin, model);
  const user = userKeys(target) as ProfileKeys | undefined;
  const resolved = profileOf({ model, baseUrl, provider: profileRow(target), learned, user });
  return { model, provider, baseUrl, lessons, ...resolved };
}

/** A server that model names can refer to. */
interface KnownServer extends Pick<ServerTarget, "label" | "baseUrl" | "apiKeyEnv"> {
  /** Prefix before the colon; empty for the server of names without a prefix. */
  readonly prefix: string;
}

/** Returns all servers: that of names without a prefix, the built-in ones, and those of the settings. */
export function knownServers(settings: RegistrySettings): KnownServer[] {
  const { label, baseUrl } = plainTarget("model", settings);
  const prefixes = new Set([...Object.keys(PROVIDERS), ...Object.keys(settings.providers ?? {})]);
  const named = [...prefixes].map((prefix) => {
    const { label, baseUrl, apiKeyEnv } = providerOf(prefix, settings)!;
    return { prefix, label, baseUrl, apiKeyEnv };
  });
  return [{ prefix: "", label, baseUrl, apiKeyEnv: "OPENAI_API_KEY" }, ...named];
}
