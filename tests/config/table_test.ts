// Adding a setting takes one row: the key exists in library, CLI, HTTP and forms.
import assert from "node:assert/strict";
import { z } from "zod";
import { kindFlags } from "../../src/cli/flags.ts";
import { FlagValues } from "../../src/cli/flag.ts";
import { flagSettings } from "../../src/cli/settings.ts";
import type {
  ConsensusConfig,
  DebateConfig,
  DialogueConfig,
  PaperDebateConfig,
} from "../../src/config/convening_config.ts";
import {
  defaultsOf,
  type Kind,
  resumeShape,
  schemaOf,
  type Setting,
  type Settings,
  SHAPE,
} from "../../src/config/setting.ts";
import { recordedKeys, SETTINGS } from "../../src/config/settings.ts";
import { configSchema, ConfigurationError } from "../../mod.ts";
import { defineKind } from "../../protocol.ts";
import { settingFields } from "../../src/viewer/forms.tsx";
import { configurationOf, formSettings, refusalOf } from "../../src/viewer/sent_forms.ts";

/** A setting that no program has. */
const APPLAUSE: Setting = {
  about: "The seconds of applause after a round.",
  schema: z.int().min(0).max(60),
  kinds: ["debate"],
  defaults: { debate: 5 },
  recorded: true,
  resume: true,
  flag: { is: "--applause <n>", group: SHAPE, about: "how long a round is applauded" },
  form: { part: "rules", label: "Applause", placeholder: "5" },
};
const TABLE: Settings = { ...SETTINGS, applause: APPLAUSE };

Deno.test("a new setting takes one row: schema, default, record, resume, flag and form field follow", () => {
  const debate = schemaOf(TABLE, "debate");
  assert.equal(debate.safeParse({ kind: "debate", topic: "", applause: 61 }).success, false);
  assert.equal(debate.safeParse({ kind: "debate", topic: "", applause: 60 }).success, true);
  const { properties = {} } = z.toJSONSchema(debate, { io: "input", unrepresentable: "any" });
  assert.deepEqual(properties["applause"], {
    type: "integer",
    minimum: 0,
    maximum: 60,
    description: "The seconds of applause after a round. Default: 5.",
  });
  const dialogue = schemaOf(TABLE, "dialogue");
  assert.equal(dialogue.safeParse({ kind: "dialogue", topic: "", applause: 1 }).success, false);

  assert.equal(defaultsOf(TABLE, "debate")["applause"], 5);
  assert.ok(recordedKeys(TABLE).includes("applause"));
  assert.ok("applause" in resumeShape(TABLE));

  const flags = kindFlags("debate", TABLE);
  const flag = flags.find(({ name }) => name === "--applause");
  assert.equal(flag?.group, "The debate:");
  const values = new FlagValues();
  values.add(flag!, "7");
  assert.deepEqual(flagSettings(values), { applause: 7 });
  assert.ok(!kindFlags("dialogue", TABLE).some(({ name }) => name === "--applause"));

  const form = { values: { kind: "debate", topic: "Trams", applause: "7" }, errors: new Map() };
  const settings = formSettings("debate", { settings: TABLE });
  const page = settingFields(form, settings, "rules").join("");
  assert.match(page, /<input type="number"[^>]*name="applause"[^>]*value="7"/);
  assert.match(page, /max="60"/);
  assert.equal(configurationOf(form.values, { settings: TABLE })["applause"], 7);
});

Deno.test("a list of texts of an own kind has a field with a line for each text, and an error of a text is shown there", () => {
  const options = z.array(z.string().min(2)).describe("What to choose from.").default([
    "Yes",
    "No",
  ]);
  const create = () => assert.fail("not made");
  const kind = defineKind({ name: "poll", summary: "", settings: { options }, create });
  const kinds = new Map([["poll", kind]]);
  const values = { kind: "poll", topic: "Trams", options: "Tea, green\r\n\n x \n" };
  const settings = formSettings("poll", { kinds });
  const error = new ConfigurationError("Cannot use options.1", { field: "options.1" });
  const form = refusalOf(error, { values, settings }, { out: "/out" });
  const page = settingFields(form, settings, "rules").join("");
  assert.match(page, /<textarea[^>]* name="options"[^>]* placeholder="Yes\nNo"[^>]*>Tea, green/);
  assert.match(page, />What to choose from. One on each line.<.*>Cannot use “Options”</);
  assert.deepEqual(configurationOf(values, { kinds })["options"], ["Tea, green", "x"]);
});

