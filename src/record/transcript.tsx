// Transcript formats, and the renderers for JSON, HTML and Argdown.
/** @jsxImportSource hono/jsx */
import { modelSpoke, writersOf } from "../core/event.ts";
import type { TranscriptFormat } from "../config/convening_config.ts";
import type { Fact } from "../core/fact.ts";
import type { Assessment } from "../core/outcome.ts";
import { plainLine } from "../core/text.ts";
import { defined } from "../core/values.ts";
import { fatesOf, type NotedPoint, sheetIn } from "../debate/flow_sheet.ts";
import { FACT_ROWS, factData, rowOf } from "./codec.ts";
import { snakeCase, writtenKeys } from "./fact_row.ts";
import { FORMAT, type FrontMatter } from "./frontmatter.ts";
import { ASSESSMENT, PAPER_RESULTS, paperResults } from "./metadata_file.ts";
import { conveningTitle } from "./papers.ts";
import { type ModelContents, RecordModel } from "./record_model.ts";
import type { PageSection } from "./html/message.tsx";
import {
  kindWords,
  outlineTranscript,
  statusSentence,
  usageSentence,
} from "./transcript_outline.ts";
import { forkSentences, nameOf } from "./words.ts";

interface TranscriptRow {
  /** Name of the format on a page. */
  readonly title: string;
  /** Renders the whole file. */
  readonly render: (model: RecordModel) => string | Promise<string>;
}

/** Transcripts by format. The renderers of Markdown and text are loaded at their first use. */
export const TRANSCRIPTS: Readonly<Record<TranscriptFormat, TranscriptRow>> = {
  md: {
    title: "Markdown",
    render: async (model) => (await import("./transcript_text.ts")).renderMarkdownTranscript(model),
  },
  json: { title: "JSON", render: renderJsonTranscript },
  txt: {
    title: "Plain text",
    render: async (model) => (await import("./transcript_text.ts")).renderTextTranscript(model),
  },
  html: { title: "Web page", render: renderHtmlTranscript },
  argdown: { title: "Argdown", render: renderArgdown },
};

/** Renders a convening as a single text. The result depends only on the record, not on the clock or on files. */
export async function renderTranscript(
  format: TranscriptFormat,
  contents: ModelContents,
): Promise<string> {
  return await TRANSCRIPTS[format].render(RecordModel.of(contents));
}

/**
 * Renders a convening as a JSON document for programs. Keys are in snake_case, except inside `configuration` and in maps
 * whose keys are ids. At the top level an inapplicable key has null or an empty list, unless stated otherwise.
 *
 * - `format` (`convenings/1`), `type` (`transcript`), `kind`, `topic`, `status`, `end_reason`, `outcome`, `winner`,
 *   `model_spoke`, `seed`, `started_at`, `ended_at`, `parent` (`dir`, `seq`), `summary`, `usage`
 * - `participants` (`id`, `name`, `role`, `label`, `model`, `position`), `judges`, `standings` (by participant id:
 *   `name`, `total`, `breakdown`, `scored`, `missing`), `unscored`
 * - `reasons` (per judge: `judge`, `model`, `winner`, `verdict`, `quote`) and `strength`, both absent if there are none
 * - `agreement`, `fact_check_summary` (`fact_checks` in `metadata.md`), `audience`, `baseline`, `consensus`,
 *   `contradictions`, `notes`: as in `metadata.md`
 * - `messages`, `scores`, `verdicts`, `rejected`, `failures`, `choices`, `contexts`, `lookups`, `stops`, `fact_checks`,
 *   `flow`, `stances`, `own`: the fields of the record's files of the type, with `body` or `reasons`; drafts, thoughts and
 *   briefs are left out
 * - `sources` (`name`, `text`), `configuration`
 * - only in a debate over papers: `question`, `quotations` (figures by participant id; `evidence` in `metadata.md`),
 *   `left_out`, `papers` (`id`, `title`, `text`, `pages`), `evidence` (the keys of the evidence files)
 */
function renderJsonTranscript(model: RecordModel): string {
  const { start, progress } = model;
  const { result, summary } = outlineTranscript(model);
  const document = {
    format: FORMAT,
    type: "transcript",
    kind: start.kind,
    topic: start.topic,
    status: progress.status,
    endReason: progress.endReason ?? null,
    outcome: model.outcome ?? null,
    winner: model.winner,
    modelSpoke: modelSpoke(writersOf(model.facts)),
    seed: start.seed,
    startedAt: start.startedAt,
    endedAt: progress.endedAt ?? null,
    parent: start.parent ?? null,
    summary,
    usage: snakeKeys(model.usage),
    participants: start.participants,
    judges: start.judges,
    standings: result.scores,
    unscored: result.unscored,
    ...resultKeys(result),
    ...factLists(model.facts),
    ...paperKeys(model),
    sources: start.sources,
    configuration: start.configuration,
  };
  return JSON.stringify(snakeKeys(document), null, 2) + "\n";
}

