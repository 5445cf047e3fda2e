// Misspelt and missing values are refused in plain words at every door: HTTP, sockets and MCP.
import { TOOLS } from "../../src/mcp/tools.ts";
import { checkInput } from "../../src/operations/operation.ts";
import { apiRoutes } from "../../src/server/api.ts";
import { clientMessage } from "../../src/server/socket.ts";
import { withTalkers } from "./support/talking_app.ts";
import assert from "node:assert/strict";

const NAMES = { whole: "message", part: "field" };
/** How the package that checks begins its own sentences. */
const RAW = /Invalid |Too (?:small|big)|Unrecognized|expected |received /;

/** The error that an input is refused with. */
function refusalOf(schema: Parameters<typeof checkInput>[0], input: unknown) {
  try {
    checkInput(schema, input, NAMES);
  } catch (error) {
    return JSON.parse(JSON.stringify(error));
  }
  throw new Error("It was not refused.");
}

Deno.test("a misspelt value of a query is met with the value that was meant, and all that are allowed", async () => {
  await withTalkers(async ({ get, post }) => {
    const { error } = (await get("/api/convenings?status=runing")).body;
    assert.equal(error.message, 'Cannot use status: "runing" is not allowed');
    assert.match(error.hint, /^Did you mean "running"\? Allowed: queued, running, /);
    const { error: small } = (await post("/api/topics", { subject: "" })).body;
    assert.equal(small.hint, "Give a text that is not empty.");
    const { error: missing } = (await post("/api/topics", {})).body;
    assert.equal(missing.message, "Cannot use the body: subject is missing");
    assert.equal(missing.hint, "Give a text.");
    const paper = { kind: "paper-debate", question: "Do trees cool streets?" };
    const { error: ids } = (await post("/api/convenings", paper)).body;
    assert.deepEqual([ids.field, ids.hint], ["paperIds", "Give a list."]);
  });
});

Deno.test("a socket's message of no known type is told which types there are", () => {
  const { field, message, hint } = refusalOf(clientMessage, { type: "interjekt", text: "Hm." });
  assert.deepEqual([field, message], ["type", 'Cannot use type: "interjekt" is not allowed']);
  assert.equal(hint, 'Did you mean "interject"? Allowed types: say, interject, pause');
  assert.equal(
    refusalOf(clientMessage, { type: "say", txt: "Hm." }).fields[0].hint,
    'Did you mean "text"? Allowed here: type, id, text, participant, request',
  );
});

Deno.test("no door tells of a value in the words of the package that checks", () => {
  const inputs = [...apiRoutes(), ...TOOLS].map(({ input }) => input);
  for (const input of inputs) {
    for (const wrong of [undefined, {}, "", -1]) {
      const given = Object.fromEntries(Object.keys(input.shape).map((key) => [key, wrong]));
      if (input.safeParse(given).success) continue;
      const { message, hint } = refusalOf(input, given);
      assert.doesNotMatch(`${message} ${hint}`, RAW);
    }
  }
});
