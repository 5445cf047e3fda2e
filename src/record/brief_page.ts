// Renders `brief.md`, the page of the newest brief for a decision maker. Numbers and links are computed from the record.
import { arguing } from "../judging/assessment.ts";
import type { Brief, CheckedClaim, FactCheck } from "../core/fact.ts";
import type { BriefForm, BriefQuote } from "../core/brief.ts";
import { counted } from "../core/text.ts";
import { unnotedWords } from "../debate/flow_sheet.ts";
import { flowIn } from "./arguments_page.ts";
import {
  blocks,
  common,
  itemList,
  markdownText,
  section,
  writeFrontMatter,
} from "./frontmatter.ts";
import {
  findingSentences,
  messageLink,
  nameAndPosition,
  outcomeSentence,
  reasonItems,
  valueSentences,
} from "./words.ts";
import { conveningTitle } from "./papers.ts";
import { totalItems, verdictLink } from "./scores_page.ts";
import type { RecordModel } from "./record_model.ts";
import type { ClaimVerdict } from "../core/outcome.ts";
import { omittedBy } from "../core/claims.ts";

/** Maximum code points of a paragraph and of a list item. */
const LENGTH = { paragraph: 2000, item: 700 } as const;

/** Text of a section without entries, so that every brief has the sections of its form. */
const NONE = "The brief names none.";

/** Renders a section below its heading; an empty text leaves the section out. */
type Section = (model: RecordModel, brief: Brief) => string;

const FORMS: Readonly<
  Record<
    BriefForm,
    { readonly title: string; readonly sections: readonly (readonly [string, Section])[] }
  >
> = {
  memo: {
    title: "Brief",
    sections: [
      ["Recommendation", recommendation],
      ["Outcome", outcome],
      ["Strongest points", strongest],
      ["Cruxes", cruxes],
      ["Facts", facts],
      ["Dropped arguments", dropped],
      ["To find out next", questions],
    ],
  },
  adr: {
    title: "Decision record",
    sections: [
      [
        "Status",
        (model, { createdAt }) => blocks(`Proposed on ${createdAt.slice(0, 10)}.`, outcome(model)),
      ],
      ["Context", (_model, { context = "" }) => markdownText(context, LENGTH.paragraph)],
      ["Decision", recommendation],
      ["Consequences", consequences],
      ["Options considered", strongest],
      ["What would change the decision", cruxes],
      ["Facts", facts],
      ["Dropped arguments", dropped],
      ["To find out next", questions],
    ],
  },
  questions: {
    title: "Open questions",
    sections: [
      ["Where the question stands", recommendation],
      ["Questions", questions],
      ["Cruxes", cruxes],
      ["Outcome", outcome],
      ["Facts", facts],
      ["Dropped arguments", dropped],
    ],
  },
};

/** Returns the newest brief of a record; undefined if there is none. */
export function newestBrief({ facts }: Pick<RecordModel, "facts">): Brief | undefined {
  return facts.filter((fact) => fact.type === "brief").sort((a, b) => a.number - b.number).at(-1);
}

export function briefPage(model: RecordModel, brief: Brief): string {
  const { form, number, model: by } = brief;
  const { title, sections } = FORMS[form];
  const data = {
    ...common("brief-page"),
    index: "index.md",
    brief: `briefs/${number}.md`,
    form,
    model: by,
  };
  const body = blocks(
    `# ${title}: ${markdownText(conveningTitle(model.start, model.facts), 200)}`,
    writer(brief),
    ...sections.map(([heading, part]) => section(`## ${heading}`, part(model, brief))),
    "[index.md](index.md) lists what was said.",
  );
  return writeFrontMatter(data, `${body}\n`);
}

/** Describes the author and the sources of a brief, and how its contents were checked. */
function writer({ model, createdAt, through, leftOut, cut = [] }: Brief): string {
  const day = createdAt.slice(0, 10);
  const by = model === "template"
    ? `No model wrote this brief: a template made it from the record on ${day}.`
    : `The language model ${
      markdownText(model, 100)
    } wrote this brief on ${day}, from messages 1 to ${through}. ` +
      "Each quotation was found in the message that it links to. Votes, scores and counts are the program's.";
  return [
    by,
    ...leftOut === undefined
      ? []
      : [`Left out: ${counted(leftOut, "quotation")} found in no message.`],
    ...cut.length === 0
      ? []
      : [`For lack of room the model read only the beginning of messages ${cut.join(", ")}.`],
  ].join(" ");
}

function recommendation(_model: RecordModel, brief: Brief): string {
  return markdownText(brief.recommendation, LENGTH.paragraph);
}

