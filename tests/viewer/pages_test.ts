// Pages of the viewer.
import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { join } from "@std/path";
import { openConvening } from "../../mod.ts";
import type { ConveningConfig } from "../../src/config/convening_config.ts";
import { paperText } from "../../src/viewer/papers_page.tsx";
import { MESSAGES_A_PAGE } from "../../src/viewer/convening_parts.tsx";
import { asPost } from "../server/support/as_post.ts";
import { type OpenApp, withApp } from "../server/support/open_app.ts";
import { page, send, sent } from "../server/support/pages.ts";
import { writePdf } from "../support/pdf_writer.ts";
import { MODEL } from "../support/speaking_model.ts";

const DEBATE: ConveningConfig = {
  kind: "debate",
  topic: "Should cities ban private cars from their centres?",
  roundCount: 1,
  seed: 1,
};

const DAY = "2026-11-22";
const EXAMPLE = "2026-11-22T18-08-03_paper-debate";
/** Words of a paper that a debater of the example quotes. */
const QUOTED = "the free day itself brought no measurable gain in accuracy";

/** Copies the shipped paper debate into an archive. */
async function copyExample({ out }: OpenApp): Promise<void> {
  await cp(join("examples/records", DAY), join(out, DAY), { recursive: true });
}

withApp.test("pages load only their own style and script, with an ETag", async (opened) => {
  const text = await page(opened, "/");
  const addresses = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address!);
  assert.ok(addresses.every((each) => /^(?:\/|data:image\/svg\+xml,|#main$)/.test(each)));
  assert.doesNotMatch(text, /<style|\sstyle=|<script>|\son[a-z]+=/);
  const files = addresses.filter((each) => each.startsWith("/static/"));
  // All modules are linked, imported ones included.
  assert.equal(files.length, 8);
  for (const path of files) {
    const answer = await opened.ask(path);
    const etag = answer.headers.get("etag") ?? "";
    assert.ok((await answer.text()).length > 100 && etag.length > 10, path);
    const again = await opened.ask(path, { headers: { "if-none-match": etag } });
    assert.equal(again.status, 304);
    // Pages of an updated server load its scripts, not those of before.
    assert.equal(answer.headers.get("cache-control"), "no-cache");
  }
  assert.equal((await opened.ask("/static/../client.js")).status, 404);
});

withApp.test("the archive is listed, filtered by kind and status, searched and paged", async (opened) => {
  assert.match(await page(opened, "/"), /There are no convenings yet/);
  const debate = await opened.hold(DEBATE);
  const dialogue = await opened.hold();
  const all = await page(opened, "/");
  assert.ok(all.includes(debate) && all.includes(dialogue));
  assert.doesNotMatch(all, /Show all/);
  const debates = await page(opened, "/?kind=debate");
  assert.ok(!debates.includes(dialogue));
  assert.match(debates, />1 of 2 convenings\. <a href="\/">Show all</);
  assert.match(await page(opened, "/?status=failed"), /No convening matches/);
  assert.match(await page(opened, "/?q=cars"), new RegExp(`${debate}#message-\\d+`));
  assert.ok(!(await page(opened, "/?q=cars&kind=dialogue")).includes(debate));
  // Counts are those of the query, and every page of results is available.
  const family = [{ name: "Otto Zug" }, { name: "Eva Zug" }];
  await opened.hold({ ...DEBATE, participants: family });
  await opened.hold({
    kind: "dialogue",
    topic: "What are trams for?",
    participants: family,
    maxTurns: 60,
  });
  const found = await page(opened, "/?q=zug&kind=dialogue");
  assert.match(
    found,
    /60 messages found for “zug” in 62 messages of 2 convenings, .*1 to 50 shown/,
  );
  const [, next = ""] = /href="([^"]*)">Next</.exec(found) ?? [];
  assert.match(await page(opened, next.replaceAll("&amp;", "&")), /51 to 60 shown/);
  assert.match(await page(opened, "/?q=%3Cscript%3E"), /Nothing found for “&lt;script&gt;”/);
  assert.match(await page(opened, "/?page=none", 400), /Cannot use page/);
  // Past the end, the last page is shown.
  assert.match(await page(opened, "/?page=9"), new RegExp(`4 convenings[^]*${debate}`));
  assert.match(await page(opened, "/?q=zug&kind=dialogue&page=9"), /51 to 60 shown/);
  // Topics and messages are searched together, and the form keeps its values.
  const cars = await page(opened, "/?q=cars&sort=messages&model=gpt-4o-mini");
  assert.match(cars, new RegExp(`href="/convenings/${debate}"[^]*<h2>Messages</h2>[^]*<h3>`));
  assert.match(cars, /<option value="messages" selected/);
  assert.match(cars, /<details open[^]*<option value="gpt-4o-mini" selected/);
  assert.match(await page(opened, "/?maxCost=0&q=&kind=debate"), /2 of 4 convenings/);
  assert.match(await page(opened, "/?since=soon", 400), /Cannot use since/);
});

