// Report of a paper debate from its facts.
import assert from "node:assert/strict";
import { debateReport, paperStages } from "../../../src/papers/text/report.ts";
import { eventOf } from "../../../src/core/event.ts";
import type { Fact } from "../../../src/core/fact.ts";
import {
  argumentOf,
  failureOf,
  INSIGHTS,
  messageOf,
  openingOf,
  PAPER,
  paperFacts,
  paperStart,
  POSTURES,
  QUESTION,
  scoreFor,
  searchOf,
  stopOf,
  topicOf,
  TOPICS,
  VECTOR,
  verdictsFor,
} from "./support/paper_record.ts";

const START = paperStart();
const REPORT = messageOf(9, "report", { participant: "reporter", body: "What came of it." });

function notesOf(facts: readonly Fact[], start = START): readonly string[] {
  return debateReport(start, facts)!.notes;
}

Deno.test("debateReport() has every key of the original format, and the verified, judged and noted parts", () => {
  const report = debateReport(START, paperFacts())!;
  assert.deepEqual(Object.keys(report), [
    ...["question", "topics", "postures", "summary", "rankedPostures", "validatedInsights"],
    ...["controversialPoints", "recommendedNextReads", "appendix", "markdown"],
    ...["verification", "verdict", "rubric", "notes", "papers"],
  ]);
  assert.equal(report.question, QUESTION);
  assert.deepEqual([report.topics, report.postures], [[...TOPICS], [...POSTURES]]);
  assert.equal(report.summary, "The question was whether tests help.\n\nThey do, said most.");
  assert.deepEqual(report.rankedPostures, [
    { posture: POSTURES[0], score: 0.8845 },
    { posture: POSTURES[1], score: 0.665 },
    { posture: POSTURES[2], score: 0.4 },
  ]);
  assert.deepEqual(report.validatedInsights, INSIGHTS.insights);
  assert.deepEqual(report.controversialPoints, INSIGHTS.controversialPoints);
  assert.deepEqual(report.appendix.perDebaterKeyClaims[1], {
    posture: POSTURES[1],
    claims: TOPICS.map((topic) => ({ topic, claim: `A claim on ${topic}.` })),
  });
  assert.equal(report.appendix.scoringTable[0]!.totals.weighted, 0.8845);
  assert.deepEqual(report.verdict, { outcome: "decided", winner: POSTURES[0] });
  assert.deepEqual(report.papers, [{ id: PAPER.id, title: PAPER.title }]);
  assert.deepEqual(report.notes, []);
});

Deno.test("debateReport() names the pages of a paper that have no text", () => {
  const end = PAPER.text.length;
  const start = paperStart({ papers: [{ ...PAPER, pages: [0, 40, 40, end] }] });
  assert.deepEqual(notesOf(paperFacts(), start), [
    "No text was found on 2 of the 4 pages of “Testing effects in real classrooms”: 2, 4.",
  ]);
  const most = paperStart({ papers: [{ ...PAPER, pages: [0, ...Array(30).fill(end)] }] });
  assert.match(notesOf(paperFacts(), most)[0]!, /on 30 of the 31 pages .*: 2, 3, .*, 10, …\.$/);
});

Deno.test("debateReport() does not depend on the order of the facts", () => {
  const facts = paperFacts();
  assert.deepEqual(debateReport(START, facts.toReversed()), debateReport(START, facts));
});

Deno.test("debateReport() exists after the reporter's speech, or after an early end with scores", () => {
  const facts = paperFacts().filter((fact) => fact.type !== "message" || fact.kind !== "report");
  assert.equal(debateReport(START, facts), undefined);
  assert.equal(debateReport(START, [...openingOf(), ...argumentOf(0), stopOf()]), undefined);
  assert.equal(debateReport(paperStart({ kind: "debate" }), paperFacts()), undefined);
  const ended = debateReport(START, [...facts, stopOf()])!;
  assert.equal(ended.summary, "It ended before its time.");
  assert.match(ended.notes[0]!, /ended early \(limit of turns\) after message 6/);
  assert.equal(ended.rankedPostures.length, 3);
  const completed = debateReport(START, [...paperFacts(), stopOf()])!;
  assert.deepEqual(completed, debateReport(START, paperFacts()));
});

