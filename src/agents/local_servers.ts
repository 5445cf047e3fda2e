// Model servers of this machine: LM Studio, Ollama, llama.cpp and vLLM at their usual ports, and the models that they have.
import { z } from "zod";
import { bodyText } from "../core/text.ts";
import { jsonIn } from "../core/values.ts";

/** A server of this machine that answered. */
export interface LocalServer {
  /** The prefix of its models' names, such as `ollama`. */
  readonly provider: LocalProvider;
  readonly label: string;
  readonly origin: string;
  /** Its models; loaded ones first. */
  readonly models: readonly LocalModel[];
}

export interface LocalModel {
  readonly id: string;
  /** Tokens of the window that the model was loaded with; undefined where the server does not say. */
  readonly window?: number | undefined;
}

/** The prefixes of local servers, in the order of trial. */
export type LocalProvider = "lmstudio" | "ollama" | "llamacpp" | "vllm";

/** Milliseconds for each request to a server that may not be there. */
const PROBE_TIME = 300;
/** Milliseconds for each request to a server that has answered before: one that is busy takes longer. */
const ANSWER_TIME = 5000;
const LIST_BYTES = 8_000_000;

/** Reads a path of a server as JSON; undefined where nothing answers, or something else does. */
type Read = <T>(path: string, schema: z.ZodType<T>) => Promise<T | undefined>;

interface Probe {
  readonly label: string;
  readonly origin: string;
  /** The server's models; undefined where no server of this product answers. */
  models(read: Read): Promise<readonly LocalModel[] | undefined>;
}

const tokens = z.int().min(1).optional().catch(undefined);
const id = z.string().min(1);

/** The servers that are looked for, by the provider's name. */
export const LOCAL_SERVERS: Readonly<Record<LocalProvider, Probe>> = {
  lmstudio: {
    label: "LM Studio",
    origin: "http://127.0.0.1:1234",
    async models(read) {
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
  },
  ollama: {
    label: "Ollama",
    origin: "http://127.0.0.1:11434",
    async models(read) {
      if (await read("/api/version", z.looseObject({ version: z.string() })) === undefined) {
        return undefined;
      }
      const model = z.looseObject({ name: id, context_length: tokens });
      const list = z.object({ models: z.array(model) });
      const [loaded, all] = await Promise.all([read("/api/ps", list), read("/api/tags", list)]);
      const listed = [...loaded?.models ?? [], ...all?.models ?? []];
      return listed
        .filter(({ name }, at) => listed.findIndex((each) => each.name === name) === at)
        .map(({ name, context_length: window }) => ({ id: name, window }));
    },
  },
  llamacpp: {
    label: "llama.cpp",
    origin: "http://127.0.0.1:8080",
    async models(read) {
      const props = await read(
        "/props",
        z.looseObject({ default_generation_settings: z.looseObject({ n_ctx: tokens }) }),
      );
      if (props === undefined) return undefined;
      const listed = await read("/v1/models", z.object({ data: z.array(z.looseObject({ id })) }));
      const window = props.default_generation_settings.n_ctx;
      return listed?.data.map(({ id }) => ({ id, window })) ?? [];
    },
  },
  vllm: {
    label: "vLLM",
    origin: "http://127.0.0.1:8000",
    async models(read) {
      const model = z.looseObject({ id, max_model_len: z.int().min(1) });
      const listed = await read("/v1/models", z.object({ data: z.array(model) }));
      return listed?.data.map(({ id, max_model_len: window }) => ({ id, window }));
    },
  },
};

export interface LocalOptions {
  /** Other addresses than the usual ones, by provider; only these are asked. */
  readonly origins?: Readonly<Partial<Record<LocalProvider, string>>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for each request. @default 300 */
  readonly time?: number;
}

/** The servers that answer, in the order LM Studio, Ollama, llama.cpp, vLLM. */
export async function findLocalServers(
  { origins, signal, time = PROBE_TIME }: LocalOptions = {},
): Promise<readonly LocalServer[]> {
  const providers = (Object.keys(LOCAL_SERVERS) as LocalProvider[])
    .filter((provider) => origins === undefined || origins[provider] !== undefined);
  const asked = await Promise.all(providers.map(async (provider) => {
    const { label, origin: usual, models: ask } = LOCAL_SERVERS[provider];
    const origin = origins?.[provider] ?? usual;
    const models = await ask((path, schema) =>
      readJson(`${origin}${path}`, schema, { signal, time })
    );
    return models === undefined ? [] : [{ provider, label, origin, models }];
  }));
  return asked.flat();
}

/** The window that a server loaded a model with; undefined where the server does not say. */
export async function loadedWindow(
  provider: LocalProvider,
  { origin, model, signal }: {
    readonly origin: string;
    readonly model: string;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<number | undefined> {
  const [server] = await findLocalServers({
    origins: { [provider]: origin },
    signal,
    time: ANSWER_TIME,
  });
  // Ollama lists every name with a tag.
  return server?.models.find(({ id }) => id === model || id === `${model}:latest`)?.window;
}

async function readJson<T>(
  url: string,
  schema: z.ZodType<T>,
  { signal, time }: { readonly signal: AbortSignal | undefined; readonly time: number },
): Promise<T | undefined> {
  const late = AbortSignal.timeout(time);
  try {
    const response = await globalThis.fetch(url, {
      redirect: "manual",
      signal: signal === undefined ? late : AbortSignal.any([late, signal]),
    });
    const text = await bodyText(response, LIST_BYTES) ?? "";
    return response.ok ? schema.safeParse(jsonIn(text)).data : undefined;
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}
