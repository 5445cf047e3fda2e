// Local model servers, found through imitations of each product's API.
import assert from "node:assert/strict";
import { findLocalServers } from "../../src/agents/local_servers.ts";
import { useLocalModel, withLocalModel } from "../../src/cli/cast_flags.ts";
import { FlagValues } from "../../src/cli/flag.ts";
import { ADVOCATE_MODEL, BASE_URL, MODEL } from "../../src/cli/flags.ts";
import { Session } from "../../src/cli/session.ts";
import { type Io, processIo } from "../../src/cli/io.ts";
import { requirePermissions } from "../../src/cli/permissions.ts";
import { ConfigurationError } from "../../src/core/error.ts";
import { serveLocally } from "../support/local_server.ts";

/** Timeout in milliseconds of a request that is answered: a busy machine may take longer than the program would wait. */
const PATIENCE = 60_000;

/** Responses of each product by path. */
const PRODUCTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  lmstudio: {
    "/api/v0/models": {
      object: "list",
      data: [
        { id: "embedder", type: "embeddings", state: "loaded", max_context_length: 2048 },
        { id: "big", type: "llm", state: "not-loaded", max_context_length: 131072 },
        {
          id: "qwen3-8b",
          type: "llm",
          state: "loaded",
          max_context_length: 32768,
          loaded_context_length: 8192,
        },
      ],
    },
  },
  ollama: {
    "/api/version": { version: "0.12.0" },
    "/api/ps": {
      models: [
        { name: "bge-m3:latest", context_length: 8192, details: { family: "bert" } },
        { name: "llama3.2:latest", context_length: 4096, details: { family: "llama" } },
      ],
    },
    "/api/tags": { models: [{ name: "gemma3:4b" }, { name: "llama3.2:latest" }] },
  },
  llamacpp: {
    "/props": { default_generation_settings: { n_ctx: 16384 }, total_slots: 2 },
    "/v1/models": { data: [{ id: "model.gguf", owned_by: "llamacpp", meta: null }] },
  },
  router: {
    "/props": { role: "router", default_generation_settings: { params: null, n_ctx: 0 } },
    "/v1/models": {
      data: [
        { id: "alpha", owned_by: "llamacpp", status: { value: "unloaded" }, context_length: 16384 },
        { id: "beta", owned_by: "llamacpp", status: { value: "loaded" }, meta: { n_ctx: 8192 } },
      ],
    },
  },
  vllm: {
    "/v1/models": {
      data: [
        { id: "Qwen/Qwen3-8B", max_model_len: 40960 },
        { id: "sql-lora", parent: "Qwen/Qwen3-8B", max_model_len: null },
      ],
    },
  },
};

