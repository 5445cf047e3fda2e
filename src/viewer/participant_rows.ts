import { html } from "hono/html";
import { PERSONAS } from "../inputs/personas.ts";
import { areaField, choiceField, type Choices, type FormState, textField } from "./form_fields.ts";
import { MOST_ROWS, type NewKind, rowsIn, usualName } from "./new_configuration.ts";
import type { Markup } from "./page.ts";

/** Those who take part, a group of fields each, and buttons for more and for less. */
export function participantRows(form: FormState, kind: NewKind): Markup {
  const rows = rowsIn(form.values);
  return html`<section class="card" aria-labelledby="who">
    <h2 id="who">Who takes part</h2>
    <p class="note">Leave it as it is for two models${
    kind === "debate" ? ", one for and one against" : ""
  }.</p>
    <input type="hidden" name="rows" value="${rows}" />
    <div class="people">${
    Array.from({ length: rows }, (_, row) => participantRow(form, { kind, row, rows }))
  }</div>
    ${
    rows >= MOST_ROWS ? "" : html`
      <button type="submit" class="second" name="change" value="add"
        formnovalidate>Add a participant</button>
    `
  }
  </section>`;
}

const SPEAKERS: Choices = [["", "A model"], ["person", "A person: you"]];
const MORE = ["model", "persona", "instructions"];

function participantRow(
  form: FormState,
  { kind, row, rows }: { readonly kind: NewKind; readonly row: number; readonly rows: number },
): Markup {
  const name = (part: string) => `p${row}.${part}`;
  const isOpen = MORE.some((part) =>
    (form.values[name(part)] ?? "") !== "" || form.errors.has(name(part))
  );
  return html`<fieldset class="person" data-side="${row % 6 + 1}">
    <legend>${kind === "debate" ? "Side" : "Participant"} ${row + 1}</legend>
    ${
    textField(form, {
      name: name("name"),
      label: "Name",
      placeholder: usualName(kind, row),
      most: 80,
    })
  }
    ${choiceField(form, { name: name("who"), label: "Spoken by", choices: SPEAKERS })}
    ${
    textField(form, {
      name: name("position"),
      label: kind === "debate" ? "Position" : "Standpoint",
      placeholder: kind === "debate" ? ["For", "Against"][row] ?? "" : "None",
    })
  }
    <details ${isOpen ? html`open` : ""}>
      <summary>Model, persona, instructions<span class="unseen"> of ${row + 1}</span></summary>
      ${textField(form, { name: name("model"), label: "Model", placeholder: "That of all" })}
      ${
    textField(form, {
      name: name("persona"),
      label: "Persona",
      note: `${PERSONAS.join(", ")}, or in your own words how they speak`,
      list: PERSONAS,
    })
  }
      ${
    areaField(form, {
      name: name("instructions"),
      label: "Instructions",
      note: "What they are told besides: a part of their system prompt.",
    })
  }
    </details>
    ${
    rows <= 2 ? "" : html`
      <button type="submit" class="quiet" name="change" value="remove-${row}"
        formnovalidate>Remove<span
              class="unseen"> ${row + 1}</span></button>
    `
  }
  </fieldset>`;
}
