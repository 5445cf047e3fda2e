// HTTP acts on running and waiting convenings: say, pause, stop, resume, fork, judge.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { folderRecord, listConvenings, resume } from "../../mod.ts";
import { openConvening } from "../../src/operations/convening.ts";
import { Talker } from "../support/talkers.ts";
import { PAPER } from "./support/paper_server.ts";
import {
  Gate,
  heard,
  held,
  started,
  TALK,
  type TalkingApp,
  withGate,
  withTalkers,
} from "./support/talking_app.ts";
import { namesIn } from "../support/cli.ts";
import { MODEL } from "../support/speaking_model.ts";

const HUMAN = {
  ...TALK,
  participants: [{ id: "ada", name: "Ada" }, { id: "eve", name: "Eve", model: "human" }],
  maxTurns: 4,
};

/** Waits for an event of a type, by default the first. */
async function untilEvent(app: TalkingApp, id: string, type: string, number = 1): Promise<void> {
  let left = number;
  for await (const { event } of heard(await app.fetch(`/api/convenings/${id}/events`))) {
    if (event === type && --left === 0) return;
  }
  throw new Error(`There was no ${type}`);
}

async function bodiesOf(app: TalkingApp, id: string): Promise<string[]> {
  const { body } = await app.get(`/api/convenings/${id}/messages`);
  return body.messages.map(({ body }: { body: string }) => body);
}

withTalkers.test("the convening and its page say why a guard rejected a person's words", async (app) => {
  const checks = { words: { min: 200, max: 300 }, guards: { length: "reject" } };
  const participants = HUMAN.participants.toReversed();
  const id = await started(app, { ...HUMAN, ...checks, participants });
  await untilEvent(app, id, "turn-wait");
  await app.post(`/api/convenings/${id}/say`, { text: "Too short." });
  await untilEvent(app, id, "turn-wait", 2);
  const [{ turn, rejected }] = (await app.get(`/api/convenings/${id}`)).body.waitingFor;
  assert.equal(turn, "turn-1/eve");
  assert.match(rejected, /^The reply had 2 words/);
  const page = await (await app.fetch(`/convenings/${id}`)).text();
  assert.ok(page.includes(`What you wrote was rejected: ${rejected}`), page);
  await app.post(`/api/convenings/${id}/stop`, {});
});

Deno.test("a paper debate whose question was chosen is running until its end, and has the question as its title", async () => {
  const gate = new Gate();
  await withTalkers(async (app) => {
    const { id: paper } = (await app.post("/api/papers", PAPER)).body;
    const config = { kind: "paper-debate", paperIds: [paper], pick: "ask", seed: 1 };
    const id = await started(app, config);
    await untilEvent(app, id, "turn-wait");
    const of = async () => (await app.get(`/api/convenings/${id}`)).body;
    assert.deepEqual((await of()).waitingFor, [{ participant: "reader", turn: "pick" }]);
    await app.post(`/api/convenings/${id}/say`, { text: "1" });
    await gate.reached;
    const { status, waitingFor: waited } = await of();
    assert.deepEqual([status, waited], ["running", null]);
    const { body } = await app.get("/api/convenings?status=running");
    assert.deepEqual(body.convenings.map((row: { id: string }) => row.id), [id]);
    const question = (await bodiesOf(app, id))[1]!;
    assert.equal(body.convenings[0].question, question);
    const pages = ["/", `/convenings/${id}`, `/convenings/${id}/parts/status`];
    const [list, page, panel] = await Promise.all(
      pages.map(async (path) => await (await app.fetch(path)).text()),
    );
    assert.match(page!, /data-standing="running"/);
    assert.ok(list!.includes(`${question}</a>`), list);
    assert.ok(page!.includes(`<h1 dir="auto">${question}</h1>`), page);
    assert.ok(panel!.includes(`data-title="Live · ${question}"`), panel);
    gate.open();
    await app.pool.run(id)!.ended;
    assert.equal((await of()).status, "completed");
  }, { agents: { "debater-a": new Talker(gate.say, "talker") } });
});

