// Kills real processes with SIGKILL and resumes their convenings.
import assert from "node:assert/strict";
import { join } from "@std/path";
import {
  type Agent,
  createAgent,
  createDebateWorkflow,
  folderRecord,
  resume,
  verify,
} from "../../mod.ts";
import type { Fact } from "../../protocol.ts";
import { sha256 } from "../../src/core/message.ts";
import { questionKey } from "../../src/core/record.ts";
import { seededRandom } from "../../src/core/statistics.ts";
import { userFiles } from "../../src/record/disk_files.ts";
import { type ModelReply, type ModelRequest, startModelServer } from "../support/model_server.ts";
import { readRecord } from "../../src/record/read.ts";
import { comparable } from "./support/killed_runs.ts";
import { cast } from "../support/talkers.ts";
import { withFolder } from "../support/cli.ts";
import { filesUnder } from "../support/golden_runs.ts";

const SCRIPT = new URL("./support/killed_process.ts", import.meta.url).pathname;
const CONFIG = new URL("../../deno.json", import.meta.url).pathname;

function lastOf({ body }: ModelRequest): string {
  return body.messages.at(-1)!.content ?? "";
}

/** Returns the same reply to equal requests. */
function steady(request: ModelRequest): ModelReply {
  return request.body.response_format === undefined
    ? { text: `Words ${sha256(lastOf(request)).slice(0, 12)}. More of them follow here.` }
    : {};
}

function start(...args: readonly string[]): Deno.ChildProcess {
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

async function conveningUnder(out: string): Promise<string | undefined> {
  for (const day of await userFiles.list(out)) {
    if (!day.isFolder) continue;
    for (const { name, isFolder } of await userFiles.list(join(out, day.name))) {
      if (isFolder && !name.startsWith(".")) return join(out, day.name, name);
    }
  }
  return undefined;
}

/** Runs the debate without a kill; returns its files and the key of each request by the request's last words. */
async function uninterrupted(
  out: string,
): Promise<{ files: Map<string, string>; keys: Map<string, string> }> {
  await using server = await startModelServer({ respond: steady });
  const model = createAgent("test-model", { baseUrl: server.url });
  const keys = new Map<string, string>();
  const agent: Agent = {
    model: model.model,
    source: model.source,
    reply: (request) => {
      keys.set(request.messages.at(-1)!.content, request.context.key);
      return model.reply(request);
    },
  };
  const { dir } = await createDebateWorkflow("Should cities ban private cars?", cast(agent), {
    roundCount: 2,
    seed: 1,
    record: folderRecord({ out }),
  }).run();
  return { files: await filesUnder(dir!), keys };
}

/** Returns the key of the request that a fact answers. */
function keyOf(fact: Fact): string[] {
  switch (fact.type) {
    case "message":
      return [fact.turn];
    case "score":
    case "verdict":
      return [questionKey(fact)];
    default:
      return [];
  }
}

withFolder.test("a debate killed with SIGKILL at random is resumed to the same directory without paying twice", async (root) => {
  const { files, keys } = await uninterrupted(join(root, "whole"));
  const seed = Deno.pid;
  const random = seededRandom(seed);
  const out = join(root, "killed");
  let child: Deno.ChildProcess | undefined;
  let left = 0;
  const asked: string[] = [];
  await using server = await startModelServer({
    respond: (request) => {
      asked.push(keys.get(lastOf(request)) ?? "a question that no calm run asks");
      if (left-- === 0) child?.kill("SIGKILL");
      return steady(request);
    },
  });
  for (let run = 0;; run++) {
    const dir = await conveningUnder(out);
    const before = dir === undefined
      ? new Set<string>()
      : new Set((await readRecord(userFiles, dir)).facts.flatMap(keyOf));
    asked.length = 0;
    left = run < 2 ? 1 + Math.floor(random() * 7) : Infinity;
    if (run === 2) {
      const agent = createAgent("test-model", { baseUrl: server.url });
      await (await resume(dir!, { agents: { m: agent, a: agent, b: agent, judge: agent } })).run();
    } else {
      child = start(server.url, out, ...dir === undefined ? [] : [dir]);
      assert.ok(!(await child.status).success, `it was not killed (seed ${seed})`);
    }
    for (const key of asked) assert.ok(!before.has(key), `${key} was paid again (seed ${seed})`);
    if (run === 2) break;
  }
  const dir = await conveningUnder(out);
  assert.deepEqual((await verify(dir!)).findings, []);
  assert.deepEqual(comparable(await filesUnder(dir!)), comparable(files), `seed ${seed}`);
});
