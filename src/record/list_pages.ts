// Renders pages that are a single list: `claims.md` and `files.md`.
import type { CheckedClaim, Fact, FactCheck, Rejection } from "../core/fact.ts";
import { counted } from "../core/text.ts";
import { byNumber } from "./archive.ts";
import { aboutOf, factPath } from "./codec.ts";
import { common, markdownText, type Measure, QUOTED_WORDS } from "./frontmatter.ts";
import { lineTable, type ListRow, PAGE_FOLDERS, type PageText, tablePages } from "./page_tree.ts";
import type { RecordModel } from "./record_model.ts";
import { shortJudgeName, shortName } from "./words.ts";
import type { ClaimVerdict } from "../core/outcome.ts";
import { claimCountsText, countsOf } from "../core/claims.ts";

export const CLAIMS = "claims.md";
/** Name of the guard that rejects attempts with false claims. */
const GUARD = "facts";
/** Maximum code points of a claim. */
const CLAIM_LENGTH = 140;
/** Verdicts in the order of the table. */
const VERDICTS: readonly ClaimVerdict[] = [
  "false",
  "misleading",
  "disputed",
  "unverifiable",
  "true",
];

/** Renders `claims.md`: checked claims, false ones first, then attempts that the guard rejected. */
export function claimPages(model: RecordModel, measure: Measure): readonly PageText[] {
  const checks = model.facts.filter((fact) => fact.type === "fact-check")
    .toSorted((a, b) => a.message - b.message);
  const attempts = model.facts.filter((fact) => fact.type === "rejected")
    .filter(({ guard }) => guard === GUARD)
    .toSorted((a, b) => a.seq - b.seq || a.attempt - b.attempt);
  const row = (
    fact: FactCheck | Rejection,
    label: string,
    verdict: string,
    text: string,
  ): ListRow => {
    const cells = [shortName(model, fact.participant), verdict, text];
    return {
      label: `${verdict} ${label}`,
      group: verdict,
      line: (up) => `| [${label}](${up}${factPath(fact, model)}) | ${cells.join(" | ")} |\n`,
    };
  };
  const rows = [
    ...VERDICTS.flatMap((verdict) =>
      checks.flatMap((check) =>
        check.claims.filter((claim) => claim.verdict === verdict)
          .map((claim) => row(check, `${check.message}`, verdict, claimText(claim)))
      )
    ),
    ...checks.filter(({ status }) => status === "unchecked")
      .map((check) => row(check, `${check.message}`, "not checked", shortened(check.reason))),
    ...attempts.map((each) =>
      row(each, `${each.seq}, attempt ${each.attempt}`, "attempt rejected", shortened(each.reason))
    ),
  ];
  const sum = countsOf(checks);
  return tablePages({
    path: CLAIMS,
    prefix: `${PAGE_FOLDERS.claims}/`,
    front: (up) => ({ ...common("claims"), index: `${up}index.md`, claims: sum.claims }),
    title: "Claims",
    head: `# Claims: ${markdownText(model.start.topic, 200)}\n\n${
      counted(sum.claims, "claim")
    } looked up${sum.claims === 0 ? "" : `, ${claimCountsText(sum)}`}; ${
      counted(attempts.length, "attempt")
    } rejected for claims. A number leads to the check with its sources. ${QUOTED_WORDS} Up: [index.md](index.md)\n\n`,
    note: `${QUOTED_WORDS} `,
    ...lineTable(["message", "speaker", "verdict", "claim"], measure),
    rows,
    room: 1500,
    capacity: 1200,
  }, measure);
}

function claimText({ text, omitted }: CheckedClaim): string {
  return shortened(text) + (omitted === undefined ? "" : ` (leaves out: ${shortened(omitted)})`);
}

function shortened(text = ""): string {
  return markdownText(text, CLAIM_LENGTH);
}

export const FILES = "files.md";
/** Types that other pages list completely. */
const LISTED: ReadonlySet<Fact["type"]> = new Set(["message", "score"]);

/** Returns true if a record has files other than messages and scores. */
export function hasFiles({ facts, recordedStart }: RecordModel): boolean {
  return recordedStart.sources.length > 0 || facts.some(({ type }) => !LISTED.has(type));
}

/** Renders `files.md`: links to all files except messages and scores. Returns no pages if there are no such files. */
export function filePages(model: RecordModel, measure: Measure): readonly PageText[] {
  const facts = model.facts.filter(({ type }) => !LISTED.has(type))
    .map((fact) => ({ path: factPath(fact, model), about: aboutWords(model, fact) }));
  const sources = model.recordedStart.sources.map(({ name }) => ({
    path: `sources/${name}`,
    about: "",
  }));
  const files = [...facts, ...sources].sort((a, b) => byNumber(a.path, b.path));
  if (files.length === 0) return [];
  return tablePages({
    path: FILES,
    prefix: `${PAGE_FOLDERS.files}/`,
    front: (up) => ({ ...common("files"), index: `${up}index.md`, files: files.length }),
    title: "Files",
    head: `# Files other than messages and scores\n\n${
      counted(files.length, "file")
    }, by folder. In most folders a name begins with the number of a message. Up: [index.md](index.md)\n\n`,
    ...lineTable(["file", "of"], measure),
    rows: files.map(({ path, about }) => ({
      label: path,
      group: path.slice(0, path.indexOf("/")),
      line: (up: string) => `| [${path}](${up}${path}) | ${about} |\n`,
    })),
    room: 1500,
    capacity: 1500,
  }, measure);
}

/** Returns the name of the participant or judge of a fact, and the message that it is about. */
function aboutWords(model: RecordModel, fact: Fact): string {
  const seq = aboutOf(fact);
  const by = "judge" in fact
    ? shortJudgeName(model, fact)
    : "participant" in fact && typeof fact.participant === "string"
    ? shortName(model, fact.participant)
    : undefined;
  return [
    ...fact.type === "brief" ? [fact.form] : [],
    ...by === undefined ? [] : [by],
    ...seq === undefined || seq === 0 ? [] : [`message ${seq}`],
  ].join(", ");
}
