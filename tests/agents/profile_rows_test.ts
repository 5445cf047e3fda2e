// Every row of the table of profiles, against a server that rejects what the provider's documents forbid.
import assert from "node:assert/strict";
import { adapterAgent } from "../../src/agents/ai_sdk.ts";
import { forgetLessons } from "../../src/agents/learned.ts";
import { createOpenAIAgent } from "../../src/agents/openai.ts";
import { profileOf } from "../../src/agents/profiles.ts";
import type { Agent, AgentNote, AgentRequest } from "../../src/core/agent.ts";
import { EFFORTS } from "../../src/core/profile.ts";
import data from "../../src/data/models.json" with { type: "json" };
import { scoreRequest, turnRequest } from "../contracts/agent_contract.ts";
import { DOCUMENTED, type Documented, type Sent } from "../support/documented_rows.ts";
import { startModelServer } from "../support/model_server.ts";
import { startOwnProtocolServer } from "../support/own_protocol_server.ts";
import { lookUp } from "./support/look_up.ts";

Deno.test("every row of the table of profiles is in this test once", () => {
  const rows = ["defaults", ...Object.keys(data.servers), ...data.models.map(({ match }) => match)];
  assert.deepEqual(DOCUMENTED.map(({ row }) => row).toSorted(), rows.toSorted());
});

// deno-lint-ignore no-explicit-any
type Body = any;

/** Parses the parameters of a request, in OpenAI's chat completions or in a provider's own protocol. */
function sentIn(body: Body): Sent {
  const { generationConfig: gemini, reasoning, thinking } = body;
  const { thinkingConfig } = gemini ?? {};
  return {
    cap: body.max_completion_tokens ?? body.max_tokens ?? body.max_output_tokens ??
      gemini?.maxOutputTokens,
    temperature: body.temperature ?? gemini?.temperature,
    seed: body.seed ?? body.random_seed ?? gemini?.seed,
    effort: body.reasoning_effort ?? body.output_config?.effort ?? reasoning?.effort ??
      thinkingConfig?.thinkingLevel,
    thinking: thinking?.type,
    budget: thinking?.budget_tokens ?? thinkingConfig?.thinkingBudget,
    json: body.response_format?.type ?? body.output_config?.format?.type ??
      body.text?.format?.type ?? gemini?.responseMimeType,
    tools: body.tools !== undefined,
    promptTokens: Math.ceil(JSON.stringify(body.messages ?? "").length / 4),
    fields: Object.keys(body).filter((name) => body[name] !== undefined),
  };
}

