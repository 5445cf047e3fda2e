// Effects of keys about models, servers, requests and limits.
import assert from "node:assert/strict";
import { AgentError } from "../../../mod.ts";
import type { AgentRequest } from "../../../protocol.ts";
import { startOwnProtocolServer } from "../../support/own_protocol_server.ts";
import { startModelServer } from "../../support/model_server.ts";
import { delaysOf } from "../../support/timers.ts";
import { differs, type KeyCase, shows, withValue } from "../support/key_case.ts";
import {
  hold,
  type HoldOptions,
  type Kind,
  KINDS,
  person,
  type Seen,
  type Settings,
  settingsOf,
} from "../support/holding.ts";

const SERVED: HoldOptions = { server: {} };
const LONG = "Word by word. ".repeat(100);
const FEW = { limits: { maxTurns: 2 } };

/** Returns options in which the first turn fails a number of times with a retryable error. */
function failing(times: number, retryAfter?: number): HoldOptions {
  let first: string | undefined;
  let failed = 0;
  return {
    say: ({ context: { key, purpose } }) => {
      if (purpose === "turn") first ??= key;
      if (key !== first || failed === times) return undefined;
      failed++;
      // A rate limit is waited for and costs no attempt; other failures do.
      const code = retryAfter === undefined ? "agent_unreachable" : "agent_rate_limited";
      throw new AgentError(code, "Cannot answer yet", { retryable: true, retryAfter });
    },
  };
}

/** True if the first request was repeated. */
function askedAgain({ bodies }: Seen): boolean {
  const same = bodies.filter(({ messages }) =>
    JSON.stringify(messages) === JSON.stringify(bodies[0]!.messages)
  );
  return same.length > 1;
}

function speaking({ context: { purpose, participant } }: AgentRequest): boolean {
  return purpose === "turn" && participant === "ada";
}

/** Shortest wait in these cases, in milliseconds; shorter timers belong to other code, such as debounced pages. */
const SHORTEST = 2000;

/** Returns the three waits before retries of the first turn, in milliseconds, without waiting. */
async function waits(kind: Kind, retry: Settings): Promise<number[]> {
  const delays = await delaysOf(
    () => hold(settingsOf(kind, { retry }), failing(3)),
    (delay) => delay >= SHORTEST,
  );
  return delays.filter((delay) => delay >= SHORTEST);
}

/** Options in which the first answer never comes, or comes too slowly. */
const SLOW: Readonly<Record<string, HoldOptions>> = {
  idleTimeout: { server: { respond: (_request, index) => index === 0 ? { latency: 300 } : {} } },
  totalTimeout: {
    server: {
      respond: (_request, index) =>
        index === 0 ? { text: "Word by word. ".repeat(10), chunkDelay: 30 } : {},
    },
  },
};

