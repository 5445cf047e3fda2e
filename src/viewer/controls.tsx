// Forms of a convening's page, which work without JavaScript: speak, steer, ask, judge again, export.
/** @jsxImportSource hono/jsx */
import { headingWords } from "../core/text.ts";
import { objectIn } from "../core/values.ts";
import type { WaitedFor } from "../core/event.ts";
import { BRIEF_FORMS, type BriefForm } from "../core/brief.ts";
import { hasEnded } from "../core/fact.ts";
import { isPickKey } from "../operations/picking.ts";
import { RUBRICS } from "../judging/scoring.ts";
import { snakeCase } from "../record/fact_row.ts";
import { bidi, type Markup, said } from "../record/html/markup.tsx";
import { kindWords } from "../record/transcript_outline.ts";
import { TRANSCRIPTS } from "../record/transcript.tsx";
import { nameOf, namesIn } from "../record/words.ts";
import { messageHref } from "./convening_parts.tsx";
import { field, settingField } from "./forms.tsx";
import { EMPTY_FORM, type Fields, type FormState, LIMIT_ROWS } from "./sent_forms.ts";
import type { ConveningView, Standing } from "./standing.tsx";

/** Returns the forms that steer a convening, by the convening's standing; none on a read-only server. */
export function controls(view: ConveningView): Markup {
  const { id, standing, start } = view;
  if (view.isReadOnly) return <section id="controls" hidden></section>;
  const canInterject = start.kind !== "paper-debate" && INTERJECTABLE.has(standing);
  const actions = [
    ...standing === "running" ? ["pause"] : [],
    ...STOPPABLE.has(standing) ? ["stop"] : [],
  ];
  return (
    <section id="controls" class="controls" aria-label="Actions">
      {turnForms(view)}
      {actions.length > 0 && (
        <div class="row">
          {actions.map((action) => (
            <form method="post" action={`/convenings/${id}/actions/${action}`}>
              <button type="submit">{headingWords(action)}</button>
            </form>
          ))}
        </div>
      )}
      {RESUMABLE.has(standing) && resumeForm(view)}
      {canInterject && interjectForm(id)}
    </section>
  );
}

const STOPPABLE: ReadonlySet<Standing> = new Set(["running", "queued", "waiting"]);
const RESUMABLE: ReadonlySet<Standing> = new Set(["paused", "stopped", "failed", "interrupted"]);
const INTERJECTABLE: ReadonlySet<Standing> = new Set(["running", "waiting", "paused", "queued"]);

/**
 * Returns a form for each person whose turn it is. A person with several open questions answers the first, as words are
 * for the first in `waitingFor`. The pick of a paper's question has another form.
 */
function turnForms(view: ConveningView): Markup {
  const { id, standing, start, tasks, waitingFor } = view;
  if (standing !== "waiting") return <></>;
  const form = (waited: WaitedFor) => {
    const { participant, turn } = waited;
    const task = tasks.get(turn);
    return (
      <form
        class="turn"
        method="post"
        action={`/convenings/${id}/actions/say`}
        data-draft={`${id}/${turn}`}
        aria-labelledby={`turn-${participant}`}
      >
        <h2 id={`turn-${participant}`}>Your turn: {bidi(nameOf(start, participant))}</h2>
        <p class="note">{turnWords(view, waited)}</p>
        {task !== undefined && (
          <details class="task" open>
            <summary>What is asked</summary>
            {said(task.replace(LAST_OF_LIST, "$1\n"))}
          </details>
        )}
        <input type="hidden" name="as" value={participant} />
        <input type="hidden" name="turn" value={turn} />
        <label>
          Your words, in plain text or markdown
          <textarea name="text" rows={8} required maxlength={20000}></textarea>
        </label>
        <p>
          <button type="submit">Say it</button>
        </p>
      </form>
    );
  };
  const isFirst = ({ participant, turn }: WaitedFor, index: number) =>
    !isPickKey(turn) &&
    waitingFor.findIndex((each) => each.participant === participant) === index;
  return <>{waitingFor.filter(isFirst).map(form)}</>;
}

