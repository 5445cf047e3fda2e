// Judging a paper debate: questions to the judges, and the message with their result.
import type {
  Choice,
  Evidence,
  Fact,
  FactCheck,
  Score,
  TopicScore,
  Verdict,
} from "../../core/fact.ts";
import type { Message } from "../../core/message.ts";
import { argumentIn } from "../text/argument_body.ts";
import { INSIGHTS_REPLY, type TopicScoresReply, topicScoresSchema } from "../text/replies.ts";
import { type Span, withSentencesAround } from "../text/excerpt.ts";
import { citationsOf, pageWords, type Paper } from "../../core/paper.ts";
import { fillTemplate, renderSource } from "../../core/prompt.ts";
import type { Rubric } from "../../core/outcome.ts";
import { rubricFor } from "../../judging/scoring.ts";
import { decide } from "../../judging/panels.ts";
import { mean, round4 } from "../../core/statistics.ts";
import { choiceQuestion, type Question } from "../../core/turn.ts";
import { type ShownRubric, taskBy } from "../../debate/cast.ts";
import { checksIn, verdictQuestions } from "../../debate/verdict.ts";
import { factCheckNote, factCheckNotes } from "../../checking/questions.ts";
import { capped, scoreOf } from "../../judging/scorer.ts";
import type { ConveningStart } from "../../core/event.ts";
import type { DebateSubject } from "../text/debate_report.ts";
import { bestPostures, debateResults, missedWords, rankedScores } from "../text/debaters.ts";
import { verificationOf } from "../text/report.ts";
import { lineMarkdown, wordsMarkdown } from "../text/lists.ts";
import type { PaperPlan, PaperTemplates } from "./paper_debate_plan.ts";
import { type Judged, numbered, quotedSubject } from "./protocol.ts";

/** Returns all questions to the judges: scores of each debater, verdicts in every order, insights. */
export function judgingQuestions(
  plan: PaperPlan,
  subject: DebateSubject,
  judged: Judged,
): Question<unknown, Fact>[] {
  const { panel, templates, settings, labels, papers } = plan;
  const { seed, factCap, judgeMaxTokens: maxTokens, verdictRepeats: repeats } = settings;
  const judging = { labels, papers, maxTokens, seed, repeats, factCap };
  return panel.rubrics.flatMap((shown): Question<unknown, Fact>[] => {
    const tasks = {
      ...templates,
      score: taskBy(panel, shown, templates.score),
      verdict: taskBy(panel, shown, templates.verdict),
    };
    return [
      ...comparingQuestions({ ...judging, ...shown, tasks }, subject, judged),
      ...shown.judges.map((judge) => insightsQuestion(plan, judge, judged)),
    ];
  });
}

/** Inputs of scores and verdicts by one rubric. */
interface PaperComparing extends Pick<ShownRubric, "rubric" | "order" | "judges"> {
  /** Names of debaters in prompts, by id. */
  readonly labels: ReadonlyMap<string, string>;
  readonly papers: readonly Paper[];
  readonly tasks: Pick<
    PaperTemplates,
    "scoring" | "score" | "passages" | "writtenApart" | "answeredLater" | "verdict"
  >;
  /** Maximum tokens of a reply. */
  readonly maxTokens: number;
  readonly seed: number;
  /** Number of times that each pass of a verdict is repeated. @default 0 */
  readonly repeats?: number | undefined;
  /** True if refuted claims cap the scores for evidence. @default false */
  readonly factCap?: boolean | undefined;
}

/** Returns the questions for scores of each argument by topic, and for verdicts in every order of the debaters. */
export function comparingQuestions(
  comparing: PaperComparing,
  subject: DebateSubject,
  judged: Judged,
): Question<unknown, Fact>[] {
  const { judges, labels, tasks } = comparing;
  const checks = checksIn(judged.found);
  const argued = judged.speeches.filter(({ kind }) => kind === "argument");
  const sides = argued.map(({ participant, position = "" }) => ({
    id: participant,
    label: labels.get(participant)!,
    position,
  }));
  const scores = argued.flatMap((message) =>
    judges.map((judge) =>
      topicScoresQuestion(comparing, { judge, message, subject, judged, checks })
    )
  );
  const verdicts = sides.length < 2 ? [] : verdictQuestions({
    ...comparing,
    sides,
    task: tasks.verdict,
    said: judged.speeches,
    checks: comparing.factCap === true ? checks : [],
    notes: (labels, turnName) => factCheckNotes(checks, labels, turnName),
    // Postures and the question are model output and therefore quoted.
    valuesOf: (text) => ({
      ...quotedSubject({ question: subject.question }),
      sides: renderSource({ name: "debaters", text }),
    }),
  });
  return [...scores, ...verdicts] as Question<unknown, Fact>[];
}