withApp.test("a convening is deleted and restored by forms of the pages", async (opened) => {
  const id = await opened.hold();
  assert.match(await page(opened, `/convenings/${id}`), /Move to the trash/);
  const gone = await send(opened, `/convenings/${id}/actions/delete`, {});
  assert.equal(gone.headers.get("location"), "/?folder=trash");
  assert.ok(!(await page(opened, "/")).includes(id));
  const trash = await page(opened, "/?folder=trash");
  assert.match(trash, /<h1>Deleted convenings<\/h1>.*1 deleted convening</);
  assert.match(trash, new RegExp(`action="/convenings/${id}/actions/restore"`));
  const back = await send(opened, `/convenings/${id}/actions/restore`, {});
  assert.equal(back.headers.get("location"), `/convenings/${id}`);
  assert.match(await page(opened, `/convenings/${id}`), /Move to the trash/);
});

withApp.test("a convening's page shows the winner first, then the reasons, the messages, and the files", async (opened) => {
  const id = await opened.hold({ ...DEBATE, judges: [{}, {}], factCheck: { mode: "standard" } });
  const text = await page(opened, `/convenings/${id}`);
  const [result, exchange] = [text.indexOf('id="result"'), text.indexOf('id="exchange"')];
  assert.ok(result > 0 && result < exchange);
  assert.match(text, /Winner: Advocate B \(Against: [^)]+\)/);
  assert.match(text, /<line\s+class="whisker"/);
  assert.match(text, /Krippendorff/);
  assert.equal([...text.matchAll(/class="message half"/g)].length, 10);
  assert.match(text, /Scored [\d.]+, [\d.]+ of 10 by/);
  assert.match(text, /Fact check: /);
  assert.doesNotMatch(text, /data-live/);
  for (const [, file] of text.matchAll(/href="(\/api\/[^"]+\/files\/[^"]+)"/g)) {
    assert.equal((await opened.ask(file!)).status, 200, file);
  }
  for (const name of ["claims.md", "files.md"]) assert.match(text, new RegExp(`>${name}</a>`));
  // Records of earlier versions lack pages of later versions.
  await Deno.remove(join(opened.out, id.slice(0, 10), id, "files.md"));
  assert.doesNotMatch(await page(opened, `/convenings/${id}`), />files\.md<\/a>/);
});

withApp.test("a study's convening is linked from its own page and from the page of a fork", async (opened) => {
  const id = await opened.hold(DEBATE);
  const debates = join(opened.out, "studies/tea/debates");
  await Deno.mkdir(debates, { recursive: true });
  await Deno.rename(join(opened.out, id.slice(0, 10), id), join(debates, "0123456789abcdef"));
  const path = "/convenings/tea.0123456789abcdef";
  const text = await page(opened, path);
  const links = [...text.matchAll(/href="(\/convenings\/[^"]+)#message-/g)].map(([, link]) => link);
  assert.deepEqual([...new Set(links)], [path]);
  const fork = await sent(opened, `${path}/actions/fork`, { at: "1" });
  assert.ok((await page(opened, fork)).includes(`Fork of <a href="${path}#message-1">`));
  assert.ok((await page(opened, path)).includes(`href="${fork}"`));
});

