// Finds model servers on this machine, LM Studio, Ollama, llama.cpp and vLLM, at their default ports, and lists their models.
import { z } from "zod";
import { bodyText } from "../core/text.ts";
import { distinctBy, jsonIn } from "../core/values.ts";
import { PROVIDERS } from "./registry.ts";

/** A server that answered. */
interface LocalServer {
  /** Prefix of the names of the server's models, such as `ollama`. */
  readonly provider: LocalProvider;
  readonly label: string;
  readonly origin: string;
  /** Models; loaded models first. */
  readonly models: readonly LocalModel[];
}

interface LocalModel {
  readonly id: string;
  /** Context window in tokens that the model was loaded with; undefined if the server does not report it. */
  readonly window?: number | undefined;
}

/** Prefixes of local servers. */
export type LocalProvider = "lmstudio" | "ollama" | "llamacpp" | "llama-server" | "vllm";

/** Timeout in milliseconds of a request to a server that may not exist. */
const PROBE_TIME = 300;
/** Timeout in milliseconds of a request to a server that exists but may be busy. */
const ANSWER_TIME = 5000;
const LIST_BYTES = 8_000_000;

/** Reads a path of a server as JSON; undefined if no server answers or the response does not fit the schema. */
type Read = <T>(path: string, schema: z.ZodType<T>) => Promise<T | undefined>;

/** Lists a server's models; undefined if no server of this product answers. */
type List = (read: Read) => Promise<readonly LocalModel[] | undefined>;

const tokens = z.int().min(1).optional().catch(undefined);
const id = z.string().min(1);

/** Lists of the known products, by provider. */
const LISTS: Readonly<Record<LocalProvider, List>> = {
  async lmstudio(read) {
    const listed = await read(
      "/api/v0/models",
      z.object({
        data: z.array(
          z.looseObject({
            id,
            type: z.string().optional(),
            state: z.string().optional(),
            loaded_context_length: tokens,
          }),
        ),
      }),
    );
    return listed?.data.filter(({ type }) => type !== "embeddings")
      .sort((a, b) => Number(b.state === "loaded") - Number(a.state === "loaded"))
      .map(({ id, loaded_context_length: window }) => ({ id, window }));
  },
  async ollama(read) {
    if (await read("/api/version", z.looseObject({ version: z.string() })) === undefined) {
      return undefined;
    }
    const details = z.looseObject({ family: z.string() }).optional().catch(undefined);
    const model = z.looseObject({ name: id, context_length: tokens, details });
    const list = z.object({ models: z.array(model) });
    const [loaded, all] = await Promise.all([read("/api/ps", list), read("/api/tags", list)]);
    const listed = [...loaded?.models ?? [], ...all?.models ?? []];
    return distinctBy(listed, ({ name }) => name)
      // Models for embeddings write no text.
      .filter(({ name, details }) => !/embed|bert/i.test(`${name} ${details?.family}`))
      .map(({ name, context_length: window }) => ({ id: name, window }));
  },
  async llamacpp(read) {
    const props = await read(
      "/props",
      z.looseObject({ default_generation_settings: z.looseObject({ n_ctx: tokens }) }),
    );
    if (props === undefined) return undefined;
    // A router of several models names their states, and loads a model for minutes.
    const status = z.looseObject({ value: z.string() }).optional().catch(undefined);
    const meta = z.looseObject({ n_ctx: tokens }).optional().catch(undefined);
    const model = z.looseObject({ id, status, meta });
    const listed = await read("/v1/models", z.object({ data: z.array(model) }));
    const window = props.default_generation_settings.n_ctx;
    return listed?.data
      .sort((a, b) => Number(b.status?.value === "loaded") - Number(a.status?.value === "loaded"))
      .map(({ id, meta }) => ({ id, window: meta?.n_ctx ?? window })) ?? [];
  },
  "llama-server": (read) => LISTS.llamacpp(read),
  async vllm(read) {
    const model = z.looseObject({ id, max_model_len: tokens });
    const listed = await read("/v1/models", z.object({ data: z.array(model) }));
    const models = listed?.data.map(({ id, max_model_len: window }) => ({ id, window }));
    // Adapters of a model are listed without a window.
    return models?.some(({ window }) => window !== undefined) ? models : undefined;
  },
};

/** The products with label and usual address, in the order in which they are preferred. */
export const LOCAL_SERVERS = (Object.keys(LISTS) as LocalProvider[]).map((provider) => {
  const { label, baseUrl } = PROVIDERS[provider];
  const { origin, host, port } = new URL(baseUrl);
  return { provider, label, origin, host, port };
});

/** Options of {@linkcode findLocalServers}. */
interface LocalOptions {
  /** Origins by provider; only these servers are probed. @default all providers at their default ports */
  readonly origins?: Readonly<Partial<Record<LocalProvider, string>>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Timeout of each request in milliseconds. @default 300 */
  readonly time?: number;
}

/** Probes local servers in parallel; returns those that answer, in the order LM Studio, Ollama, llama.cpp, vLLM. */
export async function findLocalServers(
  { origins, signal, time = PROBE_TIME }: LocalOptions = {},
): Promise<readonly LocalServer[]> {
  const asked = await Promise.all(LOCAL_SERVERS.map(async ({ provider, label, origin: usual }) => {
    if (origins !== undefined && origins[provider] === undefined) return [];
    const origin = origins?.[provider] ?? usual;
    const models = await LISTS[provider]((path, schema) =>
      readJson(`${origin}${path}`, schema, { signal, time })
    );
    return models === undefined ? [] : [{ provider, label, origin, models }];
  }));
  return asked.flat();
}

/** Returns the context window in tokens that a server loaded a model with; undefined if the server does not report it. */
export async function loadedWindow(
  provider: LocalProvider,
  { origin, model, signal }: Pick<LocalOptions, "signal"> & {
    readonly origin: string;
    readonly model: string;
  },
): Promise<number | undefined> {
  const [server] = await findLocalServers({
    origins: { [provider]: origin },
    signal,
    time: ANSWER_TIME,
  });
  // Ollama lists every model with a tag.
  return server?.models.find(({ id }) => id === model || id === `${model}:latest`)?.window;
}

/** Asks llama.cpp for the number of requests that it works on at once; 2 if the server does not report it. */
export async function totalSlots(origin: string, apiKey: string): Promise<number> {
  const props = z.looseObject({ total_slots: tokens });
  const found = await readJson(`${origin}/props`, props, { apiKey });
  return found?.total_slots ?? 2;
}

async function readJson<T>(
  url: string,
  schema: z.ZodType<T>,
  { signal, time = ANSWER_TIME, apiKey = "" }: LocalOptions & { readonly apiKey?: string },
): Promise<T | undefined> {
  try {
    const response = await globalThis.fetch(url, {
      headers: apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` },
      redirect: "manual",
      signal: AbortSignal.any([AbortSignal.timeout(time), ...signal ? [signal] : []]),
    });
    const text = await bodyText(response, LIST_BYTES) ?? "";
    return response.ok ? schema.safeParse(jsonIn(text)).data : undefined;
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}