function topicScoresQuestion(
  { rubric, order, labels, papers, tasks, maxTokens, factCap }: PaperComparing,
  { judge, message, subject, judged, checks }: {
    readonly judge: string;
    readonly message: Message;
    readonly subject: DebateSubject;
    readonly judged: Judged;
    readonly checks: readonly FactCheck[];
  },
): Question<TopicScoresReply, Score> {
  const evidence = judged.evidence.find(({ seq }) => seq === message.seq);
  const topics = topicsOf(message, evidence, subject);
  const check = checks.find((each) => each.message === message.seq);
  // Arguments are written without sight of each other: without a cross-examination, answering is not scored.
  const hasAnswered = judged.speeches.some(({ kind, participant }) =>
    kind === "cross_examination" && participant === message.participant
  );
  const { applied, notApplicable } = rubricFor(rubric, hasAnswered);
  const values = {
    answered: String(message.seq),
    opponent: labels.get(message.participant)!,
    ...quotedSubject({ topics, position: message.position }),
  };
  return {
    key: `score/${message.seq}/${judge}`,
    asked: judge,
    phase: "verdict",
    kind: "topic_scores",
    round: 0,
    task: tasks.scoring,
    values,
    notes: hasAnswered ? tasks.answeredLater : tasks.writtenApart,
    ending: endingOf({ message, judged, check, papers, tasks, values }),
    schema: topicScoresSchema(applied, order.filter((id) => !notApplicable.includes(id)), topics),
    data: { rubric: applied, participant: message.participant, body: message.body, topics },
    maxTokens,
    // A program scores the whole message: each topic gets these scores.
    compute: ({ scoring }) =>
      scoring && Promise.resolve(scoring.score(message, applied)).then(
        ({ scores, reasons: notes }) => ({
          perTopic: topics.map((topic) => ({ topic, notes, scores })),
        }),
      ),
    toFact: (answer) =>
      scoreOf(message, judge, {
        rubric: applied,
        notApplicable,
        answer,
        read: (value) => {
          const { criteria, ...found } = topicScoresOf(value, applied, subject);
          const checked = factCap === true && check !== undefined ? [check] : [];
          return { ...found, ...capped(criteria, applied, checked) };
        },
      }),
    matches: (fact): fact is Score =>
      fact.type === "score" && fact.message === message.seq && fact.judge === judge &&
      fact.rubric === rubric.id,
  };
}

/** Returns the end of a question for topic scores: the speaker's passages, the fact check and the task. */
function endingOf(
  { message, judged, check, papers, tasks, values }: Pick<PaperComparing, "papers" | "tasks"> & {
    readonly message: Message;
    readonly judged: Judged;
    readonly check: FactCheck | undefined;
    readonly values: Readonly<Record<string, string>>;
  },
): string {
  const own = judged.evidence.filter(({ participant }) => participant === message.participant);
  return [
    passagesNote(own, papers, tasks.passages),
    check && factCheckNote(check),
    fillTemplate(tasks.score, values),
  ].filter((note) => note !== undefined).join("\n\n");
}

/** Maximum characters of passages in one question. */
const PASSAGES_LENGTH = 12_000;

/** Returns the passages that a debater quotes and cites, for judges; undefined without any. */
function passagesNote(
  evidence: readonly Evidence[],
  papers: readonly Paper[],
  intro: string,
): string | undefined {
  const passages = papers.flatMap((paper) =>
    mergedSpans(spansIn(evidence, paper)).map(([start, end]) => {
      const where = pageWords(paper, start, end) ?? `from character ${start + 1}`;
      return renderSource({ name: `${paper.id}, ${where}`, text: paper.text.slice(start, end) });
    })
  );
  if (passages.length === 0) return undefined;
  let room = PASSAGES_LENGTH;
  const shown = passages.filter(({ length }, index) => (room -= length) > 0 || index === 0);
  const left = passages.length - shown.length;
  return [intro, ...shown, ...left === 0 ? [] : [`(${left} more are not shown.)`]].join("\n");
}

/** Returns the spans of quotations and citations in a paper, with the sentences around them. */
function spansIn(evidence: readonly Evidence[], { id, text }: Paper): Span[] {
  const quoted = evidence.flatMap(({ quotations }) => quotations)
    .filter(({ from, source }) => from === "paper" && source === id)
    .flatMap((quotation) => quotation.parts ?? [quotation]);
  const cited = evidence.flatMap(citationsOf).flatMap(({ paper = [] }) => paper)
    .filter(({ paper, status }) => paper === id && status === "verified");
  return [...quoted, ...cited].flatMap(({ start, end }) =>
    start === undefined || end === undefined ? [] : [withSentencesAround(text, start, end)]
  );
}

