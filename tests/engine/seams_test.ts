// Extension points of the engine: custom agents, guards, observers, records and workflows; order of events.
import assert from "node:assert/strict";
import {
  type Agent,
  type ConveningEvent,
  DialogueWorkflow,
  memoryRecord,
  type Message,
  TurnOrderError,
} from "../../mod.ts";
import {
  type AgentReply,
  type AgentRequest,
  type ConveningStart,
  type Draft,
  type Guard,
  type Observer,
  type ObserverTools,
  type OpenRecord,
  type Protocol,
  type RecordStore,
  say,
  type Turn,
} from "../../protocol.ts";
import { debateOf, dialogueOf, drain, Talker, TOPIC } from "../support/talkers.ts";

/** A custom agent. */
class Echo implements Agent {
  readonly model = "ollama:echo";
  reply({ context, schema }: AgentRequest): Promise<AgentReply> {
    const text = schema === undefined
      ? `${context.label} says ${context.key}.`
      : '{"reasons": "None.", "winner": "tie"}';
    const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 };
    return Promise.resolve({ text, finishReason: "stop", model: this.model, usage });
  }
}

/** A custom record that keeps the order in which events are applied and emitted. */
class Notebook implements RecordStore {
  readonly lines: string[] = [];
  readonly #under = memoryRecord();

  async open(start: ConveningStart): Promise<OpenRecord> {
    const record = await this.#under.open(start);
    return {
      ...record,
      apply: async (event) => {
        await record.apply(event);
        this.lines.push(`applied ${event.n}`);
      },
      close: async () => {
        await record.close();
        this.lines.push("closed");
      },
    };
  }
}

Deno.test("A debate works with custom classes for agent, guard, observer and record", async () => {
  const agent = new Echo();
  const notebook = new Notebook();
  const checked: string[] = [];
  const seen: number[] = [];
  class Polite implements Guard {
    readonly name = "polite";
    check({ turn, attempt }: Draft) {
      checked.push(turn.key);
      return turn.key === "opening/a" && attempt === 1 ? { reason: "Say please." } : undefined;
    }
  }
  class Counter implements Observer {
    readonly name = "counter";
    observe(message: Message, { transcript }: ObserverTools) {
      assert.ok(transcript.length < message.seq);
      seen.push(message.seq);
      return Promise.resolve();
    }
  }
  const { workflow } = debateOf(agent, {
    record: notebook,
    moreGuards: [new Polite()],
    observers: [new Counter()],
  });
  const { events, result } = await drain(workflow);
  assert.equal(result?.status, "completed");
  assert.equal(result.dir, undefined);
  assert.deepEqual(seen.toSorted((a, b) => a - b), result.messages.map(({ seq }) => seq));
  assert.equal(checked.length, 11, "ten spoken turns and one retry; no template");
  const rejection = events.find(({ type }) => type === "turn-reject");
  assert.equal(rejection?.type === "turn-reject" && rejection.rejection.reason, "Say please.");
  assert.equal(result.messages[1]!.attempts, 2);
  assert.equal(notebook.lines.at(-1), "closed");
});

Deno.test("Events are emitted only after they are applied, in the order of their numbers", async () => {
  const notebook = new Notebook();
  const { workflow } = debateOf(new Talker(), { record: notebook, roundCount: 2 });
  let last = 0;
  for await (const event of workflow.stream()) {
    if (event.type === "message-delta") continue;
    assert.equal(event.n, ++last);
    assert.ok(
      notebook.lines.includes(`applied ${event.n}`),
      `${event.n} was shown before it was applied`,
    );
  }
});

Deno.test("An observer sees a message only after it is applied", async () => {
  const notebook = new Notebook();
  const order: string[] = [];
  const observer: Observer = {
    name: "order",
    observe: () => {
      order.push(notebook.lines.at(-1)!);
      return Promise.resolve();
    },
  };
  const { events } = await drain(
    dialogueOf(new Talker(), { record: notebook, observers: [observer] }).workflow,
  );
  const numbers = events.filter(({ type }) => type === "message").map(({ n }) => `applied ${n}`);
  assert.deepEqual(order, numbers);
});

Deno.test("Deltas of a turn come between its start and its message, and a retry's after the reset", async () => {
  let tries = 0;
  const agent = new Talker((request) => {
    if (request.context.key !== "opening/a" || ++tries > 1) return undefined;
    request.onDelta?.("half a");
    return { text: "" };
  });
  const { events } = await drain(debateOf(agent).workflow);
  const of = (key: string) =>
    events.flatMap((event) => {
      if ("turn" in event && event.turn.turn === key) return [event.type];
      if (event.type === "turn-reject" && event.rejection.turn === key) return [event.type];
      return event.type === "message" && event.message.turn === key ? [event.type] : [];
    });
  assert.deepEqual(of("closing/a"), ["turn-start", "message-delta", "message"]);
  assert.deepEqual(of("opening/a"), [
    "turn-start",
    "message-delta",
    "turn-reject",
    "message-reset",
    "message-delta",
    "message",
  ]);
});

