// A killed server resumes its runs after a restart.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { listConvenings, openConvening, verify } from "../../mod.ts";
import { withFolder } from "../support/cli.ts";
import type { ModelReply } from "../support/model_server.ts";
import { type HeldPlace, HoldingModel, untilOnDisk, wordsOf } from "./support/holding_model.ts";
import { post, startServe, untilEnded } from "./support/serve_process.ts";

const TEAM = [{ name: "Ines" }, { name: "Gil" }, { name: "Mo" }];
/** Convenings with concurrent requests; each topic has distinct words. */
const AT_ONCE = [
  {
    kind: "debate",
    topic: "Is remote work good for cities?",
    roundCount: 1,
    pacing: "simultaneous",
    participants: [{ name: "Ines", position: "Yes" }, { name: "Gil", position: "No" }],
    judges: [{ name: "Jo", model: "test-jo" }, { name: "Kay", model: "test-kay" }],
  },
  {
    kind: "consensus",
    topic: "How should a village spend it?",
    limits: { maxTurns: 12 },
    participants: TEAM,
  },
  {
    kind: "dialogue",
    topic: "Should our town run buses all night?",
    maxTurns: 3,
    participants: TEAM,
    factCheck: { mode: "strict" },
    sources: [{ name: "town.md", text: "Buses run all night. Trams are slower than buses." }],
  },
];
const [DEBATE, SEARCH, TALK] = AT_ONCE.map(({ topic }) => topic);
/** Points of the two kills: later answers present and earlier ones missing, a repair and checks half done. */
const KILLS: readonly (readonly HeldPlace[])[] = [
  [
    { topic: DEBATE!, held: /You are Ines.*Give your opening/s, answers: 3 },
    { topic: SEARCH!, held: /You are Ines.*Make one or two proposals/s, answers: 2 },
    { topic: TALK!, words: /<claim>/, held: /Trams: Mark/, answers: 3 },
  ],
  [
    { topic: DEBATE!, held: /You are Ines.*Round 1\b.*make one new argument/s, answers: 6 },
    { topic: SEARCH!, held: /it could not be read/, answers: 2 },
    { topic: TALK!, words: /<claim>/, held: /This is what is to be checked/, answers: 2 },
  ],
];

/** Replies with two claims for every statement, and with a list of one proposal that is readable only at the second attempt. */
function odd(name: string, mark: string, last: string): ModelReply | undefined {
  if (name === "claims") {
    const quote = /<statement>\n([^]*)\n<\/statement>/.exec(last)?.[1];
    const texts = [`Buses: ${mark}.`, `Trams: ${mark}.`];
    return { json: { claims: texts.map((text) => ({ quote, text })) } };
  }
  if (name !== "proposals_merged") return undefined;
  if (!last.includes("it could not be read")) return { text: `${mark}, and no JSON.` };
  return { json: { reasons: mark, proposals: [{ text: `All of it: ${mark}.`, from: [1, 2, 3] }] } };
}

Deno.test("a server killed twice during three runs completes all three after restarts with --resume and repeats no request", async () => {
  await withFolder(async (folder) => {
    const model = new HoldingModel(odd);
    await using models = await model.serve();
    const args = ["--base-url", models.url, "--model", "test-model", "--max-running", "3"];
    const out = join(folder, "convenings");
    const paid = new Set<string>();
    for (const [kill, places] of KILLS.entries()) {
      const reached = model.holdAt(places);
      const before = model.answered.length;
      await using server = await startServe(kill === 0 ? args : ["--resume", ...args], { folder });
      for (const body of kill === 0 ? AT_ONCE : []) {
        assert.equal((await post(`${server.url}/api/convenings`, body)).status, 201);
      }
      await reached;
      model.shut();
      const answered = model.answered.slice(before);
      await untilOnDisk(out, answered.map(({ mark }) => mark));
      server.kill("SIGKILL");
      await server.end;
      assert.deepEqual(answered.filter(({ asked }) => paid.has(asked)), []);
      for (const { asked } of answered) paid.add(asked);
      const statuses = (await listConvenings(out)).map(({ status }) => status);
      assert.deepEqual(statuses, Array(3).fill("interrupted"));
      model.open();
    }
    const dirs = (await listConvenings(out)).map(({ dir }) => dir);
    for (const dir of dirs) assert.deepEqual((await verify(dir)).findings, []);
    const asked = models.requests.length;
    await using anew = await startServe(["--resume", ...args], { folder });
    for (const dir of dirs) {
      await untilEnded(dir);
      assert.equal((await openConvening(dir)).result.status, "completed", dir);
      assert.deepEqual((await verify(dir)).findings, []);
    }
    const later = models.requests.slice(asked).map(wordsOf);
    assert.ok(paid.size >= 18 && later.length > 9, `${paid.size}, ${later.length}`);
    assert.deepEqual(later.filter((each) => paid.has(each)), []);
    assert.equal(new Set(later).size, later.length);
    anew.kill("SIGINT");
    assert.equal((await anew.end).code, 130);
  });
});
