/**
 * A workflow of your own: a subclass overrides `protocol()` and inherits the record, the guards, resuming and the events.
 * This one is an interview: one participant asks, the other answers, and the first sums up.
 *
 *     deno run --no-prompt --allow-read examples/03_own_workflow.ts
 */
import assert from "node:assert/strict";
import { createAgent, createParticipant, DialogueWorkflow, memoryRecord } from "../mod.ts";
import { type Protocol, say } from "../protocol.ts";

class Interview extends DialogueWorkflow<string> {
  protected override *protocol(): Protocol<string> {
    const [asker, guest] = this.participants;
    for (let round = 1; round <= 3; round++) {
      const question = yield* say({
        key: `question-${round}`,
        speaker: asker!.id,
        phase: "interview",
        kind: "question",
        round,
        maxTokens: 60,
        task: "Ask one open question about the topic that was not asked yet.",
      });
      yield* say({
        key: `answer-${round}`,
        speaker: guest!.id,
        phase: "interview",
        kind: "statement",
        round,
        replyTo: question.seq,
        maxTokens: 150,
        task: "Answer the question.",
      });
    }
    const summary = yield* say({
      key: "summary",
      speaker: asker!.id,
      phase: "summary",
      kind: "summary",
      round: 0,
      maxTokens: 150,
      task: "Sum up what was learned.",
    });
    return summary.body;
  }
}

const agent = createAgent("offline");
const record = memoryRecord();
const interview = new Interview("What makes a good teacher?", [
  createParticipant({ name: "Ines", role: "interviewer" }, agent),
  createParticipant({ name: "Gil", role: "guest" }, agent),
], { design: { kind: "interview" }, seed: 3, record });

const result = await interview.run();
console.log(record.files.get("index.md"));

assert.equal(result.kind, "interview");
assert.equal(result.messages.length, 7);
assert.equal(result.value, result.summary);
assert.deepEqual(result.messages.map(({ replyTo }) => replyTo), [
  undefined,
  1,
  undefined,
  3,
  undefined,
  5,
  undefined,
]);
