import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { ConfigurationError } from "../../src/core/error.ts";
import { personaText } from "../../src/core/participant.ts";
import { personaNamed, PERSONAS } from "../../src/inputs/personas.ts";

describe("personaNamed()", () => {
  it("personaNamed() has the six built-in ones, each with something under every key", () => {
    assert.deepEqual(PERSONAS, [
      "scientist",
      "philosopher",
      "economist",
      "engineer",
      "lawyer",
      "historian",
    ]);
    for (const id of PERSONAS) {
      const persona = personaNamed(id);
      assert.equal(persona.id, id);
      assert.equal(persona.name.toLowerCase(), id);
      assert.ok(persona.description.length > 60 && persona.reasoningStyle!.length > 100);
      assert.ok(persona.vocabulary.length >= 6);
      assert.ok(persona.does.length >= 3 && persona.doesNot.length >= 3);
    }
  });

  it("personaNamed() gives six that share no line", () => {
    const lines = PERSONAS.flatMap((id) => personaText(personaNamed(id)).split("\n"))
      .filter((line) => !/^Do(?: not)?:$/.test(line));
    assert.equal(new Set(lines).size, lines.length);
  });

  it("personaNamed() refuses any other name, and lists its own", () => {
    for (const id of ["", "Scientist", "toString"]) {
      assert.throws(() => personaNamed(id), (error: unknown) => {
        assert.ok(error instanceof ConfigurationError);
        assert.ok(error.message.includes(`"${id}"`));
        assert.match(error.hint!, /scientist, philosopher/);
        return true;
      });
    }
  });
});
