// Notes of points that are added to a completed debate.
import assert from "node:assert/strict";
import {
  AgentError,
  folderRecord,
  judge,
  noteFlow,
  openConvening,
  verify,
  writeBrief,
} from "../../mod.ts";
import type { Fact } from "../../protocol.ts";
import { dialogueOf, DROPPED, noting, Talker } from "../support/talkers.ts";
import { withFolder } from "../support/cli.ts";
import { keepDebate } from "./support/kept_debate.ts";

/** Runs a debate to its end; returns its directory. */
async function held(
  out: string,
  flow: boolean,
  agent = new Talker(noting(DROPPED)),
): Promise<string> {
  return (await keepDebate(out, agent, { flow })).dir;
}

async function factsOf(dir: string): Promise<readonly Fact[]> {
  return (await openConvening(dir)).facts;
}

/** Returns the points of a record by turn. */
async function pointsOf(dir: string): Promise<unknown> {
  return (await factsOf(dir)).filter((fact) => fact.type === "flow")
    .toSorted((a, b) => a.message - b.message)
    .map(({ message, points }) => [message, points]);
}

withFolder.test("noteFlow() adds the points that the debate would have noted, and changes nothing else", async (out) => {
  const [noted, plain] = [await held(out, true), await held(out, false)];
  const before = await factsOf(plain);
  const agent = new Talker(noting(DROPPED), "ollama:noter");
  const flow = await noteFlow(plain, { agent });
  assert.deepEqual([flow.noted, flow.points], [8, 9]);
  assert.deepEqual([flow.dropped, flow.conceded], [["A2", "B2", "B4", "A5"], ["B1"]]);
  assert.equal(flow.page, await Deno.readTextFile(`${plain}/arguments.md`));
  assert.deepEqual(await pointsOf(plain), await pointsOf(noted));
  const after = await factsOf(plain);
  assert.deepEqual(after.filter(({ type }) => type !== "flow"), before);
  assert.deepEqual((await verify(plain)).findings, []);
  // Nothing is left to note: the agent is not asked, nor its server checked. A page that is missing is written again.
  const again = new Talker(noting(DROPPED), "ollama:noter");
  let checks = 0;
  const check = () => Promise.resolve(void checks++);
  assert.equal((await noteFlow(plain, { agent: Object.assign(again, { check }) })).noted, 0);
  assert.deepEqual([again.keys, checks], [[], 0]);
  await Deno.remove(`${plain}/arguments.md`);
  assert.deepEqual(await noteFlow(plain, { agent: again }), { ...flow, noted: 0 });
});

withFolder.test("noteFlow() fails with its agent, keeps earlier notes, and asks for the rest when repeated", async (out) => {
  const dir = await held(out, false);
  const usual = noting(DROPPED);
  const failing = new Talker((request) => {
    if (!request.context.key.startsWith("notes/6/")) return usual(request);
    throw new AgentError("agent_auth", "Cannot log in");
  });
  await assert.rejects(noteFlow(dir, { agent: failing }), /Cannot note turn 6.*Cannot log in/);
  // A turn without notes may answer a point: until then, no point is called dropped that such a turn was shown.
  const partly = JSON.parse(await Deno.readTextFile(`${dir}/arguments.json`));
  assert.deepEqual([partly.points.length > 0, partly.dropped], [true, []]);
  const { page } = await writeBrief(dir, { model: "offline" });
  for (const text of [page, await Deno.readTextFile(`${dir}/arguments.md`)]) {
    assert.match(text, /\b\d turns without notes, which may answer points\./);
  }
  const agent = new Talker(usual);
  await noteFlow(dir, { agent });
  assert.ok(!agent.keys.includes("notes/2/1") && agent.keys.includes("notes/6/1"));
  assert.equal((await verify(dir)).findings.length, 0);
});

withFolder.test("judge() shows a debate's points and sets the task of verdicts as the debate's own judges saw them", async (out) => {
  const own = new Talker(noting(DROPPED));
  const dir = await held(out, true, own);
  const later = new Talker(undefined, "ollama:later");
  await judge(dir, { judges: [{ agent: later, rubric: "academic" }] });
  // The points and the task; the rubrics differ.
  const askedOf = ({ requests }: Talker) =>
    requests.filter(({ context }) => context.kind === "verdict").map(({ messages }) =>
      /<flow>[^]*/.exec(messages.map(({ content }) => content).join("\n"))?.[0]
        .replace(/^The criteria and their weights: .*\d\./m, "")
    );
  assert.match(askedOf(later)[0]!, /A2 .*\[dropped: nobody answered it\][^]*the main reason: /);
  assert.deepEqual(askedOf(later), askedOf(own));
});

withFolder.test("noteFlow() accepts debates alone, with a speech of a side", async (out) => {
  const agent = new Talker();
  const stopped = await keepDebate(out, agent, { limits: { maxTurns: 1 } });
  const { workflow } = dialogueOf(agent, { maxTurns: 2, record: folderRecord({ out }) });
  const { dir } = await workflow.run();
  for (const each of [stopped.dir, dir!]) {
    await assert.rejects(noteFlow(each, { agent }), /no side of a debate has spoken/);
  }
});

withFolder.test("verify reports points that two turns share, ids without a turn, and words that are not in the turn", async (out) => {
  const dir = await held(out, true);
  const path = `${dir}/flow/004.md`;
  const text = await Deno.readTextFile(path);
  await Deno.writeTextFile(
    path,
    text.replaceAll("A3", "A1").replaceAll("B1", "B7").replace(
      /quote: .*\}/,
      "quote: Other words }",
    ),
  );
  const problems = (await verify(dir)).findings.filter((each) => each.path === "flow/004.md")
    .map(({ problem }) => problem).join("\n");
  assert.match(problems, /another point has the id A1/);
  assert.match(problems, /refers to B7, and no turn before has that point/);
  assert.match(problems, /the words of its point A1 are not in message 4/);
  await Deno.writeTextFile(path, text.replaceAll("A3", '"[x](javascript:alert(1))"'));
  const [refused] = (await verify(dir)).findings;
  assert.match(refused!.fix!, /not the id of a point such as A3/);
});
