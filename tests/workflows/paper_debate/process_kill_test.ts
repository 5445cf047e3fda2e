import assert from "node:assert/strict";
import { type ConveningResult, createAgent, listConvenings, resume, verify } from "../../../mod.ts";
import { startModelServer } from "../../support/model_server.ts";
import { askOf, type PaperAsk, paperModel } from "../../support/paper_model.ts";
import { factsIn } from "../support/killed_runs.ts";
import { userFiles } from "../../../src/record/disk_files.ts";

const SCRIPT = new URL("../support/paper_killed_process.ts", import.meta.url).pathname;
const CONFIG = new URL("../../../deno.json", import.meta.url).pathname;

function start(args: readonly string[]): Deno.ChildProcess {
  return new Deno.Command("deno", {
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
      ...args,
    ],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
}

/** Goes on with a debate; gives how it ended. */
async function goOn(dir: string, url: string): Promise<ConveningResult<unknown>> {
  const agent = createAgent("test-model", { baseUrl: url });
  const ids = ["questioner", "debater-a", "debater-b", "debater-c", "reporter", "judge"];
  const resumed = await resume(dir, { agents: Object.fromEntries(ids.map((id) => [id, agent])) });
  return await resumed.run();
}

Deno.test("A process killed with SIGKILL after a debater looked something up asks for nothing again that led there", async () => {
  const out = await Deno.makeTempDir();
  let child: Deno.ChildProcess | undefined;
  const answered: string[] = [];
  const later: string[] = [];
  await using server = await startModelServer({
    respond: (request) => {
      const ask = askOf(request);
      const words = JSON.stringify(request.body.messages);
      if (child === undefined) later.push(words);
      else if (ask.kind === "debater_argument") {
        // Debater A alone comes further, with what it looked up: its first reply is on disk by then.
        if (ask.debater !== "Debater A") return { fault: "hang" };
        if (ask.results.length > 0) {
          child.kill("SIGKILL");
          return { fault: "hang" };
        }
      }
      if (child !== undefined) answered.push(words);
      return paperModel()(request);
    },
  });
  try {
    child = start([server.url, out]);
    await child.output();
    child = undefined;
    assert.ok(answered.some((words) => words.includes("You are Debater A")));
    const { dir } = (await listConvenings(out))[0]!;
    assert.equal((await goOn(dir, server.url)).status, "completed");
    assert.ok(later.length > 0);
    assert.deepEqual(later.filter((words) => answered.includes(words)), []);
    assert.deepEqual((await verify(dir)).findings, []);
  } finally {
    await Deno.remove(out, { recursive: true });
  }
});

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
    child = start([server.url, out]);
    await child.output();
    child = undefined;
    const before = asked.splice(0);
    assert.ok(before.some(({ kind }) => kind === "debater_argument"));
    const { dir } = (await listConvenings(out))[0]!;
    const { answered, status } = await factsIn(userFiles, dir);
    assert.equal(status, "running");
    assert.ok(answered.has("questions") && answered.has("postures"));
    const result = await goOn(dir, server.url);
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
