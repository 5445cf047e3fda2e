import { html } from "hono/html";

/** Markup whose every value was escaped. */
export type Markup = ReturnType<typeof html>;

/** A whole page. */
interface PageOptions {
  /** Of the window; the site's name follows it. */
  readonly title: string;
  /** What stands in `main`. */
  readonly body: Markup;
  /** Which link of the head stands for the page. @default none */
  readonly at?: "archive" | "new" | "papers" | undefined;
  /** Whether strangers see the page: then without the head's links. @default false */
  readonly isOpen?: boolean | undefined;
}

/** A page, to be shown with or without a way to end the reader's session. */
export type Page = (reader: { readonly hasSession: boolean }) => Markup;

const LINKS = [
  { at: "archive", href: "/", name: "Convenings" },
  { at: "papers", href: "/papers", name: "Papers" },
  { at: "new", href: "/new", name: "New convening" },
] as const;

const LOG_OUT = html`
  <form method="post" action="/logout"><button type="submit">Log out</button></form>
`;

/** A page of the viewer: complete without its script, which only brings what happens while it is open. */
export function page({ title, body, at, isOpen = false }: PageOptions): Page {
  return ({ hasSession }) =>
    html`
      <!DOCTYPE html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>${title} · Convenings</title>
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href="/static/style.css" />
          <script type="module" src="/static/client.js"></script>
        </head>
        <body>
          <a class="skip" href="#main">Skip to the content</a>
          <header class="site">
            <nav aria-label="Main">
                  ${(isOpen ? [] : LINKS).map((link) =>
                    html`
                      <a href="${link.href}" ${link.at === at
                        ? html`
                          aria-current="page"
                        `
                        : ""}>${link.name}</a>
                    `
                  )}
                  ${hasSession ? LOG_OUT : ""}
                </nav>
          </header>
          <main id="main" tabindex="-1">${body}</main>
          <p id="announcer" class="unseen" role="status" aria-live="polite"></p>
        </body>
      </html>
    `;
}

/** Words of a participant inside a line: their direction is their own. */
export function own(words: string): Markup {
  return html`<bdi>${words}</bdi>`;
}

/** What went wrong, at the head of a form or a page. */
export function problem(
  { message, hint }: { readonly message: string; readonly hint?: string | undefined },
): Markup {
  return html`<div class="problem" role="alert">
    <p><strong>${message}</strong></p>
    ${hint === undefined ? "" : html`<p class="lines">${hint}</p>`}
  </div>`;
}

/** A date and a time, as a machine reads them too; UTC. */
export function time(iso: string): Markup {
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace("T", " ")} UTC</time>`;
}

/** A source as a link where it is a page of the web, else as text. */
export function sourceLink(words: string, url: string): Markup {
  return /^https?:\/\//i.test(url)
    ? html`<a href="${url}" rel="noopener nofollow" referrerpolicy="no-referrer">${own(words)}</a>`
    : own(words);
}
