// Accessibility and width checks of pages.
import assert from "node:assert/strict";
// Every page compiles the source, which is less than half as long here.
// @ts-types="axe-core"
import axe from "axe-core/axe.min.js";
import type { Page } from "playwright-core";

/** Rules whose findings depend on colours and width; narrow pages hide elements and show no others. */
const STYLE_RULES = ["color-contrast", "link-in-text-block", "scrollable-region-focusable"];

/** Throws if a page breaks an accessibility rule, or one of style alone; names rule and elements. */
export async function checkAccessible(
  page: Page,
  where: string,
  isStyleAlone = false,
): Promise<void> {
  await page.evaluate(axe.source);
  const options = JSON.stringify(isStyleAlone ? { runOnly: STYLE_RULES } : {});
  const broken: unknown = await page.evaluate(
    `axe.run(document, ${options}).then(({ violations }) =>
    violations.map(({ id, nodes }) => [id, ...nodes.map(({ target }) => target.join(" "))]))`,
  );
  assert.deepEqual(broken, [], where);
}

/** Throws if a page is wider than its window. */
export async function checkWidth(page: Page, where: string): Promise<void> {
  const [wide, window] = [
    await page.evaluate("document.documentElement.scrollWidth"),
    await page.evaluate("document.documentElement.clientWidth"),
  ];
  assert.equal(wide, window, where);
}
