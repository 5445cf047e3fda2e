// Lists the kinds of convenings with the schemas of their configurations, and the published JSON schemas.
import { z } from "zod";
import { BUILT_IN, type Catalogue } from "../compose.ts";
import { ConveningError } from "../core/error.ts";
import { jsonSchemaOf } from "../core/schema.ts";
import { didYouMean } from "../core/text.ts";
import { objectIn } from "../core/values.ts";
import { reportSchema } from "../papers/text/debate_report.ts";
import { FACT_ROWS } from "../record/codec.ts";
import { fileSchemas } from "../record/read.ts";
import { configurationShape, configurationShapes } from "./client_configuration.ts";
import { LISTING, type Operation, operation } from "./operation.ts";
import { NAME, named } from "./outputs.ts";

export const LIST_KINDS: Operation = operation({
  ...LISTING,
  name: "list_kinds",
  summary: "Lists the kinds of convenings, each with the schema of its configuration, and the " +
    "kinds of facts that the library adds.",
  tags: ["server"],
  path: "/api/kinds",
  errors: ["not_found"],
  input: z.strictObject({
    kind: NAME.optional().describe("Only the kind of this name, with its whole schema."),
    keysOnly: z.boolean().default(false).describe(
      "Whether schemas have only the names of their keys; all whole ones have some 20,000 tokens.",
    ),
  }),
  output: named(
    "Kinds",
    z.object({
      kinds: z.array(z.object({
        name: z.string(),
        summary: z.string(),
        configuration: z.looseObject({}).describe("The JSON schema of what a client may send."),
      })),
      facts: z.array(z.string()).describe("Kinds of facts whose values verification checks."),
    }),
  ),
  tool: {
    title: "List the kinds",
    about: "The kinds of convenings that run holds, those of this server's own too, each with a " +
      "summary and the keys of its configuration; and the server's own kinds of facts. With " +
      "`kind`, that kind with the JSON schema of its configuration: every setting, described.",
    input: {
      keysOnly: z.boolean().default(true).describe(
        "Whether schemas have only the names of their keys, where no `kind` is given.",
      ),
    },
  },
  run({ catalogue = BUILT_IN }, { kind, keysOnly }) {
    const rows = [...catalogue.kinds.values()]
      .filter(({ name }) => kind === undefined || name === kind);
    if (rows.length === 0) {
      const names = [...catalogue.kinds.keys()];
      throw new ConveningError("not_found", `Cannot find kind "${kind}"`, {
        field: "kind",
        hint: `${didYouMean(kind ?? "", names)}Kinds: ${names.join(", ")}.`,
      });
    }
    const kinds = rows.map(({ name, summary }) => {
      const whole = configurationShape(name, catalogue.settings);
      const keys = Object.keys(objectIn(whole["properties"])).map((key) => [key, {}]);
      const isShort = keysOnly && kind === undefined;
      const configuration = isShort ? { ...whole, properties: Object.fromEntries(keys) } : whole;
      return { name, summary, configuration };
    });
    return Promise.resolve({ kinds, facts: [...catalogue.facts.keys()] });
  },
});

interface PublishedSchema {
  /** Name on the command line, such as `report`. */
  readonly name: string;
  /** Description of the file or configuration, one line. */
  readonly about: string;
  /** Returns the schema with `$schema`, `title` and `description`. */
  toJSON(): Readonly<Record<string, unknown>>;
}

/** Returns the schemas of a paper debate's report, of configurations of the catalogue's kinds, and of the front matter of each type of file. */
export function publishedSchemas({ settings }: Catalogue = BUILT_IN): readonly PublishedSchema[] {
  const files = Object.entries(fileSchemas()).map(([type, schema]) => {
    const folder = FACT_ROWS.find((row) => row.type === type)?.folder;
    const file = folder === undefined ? `${type}.md` : `a file in ${folder}/`;
    return [type, `the front matter of ${file}`, () => jsonSchemaOf(schema)] as const;
  });
  const rows: readonly (readonly [name: string, about: string, schemaOf: () => object])[] = [
    ["report", "report.json, the report of a paper debate", () => jsonSchemaOf(reportSchema)],
    [
      "configuration",
      "a configuration: a YAML file, or the options of the library",
      () => configurationShapes(settings),
    ],
    ...files,
  ];
  return rows.map(([name, about, schemaOf]) => ({
    name,
    about,
    toJSON() {
      const { $schema, ...rest } = objectIn(schemaOf());
      return { $schema, title: name, description: about, ...rest };
    },
  }));
}
