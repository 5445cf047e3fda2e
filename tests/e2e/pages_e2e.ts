import assert from "node:assert/strict";
import type { Agent } from "../../src/core/agent.ts";
import { createOfflineAgent } from "../../src/agents/offline.ts";
import { checkAccessible, checkWidth } from "./support/axe.ts";
import { browserTest, type Seat } from "./support/browser.ts";

const PAPER = {
  id: "trees",
  title: "Trees and summer heat",
  text: "Streets with trees were 2.1 degrees cooler at noon than streets without any. ".repeat(8),
};

/** A debate, a paper, a debate over it, and one that waits for a person: the addresses of all pages. */
async function everyPage({ url, pool, page }: Seat): Promise<readonly string[]> {
  await page.request.post(`${url}/api/papers`, { data: PAPER });
  const debate = await pool.start({
    kind: "debate",
    topic: "Should cities ban private cars from their centres?",
    roundCount: 1,
    seed: 1,
    judges: [{}, {}],
    factCheck: { mode: "standard" },
  });
  const begun = await page.request.post(`${url}/api/convenings`, {
    data: {
      kind: "paper-debate",
      paperIds: ["trees"],
      question: "How far do trees cool a street?",
    },
  });
  const { id: over } = await begun.json();
  const asked = await page.request.post(`${url}/api/convenings`, {
    data: { kind: "paper-debate", paperIds: ["trees"], pick: "ask", personTimeout: 0 },
  });
  const { id: picking } = await asked.json();
  const spoken = await page.request.post(`${url}/api/convenings`, {
    data: {
      kind: "debate",
      topic: "Should every town have a library of things?",
      participants: [{ name: "You", position: "Yes", model: "human" }, {
        name: "Ben",
        position: "No",
      }],
      personTimeout: 0,
    },
  });
  const { id: waiting } = await spoken.json();
  await Promise.all([debate.id, over, picking, waiting].map((id) => pool.run(id)?.ended));
  return [
    "/",
    "/?q=trees",
    "/new",
    "/papers",
    "/papers/trees",
    "/papers/none",
    ...[debate.id, over, picking, waiting].map((id) => `/convenings/${id}`),
  ];
}

browserTest("every page is accessible and fits a phone, light and dark", async (seat) => {
  const { url, open, complaints } = seat;
  const pages = await everyPage(seat);
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [390, 1200]) {
      const page = await open({ colorScheme, viewport: { width, height: 844 }, bypassCSP: true });
      for (const path of pages) {
        const where = `${path} at ${width}, ${colorScheme}`;
        await page.goto(`${url}${path}`);
        await page.evaluate(
          "for (const each of document.querySelectorAll('details')) each.open = true",
        );
        await checkAccessible(page, where);
        await checkWidth(page, where);
      }
    }
  }
  assert.deepEqual(complaints.filter((each) => !each.includes("404")), []);
});

browserTest(
  "a page is used by keyboard alone: skip link, focus, a debate started",
  async ({ page, url }) => {
    await page.goto(`${url}/new`);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate("document.activeElement.className"), "skip");
    await page.keyboard.press("Enter");
    // Past the links to the four kinds.
    for (let count = 0; count < 5; count++) await page.keyboard.press("Tab");
    assert.equal(await page.evaluate("document.activeElement.name"), "topic");
    const outline = "getComputedStyle(document.activeElement).outlineStyle";
    assert.equal(await page.evaluate(outline), "solid");
    await page.keyboard.type("Should homework be abolished in schools?");
    await page.keyboard.press("Enter");
    await page.locator("#convening").waitFor();
  },
);

const HOSTILE = [
  "<script>alert(1)</script><img src=x onerror=alert(2)>",
  "[press](javascript:alert(3)) ![pixel](https://tracker.example/p.png) <svg onload=alert(4)>",
  '[page](https://example.org/ "title") "><iframe src="https://evil.example/"></iframe>',
  "</textarea></article></main><style>body{display:none}</style>",
].join("\n\n");

/** The offline writer, whose every turn ends with what a hostile one would say. */
function hostileAgent(): Agent {
  const offline = createOfflineAgent();
  return {
    model: "offline",
    async reply(request) {
      const reply = await offline.reply(request);
      if (request.context.purpose !== "turn") return reply;
      request.onDelta?.(HOSTILE);
      return { ...reply, text: `${reply.text}\n\n${HOSTILE}` };
    },
  };
}

browserTest(
  "what a hostile model says is shown as text and does nothing, live and afterwards",
  async (seat) => {
    const { page, url, pool, gate, complaints, strangers } = seat;
    gate.hold(({ kind }) => kind === "opening_statement");
    const agent = hostileAgent();
    const { id } = await pool.start({
      kind: "debate",
      topic: "<script>alert(5)</script> & should cities ban cars?",
      roundCount: 1,
      participants: [
        { name: "<b>Ada</b>", id: "ada", position: "</title><script>alert(6)</script>" },
        { name: '"><img src=x onerror=alert(7)>', id: "ben", position: "No" },
      ],
    }, { agents: { ada: agent, ben: agent } });
    await page.goto(`${url}/convenings/${id}`);
    gate.open();
    await page.locator("#convening[data-standing=completed]").waitFor();
    for (const again of [false, true]) {
      if (again) await page.reload();
      assert.equal(
        await page.locator("main script, main img, main iframe, main svg[onload], main style")
          .count(),
        0,
      );
      assert.equal(await page.locator("main a[href^='javascript:']").count(), 0);
      assert.ok(await page.getByText("<script>alert(1)</script>").count() > 0);
      assert.ok(await page.getByText("https://tracker.example/p.png").count() > 0);
      const link = page.locator("main a[href='https://example.org/']").first();
      assert.equal(await link.getAttribute("rel"), "noopener nofollow");
    }
    assert.deepEqual(strangers, []);
    assert.deepEqual(complaints, []);
  },
);