withApp.test("a position is shown at the first message of its side, and the outcome is shown once", async (opened) => {
  const { id } = await opened.pool.start({ ...DEBATE, flow: true });
  const { id: checked } = await opened.pool.start({
    ...DEBATE,
    factCheck: { mode: "standard" },
    participants: [{ name: "Ada", position: "Yes" }, { name: "Ben", position: "No" }],
    refusedTerms: ["lorry", "tram"],
  });
  await Promise.all([id, checked].map((each) => opened.pool.run(each)?.ended));
  // Keys and values of the configuration are compared in words.
  const compared = await page(opened, `/compare?left=${id}&right=${checked}`);
  assert.match(compared, />Fact check<[^]*>mode: standard</);
  assert.match(compared, />Refused terms<[^]*>lorry, tram</);
  assert.match(compared, />Tokens written<[^]*>Score of Advocate A<[^]*>Score of Ada</);
  assert.doesNotMatch(compared, /Seed given/);
  await sent(opened, `/convenings/${id}/actions/brief`, { model: "offline" });
  const text = await page(opened, `/convenings/${id}`);
  const [, exchange = ""] = text.split('id="exchange-title"');
  assert.equal(exchange.match(/<p class="position"/g)?.length, 2);
  assert.match(text, /<h2 id="brief">[^]*<p role="heading" aria-level="3" class="heading">/);
  assert.equal(text.match(/Winner: |Undecided: /g)?.length, 1);
  // The exchange comes before the table of its points.
  assert.ok(text.indexOf('id="exchange-title"') < text.indexOf('id="arguments"'));
});

withApp.test("parts of a page are served separately, and unknown parts are not", async (opened) => {
  const id = await opened.hold();
  const judged = await opened.hold({ ...DEBATE, judges: [{}] });
  const scores = await page(opened, `/convenings/${judged}/parts/scores`);
  assert.match(scores, /Scores so far: Advocate [AB] \d\.\d\d · Advocate [AB] \d\.\d\d</);
  assert.match(await page(opened, `/convenings/${id}/parts/scores`), /hidden/);
  for (const part of ["status", "controls", "board", "1"]) {
    assert.doesNotMatch(await page(opened, `/convenings/${id}/parts/${part}`), /<html/);
  }
  await page(opened, `/convenings/${id}/parts/99`, 404);
  await page(opened, `/convenings/${id}/parts/__proto__`, 404);
  await page(opened, "/convenings/2026-01-01T00-00-00_debate", 404);
  await page(opened, "/convenings/..%2f..%2fetc", 404);
});

withApp.test("forms of another site and unknown actions are rejected", async (opened) => {
  const id = await opened.hold();
  const foreign = await opened.ask(`/convenings/${id}/actions/fork`, {
    method: "POST",
    headers: { origin: "https://evil.example" },
    body: new URLSearchParams({ at: "1" }),
  });
  assert.equal(foreign.status, 403);
  for (const action of ["constructor", "rm"]) {
    assert.equal((await send(opened, `/convenings/${id}/actions/${action}`, {})).status, 404);
  }
  const missing = "/convenings/2026-01-01T00-00-00_debate";
  assert.equal((await send(opened, `${missing}/actions/fork`, { at: "x" })).status, 404);
  assert.equal((await send(opened, `/convenings/${id}/actions/fork`, { at: "x" })).status, 400);
  const said = await send(opened, `/convenings/${id}/actions/say`, { text: "My <i>words</i>" });
  assert.equal(said.status, 409);
  assert.match(await said.text(), /What you wrote[\s\S]*My &lt;i&gt;words&lt;\/i&gt;/);
});