Deno.test("All events but deltas are numbered and logged", async () => {
  const agent = new Talker(({ context }) =>
    context.key === "opening/a" && context.attempt === 1 ? { text: "" } : undefined
  );
  const { workflow, record } = debateOf(agent);
  const { events } = await drain(workflow);
  const numbered = events.filter(({ type }) => type !== "message-delta");
  const log = record.files.get("log.jsonl")!.trimEnd().split("\n").map((line): ConveningEvent =>
    JSON.parse(line)
  );
  assert.deepEqual(log.map(({ n, type }) => [n, type]), numbered.map(({ n, type }) => [n, type]));
  assert.deepEqual(log.map(({ n }) => n), log.map((_, index) => index + 1));
  assert.ok(log.some(({ type }) => type === "message-reset"));
});

Deno.test("Phases and rounds are announced once each, ends before starts", async () => {
  const { events } = await drain(debateOf(new Talker(), { roundCount: 2 }).workflow);
  const stages = events.flatMap((event) =>
    "phase" in event
      ? [`${event.type} ${event.phase}`]
      : event.type.startsWith("round-") && "round" in event
      ? [`${event.type} ${event.round}`]
      : []
  );
  assert.deepEqual(stages, [
    "phase-start opening",
    "phase-end opening",
    "phase-start argument",
    "round-start 1",
    "round-end 1",
    "round-start 2",
    "round-end 2",
    "phase-end argument",
    "phase-start closing",
    "phase-end closing",
    "phase-start summary",
    "phase-end summary",
  ]);
});

Deno.test("An exit condition ends a dialogue with a result", async () => {
  const { workflow } = dialogueOf(new Talker(), {
    maxTurns: 10,
    exitCondition: (messages) => messages.length === 3,
  });
  const { result, events } = await drain(workflow);
  assert.equal(result?.status, "completed");
  assert.equal(result.endReason, "exit_condition");
  assert.equal(result.messages.length, 3);
  assert.equal(events.at(-2)?.type, "phase-end");
});

Deno.test("An exit condition that the first of two concurrent turns meets applies", async () => {
  const { workflow } = debateOf(new Talker(), {
    exitCondition: (messages) => messages.at(-1)?.turn === "opening/a",
  });
  const { result } = await drain(workflow);
  assert.equal(result?.endReason, "exit_condition");
  assert.deepEqual(result.messages.map(({ seq }) => seq), [1, 2, 3]);
});

/** Turns out of order by topic, with the error. */
const ODD: Readonly<Record<string, readonly [turn: Partial<Turn>, problem: RegExp]>> = {
  [TOPIC]: [{ speaker: "nobody" }, /"nobody" is not a participant/],
  "Say this twice": [{ key: "one" }, /already taken/],
  "Answer what is unknown": [{ replyTo: 9 }, /it answers message 9, which its protocol/],
};

class Odd extends DialogueWorkflow<string> {
  protected override *protocol(): Protocol<string> {
    const [one] = this.participants;
    const turn = { speaker: one!.id, phase: "p", kind: "k", round: 0, task: "Speak." };
    yield* say({ ...turn, key: "one" });
    yield* say({ ...turn, key: "two", ...ODD[this.topic]![0] });
    return "done";
  }
}

Deno.test("A turn out of order is rejected with an error that names it", async () => {
  const participants = dialogueOf(new Talker()).workflow.participants;
  for (const [topic, [, problem]] of Object.entries(ODD)) {
    const { error } = await drain(new Odd(topic, participants, { record: memoryRecord() }));
    assert.ok(error instanceof TurnOrderError, String(error));
    assert.match(error.message, problem);
  }
});

Deno.test("A workflow runs once, and an abandoned stream stops the requests in flight", async () => {
  const agent = new Talker();
  const { workflow, record } = dialogueOf(agent, { maxTurns: 10 });
  for await (const event of workflow.stream()) {
    if (event.type === "message") break;
  }
  assert.ok(agent.requests.length < 10);
  assert.match(record.files.get("metadata.md")!, /^status: stopped$/m);
  await assert.rejects(workflow.run(), /Cannot run a workflow twice/);
  const { workflow: drained } = dialogueOf(agent, { maxTurns: 2 });
  const events = await Array.fromAsync(drained.stream());
  const { status, messages } = await drained.run();
  assert.equal(status, "completed");
  assert.equal(messages.length, events.filter(({ type }) => type === "message").length);
});

Deno.test("stream() buffers few events for a slow reader and loses no words", async () => {
  const pieces = Array.from({ length: 50_000 }, (_, at) => `word${at} `);
  let ended = () => {};
  const end = new Promise<void>((resolve) => ended = resolve);
  const agent: Agent = {
    model: "ollama:talkative",
    reply({ onDelta }) {
      for (const piece of pieces) onDelta?.(piece);
      const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 };
      return Promise.resolve({
        text: pieces.join(""),
        finishReason: "stop",
        model: this.model,
        usage,
      });
    },
  };
  const record: RecordStore = {
    async open(start) {
      const open = await memoryRecord().open(start);
      const close = async () => {
        await open.close();
        ended();
      };
      return { ...open, close };
    },
  };
  const { workflow } = dialogueOf(agent, { maxTurns: 1, record });
  const stream = workflow.stream();
  const events: ConveningEvent[] = [(await stream.next()).value as ConveningEvent];
  await end;
  for await (const event of stream) events.push(event);
  const deltas = events.flatMap((event) => event.type === "message-delta" ? [event.text] : []);
  assert.ok(deltas.length < 2000, `${deltas.length} deltas`);
  assert.equal(deltas.join(""), pieces.join(""));
});
