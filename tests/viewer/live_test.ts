// Live parts of the viewer's pages.
import { EARLIER_RULES } from "../support/earlier_rules.ts";
import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { join, relative } from "@std/path";
import { createAgent, resume } from "../../mod.ts";
import type { DebateConfig, DialogueConfig } from "../../src/config/convening_config.ts";
import { AgentError, RecordError } from "../../src/core/error.ts";
import type { ConveningEvent } from "../../src/core/event.ts";
import type { ActiveRun } from "../../src/operations/active_run.ts";
import { Gate, gatedAgent } from "../e2e/support/gate.ts";
import { createServer } from "../../src/server/server.ts";
import { withApp } from "../server/support/open_app.ts";
import { page, sent } from "../server/support/pages.ts";
import { heard, TALK, withTalkers } from "../server/support/talking_app.ts";
import { MODEL } from "../support/speaking_model.ts";

const DEBATE: DebateConfig = {
  kind: "debate",
  topic: "Should cities ban private cars from their centres?",
  roundCount: 1,
  model: MODEL,
  seed: 1,
};
const PERSON: DebateConfig = {
  ...DEBATE,
  personTimeout: 0,
  participants: [
    { id: "you", name: "You", position: "Yes", model: "human" },
    { id: "ben", name: "Ben", position: "No" },
  ],
};
const DIALOGUE: DialogueConfig = { ...TALK, participants: [...TALK.participants] };

/** Waits for an event of a run. */
async function until(
  { feed }: ActiveRun,
  isMeant: (event: ConveningEvent) => boolean,
): Promise<void> {
  for await (const event of feed.follow(0)) if (isMeant(event)) return;
}

Deno.test("a reader who joins during a turn is shown and sent the turn's text so far", async () => {
  const gate = new Gate();
  gate.hold(({ participant }) => participant === "ben");
  await withTalkers(async (app) => {
    const run = await app.pool.start(DIALOGUE);
    await until(run, ({ type }) => type === "message");
    await until(run, (event) => event.type === "turn-start" && event.turn.participant === "ben");
    gate.step();
    await until(run, (event) => event.type === "message-delta" && event.text !== "");
    const text = await page({ ask: app.fetch }, `/convenings/${run.id}`);
    const [spoken] = run.feed.spoken;
    const [, draft = ""] = /class="words" dir="auto">([^<]+)</.exec(text) ?? [];
    assert.ok(draft.length > 20 && (spoken?.text ?? "").startsWith(draft.slice(0, 20)), draft);
    assert.match(text, /speaking: Ben, statement/);
    const [, after = ""] = /data-after="(\d+)"/.exec(text) ?? [];
    const response = await app.fetch(`/api/convenings/${run.id}/events?after=${after}`);
    for await (const { data } of heard(response)) {
      if (data.type !== "message-delta") continue;
      assert.equal(data.whole, true);
      assert.ok(data.text.startsWith(draft.slice(0, 20)));
      break;
    }
    gate.open();
    await run.ended;
    assert.doesNotMatch(await page({ ask: app.fetch }, `/convenings/${run.id}`), /class="words"/);
  }, { agents: { ben: gatedAgent(gate) } });
});

Deno.test("a server that does not run a convening shows its standing from the record and the log", async () => {
  const gate = new Gate();
  gate.hold(({ participant }) => participant === "ben");
  await withTalkers(async (app) => {
    const run = await app.pool.start(DIALOGUE);
    await until(run, (event) => event.type === "turn-start" && event.turn.participant === "ben");
    const other = createServer({ out: app.out });
    const ask = (path: string) => other.fetch(new Request(`http://localhost${path}`));
    for (const path of ["", "/parts/status"]) {
      const text = await page({ ask }, `/convenings/${run.id}${path}`);
      assert.match(text, /<span id="now">Dialogue, round 1 · turn /);
      assert.match(text, />1 message<[^>]*> · <span id="cost">100 tokens read, 20 written/);
    }
    await other.close();
    // Without a process that runs the record, the page is that of a pause: controls first, and no outcome.
    const left = join(app.out, "left");
    const dir = join(left, relative(app.out, run.dir));
    await cp(run.dir, dir, { recursive: true });
    await Deno.remove(join(dir, ".lock"));
    const third = createServer({ out: left });
    const text = await page(
      { ask: (path) => third.fetch(new Request(`http://localhost${path}`)) },
      `/convenings/${run.id}`,
    );
    assert.match(text, /data-standing="interrupted">Interrupted<[^]*>Resume<[^]*>The exchange</);
    assert.doesNotMatch(text, /id="result"/);
    await third.close();
    gate.open();
    await run.ended;
  }, { agents: { ben: gatedAgent(gate) } });
});