Deno.test("debateReport() counts verified quotations, those of the cross-examination too", () => {
  const [speech, evidence] = argumentOf(0, {
    perTopic: [topicOf("Evidence", {
      citations: {
        web: [{ title: "T", url: "https://t.example/", snippet: "", status: "verified" }],
      },
    })],
    quotations: [{ text: "made up words", status: "not found", topic: "Evidence" }],
  });
  const answer = messageOf(7, "cross_examination", {
    participant: "debater-a",
    turn: "cross_examination/debater-a",
  });
  const hit = { chunkId: "c1", text: "x", score: 1, status: "verified" } as const;
  const crossed = {
    ...evidence,
    seq: 7,
    perTopic: [],
    overallPosition: "",
    citations: { paper: [hit] },
    quotations: [],
  };
  const report = debateReport(START, [...openingOf(), speech, evidence, answer, crossed, REPORT])!;
  const [own] = report.verification;
  assert.deepEqual([own!.debater, own!.message, own!.verified, own!.notFound], [
    "Debater A",
    4,
    2,
    1,
  ]);
  assert.deepEqual(own!.citations, { paper: [hit] });
  assert.equal(own!.perTopic[0]!.citations.web![0]!.url, "https://t.example/");
  assert.equal(own!.quotations[0]!.status, "not found");
  assert.match(report.markdown, /Outside of the topics:/);
});

Deno.test("debateReport() notes a tie, a verdict that contradicts the totals, missing scores and topics, and a failed answer", () => {
  const { total: _total, topics: _topics, ...unread } = scoreFor(2, [VECTOR], {
    status: "unscored",
    criteria: {},
    reason: "The reply was no JSON.",
  });
  const answered = messageOf(8, "cross_examination", {
    participant: "debater-b",
    turn: "cross_examination/debater-b",
  });
  const facts = [
    ...openingOf(),
    ...argumentOf(0),
    ...argumentOf(1, { perTopic: [topicOf("Evidence")] }),
    ...argumentOf(2),
    answered,
    failureOf("cross_examination/debater-a"),
    scoreFor(0, [VECTOR]),
    scoreFor(1, [VECTOR]),
    unread,
    REPORT,
  ];
  const notes = notesOf(facts).join("\n");
  assert.match(
    notes,
    /^The highest total, 0\.8845, is shared by 2 postures: "Strong.*", "Cautious.*"\.$/m,
  );
  assert.match(
    notes,
    /^Debater A, .* did not answer in cross-examination: .* \(agent_\w+ after 3 attempts\)\.$/m,
  );
  assert.match(notes, /^Debater B, .* did not argue on "Methodology", "Practice"\.$/m);
  assert.match(notes, /^Debater C, .* has no score \(Judge 1: The reply was no JSON\)\.$/m);
  const unscored = notesOf(facts.filter((fact) => fact !== unread));
  assert.ok(unscored.some((note) => /^Debater C, .* has no score\.$/.test(note)));
  const against = notesOf([
    ...facts.filter((fact) => fact !== unread),
    scoreFor(2, [[1, 1, 1, 1, 1]]),
    ...verdictsFor("debater-a"),
  ]);
  assert.match(
    against.join("\n"),
    /^The winner, Debater A, has a total of 0\.8845; Debater C has the highest, 1\.$/m,
  );
});

Deno.test("debateReport() states which part of which paper was omitted from which prompt", () => {
  const long = { id: "long", title: "A long paper", text: "Words and more. ".repeat(50_000) };
  const start = paperStart({ papers: [PAPER, long] });
  const notes = notesOf([...openingOf(), ...argumentOf(0), scoreFor(0, [VECTOR]), REPORT], start);
  const left = notes.filter((note) => note.includes("A long paper"));
  assert.equal(left.length, 1);
  assert.match(
    left[0]!,
    /^Of the 800,000 characters of “A long paper”, prompts left out at least 750,\d{3} for the questions, 760,\d{3} for the postures, 760,\d{3} for each argument; look-ups can reach the whole paper\.$/,
  );
  const given = openingOf().flatMap((fact) =>
    fact.type !== "message" || fact.kind === "questions" ? [] : [{ ...fact, model: "template" }]
  );
  const shown = notesOf([...given, ...argumentOf(0), scoreFor(0, [VECTOR]), REPORT], start);
  assert.equal(shown.filter((note) => note.includes("A long paper")).length, 1);
  const none = paperStart({
    papers: [long],
    configuration: { paperCharacters: { questions: 0, postures: 0, debaters: 0 } },
  });
  assert.match(
    notesOf([...openingOf(), ...argumentOf(0), REPORT], none).join("\n"),
    /prompts left out at least 800,000 for the questions/,
  );
});