withTalkers.test("words that are accepted just before a stop are said after a resume", async (app) => {
  const id = await started(app, { ...HUMAN, maxTurns: 2 });
  await untilEvent(app, id, "turn-wait");
  const path = `/api/convenings/${id}`;
  const [said] = await Promise.all([
    app.post(`${path}/say`, { text: "Streets are for people." }).then(async (answer) => {
      await app.post(`${path}/stop`);
      return answer;
    }),
    app.pool.run(id)!.ended,
  ]);
  assert.equal(said.status, 202);
  if ((await app.get(path)).body.status !== "completed") {
    await app.post(`${path}/resume`);
    await app.pool.run(id)!.ended;
  }
  assert.equal((await app.get(path)).body.status, "completed");
  assert.equal((await bodiesOf(app, id))[1], "Streets are for people.");
});

withTalkers.test("POST …/say rejects an unknown request while a run waits for a person", async (app) => {
  const id = await started(app, HUMAN);
  await untilEvent(app, id, "turn-wait");
  const path = `/api/convenings/${id}/say`;
  const { status, body } = await app.post(path, { text: "Hello.", request: "nowhere" });
  assert.deepEqual([status, body.error.code], [409, "turn_order"]);
  assert.equal(body.error.field, "request");
  app.pool.run(id)!.stop();
  await app.pool.run(id)!.ended;
});

Deno.test("of an answer to a request and of words for its turn that arrive at once, only the first are accepted", async () => {
  const texts = ["I answer the request.", "I take the turn."];
  for (const order of [[0, 1], [1, 0]]) {
    await withTalkers(async (app) => {
      const participants = [{ id: "eve", name: "Eve", model: "client" }, HUMAN.participants[0]];
      const id = await started(app, { ...HUMAN, participants, maxTurns: 1 });
      const path = `/api/convenings/${id}`;
      const [{ id: request }] = (await app.post(`${path}/next-turn`)).body.requests;
      const answers = await Promise.all(
        order.map((at) =>
          app.post(`${path}/say`, { text: texts[at], ...at === 0 ? { request } : {} })
        ),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 409]);
      const { dir, ended } = app.pool.run(id)!;
      await ended;
      const said = order[answers.findIndex(({ status }) => status === 202)]!;
      assert.deepEqual(await bodiesOf(app, id), [texts[said]]);
      const left = (await namesIn(join(dir, ".inbox"))).filter((name) => name.endsWith(".json"));
      assert.deepEqual(left, []);
    });
  }
});

/** Returns an agent whose check waits at a gate, once there is one. */
function checkedBehind(gate: () => Gate | undefined) {
  const ada = new Talker(undefined, "talker");
  return {
    model: ada.model,
    reply: ada.reply.bind(ada),
    check: async () => void await gate()?.say({} as never),
  };
}

Deno.test("during a pending resume, POST …/stop and …/pause end the resumed run, and other settings are rejected", async () => {
  const cases = [
    ["stop", undefined, 202, true],
    ["pause", undefined, 202, true],
    ["resume", { limits: { maxTurns: 1 } }, 409, undefined],
  ] as const;
  for (const [act, body, status, held] of cases) {
    let gate: Gate | undefined;
    const agent = checkedBehind(() => gate);
    await withTalkers(async (app) => {
      const id = await started(app, HUMAN);
      await untilEvent(app, id, "turn-wait");
      const path = `/api/convenings/${id}`;
      await app.post(`${path}/pause`);
      await app.pool.run(id)!.ended;
      gate = new Gate();
      const resumed = app.post(`${path}/resume`);
      await gate.reached;
      const acted = app.post(`${path}/${act}`, body);
      for (let reads = 0; reads < 5; reads++) await app.get(path);
      gate.open();
      assert.equal((await resumed).status, 202);
      assert.deepEqual([(await acted).status, (await acted).body.held], [status, held], act);
      if (held === undefined) app.pool.run(id)!.stop();
      await app.pool.run(id)!.ended;
    }, { agents: { ada: agent } });
  }
});

