// MCP over HTTP: whole convenings, people, papers, access.
import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createServer } from "../../src/server/server.ts";
import { withFolder } from "../support/cli.ts";
import { called, DEBATE, refusedBy, withHttp } from "./support/mcp_client.ts";
import { MODEL, startSpeaker } from "../support/speaking_model.ts";
import { serveLocally } from "../support/local_server.ts";

withHttp.test("/mcp: a client runs a debate and has it judged again; later scores are marked", async (client) => {
  const lines: string[] = [];
  const run = await client.callTool(
    { name: "run", arguments: { config: { ...DEBATE, flow: true }, wait: true } },
    { onprogress: ({ message = "" }) => lines.push(message) },
  );
  const { id, status } = Object(run.structuredContent);
  assert.equal(status, "completed");
  assert.match(lines.join("\n"), /^message 2 of \d+: opening statement by advocate-b$/m);
  assert.ok(lines.includes("points of message 2"));
  assert.equal(lines.at(-1), "ended: completed");
  const { panel } = Object((await called(client, "judge", { id, rubric: "conceptual" })).data);
  assert.equal(panel.rubric, "conceptual");
  assert.ok(["decided", "undecided"].includes(panel.outcome));
  const scores = (await called(client, "read_scores", { id, limit: 5, reasons: true })).data;
  assert.equal(Object(scores.scores).length, 5);
  const more = (await called(client, "read_scores", { id, cursor: scores.next, limit: 100 })).data;
  assert.equal(5 + Object(more.scores).length, scores.total);
  assert.equal(more.next, null);
  const rows = [scores, more].flatMap(({ scores, verdicts = [] }) => [
    ...Object(scores),
    ...Object(verdicts),
  ]);
  const later = rows.filter(({ later }) => later === true);
  assert.ok(later.length > 0 && later.length < rows.length);
  assert.deepEqual(later, rows.filter(({ rubric }) => rubric === "conceptual"));
});

withHttp.test("/mcp: papers whose texts a client sends are debated", async (client) => {
  const text = [
    "# Trees and heat",
    "We measured the air of forty streets. Streets with trees were two degrees cooler at noon.",
    "At night the difference was small. Watering the trees took much work in dry summers.",
    "A city that plants trees should plan for their care, since young trees die without water.",
  ].join("\n\n");
  const config = { kind: "paper-debate", question: "Do trees cool streets enough?", postures: 2 };
  const none = await refusedBy(client, "run", { config });
  assert.deepEqual([none.code, none.field], ["config_invalid", "paperIds"]);
  const papers = [{ id: "trees", text }];
  const { data } = await called(client, "run", { config, papers, wait: true });
  const { id, kind, status } = data;
  assert.deepEqual([kind, status], ["paper-debate", "completed"]);
  const { messages } = (await called(client, "read_messages", { id, beside: true })).data;
  const { seq, evidence } = Object(messages).find((each: typeof data) => each.evidence !== null);
  assert.ok(evidence.verified > 0 && evidence.notFound === 0);
  const facts = await called(client, "read_message", { id, seq, part: "facts" });
  assert.deepEqual(facts.data.evidence, evidence);
  const paperIds = ["none"];
  const unknown = await refusedBy(client, "run", { config: { ...config, paperIds } });
  assert.equal(unknown.code, "not_found");
  const both = await refusedBy(client, "run", { config: { ...config, paperIds }, papers });
  assert.equal(both.field, "paperIds");
});

withHttp.test(
  "/mcp: a client can name no base URL, file, folder or record",
  async (client, out) => {
    const judge = (rubric: string) => ({ judges: [{ rubric }] });
    const refused: [Record<string, unknown>, string][] = [
      [{ baseUrl: "http://example.org/v1" }, "baseUrl"],
      [{ sources: ["/etc/passwd"] }, "sources.0"],
      [{ papers: ["/etc/passwd"] }, "papers"],
      [{ model: `replay:${out}` }, "model"],
      [judge("a.yaml"), "judges.0.rubric"],
    ];
    for (const [more, field] of refused) {
      const error = await refusedBy(client, "run", { config: { ...DEBATE, ...more } });
      assert.deepEqual([error.code, error.field], ["config_invalid", field]);
    }
    const { id } =
      (await called(client, "run", { config: { ...DEBATE, roundCount: 0 }, wait: true }))
        .data;
    for (const config of [{ baseUrl: "http://example.org" }, { topic: "Another one?" }]) {
      const error = await refusedBy(client, "resume", { id, ...config });
      assert.deepEqual([error.code, error.field], ["config_invalid", Object.keys(config)[0]]);
    }
    const models = ["replay:x"];
    assert.equal((await refusedBy(client, "judge", { id, models })).field, "models.0");
    assert.equal(Object((await called(client, "list")).data.counts).total, 1);
  },
);

withFolder.test("/mcp: a client that disconnects while it waits ends no run", async (out) => {
  await using speaker = await startSpeaker();
  const server = createServer({ out, models: { model: MODEL, baseUrl: speaker.url } });
  const listener = serveLocally(server.fetch);
  const client = new Client({ name: "test", version: "1" });
  const url = new URL(`http://127.0.0.1:${listener.addr.port}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url));
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const leave = new AbortController();
  const participants = [{ name: "Ada", model: "human" }, { name: "Bo" }];
  const config = { kind: "dialogue", topic: DEBATE.topic, participants, maxTurns: 2 };
  const waits = client.callTool(
    { name: "run", arguments: { config, wait: true } },
    { onprogress: () => resolve(), signal: leave.signal },
  );
  await begun;
  leave.abort();
  await assert.rejects(waits);
  const [{ id }] = Object((await called(client, "list")).data.convenings);
  await untilStatus(client, id, "waiting");
  await called(client, "say", { id, text: "Trees cool streets." });
  await untilStatus(client, id, "completed");
  await client.close();
  await server.close();
  await listener.shutdown();
});

/** Polls a convening until it has a status. */
async function untilStatus(
  client: Client,
  id: unknown,
  wanted: string,
): Promise<Record<string, unknown>> {
  for (;;) {
    const { data } = await called(client, "status", { id });
    if (data.status === wanted) return data;
    assert.equal(data.error, undefined);
  }
}
