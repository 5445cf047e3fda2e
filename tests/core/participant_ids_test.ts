// Ids that participants get from their names.
import assert from "node:assert/strict";
import { createAgent, createParticipant } from "../../mod.ts";

Deno.test("an id has the letters a to z of a name without accents, or a hash if the name has no such letters", () => {
  const agent = createAgent("offline");
  const ids = [
    "Zoë Ångström",
    "Zoe\u0308",
    "Dr. Ada (2)",
    "李雷",
    "Işıl Kılıç",
    "Søren",
    "Weiß",
    "محلل ٢",
  ].map((name) => createParticipant({ name }, agent).id);
  assert.deepEqual(ids, [
    "zoe-angstrom",
    "zoe",
    "dr-ada-2",
    "p-3a47328a",
    "is-l-k-l-c",
    "s-ren",
    "wei",
    "p-ca5bb81c",
  ]);
});
