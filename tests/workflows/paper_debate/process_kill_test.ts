import assert from "node:assert/strict";
import { createAgent, listConvenings, resume, verify } from "../../../mod.ts";
import { startModelServer } from "../../support/model_server.ts";
import { askOf, type PaperAsk, paperModel } from "../../support/paper_model.ts";
import { factsIn } from "../support/killed_runs.ts";
import { diskFiles } from "../../../src/output/fs_store.ts";

const SCRIPT = new URL("../support/paper_killed_process.ts", import.meta.url).pathname;
const CONFIG = new URL("../../../deno.json", import.meta.url).pathname;

Deno.test("A process killed with SIGKILL while debaters argue is resumed with what it had not finished", async () => {
  const out = await Deno.makeTempDir();
  let child: Deno.ChildProcess | undefined;
  const asked: PaperAsk[] = [];
  await using server = await startModelServer({
    respond: (request) => {
      const ask = askOf(request);
      asked.push(ask);
      // The others are on record by then, or on their way: Debater C is not.
      const last = ask.kind === "debater_argument" && ask.debater === "Debater C";
      if (child !== undefined && last) {
        child.kill("SIGKILL");
        return { fault: "hang" };
      }
      return paperModel()(request);
    },
  });
  try {
    child = new Deno.Command("deno", {
      args: [
        "run",
        "--no-check",
        "--no-prompt",
        "--ignore-env",
        "--allow-read",
        "--allow-write",
        "--allow-net=127.0.0.1",
        `--config=${CONFIG}`,
        SCRIPT,
        server.url,
        out,
      ],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    await child.output();
    child = undefined;
    const before = asked.splice(0);
    assert.ok(before.some(({ kind }) => kind === "debater_argument"));
    const { dir } = (await listConvenings(out))[0]!;
    const { answered, status } = await factsIn(diskFiles, dir);
    assert.equal(status, "running");
    assert.ok(answered.has("questions") && answered.has("postures"));
    const agent = createAgent("test-model", { baseUrl: server.url });
    const ids = ["questioner", "debater-a", "debater-b", "debater-c", "reporter", "judge"];
    const resumed = await resume(dir, { agents: Object.fromEntries(ids.map((id) => [id, agent])) });
    const result = await resumed.run();
    assert.equal(result.status, "completed");
    for (const { kind, debater } of asked) {
      assert.ok(!/paper_questions|postures_and_topics/.test(kind), `${kind} was paid again`);
      const key = `argument/debater-${debater.at(-1)?.toLowerCase()}`;
      assert.ok(kind !== "debater_argument" || !answered.has(key), `${key} was paid again`);
    }
    assert.deepEqual((await verify(dir)).findings, []);
    assert.deepEqual(Object.values(result.scores).map(({ total }) => total), [.8845, .8845, .8845]);
  } finally {
    await Deno.remove(out, { recursive: true });
  }
});
