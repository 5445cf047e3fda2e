import assert from "node:assert/strict";
import type { ModelReply } from "../support/model_server.ts";
import { checkFailure, type Expected, failureWith } from "../support/openai_failure.ts";

const statuses: [ModelReply, Expected][] = [
  [{ status: 401, error: { message: "Bad key" } }, {
    code: "agent_auth",
    retryable: false,
    status: 401,
    message: /: status 401, Bad key$/,
    hint: /HOUSE_KEY/,
  }],
  [{ status: 403 }, {
    code: "agent_auth",
    retryable: false,
    status: 403,
    message: /status 403/,
  }],
  [{ status: 429, headers: { "retry-after": "7" } }, {
    code: "agent_rate_limited",
    retryable: true,
    status: 429,
    retryAfter: 7000,
    message: /status 429/,
  }],
  [{
    status: 429,
    headers: { "retry-after-ms": "150", "retry-after": "1" },
  }, {
    code: "agent_rate_limited",
    retryable: true,
    status: 429,
    retryAfter: 150,
    message: /status 429/,
  }],
  [{
    status: 429,
    headers: { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" },
  }, {
    code: "agent_rate_limited",
    retryable: true,
    status: 429,
    retryAfter: 0,
    message: /status 429/,
  }],
  [{ status: 429, headers: { "retry-after": "soon" } }, {
    code: "agent_rate_limited",
    retryable: true,
    status: 429,
    message: /status 429/,
  }],
  [{
    status: 429,
    error: { message: "No more", code: "insufficient_quota" },
  }, {
    code: "agent_rate_limited",
    retryable: false,
    status: 429,
    message: /No more/,
    hint: /billing/,
  }],
  [{ status: 408 }, {
    code: "agent_timeout",
    retryable: true,
    status: 408,
    message: /status 408/,
    hint: /^$/,
  }],
  [{ status: 409 }, {
    code: "agent_unreachable",
    retryable: true,
    status: 409,
    message: /status 409/,
    hint: /^$/,
  }],
  [{ status: 500 }, {
    code: "agent_unreachable",
    retryable: true,
    status: 500,
    message: /status 500/,
    hint: /^$/,
  }],
  [{
    status: 503,
    headers: { "retry-after": "2", "content-type": "text/html" },
    body: "<h1>Busy</h1>",
  }, {
    code: "agent_unreachable",
    retryable: true,
    status: 503,
    retryAfter: 2000,
    message: /status 503, <h1>Busy/,
    hint: /^$/,
  }],
  [{ status: 504 }, {
    code: "agent_timeout",
    retryable: true,
    status: 504,
    message: /status 504/,
    hint: /^$/,
  }],
  [{ status: 404, error: { message: "No such model" } }, {
    code: "agent_bad_reply",
    retryable: false,
    status: 404,
    message: /No such model/,
    hint: /model's name/,
  }],
  [{ status: 400, error: { message: "Too long" } }, {
    code: "agent_bad_reply",
    retryable: false,
    status: 400,
    message: /Too long/,
    hint: /^$/,
  }],
];

for (const [reply, expected] of statuses) {
  const { status, headers = {}, error } = reply;
  const said = [...Object.values(headers), error?.["message"] ?? "nothing"];
  Deno.test(`createOpenAIAgent() calls status ${status} saying ${said.join(", ")} ${expected.code}`, async () => {
    checkFailure(await failureWith(reply), expected);
  });
}

Deno.test("createOpenAIAgent() waits for a date that a server names", async () => {
  const at = new Date(Date.now() + 3_600_000).toUTCString();
  const error = await failureWith({
    status: 429,
    headers: { "retry-after": at },
  });
  const wait = error.retryAfter ?? 0;
  assert.ok(wait > 3_000_000 && wait <= 3_600_000, `${wait}`);
});
