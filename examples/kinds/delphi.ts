// A kind of your own, a Delphi survey: experts estimate alone, see anonymous statistics, and revise until they converge.
import { z } from "zod";
import { DialogueWorkflow, type Participant } from "../../mod.ts";
import { beginAsk, choiceQuestion, defineKind, say, settle } from "../../protocol.ts";
import type { KindOptions, Protocol } from "../../protocol.ts";

const settings = { maxRounds: z.int().min(1).default(4), until: z.number().min(0).default(5) };
const reply = z.object({ reasons: z.string().min(1), estimate: z.number().min(0).max(100) });

/** Returns the value that a share of the estimates does not exceed. */
function quantile(estimates: readonly number[], share: number): number {
  return estimates.toSorted((a, b) => a - b)[Math.floor((estimates.length - 1) * share)] ?? NaN;
}

class Delphi extends DialogueWorkflow<unknown> {
  readonly #rules: { readonly maxRounds: number; readonly until: number };

  constructor(topic: string, cast: readonly Participant[], options: KindOptions<typeof settings>) {
    const rules = "A Delphi survey: experts estimate alone and do not know each other.";
    super(topic, cast, { ...options, design: { ...options.design, rules } });
    this.#rules = options;
  }

  protected override *protocol(): Protocol<unknown> {
    const [facilitator, ...experts] = this.participants;
    let [seq, notes] = [0, "Nobody has answered yet."];
    for (let round = 1; round <= this.#rules.maxRounds; round++) {
      const asked = [];
      for (const { id } of experts) {
        asked.push(
          yield* beginAsk(choiceQuestion({
            ...{ key: `estimate/${round}/${id}`, asked: id, phase: "survey", kind: "estimate" },
            ...{ round, notes, seq: seq + 1, schema: { name: "estimate", type: reply } },
            task: "Estimate in percent: first your reasons in two sentences, then the number.",
            valueOf: (value) => value ?? null,
            reasonsOf: ({ reasons }) => reasons,
          })),
        );
      }
      const answers = yield* settle(asked);
      const values = answers.flatMap(({ value }) => reply.safeParse(value).data?.estimate ?? []);
      const [low, median, high] = [0.25, 0.5, 0.75].map((share) => quantile(values, share));
      notes = `Round ${round}: ${values.length} experts, median ${median}, ${low} to ${high}.`;
      const turn = { key: `statistics/${round}`, phase: "survey", kind: "statistics", round };
      seq = (yield* say({ ...turn, speaker: facilitator!.id, task: "", text: notes })).seq;
      if (high! - low! <= this.#rules.until) return { rounds: round, median, converged: true };
    }
    return { rounds: this.#rules.maxRounds, converged: false };
  }
}

/** Value for `createLibrary` and `--extend`. */
export default {
  kinds: [defineKind({
    name: "delphi",
    summary: "Experts estimate in rounds until their estimates converge",
    settings,
    create: (topic, cast, options) => new Delphi(topic, cast, options),
  })],
};
