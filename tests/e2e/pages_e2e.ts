// All pages of the viewer: accessibility, width, keyboard, invalid forms, hostile text.
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import type { Agent } from "../../src/core/agent.ts";
import { speakingAgent } from "../support/speaking_model.ts";
import { checkLooks, loadRules } from "./support/axe.ts";
import { browserTest, type Seat, until } from "./support/browser.ts";

const PAPER = {
  id: "trees",
  title: "Trees and summer heat",
  text: "Streets with trees were 2.1 degrees cooler at noon than streets without any. ".repeat(8),
};

const STUDY = {
  study: "tea",
  base: { kind: "debate", roundCount: 1, model: "offline" },
  topics: [{ id: "tea", topic: "Is tea better than coffee for work?" }],
  contestants: [{ id: "scientist", persona: "scientist" }, { id: "plain" }],
  seeds: 3,
  judges: [{ model: "offline" }],
};

/** Name that is wider than a column of a comparison on a phone. */
const LONG_NAME = "Donaudampfschifffahrtsgesellschaft".repeat(2);

/** Text with a table and code that are wider than a phone. */
const WIDE_WORDS = [
  "We share what is used once a year.",
  `| ${"thing".repeat(20)} | days |\n| --- | --- |\n| a drill | 2 |`,
  `\`\`\`\n${"borrowed ".repeat(40)}\n\`\`\``,
].join("\n\n");

/** Creates a debate, a study with its report, a paper, a paper debate, and a waiting dialogue; returns the URLs of all pages. */
async function everyPage({ url, pool, page }: Seat): Promise<readonly string[]> {
  await page.request.post(`${url}/api/papers`, { data: PAPER });
  const debate = await pool.start({
    kind: "debate",
    topic: "Should cities ban private cars from their centres?",
    roundCount: 1,
    seed: 1,
    judges: [{}, {}],
    factCheck: { mode: "standard" },
    flow: true,
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
        name: LONG_NAME,
        position: "No",
      }],
      personTimeout: 0,
    },
  });
  const { id: waiting } = await spoken.json();
  const shared = await pool.start({
    kind: "consensus",
    topic: "How should the houses share their garden?",
    limits: { maxTurns: 6 },
    seed: 1,
  });
  const ids = [debate.id, over, picking, waiting, shared.id];
  await Promise.all(ids.map((id) => pool.run(id)?.ended));
  await page.request.post(`${url}/api/convenings/${waiting}/say`, { data: { text: WIDE_WORDS } });
  await pool.run(waiting)?.ended;
  await page.request.post(`${url}/api/convenings/${debate.id}/judge`, {
    data: { rubric: "academic" },
  });
  await page.request.post(`${url}/api/studies`, { data: STUDY });
  await page.request.get(`${url}/api/studies/tea?within=60`);
  await page.request.post(`${url}/api/studies/tea/report`, { data: {} });
  return [
    "/",
    "/studies",
    "/studies/tea",
    "/?q=trees",
    "/new",
    "/new?kind=dialogue",
    "/new?kind=consensus",
    "/papers",
    "/papers/trees",
    "/papers/trees/text",
    "/papers/none",
    "/?folder=trash",
    `/convenings/${over}/papers/trees`,
    `/convenings/${debate.id}/fork?seq=2`,
    `/compare?left=${debate.id}&right=${waiting}&page=1`,
    "/nowhere",
    `/convenings/${debate.id}/ask?q=cars`,
    // A debate and a paper debate first, whose transcripts are checked, too.
    ...ids.map((id) => `/convenings/${id}`),
  ];
}

/** Steps that lead to an invalid form, by the shown error. */
const WRONG: Readonly<Record<string, (page: Page, url: string) => Promise<unknown>>> = {
  "a debate between two of one name": async (page, url) => {
    await page.goto(`${url}/new`);
    await page.fill("[name=topic]", "Should homework be abolished in schools?");
    await page.getByRole("button", { name: "Add a participant" }).click();
    for (const row of [0, 1]) await page.fill(`[name="p${row}.name"]`, "Ada");
    await page.getByRole("button", { name: "Start the debate" }).click();
  },
  "a paper that is none": async (page, url) => {
    await page.goto(`${url}/papers`);
    const buffer = Buffer.from("no PDF at all");
    await page.setInputFiles("[name=file]", { name: "a.pdf", mimeType: "application/pdf", buffer });
    await page.getByRole("button", { name: "Upload" }).click();
  },
};