/** Keys of models, servers and requests. */
export const ASKING_CASES: readonly KeyCase[] = [
  shows({
    key: "kind",
    changes: "what kind of convening it is",
    async check(kind) {
      const { result } = await hold(settingsOf(kind));
      assert.equal(result?.kind, kind);
    },
  }),
  differs({
    key: "model",
    changes: "the model that every role without one is asked of",
    base: FEW,
    value: "another",
    held: SERVED,
    of: ({ bodies }) => [...new Set(bodies.map(({ model }) => model))],
    is: [["one"], ["another"]],
  }),
  shows({
    key: "baseUrl",
    changes: "the server that is asked",
    async check(kind) {
      await using one = await startModelServer();
      await using other = await startModelServer();
      const settings = settingsOf(kind, { ...FEW, model: "one", baseUrl: one.url });
      await hold(settings, { byName: "all" });
      assert.ok(one.requests.length > 0 && other.requests.length === 0);
      const before = one.requests.length;
      await hold(withValue(settings, "baseUrl", other.url), { byName: "all" });
      assert.ok(other.requests.length > 0 && one.requests.length === before);
    },
  }),
  shows({
    key: "providers/local/baseUrl",
    changes: "the server that models of the provider's name are asked of",
    async check(kind) {
      await using server = await startModelServer();
      const settings = settingsOf(kind, { ...FEW, model: "local:small" });
      const { error } = await hold(settings, { byName: "all" });
      assert.match(error!.message, /no provider "local"/);
      await hold({ ...settings, providers: { local: { baseUrl: server.url } } }, { byName: "all" });
      assert.equal(server.requests[0]?.body.model, "small");
    },
  }),
  shows({
    key: "providers/local/adapter",
    changes: "the protocol that the provider's server is spoken to in",
    async check(kind) {
      await using server = await startOwnProtocolServer([{ status: 401 }]);
      for (const [adapter, path] of [["anthropic", "messages"], ["responses", "responses"]]) {
        const local = { baseUrl: `${server.origin}/v1`, adapter };
        const settings = settingsOf(kind, { ...FEW, model: "local:m", providers: { local } });
        await hold(settings, { byName: "all" });
        assert.equal(server.requests.at(-1)?.path, `/v1/${path}`);
      }
    },
  }),
  ...providerCases(),
  shows({
    key: "providers/local/apiKeyEnv",
    changes: "the key that goes to the provider's server",
    async check(kind) {
      await using server = await startModelServer();
      const settings = settingsOf(kind, {
        ...FEW,
        model: "local:small",
        providers: { local: { baseUrl: server.url, apiKeyEnv: "LOCAL_KEY" } },
      });
      const { error } = await hold(settings, { byName: "all" });
      assert.match(error!.message, /LOCAL_KEY is not set/);
      await hold(settings, { byName: "all", env: { ["LOCAL_KEY"]: "secret-key" } });
      assert.equal(server.requests[0]?.headers["authorization"], "Bearer secret-key");
    },
  }),
  differs({
    key: "temperature",
    changes: "the temperature that participants are asked with",
    value: 0.3,
    of: ({ requests }) => requests.find(speaking)?.temperature,
    is: (kind) => [kind === "paper-debate" ? 0.7 : undefined, 0.3],
  }),
  differs({
    key: "seed",
    changes: "what the offline agent says",
    base: { model: "offline", limits: { maxTurns: 4 } },
    value: 2,
    held: { byName: "all" },
    of: ({ messages }) => messages.map(({ body }) => body),
  }),
  differs({
    key: "seedGiven",
    changes: "whether the seed goes to models",
    value: false,
    of: ({ requests }) => requests.find(speaking)?.seed,
    is: [1, undefined],
  }),
  differs({
    key: "retry/retries",
    changes: "how often a failed request is sent again",
    value: 1,
    held: () => failing(2),
    of: ({ error }) => error?.code,
    is: [undefined, "agent_unreachable"],
  }),
  shows({
    key: "retry/minWait",
    changes: "how long is waited at least before a failed request is sent again",
    async check(kind) {
      const [before] = await waits(kind, { minWait: 2000, maxWait: 90_000 });
      const [after] = await waits(kind, { minWait: 20_000, maxWait: 90_000 });
      assert.ok(before! >= 2000 && before! <= 4000, String(before));
      assert.ok(after! >= 20_000 && after! <= 40_000, String(after));
    },
  }),
  shows({
    key: "retry/maxWait",
    changes: "how long is waited at most before a failed request is sent again",
    async check(kind) {
      const before = await waits(kind, { minWait: 2000, maxWait: 90_000 });
      const after = await waits(kind, { minWait: 2000, maxWait: 2000 });
      assert.ok(Math.max(...before) >= 8000, String(before));
      assert.equal(after.filter((delay) => delay === 2000).length, 3, String(after));
    },
  }),
  differs({
    key: "retry/maxRetryAfter",
    changes: "the longest wait that a provider may ask for",
    value: 0,
    held: () => failing(1, 20),
    of: ({ error }) => error?.code,
    is: [undefined, "agent_rate_limited"],
  }),
  ...["idleTimeout", "totalTimeout"].map((key) =>
    differs({
      key,
      changes: "how long an answer is waited for",
      base: { ...FEW, retry: { minWait: 0, maxWait: 0 } },
      without: 20_000,
      value: 150,
      held: SLOW[key]!,
      of: askedAgain,
      is: [false, true],
    })
  ),
  differs({
    key: "maxReplyBytes",
    changes: "how long a reply may be",
    value: 1000,
    held: {
      server: {
        respond: ({ body }) => body.response_format === undefined ? { text: LONG } : {},
        sample: (_path, { type }) => type === "string" ? LONG : undefined,
      },
    },
    of: ({ bodies, error }) => [bodies.length, error?.message],
  }),
  ...moneyCases(),
];

