// The same debate through the library, as a program that embeds it would run it.
import { composeConvening } from "../../src/compose.ts";
import type { DebateSetting } from "./bare.ts";

/** Runs one debate to its end. */
export async function engineDebate(setting: DebateSetting): Promise<void> {
  const { topic, baseUrl, model, rounds, out, maxPromptTokens } = setting;
  const workflow = await composeConvening({
    kind: "debate",
    topic,
    baseUrl,
    model,
    roundCount: rounds,
    maxPromptTokens,
    seed: 1,
    out,
  }, { env: () => undefined });
  await workflow.run();
}
