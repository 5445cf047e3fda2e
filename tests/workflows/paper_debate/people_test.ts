// People in paper debates.
import assert from "node:assert/strict";
import { type ConveningEvent, createParticipant } from "../../../mod.ts";
import type { PaperDebateOutcome } from "../../../papers.ts";
import {
  fileOf,
  paperCast,
  paperDebateOf,
  paperTalker,
  POSTURES,
  TOPICS,
} from "../support/paper_talkers.ts";
import { promptOf } from "../support/talkers.ts";

Deno.test("An interjection between two phases is quoted to all later speakers without changing their order", async () => {
  const agent = paperTalker();
  const { workflow, record } = paperDebateOf(agent, { crossExamine: true });
  const stream = workflow.stream();
  const events: ConveningEvent[] = [];
  for (let step = await stream.next(); !step.done; step = await stream.next()) {
    events.push(step.value);
    if (step.value.type === "message" && step.value.message.kind === "postures") {
      workflow.interject("What of winter?");
    }
  }
  const kinds = events.flatMap((event) => event.type === "message" ? [event.message.kind] : []);
  assert.deepEqual(kinds.slice(0, 4), ["questions", "question", "postures", "interjection"]);
  assert.match(promptOf(agent.asked("cross_examination/debater-a")), /What of winter\?/);
  assert.match(promptOf(agent.asked("score/5/judge")), /What of winter\?/);
  const report = JSON.parse(record.files.get("report.json")!);
  assert.equal(report.rankedPostures.length, 3);
  assert.deepEqual(report.postures, POSTURES.slice(0, 3));
  assert.deepEqual(report.topics, TOPICS);
});

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

Deno.test("A person chooses the question, by number or in words of their own", async () => {
  for (
    const [said, question] of [["3", /case 3\?$/], [
      "What do trees cost a street?",
      /cost a street/,
    ]] as const
  ) {
    const agent = paperTalker();
    const { workflow, record } = paperDebateOf(agent, { pick: "ask" });
    const stream = workflow.stream();
    let step = await stream.next();
    for (; !step.done; step = await stream.next()) {
      const { type } = step.value;
      if (type === "turn-answer" || type === "choice" || type === "message") {
        assert.match(record.files.get("metadata.md")!, /^status: running$/m);
        assert.doesNotMatch(record.files.get("metadata.md")!, /waiting_for/);
      }
      if (type !== "turn-wait") continue;
      assert.match(record.files.get("metadata.md")!, /^status: waiting$/m);
      assert.match(step.value.task, /1\. Under what conditions/);
      workflow.say(step.value.turn.participant, said);
    }
    assert.match((step.value.value as PaperDebateOutcome).question, question);
    assert.match(fileOf(record.files, "choices/002_1.md"), /^key: pick$/m);
  }
});
