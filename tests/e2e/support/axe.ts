// Accessibility and width checks of pages.
import assert from "node:assert/strict";
// Every page compiles the source, which is less than half as long here.
// @ts-types="axe-core"
import axe from "axe-core/axe.min.js";
import type { Page } from "playwright-core";

/** Rules whose findings depend on colours and width; narrow pages hide elements and show no others. */
const STYLE_RULES = ["color-contrast", "link-in-text-block", "scrollable-region-focusable"];

/** Loads the rules with each page that a window shows from now on, which takes half of the time of loading them afterwards. */
export async function loadRules(page: Page): Promise<void> {
  await page.addInitScript(axe.source);
}

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
 * Keeps of each repeated part one at its place with its elements, sound attributes and colours, since the rules look at each
 * element; returns the ids that occur twice, of which the rules might then see one.
 */
const REDUCED = `(() => {
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  const isSound = (name, value) => /^(for|aria-(labelledby|describedby|controls))$/.test(name)
    ? value.split(" ").every((id) => document.getElementById(id) !== null)
    : value.trim() !== "";
  const look = (each) => [each.tagName, each.getAttribute("class"), each.role, ...["side", "standing", "status", "verdict"]
    .map((name) => each.dataset[name]), ...each.getAttributeNames().map((name) => name + isSound(name, each.getAttribute(name))),
    each.textContent.trim() !== ""].join();
  const place = (each) => each === null ? "" : place(each.parentElement) + ">" + each.tagName + each.className;
  const seen = new Set();
  for (const part of document.querySelectorAll("article, details, li, tr")) {
    if (!part.isConnected) continue;
    const looks = [...new Set([part, ...part.querySelectorAll("*")].map(look))].sort();
    const key = [place(part.parentElement), ...looks].join(";");
    if (seen.has(key)) part.remove();
    seen.add(key);
  }
  return ids.filter((id, at) => ids.indexOf(id) < at);
})()`;

/**
 * Throws if a page, or a value of a comparison, is wider than one of the windows, or if the page breaks a rule: any in the
 * first window, one of style in the last. Afterwards the page lacks repeated parts.
 */
export async function checkLooks(
  page: Page,
  where: string,
  looks: readonly Look[],
  isWidthAlone = false,
): Promise<void> {
  const show = async ([width, colorScheme]: Look) => {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    return `${where} at ${width}, ${colorScheme}`;
  };
  for (const look of looks) {
    const shown = await show(look);
    const [widest, window] = await page.evaluate<[number, number]>(`[
      Math.max(document.documentElement.scrollWidth, ...[...document.querySelectorAll(".compare td")]
        .map((cell) => cell.getBoundingClientRect().right)),
      document.documentElement.clientWidth,
    ]`);
    assert.equal(widest, window, shown);
  }
  if (isWidthAlone) return;
  assert.deepEqual(await page.evaluate(REDUCED), [], `${where}: ids that occur twice`);
  await checkAccessible(page, await show(looks.at(-1)!), true);
  await checkAccessible(page, await show(looks[0]!));
}
