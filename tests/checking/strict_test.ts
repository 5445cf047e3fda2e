// Strict fact checks: rejected attempts and their records.
import assert from "node:assert/strict";
import type { Usage } from "../../mod.ts";
import type { FactCheckConfig } from "../../protocol.ts";
import { FALSE, startSearchServer, TRUE } from "../support/search_server.ts";
import { drain, promptOf, Talker } from "../support/talkers.ts";
import { checked, checkedDialogue, checkerAgent, found, searchOf } from "./support/checking.ts";

const STRICT: FactCheckConfig = { mode: "strict" };

/** Creates a talker with different words in each attempt and always the same claim. */
function stubborn(): Talker {
  return new Talker(({ context: { key, attempt } }) => ({
    text: `Fact: Buses are slow. This is attempt ${attempt} at ${key}.`,
  }));
}

Deno.test("strict: two false claims before a true one cost two attempts, each with claim and reason in the prompt", async () => {
  await using server = await startSearchServer({ answers: { slow: [FALSE, FALSE, TRUE] } });
  const speaker = new Talker(({ context: { attempt } }) => ({
    text: `I say this. Fact: Buses are slow${attempt === 1 ? "" : `, says witness ${attempt}`}.`,
  }));
  const { workflow, record } = checkedDialogue(speaker, checkerAgent(), {
    factCheck: STRICT,
    searchers: [searchOf(server)],
    maxTurns: 1,
  });
  const { rejections, messages, checks } = found(await drain(workflow));
  assert.deepEqual(rejections.map(({ guard, attempt }) => [guard, attempt]), [
    ["facts", 1],
    ["facts", 2],
  ]);
  for (const attempt of [1, 2]) {
    assert.ok(record.files.has(`rejected/001_${attempt}.md`));
    const retry = promptOf(speaker.requests[attempt]!);
    assert.match(
      retry,
      /“Buses are slow[^”]*”: The results settle it\. \(source: “example\.org”\)/,
    );
  }
  assert.deepEqual([messages[0]!.attempts, messages[0]!.marks], [3, []]);
  assert.deepEqual(checks.map(({ mode, claims }) => [mode, claims[0]!.verdict]), [[
    "strict",
    "true",
  ]]);
  assert.equal(server.requests.length, 3, "what the guard found is what is recorded");
});

Deno.test("strict: a claim that stays false is accepted after three retries with a mark, and the dialogue ends", async () => {
  await using server = await startSearchServer({ otherwise: FALSE });
  const { workflow, record } = checkedDialogue(stubborn(), checkerAgent(), {
    factCheck: STRICT,
    searchers: [searchOf(server)],
  });
  const drained = await drain(workflow);
  assert.equal(drained.result?.status, "completed");
  const { rejections, messages, checks } = found(drained);
  assert.equal(rejections.length, 6, "three for each: both sides alike");
  assert.deepEqual(
    messages.map(({ attempts, marks }) => [attempts, marks]),
    Array.from({ length: 2 }, () => [4, ["accepted_with_false_claims"]]),
  );
  assert.deepEqual(checks.map(({ claims, factuality }) => [claims[0]!.verdict, factuality]), [
    ["false", 0],
    ["false", 0],
  ]);
  assert.match(record.files.get("messages/" + firstMessage(record.files))!, /accepted_with_false/);
});

function firstMessage(files: ReadonlyMap<string, string>): string {
  return [...files.keys()].find((path) => path.startsWith("messages/001"))!.slice(9);
}

Deno.test("strict: nothing is rejected while the search is down, and the turn is recorded as not checked", async () => {
  await using server = await startSearchServer({ otherwise: { status: 500 } });
  const { rejections, messages, checks } = await checked(stubborn(), checkerAgent(), {
    factCheck: STRICT,
    searchers: [searchOf(server)],
  });
  assert.deepEqual(rejections, []);
  assert.deepEqual(messages.map(({ marks }) => marks), [[], []]);
  assert.deepEqual(checks.map(({ status }) => status), ["unchecked", "unchecked"]);
});

Deno.test("strict: an attempt with the same claim keeps the claim's verdict without another look-up", async () => {
  await using server = await startSearchServer({ answers: { slow: [FALSE, TRUE] } });
  const parrot = new Talker(() => ({ text: "Fact: Buses are slow." }));
  const { messages } = await checked(parrot, checkerAgent(), {
    factCheck: STRICT,
    searchers: [searchOf(server)],
    maxTurns: 1,
  });
  assert.deepEqual([messages[0]!.attempts, messages[0]!.marks], [4, [
    "accepted_with_false_claims",
  ]]);
  assert.equal(server.requests.length, 1);
});

