// A very long dialogue keeps its index pages small.
import assert from "node:assert/strict";
import { dirname, join } from "@std/path";
import { type Agent, createDialogueWorkflow, createParticipant, folderRecord } from "../../mod.ts";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import { withFolder } from "../support/cli.ts";

const MESSAGES = 800;

/** Returns a short speech that is different for each turn. */
const agent: Agent = {
  model: "counter",
  reply: ({ context }) =>
    Promise.resolve({
      text:
        `Turn ${context.seq} of a long talk, said by ${context.label}: one more thing about it.`,
      finishReason: "stop",
      model: "counter",
      usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 20, costUsd: 0 },
    }),
};

Deno.test("a dialogue of 800 messages is reached through bounded index pages, three at most", async () => {
  await withFolder(async (out) => {
    const { dir } = await createDialogueWorkflow(
      "What is there still to say about the weather?",
      [createParticipant({ name: "Ada" }, agent), createParticipant({ name: "Ben" }, agent)],
      { maxTurns: MESSAGES, maxPromptTokens: 2_000, seed: 1, record: folderRecord({ out }) },
    ).run();
    const reached = await walk(join(dir!, "index.md"));
    assert.equal(reached.messages.size, MESSAGES);
    assert.ok(reached.pages > 16, `${reached.pages} pages`);
    assert.ok(Math.max(...reached.messages.values()) <= 3);
    assert.ok(reached.most <= 2_000, `a page of ${reached.most} tokens`);
  });
});

/** Follows the links from an index page; returns the messages with the number of pages on their path. */
async function walk(
  index: string,
): Promise<{ messages: Map<string, number>; pages: number; most: number }> {
  const count = await loadTokenCounter();
  const messages = new Map<string, number>();
  const seen = new Set<string>();
  let most = 0;
  let level = [index];
  for (let depth = 1; level.length > 0; depth++) {
    const next: string[] = [];
    for (const page of level) {
      seen.add(page);
      const text = await Deno.readTextFile(page);
      most = Math.max(most, count(text));
      for (const [, link] of text.matchAll(/\]\(([^)]+)\)/g)) {
        const path = join(dirname(page), link!);
        if (seen.has(path) || messages.has(path)) continue;
        assert.ok((await Deno.stat(path)).isFile, `${page} links to ${path}`);
        if (path.includes("/messages/")) messages.set(path, depth);
        else if (path.includes("/pages/")) next.push(path);
      }
    }
    level = [...new Set(next)];
  }
  return { messages, pages: seen.size, most };
}
