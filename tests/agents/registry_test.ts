// Names of models: providers, API keys, adapters.
import assert from "node:assert/strict";
import {
  defaultModel,
  keyVariables,
  type RegistrySettings,
  serverOf,
} from "../../src/agents/registry.ts";
import { resolveAgent, resolveEmbedder } from "../../src/agents/named_agents.ts";
import { knownModel } from "../../src/agents/profiles.ts";
import { moderateTopic } from "../../src/agents/openai_endpoints.ts";
import { ConfigurationError } from "../../src/core/error.ts";
import { agentContract, turnRequest } from "../contracts/agent_contract.ts";
import { choiceOf } from "../record/support/fixtures.ts";
import { startModelServer } from "../support/model_server.ts";
import { startOwnProtocolServer } from "../support/own_protocol_server.ts";
import { serveLocally } from "../support/local_server.ts";

const keys = {
  OPENAI_API_KEY: "sk-openai",
  OPENROUTER_API_KEY: "sk-router",
  GOOGLE_API_KEY: "sk-google",
};

const variables = (values: Readonly<Record<string, string>>) => (name: string) => values[name];

agentContract('resolveAgent("offline")', () => ({ agent: resolveAgent("offline", {}) }));

Deno.test("resolveAgent() sends a plain name to the base URL with the API key and displays the name unchanged", async () => {
  await using server = await startModelServer();
  const agent = resolveAgent("llama3.2:1b", {
    env: variables({ ...keys, OPENAI_BASE_URL: "http://127.0.0.1:1/v1" }),
    baseUrl: server.url,
  });
  assert.equal(agent.model, "llama3.2:1b");
  await agent.reply(turnRequest());
  const [request] = server.requests;
  assert.equal(request?.body.model, "llama3.2:1b");
  assert.equal(request?.headers["authorization"], "Bearer sk-openai");
});

Deno.test("resolveAgent() needs no API key with a base URL and sends none", async () => {
  await using server = await startModelServer();
  const agent = resolveAgent("gpt-4o-mini", {
    env: variables({ OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "" }),
  });
  await agent.reply(turnRequest());
  assert.equal(server.requests[0]?.headers["authorization"], undefined);
});

Deno.test("resolveAgent() lets the provider's extraBody override its profile's, with each adapter", async () => {
  await using chat = await startModelServer();
  await using own = await startOwnProtocolServer([{ text: "Yes." }]);
  const more = { profile: { extraBody: { first: 1, second: 1 } }, extraBody: { second: 2 } };
  const settings: RegistrySettings = {
    providers: {
      mine: { baseUrl: chat.url, ...more },
      own: { baseUrl: `${own.origin}/v1`, adapter: "responses", ...more },
    },
    allowBaseUrls: [new URL(chat.url).host, new URL(own.origin).host],
  };
  for (const name of ["mine:small", "own:gpt-4o"]) {
    await resolveAgent(name, settings).reply(turnRequest());
  }
  for (const body of [chat.requests[0]!.body, own.requests[0]!.body]) {
    assert.partialDeepStrictEqual(body, { first: 1, second: 2 });
  }
});

Deno.test("An entry of a built-in provider without a base URL adds to the provider, for plain names too", async () => {
  const settings: RegistrySettings = {
    env: variables({ ...keys, ANTHROPIC_API_KEY: "sk-anthropic" }),
    providers: {
      anthropic: { profile: { window: 5000 } },
      openai: { models: { "gpt-5-mini": { window: 6000 } } },
    },
  };
  for (
    const [name, url, window] of [
      ["anthropic:claude-opus-5-5", "https://api.anthropic.com/v1", 5000],
      ["openai:gpt-5-mini", "https://api.openai.com/v1", 6000],
      ["gpt-5-mini", "https://api.openai.com/v1", 6000],
    ] as const
  ) {
    assert.equal(serverOf(name, settings)?.url, url);
    assert.equal(await resolveAgent(name, settings).window?.(), window, name);
    assert.equal(resolveAgent(name, settings).model, name);
  }
  const nowhere: RegistrySettings = {
    env: variables(keys),
    providers: { house: { maxConcurrency: 1 } },
  };
  assert.throws(() => resolveAgent("house:small", nowhere), {
    message: 'Cannot use the provider "house": it has no address',
    field: "providers.house.baseUrl",
  });
});

Deno.test("resolveAgent() gives a provider its own API key and its model without the prefix", async () => {
  await using server = await startModelServer();
  const settings: RegistrySettings = {
    env: variables({ ...keys, HOUSE_KEY: "house" }),
    providers: {
      openrouter: { baseUrl: server.url, apiKeyEnv: "OPENROUTER_API_KEY" },
      house: { baseUrl: server.url, apiKeyEnv: "HOUSE_KEY" },
      bare: { baseUrl: server.url },
    },
    allowBaseUrls: [new URL(server.url).host],
  };
  const names = ["openrouter:vendor/model:free", "house:small", "bare:small"];
  for (const name of names) {
    const agent = resolveAgent(name, settings);
    assert.equal(agent.model, name);
    await agent.reply(turnRequest());
  }
  assert.deepEqual(
    server.requests.map(({ body, headers }) => [body.model, headers["authorization"]]),
    [["vendor/model:free", "Bearer sk-router"], ["small", "Bearer house"], ["small", undefined]],
  );
});

