// Several tabs of one browser share one event stream.
import assert from "node:assert/strict";
import type { Page, Request } from "playwright-core";
import { browserTest, type Seat, until } from "./support/browser.ts";

const TOPIC = "Should cities ban private cars from their centres?";
/** A dialogue of three turns of gated participants. */
const DIALOGUE = {
  kind: "dialogue",
  topic: TOPIC,
  participants: [{ id: "advocate-a", name: "Ada" }, { id: "advocate-b", name: "Ben" }],
  maxTurns: 3,
} as const;

/**
 * Counts the open event streams of pages in one browser. The returned function waits until at least one and at most `most`
 * are open: the stream moves from tab to tab and restarts for a tab that joins late.
 */
function streamsOf(pages: readonly Page[]): (most: number) => Promise<void> {
  const open = new Set<Request>();
  const isStream = (each: Request) => /\/events$/.test(each.url());
  for (const page of pages) {
    page.on("request", (each) => isStream(each) && open.add(each));
    page.on("requestfinished", (each) => open.delete(each));
    page.on("requestfailed", (each) => open.delete(each));
  }
  return async (most) => {
    while (open.size === 0 || open.size > most) {
      await Promise.any(pages.flatMap((page) => [
        page.waitForEvent("request", isStream),
        page.waitForEvent("requestfinished", isStream),
        page.waitForEvent("requestfailed", isStream),
      ]));
    }
  };
}

/** Opens tabs beside a page. */
async function tabs({ page }: Pick<Seat, "page">, count: number): Promise<Page[]> {
  const context = page.context();
  return await Promise.all(Array.from({ length: count }, () => context.newPage()));
}

/** Shows or hides a tab, as when the user switches tabs. */
async function hide(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`Object.defineProperty(document, "hidden", {
    value: ${isHidden}, configurable: true,
  }); document.dispatchEvent(new Event("visibilitychange"));`);
}

const draft = (page: Page) => page.locator('.draft[data-seq="2"]');

/** Starts dialogues and holds each at its second turn; returns their ids. */
async function heldDialogues({ gate, pool }: Seat, count = 1): Promise<[string, ...string[]]> {
  gate.hold(({ seq }) => seq === 2);
  const runs = await Promise.all(Array.from({ length: count }, () => pool.start(DIALOGUE)));
  return runs.map(({ id }) => id) as [string, ...string[]];
}

// Of eight tabs two more than the connections that a browser opens to a server.
browserTest(
  "three tabs of one dialogue stay live over one stream, tabs of others over two more, and the archive loads",
  async (seat) => {
    const { page, url, gate, complaints } = seat;
    const [one, ...others] = await heldDialogues(seat, 6);
    const all = await tabs(seat, 8);
    const streams = streamsOf(all);
    const live = all.splice(0, 3);
    await Promise.all(live.map((each) => each.goto(`${url}/convenings/${one}`)));
    for (const each of live) await draft(each).waitFor();
    await streams(1);
    gate.step();
    // The words stream into every tab.
    const words = live.map((each) => draft(each).locator(".words:not(:empty)"));
    for (const each of words) await each.waitFor();
    // A tab that is read earlier has the beginning of the others' text.
    const said = await Promise.all(words.map(async (each) => (await each.textContent())!.trim()));
    const longest = said.reduce((a, b) => b.length > a.length ? b : a);
    for (const each of said) assert.ok(each !== "" && longest.startsWith(each), each);
    for (const [at, each] of all.entries()) await each.goto(`${url}/convenings/${others[at]}`);
    for (const each of all) await each.locator("#message-1").waitFor();
    await page.goto(url);
    await page.locator(".badge[data-standing=running]").first().waitFor();
    await streams(3);
    // The tab with the stream is closed: another tab continues it.
    await live.shift()!.close();
    gate.open();
    for (const each of [...live, ...all]) {
      await each.locator("#convening[data-standing=completed]").waitFor();
      assert.equal(await each.locator("article.message").count(), 3);
    }
    assert.deepEqual(complaints, []);
  },
  { maxRunning: 6 },
);

browserTest(
  "tabs of seven dialogues stay live without locks, as at addresses that are not secure, and the archive loads",
  async (seat) => {
    const { url, gate, open } = seat;
    const ids = await heldDialogues(seat, 7);
    const page = await open();
    await page.context().addInitScript(
      `Object.defineProperty(navigator, "locks", { value: undefined })`,
    );
    const live = await tabs({ page }, 7);
    const streams = streamsOf(live);
    for (const [at, each] of live.entries()) await each.goto(`${url}/convenings/${ids[at]}`);
    for (const each of live) await each.locator("#message-1").waitFor();
    await page.goto(url);
    await page.locator(".badge[data-standing=running]").first().waitFor();
    await streams(3);
    gate.open();
    for (const each of live) await each.locator("#convening[data-standing=completed]").waitFor();
  },
  { maxRunning: 7 },
);