/** Returns results other than scores; null or an empty list for a missing result. */
function resultKeys(result: Assessment): Record<string, unknown> {
  const { fact_checks: factCheckSummary, ...data } = writtenKeys(result, ASSESSMENT);
  return {
    // Absent in transcripts of earlier versions.
    ...defined({ reasons: result.reasons, strength: data.strength }),
    agreement: data.agreement ?? null,
    factCheckSummary: factCheckSummary ?? null,
    audience: data.audience ?? null,
    baseline: data.baseline ?? null,
    consensus: data.consensus ?? null,
    contradictions: data.contradictions ?? [],
    notes: data.notes ?? [],
  };
}

function paperKeys({ facts, paperFindings: found }: RecordModel): Record<string, unknown> {
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

/** Types that have another key or are left out: drafts and thoughts were not spoken. */
const NOT_LISTED: ReadonlySet<string> = new Set(["draft", "thought", "evidence", "brief"]);

function factLists(facts: readonly Fact[]): Record<string, unknown[]> {
  const listed = FACT_ROWS.filter(({ type }) => !NOT_LISTED.has(type));
  const lists = Object.fromEntries(
    listed.map(({ list }): [string, unknown[]] => [list, []]),
  );
  for (const fact of facts) {
    if (!NOT_LISTED.has(fact.type)) lists[rowOf(fact).list]!.push(factKeys(fact));
  }
  return lists;
}

/** Returns the keys of a fact's file, without `format` and `type`. */
function ownKeys(fact: Fact): FrontMatter {
  const { format: _format, type: _type, ...keys } = factData(fact, {
    width: 0,
    layout: 2,
    messageName: () => undefined,
  });
  return keys;
}

/** Converts the keys of a fact to snake_case; maps in the fact keep their keys. */
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

const SECTIONS: readonly PageSection[] = [
  { anchor: "result", name: "Outcome" },
  { anchor: "participants", name: "Participants" },
  { anchor: "exchange", name: "The exchange" },
];

/** Renders a convening as an HTML page without script, images or other resources; links lead only to http, https and mailto. */
async function renderHtmlTranscript(model: RecordModel): Promise<string> {
  const { start, facts, usage } = model;
  const title = conveningTitle(start, facts);
  const [
    { standalonePage, time },
    { contents, spokenExchange },
    { outcomeSection, participantList },
  ] = await Promise.all([
    import("./html/markup.tsx"),
    import("./html/message.tsx"),
    import("./html/outcome.tsx"),
  ]);
  const outline = outlineTranscript(model);
  const hrefOf = (seq: number) => `#message-${seq}`;
  const sentences = [statusSentence(model), ...forkSentences(start, String)];
  return await standalonePage(
    title,
    <div id="convening">
      {contents(start, { sections: SECTIONS, shown: outline.entries })}
      <div class="convening">
        <h1 dir="auto">{title}</h1>
        <p>{`${kindWords(start.kind)} · `}{time(start.startedAt)}{` · ${sentences.join(" ")}`}</p>
        {outcomeSection(model, outline, hrefOf)}
        <section aria-labelledby="participants">
          <h2 id="participants">Participants</h2>
          {participantList(start)}
        </section>
        <section aria-labelledby="exchange">
          <h2 id="exchange">The exchange</h2>
          {spokenExchange(outline.entries, outline.entries, { start, hrefOf })}
        </section>
        <p class="note">{usageSentence(usage)}</p>
      </div>
    </div>,
  );
}

/** Maximum code points of a line. */
const LENGTH = 500;

/**
 * Renders the points of a debate as Argdown: an argument per point, tagged with its side and its fate. Answers and withdrawals
 * attack (`-`); extended and conceded points support (`+`). Repeated points are left out.
 */
function renderArgdown({ start, facts }: RecordModel): string {
  const sheet = sheetIn(facts);
  const fates = fatesOf(sheet);
  const shown = sheet.points.filter(({ kind }) => kind !== "repeats");
  const referring = Map.groupBy(
    shown.flatMap((point) => point.answers.map((to) => ({ to, point }))),
    ({ to }) => to,
  );
  const argument = (point: NotedPoint): string => {
    const fate = fates.get(point.id);
    const tags = [
      `#(${plainLine(nameOf(start, point.participant), 80).replace(/[()]/g, "")})`,
      ...fate === undefined ? [] : [`#${fate}`],
    ];
    const relations = (referring.get(point.id) ?? []).map(
      ({ point: { id, kind, participant } }) => {
        const isOwn = participant === point.participant;
        return `  ${kind === "answers" || kind === "concedes" && isOwn ? "-" : "+"} <${id}>`;
      },
    );
    // Argdown markup is escaped.
    const text = plainLine(point.text, LENGTH).replace(/[<>[\]{}#@*_\\/]/g, (mark) => `\\${mark}`);
    return [`<${point.id}>: ${text} ${tags.join(" ")}`, ...relations].join("\n");
  };
  return [
    `===\ntitle: ${JSON.stringify(plainLine(start.topic, LENGTH))}\n===`,
    ...shown.length === 0 ? [`// ${noPoints(start.kind, facts)}`] : shown.map(argument),
  ].join("\n\n") + "\n";
}

function noPoints(kind: string, facts: readonly Fact[]): string {
  if (kind !== "debate") return "Points are noted in debates alone.";
  return facts.some(({ type }) => type === "flow")
    ? "No point was noted."
    : "Arguments were not noted: `convenings flow DIR` notes them.";
}
