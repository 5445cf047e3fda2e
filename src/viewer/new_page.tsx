// The page with the form that starts a convening.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import type { Kind } from "../engine/kind.ts";
import type { Catalogue } from "../compose.ts";
import { PERSONAS } from "../inputs/personas.ts";
import type { Markup } from "../record/html/markup.tsx";
import { kindWords } from "../record/transcript_outline.ts";
import {
  type Choices,
  errorSummary,
  field,
  type FormState,
  planPart,
  type SentForm,
  settingFields,
  type ShownPlan,
} from "./form_fields.tsx";
import {
  fieldName,
  formSettings,
  kindIn,
  MOST_ROWS,
  rowsIn,
  usualName,
} from "./new_configuration.ts";
import { type Page, page } from "./page.tsx";

/** The form that starts a convening of one kind; `form` is the form as it was sent. */
export function newPage(
  form: SentForm,
  { kinds, plan }: Pick<Catalogue, "kinds"> & { readonly plan: ShownPlan },
): Page {
  const kind = kindIn(form.values);
  const settings = formSettings(kind, { kinds });
  const name = kindWords(kind).toLowerCase();
  return page({
    title: `New ${name}`,
    at: "new",
    body: (
      <>
        <h1>{`New ${name}`}</h1>
        <nav class="kinds" aria-label="Kind of convening">
          {[...kinds.values()].map((each) => (
            <a
              href={each.name === "paper-debate" ? "/papers" : `/new?kind=${each.name}`}
              aria-current={each.name === kind ? "page" : undefined}
            >
              <strong>{kindWords(each.name)}</strong> <span class="note">{each.summary}</span>
            </a>
          ))}
        </nav>
        {errorSummary(form)}
        <form class="start" method="post" action="/new">
          <input type="hidden" name="kind" value={kind} />
          <button type="submit" class="unseen" tabindex={-1} aria-hidden="true">Start</button>
          <section class="card" aria-label="Topic">
            {field(form, {
              ...{ name: "topic", label: "Topic", note: "A question or a claim." },
              ...{ required: true, least: 10, most: 200 },
            })}
          </section>
          {participantRows(form, kind, kinds.get(kind))}
          <section class="card" aria-labelledby="how">
            <h2 id="how">Rules</h2>
            <div class="columns">
              {settingFields(form, settings, "rules")}
              {kind === "debate" &&
                field(form, { name: "judges", label: "Judges", choices: JUDGES })}
            </div>
          </section>
          {moreFields(form, kind, settings)}
          {planPart(plan, "/new")}
          <button type="submit" class="go">{`Start the ${name}`}</button>
        </form>
      </>
    ),
  });
}

const JUDGES: Choices = [
  ["", "Usual: one"],
  ["2", "Two"],
  ["3", "Three"],
  ["5", "Five"],
  ["0", "None: nobody wins"],
];

/** The fields with defaults that fit most convenings; open if one of them has a value or an error. */
function moreFields(
  form: FormState,
  kind: string,
  settings: ReturnType<typeof formSettings>,
): Markup {
  const names = settings.filter(([, row]) => row.form.part === "more")
    .map(([path, row]) => fieldName(path, row.form));
  return (
    <details class="card more" open={isFilled(form, [...names, "judgeModel", "background"])}>
      <summary>
        <h2>Models, limits and more</h2>
      </summary>
      <div class="columns">
        {settingFields(form, settings, "more")}
        {kind === "debate" && field(form, {
          ...{ name: "judgeModel", label: "Model of the judges", placeholder: "The same" },
        })}
      </div>
      {field(form, {
        ...{ name: "background", label: "Background text", rows: 4 },
        note: "Quoted to all participants.",
      })}
    </details>
  );
}

function isFilled({ values, errors }: FormState, names: readonly string[]): boolean {
  return names.some((name) => (values[name] ?? "") !== "" || errors.has(name));
}

/** The participants, a group of fields each, with buttons that add and remove rows. */
function participantRows(form: FormState, kind: string, about?: Kind): Markup {
  const rows = rowsIn(form.values);
  const two = kind === "debate" ? "two models, one for and one against" : "two models";
  const usual = about?.participants?.map(({ name }) => name).join(" and ") ?? two;
  return (
    <section class="card" aria-labelledby="who">
      <h2 id="who">Participants</h2>
      <p class="note">
        {`Leave this empty for ${usual}.`}
      </p>
      <input type="hidden" name="rows" value={rows} />
      <div class="people">
        {Array.from({ length: rows }, (_, row) => participantRow(form, kind, row))}
      </div>
      {rows < MOST_ROWS && (
        <button type="submit" class="second" name="change" value="add" formnovalidate>
          Add a participant
        </button>
      )}
    </section>
  );
}

const SPEAKERS: Choices = [["", "A model"], ["person", "A person: you"]];

function participantRow(form: FormState, kind: string, row: number): Markup {
  const name = (part: string) => `p${row}.${part}`;
  const isDebate = kind === "debate";
  const [label, position] = isDebate ? ["Side", "Position"] : ["Participant", "Standpoint"];
  const placeholder = isDebate ? ["For", "Against"][row] : "None";
  return (
    <fieldset class="person" data-side={row % 6 + 1}>
      <legend>{`${label} ${row + 1}`}</legend>
      {field(form, {
        ...{ name: name("name"), label: "Name", placeholder: usualName(kind, row), most: 80 },
      })}
      {field(form, { name: name("who"), label: "Spoken by", choices: SPEAKERS })}
      {field(form, { name: name("position"), label: position!, placeholder })}
      <details open={isFilled(form, ["model", "persona", "instructions"].map(name))}>
        <summary>
          Model, persona, instructions<span class="unseen">{` of ${row + 1}`}</span>
        </summary>
        {field(form, { name: name("model"), label: "Model", placeholder: "That of all" })}
        {field(form, {
          ...{ name: name("persona"), label: "Persona", list: PERSONAS },
          note: `${PERSONAS.join(", ")}, or a description of their style`,
        })}
        {field(form, {
          ...{ name: name("instructions"), label: "Instructions", rows: 3 },
          note: "Added to their system prompt.",
        })}
      </details>
      {rowsIn(form.values) > 2 && (
        <button
          type="submit"
          class="quiet"
          name="change"
          value={`remove-${row}`}
          formnovalidate
        >
          Remove<span class="unseen">{` ${row + 1}`}</span>
        </button>
      )}
    </fieldset>
  );
}
