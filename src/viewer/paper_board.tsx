// The steps of a paper debate on its page: questions and the pick, postures, topics, and the progress of each debater.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import type { DebateStatus } from "../client/paper_debate.ts";
import type { Fact } from "../core/fact.ts";
import { figuresOf } from "../core/paper.ts";
import { plainText } from "../core/text.ts";
import { messagesOf } from "../papers/text/debaters.ts";
import { posturesIn, questionsIn } from "../papers/text/lists.ts";
import { type Markup, own } from "../record/html/markup.tsx";
import { sideOf } from "../record/html/message.tsx";
import { figuresWords } from "../record/papers.ts";
import { type ConveningView, isOver } from "./standing.tsx";

const STEPS: readonly (readonly [DebateStatus, string])[] = [
  ["generating_questions", "Questions"],
  ["selecting_question", "Pick"],
  ["generating_postures", "Postures and topics"],
  ["debating", "Debate"],
  ["judging", "Judging"],
  ["generating_report", "Report"],
];

/** The present step of a paper debate. */
function debateStatus({ standing, convening: { start, facts } }: ConveningView): DebateStatus {
  if (standing === "completed") return "completed";
  if (isOver(standing)) return "error";
  const has = (kind: string) => messagesOf(facts, kind).length > 0;
  if (has("verdict")) return "generating_report";
  if (isArgued(start.configuration, facts)) return "judging";
  if (has("postures")) return "debating";
  if (has("question")) return "generating_postures";
  if (has("questions")) return "selecting_question";
  return start.configuration.question === undefined
    ? "generating_questions"
    : "generating_postures";
}

/** True once all debaters have argued or failed. */
function isArgued(
  configuration: Readonly<Record<string, unknown>>,
  facts: readonly Fact[],
): boolean {
  const { postures } = posturesIn(messagesOf(facts, "postures")[0]?.body ?? "");
  const failed = (kind: string) =>
    facts.filter((fact) => fact.type === "failure" && fact.turn.startsWith(`${kind}/`)).length;
  const argued = messagesOf(facts, "argument").length;
  if (postures.length === 0 || argued + failed("argument") < postures.length) return false;
  if (configuration.crossExamine !== true || argued < 2) return true;
  return messagesOf(facts, "cross_examination").length + failed("cross_examination") >= argued;
}

/** The steps of a paper debate with their results so far. */
export function paperBoard(view: ConveningView): Markup {
  const status = debateStatus(view);
  const { id: convening, convening: { start, facts } } = view;
  const papers = start.papers ?? [];
  const question = messagesOf(facts, "question").at(-1)?.body;
  return (
    <section id="board" data-state={status} aria-labelledby="board-title">
      <h2 id="board-title">
        {`The debate over ${papers.length === 1 ? "the paper" : "the papers"}`}
      </h2>
      <p>
        {papers.map(({ id, title }, at) => (
          <>
            {at > 0 && ", "}
            <a href={`/convenings/${convening}/papers/${encodeURIComponent(id)}`}>{own(title)}</a>
          </>
        ))}
      </p>
      {status !== "completed" && steps(status, start.configuration.question !== undefined)}
      {status === "selecting_question"
        ? pickForm(view)
        : question !== undefined && (
          <p class="question" dir="auto">
            <strong>{question}</strong>
          </p>
        )}
      {status !== "completed" && debaters(view)}
    </section>
  );
}

/** A given question needs no questions and no pick. */
function steps(status: DebateStatus, isGiven: boolean): Markup {
  const all = isGiven ? STEPS.slice(2) : STEPS;
  const at = all.findIndex(([each]) => each === status);
  const stateOf = (index: number) =>
    at === -1 ? "unknown" : index < at ? "done" : index === at ? "now" : "next";
  return (
    <ol class="steps" aria-label="Steps">
      {all.map(([, words], index) => (
        <li data-step={stateOf(index)} aria-current={index === at ? "step" : undefined}>
          {words}
          {index < at && <span class="unseen">, done</span>}
        </li>
      ))}
    </ol>
  );
}

