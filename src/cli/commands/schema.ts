import { ConfigurationError } from "../../core/error.ts";
import { type PublishedSchema, publishedSchemas } from "../../operations/schemas.ts";
import type { CommandAction, Reply } from "../command.ts";

/** `schema [name]`. */
export const SCHEMA: CommandAction = {
  flags: [],
  run: ({ args: [name] }) => {
    const schemas = publishedSchemas();
    return Promise.resolve(name === undefined ? listReply(schemas) : schemaReply(name, schemas));
  },
};

function listReply(schemas: readonly PublishedSchema[]): Reply {
  const width = Math.max(...schemas.map(({ name }) => name.length));
  const lines = schemas.map(({ name, about }) => `${name.padEnd(width)}  ${about}`);
  return {
    code: 0,
    json: { schemas: schemas.map(({ name, about }) => ({ name, about })) },
    text: `${lines.join("\n")}\n`,
  };
}

function schemaReply(name: string, schemas: readonly PublishedSchema[]): Reply {
  const found = schemas.find((each) => each.name === name);
  if (found === undefined) {
    throw new ConfigurationError(
      `Cannot print schema ${JSON.stringify(name.slice(0, 80))}: there is none of that name`,
      { field: "name", hint: `Names: ${schemas.map((each) => each.name).join(", ")}.` },
    );
  }
  const json = found.toJSON();
  return { code: 0, json, text: `${JSON.stringify(json, null, 2)}\n` };
}
