import assert from "node:assert/strict";
import axe from "axe-core";
import type { Page } from "playwright-core";

/** Fails where a page breaks a rule of accessibility, naming the rule and the elements. */
export async function checkAccessible(page: Page, where: string): Promise<void> {
  await page.evaluate(axe.source);
  const broken: unknown = await page.evaluate(`axe.run(document).then(({ violations }) =>
    violations.map(({ id, nodes }) => [id, ...nodes.map(({ target }) => target.join(" "))]))`);
  assert.deepEqual(broken, [], where);
}

/** Fails where a page is wider than its window. */
export async function checkWidth(page: Page, where: string): Promise<void> {
  const [wide, window] = [
    await page.evaluate("document.documentElement.scrollWidth"),
    await page.evaluate("document.documentElement.clientWidth"),
  ];
  assert.equal(wide, window, where);
}
