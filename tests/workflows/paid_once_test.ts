import assert from "node:assert/strict";
import type { Agent } from "../../mod.ts";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import { verifyRecord } from "../../src/record/verify.ts";
import { FaultyFiles } from "../output/support/faulty_files.ts";
import { deliberation } from "./support/deliberators.ts";
import { Everyone, EVERYTHING, heldBy } from "./support/everyone.ts";
import {
  afterCrash,
  comparable,
  consensusRunIn,
  conveningIn,
  type Held,
  paperRunIn,
  runIn,
} from "./support/killed_runs.ts";
import { argumentOf, json, paperTalker } from "./support/paper_talkers.ts";
import { type Say, Talker } from "./support/talkers.ts";
import type { AgentReply, AgentRequest } from "../../protocol.ts";

/** A convening, and after which file operations it is killed. */
interface Paid extends Held<Agent> {
  readonly first: number;
  readonly step: number;
}

/** Runs it with later answers first; gives what was asked and what was answered. */
async function metered(
  { agent, run }: Paid,
  files: FaultyFiles,
  dir?: string,
): Promise<{ asked: readonly string[]; answered: readonly string[]; error?: unknown }> {
  const turnstile = new Turnstile(files);
  const paid = new Metered(agent(), turnstile);
  const { error } = await run(files, dir, paid);
  return { asked: paid.asked, answered: turnstile.answered, error };
}

/**
 * Kills it after each `step`th file operation and resumes it. Only the answer that was on its way to disk may be asked for
 * again: whatever was answered before that one was durable, whichever turn it was for.
 */
async function killMetered(held: Paid): Promise<number> {
  const calm = new MemoryFileSystem();
  const counted = new FaultyFiles(calm);
  const whole = await metered(held, counted);
  assert.equal(whole.error, undefined);
  assert.equal(new Set(whole.asked).size, whole.asked.length);
  assert.notDeepEqual(whole.answered, whole.asked, "nothing is answered out of turn");
  const expected = comparable(calm.files(conveningIn(calm)!));
  let kills = 0;
  for (let killAfter = held.first; killAfter < counted.operations; killAfter += held.step) {
    const where = `after ${killAfter} of ${counted.operations} operations`;
    const memory = new MemoryFileSystem();
    const killed = await metered(held, new FaultyFiles(memory, { killAfter }));
    const survived = await afterCrash(memory);
    const dir = conveningIn(survived);
    const late = killed.answered.at(-1);
    const before = new Set(killed.answered.filter((id) => id !== late));
    const resumed = await metered(held, new FaultyFiles(survived), dir);
    assert.equal(resumed.error, undefined, where);
    assert.deepEqual(resumed.asked.filter((id) => before.has(id)), [], where);
    const files = survived.files(conveningIn(survived)!);
    assert.deepEqual(comparable(files), expected, where);
    kills++;
  }
  assert.deepEqual((await verifyRecord(calm, conveningIn(calm)!)).findings, []);
  return kills;
}

Deno.test("A simultaneous debate with two judges, repairs and conclusions pays nothing twice wherever it is killed", async () => {
  const say: Say = ({ context: { key, attempt }, messages }) => {
    if (key === "score/3/j" && attempt === 1) return { text: "Seven." };
    const again = messages.at(-1)!.content.includes("cut off");
    if (key === "opening/b" && !again) return { text: "It was cut", finishReason: "length" };
    return key === "round-1/argument/a" && attempt === 1 ? { text: "" } : undefined;
  };
  const kills = await killMetered({
    agent: () => new Talker(say),
    run: (files, dir, agent) =>
      runIn(files, dir, {
        agent,
        pacing: "simultaneous",
        roundCount: 2,
        retry: { minWait: 0, maxWait: 0 },
        judges: [{ id: "j", agent }, { id: "k", agent }],
      }),
    first: 1,
    step: 3,
  });
  assert.ok(kills > 50, `${kills} kills`);
});

for (const mode of ["standard", "strict"] as const) {
  Deno.test(`A debate with everything turned on (${mode}) pays nothing twice wherever it is killed`, async () => {
    const kills = await killMetered({
      agent: () => new Everyone(),
      run: (files, dir, agent) => heldBy(files, dir, { agent, ...EVERYTHING, factCheck: { mode } }),
      first: 2,
      step: 17,
    });
    assert.ok(kills > 20, `${kills} kills`);
  });
}