/** Returns cases of a request to a provider's server: fields of the body, a header, a cap, an effort. */
function providerCases(): KeyCase[] {
  const sent = async (kind: Kind, local: Settings, more: Settings = {}) => {
    await using server = await startModelServer();
    const settings = settingsOf(kind, {
      ...FEW,
      model: "local:small",
      providers: { local: { baseUrl: server.url, ...local } },
      ...more,
    });
    await hold(settings, { byName: "all" });
    return server.requests.map(({ body, headers }) => ({ body: { ...body } as Settings, headers }));
  };
  const efforts = { profile: { reasoning: { kind: "effort", efforts: ["low", "high"] } } };
  return [
    shows({
      key: "providers/local/headers/X-Team",
      changes: "the headers of requests to the provider",
      async check(kind) {
        const [request] = await sent(kind, { headers: { "X-Team": "blue" } });
        assert.equal(new Headers(request!.headers).get("x-team"), "blue");
      },
    }),
    shows({
      key: "providers/local/extraBody",
      changes: "further fields of requests to the provider",
      async check(kind) {
        const [request] = await sent(kind, { extraBody: { tier: "slow" } });
        assert.equal(request!.body["tier"], "slow");
      },
    }),
    shows({
      key: "reasoningEffort",
      changes: "the effort of hidden reasoning",
      async check(kind) {
        const [request] = await sent(kind, efforts, { reasoningEffort: "high" });
        assert.equal(request!.body["reasoning_effort"], "high");
        const [usual] = await sent(kind, efforts);
        assert.equal(usual!.body["reasoning_effort"], "low");
      },
    }),
    shows({
      key: "participants/0/reasoningEffort",
      changes: "the effort of hidden reasoning of one participant",
      async check(kind) {
        const participants = [{ ...person("Ada"), reasoningEffort: "high" }, person("Ben")];
        const requests = await sent(kind, efforts, { participants, limits: { maxTurns: 5 } });
        const found = requests.map(({ body }) => body["reasoning_effort"]);
        assert.deepEqual([...new Set(found)].sort(), ["high", "low"]);
      },
    }),
    shows({
      key: "providers/local/maxConcurrency",
      changes: "how many requests the provider gets at once",
      async check(kind) {
        await using server = await startModelServer({ latency: 5 });
        const settings = settingsOf(kind, {
          limits: { maxTurns: 4 },
          model: "local:small",
          providers: { local: { baseUrl: server.url, maxConcurrency: 1 } },
        });
        await hold(settings, { byName: "all" });
        assert.equal(server.mostConcurrent, 1);
      },
    }),
    shows({
      key: "providers/local/maxWait",
      changes: "how long the provider may ask to wait",
      async check(kind) {
        await using server = await startModelServer({
          reply: { status: 429, headers: { "retry-after": "30" } },
        });
        const local = { baseUrl: server.url, maxWait: 1000 };
        const settings = settingsOf(kind, { ...FEW, model: "local:small", providers: { local } });
        await hold(settings, { byName: "all" });
        const prompts = server.requests.map(({ body }) => JSON.stringify(body.messages));
        assert.equal(new Set(prompts).size, prompts.length, "nothing is sent again");
      },
    }),
    shows({
      key: "judges/0/reasoningEffort",
      changes: "the effort of hidden reasoning of one judge",
      kinds: ["debate", "paper-debate"],
      async check(kind) {
        const judges = [{ reasoningEffort: "high" }];
        const requests = await sent(kind, efforts, { judges, limits: {} });
        const found = requests.map(({ body }) => body["reasoning_effort"]);
        assert.deepEqual([...new Set(found)].sort(), ["high", "low"]);
      },
    }),
    shows({
      key: "keepReasoning",
      changes:
        "whether hidden reasoning is kept, of turns in drafts and of answers in thoughts alone",
      async check(kind) {
        const say = () => ({ reasoning: "PRIVATE doubts" });
        const settings = settingsOf(kind, { transcript: ["md", "json", "html"] });
        const keeping = await hold({ ...settings, keepReasoning: true }, { say });
        const kept = [...keeping.files].filter(([, text]) => text.includes("PRIVATE doubts"));
        const { log, drafts = [], thoughts = [], ...others } = Object.groupBy(
          kept.map(([path]) => path),
          (path) => path.split(/[./]/)[0]!,
        );
        assert.deepEqual([log, others], [["log.jsonl"], {}]);
        const asked = keeping.requests.some(({ context: { purpose } }) => purpose === "question");
        assert.equal(thoughts.length > 0, asked);
        assert.equal(
          drafts.length,
          keeping.messages.filter(({ model }) => model !== "template").length,
        );
        assert.doesNotMatch(JSON.stringify(keeping.requests), /PRIVATE/);
        const { files } = await hold(settings, { say });
        assert.ok(![...files.values()].some((text) => text.includes("PRIVATE")));
      },
    }),
    shows({
      key: "maxOutputTokens",
      changes: "the most tokens of a reply, hidden reasoning included",
      async check(kind) {
        for (const { body } of await sent(kind, {}, { maxOutputTokens: 90 })) {
          assert.equal(body["max_tokens"], 90);
        }
      },
    }),
  ];
}