/** Matches the last item of a task's list with its line end, if a line of text follows without a blank line. */
const LAST_OF_LIST = /^((?:-|\d+\.) .*\n)(?!(?:-|\d+\.) |\s)/gm;

/** Describes a person's turn, with a link to the message that the turn answers or follows; never to a withheld message. */
function turnWords(
  { id, start, convening, withheld }: ConveningView,
  { participant, turn }: WaitedFor,
): Markup {
  const known = convening.messages.filter(({ seq }) => !withheld.has(seq));
  const ids = namesIn(start);
  const steps = turn.split("/");
  // The key of a score has the number of the scored message.
  const scored = steps[0] === "score" ? known.find(({ seq }) => `${seq}` === steps[1]) : undefined;
  const words = steps.filter((each) => !ids.has(each) && each !== "after")
    .map((each) => each.replace(/[-_]/g, " "));
  const other = steps.findLast((each) => ids.has(each) && each !== participant);
  const answered = known.findLast((each) => each.participant === other);
  const last = scored ?? answered ?? known.at(-1);
  const what = headingWords(words.join(", "));
  if (last === undefined) return <>{`${what}, the first message`}</>;
  return (
    <>
      {scored !== undefined
        ? "Score of "
        : `${what}, ${answered === undefined ? "after" : "in answer to"} `}
      <a href={messageHref(id, last.seq)}>
        {`message ${last.seq}, `}
        {bidi(nameOf(start, last.participant))}
      </a>
    </>
  );
}

/** Returns the form that resumes. If a limit ended the run, the form has a field for a higher limit. */
function resumeForm({ id, start, convening, usage }: ConveningView): Markup {
  const { endReason } = convening.result;
  const limit = LIMIT_ROWS.find(([path]) => snakeCase(keyOf(path)) === endReason);
  const [path = ""] = limit ?? [];
  const given = objectIn(start.configuration["limits"])[keyOf(path)];
  // In records of earlier versions the configuration lacks a limit that was raised at a resume.
  const used = endReason === "max_turns"
    ? convening.messages.length
    : endReason === "max_cost" && usage.costUsd !== "unknown"
    ? usage.costUsd
    : 0;
  const value = 2 * Math.max(used, Number(given ?? 0)) / (limit?.[1].form.times ?? 1);
  const values = value > 0 ? { [path]: String(value) } : {};
  return (
    <form class="row resume" method="post" action={`/convenings/${id}/actions/resume`}>
      {limit !== undefined &&
        settingField({ ...EMPTY_FORM, values, scope: "limit" }, limit, { required: true })}
      <button type="submit">Resume</button>
    </form>
  );
}

/** Returns the key of a limit; in snake case, the key is the reason of an end by the limit. */
const keyOf = (path: string) => path.slice("limits.".length);

function interjectForm(id: string): Markup {
  return (
    <details class="interject">
      <summary>Interject</summary>
      <form
        method="post"
        action={`/convenings/${id}/actions/interject`}
        data-draft={`${id}/interject`}
      >
        <label>
          A remark that is heard before the next turn
          <textarea name="text" rows={3} required maxlength={20000}></textarea>
        </label>
        <button type="submit">Interject</button>
      </form>
    </details>
  );
}

/** Returns the forms and links that use a record: ask, judge again, export; only those that read on a read-only server. */
export function recordTools(view: ConveningView): Markup {
  const { id, standing, start, isReadOnly } = view;
  const isUsable = hasEnded(standing) && start.kind !== "judge-check" &&
    view.convening.messages.length > 0;
  return (
    <section class="tools" aria-labelledby="tools">
      <h2 id="tools" class="unseen">The record</h2>
      {askForm(id)}
      {!isReadOnly && isUsable && <>{briefForm(view)}{flowForm(view)}{judgeForm(view)}</>}
      {!isReadOnly && !view.isHeld && standing !== "queued" && closedForm({
        ...{ id, action: "delete", title: "Delete", button: "Move to the trash" },
        note: "The convening moves to the trash of the archive, and can be restored from there.",
      })}
      {!isReadOnly && FORM_KINDS.has(start.kind) && (
        <p>
          <a href={`/new?${new URLSearchParams({ kind: start.kind, topic: start.topic })}`}>
            {`New ${kindWords(start.kind).toLowerCase()} on this topic`}
          </a>
        </p>
      )}
      <p class="row exports">
        <span>Export the transcript:</span>
        {Object.entries(TRANSCRIPTS).map(([format, { title }]) =>
          (format !== "argdown" || start.kind === "debate") && (
            <a
              href={`/api/convenings/${id}/export?format=${format}`}
              download={format === "html" ? undefined : `${id}.${format}`}
            >
              {title}
            </a>
          )
        )}
      </p>
    </section>
  );
}

