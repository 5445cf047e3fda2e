// Replays of paper debates.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { type Agent, AgentError, type ConveningConfig, createReplayAgent } from "../../../mod.ts";
import type { Fact } from "../../../protocol.ts";
import type { Evidence } from "../../../src/core/fact.ts";
import {
  type ArgumentFields,
  argumentReply,
  type CrossFields,
} from "../../../src/papers/text/replies.ts";
import { contextOf } from "../../contracts/agent_contract.ts";
import { messageOf } from "../../record/support/fixtures.ts";
import {
  COMMON,
  essentials,
  type Held,
  type HeldOptions,
  heldTwice,
  kindsOf,
} from "./held_twice.ts";
import { speakingAgent } from "../../support/speaking_model.ts";

const PAPER = "# Quiet streets\n\n" + Array.from(
  { length: 40 },
  (_, i) =>
    `Town ${i} closed a street and measured trade: it fell by ${i} percent in the first month before it came ` +
    `back within a year. Buses that ran every six minutes brought more people to shop ${i} than before.`,
).join("\n\n");

async function twice(
  config: Partial<ConveningConfig & { kind: "paper-debate" }> = {},
  options: HeldOptions = {},
): Promise<{ first: Held; second: Held }> {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "quiet.md");
    await Deno.writeTextFile(path, PAPER);
    const { topic: _topic, ...common } = COMMON;
    return await heldTwice({ ...common, kind: "paper-debate", papers: [path], ...config }, options);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function evidenceIn({ facts }: Held): Evidence[] {
  return facts.filter((fact): fact is Evidence => fact.type === "evidence");
}

Deno.test("replay:DIR reproduces a paper debate with a cross-examination and a person's pick", async () => {
  const { first, second } = await twice(
    { crossExamine: true, pick: "ask", personTimeout: 0 },
    { prepare: (workflow) => workflow.prepare("reader", "2") },
  );
  assert.deepEqual(kindsOf(first), [
    "evidence",
    "insights",
    "lookup",
    "message",
    "pick",
    "score",
    "verdict",
  ]);
  assert.equal(evidenceIn(first).length, 6);
  assert.equal(second.status, "completed");
  assert.deepEqual(essentials(second), essentials(first));
});

Deno.test("replay:DIR reproduces invented citations and quotations with the same marks", async () => {
  const inventing = speakingAgent((text, { context: { kind } }) => {
    if (kind === "cross_examination") {
      const fields = JSON.parse(text) as CrossFields;
      fields.citations.web.push({ title: "Nowhere", url: "https://example.org/404" });
      fields.citations.paper.push({ chunkId: "quiet#999", text: "Nobody came at all, ever." });
      return JSON.stringify({
        ...fields,
        speech: `# Not a heading\n\n${fields.speech}\n\n- “Nobody came at all, ever”, it says.`,
      });
    }
    if (kind !== "argument") return text;
    const fields = JSON.parse(text) as ArgumentFields;
    const [argument] = fields.perTopic;
    const [cited] = argument!.citations.paper;
    argument!.citations.paper.push(
      { chunkId: cited!.chunkId, text: "Every shop in town was closed for good." },
      { chunkId: cited!.chunkId, text: "Not one of the buses ever ran again." },
      { chunkId: "quiet#999", text: "A chunk that is none." },
    );
    argument!.reasoning += " “The mayor resigned over it at once”, it says.";
    return JSON.stringify(fields);
  });
  const { first, second } = await twice({ crossExamine: true }, {
    agents: { "debater-a": inventing, "debater-b": inventing },
  });
  const marks = evidenceIn(first).flatMap(({ quotations }) =>
    quotations.filter(({ status }) => status === "not found").map(({ text }) => text)
  );
  for (
    const invented of [
      "Every shop in town was closed for good.",
      "Not one of the buses ever ran again.",
      "The mayor resigned over it at once",
    ]
  ) assert.ok(marks.includes(invented), `${invented}: ${marks.join("\n")}`);
  assert.deepEqual(essentials(second), essentials(first));
});

Deno.test("replay:DIR reproduces unreadable judges and failed debaters", async () => {
  const failing: Agent = {
    model: "failing",
    reply: () => Promise.reject(new AgentError("agent_refused", "Cannot answer: refused")),
  };
  const mumbling = speakingAgent((text, { context: { kind } }) =>
    ["topic_scores", "verdict", "insights"].includes(kind) ? "Hm: {" : text
  );
  const { first, second } = await twice({}, {
    agents: { "debater-b": failing, judge: mumbling, reporter: speakingAgent() },
  });
  const failures = (facts: readonly Fact[]) =>
    facts.flatMap((fact) => fact.type === "failure" ? [[fact.turn, fact.code, fact.message]] : []);
  assert.equal(failures(first.facts).length, 1);
  assert.deepEqual(failures(second.facts), failures(first.facts));
  const scores = first.facts.filter((fact) => fact.type === "score");
  assert.ok(scores.length > 0 && scores.every(({ status }) => status === "unscored"));
  const rest = ({ facts, status }: Held) =>
    essentials({ status, facts: facts.filter(({ type }) => type !== "failure") });
  assert.deepEqual(rest(second), rest(first));
});

Deno.test("createReplayAgent() reads a person's argument from the message, by the topics that are asked for", async () => {
  const body = "## Noise\n\nIt is quieter.\n\n## Trade\n\nShops sell more.\n";
  const message = messageOf(1, { turn: "argue", body });
  const agent = createReplayAgent({
    model: "replay:x",
    messages: new Map([["argue", message]]),
    facts: [],
  });
  const context = contextOf({ key: "argue", kind: "argument" });
  const schema = argumentReply(["Noise", "Trade"]);
  const { text } = await agent.reply({ messages: [], context, schema });
  const { perTopic } = JSON.parse(text) as ArgumentFields;
  assert.deepEqual(perTopic.map(({ topic }) => topic), ["Noise", "Trade"]);
  assert.equal(schema.type.safeParse({ perTopic: [null], overallPosition: "" }).success, false);
});
