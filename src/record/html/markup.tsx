// Small parts of every page: names, times, links, criteria, and the words of participants as markdown.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import { raw } from "hono/html";
import type { JSX } from "hono/jsx/jsx-runtime";
import markdownIt from "markdown-it";
import { plainText } from "../../core/text.ts";
import { headingWords } from "../transcript_outline.ts";

/** Markup whose every value was escaped. */
export type Markup = JSX.Element;

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

/** Texts as a list; a note if there are none. */
export function textList(texts: readonly string[], none?: string): Markup {
  if (texts.length === 0) return none === undefined ? <></> : <p class="note">{none}</p>;
  return <ul class="findings">{texts.map((each) => <li dir="auto">{each}</li>)}</ul>;
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
markdown.core.ruler.push("tame", ({ tokens }) => {
  for (const token of tokens) {
    if (token.type === "heading_open" || token.type === "heading_close") {
      // A message's headings are no part of the page's outline.
      token.tag = "p";
      if (token.nesting === 1) token.attrSet("class", "heading");
    }
    if (token.type === "table_open") token.attrSet("class", "said-table");
    for (const child of token.children ?? []) {
      if (child.type === "link_open") {
        const [, seq] = MESSAGE_LINK.exec(String(child.attrGet("href"))) ?? [];
        if (seq !== undefined) child.attrSet("href", `#message-${seq}`);
        child.attrSet("rel", "noopener nofollow");
        child.attrSet("referrerpolicy", "no-referrer");
      }
    }
  }
});

/**
 * Words of a participant as markdown: HTML in them is shown as text, links lead to http, https, mailto and messages of the
 * page alone, and nothing is loaded from anywhere.
 */
export function said(body: string): Markup {
  return <div class="said" dir="auto">{raw(markdown.render(plainText(body)))}</div>;
}
