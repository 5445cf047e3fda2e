// Layout of the viewer's pages, and responses with pages.
/** @jsxImportSource hono/jsx */
import type { Context } from "hono";
import type { ConveningError } from "../core/error.ts";
import { plainText } from "../core/text.ts";
import { problemOf, statusOf } from "../operations/client_view.ts";
import { type Markup, problem } from "../record/html/markup.tsx";

interface PageOptions {
  /** Title of the window, without the name of the site. */
  readonly title: string;
  readonly body: Markup;
  /** Navigation link that is marked as current. @default none */
  readonly at?: "archive" | "new" | "papers" | "studies" | undefined;
  /** True for a page that is shown without a session; the navigation is left out. @default false */
  readonly isOpen?: boolean | undefined;
}

/** Data of the request and the server that the head of a page needs. */
interface PageReader {
  /** True for a request with a session: the page has a button to log out. */
  readonly hasSession: boolean;
  /** True on a read-only server: the page says so, and has no link to the form of a convening. */
  readonly isReadOnly: boolean;
}

export type Page = (reader: PageReader) => Markup;

const LINKS = [
  { at: "archive", href: "/", name: "Convenings" },
  { at: "papers", href: "/papers", name: "Papers" },
  { at: "studies", href: "/studies", name: "Studies" },
  { at: "new", href: "/new", name: "New convening" },
] as const;

const ICON = `data:image/svg+xml,${
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
      '<path fill="#2f6fc4" d="M1 1h9v6H5L2 10V7H1z"/><path fill="#c2591a" d="M6 9h9v5h-1v2l-3-2H6z"/></svg>',
  )
}`;

/** Modules that client.js imports; preloaded to avoid a chain of requests. */
const IMPORTED = ["contents", "follower", "forms", "parts", "sharing", "speaking"] as const;

const KEYS = [
  ["j", "To the next message"],
  ["k", "To the previous message"],
  ["/", "To the search"],
  ["?", "Show these keys"],
] as const;

/** Returns a page of the viewer. The page is complete without JavaScript; the script adds live updates. */
export function page({ title, body, at, isOpen = false }: PageOptions): Page {
  return ({ hasSession, isReadOnly }) => (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Convenings`}</title>
        <link rel="icon" href={ICON} />
        <link rel="stylesheet" href="/static/style.css" />
        {IMPORTED.map((name) => <link rel="modulepreload" href={`/static/${name}.js`} />)}
        <script type="module" src="/static/client.js"></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header class="site">
          <nav aria-label="Main">
            {!isOpen &&
              LINKS.filter((link) => !isReadOnly || link.at !== "new").map((link) => (
                <a href={link.href} aria-current={link.at === at ? "page" : undefined}>
                  {link.name}
                </a>
              ))}
            {isReadOnly && <span class="note">This server only reads.</span>}
            <button type="button" id="show-keys" hidden>Keys</button>
            {hasSession && (
              <form method="post" action="/logout">
                <button type="submit">Log out</button>
              </form>
            )}
          </nav>
        </header>
        <main id="main" tabindex={-1}>{body}</main>
        <dialog id="keys" aria-labelledby="keys-title">
          <h2 id="keys-title">Keys</h2>
          <dl>
            {KEYS.map(([key, words]) => (
              <div>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{words}</dd>
              </div>
            ))}
          </dl>
          <label>
            <input type="checkbox" id="use-keys" checked /> Use these keys
          </label>
          <form method="dialog">
            <button type="submit">Close</button>
          </form>
        </dialog>
        <p id="announcer" class="unseen" role="status" aria-live="polite"></p>
      </body>
    </html>
  );
}

interface ProblemOptions {
  readonly back: string;
  /** Texts that the user sent. @default none */
  readonly written?: readonly string[] | undefined;
}

/** Returns the page of an error. The page repeats the texts that the user sent, so that they are not lost. */
function problemPage(
  { message, hint, code }: Pick<ReturnType<ConveningError["toJSON"]>, "message" | "hint" | "code">,
  { back, written = [] }: ProblemOptions,
): Page {
  const kept = written.filter((each) => each.trim() !== "");
  const title = code === "not_found" ? "Not found" : "Not possible";
  return page({
    title,
    body: (
      <>
        <h1>{title}</h1>
        {/* A hint with an API request is of no use to a reader. */}
        {problem({ message, hint: hint?.startsWith("GET /") ? undefined : hint })}
        {kept.length > 0 && <h2>What you wrote</h2>}
        {kept.map((each) => <pre class="kept">{each}</pre>)}
        <p>
          <a class="button" href={back}>{back === "/" ? "All convenings" : "Back"}</a>
        </p>
      </>
    ),
  });
}

/** Returns true for a browser's request outside the API, which gets a page instead of JSON. */
export function wantsPage({ req }: Context): boolean {
  return !/^\/(?:api|mcp)(?:\/|$)/.test(req.path) &&
    (req.header("accept") ?? "").includes("text/html");
}

/** Returns a response with a page or a part of a page; invisible characters are shown as `�`. */
export async function sendPage(
  context: Context,
  content: Page | Markup,
  status: ReturnType<typeof statusOf> = 200,
): Promise<Response> {
  const hasSession = context.get("session") !== undefined;
  const isReadOnly = context.get("isReadOnly") === true;
  const html = typeof content === "function"
    ? `<!DOCTYPE html>${await content({ hasSession, isReadOnly })}`
    : String(await content);
  return await context.html(plainText(belowBase(html, context.get("basePath"))), status);
}

/** Adds the base path to the URLs of this server in a page. */
function belowBase(html: string, basePath = ""): string {
  // Quotation marks in texts are escaped, so only attributes match.
  return basePath === ""
    ? html
    : html.replace(/ (href|src|action|formaction)="\/(?!\/)/g, ` $1="${basePath}/`);
}

/** Returns a response with the page that `work` returns, or with an error page if `work` fails. */
export async function showPage(
  context: Context,
  work: () => Page | Markup | Promise<Page | Markup>,
  { status, back = "/" }: {
    readonly status?: ReturnType<typeof statusOf>;
    readonly back?: string;
  } = {},
): Promise<Response> {
  try {
    return await sendPage(context, await work(), status);
  } catch (error) {
    return await sendProblem(context, error, { back });
  }
}

/** Returns a response with the page of an error, without paths of this machine. */
export async function sendProblem(
  context: Context,
  error: unknown,
  options: ProblemOptions,
): Promise<Response> {
  const { error: problem } = problemOf(error, context.get("errorScope"));
  return await sendPage(context, problemPage(problem, options), statusOf(error));
}

/** Performs the action of a form and redirects to the path that `work` returns, or shows an error page. */
export async function redirectAfter(
  context: Context,
  { work, ...rest }: ProblemOptions & { readonly work: () => Promise<string> },
): Promise<Response> {
  try {
    return context.redirect(await work(), 303);
  } catch (error) {
    return await sendProblem(context, error, rest);
  }
}
