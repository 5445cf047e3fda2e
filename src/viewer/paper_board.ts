import { html } from "hono/html";
import type { Fact } from "../core/fact.ts";
import { messagesOf } from "../papers/text/debaters.ts";
import { figuresOf } from "../core/evidence.ts";
import { posturesIn, questionsIn } from "../papers/text/lists.ts";
import { figuresWords } from "../record/paper_findings.ts";
import { sideOf } from "./exchange.ts";
import { type Markup, own } from "./page.ts";
import { preview } from "./said.ts";
import type { ConveningSight } from "./standing.ts";

/** Where a debate over papers stands, step by step. */
type PaperState =
  | "idle"
  | "generating_questions"
  | "selecting_question"
  | "generating_postures"
  | "debating"
  | "judging"
  | "generating_report"
  | "completed"
  | "error";

const STEPS: readonly (readonly [PaperState, string])[] = [
  ["generating_questions", "Questions"],
  ["selecting_question", "Pick"],
  ["generating_postures", "Postures and topics"],
  ["debating", "Debate"],
  ["judging", "Judging"],
  ["generating_report", "Report"],
];

/** The step that a debate over papers is at. */
function paperState({ standing, convening: { start, facts } }: ConveningSight): PaperState {
  if (standing === "completed") return "completed";
  if (ENDED.has(standing)) return "error";
  const said = (kind: string) => messagesOf(facts, kind).length > 0;
  if (said("verdict")) return "generating_report";
  if (isArgued(start.configuration, facts)) return "judging";
  if (said("postures")) return "debating";
  if (said("question")) return "generating_postures";
  if (said("questions")) return "selecting_question";
  return start.configuration.question === undefined
    ? "generating_questions"
    : "generating_postures";
}

const ENDED: ReadonlySet<string> = new Set(["stopped", "failed", "interrupted", "unreadable"]);

/** Whether nobody argues any more. */
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

/** The steps of a debate over papers: questions and the pick, postures, topics, and how far each debater is. */
export function paperBoard(sight: ConveningSight): Markup {
  const state = paperState(sight);
  const { convening: { start, facts } } = sight;
  const papers = start.papers ?? [];
  return html`<section id="board" data-state="${state}" aria-labelledby="board-title">
    <h2 id="board-title">The debate over ${papers.length === 1 ? "the paper" : "the papers"}</h2>
    <p>${
    papers.map(({ id, title }, at) =>
      html`${at === 0 ? "" : ", "}<a href="/papers/${id}">${own(title)}</a>`
    )
  }</p>
    ${steps(state, start.configuration.question !== undefined)}
    ${state === "selecting_question" ? pickForm(sight) : chosenQuestion(facts)}
    ${state === "completed" ? "" : matter(sight)}
  </section>`;
}

/** Nothing is asked or picked where the question was given. */
function steps(state: PaperState, isGiven: boolean): Markup {
  const all = isGiven ? STEPS.slice(2) : STEPS;
  const at = state === "completed" ? all.length : all.findIndex(([each]) => each === state);
  return html`<ol class="steps" aria-label="Steps">${
    all.map(([, words], index) =>
      html`
        <li data-step="${at === -1
          ? "unknown"
          : index < at
          ? "done"
          : index === at
          ? "now"
          : "next"}" ${index === at
          ? html`
            aria-current="step"
          `
          : ""}>${words}${index < at ? html`<span class="unseen">, done</span>` : ""}</li>
      `
    )
  }</ol>`;
}

function chosenQuestion(facts: readonly Fact[]): Markup | "" {
  const question = messagesOf(facts, "question").at(-1)?.body;
  return question === undefined
    ? ""
    : html`<p class="question" dir="auto"><strong>${question}</strong></p>`;
}

/** A person picks one of the questions, or writes one; nothing to pick while they are not waited for. */
function pickForm({ id, standing, convening: { facts, result } }: ConveningSight): Markup {
  const questions = questionsIn(messagesOf(facts, "questions").at(-1)?.body ?? "");
  const [waited] = result.waitingFor ?? [];
  if (standing !== "waiting" || waited === undefined) {
    return html`<ol class="questions">${
      questions.map((each) => html`<li dir="auto">${each}</li>`)
    }</ol>`;
  }
  return html`
    <form class="turn" method="post" action="/convenings/${id}/actions/pick"
      data-draft="${id}/pick">
      <input type="hidden" name="as" value="${waited.participant}" />
      <fieldset><legend>Which question is debated?</legend>
          ${questions.map((each, at) =>
            html`
              <label
                class="choice"><input type="radio" name="pick" value="${at + 1}"${at === 0
                  ? html`
                    checked
                  `
                  : ""} /> <span dir="auto">${each}</span></label>
            `
          )}
          <label class="choice"><input type="radio" name="pick" value="own" /> <span>A question of your own:</span></label>
          <label>Your question
            <textarea name="own" rows="2" maxlength="1000"></textarea></label>
        </fieldset>
      <button type="submit">Debate it</button>
    </form>
  `;
}

function matter({ convening: { start, facts }, spoken }: ConveningSight): Markup | "" {
  const { postures, topics } = posturesIn(messagesOf(facts, "postures")[0]?.body ?? "");
  if (postures.length === 0) return "";
  const debaters = start.participants.filter(({ role }) => role === "debater");
  return html`
    <div class="columns">
      <div>
        <h3>Topics</h3>
        <ol>${topics.map((each) => html`<li dir="auto">${each}</li>`)}</ol>
      </div>
      <div>
        <h3>Debaters</h3>
        <ul class="debaters" role="list">${debaters.slice(0, postures.length).map((
          { id, name },
          at,
        ) =>
          debater(facts, {
            id,
            name,
            posture: postures[at] ?? "",
            side: sideOf(start, id),
            said: spoken.find(({ turn }) => turn.participant === id)?.text,
          })
        )}</ul>
      </div>
    </div>
  `;
}

function debater(
  facts: readonly Fact[],
  { id, name, posture, side, said }: {
    readonly id: string;
    readonly name: string;
    readonly posture: string;
    readonly side: number | undefined;
    /** What is being said; absent where nothing is. */
    readonly said: string | undefined;
  },
): Markup {
  const speech = messagesOf(facts, "argument").find(({ participant }) => participant === id);
  const failure = facts.find((fact) =>
    fact.type === "failure" && fact.participant === id && fact.turn.startsWith("argument/")
  );
  const evidence = facts.find((fact) => fact.type === "evidence" && fact.seq === speech?.seq);
  const status = speech !== undefined
    ? "complete"
    : said !== undefined
    ? "running"
    : failure !== undefined
    ? "error"
    : "idle";
  const first = evidence?.type === "evidence" ? evidence.perTopic[0] : undefined;
  return html`
    <li data-debater="${id}" data-status="${status}" data-side="${side ?? 0}">
      <p><strong>${own(
        name,
      )}</strong> <span class="badge" data-standing="${status}">${STATUS_WORDS[
        status
      ]}</span>${evidence?.type === "evidence"
        ? html`
          <span class="note">${figuresWords(figuresOf(evidence))}</span>
        `
        : ""}</p>
      <p class="position" dir="auto">${posture}</p>
      <p class="preview" dir="auto">${failure?.type === "failure" && status === "error"
        ? failure.message
        : first !== undefined
        ? html`<strong>${first.topic}:</strong> ${first.claim}`
        : preview(speech?.body ?? said ?? "")}</p>
    </li>
  `;
}

const STATUS_WORDS = {
  idle: "has not argued",
  running: "at work",
  complete: "has argued",
  error: "failed",
} as const;
