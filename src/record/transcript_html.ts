// Transcripts as one page of HTML without script.
import { createHash } from "node:crypto";
import markdownIt from "markdown-it";
import type { ClaimSource, FactCheck } from "../core/fact.ts";
import { oneLine } from "../core/message.ts";
import { plainText } from "../core/text.ts";
import {
  checkSentence,
  evidenceSentences,
  falseClaims,
  headingWords,
  type Ink,
  nameOf,
  outcomeSentence,
  outlineTranscript,
  scoreWords,
  sourceWords,
  statusSentence,
  type TranscriptEntry,
  type TranscriptOutline,
  type TranscriptPart,
  type TranscriptRecord,
  usageSentence,
  verdictWords,
} from "./transcript_outline.ts";

/**
 * A convening as one self-contained page: no script, no image, nothing loaded. What was said is rendered as markdown
 * with HTML shown as text; links lead only to http, https and mailto.
 */
export function renderHtmlTranscript(record: TranscriptRecord): string {
  const outline = outlineTranscript(record);
  const topic = text(record.start.topic);
  // The whole page, since what is said may name unseen characters by their numbers.
  return plainText(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${topic}</title>
<style>${TRANSCRIPT_STYLE}</style>
</head>
<body>
<header>
<h1 dir="auto">${topic}</h1>
${intro(record, outline)}
</header>
<main>
${participants(record)}
${outline.parts.map((part, at) => section(part, at, record)).join("\n")}
${result(record, outline)}
</main>
<footer><p>${text(usageSentence(outline.result))}</p></footer>
</body>
</html>
`);
}

/** The style of the HTML transcript: one column for phones and screens alike, light and dark. */
const TRANSCRIPT_STYLE = `
:root { color-scheme: light dark; --ink: #1c1c1a; --paper: #fdfcf9; --soft: #5c5b56; --line: #d8d5cc; --link: #1f5a9c; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e6df; --paper: #17181a; --soft: #a5a39a; --line: #3b3c3f; --link: #8ab8ee; }
}
body { margin: 0 auto; padding: 1rem; max-width: 44rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); font-size: 1.3rem; }
h3 { margin-bottom: 0; font-size: 1.1rem; }
h4, h5, h6 { font-size: 1rem; }
a { color: var(--link); }
blockquote { margin: .5rem 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); }
.note, .scores, footer { margin: 0; color: var(--soft); font-size: .9rem; }
.scores { padding-inline-start: 1.2rem; }
.outcome { font-weight: 600; }
.notice { padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .3rem; }
.image { color: var(--soft); }
pre, .wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th, td { padding: .25rem .6rem; border: 1px solid var(--line); text-align: start; }
td { text-align: end; }
footer { margin-top: 3rem; }
@media print { body { max-width: none; } article { break-inside: avoid-page; } }
`;

const STYLE_HASH = createHash("sha256").update(TRANSCRIPT_STYLE)
  .digest("base64");
const POLICY =
  `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