withApp.test("a person's turn is requested on the page and said by its form", async (opened) => {
  const begun = await opened.pool.start({
    ...DEBATE,
    model: MODEL,
    personTimeout: 0,
    participants: [
      { name: "You", position: "Yes", model: "human" },
      { name: "Ben", position: "No" },
    ],
  });
  await begun.ended;
  const path = `/convenings/${begun.id}`;
  const text = await page(opened, path);
  assert.match(text, /data-standing="waiting"/);
  assert.match(text, /Your turn: <bdi>You<\/bdi>/);
  assert.match(text, /Move to the trash/);
  // The openings are written blind: the turn follows the introduction, and the other opening is folded.
  assert.match(text, /Opening, after <a href="[^"]*#message-1">/);
  const fold =
    /<summary>Folded until You has spoken: the sides write without knowledge of each other</;
  const article = text.split("<article ").find((each) => each.includes("opening statement<"));
  const [, seq] = /^id="message-(\d+)"/.exec(article ?? "") ?? [];
  assert.match(article ?? "", fold);
  assert.match(await page(opened, `${path}/parts/${seq}`), fold);
  assert.equal(text.split("Folded until").length, 2);
  const say = (as: string, text: string) => send(opened, `${path}/actions/say`, { as, text });
  assert.equal((await say("ben", "Hello.")).status, 409);
  assert.equal((await say("you", "Trams move more people.")).status, 303);
  // The page of the redirect has the words and does not ask for them again.
  const after = await page(opened, path);
  assert.match(after, /Trams move more people\./);
  assert.doesNotMatch(after, /Folded until/);
});

withApp.test("a judge that is a person gets one form at a time, and a listener is asked before the first message", async (opened) => {
  const human = { model: "human" };
  const judged = await opened.pool.start({ ...DEBATE, personTimeout: 0, judges: [human] });
  const heard = await opened.pool.start({
    ...DEBATE,
    personTimeout: 0,
    audience: [human, { model: MODEL }],
  });
  await Promise.all([judged.ended, heard.ended]);
  const judging = await page(opened, `/convenings/${judged.id}`);
  assert.equal(judging.split(`<form class="turn"`).length, 2);
  assert.match(judging, /Score of <a href="[^"]+">message \d+, /);
  const asked = await page(opened, `/convenings/${heard.id}`);
  assert.match(asked, /Your turn: <bdi>Listener 1<[^]*Stance, before, the first message/);
  assert.match(asked, /<\/ul>\s*<p[^>]*>Give your reasons in a few sentences/);
  const text = "Reasons: Air.\nAdvocate A: agree 0.7\nAdvocate B: disagree 0.4";
  await sent(opened, `/convenings/${heard.id}/actions/say`, { as: "listener-1", text });
  await opened.pool.run(heard.id)?.ended;
  assert.match(
    await page(opened, `/convenings/${heard.id}`),
    /Stance, after <a href="[^"]+">message 13/,
  );
});