/** Sorts spans and joins overlapping ones. */
function mergedSpans(spans: readonly Span[]): Span[] {
  const found: [number, number][] = [];
  for (const [start, end] of spans.toSorted(([a], [b]) => a - b)) {
    const last = found.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else found.push([start, end]);
  }
  return found;
}

/** Returns the topics that a message argues on; all topics if unknown. */
function topicsOf(
  { body }: Message,
  evidence: Evidence | undefined,
  { topics }: DebateSubject,
): readonly string[] {
  const { perTopic } = evidence ?? argumentIn(body, topics);
  const argued = perTopic.map(({ topic }) => topic);
  return argued.length > 0 ? argued : topics;
}

/** Returns a judge's scores by topic and their means; a topic that was not argued gets the minimum of the scale. */
function topicScoresOf(
  { perTopic }: TopicScoresReply,
  { criteria: asked, scale: [least] }: Rubric,
  subject: DebateSubject,
): Pick<Score, "criteria" | "reasons" | "topics"> {
  const ids = asked.map(({ id }) => id);
  const topics = subject.topics.map((topic): TopicScore => {
    const { notes, scores } = perTopic.find((each) => each.topic === topic) ?? {};
    return {
      topic,
      notes: notes?.trim() ?? "Not argued.",
      criteria: Object.fromEntries(ids.map((id) => [id, round4(scores?.[id] ?? least)])),
      ...(scores === undefined ? { argued: false } : {}),
    };
  });
  return {
    criteria: Object.fromEntries(
      ids.map((id) => [id, round4(mean(topics.map(({ criteria }) => criteria[id]!)) ?? 0)]),
    ),
    reasons: topics.map(({ topic, notes }) => `**${topic}**: ${notes}`).join("\n\n"),
    topics,
  };
}

function insightsQuestion(
  { templates, settings }: PaperPlan,
  judge: string,
  judged: Judged,
): Question<unknown, Choice> {
  return choiceQuestion<{ insights: readonly string[]; controversialPoints: readonly string[] }>({
    key: `insights/${judge}`,
    seq: judged.speeches.at(-1)!.seq + 1,
    asked: judge,
    phase: "verdict",
    kind: "insights",
    round: 0,
    task: templates.insights,
    schema: INSIGHTS_REPLY,
    maxTokens: settings.judgeMaxTokens,
    compute: ({ scoring }) => scoring && { insights: [], controversialPoints: [] },
    valueOf: (reply) => reply ?? null,
    reasonsOf: ({ insights, controversialPoints }) =>
      [...insights, ...controversialPoints].map((each) => `- ${each}`).join("\n"),
  });
}

/** Returns the judges' result as markdown, with totals computed from their scores. */
export function verdictBody(start: ConveningStart, judged: readonly Fact[]): string {
  const { debaters, verdict: { perDebater, insights, controversialPoints } } = debateResults(
    start,
    judged,
  );
  const ranked = rankedScores(perDebater);
  const figures = debaters.map(verificationOf);
  const lines = ranked.map(({ posture, score }) => {
    const { verified = 0, notFound = 0 } = figures.find((each) => each.posture === posture) ?? {};
    const missed = missedWords(perDebater.find((each) => each.posture === posture));
    return `${wordsMarkdown(posture, 1200).replace(/\.$/, "")}: ${score}${missed} ` +
      `(${verified} quotations and citations verified, ${notFound} not found)`;
  });
  const judges = start.judges.length === 1 ? "the judge" : "most judges";
  const scores = judged.filter((fact): fact is Score => fact.type === "score");
  const verdicts = judged.filter((fact): fact is Verdict => fact.type === "verdict");
  const { winner } = decide(verdicts, scores);
  const named = debaters.find(({ participant }) => participant === winner)?.posture;
  // A judge's passes give similar reasons: one of each judge is enough.
  const own = verdicts.filter((each) => named !== undefined && each.winner === winner);
  const reasons = new Map(own.map(({ judge, mainReason = "" }) => [judge, mainReason]));
  return [
    lines.length === 0
      ? "No argument could be scored."
      : `The totals, by arithmetic over the judges' numbers:\n\n${numbered(lines)}`,
    bestPostures(ranked).length > 1 ? "The best totals are tied." : "",
    named === undefined
      ? `Compared in every order, no posture was named by ${judges}.`
      : `Compared in every order, ${judges} named: ${wordsMarkdown(named, 1200)}`,
    section("Main reasons", [...reasons.values()].filter(Boolean)),
    section("Insights", insights),
    section("Controversial points", controversialPoints),
  ].filter((part) => part !== "").join("\n\n");
}

function section(title: string, texts: readonly string[]): string {
  if (texts.length === 0) return "";
  return `${title}:\n\n${texts.map((text) => `- ${lineMarkdown(text, 1200)}`).join("\n")}`;
}