browserTest("every page is accessible and fits a phone, light and dark", async (seat) => {
  const { url, open, complaints } = seat;
  const pages = await everyPage(seat);
  const page = await open({ bypassCSP: true });
  await loadRules(page);
  const check = async (what: string) => {
    await page.evaluate(
      "for (const each of document.querySelectorAll('details')) each.open = true",
    );
    await checkLooks(page, what, [[1200, "light"], [390, "dark"]]);
  };
  for (const path of pages) {
    await page.goto(`${url}${path}`);
    await check(path);
    assert.equal(await page.locator(".compare td").count() > 0, path.startsWith("/compare"), path);
  }
  for (const path of pages.slice(-5, -3)) {
    const answer = await page.request.get(`${url}/api${path}/export?format=html`);
    await page.setContent(await answer.text());
    await check(`the transcript of ${path}`);
  }
  for (const [what, fill] of Object.entries(WRONG)) {
    await fill(page, url);
    await page.getByRole("alert").waitFor();
    // The browser moves the focus after it has rendered the page.
    await until(page, "document.activeElement?.ariaInvalid === 'true'");
    await check(what);
  }
  assert.deepEqual(complaints.filter((each) => !/404|400/.test(each)), []);
});

browserTest(
  "by keyboard alone a page's contents are reached, and a dialogue of three is set up, put right where it is wrong, and followed",
  async ({ page, url, complaints }) => {
    const press = async (key: string, times = 1) => {
      for (let count = 0; count < times; count++) await page.keyboard.press(key);
    };
    const focused = async () => await page.evaluate("document.activeElement.name");
    await page.goto(`${url}/new`);
    await press("Tab");
    assert.equal(await page.evaluate("document.activeElement.className"), "skip");
    await press("Enter");
    // Past the links to the five kinds.
    await press("Tab", 6);
    assert.equal(await focused(), "topic");
    assert.equal(
      await page.evaluate("getComputedStyle(document.activeElement).outlineStyle"),
      "solid",
    );
    await page.getByRole("link", { name: /^Dialogue/ }).focus();
    await press("Enter");
    await page.waitForURL(/kind=dialogue/);
    await page.locator("[name=topic]").focus();
    await page.keyboard.type("What makes a good teacher?");
    await press("Tab");
    assert.equal(await focused(), "p0.name");
    await page.keyboard.type("Ada");
    // Past name, position and rarely used fields.
    await press("Tab", 4);
    assert.equal(await focused(), "p1.name");
    await page.keyboard.type("Ada");
    await press("Tab", 4);
    await press("Enter");
    // The browser moves the focus after it has rendered the page.
    await until(page, "document.activeElement.name === 'p2.name'");
    assert.equal(await page.inputValue("[name='p1.name']"), "Ada");
    await page.locator("[name=maxTurns]").focus();
    await page.keyboard.type("4");
    await press("Enter");
    await page.getByRole("alert").waitFor();
    // The browser moves the focus after it has rendered the page.
    await until(page, "document.activeElement.name === 'p1.name'");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Ben");
    await press("Enter");
    await page.locator("#convening[data-standing=completed]").waitFor();
    assert.equal(await page.locator("article.message").count(), 4);
    assert.deepEqual(complaints.filter((each) => !each.includes("400")), []);
  },
);

const HOSTILE = [
  "<script>alert(1)</script><img src=x onerror=alert(2)>",
  "[press](javascript:alert(3)) ![pixel](https://tracker.example/p.png) <svg onload=alert(4)>",
  '[page](https://example.org/ "title") "><iframe src="https://evil.example/"></iframe>',
  "</textarea></article></main><style>body{display:none}</style>",
].join("\n\n");

/** Returns the speaking model with hostile text at the end of every turn. */
function hostileAgent(): Agent {
  return speakingAgent((text, { context }) =>
    context.purpose === "turn" ? `${text}\n\n${HOSTILE}` : text
  );
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
    }, { agents: { ada: agent, ben: agent, moderator: agent, judge: agent } });
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
