import { raw } from "hono/html";
import markdownIt from "markdown-it";
import { plainText } from "../core/text.ts";
import type { Markup } from "./page.ts";

const markdown = markdownIt({ html: false, linkify: false });
markdown.validateLink = (url) => /^https?:\/\//i.test(url.trim());
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
        child.attrSet("rel", "noopener nofollow");
        child.attrSet("referrerpolicy", "no-referrer");
      }
    }
  }
});

/**
 * What somebody said, as markdown: HTML in it is shown as text, links lead to http and https alone, and nothing is loaded
 * from anywhere.
 */
export function said(body: string): Markup {
  return raw(`<div class="said" dir="auto">\n${markdown.render(plainText(body))}</div>`);
}

/** The first part of a text as plain words, for a preview. */
export function preview(body: string, length = 280): string {
  const words = plainText(body).replace(/[#*_>`]+/g, " ").replace(/\s+/g, " ").trim();
  const points = [...words];
  return points.length <= length ? words : `${points.slice(0, length - 1).join("").trimEnd()}…`;
}
