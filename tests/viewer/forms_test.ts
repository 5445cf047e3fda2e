// Forms of the viewer's pages.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { z } from "zod";
import { DialogueWorkflow } from "../../mod.ts";
import { defineKind } from "../../protocol.ts";
import { Catalogue } from "../../src/compose.ts";
import survey from "../operations/support/survey.ts";
import { openConvening } from "../../src/operations/convening.ts";
import { TRANSCRIPTS } from "../../src/record/transcript.tsx";
import { type OpenApp, withApp } from "../server/support/open_app.ts";
import { page, send, sent } from "../server/support/pages.ts";
import { MODEL, speakingAgent } from "../support/speaking_model.ts";

const TOPIC = "Should homework be abolished in schools?";
const OPENAI = {
  model: "gpt-4o-mini",
  env: (name: string) => name === "OPENAI_API_KEY" ? "test-key" : undefined,
};
const REMARK = "Pupils in flats have no quiet room.";

/** Submits a form that starts a convening and waits for its end. */
async function begun(opened: OpenApp, fields: Readonly<Record<string, string>>) {
  const path = await sent(opened, "/new", { topic: TOPIC, seed: "3", ...fields });
  const run = opened.pool.run(path.split("/").at(-1) ?? "");
  assert.ok(run !== undefined, path);
  await run.ended;
  return await openConvening(run.dir);
}

/** Returns the tag of a named control in a page. */
function control(text: string, name: string): string {
  const [tag = ""] =
    text.match(new RegExp(`<(?:input|textarea|select)[^>]*name="${name}"[^>]*>`)) ??
      [];
  assert.notEqual(tag, "", `no control ${name}`);
  return tag;
}

withApp.test("a form for each kind starts a convening with the entered values", async (opened) => {
  const debate = await begun(opened, {
    kind: "debate",
    roundCount: "0",
    debateFormat: "casual",
    rubric: "academic",
    judges: "2",
    judgeModel: MODEL,
    "factCheck.mode": "standard",
    "limits.maxTurns": "40",
    "limits.maxCost": "2.5",
    "limits.maxDuration": "5",
    language: "English",
    "sources.0.text": "Homework takes an hour a day.",
    rows: "3",
    "p0.name": "Ada",
    "p0.position": "Yes",
    "p0.persona": "philosopher",
    "p0.systemPrompt": "Be brief.",
    "p1.position": "No",
    "p1.model": MODEL,
    "p2.name": "  ",
  });
  const { start } = debate;
  const { configuration } = start;
  assert.equal(start.kind, "debate");
  assert.deepEqual(
    start.participants.filter(({ role }) => role !== "moderator" && role !== "fact_checker")
      .map(({ name, position }) => [name, position]),
    [["Ada", "Yes"], ["Advocate B", "No"]],
  );
  assert.deepEqual(start.judges.map(({ rubric }) => rubric), ["academic", "academic"]);
  assert.deepEqual(configuration["limits"], { maxTurns: 40, maxCost: 2.5, maxDuration: 300_000 });
  assert.equal(configuration["roundCount"], 0);
  assert.equal(configuration["debateFormat"], "casual");
  assert.equal(configuration["language"], "English");
  assert.deepEqual(start.sources.map(({ text }) => text), ["Homework takes an hour a day."]);
  const unjudged = await begun(opened, { kind: "debate", preset: "self-play", judges: "0" });
  assert.equal(unjudged.start.judges.length, 0);
  const dialogue = await begun(opened, { kind: "dialogue", maxTurns: "3", select: "bids" });
  assert.equal(dialogue.messages.length, 3);
  const consensus = await begun(opened, {
    kind: "consensus",
    threshold: "0.6",
    stableTurns: "2",
    "limits.maxTurns": "5",
  });
  assert.equal(consensus.start.kind, "consensus");
  assert.equal(consensus.start.configuration["threshold"], 0.6);
});

