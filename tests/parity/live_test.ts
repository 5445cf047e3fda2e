// Running convenings are paused, stopped and resumed alike in library, CLI, HTTP and MCP.
import assert from "node:assert/strict";
import { openConvening } from "../../mod.ts";
import { type ModelRequest, startModelServer } from "../support/model_server.ts";
import { MODELS } from "./support/asked.ts";
import { withDoors } from "./support/four_doors.ts";

/** A dialogue with sequential turns. */
const TALK = {
  kind: "dialogue",
  topic: "What makes a good teacher of small children?",
  model: "good",
  maxTurns: 3,
  seed: 1,
  guards: { repetition: "off" },
};
const DOORS = 4;

/** Delays the first reply to every surface until the gate opens. */
class Gate {
  readonly #reached = Promise.withResolvers<void>();
  readonly #opened = Promise.withResolvers<void>();
  #waiting = 0;

  /** Resolves when every surface's run waits for its first reply. */
  get reached(): Promise<void> {
    return this.#reached.promise;
  }

  open(): void {
    this.#opened.resolve();
  }

  /** Opens, so that no server waits after a failed test. */
  [Symbol.dispose](): void {
    this.open();
  }

  async respond({ body }: ModelRequest) {
    if (++this.#waiting === DOORS) this.#reached.resolve();
    await this.#opened.promise;
    return { text: `A good teacher listens, says ${body.model}.` };
  }
}

Deno.test("library, CLI, HTTP and MCP pause a run after its current turn and resume alike", async () => {
  await using server = await startModelServer({ respond: (asked) => gate.respond(asked) });
  using gate = new Gate();
  await withDoors({ model: "good", baseUrl: server.url }, async (doors) => {
    let asked = 0;
    const held = await doors.begin({ config: TALK }, () => gate.reached, async (door, { dir }) => {
      assert.deepEqual((await door.pause(dir)).value, { held: true, status: "running" }, door.name);
      // No run ends its turn before all of them have been asked to pause.
      if (++asked === DOORS) gate.open();
    });
    for (const dir of held.dirs.values()) {
      const { result, messages } = await openConvening(dir);
      assert.deepEqual([result.status, messages.length], ["paused", 1]);
    }
    const on = await doors.at(held, (door, dir) => door.resume(dir));
    assert.equal(on.value?.["status"], "completed");
    await doors.compare(held);
  });
});

Deno.test("library, CLI, HTTP and MCP stop a run and resume alike", async () => {
  await using server = await startModelServer({ respond: (asked) => gate.respond(asked) });
  using gate = new Gate();
  await withDoors({ model: "good", baseUrl: server.url }, async (doors) => {
    const held = await doors.begin(
      { config: TALK },
      () => gate.reached,
      (_door, run) => run.stop(),
    );
    for (const dir of held.dirs.values()) {
      const { status, endReason } = (await openConvening(dir)).result;
      assert.deepEqual([status, endReason], ["stopped", "cancelled"]);
    }
    gate.open();
    const on = await doors.at(held, (door, dir) => door.resume(dir));
    assert.equal(on.value?.["status"], "completed");
    await doors.compare(held);
  });
});

Deno.test("library, CLI, HTTP and MCP resume alike with other models", async () => {
  await using server = await startModelServer({
    respond: ({ body }) =>
      body.response_format === undefined ? { text: `So says ${body.model}, and means it.` } : {},
  });
  await withDoors({ model: "good", baseUrl: server.url }, async (doors) => {
    const config = { ...MODELS, participants: undefined, judges: undefined };
    const held = await doors.hold({ config: { ...config, limits: { maxTurns: 2 } } });
    const other = {
      model: "other",
      advocateModels: ["ann", "bob"],
      judgeModels: ["kim"],
      limits: { maxTurns: 100 },
    };
    const on = await doors.at(held, (door, dir) => door.resume(dir, other));
    assert.equal(on.value?.["status"], "completed");
    await doors.compare(held);
    const spoke = new Set(server.requests.map(({ body }) => body.model));
    assert.deepEqual([...spoke].sort(), ["ann", "bob", "good", "kim", "other"]);
  });
});
