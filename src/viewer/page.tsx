// The frame of every page of the viewer, and the page of an error.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import type { ConveningError } from "../core/error.ts";
import type { Markup } from "../record/html/markup.tsx";

interface PageOptions {
  /** The title of the window; the site's name follows. */
  readonly title: string;
  /** The content of `main`. */
  readonly body: Markup;
  /** The link of the navigation that stands for the page. @default none */
  readonly at?: "archive" | "new" | "papers" | "studies" | undefined;
  /** True for a page that readers without a session see: then without links. @default false */
  readonly isOpen?: boolean | undefined;
}

/** A page, to be shown with or without a way to end the reader's session. */
export type Page = (reader: { readonly hasSession: boolean }) => Markup;

const LINKS = [
  { at: "archive", href: "/", name: "Convenings" },
  { at: "papers", href: "/papers", name: "Papers" },
  { at: "studies", href: "/studies", name: "Studies" },
  { at: "new", href: "/new", name: "New convening" },
] as const;

/** Two bubbles of speech. */
const ICON = `data:image/svg+xml,${
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
      '<path fill="#2f6fc4" d="M1 1h9v6H5L2 10V7H1z"/><path fill="#c2591a" d="M6 9h9v5h-1v2l-3-2H6z"/></svg>',
  )
}`;

/** The modules that the script imports, loaded at once with it. */
const IMPORTED = [
  "contents",
  "drafts",
  "follower",
  "live",
  "parts",
  "plan",
  "sharing",
  "speaking",
  "tabs",
] as const;

/** The keys of the script, outside fields. */
const KEYS = [
  ["j", "To the next message"],
  ["k", "To the message before"],
  ["/", "To the search"],
  ["?", "These keys"],
] as const;

/** A page of the viewer: complete without its script, which shows what happens while the page is open. */
export function page({ title, body, at, isOpen = false }: PageOptions): Page {
  return ({ hasSession }) => (
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
              LINKS.map((link) => (
                <a href={link.href} aria-current={link.at === at ? "page" : undefined}>
                  {link.name}
                </a>
              ))}
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
          <form method="dialog">
            <button type="submit">Close</button>
          </form>
        </dialog>
        <p id="announcer" class="unseen" role="status" aria-live="polite"></p>
      </body>
    </html>
  );
}

/** A problem, at the top of a form or a page. */
export function problem(
  { message, hint }: { readonly message: string; readonly hint?: string | undefined },
): Markup {
  return (
    <div class="problem" role="alert">
      <p>
        <strong>{message}</strong>
      </p>
      {hint !== undefined && <p class="lines">{hint}</p>}
    </div>
  );
}

/** The page of an error, with the texts that were sent, so that nothing is lost. */
export function problemPage(
  { message, hint, code }: Pick<ReturnType<ConveningError["toJSON"]>, "message" | "hint" | "code">,
  { back, written = [] }: {
    /** The path of the page to return to. */
    readonly back: string;
    /** Texts that were sent along. @default none */
    readonly written?: readonly string[] | undefined;
  },
): Page {
  const kept = written.filter((each) => each.trim() !== "");
  const title = code === "not_found" ? "Not found" : "Not possible";
  return page({
    title,
    body: (
      <>
        <h1>{title}</h1>
        {/* A hint for programs says nothing here. */}
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
