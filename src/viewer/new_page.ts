// The page with the form that begins a convening.
import { html } from "hono/html";
import { boundsOf, type FormRow, type Setting, type Settings } from "../config/setting.ts";
import { headingWords } from "../record/transcript_outline.ts";
import { RUBRICS } from "../judging/rubrics.ts";
import {
  areaField,
  choiceField,
  type Choices,
  errorSummary,
  type FormState,
  numberField,
  type SentForm,
  textField,
} from "./form_fields.ts";
import { fieldName, formRows, kindIn, NEW_KINDS, type NewKind } from "./new_configuration.ts";
import { participantRows } from "./participant_rows.ts";
import { type Markup, type Page, page } from "./page.ts";

/** What a form is shown with. */
interface NewPageOptions extends SentForm {
  /** The model where none is named. */
  readonly model: string;
}

/** The form that begins a convening, a kind at a time; filled in as it was sent where that could not be done. */
export function newPage(form: NewPageOptions): Page {
  const kind = kindIn(form.values);
  return page({
    title: `New ${kind}`,
    at: "new",
    body: html`
      <h1>New ${kind}</h1>
      ${kindLinks(kind)}
      ${errorSummary(form)}
      <form class="start" method="post" action="/new">
        <input type="hidden" name="kind" value="${kind}" />
        <button type="submit" class="unseen" tabindex="-1" aria-hidden="true">Start</button>
        <section class="card" aria-labelledby="what">
          <h2 id="what">What about</h2>
          ${textField(form, {
            name: "topic",
            label: "Topic",
            note: "A question or a claim, 10 to 200 characters.",
            required: true,
            least: 10,
            most: 200,
          })}
        </section>
        ${participantRows(form, kind)}
        <section class="card" aria-labelledby="how">
          <h2 id="how">How it goes</h2>
          <div class="columns">${settingFields(form, kind, "rules")}${kind === "debate"
            ? choiceField(form, { name: "judges", label: "Judges", choices: JUDGES })
            : ""}</div>
        </section>
        ${moreFields(form, kind)}
        <button type="submit" class="go">Start the ${kind}</button>
      </form>
    `,
  });
}

const KIND_WORDS: Readonly<Record<NewKind, string>> = {
  debate: "Sides argue in rounds, judges score every turn, one side wins",
  dialogue: "Several speak in turn about a topic; nobody judges",
  consensus: "Proposals are made, and stances taken, until enough agree",
};

function kindLinks(kind: NewKind): Markup {
  return html`
    <nav class="kinds"
      aria-label="Kind of convening">${NEW_KINDS.map((each) =>
        html`
          <a href="/new?kind=${each}" ${each === kind ? html`aria-current="page"` : ""}>
            <strong>${headingWords(each)}</strong> <span class="note">${KIND_WORDS[each]}</span></a>
        `
      )}<a href="/papers"><strong>Paper debate</strong> <span class="note">Debaters read a paper you upload, and
          argue from it</span></a></nav>
  `;
}

/** The fields of settings in a part of a kind's form. */
export function settingFields(
  form: FormState & { readonly model?: string },
  kind: NewKind,
  part: FormRow["part"],
  settings?: Settings,
): readonly Markup[] {
  return formRows(kind, settings).filter(([, row]) => row.form.part === part)
    .map(([path, row]) => settingField(form, path, row));
}

function settingField(
  state: FormState & { readonly model?: string },
  path: string,
  { schema, form }: Setting & { readonly form: FormRow },
): Markup {
  const { label, note, choices, most } = form;
  const placeholder = path === "model" ? state.model : form.placeholder;
  const shown = { name: fieldName(path, form), label, note, placeholder };
  if (choices !== undefined) {
    const ids = path === "rubric" ? RUBRICS.filter((each) => each !== "conceptual") : idsOf(schema);
    const words = (id: string) => choices.words?.[id] ?? headingWords(id.replaceAll("-", " "));
    return choiceField(state, {
      ...shown,
      choices: [
        ["", choices.none],
        ...ids.filter((id) => id !== choices.usual).map((id) => [id, words(id)] as const),
      ],
    });
  }
  return schema.type === "number"
    ? numberField(state, { ...shown, ...boundsOf(schema) })
    : textField(state, { ...shown, most });
}

function idsOf(schema: Setting["schema"]): readonly string[] {
  return "options" in schema && Array.isArray(schema.options) ? schema.options.map(String) : [];
}

const JUDGES: Choices = [
  ["", "Usual: one"],
  ["2", "Two"],
  ["3", "Three"],
  ["5", "Five"],
  ["0", "None: nobody wins"],
];
/** What most leave as it is; shown where something is said or wrong in it. */
function moreFields(form: NewPageOptions, kind: NewKind): Markup {
  const names = formRows(kind).filter(([, row]) => row.form.part === "more")
    .map(([path, row]) => fieldName(path, row.form));
  const isOpen = [...names, "judgeModel", "background"].some((name) =>
    (form.values[name] ?? "") !== "" || form.errors.has(name)
  );
  return html`<details class="card more" ${isOpen ? html`open` : ""}>
    <summary><h2>Models, limits and more</h2></summary>
    <div class="columns">${[
    ...settingFields(form, kind, "more"),
    ...kind === "debate"
      ? [
        textField(form, {
          name: "judgeModel",
          label: "Model of the judges",
          placeholder: "The same",
        }),
      ]
      : [],
  ]}</div>
    ${
    areaField(form, {
      name: "background",
      label: "Background text",
      note: "Quoted to all who take part.",
      rows: 4,
    })
  }
  </details>`;
}