function outcome(model: RecordModel): string {
  const { start, assessment } = model;
  return itemList([
    outcomeSentence(start, model.decided, { show: markdownText }),
    ...reasonItems(start, assessment, { show: markdownText, link: verdictLink(model) }),
    ...totalItems(model),
    ...[...valueSentences(start, model.progress.value), ...findingSentences(start, assessment)]
      .map((each) => markdownText(each, LENGTH.paragraph)),
  ], "scores.md");
}

/** Lists the strongest points of each participant; a decision record shows them as options. */
function strongest(model: RecordModel, brief: Brief): string {
  const points = brief.strongest ?? [];
  if (points.length === 0 && model.assessment.consensus !== undefined) return "";
  return arguing(model.start.participants).flatMap(({ id }) => {
    const own = points.filter(({ participant }) => participant === id).map((each) =>
      `  - ${markdownText(each.point, LENGTH.item)} ${quoteWords(model, each, each.point)}`
    );
    return [
      `- **${nameAndPosition(model, id)}**`,
      ...own.length === 0 ? ["  - no point with words of a message"] : own,
    ];
  }).join("\n");
}

function cruxes(model: RecordModel, brief: Brief): string {
  return itemList(
    brief.cruxes.map(({ crux, otherwise, message, quote }) =>
      `**${markdownText(crux, LENGTH.item)}** Otherwise: ${markdownText(otherwise, LENGTH.item)}${
        message === undefined || quote === undefined
          ? ""
          : ` ${quoteWords(model, { message, quote })}`
      }`
    ),
  ) || NONE;
}

function consequences(_model: RecordModel, brief: Brief): string {
  return itemList(
    (brief.consequences ?? []).map(({ text, gain }) =>
      `${gain ? "Gain" : "Price"}: ${markdownText(text, LENGTH.item)}`
    ),
  ) || NONE;
}

function questions(_model: RecordModel, brief: Brief): string {
  return brief.questions.map(({ question, why }, index) =>
    `${index + 1}. **${markdownText(question, LENGTH.item)}** ${markdownText(why, LENGTH.item)}`
  ).join("\n") || NONE;
}

/** Verdicts on claims that a decision maker must know, in the order of the page. */
const REPORTED: readonly ClaimVerdict[] = ["false", "misleading", "disputed", "unverifiable"];

function facts(model: RecordModel): string {
  const checks = model.facts.filter((fact) => fact.type === "fact-check");
  if (checks.length === 0) return "No claim was looked up.";
  const claims = checks.flatMap((check) => check.claims.map((claim) => ({ check, claim })));
  const of = (verdict: ClaimVerdict) => claims.filter(({ claim }) => claim.verdict === verdict);
  return shortList([
    `${counted(claims.length, "claim")} looked up, ${of("true").length} borne out.`,
    ...REPORTED.flatMap(of).map(({ check, claim }) => claimWords(model, check, claim)),
  ], "claims.md");
}

function claimWords(
  model: RecordModel,
  { message, participant }: FactCheck,
  { verdict, text, omitted }: CheckedClaim,
): string {
  const left = omittedBy({ omitted: omitted && markdownText(omitted, LENGTH.item) });
  return `**${verdict}**, ${nameAndPosition(model, participant)}: “${
    markdownText(text, LENGTH.item)
  }”${left} (${messageLink(model, message, `message ${message}`)})`;
}

/** Lists the dropped points of a debate, and counts the conceded points. */
function dropped(model: RecordModel): string {
  const sheet = flowIn(model);
  if (sheet === undefined) {
    return model.start.kind === "debate" ? "Arguments were not noted: the flow was off." : "";
  }
  const { points, dropped, conceded } = sheet;
  const unnoted = unnotedWords(sheet);
  if (points.length === 0) return "No point was noted.";
  const items = dropped.map(({ id, participant, text, seq: message, quote }) =>
    `${nameAndPosition(model, participant)}, ${id}: ${markdownText(text, LENGTH.item)} ${
      quoteWords(model, { message, quote }, text)
    }`
  );
  return blocks(
    shortList(items, "arguments.md") || (unnoted === "" ? "No point was dropped." : ""),
    unnoted === "" ? "" : `${unnoted}.`,
    `${counted(conceded.length, "point")} of one side ${
      conceded.length === 1 ? "was" : "were"
    } conceded by another: see [arguments.md](arguments.md).`,
  );
}

/** Renders a list of at most ten items, so that a brief stays short; the others are on the page `path`. */
function shortList(items: readonly string[], path: string): string {
  return itemList(items, `[${path}](${path})`, 10);
}

/** Renders a quotation with a link to its message; only the link if `said` contains the quotation. */
function quoteWords(model: RecordModel, { message, quote }: BriefQuote, said = ""): string {
  const words = said.includes(quote) ? "" : `“${markdownText(quote, LENGTH.item)}” `;
  return `${words}(${messageLink(model, message, `message ${message}`)})`;
}
