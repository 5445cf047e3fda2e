import assert from "node:assert/strict";
import { join } from "@std/path";
import { listConvenings, openConvening, untilReleased, verify, watchConvening } from "../../mod.ts";
import { withFolder } from "../support/cli.ts";
import { type ModelServer, startModelServer } from "../support/model_server.ts";
import { post, startServe } from "./support/serve_process.ts";

/** Convenings in which one is asked after the other: what was answered is on record before the next is asked. */
const IN_TURN = [
  { kind: "dialogue", topic: "What makes a good teacher?", maxTurns: 6 },
  {
    kind: "dialogue",
    topic: "Is remote work good for cities?",
    maxTurns: 6,
    select: "moderator",
    participants: [{ name: "Ines" }, { name: "Gil" }, { name: "Mo" }],
  },
  { kind: "dialogue", topic: "Should our town run buses all night?", maxTurns: 6 },
];
const OF_EACH_KIND = [
  { kind: "dialogue", topic: "What makes a good teacher?", maxTurns: 4 },
  { kind: "consensus", topic: "How should a village spend it?", limits: { maxTurns: 12 } },
  { kind: "debate", topic: "Is remote work good for cities?", roundCount: 1 },
];

/** A model server that answers so many requests and lets the others hang until it is opened. */
class Gate {
  readonly #first: number;
  readonly #topics: readonly string[];
  readonly #waiting = new Set<string>();
  readonly #open = Promise.withResolvers<void>();
  readonly #all = Promise.withResolvers<void>();
  #answered: string[] = [];

  constructor(first: number, convenings: readonly { readonly topic: string }[]) {
    this.#first = first;
    this.#topics = convenings.map(({ topic }) => topic);
  }

  /** The requests that were answered, in their order. */
  get answered(): readonly string[] {
    return this.#answered;
  }

  /** Resolves once every convening waits for an answer. */
  get isShut(): Promise<void> {
    return this.#all.promise;
  }

  open(): void {
    this.#open.resolve();
  }

  async pass(asked: string): Promise<void> {
    if (this.#answered.length >= this.#first) {
      const topic = this.#topics.find((each) => asked.includes(each));
      if (topic !== undefined) this.#waiting.add(topic);
      if (this.#waiting.size === this.#topics.length) this.#all.resolve();
      await this.#open.promise;
    }
    this.#answered.push(asked);
  }
}

function gatedServer(gate: Gate): Promise<ModelServer> {
  return startModelServer({
    respond: async ({ body }) => {
      await gate.pass(JSON.stringify(body.messages));
      return {};
    },
  });
}

Deno.test("a server that is killed in the middle of three runs ends all three when it is started anew with --resume, and asks nothing twice", async () => {
  await withFolder(async (folder) => {
    const gate = new Gate(9, IN_TURN);
    await using models = await gatedServer(gate);
    const args = ["--base-url", models.url, "--model", "test-model", "--max-running", "2"];
    await using killed = await startServe(["--max-running", "3", ...args.slice(0, 4)], { folder });
    for (const body of IN_TURN) {
      assert.equal((await post(`${killed.url}/api/convenings`, body)).status, 201);
    }
    await gate.isShut;
    const out = join(folder, "convenings");
    const paid = new Set(gate.answered);
    killed.kill("SIGKILL");
    await killed.end;

    const dirs = (await listConvenings(out)).map(({ dir, status }) => {
      assert.equal(status, "interrupted");
      return dir;
    });
    assert.equal(dirs.length, 3);
    gate.open();
    const asked = models.requests.length;
    await using anew = await startServe(["--resume", ...args], { folder });
    for (const dir of dirs) await untilEnded(dir);
    for (const dir of dirs) {
      const { result } = await openConvening(dir);
      assert.equal(result.status, "completed", dir);
      assert.deepEqual((await verify(dir)).findings, []);
    }
    const later = models.requests.slice(asked).map(({ body }) => JSON.stringify(body.messages));
    assert.ok(paid.size >= 9 && later.length > 9);
    assert.deepEqual(later.filter((each) => paid.has(each)), []);
    anew.kill("SIGINT");
    assert.equal((await anew.end).code, 130);
  });
});

async function untilEnded(dir: string): Promise<void> {
  for (;;) {
    for await (const { type } of watchConvening(dir)) if (type === "convening-end") return;
    // It waits in line, and nobody has its record yet.
    await untilReleased(dir, { within: 1000 });
  }
}

Deno.test("Ctrl-C lets go of what runs and what waits, with no ending on record; a new server goes on with it", async () => {
  await withFolder(async (folder) => {
    const gate = new Gate(2, OF_EACH_KIND);
    await using models = await gatedServer(gate);
    const args = ["--base-url", models.url, "--model", "test-model", "--max-running", "3"];
    await using first = await startServe(args, { folder });
    for (const body of OF_EACH_KIND) await post(`${first.url}/api/convenings`, body);
    await gate.isShut;
    first.kill("SIGINT");
    const { code, stderr } = await first.end;
    assert.equal(code, 130, stderr);
    const out = join(folder, "convenings");
    const rows = await listConvenings(out);
    assert.deepEqual(rows.map(({ status }) => status), Array(3).fill("interrupted"));
    gate.open();
    await using second = await startServe(["--resume", ...args], { folder });
    for (const { dir } of rows) {
      await untilEnded(dir);
      assert.equal((await openConvening(dir)).result.status, "completed");
    }
    second.kill("SIGTERM");
    assert.equal((await second.end).code, 130);
  });
});
