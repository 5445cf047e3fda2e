import { html } from "hono/html";
import { DEBATE_FORMATS, FACT_CHECK_MODES, PRESET_NAMES } from "../../core/config.ts";
import type { DebateConfig } from "../../core/convening_config.ts";
import { defined } from "../../core/defined.ts";
import { headingWords } from "../../output/transcript_outline.ts";
import { type Markup, page } from "./page.ts";

/** What was filled in, by the fields' names. */
export type Fields = Readonly<Record<string, string>>;

/** The form that begins a debate, filled in as it was sent where that could not be done. */
export function newPage(
  { values = {}, model, notice = "" }: {
    readonly values?: Fields | undefined;
    /** The model where none is named. */
    readonly model: string;
    readonly notice?: Markup | "" | undefined;
  },
): Markup {
  return page({
    title: "New debate",
    at: "new",
    body: html`
      <h1>New debate</h1>${notice}
            <form class="card start" method="post" action="/new">
        <label>Topic ${topicInput(values)}</label>
        <p class="note" id="topic-note">A question or a claim, 10 to 200 characters.</p>
        <div class="columns">${[
          textField(values, { name: "first", label: "First side", placeholder: "For" }),
          textField(values, { name: "second", label: "Second side", placeholder: "Against" }),
        ]}</div>
        <div class="columns">${settings(values, model)}</div>
        <button type="submit">Start the debate</button>
      </form>
            <p class="note">Papers are debated from <a href="/papers">their own page</a>.</p>
    `,
  });
}

function settings(values: Fields, model: string): readonly Markup[] {
  const choices = (ids: readonly string[]): Choices =>
    ids.map((id) => [id, headingWords(id.replace("-", " "))]);
  return [
    numberField(values, { name: "rounds", label: "Rounds", usual: "3", most: 20 }),
    choiceField(values, { name: "format", label: "Format", choices: choices(DEBATE_FORMATS) }),
    choiceField(values, {
      name: "preset",
      label: "Preset",
      choices: [["", "None"], ...choices(PRESET_NAMES)],
    }),
    choiceField(values, { name: "judges", label: "Judges", choices: choices(["1", "2", "3"]) }),
    choiceField(values, {
      name: "factCheck",
      label: "Fact checks",
      choices: choices(FACT_CHECK_MODES),
    }),
    choiceField(values, { name: "person", label: "You speak for", choices: PERSONS }),
    textField(values, { name: "model", label: "Model", placeholder: model }),
    numberField(values, { name: "seed", label: "Seed", most: 4_294_967_295 }),
  ];
}

/** Values with the words for them; the first one is chosen where nothing else is. */
type Choices = readonly (readonly [id: string, words: string])[];

const PERSONS: Choices = [
  ["", "Nobody: you watch"],
  ["first", "The first side"],
  ["second", "The second side"],
];

function topicInput({ topic = "" }: Fields): Markup {
  return html`
    <input type="text" name="topic" required minlength="10" maxlength="200"
      value="${topic}" dir="auto" aria-describedby="topic-note" />
  `;
}

function textField(
  values: Fields,
  { name, label, placeholder }: {
    readonly name: string;
    readonly label: string;
    readonly placeholder: string;
  },
): Markup {
  return html`<label>${label} <input type="text" name="${name}" maxlength="500" dir="auto"
    value="${values[name] ?? ""}" placeholder="${placeholder}" /></label>`;
}

function numberField(
  values: Fields,
  { name, label, usual = "", most }: {
    readonly name: string;
    readonly label: string;
    readonly usual?: string | undefined;
    readonly most: number;
  },
): Markup {
  return html`<label>${label} <input type="number" name="${name}" min="0" max="${most}"
    value="${values[name] ?? usual}" /></label>`;
}

function choiceField(
  values: Fields,
  { name, label, choices }: {
    readonly name: string;
    readonly label: string;
    readonly choices: Choices;
  },
): Markup {
  const option = ([id, words]: Choices[number]) =>
    id === values[name]
      ? html`<option value="${id}" selected>${words}</option>`
      : html`<option value="${id}">${words}</option>`;
  return html`<label>${label} <select name="${name}">${choices.map(option)}</select></label>`;
}

/** The debate that a filled-in form describes; the library says what else is wrong with it. */
export function debateOf(values: Fields): DebateConfig {
  const text = (name: string) => (values[name] ?? "").trim();
  const number = (name: string) => text(name) === "" ? undefined : Number(text(name));
  const model = text("model");
  const judges = Math.max(1, number("judges") ?? 1);
  const preset = PRESET_NAMES.find((each) => each === text("preset"));
  const format = DEBATE_FORMATS.find((each) => each === text("format"));
  return defined({
    kind: "debate" as const,
    topic: text("topic"),
    preset,
    // Where a preset has a say, only what differs from the form's usual is said.
    roundCount: preset !== undefined && text("rounds") === "3" ? undefined : number("rounds"),
    debateFormat: preset !== undefined && format === "formal" ? undefined : format,
    judges: judges === 1 ? undefined : Array.from({ length: judges }, () => ({})),
    factCheck: factCheckOf(text("factCheck"), preset),
    model: model === "" ? undefined : model,
    seed: number("seed"),
    ...sidesOf(values),
  }) as DebateConfig;
}

function factCheckOf(mode: string, preset: string | undefined): DebateConfig["factCheck"] {
  if (mode === "standard" || mode === "strict") return { mode };
  return preset === undefined ? { mode: "off" } : undefined;
}

function sidesOf(values: Fields): Partial<DebateConfig> {
  const [first, second] = ["first", "second"].map((name) => (values[name] ?? "").trim());
  const { person = "" } = values;
  if (person === "first" || person === "second") {
    return {
      participants: [
        {
          name: person === "first" ? "You" : "Advocate A",
          position: first || "For",
          ...human(person === "first"),
        },
        {
          name: person === "second" ? "You" : "Advocate B",
          position: second || "Against",
          ...human(person === "second"),
        },
      ],
    };
  }
  if (first === "" && second === "") return {};
  return { positions: [first || "For", second || "Against"] };
}

function human(is: boolean): { readonly model?: string } {
  return is ? { model: "human" } : {};
}
