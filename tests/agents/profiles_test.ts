// Profiles by model and server, and the mapping of efforts.
import assert from "node:assert/strict";
import { resolveAgent } from "../../src/agents/named_agents.ts";
import { knownModel, profileOf } from "../../src/agents/profiles.ts";
import { allowedEffort } from "../../src/agents/openai_request.ts";
import { EFFORTS, type ProfileKeys, profileKeys } from "../../src/core/profile.ts";
import models from "../../src/data/models.json" with { type: "json" };
import { scoreRequest } from "../contracts/agent_contract.ts";
import { startModelServer } from "../support/model_server.ts";

const OPENAI = "https://api.openai.com/v1";
const LOCAL = "http://127.0.0.1:9/v1";

/** Models on their servers, and the distinguishing part of their profile. */
const MODELS: readonly [model: string, baseUrl: string, expected: ProfileKeys][] = [
  ["gpt-4o-2024-08-06", OPENAI, { window: 128000, reasoning: { kind: "none" } }],
  ["gpt-5.1-2025-11-13", OPENAI, { temperature: "off_only" }],
  ["gpt-9", OPENAI, { temperature: false, system: "developer" }],
  ["claude-opus-4.6", "https://api.anthropic.com/v1", { api: "chat", json: ["prompt"] }],
  ["claude-opus-4.6", "https://api.anthropic.com", { api: "messages", seed: false }],
  ["claude-fable-9", LOCAL, { forcedTool: false }],
  ["anthropic/claude-sonnet-5-5", "https://openrouter.ai/api/v1", { reasoningSend: "reasoning" }],
  ["gemini-2.5-flash", "https://generativelanguage.googleapis.com/v1beta/openai/", {
    jsonWithTools: false,
    reasoningSend: "reasoning_effort",
  }],
  ["qwen3:8b", "http://localhost:11434/v1", { windowFrom: "/api/ps" }],
  ["us-gov.anthropic.claude-opus-5-5-v1:0", LOCAL, { temperature: false }],
  ["openai.gpt-oss-120b-1:0", LOCAL, { window: 131072 }],
  ["magistral-medium-latest", "https://api.mistral.ai/v1", { seedField: "random_seed" }],
  ["deepseek-reasoner", "https://api.deepseek.com", { json: ["object", "prompt"] }],
  ["my-model", LOCAL, { api: "chat", cap: "max_tokens", json: ["schema", "object", "prompt"] }],
];

for (const [model, baseUrl, expected] of MODELS) {
  Deno.test(`profile of ${model} on ${new URL(baseUrl).host}`, () => {
    assert.partialDeepStrictEqual(profileOf({ model, baseUrl }).profile, expected);
  });
}

Deno.test("the data file of profiles matches its schema", () => {
  const { defaults, servers, shapes } = models;
  const rows = [
    defaults,
    ...Object.values(servers).map(({ origin: _, ...keys }) => keys),
    ...Object.values(shapes),
    ...models.models.map(({ match: _, like: _like, ...keys }) => keys),
  ];
  assert.deepEqual(rows.flatMap((row) => profileKeys.safeParse(row).error?.issues ?? []), []);
  assert.ok(models.models.every(({ like }) => like === undefined || like in shapes));
});

Deno.test("every key of a profile is used by a request", () => {
  for (
    const keys of [
      { headers: "x-ratelimit" },
      { system: "first_user_on_400" },
      { reasoning: { kind: "effort", default: "low" } },
      { cache: { kind: "breakpoints", max: 4 } },
      { cache: { kind: "breakpoints", onlyFor: "qwen/" } },
      { cache: { kind: "auto", key: "prompt_cache_key" } },
    ]
  ) assert.equal(profileKeys.safeParse(keys).success, false, JSON.stringify(keys));
});

Deno.test("learned keys override rows, the user's keys override both, and each key names its source", () => {
  const { profile, from } = profileOf({
    model: "gpt-4o",
    baseUrl: OPENAI,
    learned: { seed: false, temperature: false },
    user: { temperature: true, window: 2 },
  });
  assert.partialDeepStrictEqual(profile, { seed: false, temperature: true, window: 2 });
  assert.partialDeepStrictEqual(from, {
    seed: "learned",
    temperature: "user's provider",
    window: "user's provider",
    cap: "server openai",
    api: "defaults",
  });
});

Deno.test("Claude's chat completions have a row of their own", async () => {
  await using server = await startModelServer({ reply: { text: "{}" } });
  const entry = { baseUrl: server.url, adapter: "chat" as const };
  const settings = { providers: { anthropic: entry } };
  const { profile } = knownModel("anthropic:claude-sonnet-4-5", settings)!;
  assert.partialDeepStrictEqual(profile, { api: "chat", json: ["prompt"], seed: false });
  const agent = resolveAgent("anthropic:claude-sonnet-4-5", settings);
  await agent.reply(scoreRequest({ seed: 1 }));
  assert.ok(!("response_format" in server.requests[0]!.body || "seed" in server.requests[0]!.body));
});

Deno.test("the provider's name selects the row of a server with another base URL", () => {
  const { profile } = profileOf({ model: "llama3.2", provider: "ollama", baseUrl: LOCAL });
  assert.equal(profile.windowFrom, "/api/ps");
});

Deno.test("an effort is mapped to the nearest lower allowed one, else to the lowest", () => {
  const mapped = (model: string, baseUrl = OPENAI) => {
    const { profile } = profileOf({ model, baseUrl });
    return EFFORTS.map((effort) => allowedEffort(profile, effort)).join(" ");
  };
  assert.equal(mapped("gpt-5"), "minimal minimal low medium high high high");
  assert.equal(mapped("gpt-5.1"), "off off low medium high high high");
  assert.equal(mapped("gpt-5-pro"), "high high high high high high high");
  assert.equal(mapped("gemini-2.5-pro", LOCAL), "low low low medium high high high");
  assert.equal(mapped("deepseek-pro", LOCAL), "off off low low high high max");
  assert.equal(mapped("gpt-4o"), "      ");
});
