import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { DebateConfig } from "../../../mod.ts";
import { debateFrom } from "../../../src/debate/debate_from.ts";
import { Talker, TOPIC } from "../support/talkers.ts";

function castFrom(config: Partial<DebateConfig>) {
  const agent = new Talker();
  const workflow = debateFrom(
    { kind: "debate", topic: TOPIC, ...config },
    { agentOf: () => agent },
  );
  return workflow.participants.map(({ id, role, position, persona }) => ({
    id,
    role,
    position,
    persona,
  }));
}

describe("debateFrom()", () => {
  it("debateFrom() makes a moderator and two sides of a topic alone", () => {
    assert.deepEqual(castFrom({}).map(({ id, role, position }) => [id, role, position]), [
      ["moderator", "moderator", undefined],
      ["advocate-a", "position_advocate", `For: ${TOPIC}`],
      ["advocate-b", "position_advocate", `Against: ${TOPIC}`],
    ]);
  });

  it("debateFrom() makes a preset's sides, with the positions given or those of the topic", () => {
    const pro = castFrom({ preset: "pro-con", positions: ["Yes, they should", "No, never"] });
    assert.deepEqual(pro.map(({ id, position }) => [id, position]), [
      ["moderator", undefined],
      ["pro", "Yes, they should"],
      ["con", "No, never"],
    ]);
    const alternating = castFrom({ preset: "alternating" });
    assert.deepEqual(alternating.map(({ id, persona }) => [id, persona]), [
      ["advocate-a", "scientist"],
      ["advocate-b", "philosopher"],
    ]);
    assert.equal(alternating[0]!.position, `For: ${TOPIC}`);
  });

  it("debateFrom() adds a moderator to advocates and a fact checker, and none to a whole cast", () => {
    const participants = [
      { name: "Ada", position: "Yes" },
      { name: "Ben", position: "No" },
    ];
    const roles = (config: Partial<DebateConfig>) => castFrom(config).map(({ role }) => role);
    assert.deepEqual(roles({ participants }), [
      "moderator",
      "position_advocate",
      "position_advocate",
    ]);
    const checker = { name: "Vera", role: "fact_checker" };
    assert.deepEqual(roles({ participants: [...participants, checker] })[0], "moderator");
    assert.deepEqual(roles({ participants, moderation: "none" }).length, 2);
    const moderator = { name: "Mo", role: "moderator" };
    assert.equal(roles({ participants: [...participants, moderator] }).length, 3);
  });

  it("debateFrom() refuses positions beside participants, and a topic before all else", () => {
    const participants = [{ name: "Ada", position: "Yes" }, { name: "Ben", position: "No" }];
    assert.throws(
      () => castFrom({ participants, positions: ["a", "b"] }),
      /positions beside participants/,
    );
    assert.throws(
      () => castFrom({ participants, positions: ["a", "b"], preset: "pro-con" }),
      /positions beside participants/,
    );
    assert.throws(() => castFrom({ topic: "Short", preset: "alternating" }), /topic/i);
  });
});
