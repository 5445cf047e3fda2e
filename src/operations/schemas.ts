// The published JSON schemas, by name.
import { z } from "zod";
import { configSchema } from "../config/config.ts";
import { reportSchema } from "../papers/text/report_schema.ts";
import { FACT_ROWS } from "../record/codec.ts";
import { FILE_SCHEMAS } from "../record/fact_reader.ts";

/** A JSON Schema (draft 2020-12) of something this project reads or writes. */
interface PublishedSchema {
  /** Such as `report`. */
  readonly name: string;
  /** The described thing, one line. */
  readonly about: string;
  /** The schema itself, with `$schema`, `title` and `description`. */
  toJSON(): Readonly<Record<string, unknown>>;
}

/** Options of the schemas: rules that JSON Schema cannot say are left open. */
const INPUT = { io: "input", unrepresentable: "any" } as const;

/** Every schema: of the report of a paper debate, of configurations, and of the front matter of each type of file. */
export function publishedSchemas(): readonly PublishedSchema[] {
  return [
    published(
      "report",
      "report.json, the report of a paper debate",
      () => reportSchema.toJSONSchema(INPUT),
    ),
    published(
      "configuration",
      "a configuration: a YAML file, or the options of the library",
      () => configSchema.toJSONSchema(INPUT),
    ),
    ...Object.entries(FILE_SCHEMAS).map(([type, schema]) =>
      published(type, `the front matter of ${placeOf(type)}`, () => z.toJSONSchema(schema, INPUT))
    ),
  ];
}

function published(name: string, about: string, schemaOf: () => object): PublishedSchema {
  return {
    name,
    about,
    toJSON: () => {
      const { $schema, ...rest } = Object.fromEntries(Object.entries(schemaOf()));
      return { $schema, title: name, description: about, ...rest };
    },
  };
}

function placeOf(type: string): string {
  const folder = FACT_ROWS.find((row) => row.type === type)?.folder;
  return folder === undefined ? `${type}.md` : `a file in ${folder}/`;
}