withApp.test("a form answers the question that it shows, and is rejected when this question no longer waits", async (opened) => {
  const judges = [{ model: "human" }];
  const { id, ended } = await opened.pool.start({ ...DEBATE, personTimeout: 0, judges });
  await ended;
  const path = `/convenings/${id}`;
  const text = await page(opened, path);
  const shown = (name: string, html: string) =>
    new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? "";
  const [as, turn] = [shown("as", text), shown("turn", text)];
  assert.match(turn, /^score\/\d+\//);
  const numbers = [...text.matchAll(/(\w+): number 0 to 10/g)].map(([, name]) => `${name}: 7`);
  const form = { as, turn, text: ["Reasons: clear.", ...numbers].join("\n") };
  await sent(opened, `${path}/actions/say`, form);
  await opened.pool.run(id)?.ended;
  const next = shown("turn", await page(opened, path));
  assert.ok(next.startsWith("score/") && next !== turn, next);
  const late = await send(opened, `${path}/actions/say`, form);
  assert.equal(late.status, 409);
  assert.match(
    await late.text(),
    /the turn &quot;score\/\d+\/[^]* no longer waits[^]*What you wrote[^]*Reasons: clear\./,
  );
  const scores = (await openConvening(opened.pool.run(id)!.dir)).facts
    .filter(({ type }) => type === "score");
  assert.equal(scores.length, 1);
});

withApp.test("a fork's page links to its parent, and the fork can be resumed", async (opened) => {
  const parent = await opened.hold();
  const forked = await send(opened, `/convenings/${parent}/actions/fork`, { at: "1" });
  assert.equal(forked.status, 303);
  const path = forked.headers.get("location")!;
  const text = await page(opened, path);
  assert.match(text, new RegExp(`Fork of <a href="/convenings/${parent}#message-1">`));
  assert.match(text, /New fork/);
  assert.doesNotMatch(text, /Interrupted|Undecided|id="result"/);
  assert.match(text, /actions\/resume/);
  // The form before the fork has the message's text to edit; the parent's page lists the fork.
  const asking = await page(opened, `/convenings/${parent}/fork?seq=1`);
  const [, said = ""] = /name="said" value="([^"]*)"/.exec(asking) ?? [];
  assert.ok(asking.includes(`>${said}</textarea>`) && said.length > 10);
  const changed = await send(opened, `/convenings/${parent}/actions/fork`, {
    ...{ at: "1", said: "As it was.", edit: "Quite other words." },
  });
  const other = changed.headers.get("location")!;
  assert.match(
    await page(opened, other),
    /Quite other words\.[^]*edited in this fork|edited in this fork[^]*Quite other words\./,
  );
  const forks = await page(opened, `/convenings/${parent}`);
  assert.ok(forks.includes(`href="${path}"`) && forks.includes(`href="${other}"`));
  assert.match(await page(opened, `/?parent=${parent}`), /2 of 3 convenings, forks of <a href=/);
  const id = other.slice("/convenings/".length);
  const chosen = await opened.ask(`/compare?id=${parent}&id=${id}`);
  assert.equal(chosen.headers.get("location"), `/compare?left=${parent}&right=${id}`);
  const compared = await page(opened, chosen.headers.get("location")!);
  assert.match(compared, /Forked from[^]*Length[^]*2 messages, [^]*1 message, 3 words/);
  assert.match(compared, />statement, left<[^]*>statement, right</);
  assert.match(compared, /<td dir="auto">New fork<\/td>/);
  assert.doesNotMatch(compared, /Interrupted|Undecided/);
  assert.match(compared, /class="pair"[^]*Quite other words\.[^]*No message 2/);
  assert.match(await page(opened, `/compare?left=${parent}`, 400), /Choose two convenings/);
  assert.match(
    await page(opened, `/compare?id=${parent}`, 400),
    /Cannot compare: two convenings are needed[^]*Go back and choose two, not 1\./,
  );
  const same = await page(opened, `/compare?left=${parent}&right=${parent}`);
  assert.match(same, /length and cost are the same[^]*2 messages with the same words/);
  assert.equal(
    (await send(opened, `/convenings/${parent}/actions/fork`, { at: "99" })).status,
    400,
  );
});

withApp.test("a long exchange is paged, and links to messages lead to their page", async (opened) => {
  const id = await opened.hold({
    kind: "dialogue",
    topic: "What makes a good teacher?",
    model: MODEL,
    maxTurns: MESSAGES_A_PAGE + 1,
    seed: 1,
  });
  const [first, second] = [
    await page(opened, `/convenings/${id}`),
    await page(opened, `/convenings/${id}?page=2`),
  ];
  assert.equal([...first.matchAll(/<article/g)].length, MESSAGES_A_PAGE);
  assert.equal([...second.matchAll(/<article/g)].length, 1);
  assert.ok(second.includes(`/convenings/${id}?page=2#message-${MESSAGES_A_PAGE + 1}`));
  const compare = `/compare?left=${id}&right=${await opened.hold()}`;
  const link = `${compare}&page=2`.replaceAll("&", "&amp;");
  assert.ok((await page(opened, compare)).includes(`href="${link}"`));
  assert.ok(
    (await page(opened, `${compare}&page=2`)).includes(`#message-${MESSAGES_A_PAGE / 2}`),
  );
});

