// The forms of transcripts, with those in JSON and in Argdown.
import type { TranscriptFormat } from "../config/convening_config.ts";
import type { Fact } from "../core/fact.ts";
import type { Assessment } from "../core/outcome.ts";
import { plainLine } from "../core/text.ts";
import { type NotedPoint, sheetIn } from "../debate/flow_sheet.ts";
import { withPositions } from "../judging/assessment.ts";
import { FACT_ROWS, factData, rowOf } from "./codec.ts";
import { snakeCase, writtenKeys } from "./fact_row.ts";
import type { FrontMatter } from "./frontmatter.ts";
import { ASSESSMENT, PAPER_RESULTS, paperResults } from "./metadata_file.ts";
import { paperFindings } from "./papers.ts";
import { outlineTranscript, type TranscriptRecord } from "./transcript_outline.ts";
import { nameOf } from "./words.ts";

/** A form a transcript can have. */
interface TranscriptFormatInfo {
  /** The file's name in the convening's directory. */
  readonly file: string;
  /** The name of the form on a page. */
  readonly title: string;
  /** One line for help texts. */
  readonly summary: string;
  /** The whole file. */
  readonly render: (record: TranscriptRecord) => string | Promise<string>;
}

/** Every form of transcript by name; Markdown, text and HTML load the markdown parser at their first use. */
export const TRANSCRIPT_FORMATS = {
  md: {
    file: "transcript.md",
    title: "Markdown",
    summary: "one markdown page",
    render: async (record) =>
      (await import("./transcript_text.ts")).renderMarkdownTranscript(record),
  },
  json: {
    file: "transcript.json",
    title: "JSON",
    summary: "one JSON document with everything on record",
    render: renderJsonTranscript,
  },
  txt: {
    file: "transcript.txt",
    title: "Plain text",
    summary: "plain text, 80 columns wide",
    render: async (record) => (await import("./transcript_text.ts")).renderTextTranscript(record),
  },
  html: {
    file: "transcript.html",
    title: "Web page",
    summary: "one self-contained web page without script",
    render: async (record) =>
      await (await import("./html/transcript_page.tsx")).renderHtmlTranscript(record),
  },
  argdown: {
    file: "transcript.argdown",
    title: "Argdown",
    summary: "the points of a debate, for tools that map arguments",
    render: renderArgdown,
  },
} as const satisfies Record<TranscriptFormat, TranscriptFormatInfo>;

export type { TranscriptFormat };

/** The whole convening as one text. It is a function of the record alone: no clock, no files. */
export async function renderTranscript(
  format: TranscriptFormat,
  record: TranscriptRecord,
): Promise<string> {
  const start = withPositions(record.start, record.facts);
  return await TRANSCRIPT_FORMATS[format].render({ ...record, start });
}

/**
 * A convening as one JSON document, for programs. Keys are snake_case, but inside `configuration`, which keeps the
 * schema's own, and in maps whose keys are ids; what does not apply is null or an empty list, never left out at the top.
 *
 * - `format` (`convenings/1`), `type` (`transcript`), `kind`, `topic`, `status`, `end_reason`, `outcome`, `winner`,
 *   `model_spoke`, `seed`, `started_at`, `ended_at`, `parent` (`dir`, `seq`), `summary`, `usage`
 * - `participants` (`id`, `name`, `role`, `label`, `model`, `position`), `judges`, `standings` (by participant id:
 *   `name`, `total`, `breakdown`, `scored`, `missing`), `unscored`
 * - `reasons` (each judge's `judge`, `model`, `winner`, `verdict` and `quote`), `strength`, `agreement`, `fact_check_summary`, `audience`, `baseline`, `consensus`, `contradictions`, `notes`: as `metadata.md` has
 *   them (`fact_checks` there is the summary)
 * - `messages`, `scores`, `verdicts`, `rejected`, `failures`, `choices`, `contexts`, `lookups`, `stops`, `fact_checks`,
 *   `stances`: the fields of the record's files of that type, with `body` or `reasons`; drafts were not said and are left out
 * - `sources` (`name`, `text`), `configuration`
 * - of a debate over papers alone: `question`, `quotations` (figures by participant id), `left_out`, as `metadata.md` has
 *   them (`quotations` is `evidence` there); `papers` (`id`, `title`, `text`, `pages`); `evidence`: the keys of its files
 */
function renderJsonTranscript(record: TranscriptRecord): string {
  const { start } = record;
  const { result, noModel } = outlineTranscript(record);
  const document = {
    format: "convenings/1",
    type: "transcript",
    kind: start.kind,
    topic: start.topic,
    status: record.status,
    endReason: record.endReason ?? null,
    outcome: result.outcome,
    winner: result.winner,
    modelSpoke: noModel === undefined,
    seed: start.seed,
    startedAt: start.startedAt,
    endedAt: record.endedAt ?? null,
    parent: start.parent ?? null,
    summary: result.summary,
    usage: snakeKeys(result.usage),
    participants: start.participants,
    judges: start.judges,
    standings: result.scores,
    unscored: result.unscored,
    ...resultKeys(result),
    ...factLists(record.facts),
    ...paperKeys(record),
    sources: start.sources,
    configuration: start.configuration,
  };
  return JSON.stringify(snakeKeys(document), null, 2) + "\n";
}

