// Debates with failing or limited models end alike in library, CLI, HTTP and MCP.
import assert from "node:assert/strict";
import { openConvening, verify } from "../../mod.ts";
import { type ModelReply, type ModelRequest, startModelServer } from "../support/model_server.ts";
import { paperModel } from "../support/paper_model.ts";
import { startSearchServer } from "../support/search_server.ts";
import { MODELS, PAPERS } from "./support/asked.ts";
import type { Asked, Json } from "./support/door.ts";
import { type Everywhere, type FourDoors, withDoors } from "./support/four_doors.ts";

type Answers = (request: ModelRequest) => ModelReply | undefined;

/** A failure and its consequences. */
interface Degraded {
  readonly asked?: Asked;
  /** Replies of the failing model; undefined for a valid reply. */
  readonly says?: Answers;
  /** Marks of message 2. @default none */
  readonly marks?: readonly string[];
  readonly check: (held: Everywhere["given"]) => void;
}

/** Returns the same reply to every request of one model. */
function model(name: string, reply: ModelReply): Answers {
  return ({ body }) => body.model === name ? reply : undefined;
}

/** Valid replies of the other models: equal requests get equal replies. */
function good({ body }: ModelRequest): ModelReply {
  const asked = body.response_format?.json_schema?.name;
  if (asked === "claims") {
    const quote = "Streets belong to those who walk";
    return { json: { claims: [{ quote, text: quote }] } };
  }
  if (asked !== undefined) return {};
  const heard = body.messages.reduce((sum, { content }) => sum + (content ?? "").length, 0);
  return {
    text: `Streets belong to those who walk, says ${body.model} after ${heard} characters.`,
  };
}

function failedWith(code: string): Degraded["check"] {
  return ({ error, value }) => {
    assert.equal(error?.code, code);
    assert.deepEqual([value?.["status"], value?.["endReason"]], ["failed", "failed"]);
  };
}

function came(status: string, more: Json = {}): Degraded["check"] {
  return ({ error, value }) => {
    assert.equal(error, undefined);
    assert.equal(value?.["status"], status);
    for (const [key, wanted] of Object.entries(more)) assert.deepEqual(value?.[key], wanted, key);
  };
}

/** A truncated reply: of a whole one the schema counts as ignored, and that lesson would leak from one surface to the next. */
const NO_SCORES = {
  text: "I would rather not put a number on any of this.",
  finishReason: "length",
};

/** Turns that follow each other, so that a failure meets every surface at the same turn. */
const IN_TURN = { ...MODELS, openings: false };

const DEGRADED: Readonly<Record<string, Degraded>> = {
  "a participant's server lets it wait too long": {
    asked: { config: { ...IN_TURN, retry: { retries: 2, maxRetryAfter: 0 } } },
    says: model("ben", { status: 429, headers: { "retry-after": "30" } }),
    check: failedWith("agent_rate_limited"),
  },
  "a participant's key is refused": {
    asked: { config: IN_TURN },
    says: model("ada", { status: 401 }),
    check: failedWith("agent_auth"),
  },
  "a participant's answers are cut short": {
    says: model("ada", { text: "It is plain that", finishReason: "length" }),
    marks: ["truncated"],
    check: came("completed"),
  },
  "a judge gives no numbers": {
    says: model("jo", NO_SCORES),
    check: came("completed", { outcome: "unscored", winner: null, unscored: ["ada", "ben"] }),
  },
  "a judge's key is refused": {
    says: model("jo", { status: 401 }),
    check: came("completed", { outcome: "unscored", winner: null, unscored: ["ada", "ben"] }),
  },
  "a judge's server breaks": {
    says: model("jo", { status: 500 }),
    check: failedWith("agent_unreachable"),
  },
  "tokens run out": {
    // Turns of a dialogue follow each other, so that the limit stops every surface at the same turn.
    asked: {
      config: {
        kind: "dialogue",
        topic: "Should streets belong to those who walk?",
        model: "good",
        participants: [{ name: "Ada" }, { name: "Ben" }],
        limits: { maxTokens: 3000 },
        seed: 2,
      },
    },
    check: came("stopped", { endReason: "max_tokens" }),
  },
  "claims cannot be looked up": {
    asked: { config: { ...MODELS, factCheck: { mode: "standard", maxClaims: 1 } } },
    check: ({ value }) => {
      const { checked, unchecked } = Object(value?.["factChecks"]);
      assert.deepEqual([value?.["status"], checked, unchecked], ["completed", 0, 8]);
    },
  },
  "one debater over a paper fails": {
    asked: {
      config: {
        kind: "paper-debate",
        model: "good",
        question: "Do trees cool streets enough to be worth their water?",
        postures: 3,
        retry: { retries: 0 },
        seed: 2,
      },
      papers: [PAPERS.trees],
    },
    says: paperModel((ask) => ask.debater === "Debater B" ? { status: 500 } : undefined),
    check: ({ value }) => {
      assert.deepEqual(Object.keys(Object(value?.["scores"])), ["debater-a", "debater-c"]);
      // The model's judge prefers the posture that comes first in the alphabet.
      assert.deepEqual([value?.["status"], value?.["winner"]], ["completed", "debater-c"]);
    },
  },
};

for (const [name, row] of Object.entries(DEGRADED)) {
  const { asked = { config: MODELS }, says, marks = [], check } = row;
  Deno.test(`library, CLI, HTTP and MCP return the same result when ${name}`, async () => {
    await using server = await startModelServer({
      respond: (request) => says?.(request) ?? good(request),
    });
    await using search = await startSearchServer({ answers: () => ({ status: 500 }) });
    const env = { TAVILY_API_KEY: "key", TAVILY_BASE_URL: search.url };
    await withDoors({ model: "good", baseUrl: server.url, env }, async (doors) => {
      const held = await doors.hold(asked);
      check(held.given);
      // The records are equal: checking one is enough.
      const [dir = ""] = held.dirs.values();
      assert.deepEqual((await verify(dir)).findings, []);
      const { messages } = await openConvening(dir);
      assert.deepEqual(messages[1]?.marks ?? [], marks);
    });
  });
}

Deno.test("library, CLI, HTTP and MCP resume alike after a participant's server has recovered", async () => {
  let isBroken = true;
  await using server = await startModelServer({
    respond: (request) =>
      isBroken && request.body.model === "ben" ? { status: 500 } : good(request),
  });
  await withDoors({ model: "good", baseUrl: server.url }, async (doors: FourDoors) => {
    const held = await doors.hold({ config: IN_TURN });
    assert.equal(held.given.error?.code, "agent_unreachable");
    isBroken = false;
    const on = await doors.at(held, (door, dir) => door.resume(dir));
    assert.equal(on.value?.["status"], "completed");
    await doors.compare(held);
  });
});
