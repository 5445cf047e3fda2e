// Effects of keys of dialogues and of consensus searches.
import { sampleJson } from "../../support/sample_json.ts";
import { differs, type KeyCase } from "../support/key_case.ts";
import { modelOf } from "./check_cases.ts";
import { type HoldOptions, person, type Seen } from "../support/holding.ts";

const THREE = { participants: [person("Ada"), person("Ben"), person("Cleo")] };

function capOf({ requests }: Seen): number | undefined {
  return requests.find(({ context }) => context.purpose === "turn" && context.participant === "ada")
    ?.maxTokens;
}

/** Keys of dialogues alone. */
const DIALOGUE_CASES: readonly KeyCase[] = [
  differs({
    key: "maxTurns",
    changes: "how many turns there are",
    kinds: ["dialogue"],
    value: 7,
    of: ({ messages, result }) => [messages.length, result?.endReason],
    is: [[4, "completed"], [7, "completed"]],
  }),
  differs({
    key: "maxTokensPerTurn",
    changes: "the most tokens of a turn",
    kinds: ["dialogue"],
    value: 90,
    of: capOf,
    is: [250, 90],
  }),
  differs({
    key: "select",
    changes: "who says who speaks next",
    kinds: ["dialogue"],
    base: { ...THREE, maxTurns: 4 },
    value: "bids",
    held: {
      say: ({ context: { kind, participant } }) =>
        kind === "bid"
          ? { text: JSON.stringify({ reason: "Mine.", bid: participant === "cleo" ? 1 : 0.1 }) }
          : undefined,
    },
    of: ({ messages }) => messages.map(({ participant }) => participant).join(" "),
    is: ["ada ben cleo ada", "cleo ada cleo ben"],
  }),
  differs({
    key: "moderatorModel",
    changes: "the model of the moderator that selects",
    kinds: ["dialogue"],
    base: { ...THREE, select: "moderator" },
    value: "chair",
    held: { server: {} },
    of: (seen) => modelOf(seen, "next_speaker"),
    is: ["one", "chair"],
  }),
];

/** Options in which Ben alone disagrees. */
const DIVIDED: HoldOptions = {
  say: ({ schema, context: { kind, participant } }) => {
    if (schema === undefined || !["statement", "stance"].includes(kind)) return undefined;
    const shape = { ...schema.type.toJSONSchema({ io: "input", unrepresentable: "any" }) };
    const stance = participant === "ben" ? "disagree" : "agree";
    const value = sampleJson(
      shape,
      (path) =>
        path === "stances"
          ? ["p1", "p2", "p3"].map((on) => ({ on, stance, strength: 1, condition: "" }))
          : undefined,
    );
    return { text: JSON.stringify(value) };
  },
};

/** Keys of consensus searches alone. */
const CONSENSUS_CASES: readonly KeyCase[] = [
  differs({
    key: "threshold",
    changes: "how many must agree",
    kinds: ["consensus"],
    base: THREE,
    value: 0.6,
    held: DIVIDED,
    of: ({ result }) => [result?.endReason, result?.consensus?.agreed.length],
    is: [["impasse", 0], ["consensus", 3]],
  }),
  differs({
    key: "stableTurns",
    changes: "for how long agreement must hold",
    kinds: ["consensus"],
    value: 1,
    of: ({ messages }) => messages.filter(({ kind }) => kind === "statement").length,
    is: [5, 3],
  }),
  differs({
    key: "maxTokensPerTurn",
    changes: "the most tokens of a turn, its stances aside",
    kinds: ["consensus"],
    value: 90,
    of: (seen) => (capOf(seen) ?? 0) - 260,
    is: [250, 90],
  }),
  differs({
    key: "moderatorModel",
    changes: "the model of the moderator that merges proposals",
    kinds: ["consensus"],
    value: "chair",
    held: { server: {} },
    of: (seen) => modelOf(seen, "proposals_merged"),
    is: ["one", "chair"],
  }),
];

/** Keys of dialogues or of consensus searches. */
export const OWN_CASES: readonly KeyCase[] = [...DIALOGUE_CASES, ...CONSENSUS_CASES];