function moneyCases(): KeyCase[] {
  const priced = { date: "2026-11-01", models: { priced: { input: 1, output: 1 } } };
  const held: HoldOptions = {
    model: "priced",
    say: () => ({
      usage: { inputTokens: 100, cachedInputTokens: 50, cacheWriteTokens: 10, outputTokens: 20 },
    }),
  };
  const cost = ({ messages }: Seen) =>
    messages.find(({ participant, model }) => participant === "ada" && model === "priced")?.usage
      .costUsd;
  return [
    ...([["input", 3, [120, 320]], ["cachedInput", 3, [120, 220]], ["cacheWrite", 3, [120, 140]], [
      "output",
      3,
      [120, 160],
    ]] as const)
      .map(([name, value, [before, after]]) =>
        differs({
          key: `prices/models/priced/${name}`,
          changes: "what a message costs",
          base: { prices: priced },
          value,
          held,
          of: cost,
          is: [before / 1e6, after / 1e6],
        })
      ),
    differs({
      key: "prices/date",
      changes: "the day that the record names for its prices",
      base: { prices: priced },
      value: "2026-11-20",
      held,
      of: ({ files }) => files.get("metadata.md")!.includes("2026-11-20"),
      is: [false, true],
    }),
    differs({
      key: "allowUnknownPrices",
      changes: "whether maxCost allows a model without a price",
      base: { limits: { maxCost: 1 } },
      value: true,
      held,
      of: ({ error }) => error?.message.includes("has no price") ?? false,
      is: [true, false],
    }),
  ];
}

/** Limits: the one that ends a convening. */
export const LIMIT_CASES: readonly KeyCase[] = [
  ["maxTurns", 1, "max_turns"] as const,
  ["maxDuration", 500, "max_duration"] as const,
  ["maxTokens", 300, "max_tokens"] as const,
  ["maxCost", 0.0001, "max_cost"] as const,
].map(([name, value, reason]) =>
  differs({
    key: `limits/${name}`,
    changes: "where a convening ends before its time",
    kinds: KINDS,
    base: { prices: { date: "2026-11-01", models: { priced: { input: 3, output: 10 } } } },
    value,
    held: () => {
      let now = 0;
      return { model: "priced", clock: { now: () => now += 100 } };
    },
    of: ({ result }) => result?.endReason === reason,
    is: [false, true],
  })
);
