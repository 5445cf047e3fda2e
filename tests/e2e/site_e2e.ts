// A site opened from disk: pages, links, filters, search; without scripts; on a phone; printed.
import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { join } from "@std/path";
import { pathToFileURL } from "node:url";
import { writeSite } from "../../mod.ts";
import type { Convening } from "../../src/operations/convening.ts";
import type { ListRow } from "../../src/operations/list.ts";
import { SearchIndex } from "../../src/viewer/site/list_pages.tsx";
import { checkAccessible, checkLooks, loadRules } from "./support/axe.ts";
import { browserTest, type Seat } from "./support/browser.ts";

const TOPICS = ["Should cities ban private cars?", "Is tea <b>better</b> than coffee?"] as const;
/** Start time of the project's oldest record. */
const OLDEST = "2026-11-22T18:08:03.000Z";

/** Runs debates over HTTP, writes them and the project's records as a site, and calls `use` with its URL. */
async function withSite(
  { url, out }: Pick<Seat, "url" | "out">,
  use: (address: string) => Promise<void>,
): Promise<void> {
  for (const [at, topic] of TOPICS.entries()) {
    const answer = await fetch(`${url}/api/convenings`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ kind: "debate", topic, roundCount: 1, seed: at + 1 }),
    });
    const { id } = await answer.json();
    await (await fetch(`${url}/api/convenings/${id}/events`)).text();
  }
  for (const day of ["2026-11-22", "2026-11-23"]) {
    await cp(join("examples/records", day), join(out, day), { recursive: true });
  }
  const site = await Deno.makeTempDir({ prefix: "site-" });
  try {
    const { convenings, skipped } = await writeSite(out, { out: site });
    assert.deepEqual([convenings, skipped], [4, []]);
    await use(pathToFileURL(join(site, "index.html")).href);
  } finally {
    await Deno.remove(site, { recursive: true });
  }
}

browserTest("a site is opened from disk", async (seat) => {
  await withSite(seat, async (address) => {
    await seat.step("its search finds messages without a request", () => searched(seat, address));
    await seat.step(
      "it can be read without script, and printed with reasons",
      () => readWithoutScript(seat, address),
    );
  });
  assert.deepEqual(seat.complaints, []);
  assert.deepEqual(seat.strangers.filter((each) => !each.startsWith("file://")), []);
  await seat.step("words are found however their letters are written", () => lettersFound(seat));
});

async function searched({ page }: Seat, address: string): Promise<void> {
  await page.goto(address);
  const rows = page.locator("#archive > li");
  assert.equal(await rows.count(), 4);
  await page.getByLabel("Narrow the list").fill("CARS");
  await page.getByText("1 of 4 convenings").waitFor();
  assert.equal(await rows.filter({ visible: true }).count(), 1);
  await page.getByLabel("Narrow the list").fill("");
  await page.getByLabel("Order").selectOption("oldest");
  assert.equal(await rows.first().locator("time").getAttribute("datetime"), OLDEST);

  // The search covers the texts of all messages.
  await page.getByLabel("Narrow the list").fill("tea moderator");
  await page.getByRole("button", { name: "Search messages" }).click();
  await page.getByText(/^\d+ found/).waitFor();
  assert.equal(await page.getByLabel("Words of topics").inputValue(), "tea moderator");
  const found = page.locator("#found > li");
  assert.equal(await found.first().locator("h2").textContent(), TOPICS[1]);
  assert.equal(await page.locator("#found b").count(), 0);
  await checkAccessible(page, "search");
  await found.first().getByRole("link").click();
  await page.locator(".message:target").waitFor();
  assert.match(page.url(), /index\.html#message-\d+$/);
  assert.equal(await page.locator("h1").textContent(), TOPICS[1]);
  // Back restores the results, and typing searches again.
  await page.goBack();
  await page.getByText(/^\d+ found/).waitFor();
  await page.getByLabel("Words of topics").fill("tea coffee");
  await page.locator("#found a[href*='_debate'][href$='/index.html']").first().waitFor();
  await page.getByLabel("Words of topics").fill("nowheretobefound");
  await page.getByText("Nothing was found.").waitFor();
  // A message that matches by name alone is shown from its beginning.
  await page.getByLabel("Words of topics").fill("“moderator” tea?");
  await page.getByText(/^\d+ found/).waitFor();
  const [words] = await page.locator("#found p[dir]").allTextContents();
  assert.match(words!, /^The question before us is/);

  await page.goto(address);
  const links = await page.locator("#archive a").evaluateAll((all: unknown[]) =>
    (all as { href: string }[]).map(({ href }) => href)
  );
  // Each page fits; the rules are checked once a kind, for the index, a debate and a paper debate.
  await loadRules(page);
  const seen = new Set<string | undefined>();
  for (const link of [address, ...links]) {
    await page.goto(link);
    const kind = /_([a-z-]+)\/index\.html$/.exec(link)?.[1];
    await checkLooks(page, link, [[1440, "dark"], [834, "dark"], [390, "light"]], seen.has(kind));
    seen.add(kind);
  }
  assert.equal(seen.size, 3);
}

async function readWithoutScript({ open }: Seat, address: string): Promise<void> {
  const page = await open({ javaScriptEnabled: false });
  await page.goto(address);
  assert.equal(await page.locator("#archive > li").count(), 4);
  assert.equal(await page.locator("#narrow").isVisible(), false);
  await page.goto(address.replace("index.html", "search.html"));
  await page.getByText("The search needs the script").waitFor();
  await page.goBack();
  await page.getByRole("link", { name: TOPICS[0] }).click();
  const contents = page.getByRole("navigation", { name: "Contents" });
  await contents.getByRole("link", { name: "Closing" }).click();
  assert.match(page.url(), /#part-\d+$/);
  await page.emulateMedia({ media: "print" });
  assert.equal(await contents.isVisible(), false);
  assert.ok(await page.locator(".scores .said").first().isVisible());
}

/** Shows a search page of one convening. */
async function openSearch(
  page: Seat["page"],
  index: SearchIndex,
  { topic, body }: { readonly topic: string; readonly body: string },
): Promise<void> {
  const convening = { start: { topic }, messages: [{ seq: 1, name: "가영", body }] };
  const row = { kind: "dialogue", status: "completed", startedAt: "2026-11-22T00:00:00.000Z" };
  index.add(convening as unknown as Convening, row as ListRow, "2026-11-22/one");
  await page.goto("about:blank");
  await page.setContent(await index.page());
}

async function lettersFound({ page }: Seat): Promise<void> {
  const body =
    "Die Große Straße, sagt man in İstanbul, isn't a café: 城市应该 und السيارات. أنَّ المدرســة, đường ۱۵";
  await openSearch(page, new SearchIndex(1), { topic: "A question of letters", body });
  const marks = {
    "STRASSE grosse": ["Große", "Straße"],
    "istanbul": ["İstanbul"],
    "ıstanbul": ["İstanbul"],
    "ISN’T cafe": ["isn't", "café"],
    "“城市”": ["城市"],
    "السيارات": ["السيارات"],
    "ان المدرسه": ["أنَّ", "المدرســة"],
    "duong 15": ["đường", "۱۵"],
  };
  for (const [words, marked] of Object.entries(marks)) {
    await page.getByLabel("Words of topics").fill(words);
    await page.getByText("1 found").waitFor();
    assert.deepEqual(await page.locator("#found mark").allTextContents(), marked);
  }
}