/** Starts a server with these rules and returns agents that call the server. */
async function startStandIn({ adapter, rules }: Documented) {
  const bodies: Body[] = [];
  const refusalOf = (body: Body): string | undefined => {
    bodies.push(body);
    const sent = sentIn(body);
    return rules.map((rule) => rule(sent)).find((words) => words !== undefined);
  };
  if (adapter === undefined) {
    const server = await startModelServer({
      respond: ({ body }) => {
        const message = refusalOf(body);
        return message === undefined
          ? {}
          : { status: 400, error: { message, type: "invalid_request_error" } };
      },
    });
    const agentOf = (model: string, prefix?: string) =>
      createOpenAIAgent({ model, baseUrl: server.url, prefix });
    return { bodies, agentOf, [Symbol.asyncDispose]: () => server.close() };
  }
  const server = await startOwnProtocolServer(({ body }) => {
    const message = refusalOf(body);
    return message === undefined
      ? { text: "{}" }
      : { status: 400, error: { type: "invalid_request_error", message } };
  });
  const base = adapter === "gemini" ? "/v1beta/openai/" : "/v1";
  const agentOf = (model: string) =>
    adapterAgent(adapter, { model, baseUrl: `${server.origin}${base}`, apiKey: "secret-key-0001" });
  return { bodies, agentOf, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

Deno.test("openrouter: what prompts share is marked for models that cache only that, and for no others", async () => {
  await using server = await startModelServer({
    reply: { usage: { prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 2 } } },
  });
  const messages = [
    { role: "system", content: "Topic: Trams?" },
    { role: "user", content: "Hello. Now speak.", shared: "Hello. ".length },
    { role: "user", content: "Again." },
  ] as const;
  const { schema } = scoreRequest();
  for (const model of ["anthropic/claude-sonnet-4.5", "openai/gpt-4o"]) {
    const agent = createOpenAIAgent({ model, baseUrl: server.url, prefix: "openrouter" });
    const { usage } = await agent.reply(turnRequest({ messages }));
    assert.deepEqual([usage.cachedInputTokens, usage.cacheWriteTokens], [3, 2]);
    await agent.reply(turnRequest({ messages: messages.slice(0, 2), schema }));
  }
  const [marked, asked, plain]: Body = server.requests.map(({ body }) => body.messages);
  const mark = { ["cache_control"]: { type: "ephemeral" } };
  assert.deepEqual(asked[1].content[0], marked[1].content[0]);
  assert.deepEqual(marked, [
    { role: "system", content: [{ type: "text", text: "Topic: Trams?", ...mark }] },
    {
      role: "user",
      content: [{ type: "text", text: "Hello. ", ...mark }, { type: "text", text: "Now speak." }],
    },
    { role: "user", content: [{ type: "text", text: "Again." }] },
  ]);
  assert.deepEqual(plain, messages.map(({ role, content }) => ({ role, content })));
});

/** Requests with every option of a configuration, by effort and without one. */
const REQUESTS: readonly AgentRequest[] = [undefined, ...EFFORTS].flatMap((reasoningEffort) => {
  const asked = { reasoningEffort, temperature: 0.3, seed: 7, maxTokens: 600_000 };
  return [
    turnRequest(asked),
    scoreRequest(asked),
    turnRequest({ ...asked, tools: [lookUp] }),
    // Providers forbid a form beside tools whatever the effort is, or not at all.
    ...reasoningEffort === undefined || reasoningEffort === "high"
      ? [scoreRequest({ ...asked, tools: [lookUp] })]
      : [],
  ];
});

/** Sends every request, or those up to the first rejected one if nothing is checked; returns the rejected ones. */
async function ask(
  agent: Agent,
  bodies: readonly Body[],
  check?: (request: AgentRequest, body: Body, notes: readonly AgentNote[]) => void,
) {
  const refused: string[] = [];
  for (const request of REQUESTS) {
    forgetLessons();
    const notes: AgentNote[] = [];
    const before = bodies.length;
    const error = await agent.reply({ ...request, onNote: (note) => void notes.push(note) })
      .then(() => undefined, (error: unknown) => error);
    if (error !== undefined || bodies.length > before + 1) {
      const { reasoningEffort, schema, tools } = request;
      const words = error ?? notes.find(({ type }) => type === "profile_learned")?.because;
      refused.push(`${reasoningEffort} ${schema?.name} ${tools?.length ?? 0}: ${words}`);
      if (check === undefined) break;
    } else check?.(request, bodies[before], notes);
  }
  return refused;
}

for (const documented of DOCUMENTED) {
  const { row, model, prefix, adapter, efforts, without } = documented;
  Deno.test(`${row}: no forbidden parameter is sent, and each difference is noted`, async () => {
    const provider = adapter === undefined
      ? prefix
      : { anthropic: "anthropic", gemini: "google", responses: "openai" }[adapter];
    const { from, profile } = profileOf({ model, baseUrl: "http://127.0.0.1:9", provider });
    const source = row === "defaults"
      ? row
      : row in data.servers
      ? `server ${row}`
      : `model ${row}`;
    assert.ok(Object.values(from).includes(source), `${model} is of another row than ${row}`);

    await using standIn = await startStandIn(documented);
    const { bodies, agentOf } = standIn;
    const refused = await ask(agentOf(model, prefix), bodies, (request, body, notes) => {
      const sent = sentIn(body);
      const noted = (name: string) =>
        notes.some((note) => note.type === "parameter_dropped" && note.parameter === name);
      assert.equal(noted("temperature"), sent.temperature === undefined);
      assert.equal(noted("seed"), sent.seed === undefined);
      const { reasoningEffort: effort } = request;
      const isPlain = effort === "off" && efforts.includes(effort);
      if (isPlain && profile.temperature !== false) assert.notEqual(sent.temperature, undefined);
      if (effort !== undefined && !efforts.includes(effort)) {
        assert.ok(noted("reasoningEffort"), `the effort ${effort} was changed without a note`);
      }
    });
    assert.deepEqual(refused, []);

    if (without === undefined) return;
    const other = agentOf(without.model ?? model, "model" in without ? prefix : undefined);
    const found = await ask(other, bodies);
    assert.ok(found.length > 0, "the stand-in refuses nothing without the row");
  });
}