browserTest("a tab that opens before there is a stream misses nothing", async (seat) => {
  const { page, url, gate } = seat;
  await page.goto(url);
  // While these locks are held no tab has a stream.
  await page.evaluate(`Promise.all([1, 2, 3].map((place) => new Promise((taken) => {
    navigator.locks.request("convenings-" + place, () => {
      taken();
      return new Promise((release) => document.addEventListener("click", release));
    });
  }))).then(() => undefined)`);
  const [id] = await heldDialogues(seat);
  const address = `${url}/convenings/${id}`;
  const [first, early] = await tabs(seat, 2) as [Page, Page];
  await gate.reached();
  await first.goto(address);
  // The other tab's page was loaded before the current turn.
  await early.route(address, async (route) => {
    const response = await route.fetch();
    const body = (await response.text())
      .replace(/data-after="\d+"/, 'data-after="1"')
      .replace(/<div class="message draft.*?<\/div>/s, "");
    await route.fulfill({ response, body });
  });
  await early.goto(address);
  await until(
    early,
    `navigator.locks.query().then(({ pending }) =>
      pending.some(({ name }) => name === "${id}"))`,
  );
  assert.equal(await early.locator(".draft").count(), 0);
  await page.locator("body").click();
  await draft(early).waitFor();
});

browserTest("a message that could not be loaded is loaded again", async (seat) => {
  const { page, url, gate, pool } = seat;
  gate.hold(() => true);
  const { id } = await pool.start(DIALOGUE);
  await gate.reached();
  await page.goto(`${url}/convenings/${id}`);
  let failures = 0;
  await page.route("**/parts/1", async (route) => {
    if (failures++ === 0) await route.abort();
    else await route.continue();
  });
  await page.locator(".draft").waitFor();
  gate.step();
  await page.locator(".draft .words:not(:empty)").waitFor();
  gate.step();
  // The second turn waits, so that no later message loads the page again.
  await page.locator("#message-1").waitFor();
  assert.ok(failures > 0);
  assert.equal(await page.locator("#convening").getAttribute("data-standing"), "running");
});

browserTest("a hidden tab has no stream and misses nothing", async (seat) => {
  const { url, gate } = seat;
  const [id] = await heldDialogues(seat);
  const [first, second] = await tabs(seat, 2) as [Page, Page];
  const streams = streamsOf([first]);
  await first.goto(`${url}/convenings/${id}`);
  await draft(first).waitFor();
  await streams(1);
  const ended = first.waitForEvent("requestfailed", (each) => /\/events$/.test(each.url()));
  await hide(first, true);
  await ended;
  // Another tab has the stream now.
  await second.goto(`${url}/convenings/${id}`);
  gate.open();
  await second.locator("#convening[data-standing=completed]").waitFor();
  assert.equal(await first.locator("#convening").getAttribute("data-standing"), "running");
  await hide(first, false);
  await first.locator("#convening[data-standing=completed]").waitFor();
  assert.equal(await first.locator("article.message").count(), 3);
});

browserTest("the archive's page shows new convenings and statuses live", async (seat) => {
  const { page, url, pool } = seat;
  // A proxy answers the first request for events while the server restarts.
  await page.route("**/archive/events", (route) => route.fulfill({ status: 502 }), { times: 1 });
  await page.goto(url);
  await page.locator("#archive", { hasText: "There are no convenings yet" }).waitFor();
  await page.locator("input[name=q]").fill("words that stay");
  const { id } = await pool.start({
    kind: "dialogue",
    topic: "What are streets for?",
    maxTurns: 2,
  });
  const row = page.locator(".rows li", { has: page.locator(`a[href$="${id}"]`) });
  await row.locator(".badge[data-standing=completed]").waitFor();
  assert.equal(await page.locator("input[name=q]").inputValue(), "words that stay");
});

browserTest(
  "a lost server is told to a person who writes, and the words are kept",
  async (seat) => {
    const { page, url, pool } = seat;
    const words = "Cars take **room** from everyone who walks.";
    const { id } = await pool.start({
      kind: "debate",
      topic: TOPIC,
      roundCount: 1,
      seed: 1,
      participants: [{ name: "Ada", model: "human", position: "Yes" }, {
        name: "Ben",
        position: "No",
      }],
      personTimeout: 0,
    });
    const address = `${url}/convenings/${id}`;
    const box = page.locator("form.turn textarea");
    await page.goto(address);
    await box.pressSequentially(words);
    const lost = page.locator("#lost");
    assert.equal(await lost.isVisible(), false);
    await page.context().setOffline(true);
    await lost.waitFor();
    assert.match(await lost.textContent() ?? "", /^The server does not answer: trying again\./);
    // The form keeps its position.
    await page.getByRole("button", { name: "Say it" }).click();
    assert.equal(await box.inputValue(), words);
    await page.context().setOffline(false);
    await lost.waitFor({ state: "hidden" });
    assert.equal(await box.inputValue(), words);
    // Another tab shows the draft, too.
    const other = await page.context().newPage();
    await page.close();
    await other.goto(address);
    assert.equal(await other.locator("form.turn textarea").inputValue(), words);
    await other.getByRole("button", { name: "Say it" }).click();
    await other.locator("article.message strong", { hasText: "room" }).first().waitFor();
    await other.locator("form.turn textarea").waitFor();
    assert.equal(await other.locator("form.turn textarea").inputValue(), "");
  },
);

browserTest("a study's page shows its convenings while they run, and the end", async (seat) => {
  const { page, url, gate, complaints } = seat;
  gate.hold(() => true);
  await page.request.post(`${url}/api/studies`, {
    data: {
      study: "tea",
      base: { kind: "debate", roundCount: 1, model: "gated:one" },
      topics: [{ id: "tea", topic: "Is tea better than coffee for work?" }],
      contestants: [{ id: "scientist", persona: "scientist" }, { id: "plain" }],
      judges: [{ model: "gated:two" }],
    },
  });
  await page.goto(`${url}/studies/tea`);
  await page.locator(".plan a").first().waitFor();
  assert.equal(await page.locator("#standing").getAttribute("data-standing"), "running");
  gate.open();
  await page.locator("#standing[data-standing=completed]").waitFor();
  await until(page, "document.querySelectorAll('.plan [data-standing=completed]').length === 2");
  assert.deepEqual(complaints, []);
});