const refusals: [string, Partial<RegistrySettings>, RegExp, RegExp][] = [
  ["gpt-4o-mini", {}, /OPENAI_API_KEY is not set/, /OPENAI_API_KEY/],
  ["openrouter:a/b", {}, /OPENROUTER_API_KEY is not set/, /OPENROUTER/],
  ["google:gemini", { env: variables({ GOOGLE_API_KEY: " " }) }, /GOOGLE_API_KEY/, /./],
  ["azure:gpt", { env: variables(keys) }, /no provider "azure"/, /ollama:MODEL.*replay/],
  ["offline:loud", {}, /no provider "offline"/, /offline/],
  ["ollama:", {}, /no model is named after "ollama:"/, /^$/],
  ["  ", {}, /it has no name/, /offline/],
  ["local", {}, /no model of this machine/, /ollama:NAME.*--model local on the command line/],
  ["replay:", {}, /no directory is named/, /replay:DIR/],
  ["m", { baseUrl: "ftp://host/v1" }, /not an http or https/, /http:/],
  ["m", { baseUrl: "http://me:pw@host/v1" }, /"http:\/\/…@host/, /keys/],
  ["m", { env: variables({ OPENAI_BASE_URL: "nowhere" }) }, /"nowhere"/, /http:/],
  ["x:m", { providers: { x: { baseUrl: "host" } } }, /base URL "host"/, /http:/],
  [
    "m",
    { env: variables({ OPENAI_API_KEY: "sk-1\nsk-2" }) },
    /OPENAI_API_KEY: .*no key has/,
    /alone/,
  ],
];

for (const [name, changes, message, hint] of refusals) {
  Deno.test(`resolveAgent() rejects "${name}" with ${JSON.stringify(changes)}`, () => {
    assert.throws(() => resolveAgent(name, changes), (error: unknown) => {
      assert.ok(error instanceof ConfigurationError);
      assert.match(error.message, message);
      assert.match(error.hint ?? "", hint);
      assert.doesNotMatch(`${error.message}${error.hint}`, /sk-1|pw@/);
      return true;
    });
  });
}

Deno.test("resolveAgent() reads a replay's directory at the first request, and again after a failure", async () => {
  const read: string[] = [];
  const { context } = turnRequest();
  const agent = resolveAgent("replay:convenings/2026/one_debate/", {
    replay: (dir) => {
      if (read.push(dir) === 1) return Promise.reject(new Error("Cannot read"));
      const facts = [choiceOf({ key: context.key, value: 1 })];
      return Promise.resolve({ model: "m", messages: new Map(), facts });
    },
  });
  assert.deepEqual([agent.model, read], ["replay:one_debate", []]);
  await assert.rejects(agent.reply(turnRequest()), /Cannot read/);
  assert.equal((await agent.reply(turnRequest())).text, "1");
  const other = turnRequest({ context: { ...context, key: "another" } });
  // Records and published sites keep the message, which therefore has no path.
  await assert.rejects(agent.reply(other), /nothing is recorded for it in replay:one_debate$/);
  assert.deepEqual(read, Array(2).fill("convenings/2026/one_debate/"));
});

Deno.test("defaultModel() is gpt-4o-mini with an API key or a base URL, else offline", () => {
  const baseUrl = "http://127.0.0.1:8080/v1";
  const unset: readonly Record<string, string>[] = [{}, { OPENAI_API_KEY: "" }];
  for (const values of unset) {
    assert.equal(defaultModel({ env: variables(values) }), "offline");
  }
  for (
    const given of [{ env: variables(keys) }, { baseUrl }, {
      env: variables({ OPENAI_BASE_URL: baseUrl }),
    }]
  ) {
    assert.equal(defaultModel(given), "gpt-4o-mini");
  }
});

Deno.test("serverOf() names the server that an agent will call", () => {
  const settings: RegistrySettings = {
    providers: { house: { baseUrl: "http://models.example/v1" } },
  };
  const cases: [string, RegistrySettings, string | undefined][] = [
    ["gpt-4o-mini", settings, "https://api.openai.com/v1"],
    ["gpt-4o-mini", { baseUrl: "http://[::1]:8080/v1" }, "http://[::1]:8080/v1"],
    ["openrouter:a/b", settings, "https://openrouter.ai/api/v1"],
    ["google:g", settings, "https://generativelanguage.googleapis.com/v1beta/openai/"],
    ["anthropic:c", settings, "https://api.anthropic.com/v1"],
    ["ollama:l", settings, "http://127.0.0.1:11434/v1"],
    ["llamacpp:l", settings, "http://127.0.0.1:8080/v1"],
    ["llama-server:l", settings, "http://127.0.0.1:9931/v1"],
    ["house:m", settings, "http://models.example/v1"],
    ["local", { baseUrl: "http://127.0.0.1:9/v1" }, "http://127.0.0.1:9/v1"],
    ["offline", settings, undefined],
    ["replay:dir", settings, undefined],
  ];
  for (const [name, each, url] of cases) {
    assert.equal(serverOf(name, each)?.url, url, name);
  }
});

Deno.test("keyVariables() names the variables of built-in providers, of others, and those in headers", () => {
  const headers = { "x-team": "${TEAM}" };
  assert.deepEqual(keyVariables({ mine: { apiKeyEnv: "MINE", headers }, openai: {} }).sort(), [
    "ANTHROPIC_API_KEY",
    "GOOGLE_API_KEY",
    "MINE",
    "OPENAI_API_KEY",
    "OPENROUTER_API_KEY",
    "TEAM",
  ]);
});

Deno.test("resolveAgent() uses the named adapter's protocol, else the profile's", async () => {
  await using server = await startOwnProtocolServer([{ text: "Yes." }]);
  const baseUrl = `${server.origin}/v1`;
  const path = async (name: string, provider: object = {}) => {
    const before = server.requests.length;
    const settings = { baseUrl, providers: { mine: { baseUrl, ...provider } } };
    const reply = await resolveAgent(name, settings).reply(turnRequest());
    assert.equal(reply.text, "Yes.");
    return server.requests[before]!.path;
  };
  assert.equal(await path("mine:claude-opus-5-5", { adapter: "anthropic" }), "/v1/messages");
  assert.equal(
    await path("mine:gemini-3.8-flash", { adapter: "gemini" }),
    "/v1/models/gemini-3.8-flash:streamGenerateContent",
  );
  assert.equal(await path("mine:gpt-4o", { adapter: "responses" }), "/v1/responses");
  assert.equal(await path("gpt-5-pro"), "/v1/responses");
  await assert.rejects(path("mine:gpt-5-pro", { adapter: "chat" }), /status 404/);
  await assert.rejects(path("mine:gpt-4o"), /status 404/);
});

Deno.test("The check of an adapter's agent loads its package and sends the provider's own header", async () => {
  await using server = await startOwnProtocolServer([{ text: "Yes." }]);
  const settings = {
    env: variables({ ["MINE"]: "sk-mine" }),
    providers: {
      mine: { baseUrl: `${server.origin}/v1`, apiKeyEnv: "MINE", adapter: "anthropic" as const },
    },
  };
  await resolveAgent("mine:claude-opus-5-5", settings).check?.();
  assert.equal(server.listed?.get("x-api-key"), "sk-mine");
  const unloadable = { ...settings, importPackage: () => Promise.reject(new Error("no network")) };
  await assert.rejects(
    resolveAgent("mine:claude-opus-5-5", unloadable).check!(),
    /could not be loaded, no network/,
  );
});

Deno.test("A provider's headers are sent with its list of models, its embeddings and its moderations", async () => {
  const sent: Record<string, string | null> = {};
  await using server = serveLocally(
    ({ url, headers }) => {
      const path = new URL(url).pathname.slice("/v1/".length);
      sent[new URL(url).pathname] = headers.get("api-key");
      if (path === "models") {
        return Response.json({ data: [{ id: "small", owned_by: "llamacpp" }] });
      }
      if (path === "moderations") return Response.json({ results: [{ flagged: false }] });
      return Response.json({ data: [{ index: 0, embedding: [1] }] });
    },
  );
  const baseUrl = `http://127.0.0.1:${server.addr.port}/v1`;
  const settings = {
    env: variables({ ["HOUSE_KEY"]: "house-0123456789" }),
    providers: { house: { baseUrl, headers: { "api-key": "${HOUSE_KEY}" } } },
  };
  await resolveAgent("house:small", settings).check?.();
  // llama.cpp at any port works on few requests at once, and reads long prompts without a word.
  assert.equal(knownModel("house:small", settings)?.from["windowFrom"], "server llamacpp");
  await resolveEmbedder("house:small", settings).embed(["A text."]);
  await moderateTopic("Trams?", { model: "house:small", settings });
  const key = "house-0123456789";
  // llama.cpp is asked for its slots outside of the base URL, where the provider's headers are not sent.
  const own = { "/v1/models": key, "/v1/embeddings": key, "/v1/moderations": key };
  assert.deepEqual(sent, { ...own, "/props": null });
  assert.throws(() => resolveAgent("house:small", { ...settings, env: variables({}) }), {
    field: "providers.house.headers.api-key",
    message: /HOUSE_KEY is not set/,
  });
});