Deno.test("a form for a custom kind has the kind's settings, and lists of kinds name it", async () => {
  const { kinds = [] } = survey;
  const participants = [{ name: "Ada" }, { name: "Ben" }];
  const settings = { ...kinds[0]!.settings, topic: z.string().default("Tea or coffee at work?") };
  const duet = { ...kinds[0]!, name: "duet", participants, settings };
  const walk = defineKind({
    ...{ name: "walk", summary: "Two walk", participants },
    settings: {
      ...{ shift: z.number().default(0), names: z.boolean().default(true) },
      tone: z.enum(["dry", "warm"]).default("warm"),
    },
    create: (topic, cast, options) => new DialogueWorkflow(topic, cast, options),
  });
  await withApp(async (opened) => {
    const form = await page(opened, "/new?kind=delphi");
    assert.match(form, /<a href="\/new\?kind=delphi" aria-current="page"><strong>Delphi</);
    assert.match(form, />Max rounds<[\s\S]*>Until</);
    assert.match(control(form, "maxRounds"), /type="number"[\s\S]*min="1"/);
    assert.match(await page(opened, "/"), /<option value="delphi">Delphi</);
    const refused = await send(opened, "/new", { kind: "delphi", topic: TOPIC, maxRounds: "0" });
    assert.match(control(await refused.text(), "maxRounds"), /aria-invalid/);
    const fields = { kind: "delphi", maxRounds: "2", until: "7.5", "p1.model": "expert:10" };
    const { start } = await begun(opened, fields);
    const { maxRounds, until } = start.configuration;
    assert.deepEqual([start.kind, maxRounds, until], ["delphi", 2, 7.5]);
    const check = await page(opened, "/new?kind=judge-check");
    assert.doesNotMatch(check, /name="(?:topic|p0\.\w+|factCheck\.mode|sources\.0\.text)"/);
    assert.match(control(check, "quick"), /type="checkbox"/);
    assert.match(
      check,
      /Quick<\/span><\/label><p class="note"[^>]*>Asks a third of the questions\./,
    );
    const papers = await opened.ask("/new?kind=paper-debate");
    assert.equal(papers.headers.get("location"), "/papers");
    const ofDuet = await page(opened, "/new?kind=duet");
    assert.match(ofDuet, /Leave this empty for Ada and Ben\./);
    assert.match(control(ofDuet, "maxRounds"), /placeholder="4"/);
    const ofWalk = await page(opened, "/new?kind=walk");
    assert.doesNotMatch(control(ofWalk, "shift"), /min=/);
    assert.match(ofWalk, /<option value="" selected="">Default: warm<\/option>/);
    assert.match(ofWalk, />Default: yes<\/option><option value="no">No<\/option>/);
    const { start: walked } = await begun(opened, { kind: "walk", shift: "-2", names: "no" });
    assert.deepEqual([walked.configuration["shift"], walked.configuration["names"]], [-2, false]);
    assert.match(control(ofDuet, "topic"), /placeholder="Tea or coffee at work\?"/);
    assert.doesNotMatch(control(ofDuet, "topic"), /required/);
    assert.match(control(form, "topic"), /required/);
    assert.match(await page(opened, "/new?kind=consensus"), /Leave this empty for three models\./);
    // Only kinds with presets name them.
    for (const kind of ["dialogue", "consensus", "judge-check"]) {
      assert.doesNotMatch(await page(opened, `/new?kind=${kind}`), /preset/, kind);
    }
    assert.match(await page(opened, "/new?kind=debate"), /Default: off, or the preset&#39;s/);
    const { start: checked } = await begun(opened, { kind: "judge-check", quick: "yes" });
    assert.equal(checked.configuration["quick"], true);
    assert.deepEqual(checked.participants.map(({ name }) => name), ["Clerk", "Judge"]);
  }, { catalogue: new Catalogue({ ...survey, kinds: [...kinds, duet, walk] }) });
});

withApp.test("a form that cannot start a convening is returned without the path of the archive", async (opened) => {
  for (const later of [0, 86_400_000]) {
    const day = new Date(Date.now() + later).toISOString().slice(0, 10);
    await Deno.writeTextFile(join(opened.out, day), "");
  }
  const answer = await send(opened, "/new", { kind: "dialogue", topic: TOPIC, model: "offline" });
  const text = await answer.text();
  assert.match(text, /Cannot write [^]*a part of the path is a file/);
  assert.ok(!text.includes(opened.out), text);
});

Deno.test("an invalid form is returned with its values and with the error at its field", async () => {
  const cases: readonly (readonly [field: string, fields: Readonly<Record<string, string>>])[] = [
    ["topic", { topic: "<b>" }],
    ["roundCount", { roundCount: "1.5" }],
    ["model", { model: "nowhere:model" }],
    ["p1.model", { "p1.model": "replay:/etc" }],
    ["judgeModel", { judgeModel: "nowhere:judge" }],
    ["p0.persona", { "p0.persona": "nobody" }],
    ["p1.name", { "p0.name": "Ada", "p1.name": "ada" }],
    ["p1.position", { "p0.position": "Yes", "p1.position": "Yes" }],
    ["p2.position", { rows: "3", "p0.position": "a", "p1.position": "b", "p2.name": "Cleo" }],
    ["limits.maxCost", { "limits.maxCost": "-1" }],
    ["limits.maxTurns", { "limits.maxTurns": "0" }],
    ["limits.maxDuration", { "limits.maxDuration": "-3" }],
    ["judges", { preset: "alternating", judges: "0" }],
    ["rubric", { rubric: "none" }],
    ["seed", { seed: "-1" }],
    ["factCheck.mode", { "factCheck.mode": "often" }],
    ["maxTurns", { kind: "dialogue", maxTurns: "0" }],
    ["threshold", { kind: "consensus", threshold: "3" }],
  ];
  await withApp(async (opened) => {
    for (const [field, fields] of cases) {
      const refused = await send(opened, "/new", { topic: TOPIC, ...fields });
      assert.equal(refused.status, 400, field);
      const text = await refused.text();
      const tag = control(text, field.replaceAll(".", "\\."));
      assert.match(tag, /aria-invalid="true"/, field);
      assert.match(tag, /autofocus/, field);
      const [, described = ""] = /aria-describedby="([^" ]+)/.exec(tag) ?? [];
      const [, words = ""] = new RegExp(`id="${described}">([^<]+)<`).exec(text) ?? [];
      assert.match(words, /Cannot/, field);
      assert.match(text, /role="alert"[\s\S]*href="#field-/, field);
      for (const [name, value] of Object.entries(fields)) {
        const shown = value.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
        const isKept = text.includes(`value="${shown}"`) || ["none", "often"].includes(value);
        assert.ok(isKept, `${field}: ${name}`);
      }
    }
    // An error names the form's field, not the configuration's key, and the entered text is shown.
    const typed = await send(opened, "/new", { topic: TOPIC, "limits.maxCost": "a lot" });
    const text = await typed.text();
    assert.match(text, /Cannot use “US dollars, at most”: &quot;a lot&quot; is not allowed/);
    assert.doesNotMatch(text, />[^<]*limits\.maxCost/);
    const keyless = await (await send(opened, "/new", { topic: TOPIC, model: "anthropic:m" }))
      .text();
    assert.match(keyless, /ANTHROPIC_API_KEY is not set/);
    assert.doesNotMatch(keyless, /model &quot;client&quot;|your own model/);
    assert.deepEqual(opened.pool.running, []);
    // Without a base URL a name with an unknown prefix is not a server's model.
  }, { models: OPENAI });
});