/** A person picks one of the questions or writes one; without a waiting person the questions are a list. */
function pickForm({ id, standing, convening: { facts, result } }: ConveningView): Markup {
  const questions = questionsIn(messagesOf(facts, "questions").at(-1)?.body ?? "");
  const [waited] = result.waitingFor ?? [];
  if (standing !== "waiting" || waited === undefined) {
    return <ol class="questions">{questions.map((each) => <li dir="auto">{each}</li>)}</ol>;
  }
  return (
    <form
      class="turn"
      method="post"
      action={`/convenings/${id}/actions/pick`}
      data-draft={`${id}/pick`}
    >
      <input type="hidden" name="as" value={waited.participant} />
      <fieldset>
        <legend>Which question is debated?</legend>
        {questions.map((each, at) => (
          <label class="choice">
            <input type="radio" name="pick" value={at + 1} checked={at === 0} />{" "}
            <span dir="auto">{each}</span>
          </label>
        ))}
        <label class="choice">
          <input type="radio" name="pick" value="own" /> <span>A question of your own:</span>
        </label>
        <label>
          Your question
          <textarea name="own" rows={2} maxlength={1000}></textarea>
        </label>
      </fieldset>
      <button type="submit">Debate it</button>
    </form>
  );
}

function debaters(view: ConveningView): Markup {
  const { convening: { start, facts } } = view;
  const { postures, topics } = posturesIn(messagesOf(facts, "postures")[0]?.body ?? "");
  if (postures.length === 0) return <></>;
  const all = start.participants.filter(({ role }) => role === "debater");
  return (
    <div class="columns">
      <div>
        <h3>Topics</h3>
        <ol>{topics.map((each) => <li dir="auto">{each}</li>)}</ol>
      </div>
      <div>
        <h3>Debaters</h3>
        <ul class="debaters" role="list">
          {all.slice(0, postures.length).map((each, at) =>
            debater(view, { ...each, posture: postures[at] ?? "" })
          )}
        </ul>
      </div>
    </div>
  );
}

const STATUS_WORDS = {
  idle: "has not argued",
  running: "at work",
  complete: "has argued",
  error: "failed",
} as const;

function debater(
  { spoken, convening: { start, facts } }: ConveningView,
  { id, name, posture }: { readonly id: string; readonly name: string; readonly posture: string },
): Markup {
  const draft = spoken.find(({ turn }) => turn.participant === id)?.text;
  const speech = messagesOf(facts, "argument").find(({ participant }) => participant === id);
  const failure = facts.filter((fact) => fact.type === "failure")
    .find((fact) => fact.participant === id && fact.turn.startsWith("argument/"));
  const evidence = facts.filter((fact) => fact.type === "evidence")
    .find((fact) => fact.seq === speech?.seq);
  const failed = failure === undefined ? "idle" : "error";
  const status = speech !== undefined ? "complete" : draft !== undefined ? "running" : failed;
  const [first] = evidence?.perTopic ?? [];
  return (
    <li data-debater={id} data-status={status} data-side={sideOf(start, id) ?? 0}>
      <p>
        <strong>{own(name)}</strong>{" "}
        <span class="badge" data-standing={status}>{STATUS_WORDS[status]}</span>{" "}
        {evidence !== undefined && <span class="note">{figuresWords(figuresOf(evidence))}</span>}
      </p>
      <p class="position" dir="auto">{posture}</p>
      <p class="preview" dir="auto">
        {status === "error" ? failure?.message : first !== undefined
          ? (
            <>
              <strong>{`${first.topic}:`}</strong>
              {` ${first.claim}`}
            </>
          )
          : preview(speech?.body ?? draft ?? "")}
      </p>
    </li>
  );
}

/** The most characters of a preview. */
const PREVIEW = 280;

/** The beginning of a text as plain words. */
function preview(body: string): string {
  const words = plainText(body).replace(/[#*_>`]+/g, " ").replace(/\s+/g, " ").trim();
  const points = [...words];
  return points.length <= PREVIEW ? words : `${points.slice(0, PREVIEW - 1).join("").trimEnd()}…`;
}
