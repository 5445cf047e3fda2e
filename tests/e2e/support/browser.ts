// Tests in a real browser.
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { type Viewer, type ViewerOptions, withViewer } from "./viewer.ts";

/** Paths where a browser may be installed; first the one without windows, which needs about half of the processor time. */
const PLACES = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--in-process-gpu",
  // No test looks at pixels: without memory for tiles nothing is painted, while layout, hits and styles stay.
  "--force-gpu-mem-available-mb=0",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A process takes as long to start as a page to load.
  "--process-per-site",
  "--renderer-process-limit=1",
  "--disable-site-isolation-trials",
  // Scripts of short pages run for less time than their optimization takes.
  "--js-flags=--no-opt --no-maglev --single-threaded-gc --min-semi-space-size=16",
];

/** Path of the browser; undefined if none is installed. */
const BROWSER: string | undefined = await found();

async function found(): Promise<string | undefined> {
  for (const path of PLACES) {
    const info = await Deno.stat(path).catch(() => undefined);
    if (info !== undefined) return path;
  }
  return undefined;
}

/** Longest wait for a state of a page in milliseconds; slow machines need long. */
const PATIENCE = 60_000;

/**
 * Waits until an expression is true in a page. `page.waitForFunction` would need `eval`, which the pages' policy forbids.
 */
export async function until(page: Page, expression: string): Promise<void> {
  const end = performance.now() + PATIENCE;
  // Frames would be painted for each look without the pause.
  const look = `new Promise((done) => setTimeout(done, 50)).then(() => ${expression})`;
  let problem: unknown;
  while (performance.now() < end) {
    // During a navigation evaluation fails.
    const holds = await page.evaluate(look).catch((error) => void (problem = error));
    if (holds === true) return;
  }
  throw new Error(`${expression} did not come to hold`, { cause: problem });
}

/** A page and a server for a test in a browser. */
export interface Seat extends Viewer {
  /** Page of this test alone. */
  readonly page: Page;
  /** Opens a page that shares nothing with the other pages. */
  open(options?: BrowserContextOptions): Promise<Page>;
  /** Errors in the pages so far: of scripts, of the policy, of loading. */
  readonly complaints: readonly string[];
  /** Requested URLs outside the server. */
  readonly strangers: readonly string[];
  /** Runs a part of the test under a name of its own. */
  readonly step: (name: string, part: () => Promise<void>) => Promise<boolean>;
}

/** Declares a test in a browser; skips the test, visibly, if none is installed. */
export function browserTest(
  name: string,
  test: (seat: Seat) => Promise<void>,
  options: ViewerOptions = {},
): void {
  Deno.test({
    name,
    ignore: BROWSER === undefined,
    fn: (context) =>
      withViewer(
        (viewer) =>
          seated(viewer, (seat) => test({ ...seat, step: (...part) => context.step(...part) })),
        options,
      ),
  });
}

/** Browser of all tests and its context for their first pages; launched by the first test. Each test's server has a URL of its own. */
let shared: ReturnType<typeof launched> | undefined;

Deno.test.afterAll(async () => (await shared)?.browser.close());

/** Launches the browser with a page that stays open, so that the process of pages at 127.0.0.1 outlives a test. */
async function launched(url: string) {
  const browser = await chromium.launch({ executablePath: BROWSER!, args: FLAGS });
  const context = await newContext(browser);
  const kept = await context.newPage();
  await kept.goto(`${url}/api/convenings`);
  return { browser, context, kept };
}

async function newContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1200, height: 900 },
    // The badge of a running convening would be painted anew for every frame.
    reducedMotion: "reduce",
    ...options,
  });
  context.setDefaultTimeout(PATIENCE);
  return context;
}

async function seated(
  viewer: Viewer,
  test: (seat: Omit<Seat, "step">) => Promise<void>,
): Promise<void> {
  const { browser, context, kept } = await (shared ??= launched(viewer.url));
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  const strangers: string[] = [];
  const openIn = async (context: BrowserContext): Promise<Page> => {
    const page = await context.newPage();
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("dialog", (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      const address = request.url();
      if (!address.startsWith(`${viewer.url}/`) && !address.startsWith("data:")) {
        strangers.push(address);
      }
    });
    return page;
  };
  const open = async (options?: BrowserContextOptions): Promise<Page> => {
    const own = await newContext(browser, options);
    contexts.push(own);
    return await openIn(own);
  };
  try {
    await test({ ...viewer, page: await openIn(context), open, complaints, strangers });
  } finally {
    await Promise.all(context.pages().map((page) => page === kept ? undefined : page.close()));
    await Promise.all(contexts.map((each) => each.close()));
  }
}
