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
  if (await page.evaluate("typeof axe") === "undefined") await page.evaluate(axe.source);
  const options = JSON.stringify({
    resultTypes: ["violations"],
    ...isStyleAlone ? { runOnly: STYLE_RULES } : {},
  });
  const broken: unknown = await page.evaluate(
    `axe.run(document, ${options}).then(({ violations }) =>
    violations.map(({ id, nodes }) => [id, ...nodes.map(({ target }) => target.join(" "))]))`,
  );
  assert.deepEqual(broken, [], where);
}

/** A window's width in pixels, and its colours. */
export type Look = readonly [width: number, colorScheme: "light" | "dark"];

/**
 * Throws if a page, or a value of a comparison, is wider than one of the windows, or if the page breaks a rule: any in the
 * first window, one of style in the last.
 */
export async function checkLooks(
  page: Page,
  where: string,
  looks: readonly Look[],
  isWidthAlone = false,
): Promise<void> {
  for (const [at, [width, colorScheme]] of looks.entries()) {
    const look = `${where} at ${width}, ${colorScheme}`;
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const [widest, window] = await page.evaluate<[number, number]>(`[
      Math.max(document.documentElement.scrollWidth, ...[...document.querySelectorAll(".compare td")]
        .map((cell) => cell.getBoundingClientRect().right)),
      document.documentElement.clientWidth,
    ]`);
    assert.equal(widest, window, look);
    const isChecked = !isWidthAlone && (at === 0 || at === looks.length - 1);
    if (isChecked) await checkAccessible(page, look, at > 0);
  }
}
