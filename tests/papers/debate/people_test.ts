// People in paper debates.
import assert from "node:assert/strict";
import { type ConveningEvent, createParticipant } from "../../../mod.ts";
import type { PaperDebateOutcome } from "../../../papers.ts";
import { paperCast, paperDebateOf, paperTalker, POSTURES } from "./support/paper_talkers.ts";

Deno.test("A person among the debaters argues in words, which are judged as an argument", async () => {
  const agent = paperTalker();
  const cast = paperCast(agent);
  const person = createParticipant({
    name: "Ada",
    role: "debater",
    agentConfig: { id: "debater-b", model: "human" },
  });
  const participants = cast.map((each) => each.id === "debater-b" ? person : each);
  const { workflow } = paperDebateOf(agent, { participants });
  const stream = workflow.stream();
  const events: ConveningEvent[] = [];
  let step = await stream.next();
  for (; !step.done; step = await stream.next()) {
    events.push(step.value);
    if (step.value.type !== "turn-wait") continue;
    // A person sees the task without the messages before it.
    assert.match(
      step.value.task,
      /^The question is:\nUnder what .*\nThe topics, in this order:\n1\. M/,
    );
    workflow.say("debater-b", "# Methodology\n\nTwelve streets are few. Two summers are fewer.");
  }
  const report = (step.value.value as PaperDebateOutcome).report!;
  assert.equal(step.value.status, "completed");
  const claims = report.appendix.perDebaterKeyClaims.find(({ posture }) =>
    posture === POSTURES[1]
  )!;
  assert.deepEqual(claims.claims, [{ topic: "Methodology", claim: "Twelve streets are few." }]);
  const { topics } = agent.asked("score/5/judge").context.data as { topics: string[] };
  assert.deepEqual(topics, ["Methodology"]);
  assert.match(report.notes.join("\n"), /citations of Ada, [^\n]*were not looked up/);
  assert.equal(report.rankedPostures.length, 3);
});

Deno.test("A person whose choice of a question is no use is asked three times, then told the questions", async () => {
  const { workflow } = paperDebateOf(paperTalker(), { pick: "ask" });
  const asked: string[] = [];
  await assert.rejects(async () => {
    for await (const event of workflow.stream()) {
      if (event.type !== "turn-wait") continue;
      asked.push(event.turn.turn);
      workflow.say(event.turn.participant, "99");
    }
  }, { code: "config_invalid", field: "pick", hint: /1\. Under what conditions do trees/ });
  assert.deepEqual([...new Set(asked)], ["pick", "pick/2", "pick/3"]);
});