withGate.test("POST …/stop ends the turn in flight of a run that pauses, and the resume that waits for the pause; a deletion is refused meanwhile", async ({ gate, ...app }) => {
  const id = await started(app);
  await gate.reached;
  const path = `/api/convenings/${id}`;
  await app.post(`${path}/pause`);
  const resumed = app.pool.resume(app.pool.run(id)!.dir);
  assert.equal((await app.fetch(path, { method: "DELETE" })).status, 409);
  assert.equal((await app.post(`${path}/stop`)).status, 202);
  await (await resumed).ended;
  assert.deepEqual(await bodiesOf(app, id), []);
  assert.equal((await app.get(path)).body.status, "stopped");
});

withGate.test("POST …/say and …/pause answer during the turn in flight of a run that pauses while a resume waits for the pause", async ({ gate, ...app }) => {
  const [ada, eve] = HUMAN.participants;
  const participants = [{ ...ada, position: "Ban them." }, { ...eve, position: "Keep them." }];
  const { maxTurns: _none, ...talk } = TALK;
  const id = await started(app, { ...talk, kind: "debate", participants, scoringEnabled: false });
  await gate.reached;
  await untilEvent(app, id, "turn-wait");
  const path = `/api/convenings/${id}`;
  await app.post(`${path}/pause`);
  const resumed = app.pool.resume(app.pool.run(id)!.dir);
  const said = await app.post(`${path}/say`, { text: "Streets are for people." });
  assert.deepEqual([said.status, said.body.participant], [202, "eve"]);
  const paused = await app.post(`${path}/pause`);
  assert.deepEqual([paused.status, paused.body.held], [202, true]);
  gate.open();
  await (await resumed).ended;
  assert.equal((await app.get(path)).body.status, "paused");
  await app.post(`${path}/resume`);
  await untilEvent(app, id, "turn-wait");
  assert.ok((await bodiesOf(app, id)).includes("Streets are for people."));
  app.pool.run(id)!.stop();
  await app.pool.run(id)!.ended;
});

Deno.test("words are accepted though another process takes the convening before this process resumes it", async () => {
  let gate: Gate | undefined;
  const agent = checkedBehind(() => gate);
  await withTalkers(async (app) => {
    const id = await started(app, { ...HUMAN, maxTurns: 2, personTimeout: 0 });
    const { dir, ended } = app.pool.run(id)!;
    await ended;
    const path = `/api/convenings/${id}`;
    gate = new Gate();
    const said = app.post(`${path}/say`, { text: "Streets are for people." });
    await gate.reached;
    const record = await folderRecord({ dir }).open((await openConvening(dir)).start);
    gate.open();
    const { status, body } = await said;
    await record.close();
    assert.deepEqual([status, body.participant, body.left], [202, "eve", true]);
    await app.post(`${path}/resume`);
    await app.pool.run(id)!.ended;
    assert.equal((await bodiesOf(app, id))[1], "Streets are for people.");
  }, { agents: { ada: agent } });
});

Deno.test("words that arrive while a run comes to rest are said afterwards", async () => {
  for (const delay of [undefined, 1, 4]) {
    await withTalkers(async (app) => {
      const id = await started(app, { ...HUMAN, maxTurns: 2, personTimeout: 0 });
      await untilEvent(app, id, "turn-wait");
      if (delay !== undefined) await new Promise((resolve) => setTimeout(resolve, delay));
      const said = await app.post(`/api/convenings/${id}/say`, { text: "Streets are for people." });
      assert.deepEqual([said.status, said.body.participant], [202, "eve"], String(delay));
      await app.pool.run(id)!.ended;
      assert.equal((await bodiesOf(app, id))[1], "Streets are for people.");
    });
  }
});

