// Small parts of every page: names, times, links, tables, the words of participants as markdown, and the frame of a page that needs no other file.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import { raw } from "hono/html";
import type { JSX } from "hono/jsx/jsx-runtime";
import { createHash } from "node:crypto";
import markdownIt, { type Token } from "markdown-it";
import { RecentMap } from "../../core/values.ts";
import { plainText } from "../../core/text.ts";
import { headingWords } from "../transcript_outline.ts";
import style from "./style.css" with { type: "text" };

/** Markup whose every value was escaped. */
export type Markup = JSX.Element;

/** The URL of a place of a paper: the start of a passage, in UTF-16 units. */
export type PaperHref = (paper: string, start: number) => string;

/** Words of a participant inside a line, in their own direction. */
export function own(words: string): Markup {
  return <bdi>{words}</bdi>;
}

/** A date and a time in UTC, for readers and for machines. */
export function time(iso: string): Markup {
  return <time datetime={iso}>{`${iso.slice(0, 16).replace("T", " ")} UTC`}</time>;
}

/** A source as a link if its URL is one of the web, else as text. */
export function sourceLink(
  { title, url }: { readonly title: string; readonly url: string },
): Markup {
  const words = title === "" ? url : title;
  if (!/^https?:\/\//i.test(url)) return own(words);
  return <a href={url} rel="noopener nofollow" referrerpolicy="no-referrer">{own(words)}</a>;
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

/** Texts as a list; a note if there are none. */
export function textList(texts: readonly string[], none?: string): Markup {
  if (texts.length === 0) return none === undefined ? <></> : <p class="note">{none}</p>;
  return <ul class="findings">{texts.map((each) => <li dir="auto">{each}</li>)}</ul>;
}

/** Links to the page before and the page after; nothing where there is one page. `hrefOf` is the URL of a page. */
export function pager(
  { at, last, hrefOf, before = "Previous", after = "Next", unit = "Page", label = "Pages" }: {
    /** The number of the page, from 1, and of the last page. */
    readonly at: number;
    readonly last: number;
    readonly hrefOf: (page: number) => string;
    readonly before?: string;
    readonly after?: string;
    readonly unit?: string;
    readonly label?: string;
  },
): Markup {
  if (last <= 1) return <></>;
  return (
    <nav class="pager" aria-label={label}>
      {at > 1 && <a href={hrefOf(at - 1)}>{before}</a>}
      <span>{`${unit} ${at} of ${last}`}</span>
      {at < last && <a href={hrefOf(at + 1)}>{after}</a>}
    </nav>
  );
}

/** The head of a column, in the colour of a side if one is given. */
export function column(words: string | Markup, side?: number): Markup {
  return <th scope="col" data-side={side}>{words}</th>;
}

/** A table that scrolls within the page. */
export interface WideTable {
  /** The name of the table. @default none: the table cannot be focused */
  readonly label?: string;
  readonly class?: string;
  readonly caption?: string;
  /** Made by {@linkcode column}. */
  readonly columns: readonly Markup[];
  /** The head of each row, and its elements `td`. */
  readonly rows: readonly (readonly [head: string | Markup, cells: readonly Markup[]])[];
}

/** A table with heads of columns and rows. */
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

/** Scores by criterion, each as a bar and a number on the scale. */
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
/** A link of a record's page to a message. */
const MESSAGE_LINK = /^messages\/0*(\d+)_\w+\.md$/;
markdown.validateLink = (url) =>
  /^(?:https?:\/\/|mailto:)/i.test(url.trim()) || MESSAGE_LINK.test(url);
markdown.renderer.rules.image = (tokens, at) => {
  const token = tokens[at];
  const words = `[image: ${token?.content ?? ""} ${String(token?.attrGet("src") ?? "")}]`;
  // Text, not a link: an image may stand inside one.
  return `<span class="image">${markdown.utils.escapeHtml(words)}</span>`;
};
markdown.core.ruler.push("tame", ({ tokens, env, Token }) => {
  const { links = NO_LINKS } = env as { readonly links?: QuotationLinks };
  for (const token of tokens) {
    if (token.type === "heading_open" || token.type === "heading_close") {
      // A message's headings are no part of the page's outline.
      token.tag = "p";
      if (token.nesting === 1) token.attrSet("class", "heading");
    }
    if (token.type === "table_open") token.attrSet("class", "said-table");
    if (links.size > 0 && token.children !== null) {
      let depth = 0;
      token.children = token.children.flatMap((child) => {
        if (child.type.startsWith("link_")) depth += child.nesting;
        return child.type === "text" && depth === 0 ? linked(child, links, Token) : child;
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

/** The URLs of quotations, by their words. */
type QuotationLinks = ReadonlyMap<string, string>;
const NO_LINKS: QuotationLinks = new Map();

/** A text with its first quotation as a link, and so on with what follows. */
function linked(text: Token, links: QuotationLinks, Made: typeof Token): Token[] {
  const { content } = text;
  const found = [...links].map(([words, href]) => ({ words, href, at: content.indexOf(words) }))
    .filter(({ at }) => at !== -1).sort((a, b) => a.at - b.at)[0];
  if (found === undefined) return [text];
  const { words, href, at } = found;
  const textOf = (content: string) => Object.assign(new Made("text", "", 0), { content });
  const opening = new Made("link_open", "a", 1);
  opening.attrs = [["href", href], ["class", "quoted"]];
  return [
    textOf(content.slice(0, at)),
    opening,
    textOf(words),
    new Made("link_close", "a", -1),
    ...linked(textOf(content.slice(at + words.length)), links, Made),
  ];
}

/**
 * Words of a participant as markdown: HTML in them is shown as text, links lead to http, https, mailto and messages of the
 * page alone, and nothing is loaded from anywhere. Quotations among `links` lead to their places.
 */
export function said(body: string, links: QuotationLinks = NO_LINKS): Markup {
  if (links.size > 0) {
    return <div class="said" dir="auto">{raw(markdown.render(plainText(body), { links }))}</div>;
  }
  const html = rendered.take(body) ?? markdown.render(plainText(body));
  if (body.length <= LONGEST_KEPT) rendered.set(body, html);
  return <div class="said" dir="auto">{raw(html)}</div>;
}

/** The words of the last pages as HTML: whoever turns pages asks for the same again. */
const rendered = new RecentMap<string>(1000);
const LONGEST_KEPT = 20_000;

interface PageParts {
  /** Added to the style of all pages. @default none */
  readonly style?: string | undefined;
  /** Markup before the main part. @default none */
  readonly header?: Markup | undefined;
  /** A script of this program. @default none */
  readonly script?: string | undefined;
  /** A value for the script, as JSON in the element `data`. @default none */
  readonly data?: unknown;
}

/** The page of a title and the contents of its main part. */
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
  // The whole page, because words of participants may name unseen characters by their numbers.
  return plainText(`<!DOCTYPE html>\n${await page}\n`);
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
