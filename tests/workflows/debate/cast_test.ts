import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { createDebateParticipant, createParticipant } from "../../../mod.ts";
import { castOf } from "../../../src/debate/cast.ts";
import { cast, Talker } from "../support/talkers.ts";

const agent = new Talker();

describe("castOf()", () => {
  it("castOf() tells the moderator from the sides, which keep their order", () => {
    const { moderator, sides } = castOf(cast(agent), {});
    assert.equal(moderator?.id, "m");
    assert.deepEqual(sides.map(({ id, label }) => [id, label]), [["a", "Ada"], ["b", "Ben"]]);
  });

  it("castOf() refuses one side, two moderators, other roles, and positions that are the same", () => {
    const [moderator, ada, ben] = cast(agent);
    const refused = (participants: Parameters<typeof castOf>[0], message: RegExp) =>
      assert.throws(() => castOf(participants, {}), message);
    refused([moderator!, ada!], /1 moderators and 1 advocates/);
    refused([moderator!, { ...moderator!, id: "n" }, ada!, ben!], /2 moderators/);
    const guest = createParticipant({ name: "Gil", role: "guest" });
    refused([ada!, ben!, guest], /"Gil" a part in a debate: its role is guest/);
    refused([ada!, { ...ben!, position: " POSITION A" }], /the same position/);
  });

  it("castOf() refuses another number of sides than the preset's", () => {
    const third = createDebateParticipant({ name: "Cy", position: "Neither" });
    assert.throws(
      () => castOf([...cast(agent), third], { preset: "pro-con" }),
      /3 sides with preset "pro-con": it has 2/,
    );
  });

  it("castOf() takes one usual model for all sides as one model", () => {
    const [ada, ben] = ["Ada", "Ben"].map((name) =>
      createDebateParticipant({ name, position: name })
    );
    assert.equal(castOf([ada!, ben!], { preset: "self-play" }).sides.length, 2);
    assert.throws(
      () => castOf([{ ...ada!, model: "x" }, ben!], { preset: "self-play" }),
      /"Ada" has model "x", "Ben" has the usual model/,
    );
    assert.equal(
      castOf([{ ...ada!, model: "x" }, ben!], { preset: "self-play", model: "x" }).sides.length,
      2,
    );
  });
});