/** Kinds whose form can be filled in from a topic. */
const FORM_KINDS: ReadonlySet<string> = new Set(["debate", "dialogue", "consensus"]);

/** Returns the form that searches a record for the words of a question; the answers are on a page of their own. */
export function askForm(id: string, question = ""): Markup {
  return (
    <form class="row ask" method="get" action={`/convenings/${id}/ask`} role="search">
      <label class="grow">
        Ask the record
        <input
          type="search"
          name="q"
          value={question}
          maxlength={1000}
          required
          placeholder="What was said about …?"
          dir="auto"
        />
      </label>
      <button type="submit" class="second">Ask</button>
    </form>
  );
}

function closedForm(
  { id, action, title, slow, note, fields, button }: {
    readonly id: string;
    readonly action: string;
    readonly title: string;
    /** Text that is shown while the action runs. @default none, for a fast action */
    readonly slow?: string;
    readonly note: string;
    readonly fields?: Markup;
    readonly button: string;
  },
): Markup {
  return (
    <details class="judge">
      <summary>{title}</summary>
      <form method="post" action={`/convenings/${id}/actions/${action}`} data-slow={slow}>
        <p class="note">{note}</p>
        {fields}
        <button type="submit">{button}</button>
      </form>
    </details>
  );
}

/** Returns the state of an unsent form; `scope` keeps the ids of its fields apart. */
function ofForm(scope: string, values: Fields = {}): FormState {
  return { ...EMPTY_FORM, scope, values };
}

function briefForm({ id }: ConveningView): Markup {
  return closedForm({
    ...{ id, action: "brief", title: "Write a brief", slow: "Writing: this takes a while" },
    note:
      "One page for the person who decides. Quotations are looked up in the messages; numbers come from the record.",
    fields: (
      <div class="columns">
        {field(ofForm("brief"), {
          ...{ name: "as", label: "Form" },
          choices: BRIEF_FORMS.map((each) => [each, FORM_WORDS[each]]),
        })}
        {field(ofForm("brief"), {
          ...{ name: "model", label: "Model", placeholder: "The moderator's; offline: a template" },
        })}
      </div>
    ),
    button: "Write the brief",
  });
}

const FORM_WORDS: Readonly<Record<BriefForm, string>> = {
  memo: "Memo",
  adr: "Decision record (ADR)",
  questions: "Open questions",
};

function flowForm({ id, start }: ConveningView): Markup {
  if (start.kind !== "debate") return <></>;
  return closedForm({
    ...{ id, action: "flow", title: "Note the points", slow: "Noting: this takes a while" },
    note:
      "A model notes the points of each turn without notes. arguments.md shows the points that were answered, dropped and conceded.",
    fields: field(ofForm("flow"), {
      ...{ name: "model", label: "Model", placeholder: "The moderator's" },
    }),
    button: "Note the points",
  });
}

function judgeForm({ id, start }: ConveningView): Markup {
  const rubric = start.kind === "paper-debate" ? "conceptual" : "debate";
  return closedForm({
    ...{ id, action: "judge", title: "Judge again", slow: "Judging: this takes a while" },
    note:
      "New judges score every turn. Their result is shown next to the outcome, which does not change.",
    fields: (
      <div class="columns">
        {field(ofForm("judge", { rubric }), {
          ...{ name: "rubric", label: "Rubric" },
          choices: RUBRICS.map((each) => [each, headingWords(each.replaceAll("-", " "))]),
        })}
        {field(ofForm("judge"), {
          ...{ name: "models", label: "Models, with commas between them" },
          placeholder: String(start.configuration["model"] ?? "The convening's"),
        })}
      </div>
    ),
    button: "Judge again",
  });
}
