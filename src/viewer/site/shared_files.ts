// The markdown of a convening that a site has: what was said and judged, and the pages made of that.
import { ADDRESS_SETTINGS } from "../../core/key_rules.ts";
import type { Fact } from "../../core/fact.ts";
import { paperFile } from "../../core/paper.ts";
import type { ConveningStart } from "../../core/event.ts";
import { loadTokenCounter } from "../../core/tokens.ts";
import { FACT_ROWS, factPath, renderFact } from "../../record/codec.ts";
import { DERIVED_PAGES, PageSources } from "../../record/derived_pages.ts";
import { common, writeFrontMatter } from "../../record/frontmatter.ts";
import { renderMetadata } from "../../record/metadata_file.ts";
import type { PageText } from "../../record/page_tree.ts";
import { paperIndexPath, renderPaper } from "../../record/papers.ts";
import type { RecordContents } from "../../record/read.ts";
import { RecordModel } from "../../record/record_model.ts";

/** Facts that may be published: what was said, judged, checked and noted. Any other type stays in the archive. */
const SHARED: ReadonlySet<Fact["type"]> = new Set([
  "message",
  "score",
  "verdict",
  "failure",
  "choice",
  "stop",
  "fact-check",
  "flow",
  "stance",
  "evidence",
  "brief",
  "own",
]);
const HIDDEN = new Set(FACT_ROWS.map(({ type }) => type).filter((type) => !SHARED.has(type)));

/** Settings with addresses, and with paths of the machine that a convening ran on. */
const PLACES: ReadonlySet<string> = new Set([
  ...ADDRESS_SETTINGS,
  "memory",
  "out",
  "papers",
  "personas",
  "sources",
]);

const NO_TEXT = "The text of the paper is not part of this site.\n";

/** The errors of models and searches, in which servers name themselves, accounts and limits. */
const ERRORS = /\b(Cannot (?:get a reply|get an answer|search the web))\b.*/g;

/** A record as a site shows the record: without sources, addresses, paths, and the words of servers' errors. */
export function sharedContents(
  { learned: _addresses, start, facts, ...contents }: RecordContents,
): RecordContents {
  return {
    ...contents,
    start: sharedStart(start),
    // Whatever was said stays as it was said.
    facts: facts.map((fact) => fact.type === "message" ? fact : withoutErrors(fact)),
  };
}

function withoutErrors<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value),
    (_key, each: unknown) => typeof each === "string" ? each.replace(ERRORS, "$1") : each,
  );
}

/** The model of a record's shared contents, without private facts. */
export function sharedModel(contents: RecordContents): RecordModel {
  return RecordModel.of(contents, HIDDEN);
}

function sharedStart(start: ConveningStart): ConveningStart {
  const configuration = JSON.stringify(
    start.configuration,
    (key, value: unknown) => PLACES.has(key) ? undefined : value,
  );
  return { ...start, sources: [], configuration: JSON.parse(configuration) };
}

/** The derived pages, and `metadata.md`; of papers their titles alone. */
export async function sharedPages(model: RecordModel): Promise<readonly PageText[]> {
  const { given, progress, results } = model;
  const sources = new PageSources(model, { measure: await loadTokenCounter(), transcripts: [] });
  const pages: PageText[] = [
    { path: "metadata.md", text: renderMetadata({ start: given, progress, results }) },
  ];
  for (const row of DERIVED_PAGES) {
    // Pages of papers alone never go out of date.
    if (row.after !== "start") pages.push(...await row.pages(sources));
  }
  const links = await sources.links();
  for (const [index, { id, title }] of (given.papers ?? []).entries()) {
    pages.push({ path: paperFile(index), text: renderPaper({ id, title, text: NO_TEXT }) });
    const path = paperIndexPath(index);
    if (!links.includes(path)) continue;
    pages.push({ path, text: writeFrontMatter(common("paper-index"), NO_TEXT) });
  }
  return pages;
}

/** The files of the facts. */
export function* factFiles(model: RecordModel): Generator<PageText> {
  for (const fact of model.facts) {
    yield { path: factPath(fact, model), text: renderFact(fact, model) };
  }
}
