// Clients of the original debate interface: its shell commands and its event stream.
import assert from "node:assert/strict";
import { curlRequest } from "./support/curl_request.ts";
import { PAPER, serving, STAGES } from "./support/paper_server.ts";

const PRINTED = "http://localhost:4000";
const QUESTION = "Does the shade of trees cool a street at noon?";

/** The three documented shell commands of the original interface. */
const COMMANDS = [
  `curl -X POST ${PRINTED}/api/mas-debate/questions \\
  -H "Content-Type: application/json" \\
  -d '{"paperId": "paper-123"}'`,
  `curl -X POST ${PRINTED}/api/mas-debate/run \\
  -H "Content-Type: application/json" \\
  -d '{
    "paperId": "paper-123",
    "question": "${QUESTION}",
    "numPostures": 3
  }'`,
  `curl -X POST ${PRINTED}/api/mas-debate/run \\
  -H "Content-Type: application/json" \\
  -H "Accept: text/event-stream" \\
  -d '{
    "paperId": "paper-123",
    "question": "${QUESTION}",
    "numPostures": 3
  }'`,
];

const REPORT = [
  "question",
  "topics",
  "postures",
  "summary",
  "rankedPostures",
  "validatedInsights",
  "controversialPoints",
  "recommendedNextReads",
  "appendix",
  "markdown",
];

Deno.test("the three documented commands succeed after a paper was posted", async () => {
  await serving(async ({ url, out, post }) => {
    assert.equal((await post("/api/papers", PAPER)).status, 201);
    const [questions, run, streamed] = await Promise.all(
      COMMANDS.map(async (command) => {
        const response = await fetch(
          await curlRequest(command, { printed: PRINTED, url, folder: out }),
        );
        assert.equal(response.status, 200, command);
        const type = response.headers.get("content-type")?.split(";")[0];
        return { type, text: await response.text() };
      }),
    );
    assert.equal(questions!.type, "application/json");
    const listed = JSON.parse(questions!.text);
    assert.deepEqual(Object.keys(listed), ["questions"]);
    assert.ok(listed.questions.length >= 8 && listed.questions.length <= 12);
    const report = JSON.parse(run!.text);
    assert.deepEqual(REPORT.filter((key) => !(key in report)), []);
    assert.equal(report.question, QUESTION);
    assert.equal(report.rankedPostures.length, 3);
    assert.equal(streamed!.type, "text/event-stream");
    const names = [...streamed!.text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name);
    assert.deepEqual(names, [...STAGES.map(() => "progress"), "complete"]);
    const [, last = ""] = /^event: complete\ndata: (.*)$/m.exec(streamed!.text) ?? [];
    assert.equal(JSON.parse(last).question, QUESTION);
  }, { model: "offline" });
});
