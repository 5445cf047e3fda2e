// Knowledge about models: the profile of a named model with its sources, and the servers that names can stand for.
import type { ProfileKeys } from "../core/profile.ts";
import { learnedKeys, type Lesson, lessonsOf } from "./learned.ts";
import { OPENAI_URL } from "./openai_client.ts";
import { profileOf, type ResolvedProfile } from "./profiles.ts";
import { type AgentSettings, providerOf, PROVIDERS, targetOf, userKeys } from "./registry.ts";

/** A model of a server, and what is known of the model. */
export interface KnownModel extends ResolvedProfile {
  /** The model, as the server knows it. */
  readonly model: string;
  /** The server's name in messages. */
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
  const user = { provider: userKeys(target) as ProfileKeys | undefined };
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
  const named = [...prefixes].map((prefix) => ({ prefix, ...providerOf(prefix, settings)! }));
  return [
    { prefix: "", label, baseUrl, apiKeyEnv: "OPENAI_API_KEY" },
    ...named.map(({ prefix, label, baseUrl, apiKeyEnv }) => ({
      prefix,
      label,
      baseUrl,
      apiKeyEnv,
    })),
  ];
}