withApp.test("a message's part equals its place in the page, with scores, checks and rejected attempts", async (opened) => {
  const id = await opened.hold({ ...DEBATE, factCheck: { mode: "standard" }, judges: [{}, {}] });
  const whole = (await page(opened, `/convenings/${id}`)).replace(/\s+/g, " ");
  for (const seq of [1, 2, 4, 5, 11]) {
    const part = (await page(opened, `/convenings/${id}/parts/${seq}`)).replace(/\s+/g, " ");
    assert.match(part, new RegExp(`id="message-${seq}"`));
    assert.ok(whole.includes(part.trim()), String(seq));
  }
  await page(opened, `/convenings/${id}/parts/0`, 404);
});

withApp.test("the pending person, the message to answer and the task are shown when another process asked", async (opened) => {
  const begun = await opened.pool.start({ ...PERSON, ...EARLIER_RULES });
  await begun.ended;
  const path = `/convenings/${begun.id}`;
  for (const words of ["I open.", "I argue."]) {
    await sent(opened, `${path}/actions/say`, { as: "you", text: `${words} Trams are quicker.` });
    await opened.pool.run(begun.id)?.ended;
  }
  // A second server that has run nothing shows the same.
  await withApp(async (later) => {
    const day = join(later.out, begun.dir.split("/").at(-2)!);
    await Deno.mkdir(day);
    const moved = join(day, begun.id);
    await Deno.rename(begun.dir, moved);
    const asked = await page(later, path);
    assert.match(asked, /Round 1, rebuttal, in answer to <a href="[^"]+">message \d+, <bdi>Ben/);
    assert.match(asked, /What is asked[\s\S]*class="said"/);
    const log = join(moved, "log.jsonl");
    const events = (await Deno.readTextFile(log)).split("\n");
    await Deno.writeTextFile(log, events.filter((each) => !each.includes("turn-wait")).join("\n"));
    const text = await page(later, path);
    assert.match(text, /Round 1, rebuttal, in answer to/);
    assert.doesNotMatch(text, /What is asked/);
  });
});

Deno.test("the error of a failed run is shown without the path of the archive", async () => {
  let out = "";
  const fail = () => {
    throw new RecordError("record_unwritable", `Cannot write ${out}/2026-11-21/x/a.md: full`);
  };
  await withTalkers(async (app) => {
    out = app.out;
    const run = await app.pool.start(DIALOGUE);
    await run.ended;
    const text = await page({ ask: app.fetch }, `/convenings/${run.id}`);
    assert.match(text, /Cannot write x\/a\.md: full/);
    const { error } = await (await app.fetch(`/api/convenings/${run.id}`)).json();
    assert.deepEqual(error, { code: "record_unwritable", message: "Cannot write x/a.md: full" });
  }, { agents: { ada: { model: MODEL, reply: fail }, ben: { model: MODEL, reply: fail } } });
});

Deno.test("a failed run shows the failure first with the way to resume, then the outcome, and no failure once another process has completed it", async () => {
  const agent = {
    model: MODEL,
    reply: () => Promise.reject(new AgentError("agent_unreachable", "Cannot reach the model")),
  };
  await withTalkers(async (app) => {
    const run = await app.pool.start(DIALOGUE);
    await run.ended;
    const shownPage = () => page({ ask: app.fetch }, `/convenings/${run.id}`);
    const text = await shownPage();
    const places = [
      '<h1 dir="auto">',
      ">Failed<",
      "Cannot reach the model",
      ">Resume<",
      'id="result"',
    ]
      .map((each) => text.indexOf(each));
    assert.deepEqual(places, places.toSorted((a, b) => a - b));
    assert.ok(places[0]! > 0 && text.split('id="status"').length === 2);
    const shown = async () => await (await app.fetch(`/api/convenings/${run.id}`)).json();
    assert.equal((await shown()).error.code, "agent_unreachable");
    const offline = createAgent("offline");
    await (await resume(run.dir, { agents: { ada: offline, ben: offline } })).run();
    const { status, error } = await shown();
    assert.deepEqual([status, error], ["completed", undefined]);
    assert.equal((await shownPage()).split('id="status"').length, 2);
  }, { agents: { ada: agent, ben: agent } });
});