Deno.test("A search for consensus pays nothing twice wherever it is killed, repairs of stances included", async () => {
  const usual = deliberation((who, proposal, round) => ({
    stance: proposal !== "p2" && (who !== "ada" || round > 1) ? "agree" : "disagree",
  }));
  const say: Say = (request) => {
    const { kind, participant, attempt, key } = request.context;
    const unread = kind === "statement" || kind === "stance" && attempt === 1;
    return participant === "ben" && unread
      ? { text: `Ben says it his way in ${key}, ${attempt} times.` }
      : usual(request);
  };
  const kills = await killMetered({
    agent: () => new Talker(say),
    run: (files, dir, agent) => consensusRunIn(files, dir, { agent }),
    first: 1,
    step: 3,
  });
  assert.ok(kills > 30, `${kills} kills`);
});

Deno.test("A paper debate pays nothing twice wherever it is killed, attempts that were turned down included", async () => {
  const say: Say = (request) => {
    const { key, attempt } = request.context;
    if (key === "argument/debater-b" && attempt === 1) {
      const { perTopic, ...rest } = argumentOf(request, []);
      return json({ ...rest, perTopic: perTopic.slice(1) });
    }
    return key === "score/5/judge" && attempt === 1 ? { text: "Seven." } : undefined;
  };
  const kills = await killMetered({
    agent: () => paperTalker(say),
    run: (files, dir, agent) => paperRunIn(files, dir, { agent, crossExamine: true }),
    first: 2,
    step: 3,
  });
  assert.ok(kills > 30, `${kills} kills`);
});

/** Looks at the files once more in a later turn of the event loop: all that an answer led to has happened by then. */
const STILL = 3;

interface Waiting {
  readonly id: string;
  readonly leave: () => void;
}

/**
 * Lets one answer out at a time, and only after all that the one before led to is written: a kill comes when at most the
 * latest answer is on its way to disk. Of what was asked at once the last goes first; what an answer led to, such as a
 * repair, waits for all that was asked before.
 */
class Turnstile {
  /** What was let out while the process lived, in its order. */
  readonly answered: string[] = [];
  readonly #files: FaultyFiles;
  readonly #waiting: Waiting[] = [];
  /** What came since an answer was let out. */
  #new: Waiting[] = [];
  #turns = false;

  /** A turnstile for what is written to these files. */
  constructor(files: FaultyFiles) {
    this.#files = files;
  }

  /** Resolves when it is the turn of the answer of this id. */
  async pass(id: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#new.push({ id, leave: resolve });
    if (!this.#turns) void this.#turn();
    await promise;
  }

  async #turn(): Promise<void> {
    this.#turns = true;
    while (this.#waiting.length + this.#new.length > 0) {
      await this.#quiet();
      this.#waiting.push(...this.#new.toReversed());
      this.#new = [];
      const { id, leave } = this.#waiting.shift()!;
      if (!this.#files.isDead) this.answered.push(id);
      leave();
    }
    this.#turns = false;
  }

  async #quiet(): Promise<void> {
    let before = -1;
    for (let still = 0; still < STILL;) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      const now = this.#files.operations + this.#new.length;
      still = now === before ? still + 1 : 0;
      before = now;
    }
  }
}

/** An agent behind a turnstile, whose requests are told apart by key, attempt and every word. */
class Metered implements Agent {
  readonly model: string;
  /** The ids of what was asked, in order. */
  readonly asked: string[] = [];
  readonly #agent: Agent;
  readonly #turnstile: Turnstile;

  /** The agent behind the turnstile. */
  constructor(agent: Agent, turnstile: Turnstile) {
    this.model = agent.model;
    this.#agent = agent;
    this.#turnstile = turnstile;
  }

  async reply(request: AgentRequest): Promise<AgentReply> {
    const { context: { key, attempt }, messages } = request;
    const id = `${key} (${attempt}): ${JSON.stringify(messages)}`;
    this.asked.push(id);
    const reply = await this.#agent.reply(request);
    await this.#turnstile.pass(id);
    request.signal?.throwIfAborted();
    return reply;
  }
}
