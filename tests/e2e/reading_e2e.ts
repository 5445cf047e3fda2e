// Reading a convening in the viewer: contents, columns, keys, long exchanges.
import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { basename } from "@std/path";
import { longRecord } from "../mcp/support/long_record.ts";
import { browserTest, type Seat, until } from "./support/browser.ts";

/** Runs a convening over HTTP to its end; returns its URL. */
async function held(url: string, config: object): Promise<string> {
  const answer = await fetch(`${url}/api/convenings`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(config),
  });
  const { id } = await answer.json();
  await (await fetch(`${url}/api/convenings/${id}/events`)).text();
  return `${url}/convenings/${id}`;
}

const DEBATE = {
  kind: "debate",
  topic: "Should cities ban private cars?",
  roundCount: 2,
  seed: 1,
  judges: [{ name: "Ada" }, { name: "Ben" }],
};

browserTest("a finished debate is read", async (seat) => {
  const address = await held(seat.url, DEBATE);
  await seat.step(
    "times are shown in the reader's time zone and stored in UTC",
    () => times(seat, address),
  );
  await seat.step(
    "the first view has outcome, scores and contents",
    () => firstView(seat, address),
  );
  await seat.step(
    "keys move between messages, to the search and to the list of keys",
    () => keys(seat, address),
  );
  await seat.step(
    "a paragraph has the direction of its own first letter",
    () => directions(seat, address),
  );
  assert.deepEqual(seat.complaints, []);
});

async function directions({ page }: Seat, address: string): Promise<void> {
  await page.goto(address);
  const sides = await page.locator(".said").first().evaluate((said) => {
    said.innerHTML = "<p>Latin.</p><p>\u05d0\u05d1.</p><ul><li>\u05d0\u05d1.</li></ul>";
    return [...said.querySelectorAll("p, li")].map(({ firstChild }) => {
      const [letter, stop] = [0, firstChild!.textContent!.length - 1].map((at) => {
        const range = said.ownerDocument.createRange();
        range.setStart(firstChild!, at);
        range.setEnd(firstChild!, at + 1);
        return range.getBoundingClientRect().left;
      });
      return letter! < stop! ? "from left" : "from right";
    });
  });
  assert.deepEqual(sides, ["from left", "from right", "from right"]);
}

async function times({ url, open }: Seat, address: string): Promise<void> {
  const page = await open({ timezoneId: "Asia/Kathmandu", locale: "en-GB" });
  for (const path of [url, address]) {
    await page.goto(path);
    const time = page.locator("main time").first();
    const iso = await time.getAttribute("datetime") ?? "";
    assert.equal(await time.getAttribute("title"), `${iso.slice(0, 16).replace("T", " ")} UTC`);
    const minutes = new Date(Date.parse(iso) + 345 * 60_000).toISOString().slice(11, 16);
    assert.ok((await time.textContent())?.endsWith(minutes));
  }
}

async function firstView({ page }: Seat, address: string): Promise<void> {
  await page.goto(address);
  assert.match(
    await page.locator(".chart svg").getAttribute("aria-label") ?? "",
    /^Scores over the rounds/,
  );
  const labels = await page.locator(".chart svg text").allTextContents();
  assert.deepEqual(labels.slice(3), ["Opening", "Round 1", "Round 2", "Closing"]);
  await page.getByText("Scores over the rounds as a table").click();
  assert.equal(await page.locator(".chart tbody tr").count(), 4);
  const judges = page.getByRole("region", { name: /^Judges/ });
  assert.deepEqual(await judges.locator("tbody th").allTextContents(), [
    "Ada scale 0–10",
    "Ben scale 0–10",
  ]);
  assert.match(
    await page.locator("h1 + .note").textContent() ?? "",
    /\d+ messages, [\d,]+ words/,
  );
  // A link in the contents scrolls to its message; the contents stay visible.
  const contents = page.getByRole("navigation", { name: "Contents" });
  await contents.getByRole("link", { name: "Closing" }).click();
  assert.match(page.url(), /#part-\d+$/);
  assert.ok(await contents.isVisible());
  const outline = await contents.locator("#outline a").allTextContents();
  assert.equal(outline.length, await page.locator("#exchange > :is(h3, article)").count());
  // A side keeps its column.
  const lefts = async (side: number) =>
    new Set(
      await page.locator(`.half[data-side="${side}"]`).evaluateAll((
        all: { getBoundingClientRect(): { x: number } }[],
      ) => all.map((each) => each.getBoundingClientRect().x)),
    ).size;
  assert.deepEqual([await lefts(1), await lefts(2)], [1, 1]);
  // Arguments and rebuttals are side by side where there is room.
  const top = (seq: number) =>
    `document.querySelector("#message-${seq}").getBoundingClientRect().top`;
  await until(page, `${top(4)} === ${top(5)}`);
  await page.setViewportSize({ width: 390, height: 800 });
  assert.ok(await contents.isVisible());
  assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 390);
  await until(page, `${top(4)} < ${top(5)}`);
  await page.setViewportSize({ width: 1200, height: 900 });
}

