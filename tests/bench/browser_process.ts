// A page in a browser, which shows a run as it is spoken: says how late each token is seen there.
import { type Browser, chromium, type Page } from "playwright-core";
import { BROWSER } from "../e2e/support/browser.ts";
import { quantile, serveControl } from "./control.ts";
import type { Viewed } from "./viewers_process.ts";

/** Which page: `open` resolves once it is shown, `close` gives what was seen there by then. */
export type BrowserTask =
  | { readonly type: "open"; readonly port: number; readonly id: string }
  | { readonly type: "close" };

/** What the page's own clock says of the tokens that it shows; undefined where there is no browser. */
export type Shown = Pick<Viewed, "p50" | "p95" | "p99"> | null;

let browser: Browser | undefined;
let page: Page | undefined;
let times: number[] = [];

/** Runs in the page: reports each token once its text stands there. */
const WATCH = `
  const seen = new Set();
  new MutationObserver(() => {
    const at = performance.timeOrigin + performance.now();
    const text = document.getElementById("speaking")?.textContent ?? "";
    for (const [, stamp] of text.matchAll(/<(\\d+\\.\\d+)>/g)) {
      if (seen.has(stamp)) continue;
      seen.add(stamp);
      tell(at - Number(stamp));
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
`;

async function open(
  { port, id }: Extract<BrowserTask, { readonly type: "open" }>,
): Promise<boolean> {
  if (BROWSER === undefined) return false;
  browser ??= await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
  page = await browser.newPage();
  times = [];
  await page.exposeFunction("tell", (time: number) => times.push(time));
  await page.addInitScript(WATCH);
  await page.goto(`http://127.0.0.1:${port}/convenings/${id}`);
  return true;
}

async function close(): Promise<Shown> {
  await page?.close();
  if (times.length === 0) return null;
  const sorted = times.toSorted((a, b) => a - b);
  return { p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), p99: quantile(sorted, 0.99) };
}

serveControl((task: BrowserTask) => task.type === "open" ? open(task) : close());