Deno.test("debateReport() states that arguments have no look-ups, that nothing was scored, and why the web search found nothing", () => {
  const [speech] = argumentOf(0);
  const body = "## Evidence\n\n**Claim.** It holds. Because it was seen.";
  const facts = [
    ...openingOf(),
    { ...speech, body },
    searchOf(1, "Cannot search: no answer."),
    REPORT,
  ];
  const report = debateReport(START, facts)!;
  const notes = report.notes.join("\n");
  assert.match(notes, /^The quotations and citations of Debater A, .* were not looked up\.$/m);
  assert.match(notes, /^Nothing was scored: there is no ranking\.$/m);
  assert.match(notes, /^A web search failed: Cannot search: no answer\.$/m);
  assert.deepEqual([report.rankedPostures, report.rubric], [[], null]);
  assert.deepEqual(report.verdict, { outcome: "unscored", winner: null });
  assert.match(report.appendix.perDebaterKeyClaims[0]!.claims[0]!.claim, /^It holds\./);
  assert.match(report.markdown, /Nothing was scored\./);
});

Deno.test("debateReport() uses the first judge's rubric and names the others", () => {
  const other = { id: "judge-2", name: "Judge 2", model: "gpt-4o", rubric: "academic" };
  const start = paperStart({ judges: [...START.judges, other] });
  const academic = scoreFor(0, [[1, 1, 1, 1, 1]], { judge: "judge-2", rubric: "academic" });
  const facts = [...openingOf(), ...argumentOf(0), academic, scoreFor(0, [VECTOR]), REPORT];
  const report = debateReport(start, facts)!;
  assert.equal(report.rubric!.id, "conceptual");
  assert.deepEqual(report.rankedPostures.map(({ score }) => score), [0.8845]);
  assert.match(
    report.notes.join("\n"),
    /goes by the rubric conceptual alone; Judge 2 scored by academic/,
  );
});

Deno.test("debateReport() shows the position of each part of a quotation, a wrongly named page, and repeated words", () => {
  const omitting = {
    text: "Retrieval practice doubled … shrank to a tenth in noisy classrooms",
    status: "verified",
    from: "paper",
    source: PAPER.id,
    start: 40,
    end: 130,
    page: 1,
    parts: [{ start: 40, end: 66, page: 1 }, { start: 96, end: 130, page: 2 }],
    namedPage: 7,
    topic: "Evidence",
  } as const;
  const said = {
    text: "as was said before",
    status: "said",
    from: "message",
    source: "5",
  } as const;
  const facts = [
    ...openingOf(),
    ...argumentOf(0, { quotations: [omitting, said] }),
    scoreFor(0, [VECTOR]),
    REPORT,
  ];
  const { markdown, verification } = debateReport(START, facts)!;
  assert.match(
    markdown,
    /— \*\*verified, with omissions\*\*, \*Testing[^*]+\*, page 1, characters 40–66 and page 2, characters 96–130, not on page 7 as named$/m,
  );
  assert.match(markdown, /“as was said before” — \*\*said in message 5\*\*$/m);
  const [own] = verification;
  assert.deepEqual([own!.verified, own!.notFound], [1, 0]);
  assert.deepEqual(own!.quotations, [omitting, said]);
});

Deno.test("paperStages() waits for the turns whose failures an earlier run recorded", () => {
  const stages = paperStages(START, [
    ...openingOf(),
    ...argumentOf(0),
    failureOf("argument/debater-b"),
    failureOf("argument/debater-c"),
  ]);
  const after = (fact: Fact) => stages.after(eventOf(fact)).map(({ name }) => name);
  assert.deepEqual(after(failureOf("argument/debater-b")), ["debater_error"]);
  assert.deepEqual(after(argumentOf(2)[0]), [
    "debater_complete",
    "debate_complete",
    "Judging arguments...",
  ]);
});
