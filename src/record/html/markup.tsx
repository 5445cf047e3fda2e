// HTML building blocks of all pages: names, times, links, tables, rendered markdown, and the frame of a self-contained page.
/** @jsxImportSource hono/jsx */
import { raw } from "hono/html";
import type { JSX } from "hono/jsx/jsx-runtime";
import { createHash } from "node:crypto";
import markdownIt, { type Token } from "markdown-it";
import { minuteText } from "../../core/clock.ts";
import { RecentMap } from "../../core/values.ts";
import { headingWords, plainText } from "../../core/text.ts";
import style from "./style.css" with { type: "text" };

/** HTML in which every value is escaped. */
export type Markup = JSX.Element;

/** Returns the URL of a position in a paper; `start` is an offset in UTF-16 units. */
export type PaperHref = (paper: string, start: number) => string;

/** Renders untrusted text in a line, isolated so that its writing direction does not affect the line. */
export function bidi(words: string): Markup {
  return <bdi>{words}</bdi>;
}

/** Renders a time in UTC, readable and machine-readable. */
export function time(iso: string): Markup {
  return <time datetime={iso}>{minuteText(iso)}</time>;
}

/** Renders a source as a link if its URL is http or https, else as text. */
export function sourceLink(
  { title, url }: { readonly title: string; readonly url: string },
): Markup {
  const words = title === "" ? url : title;
  if (!/^https?:\/\//i.test(url)) return bidi(words);
  return <a href={url} rel="noopener nofollow" referrerpolicy="no-referrer">{bidi(words)}</a>;
}

/** Renders a problem at the top of a form or a page. */
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

/** Renders texts as a list, or `none` as a note if there are no texts. */
export function textList(texts: readonly string[], none?: string): Markup {
  if (texts.length === 0) return none === undefined ? <></> : <p class="note">{none}</p>;
  return <ul class="findings">{texts.map((each) => <li dir="auto">{each}</li>)}</ul>;
}

/** Renders links to other pages, with `more` after them; empty if there is only one page. `hrefOf` returns the URL of a page. */
export function pager(
  { at, last, hrefOf, unit = "Page", label = "Pages", more }: {
    /** Numbers of the current page, from 1, and of the last page. */
    readonly at: number;
    readonly last: number;
    readonly hrefOf: (page: number) => string;
    readonly unit?: string;
    readonly label?: string;
    readonly more?: Markup;
  },
): Markup {
  if (last <= 1) return <></>;
  return (
    <nav class="pager" aria-label={label}>
      {at > 2 && <a href={hrefOf(1)}>First</a>}
      {at > 1 && <a href={hrefOf(at - 1)}>Previous</a>}
      <span>{`${unit} ${at} of ${last}`}</span>
      {at < last && <a href={hrefOf(at + 1)}>Next</a>}
      {at < last - 1 && <a href={hrefOf(last)}>Last</a>}
      {more}
    </nav>
  );
}

/** Renders the heading of a column, in the colour of a side if `side` is given. */
export function column(words: string | Markup, side?: number): Markup {
  return <th scope="col" data-side={side}>{words}</th>;
}

/** A table that scrolls horizontally within the page. */
interface WideTable {
  /** Accessible name of the table. @default none: the table is not focusable */
  readonly label?: string;
  readonly class?: string;
  readonly caption?: string;
  /** Headings made by {@linkcode column}. */
  readonly columns: readonly Markup[];
  /** Heading and `td` elements of each row. */
  readonly rows: readonly (readonly [head: string | Markup, cells: readonly Markup[]])[];
}

/** Renders a table with headings of columns and rows. */
export function wideTable({ label, class: kind, caption, columns, rows }: WideTable): Markup {
  const isNamed = label !== undefined;
  return (
    <div
      class="wide"
      role={isNamed ? "region" : undefined}
      aria-label={label}
      tabindex={isNamed ? 0 : undefined}
    >
      <table class={kind}>
        {caption !== undefined && <caption>{caption}</caption>}
        <thead>
          <tr>{columns}</tr>
        </thead>
        <tbody>
          {rows.map(([head, cells]) => (
            <tr>
              <th scope="row">{head}</th>
              {cells}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Renders scores by criterion, each as a bar and a number on the scale. */
export function criteriaList(
  scores: Readonly<Record<string, number>>,
  [least, most]: readonly [least: number, most: number],
): Markup {
  return (
    <dl class="criteria">
      {Object.entries(scores).map(([id, value]) => (
        <div>
          <dt>{headingWords(id)}</dt>
          <dd>
            <meter min={least} max={most} value={value} aria-label={headingWords(id)}>
              {value}
            </meter>
            {` ${value}`}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const markdown = markdownIt({ html: false, linkify: false });
/** Matches a link from a page of the record to a message. */
const MESSAGE_LINK = /^messages\/0*(\d+)_\w+\.md$/;
markdown.validateLink = (url) =>
  /^(?:https?:\/\/|mailto:)/i.test(url.trim()) || MESSAGE_LINK.test(url);
markdown.renderer.rules.image = (tokens, at) => {
  const token = tokens[at];
  const words = `[image: ${token?.content ?? ""} ${String(token?.attrGet("src") ?? "")}]`;
  // Text instead of a link, because an image may be inside a link.
  return `<span class="image">${markdown.utils.escapeHtml(words)}</span>`;
};
for (const rule of ["fence", "code_block"] as const) {
  // Focusable, so that the keyboard can scroll the code.
  markdown.renderer.rules[rule] = (tokens, at) =>
    `<pre tabindex="0"><code>${
      markdown.utils.escapeHtml(tokens[at]?.content ?? "")
    }</code></pre>\n`;
}
markdown.core.ruler.push("tame", ({ tokens, env, Token }) => {
  const { links = NO_LINKS, isPage = false } = env as SaidOptions;
  for (const token of tokens) {
    if (token.type === "heading_open" || token.type === "heading_close") {
      if (isPage && token.nesting === 1) {
        token.attrSet("role", "heading");
        token.attrSet("aria-level", `${Number(token.tag.slice(1)) + 1}`);
      }
      token.tag = "p";
      if (token.nesting === 1) token.attrSet("class", "heading");
    }
    if (token.type === "table_open") {
      token.attrSet("class", "said-table");
      token.attrSet("tabindex", "0");
    }
    // The alignment of a cell is a style attribute, which the policy of the pages blocks.
    if (token.type === "th_open" || token.type === "td_open") token.attrs = null;
    if (links.size > 0 && token.children !== null) {
      let depth = 0;
      token.children = token.children.flatMap((child) => {
        if (child.type.startsWith("link_")) depth += child.nesting;
        return child.type === "text" && depth === 0 ? linkQuotations(child, links, Token) : child;
      });
    }
    for (const child of token.children ?? []) {
      if (child.type === "link_open" && child.attrGet("class") === null) {
        const [, seq] = MESSAGE_LINK.exec(String(child.attrGet("href"))) ?? [];
        if (seq !== undefined) child.attrSet("href", `#message-${seq}`);
        child.attrSet("rel", "noopener nofollow");
        child.attrSet("referrerpolicy", "no-referrer");
      }
    }
  }
});

interface SaidOptions {
  readonly links?: QuotationLinks;
  /** True for a page of a record, whose headings are in the outline, one level lower. @default false: headings are paragraphs */
  readonly isPage?: boolean;
}

/** URLs of quotations, by quoted text. */
type QuotationLinks = ReadonlyMap<string, string>;
const NO_LINKS: QuotationLinks = new Map();

/** Turns the quotations in a text token into links; at one place the first of `links` counts. */
function linkQuotations(text: Token, links: QuotationLinks, Made: typeof Token): Token[] {
  const quotations = [...links.keys()].filter((words) => words !== "").map(RegExp.escape);
  if (quotations.length === 0) return [text];
  const textOf = (content: string) => Object.assign(new Made("text", "", 0), { content });
  // Of the parts, every second is a quotation.
  return text.content.split(new RegExp(`(${quotations.join("|")})`)).flatMap((part, at) => {
    if (at % 2 === 0) return [textOf(part)];
    const opening = new Made("link_open", "a", 1);
    opening.attrs = [["href", links.get(part)!], ["class", "quoted"]];
    return [opening, textOf(part), new Made("link_close", "a", -1)];
  });
}

/**
 * Renders a participant's markdown. HTML is shown as text, and no resources are loaded. Links lead only to http, https,
 * mailto, and messages of the page. Quotations in `links` become links.
 */
export function said(
  body: string,
  { links = NO_LINKS, isPage = false }: SaidOptions = {},
): Markup {
  const isKept = links.size === 0 && !isPage && body.length <= MAX_CACHED_LENGTH;
  const known = isKept ? renderCache.take(body) : undefined;
  const html = known ?? markdown.render(plainText(body), { links, isPage });
  if (isKept) renderCache.set(body, html);
  return <div class="said" dir="auto">{raw(html)}</div>;
}

/** Cache of rendered messages, for navigation back and forth between pages. */
const renderCache = new RecentMap<string>(1000);
const MAX_CACHED_LENGTH = 20_000;

interface PageParts {
  /** CSS to add to the style of all pages. @default none */
  readonly style?: string | undefined;
  /** HTML before the main part. @default none */
  readonly header?: Markup | undefined;
  /** Inline script. @default none */
  readonly script?: string | undefined;
  /** Value for the script, embedded as JSON in the element with id `data`. @default none */
  readonly data?: unknown;
}

/** Renders a self-contained page from its title and main part. */
export async function standalonePage(
  title: string,
  main: Markup,
  { style: more = "", header, script, data }: PageParts = {},
): Promise<string> {
  const styles = style + more;
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(styles)}`,
    ...script === undefined ? [] : [`script-src ${hashOf(script)}`],
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        {/* An empty icon: without one, a browser requests /favicon.ico. */}
        <link rel="icon" href="data:," />
        <style>{raw(styles)}</style>
      </head>
      <body>
        {header}
        <main>{main}</main>
        {data !== undefined && (
          <script id="data" type="application/json">
            {raw(JSON.stringify(data).replaceAll("<", "\\u003c"))}
          </script>
        )}
        {script !== undefined && <script>{raw(script)}</script>}
      </body>
    </html>
  );
  // Applied to the whole page, because markdown may encode invisible characters as numeric references.
  return plainText(`<!DOCTYPE html>\n${await page}\n`);
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