withApp.test("error pages name no folder of the server's machine", async (opened) => {
  const { out } = opened;
  const id = await opened.hold({ kind: "dialogue", topic: "What are trams for?", maxTurns: 2 });
  const spoiled = await opened.hold({ kind: "dialogue", topic: "Who are buses for?", maxTurns: 2 });
  const dir = join(out, spoiled.slice(0, 10), spoiled, "messages");
  for await (const { name } of Deno.readDir(dir)) {
    await Deno.writeTextFile(join(dir, name), "no record");
  }
  const missing = `Cannot show message 9 of ${id}: it has messages 1 to 2`;
  const asked: readonly (readonly [path: string, status: number, words: string])[] = [
    [`/convenings/${id}/fork?seq=9`, 404, missing],
    [`/convenings/${id}/message?seq=9`, 404, missing],
    [`/compare?left=${id}&right=${spoiled}`, 500, `Cannot read ${spoiled}/messages/`],
    [`/convenings/${spoiled}/report`, 500, `Cannot read ${spoiled}/messages/`],
  ];
  for (const [path, status, words] of asked) {
    const text = await page(opened, path, status);
    assert.ok(text.includes(words), `${path}: ${text}`);
    assert.ok(!text.includes(out), path);
  }
});

withApp.test("a paper is uploaded by a form, debated, and its page lists its debates", async (opened) => {
  const form = new FormData();
  form.set("file", new File(["# Trees\n\nStreets with trees are cooler at noon."], "trees.md"));
  form.set("title", "Trees <and> heat");
  const kept = await opened.ask("/papers", { method: "POST", body: form });
  assert.equal(kept.status, 303);
  assert.equal(kept.headers.get("location"), "/papers/trees");
  assert.match(await page(opened, "/papers"), /Trees &lt;and&gt; heat/);
  const pdf = writePdf({ pages: [["The first page is on trees."], ["The second is on heat."]] });
  form.set("file", new File([Uint8Array.from(pdf)], "heat.pdf"));
  assert.equal((await opened.ask("/papers", { method: "POST", body: form })).status, 303);
  const paged = await page(opened, "/papers/heat/text");
  assert.match(paged, /<a href="\/papers\/heat\/text#page-2">2<\/a>[^]*<h2 id="page-2">Page 2</);
  const empty = await opened.ask("/papers", { method: "POST", body: new FormData() });
  assert.equal(empty.status, 400);
  const begun = await send(opened, "/papers/trees/debates", {
    postures: "2",
    question: "How far do trees cool a street?",
  });
  assert.equal(begun.status, 303);
  const path = begun.headers.get("location")!;
  await opened.pool.run(path.split("/").at(-1)!)?.ended;
  const text = await page(opened, path);
  assert.match(text, /data-state="completed"/);
  assert.doesNotMatch(text, /<li data-step="done">\s*Pick/);
  assert.match(text, /Final Verdict[\s\S]*id="topic-1"/);
  assert.match(text, /1st \(tie\): [\s\S]*<span class="badge">1st \(tie\)</);
  assert.doesNotMatch(text, /2nd/);
  assert.match(text, /href="\/convenings\/[^"]+\/report" download/);
  const exported = await opened.ask(`${path}/report`);
  assert.match(exported.headers.get("content-type")!, /^text\/markdown/);
  assert.match(await exported.text(), /^# .+\n[\s\S]*## Executive Summary/);
  assert.equal((await opened.ask("/convenings/none/report")).status, 404);
  assert.ok((await page(opened, "/papers/trees")).includes(path));
  assert.equal((await send(opened, "/papers/none/debates", {})).status, 404);
  assert.equal((await send(opened, "/papers/trees/debates", { postures: "99" })).status, 400);
});

withApp.test("a person among the debaters of a paper gets a form for the argument", async (opened) => {
  const words = "Trees cool streets by 2 degrees. ".repeat(30);
  await opened.ask("/api/papers", asPost({ id: "trees", title: "Trees", text: words }));
  const ines = { name: "Ines", role: "debater", model: "human" };
  const config = {
    kind: "paper-debate",
    paperIds: ["trees"],
    model: "offline",
    question: "How far do trees cool a street?",
    participants: [ines, { name: "Ben", role: "debater" }],
    personTimeout: 0,
  };
  const begun = await opened.ask("/api/convenings", asPost(config));
  const { id } = await begun.json();
  await opened.pool.run(id)?.ended;
  const text = await page(opened, `/convenings/${id}`);
  assert.match(text, /Next: Ines<[^]*Your turn: <bdi>Ines<\/bdi>/);
  assert.doesNotMatch(text, /Which question is debated|&lt;\/?source/);
  const said = { as: "ines", text: "Trees shade the road at noon." };
  await sent(opened, `/convenings/${id}/actions/say`, said);
  assert.match(await page(opened, `/convenings/${id}`), /Trees shade the road at noon/);
});

withApp.test("a quotation without words in a record keeps no page from being shown", async (opened) => {
  await copyExample(opened);
  const path = join(opened.out, DAY, EXAMPLE, "evidence/003.md");
  const text = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, text.replace(`text: ${QUOTED}`, 'text: ""'));
  assert.match(await page(opened, `/convenings/${EXAMPLE}`), /<article/);
});