async function keys({ page }: Seat, address: string): Promise<void> {
  await page.goto(address);
  const focused = () => page.evaluate<string>("document.activeElement.id");
  await page.keyboard.press("j");
  assert.equal(await focused(), "message-1");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  assert.equal(await focused(), "message-3");
  await page.keyboard.press("k");
  assert.equal(await focused(), "message-2");
  // From the message of a link the keys go on, also where the one before is still in view.
  await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: /^5 / })
    .click();
  await page.keyboard.press("j");
  assert.equal(await focused(), "message-6");
  await page.keyboard.press("?");
  assert.match(
    await page.getByRole("dialog", { name: "Keys" }).textContent() ?? "",
    /next message/,
  );
  await page.keyboard.press("j");
  await page.keyboard.press("Escape");
  assert.ok(await page.getByRole("dialog").isHidden());
  await page.keyboard.press("/");
  assert.equal(await page.evaluate("document.activeElement.name"), "q");
  // In a text field the keys type letters.
  await page.keyboard.type("jk?/");
  assert.equal(await page.locator("[name=q]").inputValue(), "jk?/");
  // A reader who speaks to the browser switches the keys off for all pages.
  const use = async () => {
    await page.getByRole("button", { name: "Keys" }).click();
    await page.getByRole("checkbox", { name: "Use these keys" }).click();
    await page.getByRole("button", { name: "Close" }).click();
  };
  await use();
  await page.reload();
  await page.keyboard.press("j");
  assert.equal(await focused(), "");
  await use();
  await page.keyboard.press("j");
  assert.equal(await focused(), "message-1");
}

browserTest("a link to any message of a long exchange shows it", async (seat) => {
  const { page, url, out, complaints } = seat;
  const address = `${url}/convenings/${basename(await longRecord(out, { messages: 401 }))}`;
  // A browser may block the storage of a tab.
  await page.addInitScript(() =>
    Object.defineProperty(globalThis, "sessionStorage", {
      get: () => {
        throw new DOMException("Blocked", "SecurityError");
      },
    })
  );
  await page.goto(`${address}#message-300`);
  await page.locator("#message-300").waitFor();
  assert.equal(page.url(), `${address}?page=2#message-300`);
  await page.getByLabel("Message").first().fill("7");
  await page.getByRole("button", { name: "Go" }).first().click();
  await page.locator("#message-7").waitFor();
  assert.equal(page.url(), `${address}#message-7`);
  await page.getByRole("link", { name: "Last" }).first().click();
  await page.locator("#message-401").waitFor();
  assert.equal(page.url(), `${address}?page=3#exchange-title`);
  // A link leads there a second time, too, and the browser's button back to the page with the link.
  for (let count = 0; count < 2; count++) {
    await page.evaluate("location.hash = '#message-7'");
    await page.locator("#message-7").waitFor();
    assert.equal(page.url(), `${address}#message-7`);
    await page.goBack();
    await page.locator("#message-401").waitFor();
  }
  // An unknown message is reported, and nothing loads forever.
  await page.goto(`${address}#message-9000`);
  await page.waitForURL(`${address}/message?seq=9000`);
  await page.getByText("it has messages 1 to 401").waitFor();
  await page.getByRole("link", { name: "Back" }).click();
  await page.waitForURL(address);
  assert.deepEqual(complaints.filter((each) => !each.includes("404")), []);
});

const RECORDS = new URL("../../examples/records/", import.meta.url).pathname;

browserTest(
  "a quotation's mark leads into the paper, a point of the flow sheet to its message",
  async (seat) => {
    const { page, url, out, complaints } = seat;
    for (const day of ["2026-11-22", "2026-11-23"]) {
      await cp(`${RECORDS}${day}`, `${out}/${day}`, { recursive: true });
    }
    const paper = `${url}/convenings/2026-11-22T18-08-03_paper-debate`;
    await page.goto(`${paper}#message-3`);
    await page.locator("#message-3 .evidence > summary").click();
    const first = page.locator("#message-3 .marks li").first();
    const words = await first.locator("q").textContent() ?? "";
    await first.locator("a.mark").click();
    await page.waitForURL(/\/papers\/compressed_week#at-\d+$/);
    const quoted = page.locator("mark:has(:target)");
    assert.equal((await quoted.textContent() ?? "").replace(/\s+/g, " "), words);
    // The browser scrolls after it has rendered the page.
    await until(
      page,
      `(() => {
        const { y } = document.querySelector("mark:has(:target)").getBoundingClientRect();
        return y > 0 && y < 900;
      })()`,
    );
    await page.goto(`${url}/convenings/2026-11-23T01-14-00_debate`);
    await page.locator('.flow a[href$="#message-2"]').first().click();
    await page.waitForURL(/#message-2$/);
    assert.equal(await page.evaluate("document.querySelector(':target').id"), "message-2");
    assert.deepEqual(complaints, []);
  },
);
