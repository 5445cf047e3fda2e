import { html } from "hono/html";
import { DEBATE_FORMATS, FACT_CHECK_MODES, PRESET_NAMES } from "../config/config.ts";
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
import { kindIn, NEW_KINDS, type NewKind } from "./new_configuration.ts";
import { participantRows } from "./participant_rows.ts";
import { type Markup, type Page, page } from "./page.ts";

/** What a form is shown with. */
export interface NewPageOptions extends SentForm {
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
          <div class="columns">${RULES[kind](form)}${checksField(form)}</div>
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

const RULES: Readonly<Record<NewKind, (form: FormState) => readonly Markup[]>> = {
  debate: (form) => [
    numberField(form, {
      name: "rounds",
      label: "Rounds",
      placeholder: "3, or as the preset has it",
      least: 0,
      most: 1000,
    }),
    choiceField(form, {
      name: "format",
      label: "Format",
      choices: usually("Formal", DEBATE_FORMATS),
    }),
    choiceField(form, {
      name: "preset",
      label: "Preset",
      choices: [["", "None"], ...PRESETS],
    }),
    choiceField(form, { name: "judges", label: "Judges", choices: JUDGES }),
    choiceField(form, {
      name: "rubric",
      label: "Rubric",
      choices: usually("The format's", RUBRICS.filter((each) => each !== "conceptual")),
    }),
  ],
  dialogue: (form) => [
    numberField(form, { name: "turns", label: "Turns", placeholder: "10", least: 1 }),
    choiceField(form, { name: "select", label: "Who speaks next", choices: SELECTION_WORDS }),
  ],
  consensus: (form) => [
    numberField(form, {
      name: "threshold",
      label: "Share that must agree, 0 to 1",
      placeholder: "0.8",
      least: 0,
      most: 1,
      step: "any",
    }),
    numberField(form, {
      name: "stableTurns",
      label: "Turns it must hold",
      placeholder: "3",
      least: 1,
      most: 1000,
    }),
  ],
};

/** The words for what goes without saying, then the others. */
function usually(words: string, ids: readonly string[]): Choices {
  return [
    ["", `Usual: ${words.charAt(0).toLowerCase()}${words.slice(1)}`],
    ...ids.map((id) => [id, headingWords(id.replaceAll("-", " "))] as const),
  ];
}

const PRESET_WORDS: Readonly<Record<(typeof PRESET_NAMES)[number], string>> = {
  alternating: "Alternating: each answers the other's last turn",
  "pro-con": "Pro and con: statements, reflected on before they are said",
  oxford: "Oxford: an audience's change of mind decides",
  "self-play": "Self-play: one model speaks for all sides",
};
const PRESETS: Choices = PRESET_NAMES.map((each) => [each, PRESET_WORDS[each]]);
const JUDGES: Choices = [
  ["", "Usual: one"],
  ["2", "Two"],
  ["3", "Three"],
  ["5", "Five"],
  ["0", "None: nobody wins"],
];
const SELECTION_WORDS: Choices = [
  ["", "Usual: in turn"],
  ["moderator", "Whom a moderator names"],
  ["bids", "Who wants to most"],
];
const CHECK_WORDS: Readonly<Record<(typeof FACT_CHECK_MODES)[number], string>> = {
  off: "Off",
  standard: "Claims are looked up and marked",
  strict: "What is false must be said again",
};

function checksField(form: FormState): Markup {
  return choiceField(form, {
    name: "factCheck",
    label: "Fact checks",
    choices: [
      ["", "Usual: off, or as the preset has it"],
      ...FACT_CHECK_MODES.map((each) => [each, CHECK_WORDS[each]] as const),
    ],
  });
}

const MORE = [
  "model",
  "judgeModel",
  "language",
  "seed",
  "maxTurns",
  "maxCost",
  "minutes",
  "background",
];

/** What most leave as it is; shown where something is said or wrong in it. */
function moreFields(form: NewPageOptions, kind: NewKind): Markup {
  const isOpen = MORE.some((name) => (form.values[name] ?? "") !== "" || form.errors.has(name));
  return html`<details class="card more" ${isOpen ? html`open` : ""}>
    <summary><h2>Models, limits and more</h2></summary>
    <div class="columns">${[
    textField(form, {
      name: "model",
      label: "Model of all who name none",
      placeholder: form.model,
    }),
    ...kind === "debate"
      ? [
        textField(form, {
          name: "judgeModel",
          label: "Model of the judges",
          placeholder: "The same",
        }),
      ]
      : [],
    textField(form, { name: "language", label: "Language", placeholder: "The topic's", most: 60 }),
    ...kind === "dialogue"
      ? []
      : [numberField(form, { name: "maxTurns", label: "Turns, at most", least: 1 })],
    numberField(form, { name: "maxCost", label: "US dollars, at most", least: 0, step: "any" }),
    numberField(form, { name: "minutes", label: "Minutes, at most", least: 0, step: "any" }),
    numberField(form, {
      name: "seed",
      label: "Seed",
      placeholder: "Drawn",
      note: "The same seed draws the same order again.",
      least: 0,
      most: 4_294_967_295,
    }),
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
