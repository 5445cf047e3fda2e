import assert from "node:assert/strict";
import { ConfigurationError, parseConfig } from "../../mod.ts";
import { withValue } from "./support/key_case.ts";
import { KINDS, type Settings } from "./support/holding.ts";
import { schemaKeys } from "./support/schema_keys.ts";
import { wholeSettings } from "./support/whole.ts";

function refusalOf(settings: Settings): ConfigurationError {
  try {
    parseConfig(settings);
  } catch (error) {
    assert.ok(error instanceof ConfigurationError, String(error));
    assert.equal(error.code, "config_invalid");
    assert.ok(error.hint !== undefined && error.hint !== "", error.message);
    return error;
  }
  throw new assert.AssertionError({ message: `Accepted: ${JSON.stringify(settings)}` });
}

/** A path of the schema, as a key of one configuration. */
function keyOf(path: string): string {
  return path.replaceAll("#", "0").replaceAll("*", "odd");
}

for (const kind of KINDS) {
  const whole = wholeSettings(kind);

  Deno.test(`parseConfig() takes a ${kind} in which everything is there`, () => {
    assert.deepEqual(parseConfig(whole), whole);
  });

  const paths = schemaKeys(kind);
  for (const path of paths) {
    const key = keyOf(path);
    Deno.test(`parseConfig() refuses null for ${key} of a ${kind}: key, value, what is allowed`, () => {
      const error = refusalOf(withValue(whole, key, null));
      assert.equal(error.field, key.replaceAll("/", "."));
      assert.ok(error.message.includes(`${error.field}: null is not allowed`), error.message);
    });
  }

  const levels = new Set(
    paths.filter((path) => !path.endsWith("*")).map((path) =>
      path.slice(0, Math.max(0, path.lastIndexOf("/")))
    ),
  );
  for (const level of levels) {
    const key = keyOf(level === "" ? "oddKey" : `${level}/oddKey`);
    Deno.test(`parseConfig() refuses the key ${key} of a ${kind}, and says which there are`, () => {
      const error = refusalOf(withValue(whole, key, 1));
      assert.equal(error.field, key.replaceAll("/", "."));
      assert.ok(error.message.includes(`unknown key "${error.field}"`), error.message);
      const siblings = schemaKeys(kind).filter((path) =>
        level === "" || path.startsWith(`${level}/`)
      )
        .map((path) => path.slice(level.length).replace(/^\//, "").split("/")[0]!)
        .filter((name) => name !== "");
      for (const name of siblings) assert.ok(error.hint!.includes(name), `${name}: ${error.hint}`);
    });
  }
}