Deno.test("a form shows the maximal cost, and models without a price, before it is submitted", async () => {
  const shown = (text: string) => /id="planned"[^>]*>([^]*?)<button/.exec(text)![1]!;
  const plan = (fields: Readonly<Record<string, string>>) => ({ change: "plan", ...fields });
  await withApp(async (opened) => {
    const first = shown(await page(opened, "/new"));
    assert.match(first, /<dt>Model<\/dt><dd>gpt-4o-mini, \d+ calls/);
    const [, most = ""] = /<dt>Cost<\/dt><dd>at most \$([\d.]+)</.exec(first) ?? [];
    assert.ok(Number(most) > 0, first);
    assert.doesNotMatch(first, /two sides/);
    const open = await send(opened, "/new", plan({ topic: "Why do cities ban cars?" }));
    assert.match(
      shown(await open.text()),
      /<dt>Sides<\/dt><dd>[^<]* has no two sides: give two positions\./,
    );
    const fields = { topic: TOPIC, roundCount: "5", "p0.name": "Ada" };
    const more = await (await send(opened, "/new", plan(fields))).text();
    const [, longer = ""] = /at most \$([\d.]+)</.exec(shown(more)) ?? [];
    assert.ok(Number(longer) > Number(most), more);
    assert.match(control(more, "p0\\.name"), /value="Ada"/);
    const own = { ...fields, "p1.model": "ft:gpt-4o-mini:mine" };
    assert.match(
      shown(await (await send(opened, "/new", plan(own))).text()),
      /<dt>Cost<\/dt><dd>unknown: no price of \S+:mine is known<\/dd>/,
    );
    const wrong = await (await send(opened, "/new", plan({ ...fields, roundCount: "1.5" }))).text();
    assert.match(shown(wrong), /Not known yet\. Cannot use “Rounds”/);
    const paper = await sent(opened, "/papers", { title: "Tea", text: "Tea is warm. ".repeat(99) });
    assert.match(shown(await page(opened, paper)), /Cost[^]*at most \$[^]*Not counted/);
    const asked = { ...plan({}), question: "Is tea warm enough for everybody here?", seed: "7" };
    assert.match(
      await (await send(opened, `${paper}/debates`, asked)).text(),
      /Is tea warm enough[^]*<details class="more" open[^]*<dt>Calls/,
    );
    assert.deepEqual(opened.pool.running, []);
  }, { models: OPENAI });
});

