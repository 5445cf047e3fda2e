import assert from "node:assert/strict";
import { debateReport } from "../../../src/papers/text/report.ts";
import { reportSchema } from "../../../src/papers/text/debate_report.ts";
import {
  argumentOf,
  failureOf,
  messageOf,
  openingOf,
  paperFacts,
  paperStart,
} from "./support/paper_record.ts";

const WHOLE = debateReport(paperStart(), paperFacts())!;
const BARE = debateReport(paperStart({ papers: [] }), [
  ...openingOf(),
  ...argumentOf(0, {
    quotations: [{
      text: "words",
      status: "verified",
      from: "paper",
      source: "p",
      page: 2,
      start: 0,
      end: 5,
    }],
  }),
  failureOf("argument/debater-b"),
  messageOf(9, "report"),
])!;

Deno.test("reportSchema takes every report as it is written", () => {
  for (const report of [WHOLE, BARE]) {
    const written: unknown = JSON.parse(JSON.stringify(report));
    assert.deepEqual(reportSchema.safeParse(written), { success: true, data: written });
  }
});

Deno.test("reportSchema names every key of a report, each with what it says", () => {
  const schema = reportSchema.toJSONSchema({ io: "input", unrepresentable: "any" });
  const { properties = {} } = schema as { properties?: Record<string, { description?: string }> };
  const keys = new Set([...Object.keys(WHOLE), ...Object.keys(BARE)]);
  assert.deepEqual(Object.keys(properties).toSorted(), [...keys].toSorted());
  for (const [key, value] of Object.entries(properties)) {
    assert.ok((value.description ?? "") !== "", key);
  }
});

Deno.test("reportSchema refuses a report that lacks a key or has another type", () => {
  const { summary: _summary, ...less } = WHOLE;
  const wrong: readonly unknown[] = [
    less,
    { ...WHOLE, topics: "Methodology" },
    { ...WHOLE, rankedPostures: [{ posture: "A", score: "0.9" }] },
    { ...WHOLE, verdict: { outcome: "won", winner: null } },
    { ...WHOLE, recommendedNextReads: Array(8).fill({ title: "", url: "", snippet: "" }) },
    { ...WHOLE, appendix: { perDebaterKeyClaims: [] } },
  ];
  for (const report of wrong) assert.equal(reportSchema.safeParse(report).success, false);
});
