// `claims.md`: every claim that was looked up, with its verdict, and every draft that a check of facts rejected.
import type { ClaimVerdict, FactCheck, Rejection } from "../core/fact.ts";
import { countsOf, countWords } from "../core/outcome.ts";
import { counted } from "../core/text.ts";
import { factPath } from "./codec.ts";
import { common } from "./frontmatter.ts";
import { markdownText, type Measure, QUOTED_WORDS } from "./markdown.ts";
import { type ListRow, type PageText, tablePages } from "./page_tree.ts";
import type { RecordModel } from "./record_model.ts";
import { shortName } from "./words.ts";

/** The page of claims. */
export const CLAIMS = "claims.md";
/** The folder of its further pages. */
export const CLAIM_PAGES = "claims";
/** The guard that rejects drafts for false claims. */
const GUARD = "facts";
/** The most code points of a claim. */
const LENGTH = 140;
/** Tokens of the rows on a page. */
const ROOM = { first: 1500, further: 1200 } as const;
/** Verdicts in the order of the table. */
const ORDER: readonly ClaimVerdict[] = [
  "false",
  "misleading",
  "disputed",
  "unverifiable",
  "true",
];

/** The pages of claims: false claims first, drafts that were rejected last; none where no fact was checked. */
export function claimPages(model: RecordModel, measure: Measure): readonly PageText[] {
  const checks = model.facts.filter((fact) => fact.type === "fact-check")
    .toSorted((a, b) => a.message - b.message);
  if (checks.length === 0) return [];
  const drafts = model.facts.filter((fact) => fact.type === "rejected")
    .filter(({ guard }) => guard === GUARD)
    .toSorted((a, b) => a.seq - b.seq || a.attempt - b.attempt);
  const rows = [
    ...ORDER.flatMap((verdict) => checks.flatMap((check) => claimRows(model, check, verdict))),
    ...checks.filter(({ status }) => status === "unchecked").map((check) =>
      row(model, check, { label: `${check.message}`, verdict: "not checked", text: check.reason })
    ),
    ...drafts.map((draft) =>
      row(model, draft, {
        label: `${draft.seq}, draft ${draft.attempt}`,
        verdict: "draft rejected",
        text: draft.reason,
      })
    ),
  ];
  const sum = countsOf(checks);
  return tablePages({
    path: CLAIMS,
    folder: CLAIM_PAGES,
    front: (up) => ({ ...common("claims"), index: `${up}index.md`, claims: sum.claims }),
    title: "Claims",
    head: `# Claims: ${markdownText(model.start.topic, 200)}\n\n${
      counted(sum.claims, "claim")
    } looked up${sum.claims === 0 ? "" : `, ${countWords(sum)}`}; ${
      counted(drafts.length, "draft")
    } rejected for claims. A number leads to the check with its sources. ${QUOTED_WORDS} Up: [index.md](index.md)\n\n`,
    note: `${QUOTED_WORDS} `,
    columns: ["message", "speaker", "verdict", "claim"],
    rows,
    room: ROOM.first,
    capacity: ROOM.further,
  }, measure);
}

function claimRows(model: RecordModel, check: FactCheck, verdict: ClaimVerdict): ListRow[] {
  return check.claims.filter((claim) => claim.verdict === verdict)
    .map(({ text }) => row(model, check, { label: `${check.message}`, verdict, text }));
}

function row(
  model: RecordModel,
  fact: FactCheck | Rejection,
  { label, verdict, text = "" }: {
    readonly label: string;
    readonly verdict: string;
    readonly text?: string | undefined;
  },
): ListRow {
  const cells = [shortName(model, fact.participant), verdict, markdownText(text, LENGTH)];
  return {
    label: `${verdict} ${label}`,
    group: verdict,
    line: (up) => `| [${label}](${up}${factPath(fact, model)}) | ${cells.join(" | ")} |\n`,
  };
}