withApp.test("rows of participants are added and removed without a script", async (opened) => {
  const fields = { kind: "debate", topic: "Sho", "p0.name": "Ada", "p1.name": "Ben" };
  const more = await (await send(opened, "/new", { ...fields, change: "add" })).text();
  assert.match(control(more, "p2\\.name"), /value=""/);
  assert.match(control(more, "topic"), /value="Sho"/);
  const fewer = await (await send(opened, "/new", {
    ...fields,
    rows: "3",
    "p2.name": "Cleo",
    change: "remove-0",
  })).text();
  assert.match(control(fewer, "p0\\.name"), /value="Ben"/);
  assert.match(control(fewer, "p1\\.name"), /value="Cleo"/);
  assert.doesNotMatch(fewer, /name="p2\.name"/);
  const same = await (await send(opened, "/new", { ...fields, change: "remove-x" })).text();
  assert.match(control(same, "p1\\.name"), /value="Ben"/);
  const all = await (await send(opened, "/new", { ...fields, rows: "99", change: "add" })).text();
  assert.doesNotMatch(all, /name="p12\.name"|value="add"/);
});

withApp.test("a person takes part: a form with a person starts a run that waits for the person's words", async (opened) => {
  const path = await sent(opened, "/new", { topic: TOPIC, "p0.who": "person", roundCount: "0" });
  const run = opened.pool.run(path.split("/").at(-1) ?? "");
  for await (const { type } of opened.pool.events(run!.dir)) if (type === "turn-wait") break;
  const text = await page(opened, path);
  assert.match(text, /Your turn: <bdi>You<\/bdi>/);
  assert.doesNotMatch(text, /Move to the trash/, "a process waits in the convening");
  run!.stop();
  await run!.ended;
});

withApp.test("a record is asked, judged again by another rubric, and exported from its page", async (opened) => {
  const { dir, start } = await begun(opened, { roundCount: "0" });
  const path = `/convenings/${dir.split("/").at(-1)}`;
  const before = await page(opened, path);
  assert.match(before, /action="\/convenings\/[^"]+\/ask"/);
  assert.doesNotMatch(before, /id="judged/);
  const found = await page(opened, `${path}/ask?q=homework`);
  assert.match(found, new RegExp(`href="${path}#message-\\d+"`));
  assert.match(await page(opened, `${path}/ask?q=zebra`), /Nothing found/);
  assert.match(await page(opened, `${path}/ask`), /Ask the record/);
  // After an error the question is asked again from its own page.
  const failed = await send(opened, `${path}/ask`, { q: "tea & milk", model: "human" });
  assert.match(
    await failed.text(),
    new RegExp(`class="button" href="${path}/ask\\?q=tea\\+%26\\+milk">Back<`),
  );
  const judged = await sent(opened, `${path}/actions/judge`, {
    rubric: "academic",
    models: ` ${MODEL} , `,
  });
  assert.equal(judged, `${path}#judged-academic`);
  const after = await page(opened, path);
  assert.match(
    after,
    /id="judged-academic"[\s\S]*rubric academic, gpt-4o-mini[\s\S]*by the rubric academic/,
  );
  assert.match(
    after,
    /<h3>Judged again: [^<]*<\/h3><p><strong>Winner: [^<]+<\/strong><\/p><ul[^>]*><li[^>]*>gpt-4o-mini \(judged again\) for /,
  );
  const [result] = /<h2 id="result">[^<]+/.exec(before) ?? [];
  assert.ok(after.includes(result!));
  const unjudged = { rubric: "none", models: "small, large" };
  const refused = await send(opened, `${path}/actions/judge`, unjudged);
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /What you wrote[^]*small, large/);
  for (const [, href] of after.matchAll(/href="([^"]+\/export\?format=\w+)"/g)) {
    const answer = await opened.ask(href!);
    assert.equal(answer.status, 200);
    assert.ok((await answer.text()).includes(start.topic.slice(0, 20)), href);
  }
  const formats = [...after.matchAll(/\/export\?format=(\w+)/g)].map(([, format]) => format);
  assert.deepEqual(formats, Object.keys(TRANSCRIPTS));
});

