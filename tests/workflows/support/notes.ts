// A note-taker for tests: points by the turn's key, each resting on the first sentence of the speech.
import { bodyOf, type Say } from "./talkers.ts";

/** A point as a test gives it: kind, ids, and a line. */
export type GivenPoint = readonly [
  kind: "new" | "answers" | "extends" | "concedes" | "repeats",
  answers: readonly string[],
  text: string,
];

/** Notes of the turns with the given keys; a speech's key stands in its first sentence. */
export function noting(points: Readonly<Record<string, readonly GivenPoint[]>>): Say {
  return ({ context }) => {
    if (context.kind !== "notes") return undefined;
    const body = bodyOf(context);
    const [quote = ""] = body.split(". ");
    const key = Object.keys(points).find((each) => quote === `Speech for ${each}`);
    const found = (points[key ?? ""] ?? []).map(([kind, answers, text]) => ({
      quote,
      text,
      kind,
      answers,
    }));
    const claims = [{ quote, text: `It is said in ${quote}.` }];
    return { text: JSON.stringify({ points: found, claims }) };
  };
}

/** A debate of one round in which Ada's A2 is dropped, Ben's B1 conceded, and Ada's A1 repeated. */
export const DROPPED: Readonly<Record<string, readonly GivenPoint[]>> = {
  "opening/a": [["new", [], "Clean air saves lives"], ["new", [], "Streets belong to people"]],
  "opening/b": [["new", [], "Deliveries need cars"]],
  "round-1/argument/a": [["concedes", ["B1"], "Deliveries do need vans"]],
  "round-1/rebuttal/b/a": [["answers", ["A1"], "Filters clean the air as well"]],
  "round-1/argument/b": [["new", [], "Shops lose custom"], ["answers", ["A9"], "Nobody said this"]],
  "round-1/rebuttal/a/b": [["repeats", ["A1"], "Clean air, once more"]],
  "closing/a": [["answers", ["B3"], "Shops gain walkers"]],
};
