// Library with the Delphi survey of the examples and experts without a model; the default export is for `--extend`.
import type { Agent } from "../../../mod.ts";
import type { LibraryOptions } from "../../../protocol.ts";
import delphi from "../../../examples/kinds/delphi.ts";

/** Keys of the experts' requests. */
export const asked: string[] = [];

/** Creates an expert who moves half of the way to 50 in every round. */
function expert(base: string): Agent {
  return {
    model: `expert:${base}`,
    reply: ({ context }) => {
      asked.push(context.key);
      const estimate = 50 + (Number(base) - 50) / 2 ** context.round;
      return Promise.resolve({
        text: JSON.stringify({ reasons: `I began at ${base}.`, estimate }),
        finishReason: "stop",
        model: `expert:${base}`,
        usage: { inputTokens: 10, cachedInputTokens: 0, outputTokens: 5 },
      });
    },
  };
}

export const SURVEY = {
  kind: "delphi",
  topic: "How likely is a four day week by 2035?",
  participants: [
    { name: "Facilitator", model: "expert:0" },
    ...[10, 40, 60, 95].map((base) => ({ name: `Expert ${base}`, model: `expert:${base}` })),
  ],
  until: 10,
};
/** Value of the survey. */
export const VALUE = { rounds: 3, median: 48.75, converged: true };

const options: LibraryOptions = { ...delphi, agents: { expert } };
export default options;
