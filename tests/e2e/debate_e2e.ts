// Debates in the viewer: forms, live text, focus, turns of people.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { browserTest, until } from "./support/browser.ts";

const TOPIC = "Should cities ban private cars from their centres?";

/** Starts a debate from the form; returns its URL. */
async function start(
  page: Page,
  url: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  await page.goto(`${url}/new`);
  await page.fill("[name=topic]", TOPIC);
  await page.fill("[name=roundCount]", "1");
  await page.getByText("Models, limits and more").click();
  await page.fill("[name=seed]", "1");
  for (const [name, value] of Object.entries(fields)) {
    await page.selectOption(`[name="${name}"]`, value);
  }
  await page.getByRole("button", { name: "Start the debate" }).click();
  await page.waitForURL(/\/convenings\//);
  return page.url();
}

browserTest(
  "below a base path a debate is started from the form, followed live to its verdict, and exported",
  async (seat) => {
    const { page, url, gate, strangers, complaints } = seat;
    // A phone's page, longer than its window, so that a scroll position can be kept.
    await page.setViewportSize({ width: 390, height: 600 });
    gate.hold(({ kind }) => kind === "rebuttal");
    await start(page, url);
    await page.locator(".draft", { hasText: "rebuttal" }).waitFor();
    assert.match(
      await page.locator("#now").textContent() ?? "",
      /^Argument, round 1 of 1 · turn 5 of 13 · next: Advocate [AB], rebuttal$/,
    );
    gate.step();
    await page.locator(".draft", { hasText: "rebuttal" }).locator(".words:not(:empty)").waitFor();
    const half = await page.locator(".draft .words").last().textContent() ?? "";
    assert.equal(await page.locator("#convening").getAttribute("data-standing"), "running");
    assert.match(await page.title(), /^Live · /);
    const before = await page.locator("#outline .turn").count();
    // The element that is being read keeps its position and focus when the rest of the page changes.
    const reading = page.locator("#message-2 summary").first();
    await reading.evaluate((summary: { scrollIntoView(): void; focus(): void }) => {
      summary.scrollIntoView();
      summary.focus();
    });
    const place = (await page.locator("#message-2").boundingBox())?.y ?? 0;
    gate.open();
    await page.locator("#convening[data-standing=completed]").waitFor();
    assert.match(
      await page.locator("#result").textContent() ?? "",
      /^(?:Winner: Advocate [AB] \(|Undecided)/,
    );
    // In one evaluation, since the page may be replaced between two.
    await until(
      page,
      `Math.abs((document.querySelector("#message-2")?.getBoundingClientRect().y ?? Infinity) - ${place}) < 2`,
    );
    assert.equal(await page.evaluate("document.activeElement.closest('article')?.id"), "message-2");
    await page.getByRole("link", { name: "The convening has ended" }).click();
    await until(page, "document.querySelector('#result')?.getBoundingClientRect().y >= 0");
    assert.equal(await page.locator(".message").count(), 13);
    // New messages are added to the contents.
    assert.ok(await page.locator("#outline .turn").count() > before);
    assert.equal(await page.title(), `${TOPIC} · Convenings`);
    const rebuttal = await page.locator("#message-5 .said").first().textContent() ?? "";
    assert.ok(
      rebuttal.replace(/\s+/g, " ").includes(half.replace(/\s+/g, " ").trim().slice(0, 60)),
    );
    assert.equal(await page.locator(".standings .bar").count(), 2);
    await page.reload();
    assert.equal(await page.locator(".message").count(), 13);
    const path = await page.getByRole("link", { name: "File of message 5" }).getAttribute("href");
    const file = await page.request.get(new URL(path!, url).href);
    assert.match(await file.text(), /^---\nformat: convenings\/1\ntype: message\nseq: 5\n/);
    await page.getByRole("link", { name: "Web page" }).click();
    await page.getByRole("heading", { name: "The exchange" }).waitFor();
    assert.match(page.url(), /\/tools\/convenings\/api\/convenings\/.*\/export\?format=html$/);
    assert.equal(await page.locator("script").count(), 0);
    assert.deepEqual([strangers, complaints], [[], []]);
  },
  { basePath: "/tools/convenings" },
);

browserTest(
  "the form suggests models and shows the most that a debate costs; without the script a debate is planned, started, watched by loading, and read",
  async (seat) => {
    const { page, url, open, complaints } = seat;
    const turns = '#planned div:has(dt:text-is("Turns")) dd';
    await page.goto(`${url}/new`);
    assert.equal(await page.locator(turns).textContent(), "27");
    await page.fill("[name=roundCount]", "1");
    await page.locator(`${turns}:text-is("13")`).waitFor();
    await page.fill("[name=roundCount]", "-1");
    await page.locator("#planned", { hasText: "Not known yet. Cannot use “Rounds”" }).waitFor();
    await page.getByText("Models, limits and more").click();
    const field = page.locator("[name=judgeModel]");
    await field.focus();
    await page.locator("#models option", { hasText: "offline" }).waitFor({ state: "attached" });
    assert.equal(await field.getAttribute("list"), "models");
    const plain = await open({ javaScriptEnabled: false });
    await plain.goto(`${url}/new`);
    await plain.fill("[name=roundCount]", "2");
    await plain.getByRole("button", { name: "Show cost" }).click();
    await plain.waitForURL(/\/new#plan$/);
    assert.equal(await plain.locator(turns).textContent(), "20");
    assert.equal(await plain.locator("[name=roundCount]").inputValue(), "2");
    await start(plain, url);
    const given = performance.now() + 60_000;
    while (
      await plain.locator("#convening[data-standing=completed]").count() === 0 &&
      performance.now() < given
    ) await plain.reload();
    assert.match(await plain.locator("#result").textContent() ?? "", /Winner|Undecided/);
    assert.equal(await plain.locator("article.message").count(), 13);
    assert.deepEqual(complaints, []);
  },
);

browserTest(
  "a page that is loaded anew in the middle, and a second tab, miss nothing; the current turn, its number and the number of turns are visible without scrolling",
  async (seat) => {
    const { page, url, gate, open } = seat;
    gate.hold(({ kind }) => kind === "rebuttal");
    const address = await start(page, url);
    await page.locator(".draft", { hasText: "rebuttal" }).waitFor();
    gate.step();
    const wordsIn = (on: Page) =>
      on.locator(".draft", { hasText: "rebuttal" }).locator(".words:not(:empty)");
    await wordsIn(page).waitFor();
    // In one evaluation, since the page may be replaced between two.
    const showsTurn = `(() => {
      const box = (selector) =>
        [...document.querySelectorAll(selector)].at(-1)?.getBoundingClientRect();
      const words = box(".draft");
      return scrollY > 0 && words?.top >= box("#status").bottom &&
        words.bottom <= (box("#scores:not([hidden])")?.top ?? innerHeight);
    })()`;
    await until(page, showsTurn);
    const second = await open();
    await second.goto(address);
    assert.equal(await second.locator("article.message").count(), 4);
    await page.reload();
    // A reader who joins during a turn sees the text so far.
    const half = await wordsIn(page).textContent() ?? "";
    assert.ok(half.length > 40);
    assert.equal(await wordsIn(second).textContent(), half);
    for (const [width, height] of [[390, 844], [1440, 900]] as const) {
      await second.setViewportSize({ width, height });
      await second.goto(address);
      await until(second, showsTurn);
      assert.match(
        await second.locator("#now").textContent() ?? "",
        /round 1 of 1 · turn 5 of 13 ·/,
      );
    }
    gate.open();
    const said: string[][] = [];
    for (const each of [page, second]) {
      await each.locator("#convening[data-standing=completed]").waitFor();
      said.push(
        await each.locator("article.message").evaluateAll((all) => all.map(({ id }) => id)),
      );
    }
    assert.deepEqual(said[0], Array.from({ length: 13 }, (_, at) => `message-${at + 1}`));
    assert.deepEqual(said[1], said[0]);
  },
);

browserTest("a person takes a turn, and another tab sees it", async (seat) => {
  const { page, url } = seat;
  const address = await start(page, url, { "p0.who": "person" });
  const other = await page.context().newPage();
  await other.goto(address);
  const late = other.getByLabel("Your words, in plain text or markdown");
  await late.fill("Words for a turn that is over soon.");
  await other.locator(".folded").waitFor();
  // A page behind another one is drawn once a second.
  await page.bringToFront();
  const speeches = ["I open.", "I argue.", "I answer.", "I reply.", "I close."];
  for (const [at, words] of speeches.entries()) {
    const turn = await page.locator("form.turn").getAttribute("data-draft");
    const box = page.getByLabel("Your words, in plain text or markdown");
    await box.fill(`${words} Cars take **room** from everyone who walks, number ${at}.`);
    await page.getByRole("button", { name: "Say it" }).click();
    await page.getByText(`number ${at}.`).first().waitFor();
    if (at === 0) {
      // The other tab keeps the words that were not sent, and shows what the person may know now.
      await other.locator(".unsent", { hasText: "Words for a turn that is over soon." }).waitFor();
      await until(other, "document.querySelector('.folded') === null");
      assert.equal(await other.evaluate("document.activeElement.className"), "unsent");
    }
    if (at < speeches.length - 1) {
      await page.locator(`form.turn:not([data-draft="${turn}"])`).waitFor();
      // The page shows the latest words; the link to the form stays visible.
      await until(
        page,
        `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(
          document.querySelector("#status a[href='#controls']").getBoundingClientRect())`,
      );
    }
  }
  for (const each of [page, other]) {
    await each.locator("#convening[data-standing=completed]").waitFor();
    assert.equal(await each.locator("strong", { hasText: "room" }).count() > 0, true);
  }
});

browserTest(
  "a debate is paused, a remark is added, it resumes with the remark, is stopped, resumed, and forked from a message",
  async (seat) => {
    const { page, url, gate, complaints } = seat;
    const remark = "Who works at night has no other way home.";
    gate.hold(({ kind }) => kind === "rebuttal");
    await start(page, url);
    await page.locator(".draft", { hasText: "rebuttal" }).waitFor();
    await page.getByText("Interject", { exact: true }).first().click();
    await page.getByLabel("A remark that is heard before the next turn").fill(remark);
    await page.getByRole("button", { name: "Interject" }).click();
    await page.getByText("Your remark is saved").waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    const note = page.getByText("The convening pauses after");
    await note.waitFor();
    // The page shows the note, not the latest words below.
    await until(page, "document.activeElement.id === 'done'");
    const { y = -1 } = await note.boundingBox() ?? {};
    assert.ok(y >= 0 && y < 900, `${y}`);
    gate.open();
    await page.locator("#convening[data-standing=paused]").waitFor();
    gate.hold(({ kind }) => kind === "closing_statement");
    await page.getByRole("button", { name: "Resume" }).click();
    await page.locator(".draft", { hasText: "closing" }).first().waitFor();
    await page.locator(".message", { hasText: remark }).first().waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.locator("#convening[data-standing=stopped]").waitFor();
    gate.open();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.locator("#convening[data-standing=completed]").waitFor();
    assert.deepEqual(complaints, []);
    const parent = page.url();
    await page.getByRole("link", { name: /Fork from here.*message 4$/ }).click();
    const edit = page.getByLabel("Message 4 in the fork");
    await edit.fill("Cars need room that walkers lack.");
    // The script that keeps drafts may still be loading.
    await until(page, "JSON.stringify(localStorage).includes('Cars need')");
    await page.reload();
    // A draft is kept until it is sent.
    await until(page, "document.querySelector('[name=edit]').value.startsWith('Cars need')");
    await page.getByRole("button", { name: "Fork" }).dblclick();
    await page.getByText("Fork of").waitFor();
    assert.notEqual(page.url(), parent);
    assert.equal(await page.locator("article.message").count(), 4);
    assert.match(await page.locator("#message-4").textContent() ?? "", /Cars need room/);
    // A double click makes one fork.
    await page.goto(parent);
    assert.equal(await page.locator("[aria-labelledby=forks] li").count(), 1);
    // A page of a convening that is deleted in another tab says so.
    const fork = page.locator("[aria-labelledby=forks] a").first();
    await fork.click();
    await page.getByText("Fork of").waitFor();
    await page.request.delete(page.url().replace("/convenings/", "/api/convenings/"));
    await page.getByRole("heading", { name: "Not found" }).waitFor();
  },
);

browserTest(
  "a turn shows why its attempt was rejected until it speaks again, and no words of a run that was stopped",
  async ({ page, url, gate, pool }) => {
    gate.hold(({ kind }) => kind === "rebuttal");
    const { id } = await pool.start({ kind: "debate", topic: TOPIC, roundCount: 1, seed: 1 });
    await page.goto(`${url}/convenings/${id}`);
    const draft = page.locator(".draft", { hasText: "rebuttal" });
    await draft.waitFor();
    const note = await page.evaluate(`(async () => {
      const { Speaking } = await import("/static/speaking.js");
      const draft = document.querySelector(".draft");
      const speaking = new Speaking();
      speaking.reset(draft.dataset.turn, "Rejected: it is too long");
      const status = await (await fetch(location.pathname + "/parts/status")).text();
      speaking.sync(new DOMParser().parseFromString(status, "text/html"));
      return document.querySelector(".draft .note").textContent;
    })()`);
    assert.equal(note, "Rejected: it is too long");
    gate.step();
    await draft.locator(".words:not(:empty)").waitFor();
    pool.run(id)!.stop();
    await page.locator("#convening[data-standing=stopped]").waitFor();
    await page.request.post(`${url}/api/convenings/${id}/resume`);
    await page.locator("#convening[data-standing=running]").waitFor();
    await draft.waitFor();
    assert.equal(await draft.locator(".words").textContent(), "");
  },
);

browserTest("words that are written before the script has loaded are kept", async (seat) => {
  const { page, url, pool } = seat;
  const { id } = await pool.start({ kind: "dialogue", topic: TOPIC, maxTurns: 1 });
  await pool.run(id)?.ended;
  const written = Promise.withResolvers<void>();
  await page.route("**/static/client.js", async (route) => {
    await written.promise;
    await route.continue();
  });
  await page.goto(`${url}/convenings/${id}/fork?seq=1`, { waitUntil: "commit" });
  await page.locator("[name=edit]").fill("Cars need room.");
  written.resolve();
  await until(page, "Object.values(localStorage).includes('Cars need room.')");
  await page.reload();
  await until(page, "document.querySelector('[name=edit]').value === 'Cars need room.'");
});

browserTest(
  "by keyboard alone a debate is followed to its end, read, asked and judged again",
  async (seat) => {
    const { page, url, complaints } = seat;
    seat.gate.hold(({ kind }) => kind === "closing_statement");
    const address = await start(page, url);
    await page.locator("#message-2").waitFor();
    await page.keyboard.press("j");
    const read = await page.evaluate("document.activeElement.id");
    assert.match(String(read), /^message-\d+$/);
    // At the end the message that is being read keeps the focus.
    seat.gate.open();
    await page.locator("#convening[data-standing=completed]").waitFor();
    await page.locator(`#${read}:focus`).waitFor();
    await page.goto(address);
    const focused = () => page.evaluate("document.activeElement?.textContent?.trim() ?? ''");
    /** Presses Tab until an element with the words has the focus. */
    const tabTo = async (words: RegExp) => {
      for (let count = 0; count < 300; count++) {
        if (words.test(String(await focused()))) return;
        await page.keyboard.press("Tab");
      }
      assert.fail(`nothing with the focus says ${words}`);
    };
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    assert.equal(await page.evaluate("document.activeElement?.id"), "message-2");
    await tabTo(/^Scored/);
    await page.keyboard.press("Enter");
    await page.locator("#message-2 details.scores[open]").waitFor();
    await page.goto(address);
    await tabTo(/^Judge again$/);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Academic");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(/#judged-academic$/);
    await page.getByText("Judged again: rubric academic").waitFor();
    assert.match(await page.locator("#judged-academic h3").textContent() ?? "", /rubric academic/);
    assert.equal(await page.locator("#judged-academic .bar").count(), 2);
    await page.getByLabel("Ask the record").fill("private cars");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: /^Message \d+/ }).first().click();
    await page.waitForURL(/#message-\d+$/);
    assert.deepEqual(complaints, []);
  },
);
