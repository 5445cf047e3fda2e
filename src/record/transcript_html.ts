import { createHash } from "node:crypto";
import markdownIt from "markdown-it";
import type { ClaimSource, FactCheck, Score } from "../core/fact.ts";
import { oneLine } from "../core/message.ts";
import { plainText } from "../core/text.ts";
import {
  checkSentence,
  evidenceSentences,
  falseClaims,
  headingWords,
  nameOf,
  outcomeSentence,
  outlineTranscript,
  sourceWords,
  statusSentence,
  type TranscriptEntry,
  type TranscriptOutline,
  type TranscriptPart,
  type TranscriptRecord,
  usageSentence,
} from "./transcript_outline.ts";
import { TRANSCRIPT_STYLE } from "./transcript_style.ts";

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
    ...scores.map((score) => scoreText(score, record)),
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

function scoreText(score: Score, { start }: TranscriptRecord): string {
  const judge = bdi(nameOf(start, score.judge));
  if (score.status === "unscored") {
    return `Not scored by ${judge}: ${text(score.reason ?? "no reason given")}`;
  }
  const criteria = Object.entries(score.criteria)
    .map(([id, value]) => `${headingWords(id).toLowerCase()} ${value}`);
  return `Scored by ${judge}: <strong>${score.total}</strong> of ${score.scale[1]} (${
    text(criteria.join(", "))
  })`;
}

function result(record: TranscriptRecord, outline: TranscriptOutline): string {
  const { result, verdicts, failures, findings } = outline;
  const { start } = record;
  const verdictItems = verdicts.map(({ judge, number, status, winner }) =>
    `<li>${bdi(nameOf(start, judge))}, verdict ${number}: ${
      status === "unread"
        ? "could not be read"
        : winner === null
        ? "a tie"
        : bdi(nameOf(start, winner))
    }</li>`
  );
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