/** Starts a server that answers some paths and hangs or fails at all others. */
function serve(answers: Readonly<Record<string, unknown>>): AsyncDisposable & { origin: string } {
  const server = serveLocally(
    ({ url }) => {
      const answer = answers[new URL(url).pathname];
      return answer === undefined
        ? new Response("nothing here", { status: 404 })
        : Response.json(answer);
    },
  );
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

for (
  const [provider, models, mode = ""] of [
    ["lmstudio", [{ id: "qwen3-8b", window: 8192 }, { id: "big", window: undefined }]],
    ["ollama", [{ id: "llama3.2:latest", window: 4096 }, { id: "gemma3:4b", window: undefined }]],
    ["llamacpp", [{ id: "model.gguf", window: 16384 }]],
    ["llama-server", [{ id: "model.gguf", window: 16384 }], "llamacpp"],
    ["llamacpp", [{ id: "beta", window: 8192 }, { id: "alpha", window: undefined }], "router"],
    ["vllm", [{ id: "Qwen/Qwen3-8B", window: 40960 }, { id: "sql-lora", window: undefined }]],
  ] as const
) {
  Deno.test(`findLocalServers() finds ${provider}${mode && ` as ${mode}`} with loaded models first and their context windows`, async () => {
    await using server = serve(PRODUCTS[mode || provider]!);
    const origins = { [provider]: server.origin };
    const [found, ...more] = await findLocalServers({ origins, time: PATIENCE });
    assert.deepEqual(more, []);
    assert.equal(found?.provider, provider);
    assert.deepEqual(
      found?.models.map(({ id, window }) => ({ id, window })),
      models.map((each) => ({ ...each })),
    );
  });
}

Deno.test("findLocalServers() omits closed ports, silent servers and other programs", async () => {
  await using other = serve({ "/api/v0/models": "hello" });
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  try {
    const silent = `http://127.0.0.1:${listener.addr.port}`;
    const origins = { lmstudio: other.origin, ollama: "http://127.0.0.1:1", vllm: silent };
    assert.deepEqual(await findLocalServers({ origins }), []);
  } finally {
    listener.close();
  }
});

Deno.test("The servers are tried in the documented order", async () => {
  await using vllm = serve(PRODUCTS.vllm);
  await using ollama = serve(PRODUCTS.ollama);
  const origins = { vllm: vllm.origin, ollama: ollama.origin };
  const found = await findLocalServers({ origins, time: PATIENCE });
  assert.deepEqual(found.map(({ label }) => label), ["Ollama", "vLLM"]);
});

/** Returns flags with `local`, and a session that keeps its notes. */
function asked(flags: readonly (readonly [typeof MODEL, string])[]) {
  const values = new FlagValues();
  for (const [flag, value] of flags) values.add(flag, value);
  const lines: string[] = [];
  const io: Io = {
    ...processIo(),
    env: () => undefined,
    permitted: ({ name }) => name !== "write",
    err: (text) => void lines.push(text),
  };
  return { invocation: { args: [], values }, session: new Session(io), lines };
}

const FOUND = [
  { provider: "lmstudio", label: "LM Studio", origin: "http://127.0.0.1:1234", models: [] },
  {
    provider: "ollama",
    label: "Ollama",
    origin: "http://127.0.0.1:11434",
    models: [{ id: "llama3.2", window: 4096 }],
  },
] as const;

Deno.test("--model local uses the first server with a model, for each model flag, and prints the choice", async () => {
  const advocate = ADVOCATE_MODEL as unknown as typeof MODEL;
  const { invocation, session, lines } = asked([
    [MODEL, "local"],
    [advocate, "local"],
    [advocate, "offline"],
  ]);
  await useLocalModel(invocation, session, () => Promise.resolve(FOUND));
  assert.equal(invocation.values.get(MODEL), "ollama:llama3.2");
  assert.deepEqual(invocation.values.get(ADVOCATE_MODEL), ["ollama:llama3.2", "offline"]);
  assert.match(
    lines.join(""),
    /Local model: ollama:llama3\.2 \(Ollama at http:\/\/127\.0\.0\.1:11434, with a window of 4,096 tokens\)/,
  );
  // The printed command asks all servers again.
  assert.throws(
    () => requirePermissions(session.io, { hosts: ["127.0.0.1:11434"], writes: "/elsewhere" }),
    ({ hint }: ConfigurationError) =>
      /--allow-net=127\.0\.0\.1:1234,127\.0\.0\.1:11434,127\.0\.0\.1:8080,\S+ .*--allow-write=\/elsewhere /
        .test(hint!),
  );
});

Deno.test("--model local without a server, or without a model, prints what to start", async () => {
  for (
    const [found, says, hint] of [
      [
        [],
        /no model server of this machine answers/,
        /Ollama \(11434\).*--base-url.*OPENAI_API_KEY/,
      ],
      [FOUND.slice(0, 1), /LM Studio has no model/, /Load a model/],
    ] as const
  ) {
    const { invocation, session } = asked([[MODEL, "local"]]);
    await assert.rejects(
      useLocalModel(invocation, session, () => Promise.resolve(found)),
      (error: unknown) => {
        assert.ok(error instanceof ConfigurationError);
        assert.match(error.message, says);
        assert.match(error.hint!, hint);
        return true;
      },
    );
  }
});

Deno.test("local in the settings of any role is a model of this machine, and other names do not change", async () => {
  const { session, lines } = asked([]);
  const settings = {
    model: "local",
    judges: [{ model: "local" }, { model: "gpt-4o" }],
    participants: [{ name: "local", model: "local" }],
    moderatorModel: "local",
    embeddingModel: "local",
  };
  const name = "ollama:llama3.2";
  assert.deepEqual(await withLocalModel(settings, session, () => Promise.resolve(FOUND)), {
    model: name,
    judges: [{ model: name }, { model: "gpt-4o" }],
    participants: [{ name: "local", model: name }],
    moderatorModel: name,
    embeddingModel: "local",
  });
  assert.equal(lines.length, 1);
  const own = { ...settings, baseUrl: "http://127.0.0.1:9931/v1" };
  const notAsked = () => Promise.reject(new Error("asked"));
  assert.equal(await withLocalModel(own, session, notAsked), own);
});

Deno.test("With a base URL, local is the name of a model on that server", async () => {
  const { invocation, session } = asked([[MODEL, "local"], [BASE_URL, "http://127.0.0.1:9931/v1"]]);
  await useLocalModel(invocation, session, () => Promise.reject(new Error("asked")));
  assert.equal(invocation.values.get(MODEL), "local");
});
