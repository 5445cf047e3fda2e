// Tests in a real browser.
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { type Viewer, type ViewerOptions, withViewer } from "./viewer.ts";

/** Paths where a browser may be installed. */
const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
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
  const look = `new Promise(requestAnimationFrame).then(() => ${expression})`;
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
  /** Opens another page in the same browser. */
  open(options?: BrowserContextOptions): Promise<Page>;
  /** Errors in the pages so far: of scripts, of the policy, of loading. */
  readonly complaints: readonly string[];
  /** Requested URLs outside the server. */
  readonly strangers: readonly string[];
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
    fn: () => withViewer((viewer) => seated(viewer, test), options),
  });
}

/** Browser of a file's tests, launched by the first one; each test has its own contexts. */
let browser: Browser | undefined;

Deno.test.afterAll(() => browser?.close());

async function seated(viewer: Viewer, test: (seat: Seat) => Promise<void>): Promise<void> {
  browser ??= await chromium.launch({ executablePath: BROWSER!, args: FLAGS });
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  const strangers: string[] = [];
  const open = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser!.newContext({
      viewport: { width: 1200, height: 900 },
      ...options,
    });
    contexts.push(context);
    context.setDefaultTimeout(PATIENCE);
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
  try {
    await test({ ...viewer, page: await open(), open, complaints, strangers });
  } finally {
    await Promise.all(contexts.map((context) => context.close()));
  }
}