withApp.test("a quotation's mark and its words in the speech link to the position in the paper's text", async (opened) => {
  await copyExample(opened);
  const text = await page(opened, `/convenings/${EXAMPLE}`);
  const path = `/convenings/${EXAMPLE}/papers/compressed_week`;
  const mark = `<a class="mark" data-verdict="true" href="${path}#at-1091">verified</a>`;
  assert.ok(text.includes(`${mark} <q dir="auto">${QUOTED}</q>`));
  assert.ok(text.includes(`<a href="${path}#at-1091" class="quoted">${QUOTED}</a>`));
  const paper = await page(opened, path);
  const [, quoted = ""] = /<mark><span id="at-1091"><\/span>([^<]+)<\/mark>/.exec(paper) ?? [];
  assert.equal(quoted.replace(/\s+/g, " "), QUOTED);
  assert.match(text, /href="\/convenings\/[^"]+\/papers\/four_day_week"/);
  assert.match(text, /\/files\/paper-2\.md">paper-2\.md</);
  // Every linked position exists.
  for (const [, at, anchor] of text.matchAll(/href="([^"#]+\/papers\/[^"#]+)#([^"]+)"/g)) {
    assert.ok((await page(opened, at!)).includes(`id="${anchor}"`), anchor);
  }
  await page(opened, `/convenings/${EXAMPLE}/papers/none`, 404);
  const [one, two] = ["first ".repeat(400), "second ".repeat(400)];
  const kept = await sent(opened, "/papers", { title: "Two", text: one + two });
  assert.ok((await page(opened, kept)).includes(`href="${kept}/text"`));
  assert.match(await page(opened, `${kept}/text`), /class="paper-text"[^>]*>first/);
  await page(opened, "/papers/none/text", 404);
});

Deno.test("a long paper is shown in parts with the pages of each part", async () => {
  const line = `${"word ".repeat(19)}end\n`;
  const text = line.repeat(5000);
  const pages = [0, 100_000, 199_990, 300_000];
  const shown = (part: number) =>
    String(paperText({ id: "p", title: "P", text, pages }, {
      part,
      places: [{ start: 300_010, end: 300_020 }, { start: 300_015, end: 300_030 }],
    }));
  const [first, second, third] = await Promise.all([shown(1), shown(2), shown(3)]);
  assert.deepEqual(
    [first, second, third].map((each) => [...each!.matchAll(/id="page-(\d)"/g)].map(([, n]) => n)),
    [["1", "2", "3"], ["2", "3", "4"], ["4"]],
  );
  assert.match(
    second!,
    /<mark><span id="at-300010"><\/span>.{5}<span id="at-300015"><\/span>.{15}<\/mark>/s,
  );
  // No text is lost between two parts; a boundary's line is in both.
  const words = (html: string) => html.replace(/<h2.*?<\/h2>|<[^>]+>/g, "");
  const joined = [first, second, third].map((each) => words(each!)).join("\n");
  assert.equal(joined.match(/end/g)?.length, 5002);
});