for (const when of ["before", "after"]) {
  withGate.test(
    `a person's first words for a turn, ${when} its resume, are kept, and others refused, while other runs are queued`,
    async ({ gate, ...app }) => {
      const id = await held(app, {
        ...HUMAN,
        participants: HUMAN.participants.toReversed(),
        maxTurns: 1,
        personTimeout: 0,
      });
      const other = await started(app);
      await gate.reached;
      if (when === "after") await app.post(`/api/convenings/${id}/resume`);
      const texts = ["Streets are for people.", "Streets, I said."];
      const answers = await Promise.all(
        texts.map((text) => app.post(`/api/convenings/${id}/say`, { text })),
      );
      const [said, twice] = answers.toSorted((a, b) => a.status - b.status);
      assert.equal(said!.status, 202);
      const { status, queuePosition, left } = said!.body;
      assert.deepEqual([status, queuePosition, left], ["queued", 1, false]);
      assert.deepEqual([twice!.status, twice!.body.error.code], [409, "turn_order"]);
      gate.open();
      await app.pool.run(other)!.ended;
      await app.pool.run(id)!.ended;
      assert.deepEqual(await bodiesOf(app, id), [texts[answers.indexOf(said!)]]);
    },
    { maxRunning: 1 },
  );
}

withGate.test(
  "words that the process has no place to say are refused, and not left in the inbox",
  async ({ gate, ...app }) => {
    const participants = HUMAN.participants.toReversed();
    const id = await held(app, { ...HUMAN, participants, maxTurns: 1, personTimeout: 0 });
    const other = await started(app);
    await gate.reached;
    const path = `/api/convenings/${id}/say`;
    const busy = await app.post(path, { text: "Streets are for people." });
    assert.deepEqual([busy.status, busy.body.error.code], [503, "busy"]);
    gate.open();
    await app.pool.run(other)!.ended;
    assert.equal((await app.post(path, { text: "Streets, I say." })).status, 202);
    await app.pool.run(id)!.ended;
    assert.deepEqual(await bodiesOf(app, id), ["Streets, I say."]);
  },
  { maxRunning: 1, maxQueued: 0 },
);

withGate.test("POST …/say during the last turn adds the words after it, and none are left for an ended convening", async (app) => {
  const id = await started(app, { ...TALK, maxTurns: 1 });
  await app.gate.reached;
  const aside = { text: "And bikes?", interject: true };
  const { status, body } = await app.post(`/api/convenings/${id}/say`, aside);
  assert.deepEqual([status, body.interjected, body.held], [202, true, true]);
  app.gate.open();
  await app.pool.run(id)!.ended;
  assert.deepEqual((await bodiesOf(app, id)).slice(1), ["And bikes?"]);
  const [{ dir } = { dir: "" }] = await listConvenings(app.out);
  assert.deepEqual(await namesIn(join(dir, ".inbox")), []);
});

withGate.test("POST …/say adds an interjection before the next turn", async ({ gate, ...app }) => {
  const id = await started(app);
  await gate.reached;
  const left = await app.post(`/api/convenings/${id}/say`, {
    text: "And bikes?",
    interject: true,
  });
  assert.deepEqual([left.status, left.body.interjected, left.body.held], [202, true, true]);
  const turn = await app.post(`/api/convenings/${id}/say`, { text: "My turn." });
  assert.equal(turn.body.error.hint, "Interject instead, or wait for a person's turn.");
  gate.open();
  await app.pool.run(id)!.ended;
  assert.ok((await bodiesOf(app, id)).includes("And bikes?"));
  const late = await app.post(`/api/convenings/${id}/say`, { text: "Hm?", interject: true });
  assert.equal(late.status, 400);
  assert.equal(late.body.error.hint, "Fork it before its end, and interject there.");
  for (
    const bad of [
      {},
      { text: "" },
      { text: "  " },
      { text: 7 },
      { text: "x".repeat(20_001) },
      { text: "a\u0000b" },
      { text: "x", as: "ada" },
      { text: "x", interject: true, participant: "ada" },
      { text: "x", interject: true, request: "0123456789ab" },
    ]
  ) {
    const { status, body } = await app.post(`/api/convenings/${id}/say`, bad);
    assert.deepEqual(
      [status, body.error.code],
      [400, "config_invalid"],
      JSON.stringify(bad).slice(0, 60),
    );
  }
});