Deno.test("a model's answer on a record is shown with its quotations that are in messages, each with a link", async () => {
  let quote = "";
  const agent = speakingAgent(() => {
    const passages = [quote, "Nobody said this."].map((quote) => ({ turn: 1, quote }));
    return JSON.stringify({ passages, answer: "Patience." });
  });
  await withApp(async (opened) => {
    const id = await opened.hold();
    const { messages: [first] } = await openConvening(opened.pool.run(id)!.dir);
    quote = first!.body.split(".")[0]!;
    const fields = { q: "What makes a teacher?", model: "mine:a" };
    const shown = await (await send(opened, `/convenings/${id}/ask`, fields)).text();
    assert.match(shown, /<h2 id="answer">Answer of gpt-4o-mini<\/h2><p dir="auto">Patience\.<\/p>/);
    const link = `<a href="/convenings/${id}#message-1">Message 1, <bdi>`;
    const [, item = ""] = /<ul class="findings">(<li[^]*?)<\/ul>/.exec(shown) ?? [];
    assert.ok(item.includes(link) && item.endsWith(`: “${quote}”</li>`), item);
    assert.match(shown, /<p class="note">Left out: 1 quotation found in no message\.<\/p>/);
  }, { catalogue: new Catalogue({ agents: { mine: () => agent } }) });
});

withApp.test("the points of a debate are noted from its page, which then shows and links to the flow sheet", async (opened) => {
  const { dir } = await begun(opened, { roundCount: "0" });
  const path = `/convenings/${dir.split("/").at(-1)}`;
  assert.doesNotMatch(await page(opened, path), /arguments\.md<\/a>/);
  const noted = await sent(opened, `${path}/actions/flow`, { model: MODEL });
  assert.equal(noted, `${path}#arguments`);
  const shown = await page(opened, path);
  const [, sheet = ""] = /<h2 id="arguments">([^]*?)<\/section>/.exec(shown) ?? [];
  const heads = [...sheet.matchAll(/<th scope="col"[^>]*>(?:<bdi>)?([^<]+)/g)];
  assert.deepEqual(heads.map(([, name]) => name), ["Argument", "Advocate A", "Advocate B"]);
  assert.match(sheet, /<tr><th scope="row">A1<\/th><td class="words">/);
  // Each point links to its message.
  assert.ok(sheet.includes(`<a href="${path}#message-2">A1<span`));
  const [, link = ""] = /href="([^"]+)">arguments\.md<\/a>/.exec(shown) ?? [];
  assert.match(await (await opened.app.request(link)).text(), /^type: arguments$/m);
  const [note] = (await Array.fromAsync(Deno.readDir(`${dir}/flow`))).map(({ name }) => name)
    .sort();
  await Deno.remove(`${dir}/flow/${note}`);
  assert.match(
    await page(opened, path),
    /; 1 turn without notes, which may answer points\. A point/,
  );
});

withApp.test("a remark is added, and a limited run is resumed beyond its limit", async (opened) => {
  const { dir, result } = await begun(opened, { "limits.maxTurns": "2" });
  assert.equal(result.endReason, "max_turns");
  const path = `/convenings/${dir.split("/").at(-1)}`;
  assert.match(control(await page(opened, path), "limits\\.maxTurns"), /value="4"/);
  assert.equal(
    await sent(opened, `${path}/actions/interject`, { text: REMARK }),
    `${path}?done=interject#done`,
  );
  assert.doesNotMatch(await page(opened, `${path}?done=constructor`), /role="status">\S/);
  await sent(opened, `${path}/actions/resume`, { "limits.maxTurns": "4" });
  await opened.pool.run(dir.split("/").at(-1)!)?.ended;
  const { messages } = await openConvening(dir);
  assert.ok(messages.some(({ body }) => body.includes(REMARK)));
  assert.ok(messages.length >= 4);
});

withApp.test("an unknown path answers a browser with a page, and a program or a path under /api with JSON", async (opened) => {
  for (const path of ["/nowhere", "/convenings", "/papers/none/debates", "/static/none.js"]) {
    assert.match(await page(opened, path, 404), /<h1>Not found<\/h1>[\s\S]*All convenings/);
  }
  for (const [path, accept] of [["/nowhere", "*/*"], ["/api/nowhere", "text/html"]] as const) {
    const answer = await opened.ask(path, { headers: { accept } });
    assert.equal(answer.status, 404);
    assert.equal((await answer.json()).error.code, "not_found");
  }
  const foreign = await opened.ask("/new", {
    method: "POST",
    headers: { origin: "https://evil.example", accept: "text/html" },
    body: new URLSearchParams({ topic: TOPIC }),
  });
  assert.equal(foreign.status, 403);
  assert.match(await foreign.text(), /<h1>Not possible<\/h1>/);
});