Deno.test("the doc comments of debates and paper debates give the defaults of the table", async () => {
  const code = await Deno.readTextFile("src/config/convening_config.ts");
  for (const [name, kind] of [["DebateConfig", "debate"], ["PaperDebateConfig", "paper-debate"]]) {
    const [body = ""] = code.split(`export interface ${name} `)[1]?.split("\n}\n") ?? [];
    const said = [
      ...body.matchAll(/@default ([^;*\n]*?)(?:;[^\n]*)?(?: \*\/|\n {3}\*\/)\n {2}(\w+)\?:/g),
    ]
      .map(([, value, key]) => [key, value] as const);
    const defaults = Object.entries(defaultsOf(SETTINGS, kind as "debate"))
      .filter(([key, value]) => typeof value !== "object" && body.includes(`  ${key}?:`))
      .map(([key, value]) => [key, JSON.stringify(value)] as const);
    assert.ok(defaults.length >= 10);
    const known = new Map(defaults);
    assert.deepEqual(new Map(said.filter(([key]) => known.has(key!))), known);
  }
});

Deno.test("every key of a configuration's JSON schema has a description, nested keys too", () => {
  const bare: string[] = [];
  look(configSchema.toJSONSchema({ io: "input", unrepresentable: "any" }), "");
  assert.deepEqual(bare, []);

  function look(schema: unknown, path: string): void {
    if (schema === null || typeof schema !== "object") return;
    for (const [key, value] of Object.entries(schema)) {
      if (key !== "properties") {
        look(value, path);
        continue;
      }
      for (const [name, property] of Object.entries<{ description?: string }>(value)) {
        if (property.description === undefined) bare.push(`${path}/${name}`);
        look(property, `${path}/${name}`);
      }
    }
  }
});

type ValueOf<R> = R extends { readonly schema: z.ZodType<infer T> } ? T : never;

type KindsOf<R> = R extends { readonly kinds: readonly (infer K)[] } ? K : Kind;

type KeysOf<T, K> = { [P in keyof T]: K extends KindsOf<T[P]> ? P : never }[keyof T];

/** Type of a kind's configuration, derived from rows. */
type ConfigurationOf<T, K extends Kind> =
  & { kind: K }
  & {
    [P in KeysOf<T, K>]: K extends NeededBy<T[P]> ? ValueOf<T[P]> : ValueOf<T[P]> | undefined;
  };

type NeededBy<R> = R extends { readonly needed: readonly (infer K)[] } ? K : never;

/** True if both types have the same keys and value types, apart from `readonly` and undefined. */
type Same<A, B> = Plain<A> extends Plain<B> ? Plain<B> extends Plain<A> ? true : never : never;
type Plain<T> = T extends readonly unknown[] | object
  ? { -readonly [K in keyof T]-?: Plain<Exclude<T[K], undefined>> }
  : T;
type Table = typeof SETTINGS;

Deno.test("the interfaces of configurations equal the table's types", () => {
  // A type error names the kind that differs.
  const same: {
    dialogue: Same<ConfigurationOf<Table, "dialogue">, DialogueConfig>;
    debate: Same<ConfigurationOf<Table, "debate">, DebateConfig>;
    consensus: Same<ConfigurationOf<Table, "consensus">, ConsensusConfig>;
    paper: Same<ConfigurationOf<Table, "paper-debate">, PaperDebateConfig>;
  } = { dialogue: true, debate: true, consensus: true, paper: true };
  assert.ok(Object.values(same).every((each) => each));
});