withGate.test("POST …/stop ends a run early, and an immediate …/resume continues", async ({ gate, ...app }) => {
  const id = await started(app);
  await gate.reached;
  assert.equal((await app.post(`/api/convenings/${id}/stop`)).status, 202);
  const resumed = app.post(`/api/convenings/${id}/resume`);
  gate.open();
  assert.equal((await resumed).status, 202);
  await app.pool.run(id)!.ended;
  const { body } = await app.get(`/api/convenings/${id}`);
  assert.equal(body.status, "completed");
  assert.equal(body.messages, 3);
  const idle = await app.post(`/api/convenings/${id}/stop`);
  assert.deepEqual([idle.status, idle.body.held], [200, false]);
  // axios and `curl -d ''` give this type to an empty body.
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const form = { method: "POST", headers, body: "" };
  assert.equal((await app.fetch(`/api/convenings/${id}/stop`, form)).status, 200);
});

withTalkers.test("POST …/resume with settings is rejected while the convening runs, and holds after a pause", async (app) => {
  const id = await started(app, HUMAN);
  await untilEvent(app, id, "turn-wait");
  const resumed = (body?: object) => app.post(`/api/convenings/${id}/resume`, body);
  const { status, body } = await resumed({ limits: { maxTurns: 1 } });
  assert.deepEqual([status, body.error.code, body.error.field], [409, "locked", "limits"]);
  assert.equal((await resumed()).status, 202);
  await app.post(`/api/convenings/${id}/pause`);
  assert.equal((await resumed({ limits: { maxTurns: 1 } })).status, 202);
  await app.pool.run(id)!.ended;
  assert.equal((await app.get(`/api/convenings/${id}`)).body.endReason, "max_turns");
  const both = await Promise.all([2, 3].map((maxTurns) => resumed({ limits: { maxTurns } })));
  assert.deepEqual(both.map(({ status }) => status).sort(), [202, 409], "none are lost silently");
});

Deno.test("another process's run is paused through its directory and cannot be stopped or resumed", async () => {
  const gate = new Gate();
  await withTalkers(async (app) => {
    const id = await held(app);
    const { dir } = app.pool.run(id)!;
    const { start } = await openConvening(dir);
    const record = await folderRecord({ dir }).open(start);
    try {
      for (const act of ["stop", "resume"]) {
        const { status, body } = await app.post(`/api/convenings/${id}/${act}`);
        if (act === "resume") {
          // The run has completed: there is no lock to take.
          assert.deepEqual([status, body.status], [200, "completed"]);
        } else assert.deepEqual([status, body.error.code], [409, "locked"]);
      }
      const paused = await app.post(`/api/convenings/${id}/pause`);
      assert.deepEqual([paused.status, paused.body.held], [202, true]);
    } finally {
      await record.close();
    }
  }, { say: (gate.open(), gate.say) });
});

withTalkers.test("POST …/judge rejects files, servers and unknown rubrics by the field's name", async (app) => {
  const debate = { kind: "debate", topic: TALK.topic, model: MODEL, roundCount: 1, seed: 1 };
  const id = await held(app, debate);
  const cases: readonly (readonly [body: object, field: string])[] = [
    [{ rubric: "/tmp/x.yaml" }, "rubric"],
    [{ rubric: "nonesuch" }, "rubric"],
    [{ rubric: { id: "own" } }, "rubric.scale"],
    [{ models: ["replay:/tmp"] }, "models.0"],
    [{ models: [] }, "models"],
    [{ models: [MODEL, MODEL] }, "models"],
    [{ baseUrl: "http://127.0.0.1:1" }, "baseUrl"],
  ];
  for (const [bad, field] of cases) {
    const refused = await app.post(`/api/convenings/${id}/judge`, bad);
    assert.deepEqual([refused.status, refused.body.error.field], [400, field], JSON.stringify(bad));
  }
});

withTalkers.test("a waiting convening that another process resumes is reported with its current status", async (app) => {
  const id = await held(app, { ...HUMAN, maxTurns: 2, personTimeout: 0 });
  const { dir } = app.pool.run(id)!;
  const agents = { ada: app.talker };
  const say = { participant: "eve", text: "Said elsewhere." };
  await (await resume(dir, { agents, say })).run();
  assert.equal((await app.get(`/api/convenings/${id}`)).body.status, "completed");
});
