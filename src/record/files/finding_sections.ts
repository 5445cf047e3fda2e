import type { Audience } from "../../core/outcome.ts";
import type { Baseline } from "../../core/outcome.ts";
import type { Choice, FactCheck } from "../../core/fact.ts";
import { countWords, type FactCheckSummary, settledIn } from "../../core/fact_check_summary.ts";
import { markdownText } from "../markdown.ts";
import type { RecordModel } from "../record_model.ts";
import { assessmentSentences, counted } from "./assessment_words.ts";
import { quotationWords } from "./evidence_body.ts";
import { boundedItems, figure, shortName, tableLines } from "./page_words.ts";
import { factPath } from "../codec.ts";

/** The sections of `scores.md` about what was found beside scores: contradictions, facts, audience, baseline. */
export function findingSections(model: RecordModel): string[] {
  const { contradictions, notes, factChecks, audience, baseline } = model.assessment;
  return [
    ...sentenceSection("Contradictions", contradictions, "`contradictions` in metadata.md"),
    ...sentenceSection("Notes", notes, "`notes` in metadata.md"),
    ...(factChecks === undefined ? [] : [factCheckSection(model, factChecks)]),
    ...evidenceSection(model),
    ...(audience === undefined ? [] : [audienceSection(model, audience)]),
    ...(baseline === undefined ? [] : [baselineSection(model, baseline)]),
  ];
}

function sentenceSection(
  heading: string,
  sentences: readonly string[],
  where: string,
): string[] {
  if (sentences.length === 0) return [];
  const items = sentences.map((each) => markdownText(each, 1000));
  return [[`## ${heading}`, "", ...boundedItems(items, where)].join("\n")];
}

function factCheckSection(model: RecordModel, summary: FactCheckSummary): string {
  const { byParticipant, mode, checked, unchecked } = summary;
  const rows = Object.entries(byParticipant).map(([id, counts]) => [
    shortName(model, id),
    counts.claims,
    countWords(counts),
    figure(counts.factuality),
    settledIn(counts),
  ]);
  const checks = model.facts.filter((fact) => fact.type === "fact-check")
    .toSorted((a, b) => a.message - b.message);
  const wrong = checks.flatMap((check) => falseClaims(model, check));
  const failed = checks.filter(({ status }) => status === "unchecked").map((check) =>
    `${linkTo(model, check)} ${shortName(model, check.participant)}: not checked, ${
      markdownText(check.reason ?? "no reason given", 300)
    }`
  );
  return [
    "## Fact checks",
    "",
    `Mode: ${mode}; ${
      counted(checked, "message")
    } checked, ${unchecked} not. Factuality is (true + 0.5 × (misleading + disputed)) / settled claims; unverifiable claims are not settled.`,
    "",
    ...tableLines(
      ["participant", "claims", "verdicts", "factuality", "settled claims"],
      rows,
    ),
    ...(wrong.length === 0
      ? []
      : ["False claims, by message:", "", ...boundedItems(wrong, "fact-checks/")]),
    ...(failed.length === 0 ? [] : boundedItems(failed, "fact-checks/")),
  ].join("\n");
}

function falseClaims(model: RecordModel, check: FactCheck): string[] {
  return check.claims.filter(({ verdict }) => verdict === "false").map(({ text }) =>
    `${linkTo(model, check)} ${shortName(model, check.participant)}: ${markdownText(text, 300)}`
  );
}

function linkTo(model: RecordModel, check: FactCheck): string {
  return `[${check.message}](${factPath(check, model)})`;
}

/** How the debaters' quotations and citations fared, and which quotations were not found. */
function evidenceSection(model: RecordModel): string[] {
  const found = model.paperFindings;
  if (found === undefined || found.figures.size === 0) return [];
  const rows = [...found.figures].map(([id, { verified, notFound }]) => [
    shortName(model, id),
    verified,
    notFound,
  ]);
  const missing = model.facts.filter((fact) => fact.type === "evidence")
    .toSorted((a, b) => a.seq - b.seq).flatMap((evidence) =>
      evidence.quotations.filter(({ status }) => status === "not found").map((quotation) =>
        `[${evidence.seq}](${factPath(evidence, model)}) ${
          shortName(model, evidence.participant)
        }: ${quotationWords(quotation)}`
      )
    );
  return [[
    "## Quotations and citations",
    "",
    "Each was looked for where it is said to stand; the marks are in `evidence/`.",
    "",
    ...tableLines(["debater", "verified", "not found"], rows),
    ...boundedItems(missing, "evidence/").slice(0, missing.length === 0 ? 0 : undefined),
  ].join("\n")];
}

function audienceSection(model: RecordModel, audience: Audience): string {
  const { members, missing, sides, winner } = audience;
  const rows = Object.entries(sides).map(([id, { before, after, moved }]) => [
    shortName(model, id),
    before,
    after,
    moved,
  ]);
  const most = winner === null
    ? "No side moved it more than the others."
    : `Most moved to ${shortName(model, winner)}.`;
  const decides = model.start.configuration.decision === "audience"
    ? "The audience decides."
    : "The judges decide, not the audience.";
  return [
    "## Audience",
    "",
    `${counted(members, "listener")}, ${missing} not counted. ${most} ${decides}`,
    "",
    ...tableLines(["side", "share before", "share after", "moved"], rows),
  ].join("\n");
}

function baselineSection(model: RecordModel, baseline: readonly Baseline[]): string {
  const side = (id: string | null) => id === null ? "neither side" : shortName(model, id);
  const rows = baseline.map(({ judge, model: name, before, after, changed }) => [
    answerLink(model, judge),
    markdownText(name, 80),
    side(before),
    after === undefined ? "no verdict" : side(after),
    after === undefined ? "–" : changed ? "yes" : "no",
  ]);
  return [
    "## Baseline",
    "",
    "What each judge answered alone, before the debate, and what it came to after.",
    "",
    ...tableLines(["judge", "model", "alone", "after the debate", "changed"], rows),
  ].join("\n");
}

/** A judge's name, linked to the answer it gave alone. */
function answerLink(model: RecordModel, judge: string): string {
  const answer = model.facts.find((fact): fact is Choice =>
    fact.type === "choice" && fact.kind === "baseline" && fact.participant === judge
  );
  const name = shortName(model, judge);
  return answer === undefined ? name : `[${name}](${factPath(answer, model)})`;
}

/** What was found, as lines of a list for pages that have no room for sections. */
export function findingItems(model: RecordModel, cut: (text: string) => string): string[] {
  const { contradictions } = model.assessment;
  const count = contradictions.length;
  const { agreed = [] } = model.assessment.consensus ?? {};
  return [
    ...assessmentSentences(model.start, model.assessment),
    ...agreed.map(({ text }) => `Agreed: ${text}`),
    ...(count === 0 ? [] : [
      `Winner and numbers do not agree in ${count} ${count === 1 ? "place" : "places"}.`,
    ]),
  ].map((sentence) => `- ${cut(sentence)}`);
}
