// Windows of models: each role folds by its own, a learned window folds at once, and judges say what they did not see.
import assert from "node:assert/strict";
import { type Agent, composeConvening, memoryRecord } from "../../../mod.ts";
import { forgetLessons } from "../../../src/agents/learned.ts";
import { loadTokenCounter } from "../../../src/core/tokens.ts";
import { startModelServer } from "../../support/model_server.ts";
import { debateOf, drain, promptOf, Talker, TOPIC } from "../support/talkers.ts";

const LONG = "An argument with a number of words that takes up some room in the prompt. ".repeat(6);

/** A talker with long speeches and a window. */
class Windowed extends Talker {
  constructor(readonly tokens: number) {
    super(({ context, schema }) =>
      schema === undefined && context.purpose === "turn"
        ? { text: `${context.key}: ${LONG}` }
        : undefined
    );
  }

  window(): Promise<number> {
    return Promise.resolve(this.tokens);
  }
}

/** A debate of 12 rounds: the requests by role, and the record. */
async function held(windows: Readonly<Record<"m" | "a" | "b" | "j", number>>, most?: number) {
  const agents = Object.fromEntries(
    Object.entries(windows).map(([id, tokens]) => [id, new Windowed(tokens)]),
  );
  const { workflow, record } = debateOf(agents["m"] as Agent, {
    agents,
    roundCount: 12,
    ...most === undefined ? {} : { maxPromptTokens: most },
  });
  const { result } = await drain(workflow);
  assert.equal(result?.status, "completed");
  const count = await loadTokenCounter();
  const prompts = (id: string) => agents[id]!.requests.map(promptOf);
  const longest = (id: string) => Math.max(...prompts(id).map(count));
  const folds = (id: string) => prompts(id).some((text) => text.includes('<summary turns="1-'));
  const sizes = (id: string, words: string) =>
    prompts(id).filter((text) => text.includes(words)).map(count);
  return { longest, folds, sizes, record, result };
}

Deno.test("Each role's prompts are folded by the window of its own model", async () => {
  const { longest, folds, record, result } = await held({
    m: 200_000,
    a: 4000,
    b: 200_000,
    j: 200_000,
  });
  assert.deepEqual(["m", "a", "b", "j"].map(folds), [false, true, false, false]);
  assert.ok(longest("a") < 4000, String(longest("a")));
  assert.ok(longest("b") > 6000 && longest("j") > 6000);
  assert.ok([...record.files.values()].every((text) => !/^folded:/m.test(text)));
  assert.doesNotMatch(result!.notes.join("\n"), /in a summary alone/);
});

Deno.test("A judge's window that is too small is said on its scores and verdicts, and in the notes", async () => {
  const { folds, longest, sizes, record, result } = await held({
    m: 200_000,
    a: 200_000,
    b: 200_000,
    j: 5000,
  });
  assert.deepEqual(["a", "j"].map(folds), [false, true]);
  assert.ok(longest("j") < 5000, String(longest("j")));
  const verdicts = sizes("j", "The debate is over.");
  assert.ok(verdicts.length === 2 && Math.min(...verdicts) > 3000, verdicts.join(" "));
  // Scores fold the transcript; verdicts cut the turns of their own record.
  for (
    const [folder, line] of [["scores/", /^folded: \d+$/m], [
      "verdicts/",
      /^shortened: \d+$/m,
    ]] as const
  ) {
    const said = [...record.files].filter(([path, text]) =>
      path.startsWith(folder) && line.test(text)
    );
    assert.ok(said.length > 0, folder);
  }
  const note = /Judge "j" saw turns 1 to \d+ in a summary alone: the known window of its model/;
  assert.match(result!.notes.join("\n"), note);
  assert.match(record.files.get("scores.md")!, note);
});

Deno.test("maxPromptTokens holds for every role, within its window", async () => {
  const { longest, folds, result } = await held(
    { m: 200_000, a: 4000, b: 200_000, j: 200_000 },
    5000,
  );
  assert.deepEqual(["a", "b", "j"].map(folds), [true, true, true]);
  assert.ok(longest("a") < 4000 && longest("b") > 4000 && longest("b") < 5500);
  assert.match(result!.notes.join("\n"), /in a summary alone: maxPromptTokens left no room/);
});

Deno.test("A window that a server names in an error folds the prompt, which is sent again", async () => {
  forgetLessons();
  const count = await loadTokenCounter();
  const refused: string[] = [];
  await using server = await startModelServer({
    respond: ({ body }) => {
      const prompt = count(body.messages.map(({ content }) => String(content)).join("\n"));
      if (prompt <= 3000) return { text: `${LONG} ${prompt}` };
      refused.push(`${prompt}`);
      const message =
        `This model's maximum context length is 3000 tokens. However, your messages resulted in ${prompt} tokens.`;
      return {
        status: 400,
        body: JSON.stringify({ error: { message, code: "context_length_exceeded" } }),
      };
    },
  });
  const hold = async () => {
    const record = memoryRecord();
    const workflow = await composeConvening({
      kind: "dialogue",
      topic: TOPIC,
      participants: [{ name: "Ada" }, { name: "Ben" }],
      model: "some-model",
      baseUrl: server.url,
      maxTurns: 40,
      seed: 1,
      guards: { repetition: "off", coherence: { mode: "off" } },
    }, { record });
    const result = await workflow.run();
    assert.equal(result.messages.length, 40);
    return record;
  };
  const record = await hold();
  assert.ok(refused.length > 0 && refused.length <= 4, refused.join(" "));
  assert.match(record.files.get("metadata.md")!, /key: window/);
  assert.ok(record.files.has("context/001.md"), [...record.files.keys()].join(" "));
  const before = refused.length;
  await hold();
  assert.equal(refused.length, before, "a window that is known is never passed");
});
