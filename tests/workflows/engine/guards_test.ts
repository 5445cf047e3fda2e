import assert from "node:assert/strict";
import { debateOf, drain, Talker } from "../support/talkers.ts";

Deno.test("A word range asks again once, saying by how much, then cuts or marks", async () => {
  const long = "One two three four five six. Seven eight nine ten.";
  const agent = new Talker(({ context: { key } }) =>
    key === "opening/a"
      ? { text: long }
      : key === "opening/b"
      ? { text: "Too short." }
      : { text: "One two three four five." }
  );
  const { result } = await drain(
    debateOf(agent, { words: { min: 4, max: 8 }, scoringEnabled: false }).workflow,
  );
  const [, a, b] = result!.messages;
  assert.equal(a!.body, "One two three four five six.");
  assert.deepEqual([a!.marks, a!.attempts], [["truncated"], 2]);
  assert.deepEqual([b!.body, b!.marks, b!.attempts], ["Too short.", ["too_short"], 2]);
  assert.match(
    agent.requests.findLast(({ context }) => context.key === "opening/a")!.messages.at(-1)!.content,
    /2 over the 8/,
  );
});

Deno.test("A word range raises a smaller token cap to twice its words", async () => {
  const agent = new Talker(() => ({ text: "word ".repeat(300) }));
  await drain(debateOf(agent, { words: { min: 200, max: 500 }, scoringEnabled: false }).workflow);
  assert.equal(agent.asked("round-1/argument/a").maxTokens, 1000);
  assert.equal(agent.asked("summary/m").maxTokens, 400, "the moderator is not held to it");
});

Deno.test("A guard's retries count for themselves: a reply that was empty first is still told of its length", async () => {
  const texts = ["", "One two three four five six seven eight nine.", "One two three four."];
  const agent = new Talker(({ context }) =>
    context.key === "opening/a" ? { text: texts.shift()! } : { text: "One two three four." }
  );
  const { result } = await drain(
    debateOf(agent, { words: { min: 2, max: 5 }, scoringEnabled: false }).workflow,
  );
  assert.deepEqual(result!.messages[1]!.marks, []);
  assert.equal(result!.messages[1]!.attempts, 3);
});

Deno.test("An attempt that a guard turns down to the last is accepted and marked with what it failed", async () => {
  const guard = {
    name: "no_shouting",
    check: ({ turn }: { turn: { key: string } }) =>
      turn.key === "opening/a" ? { reason: "Do not shout." } : undefined,
  };
  const agent = new Talker();
  const { result } = await drain(debateOf(agent, { moreGuards: [guard] }).workflow);
  assert.deepEqual(result!.messages[1]!.marks, ["no_shouting"]);
  assert.equal(result!.messages[1]!.attempts, 4);
});
