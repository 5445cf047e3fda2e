// Selection of the next speaker: round-robin, bids, moderator, custom.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  composeConvening,
  ConfigurationError,
  createDebateModerator,
  createParticipant,
  DialogueWorkflow,
  memoryRecord,
  resume,
  verify,
} from "../../mod.ts";
import type { DialogueConfig, DialogueOptions, MemoryRecord } from "../../protocol.ts";
import type { SpeakerSelection } from "../../src/core/protocol.ts";
import {
  called,
  dialogueOf,
  drain,
  promptOf,
  type Say,
  Talker,
  TOPIC,
} from "../support/talkers.ts";
import { withFolder } from "../support/cli.ts";

const NAMES = ["Ada", "Ben", "Cleo"];

/** Creates a dialogue of Ada, Ben and Cleo, with an optional moderator. */
function dialogue(
  agent: Talker,
  { moderated = false, ...options }: DialogueOptions & { readonly moderated?: boolean },
): { workflow: DialogueWorkflow; record: MemoryRecord } {
  const speakers = called(agent, ...NAMES);
  const participants = moderated ? [createDebateModerator({}, agent), ...speakers] : speakers;
  return dialogueOf(agent, { participants, maxTurns: 6, ...options });
}

/** Returns the speakers in order. */
async function order(workflow: DialogueWorkflow<unknown>): Promise<string> {
  const { result, error } = await drain(workflow);
  if (error !== undefined) throw error;
  return result!.messages.map(({ participant }) => participant).join(" ");
}

/** Returns bids by participant, as text of the reply or a number. */
function bidding(bids: Readonly<Record<string, number | string>>): Say {
  return ({ context: { kind, participant } }) => {
    if (kind !== "bid") return undefined;
    const bid = bids[participant];
    return { text: typeof bid === "number" ? JSON.stringify({ reason: "I must.", bid }) : bid! };
  };
}

/** Has the moderator name the label that `choose` returns. */
function naming(choose: (turn: number) => string): Say {
  return ({ context: { kind, key } }) =>
    kind === "next_speaker"
      ? { text: JSON.stringify({ reason: "So.", speaker: choose(Number(key.split("-").at(-1))) }) }
      : undefined;
}

describe("A dialogue with select", () => {
  it("round-robin, the default, makes no request and follows the order", async () => {
    for (const select of [undefined, "round-robin"] as const) {
      const agent = new Talker();
      assert.equal(await order(dialogue(agent, { select }).workflow), "ada ben cleo ada ben cleo");
      assert.equal(agent.keys.length, 6);
    }
  });

  it("bids: the highest bidder speaks, never twice in a row, and every bid is recorded", async () => {
    const agent = new Talker(bidding({ ada: 0.1, ben: 0.9, cleo: 0.5 }));
    const { workflow, record } = dialogue(agent, { select: "bids" });
    assert.equal(await order(workflow), "ben cleo ben cleo ben cleo");
    assert.deepEqual(agent.keys.slice(0, 6), [
      "bid/turn-1/ada",
      "bid/turn-1/ben",
      "bid/turn-1/cleo",
      "turn-1/ben",
      "bid/turn-2/ada",
      "bid/turn-2/cleo",
    ]);
    assert.match(record.files.get("choices/002_2.md")!, /key: bid\/turn-2\/cleo\n/);
    assert.match(record.files.get("choices/002_2.md")!, /value: \{ bid: 0\.5 \}/);
    assert.match(record.files.get("choices/002_2.md")!, /I must\.$/);
    assert.match(promptOf(agent.asked("bid/turn-2/ada")), /Speech for turn-1\/ben/);
  });

  it("bids: of equal bids the one with fewer turns speaks, then the first; an unreadable bid counts as none", async () => {
    const equal = bidding({ ada: 0.5, ben: 0.5, cleo: 0.5 });
    assert.equal(
      await order(dialogue(new Talker(equal), { select: "bids" }).workflow),
      "ada ben cleo ada ben cleo",
    );
    const silent = new Talker(bidding({ ada: "I bid all I have", ben: 0.01, cleo: '{"bid": 7}' }));
    const { workflow, record } = dialogue(silent, { select: "bids", maxTurns: 3 });
    assert.equal(await order(workflow), "ben ada ben");
    const choice = record.files.get("choices/001_1.md")!;
    assert.match(choice, /value: \{ bid: null \}/);
    assert.match(choice, /could not be read: [^]*I bid all I have/);
  });

  it("bids: with two participants no bids are asked when only one may speak", async () => {
    const agent = new Talker(bidding({ ada: 0, ben: 1 }));
    const { workflow } = dialogueOf(agent, { select: "bids" });
    assert.equal(await order(workflow), "ben ada ben ada");
    assert.equal(agent.keys.filter((key) => key.startsWith("bid/")).length, 2);
  });

  it("bids: an agent that fails leaves no bid, and the dialogue continues", async () => {
    const agent = new Talker((request) => {
      const { kind, participant } = request.context;
      if (kind === "bid" && participant === "ada") throw new Error("the line is dead");
      return bidding({ ben: 0.2, cleo: 0.1 })(request);
    });
    assert.equal(
      await order(dialogue(agent, { select: "bids", maxTurns: 2 }).workflow),
      "ben cleo",
    );
  });

  it("moderator: the named participant speaks, and the moderator takes no turn", async () => {
    const agent = new Talker(naming((turn) => turn % 2 === 1 ? "Cleo" : "Ada"));
    const { workflow, record } = dialogue(agent, { select: "moderator", moderated: true });
    assert.equal(await order(workflow), "cleo ada cleo ada cleo ada");
    const choice = record.files.get("choices/002_1.md")!;
    assert.match(choice, /key: next-speaker\/turn-2\n/);
    assert.match(choice, /participant: moderator\n/);
    assert.match(choice, /value: \{ speaker: ada \}/);
    const { schema, context } = agent.asked("next-speaker/turn-2");
    assert.ok(!schema!.type.safeParse({ reason: "", speaker: "Cleo" }).success);
    assert.deepEqual(context.data, { labels: { ada: "Ada", ben: "Ben" } });
  });

  it("moderator: an unreadable choice gives that turn to the next in order", async () => {
    const agent = new Talker((request) =>
      request.context.key === "next-speaker/turn-2" || request.context.key === "next-speaker/turn-4"
        ? { text: "Let us hear the gentleman in the back." }
        : naming(() => request.context.key.endsWith("-3") ? "Ada" : "Cleo")(request)
    );
    const { workflow, record } = dialogue(agent, {
      select: "moderator",
      moderated: true,
      maxTurns: 5,
    });
    assert.equal(await order(workflow), "cleo ada ben cleo ada");
    assert.match(record.files.get("choices/002_1.md")!, /value: \{ speaker: null \}/);
  });

  it("moderator: rejected without a moderator, with several, or with no participant to choose", () => {
    const agent = new Talker();
    const made = (...roles: string[]) => () =>
      new DialogueWorkflow(
        TOPIC,
        roles.map((role, index) => createParticipant({ name: `P${index}`, role }, agent)),
        { select: "moderator", record: memoryRecord() },
      );
    for (
      const roles of [
        ["participant", "participant"],
        ["moderator", "moderator", "participant", "participant"],
        ["moderator", "participant"],
      ]
    ) {
      assert.throws(
        made(...roles),
        (error) => error instanceof ConfigurationError && error.field === "select",
      );
    }
  });

  it("a custom selection sets the order, and its questions are recorded", async () => {
    const backwards: SpeakerSelection = {
      name: "backwards",
      // deno-lint-ignore require-yield -- it asks nobody
      *next({ participants, turn }) {
        return participants.at(-1 - (turn - 1) % participants.length)!.id;
      },
    };
    const { workflow } = dialogue(new Talker(), { select: backwards });
    assert.equal(await order(workflow), "cleo ben ada cleo ben ada");
    const strange: SpeakerSelection = {
      name: "strange",
      // deno-lint-ignore require-yield -- it asks nobody
      *next() {
        return "nobody";
      },
    };
    const { error } = await drain(dialogue(new Talker(), { select: strange }).workflow);
    assert.match(String(error), /"nobody" is not a participant/);
  });

  it("a plan counts bids", async () => {
    const { workflow } = dialogue(new Talker(), { select: "bids", maxTurns: 4 });
    const { turns, calls, chain } = await workflow.plan();
    assert.deepEqual({ turns, calls, chain }, { turns: 4, calls: 3 + 3 * 2 + 4, chain: 8 });
    const moderated = dialogue(new Talker(), { select: "moderator", moderated: true, maxTurns: 4 });
    assert.equal((await moderated.workflow.plan()).calls, 8);
    const stopped = dialogue(new Talker(), { select: "bids", limits: { maxTurns: 2 } });
    assert.equal((await stopped.workflow.plan()).turns, 2);
  });
});

