// Paper debates in the viewer.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { fileURLToPath } from "node:url";
import { browserTest } from "./support/browser.ts";

const PAPER = fileURLToPath(new URL("../../examples/papers/four_day_week.pdf", import.meta.url));

browserTest(
  "a paper is uploaded, a question picked, the debate followed, read by tabs, exported",
  async (seat) => {
    const { page, url, gate, complaints } = seat;
    await page.goto(`${url}/papers`);
    await page.setInputFiles("[name=file]", PAPER);
    await page.getByRole("button", { name: "Upload" }).click();
    await page.waitForURL(/\/papers\/four_day_week/);
    assert.equal(await page.locator("[data-state]").getAttribute("data-state"), "idle");
    gate.hold(({ participant, purpose }) => participant === "debater-b" && purpose === "turn");
    await page.getByRole("button", { name: "Start the debate" }).click();
    await page.locator("[data-state=selecting_question] input[type=radio]").nth(1).check();
    assert.ok(await page.locator("[data-state=selecting_question] input[type=radio]").count() >= 8);
    // The questions are shown once.
    const [said] = await page.locator("#exchange .said li").allTextContents();
    assert.equal(await page.getByText(said!, { exact: true }).filter({ visible: true }).count(), 1);
    const question = await page.locator("label.choice").nth(1).textContent() ?? "";
    await page.getByRole("button", { name: "Debate it" }).click();
    await page.locator("[data-state=debating] [data-debater=debater-a][data-status=complete]")
      .waitFor();
    assert.match(
      await page.locator("[data-debater=debater-a] .preview").textContent() ?? "",
      /\w: \w/,
    );
    const second = page.locator("[data-debater=debater-b]");
    assert.equal(await second.getAttribute("data-status"), "running");
    gate.step();
    await second.locator(".preview:not(:empty)").waitFor();
    gate.open();
    await page.locator("#board[data-state=completed]").waitFor();
    assert.equal((await page.locator(".question").textContent() ?? "").trim(), question.trim());
    const tabs = page.getByRole("tab");
    assert.equal(await tabs.first().textContent(), "Final Verdict");
    assert.ok(await tabs.count() >= 4);
    await tabs.first().focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await tabs.nth(1).getAttribute("aria-selected"), "true");
    assert.equal(await page.locator("#topic-1 .argument").count(), 3);
    assert.equal(await page.locator("#final-verdict").isVisible(), false);
    await page.emulateMedia({ media: "print" });
    for (const part of ["#final-verdict", "#topic-1", "#topic-2"]) {
      assert.ok(await page.locator(part).isVisible(), `${part} is printed`);
    }
    await page.emulateMedia({ media: "screen" });
    assert.ok(await page.locator("#topic-1 .mark[data-verdict=true]").count() > 0);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export markdown" }).click(),
    ]);
    assert.match(
      await Deno.readTextFile(await download.path()),
      /^# .+\n[\s\S]*## Executive Summary/m,
    );
    await page.getByRole("link", { name: "Run another" }).click();
    await page.waitForURL(/\/papers\/four_day_week/);
    assert.equal(await page.locator(".rows .badge").textContent(), "Completed");
    assert.deepEqual(complaints, []);
  },
);

browserTest(
  "a user's own question is debated, and an unreadable paper is reported",
  async (seat) => {
    const { page, url, out } = seat;
    await page.goto(`${url}/papers`);
    const file = join(out, "archive.pdf");
    await Deno.writeTextFile(file, "PK\x03\x04 no paper");
    await page.setInputFiles("[name=file]", file);
    await page.getByRole("button", { name: "Upload" }).click();
    assert.match(await page.getByRole("alert").textContent() ?? "", /Cannot read/);
    await page.getByText("Paste a text instead").click();
    await page.locator("details [name=title]").fill("Trees and summer heat");
    await page.locator("details [name=text]").fill(
      "Streets with trees were 2.1 degrees cooler at noon than streets without any. The trees were old.",
    );
    await page.getByRole("button", { name: "Keep it" }).click();
    await page.waitForURL(/\/papers\/Trees/);
    await page.fill("[name=postures]", "2");
    await page.getByRole("button", { name: "Start the debate" }).click();
    // The first of the proposed questions stays checked.
    await page.getByLabel("Or a question of your own").fill("How far do trees cool a street?");
    await page.getByRole("button", { name: "Debate it" }).click();
    await page.locator("#board[data-state=completed]").waitFor();
    assert.match(
      await page.locator(".question").textContent() ?? "",
      /How far do trees cool a street\?/,
    );
    const argued = page.locator("#topic-1 .argument");
    // The parts of the board are fetched one by one.
    await argued.nth(1).waitFor({ state: "attached" });
    assert.equal(await argued.count(), 2);
  },
);