/** Results besides scores; null if there are none. */
function resultKeys(result: Assessment): Record<string, unknown> {
  const { fact_checks: factCheckSummary, ...data } = writtenKeys(result, ASSESSMENT);
  return {
    // Absent from transcripts of earlier versions.
    ...result.reasons === undefined ? {} : { reasons: result.reasons },
    ...data.strength === undefined ? {} : { strength: data.strength },
    agreement: data.agreement ?? null,
    factCheckSummary: factCheckSummary ?? null,
    audience: data.audience ?? null,
    baseline: data.baseline ?? null,
    consensus: data.consensus ?? null,
    contradictions: data.contradictions ?? [],
    notes: data.notes ?? [],
  };
}

/** The keys that only paper debates have. */
function paperKeys({ start, facts }: TranscriptRecord): Record<string, unknown> {
  const found = paperFindings(start, facts);
  if (found === undefined) return {};
  const { question, evidence, left_out: leftOut } = writtenKeys(paperResults(found), PAPER_RESULTS);
  return {
    question: question ?? null,
    quotations: evidence ?? {},
    leftOut: leftOut ?? [],
    papers: found.papers,
    evidence: facts.filter((fact) => fact.type === "evidence").map(ownKeys),
  };
}

/** Types under other keys, or under none: drafts were not said. */
const NOT_LISTED: ReadonlySet<string> = new Set(["draft", "thought", "evidence", "brief"]);

function factLists(facts: readonly Fact[]): Record<string, unknown[]> {
  const listed = FACT_ROWS.filter(({ type }) => !NOT_LISTED.has(type));
  const lists = Object.fromEntries(
    listed.map(({ list }): [string, unknown[]] => [list, []]),
  );
  for (const fact of facts) {
    if (!NOT_LISTED.has(fact.type)) lists[rowOf(fact).list]!.push(factKeys(fact));
  }
  lists.messages?.sort((a, b) => seqOf(a) - seqOf(b));
  return lists;
}

/** The keys of a fact's file that are the type's own. */
function ownKeys(fact: Fact): FrontMatter {
  const { format: _format, type: _type, ...keys } = factData(fact, {
    width: 0,
    layout: 2,
    messageName: () => undefined,
  });
  return keys;
}

function seqOf(message: unknown): number {
  return (message as { readonly seq: number }).seq;
}

/** A fact with its own keys in snake_case; maps inside it keep theirs. */
function factKeys({ type: _type, ...fact }: Fact): Record<string, unknown> {
  return {
    ...snakeKeys(fact),
    ...("usage" in fact && fact.usage !== undefined ? { usage: snakeKeys(fact.usage) } : {}),
  };
}

function snakeKeys(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [snakeCase(key), value]),
  );
}

/** The most code points of a line of text. */
const LENGTH = 500;

/**
 * The points of a debate as Argdown: an argument each, with its side as a tag; answers attack (`-`), extended and conceded
 * points support (`+`); dropped and conceded points have a tag. Repeated points are left out.
 */
function renderArgdown({ start, facts }: TranscriptRecord): string {
  const sheet = sheetIn(facts, facts.filter((fact) => fact.type === "message"));
  const { points } = sheet;
  const [dropped, conceded] = [new Set(sheet.dropped), new Set(sheet.conceded)];
  const shown = points.filter(({ kind }) => kind !== "repeats");
  const referring = Map.groupBy(
    shown.flatMap((point) => point.answers.map((to) => ({ to, point }))),
    ({ to }) => to,
  );
  const argument = (point: NotedPoint): string => {
    const tags = [
      tagOf(nameOf(start, point.participant)),
      ...dropped.has(point) ? ["#dropped"] : [],
      ...conceded.has(point) ? ["#conceded"] : [],
    ];
    const relations = (referring.get(point.id) ?? [])
      .map(({ point: { id, kind } }) => `  ${kind === "answers" ? "-" : "+"} <${id}>`);
    return [`<${point.id}>: ${said(point.text)} ${tags.join(" ")}`, ...relations].join("\n");
  };
  return [
    `===\ntitle: ${JSON.stringify(plainLine(start.topic, LENGTH))}\n===`,
    ...shown.length === 0 ? [`// ${noPoints(facts)}`] : shown.map(argument),
  ].join("\n\n") + "\n";
}

function noPoints(facts: TranscriptRecord["facts"]): string {
  return facts.some(({ type }) => type === "flow")
    ? "No point was noted."
    : "Arguments were not noted: `convenings flow DIR` notes them.";
}

/** A text in one line that holds no mark of Argdown. */
function said(text: string): string {
  return plainLine(text, LENGTH).replace(/[<>[\]{}#@*_\\/]/g, (mark) => `\\${mark}`);
}

function tagOf(name: string): string {
  return `#(${plainLine(name, 80).replace(/[()]/g, "")})`;
}
