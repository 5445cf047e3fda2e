import assert from "node:assert/strict";
import { debateOf, drain, Talker } from "../support/talkers.ts";

/** A sentence of so many words. */
function sentence(words: number): string {
  return `${Array.from({ length: words }, (_, index) => `word${index}`).join(" ")}.`;
}
const WORDS = { min: 200, max: 240 };

Deno.test("A word range asks again once, saying by how much, then cuts or marks", async () => {
  const long = `${sentence(200)} Then ${sentence(41)}`;
  const agent = new Talker(({ context: { key } }) =>
    key === "opening/a"
      ? { text: long }
      : key === "opening/b"
      ? { text: "Too short." }
      : { text: sentence(210) }
  );
  const { result } = await drain(
    debateOf(agent, { words: WORDS, scoringEnabled: false }).workflow,
  );
  const [, a, b] = result!.messages;
  assert.equal(a!.body, sentence(200));
  assert.deepEqual([a!.marks, a!.attempts], [["truncated"], 2]);
  assert.deepEqual([b!.body, b!.marks, b!.attempts], ["Too short.", ["too_short"], 2]);
  assert.match(
    agent.requests.findLast(({ context }) => context.key === "opening/a")!.messages.at(-1)!.content,
    /2 over the 240/,
  );
});

Deno.test("A word range raises a smaller token cap to twice its words", async () => {
  const agent = new Talker(() => ({ text: "word ".repeat(300) }));
  await drain(debateOf(agent, { words: { min: 200, max: 500 }, scoringEnabled: false }).workflow);
  assert.equal(agent.asked("round-1/argument/a").maxTokens, 1000);
  assert.equal(agent.asked("summary/m").maxTokens, 400, "the moderator is not held to it");
});

Deno.test("A guard's retries count for themselves: a reply that was empty first is still told of its length", async () => {
  const texts = ["", sentence(260), sentence(210)];
  const agent = new Talker(({ context }) =>
    context.key === "opening/a" ? { text: texts.shift()! } : { text: sentence(210) }
  );
  const { result } = await drain(
    debateOf(agent, { words: WORDS, scoringEnabled: false }).workflow,
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
