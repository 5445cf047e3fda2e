// Kills convenings at every file operation and counts paid requests: only the answer on its way to disk is asked again.
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

/** A convening and the file operations after which it is killed. */
interface Paid extends Held<Agent> {
  readonly first: number;
  readonly step: number;
}

/** Runs the convening with the latest requests answered first; returns the ids of requests and of answers. */
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
 * Kills the convening after each `step`th file operation and resumes it. Only the answer that was on its way to disk may
 * be asked for again: all earlier answers are durable, for whichever turn.
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

Deno.test("a simultaneous debate with two judges, repairs and conclusions pays nothing twice after a kill at any point", async () => {
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
    step: 7,
  });
  assert.ok(kills > 20, `${kills} kills`);
});

Deno.test("a debate that is scored by rounds pays nothing twice after a kill at any point", async () => {
  const say: Say = ({ context: { kind, key, data } }) => {
    if (kind !== "round_scores") return undefined;
    const scores = { clarity: 6, cohesiveness: 6, engagement: 6, relevance: 6, value: 6 };
    const { turns } = data as { readonly turns: readonly number[] };
    const reasons = `Reasons for ${key}.`;
    return json(Object.fromEntries(turns.map((seq) => [`turn_${seq}`, { reasons, scores }])));
  };
  const kills = await killMetered({
    agent: () => new Talker(say),
    run: (files, dir, agent) => runIn(files, dir, { agent, scoreBy: "round" }),
    first: 1,
    step: 3,
  });
  assert.ok(kills > 20, `${kills} kills`);
});

for (const mode of ["standard", "strict"] as const) {
  Deno.test(`a debate with all options (${mode}) pays nothing twice after a kill at any point`, async () => {
    const kills = await killMetered({
      agent: () => new Everyone(),
      run: (files, dir, agent) => heldBy(files, dir, { agent, ...EVERYTHING, factCheck: { mode } }),
      first: 2,
      step: 29,
    });
    assert.ok(kills > 10, `${kills} kills`);
  });
}

Deno.test("a consensus search with repaired stances pays nothing twice after a kill at any point", async () => {
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

Deno.test("a paper debate with rejected attempts pays nothing twice after a kill at any point", async () => {
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
    step: 7,
  });
  assert.ok(kills > 12, `${kills} kills`);
});

/** Number of event loop turns without a change after which all effects of an answer have happened. */
const STILL = 3;

interface Waiting {
  readonly id: string;
  readonly leave: () => void;
}

/**
 * Releases one answer at a time, after all effects of the previous answer are written: at a kill only the latest answer
 * is on its way to disk. Of concurrent requests the last is answered first; a follow-up such as a repair waits for all
 * requests that were sent before.
 */
class Turnstile {
  /** Ids of the answers that were released before the kill, in order. */
  readonly answered: string[] = [];
  readonly #files: FaultyFiles;
  readonly #waiting: Waiting[] = [];
  /** Requests since the last released answer. */
  #new: Waiting[] = [];
  #turns = false;

  constructor(files: FaultyFiles) {
    this.#files = files;
  }

  /** Resolves when the answer with this id is released. */
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

/** An agent behind a turnstile; a request's id is its key, attempt and text. */
class Metered implements Agent {
  readonly model: string;
  /** Ids of the requests in order. */
  readonly asked: string[] = [];
  readonly #agent: Agent;
  readonly #turnstile: Turnstile;

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
