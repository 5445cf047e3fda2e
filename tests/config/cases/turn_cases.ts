// Effects of keys about turns: lengths, attempts, deadlines.
import assert from "node:assert/strict";
import type { Rejection } from "../../../protocol.ts";
import { promptOf } from "../../support/talkers.ts";
import { differs, type KeyCase, shows } from "../support/key_case.ts";
import {
  hold,
  type HoldOptions,
  type Kind,
  person,
  type Seen,
  type Settings,
  settingsOf,
} from "../support/holding.ts";

/** Returns speeches with a number of words, the first of which is the turn's key in letters. */
export function wordy(words: number): HoldOptions {
  return {
    speech: ({ context: { key } }) => `${key.replace(/[^a-z]/g, "")}${" on".repeat(words - 1)}.`,
  };
}

/** Returns the attempts that a guard rejected. */
export function rejectedBy({ facts }: Seen, guard: string): Rejection[] {
  return facts.filter((fact): fact is Rejection => fact.type === "rejected")
    .filter((rejection) => rejection.guard === guard);
}

const BIG = {
  exchange: "alternating",
  roundSummaries: false,
  roundCount: 12,
  scoringEnabled: false,
};

const MANY: Readonly<Record<Kind, Settings>> = {
  dialogue: { maxTurns: 14 },
  consensus: { stableTurns: 10, limits: { maxTurns: 20 } },
  debate: BIG,
  "paper-debate": { participants: [person("Ada"), person("Ben"), person("Cleo")] },
};

/** Keys of a turn's form and duration. */
export const TURN_CASES: readonly KeyCase[] = [
  differs({
    key: "words/min",
    changes: "the fewest words of a turn",
    base: { words: { min: 200, max: 400 } },
    value: 300,
    held: wordy(250),
    of: (seen) => rejectedBy(seen, "length").length > 0,
    is: [false, true],
  }),
  differs({
    key: "words/max",
    changes: "the most words of a turn",
    base: { words: { min: 200, max: 600 } },
    value: 400,
    held: wordy(500),
    of: (seen) => rejectedBy(seen, "length").length > 0,
    is: [false, true],
  }),
  differs({
    key: "maxPromptTokens",
    changes: "from where on older turns are folded",
    base: (kind) => MANY[kind],
    value: 1500,
    held: wordy(150),
    of: ({ requests }) =>
      requests.some((request) => promptOf(request).includes('<summary turns="1-')),
    is: [false, true],
  }),
  differs({
    key: "turnMaxDuration",
    changes: "how long an attempt at a turn may take",
    without: 60_000,
    value: 30,
    held: () => {
      let first: string | undefined;
      const say: HoldOptions["say"] = async (
        { context: { purpose, participant, key }, signal },
      ) => {
        if (purpose !== "turn" || participant !== "ada") return undefined;
        first ??= key;
        if (key !== first) return undefined;
        await new Promise((resolve) => {
          const timer = setTimeout(resolve, 150);
          signal?.addEventListener("abort", () => {
            clearTimeout(timer);
            resolve(undefined);
          });
        });
        return undefined;
      };
      return { say };
    },
    // A paper debate continues without a failed debater.
    of: ({ error, facts }) => error?.code ?? facts.find((fact) => fact.type === "failure")?.code,
    is: [undefined, "agent_timeout"],
  }),
  shows({
    key: "personTimeout",
    changes: "how long a person is waited for",
    async check(kind) {
      const participants = [person("Ada", { model: "human" }), person("Ben")];
      const settings = settingsOf(kind, { participants, personTimeout: 60_000 });
      const heard = await hold(settings, {
        byName: ["ada"],
        person: "Trams need room too, and cars have had it long enough.",
      });
      assert.ok(heard.messages.some(({ model }) => model === "human"));
      assert.notEqual(heard.result?.status, "waiting");
      const { result } = await hold({ ...settings, personTimeout: 0 }, { byName: ["ada"] });
      assert.equal(result?.status, "waiting");
    },
  }),
];
