import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { type Viewer, type ViewerOptions, withViewer } from "./viewer.ts";

/** Where a browser is looked for. */
const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The program of a browser; undefined where none is found. */
const BROWSER: string | undefined = await found();

async function found(): Promise<string | undefined> {
  for (const path of PLACES) {
    const info = await Deno.stat(path).catch(() => undefined);
    if (info !== undefined) return path;
  }
  return undefined;
}

/** The longest wait for a state of a page, in milliseconds: on a slow machine states take long. */
const PATIENCE = 60_000;

/**
 * Waits until an expression holds in a page. What `page.waitForFunction` does beyond its first look needs `eval`, which the
 * policy of the pages refuses.
 */
export async function until(page: Page, expression: string): Promise<void> {
  const end = performance.now() + PATIENCE;
  const look = `new Promise(requestAnimationFrame).then(() => ${expression})`;
  let problem: unknown;
  while (performance.now() < end) {
    // While a page gives way to another, neither can be asked.
    const holds = await page.evaluate(look).catch((error) => void (problem = error));
    if (holds === true) return;
  }
  throw new Error(`${expression} did not come to hold`, { cause: problem });
}

/** What a test in a browser works with. */
export interface Seat extends Viewer {
  /** A page of its own. */
  readonly page: Page;
  /** Opens another one, in the same browser. */
  open(options?: BrowserContextOptions): Promise<Page>;
  /** What the pages complained of so far: errors of the script, of the policy, of what was loaded. */
  readonly complaints: readonly string[];
  /** The addresses that were asked for elsewhere than at the server. */
  readonly strangers: readonly string[];
}

/** A test in a browser; left out, and said to be, where there is none. */
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

/** The browser of a file's tests, launched by the first: each test has contexts of its own. */
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
