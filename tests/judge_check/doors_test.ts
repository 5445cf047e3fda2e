// Judge checks over MCP and HTTP.
import assert from "node:assert/strict";
import { createServer } from "../../src/server/server.ts";
import { withFolder } from "../support/cli.ts";
import { startModelServer } from "../support/model_server.ts";
import { answering } from "./ten_judges.ts";

const CONFIG = { kind: "judge-check", quick: true };
const BIAS = /Prefers the speech set out first/;

async function served(use: (server: ReturnType<typeof createServer>) => Promise<void>) {
  await using speaker = await startModelServer({ respond: answering(), journal: false });
  await withFolder(async (out) => {
    const models = { model: "first-speaker", baseUrl: speaker.url };
    const server = createServer({ out, models });
    await use(server);
    await server.close();
  });
}

Deno.test("POST /api/convenings starts a judge check, and its messages contain its profile", () =>
  served(async ({ fetch }) => {
    const ask = async (path: string, init?: RequestInit) =>
      await fetch(new Request(`http://127.0.0.1/api/convenings${path}`, init));
    const headers = { "content-type": "application/json" };
    const started = await ask("", { method: "POST", headers, body: JSON.stringify(CONFIG) });
    assert.equal(started.status, 201);
    const { id } = await started.json();
    assert.match(await (await ask(`/${id}/events`)).text(), /convening-end/);
    const { messages: [profile] } = await (await ask(`/${id}/messages`)).json();
    assert.match(profile.body, BIAS);
    const page = await fetch(
      new Request(`http://127.0.0.1/convenings/${id}`, { headers: { accept: "text/html" } }),
    );
    const text = await page.text();
    assert.match(text, BIAS);
    assert.match(text, /<h2 id="result">The result of a judge check is its profile\.</);
    // The policy of the pages blocks style attributes, and a check has nothing to judge.
    assert.doesNotMatch(text, / style="|Judge again|Write a brief/);
    assert.match(text, /Ask the record/);
  }));