const markdown = markdownIt({ html: false, linkify: false });
markdown.validateLink = (url) => /^(?:https?:\/\/|mailto:)/i.test(url.trim());
markdown.renderer.rules.image = (tokens, at) => {
  const token = tokens[at];
  const address = String(token?.attrGet("src") ?? "");
  // Text, not a link: an image may stand inside one.
  return `<span class="image">[image: ${escape(token?.content ?? "")} ${escape(address)}]</span>`;
};
markdown.core.ruler.push("tame", ({ tokens }) => {
  for (const token of tokens) {
    if (token.type === "heading_open" || token.type === "heading_close") {
      token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 4)}`;
    }
    for (const child of token.children ?? []) {
      if (child.type === "link_open") {
        child.attrSet("rel", "noopener noreferrer");
      }
    }
  }
});

function said(body: string): string {
  return `<blockquote dir="auto">\n${markdown.render(body)}</blockquote>`;
}

function intro(record: TranscriptRecord, outline: TranscriptOutline): string {
  const { kind, startedAt, parent } = record.start;
  const sentences = [
    `${headingWords(kind)}, begun ${startedAt}.`,
    statusSentence(record),
    ...(parent === undefined ? [] : [`Forked from ${parent.dir} after message ${parent.seq}.`]),
  ];
  return [
    `<p>${text(sentences.join(" "))}</p>`,
    `<p class="outcome">${text(outcomeSentence(record, outline.result))}</p>`,
    ...(outline.noModel === undefined ? [] : [`<p class="notice">${text(outline.noModel)}</p>`]),
  ].join("\n");
}

function participants({ start }: TranscriptRecord): string {
  const item = (name: string, about: string, position?: string) =>
    `<li><strong>${bdi(name)}</strong> (${text(about)})${
      position === undefined ? "" : `: ${bdi(position)}`
    }</li>`;
  return `<section aria-labelledby="participants">
<h2 id="participants">Participants</h2>
<ul>
${
    [
      ...start.participants.map(({ name, role, model, position }) =>
        item(name, `${headingWords(role).toLowerCase()}, ${model}`, position)
      ),
      ...start.judges.map(({ name, model, rubric }) =>
        item(name, `judge, ${model}, rubric ${rubric}`)
      ),
    ].join("\n")
  }
</ul>
</section>`;
}

function section(
  { phase, round, entries }: TranscriptPart,
  at: number,
  record: TranscriptRecord,
): string {
  const title = headingWords(phase) + (round === 0 ? "" : `, round ${round}`);
  return `<section aria-labelledby="part-${at + 1}">
<h2 id="part-${at + 1}">${text(title)}</h2>
${entries.map((entry) => article(entry, record)).join("\n")}
</section>`;
}

function article(
  { message, answered, scores, check, evidence }: TranscriptEntry,
  record: TranscriptRecord,
): string {
  const items = [
    ...(check === undefined ? [] : checkItems(check)),
    ...(evidence === undefined ? [] : evidenceSentences(evidence).map(bdi)),
    ...scores.map((score) => scoreWords(score, record.start, INK)),
  ];
  const notes = [
    text(headingWords(message.kind)),
    ...(answered === undefined ? [] : [
      `answers <a href="#message-${answered.seq}">${answered.seq}, ${bdi(answered.name)}</a>`,
    ]),
    ...message.marks.map((mark) => text(mark.replaceAll("_", " "))),
    ...(message.edited === true ? ["edited in this fork"] : []),
  ];
  return `<article id="message-${message.seq}">
<h3>${message.seq}. ${bdi(message.name)}</h3>
<p class="note">${notes.join(" · ")}</p>
${said(message.body)}
${
    items.length === 0
      ? ""
      : `<ul class="scores">\n${items.map((item) => `<li>${item}</li>`).join("\n")}\n</ul>`
  }
</article>`;
}

function checkItems(check: FactCheck): string[] {
  return [
    text(checkSentence(check)),
    ...falseClaims(check).map((claim) =>
      [`False: ${bdi(claim.text)}`, ...claim.sources.map(sourceLink)].join("<br>")
    ),
  ];
}

/** A source as a link where it is a page of the web, else as text. */
function sourceLink(source: ClaimSource): string {
  const words = bdi(sourceWords(source));
  return /^https?:\/\//i.test(source.url)
    ? `<a href="${text(source.url)}" rel="noopener noreferrer">${words}</a>`
    : words;
}

function result(record: TranscriptRecord, outline: TranscriptOutline): string {
  const { result, verdicts, failures, findings } = outline;
  const { start } = record;
  const verdictItems = verdicts.map((verdict) => `<li>${verdictWords(verdict, start, INK)}</li>`);
  return [
    `<section aria-labelledby="result">\n<h2 id="result">Result</h2>`,
    `<p class="outcome">${text(outcomeSentence(record, result))}</p>`,
    ...failures.map((failure) => `<p class="notice">${text(failure)}</p>`),
    ...standingsTable(outline),
    ...result.unscored.map((id) =>
      `<p>${bdi(nameOf(start, id))}: no turn was scored for every side.</p>`
    ),
    ...(verdictItems.length === 0 ? [] : [`<ul>\n${verdictItems.join("\n")}\n</ul>`]),
    ...(findings.length === 0 ? [] : [
      `<ul>\n${findings.map((each) => `<li>${text(each)}</li>`).join("\n")}\n</ul>`,
    ]),
    ...summary(outline),
    "</section>",
  ].join("\n");
}

function summary({ result: { summary, summaryOf } }: TranscriptOutline) {
  if (summaryOf !== undefined) {
    return [
      `<p>The summary is <a href="#message-${summaryOf.seq}">message ${summaryOf.seq}</a>.</p>`,
    ];
  }
  return summary === "" ? [] : ["<h3>Summary</h3>", said(summary)];
}

function standingsTable({ result: { scores } }: TranscriptOutline): string[] {
  const rows = Object.values(scores).toSorted((a, b) => b.total - a.total);
  const criteria = Object.keys(rows[0]?.breakdown ?? {});
  if (rows.length === 0) return [];
  const heads = [...criteria.map(headingWords), "Total", "Scored", "Missing"];
  return [
    `<div class="wide" role="region" aria-label="Standings" tabindex="0">
<table>
<thead><tr><th scope="col">Participant</th>${
      heads.map((head) => `<th scope="col">${text(head)}</th>`).join("")
    }</tr></thead>
<tbody>
${
      rows.map(({ name, breakdown, total, scored, missing }) => {
        const cells = [
          ...criteria.map((id) => (breakdown[id] ?? 0).toFixed(4)),
          total.toFixed(4),
          scored,
          missing,
        ];
        return `<tr><th scope="row">${bdi(name)}</th>${
          cells.map((cell) => `<td>${cell}</td>`).join("")
        }</tr>`;
      }).join("\n")
    }
</tbody>
</table>
</div>`,
  ];
}

const INK: Ink = { name: bdi, text, strong: (value) => `<strong>${value}</strong>` };

function bdi(value: string): string {
  return `<bdi>${text(value)}</bdi>`;
}

function text(value: string): string {
  return escape(oneLine(value, Infinity));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escape(value: string): string {
  return value.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? "");
}