describe("A dialogue configuration with select", () => {
  const agents = (agent: Talker) =>
    Object.fromEntries(["moderator", "ada", "ben", "cleo"].map((id) => [id, agent]));
  const config = (more: Partial<DialogueConfig> = {}): DialogueConfig => ({
    kind: "dialogue",
    topic: TOPIC,
    seed: 1,
    participants: NAMES.map((name) => ({ name })),
    ...more,
  });

  it("runs with the offline agent, the same way for the same seed", async () => {
    for (const select of ["bids", "moderator"] as const) {
      const orders = [];
      for (let run = 0; run < 2; run++) {
        const given = config({ select, model: "offline", maxTurns: 6 });
        orders.push(await order(await composeConvening(given, { record: memoryRecord() })));
      }
      assert.equal(orders[0], orders[1]);
      const speakers = orders[0]!.split(" ");
      assert.ok(speakers.every((each, index) => each !== speakers[index + 1]));
    }
  });

  it("resumes without asking for a bid or a choice again", async () => {
    for (const select of ["bids", "moderator"] as const) {
      await withFolder(async (out) => {
        const say: Say = (request) =>
          naming((turn) => turn % 2 === 0 ? "Ada" : "Ben")(request) ??
            bidding({ ada: 0.3, ben: 0.8, cleo: 0.4 })(request);
        const agent = new Talker(say);
        const limits = { maxTurns: 3 };
        const first = await composeConvening(config({ select, maxTurns: 5, limits, out }), {
          agents: agents(agent),
        });
        const { dir, endReason } = await first.run();
        assert.equal(endReason, "max_turns");
        const asked = new Set(agent.keys);
        const again = new Talker(say);
        const resumed = await resume(dir!, {
          agents: agents(again),
          config: { limits: { maxTurns: 99 } },
        });
        const end = await resumed.run();
        assert.equal(end.status, "completed");
        assert.deepEqual(
          end.messages.map(({ participant }) => participant),
          select === "bids"
            ? ["ben", "cleo", "ben", "cleo", "ben"]
            : ["ben", "ada", "ben", "ada", "ben"],
        );
        const twice = again.keys.filter((key) => asked.has(key));
        assert.deepEqual(twice, []);
        assert.deepEqual((await verify(dir!)).findings, []);
      });
    }
  });
});