for (const [confidence, attempts] of [[0.05, 1], [0.69, 1], [0.7, 4]] as const) {
  Deno.test(`strict: a claim that is false with a confidence of ${confidence} costs ${attempts} attempts`, async () => {
    await using server = await startSearchServer({ otherwise: FALSE });
    const checker = checkerAgent(({ context: { kind } }) =>
      kind !== "claim_verdict" ? undefined : {
        text: JSON.stringify({ reason: "So.", verdict: "false", confidence, sources: [1] }),
      }
    );
    const { messages, checks } = await checked(stubborn(), checker, {
      factCheck: STRICT,
      searchers: [searchOf(server)],
      maxTurns: 1,
    });
    assert.equal(messages[0]!.attempts, attempts);
    assert.equal(checks[0]!.claims[0]!.verdict, "false", "it is kept as it was found");
  });
}

Deno.test("strict: no turn is rejected for a claim that it did not make", async () => {
  await using server = await startSearchServer({ otherwise: FALSE });
  const claims = [{ quote: "Buses are never late.", text: "Buses are never late." }];
  const checker = checkerAgent(({ context: { kind } }) =>
    kind === "claims" ? { text: JSON.stringify({ claims }) } : undefined
  );
  const { messages, checks } = await checked(stubborn(), checker, {
    factCheck: STRICT,
    searchers: [searchOf(server)],
    maxTurns: 1,
  });
  assert.deepEqual([messages[0]!.attempts, messages[0]!.marks], [1, []]);
  assert.deepEqual([checks[0]!.dropped, checks[0]!.claims, checks[0]!.factuality], [1, [], null]);
});

Deno.test("strict: the usage of checks is in the files of attempts and checks once each, whichever guard rejected the attempt", async () => {
  await using server = await startSearchServer({ answers: { slow: [FALSE, TRUE, FALSE, TRUE] } });
  let looked = 0;
  const speaker = new Talker(({ context: { attempt } }) => ({
    text: `I say this. Fact: Buses are slow on day ${attempt}.`,
  }));
  const checker = checkerAgent();
  const drained = await drain(
    checkedDialogue(speaker, checker, {
      factCheck: STRICT,
      searchers: [searchOf(server)],
      maxTurns: 1,
      // Runs after the fact check and rejects what the check accepted first.
      moreGuards: [{
        name: "late",
        check: () => ++looked === 1 ? { reason: "Once more." } : undefined,
      }],
    }).workflow,
  );
  const { rejections, messages, checks } = found(drained);
  assert.deepEqual(rejections.map(({ guard }) => guard), ["facts", "late", "facts"]);
  const files: readonly { readonly usage: Usage }[] = [...rejections, ...messages, ...checks];
  const sum = files.reduce((tokens, { usage }) => tokens + usage.inputTokens, 0);
  assert.equal(sum, 100 * (speaker.requests.length + checker.requests.length));
  assert.equal(drained.result!.usage.inputTokens, sum);
  assert.equal(rejections[0]!.usage.inputTokens, 300, "the attempt, its claims, its verdict");
  assert.equal(
    rejections[1]!.usage.inputTokens,
    100,
    "no objection of the facts, no usage of theirs",
  );
  assert.equal(rejections[2]!.usage.inputTokens, 500, "with what was owed");
});

Deno.test("strict: after a limit an attempt is kept, and a resume makes its check", async () => {
  await using server = await startSearchServer({ otherwise: TRUE });
  const options = { factCheck: STRICT, searchers: [searchOf(server)] };
  const { workflow, record } = checkedDialogue(stubborn(), checkerAgent(), {
    ...options,
    limits: { maxTokens: 800 },
    maxTokensPerTurn: 50,
  });
  const first = await drain(workflow);
  assert.equal(first.result?.endReason, "max_tokens");
  assert.equal(found(first).messages.length, 1);
  assert.deepEqual(found(first).checks, []);
  const checker = checkerAgent();
  const again = await drain(checkedDialogue(stubborn(), checker, { ...options, record }).workflow);
  assert.equal(again.result?.status, "completed");
  assert.deepEqual(found(again).checks.map(({ message }) => message), [1, 2]);
});
