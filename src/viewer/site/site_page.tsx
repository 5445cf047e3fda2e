// The frame of every page of a site.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import type { Markup } from "../../record/html/markup.tsx";
import { standalonePage } from "../../record/html/standalone_page.tsx";

const STYLE = `
.rows small { color: var(--soft); }
.outcome h2 { margin-top: 0; }
header.site a:last-child { margin-inline-start: auto; }
#found p { margin: 0.25rem 0; }
#found mark { background: var(--caution); color: inherit; }
`;

/** A page with links to the site's other pages; `root` leads to the site's folder, such as `../../`. */
export async function sitePage(
  title: string,
  main: Markup,
  { root, at, script, data }: {
    readonly root: string;
    /** The link that stands for the page. @default none */
    readonly at?: "list" | "search" | undefined;
    readonly script?: string | undefined;
    readonly data?: unknown;
  },
): Promise<string> {
  const link = (name: "list" | "search", href: string, words: string) => (
    <a href={root + href} aria-current={at === name ? "page" : undefined}>{words}</a>
  );
  return await standalonePage(`${title} · Convenings`, main, {
    style: STYLE,
    script,
    data,
    header: (
      <header class="site">
        <nav aria-label="Main">
          {link("list", "index.html", "Convenings")}
          {link("search", "search.html", "Search")}
        </nav>
      </header>
    ),
  });
}
