// Studies whose process is killed: the next run continues from the records and repeats no answered request.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { verify } from "../../mod.ts";
import { sha256 } from "../../src/core/message.ts";
import { planStudy, runStudy, type StudyConfig, studyStatus } from "../../studies.ts";
import { type ModelReply, type ModelRequest, startModelServer } from "../support/model_server.ts";

const SCRIPT = new URL("./support/study_process.ts", import.meta.url).pathname;
const CONFIG = new URL("../../deno.json", import.meta.url).pathname;

/** Returns the same reply to equal requests. */
function steady({ body }: ModelRequest): ModelReply {
  return body.response_format === undefined
    ? { text: `Words ${sha256(body.messages.at(-1)!.content ?? "").slice(0, 12)} follow here.` }
    : {};
}

function start(study: StudyConfig): Deno.ChildProcess {
  const permissions = ["--allow-read", "--allow-write", "--allow-net=127.0.0.1", "--ignore-env"];
  return new Deno.Command("deno", {
    args: [
      ...["run", "--no-check", "--no-prompt", ...permissions, `--config=${CONFIG}`, SCRIPT],
      JSON.stringify(study),
    ],
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  }).spawn();
}

/** Returns the bodies of all messages by key and file. */
async function said(dir: string, keys: readonly string[]): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const key of keys) {
    const messages = join(dir, "debates", key, "messages");
    for await (const { name } of Deno.readDir(messages)) {
      const text = await Deno.readTextFile(join(messages, name));
      texts[`${key}/${name.slice(0, 3)}`] = text.slice(text.indexOf("\n---\n"));
    }
  }
  return texts;
}

Deno.test("a study that is killed repeatedly has the result of an uninterrupted one and repeats no answered request", async () => {
  let requests = 0;
  let killAt = Infinity;
  let child: Deno.ChildProcess | undefined;
  await using server = await startModelServer({
    respond: (request) => {
      if (++requests === killAt) child!.kill("SIGKILL");
      return steady(request);
    },
  });
  const given = (out: string): StudyConfig => ({
    study: "killed",
    base: {
      kind: "debate",
      roundCount: 1,
      out,
      model: "test-model",
      baseUrl: server.url,
      retry: { retries: 0 },
    },
    topics: [{ id: "cars", topic: "Cities should ban cars" }],
    contestants: [{ id: "a" }, { id: "b", temperature: 0.5 }],
    judges: [{ model: "offline" }],
    seeds: 2,
    concurrency: 3,
  });
  const whole = await runStudy(given(await Deno.makeTempDir()));
  const unbroken = requests;
  assert.equal(whole.done, 4);
  const out = await Deno.makeTempDir();
  const { dir, cells } = await planStudy(given(out));
  requests = 0;
  const kills = [4, 11];
  for (const at of kills) {
    killAt = at;
    child = start(given(out));
    assert.equal((await child.status).signal, "SIGKILL");
    const { done, failed, running, isRunning } = await studyStatus(dir);
    assert.deepEqual([failed, running, isRunning], [0, 0, false]);
    assert.ok(done < 4);
  }
  killAt = Infinity;
  const result = await runStudy(given(out));
  assert.deepEqual([result.ended, result.done], ["done", 4]);
  // A kill loses the calls in flight: two per debate at most.
  assert.ok(requests <= unbroken + kills.length * 3 * 2, `${requests} of ${unbroken}`);
  const keys = cells.map(({ key }) => key);
  for (const key of keys) {
    assert.deepEqual((await verify(join(dir, "debates", key))).findings, []);
  }
  assert.deepEqual(await said(dir, keys), await said(whole.dir, keys));
});
