// The same debate through the library, as a program that embeds it would run it.
import {
  createAgent,
  createDebateModerator,
  createDebateParticipant,
  createDebateWorkflow,
} from "../../mod.ts";
import type { DebateSetting } from "./bare.ts";

/** Runs one debate to its end. */
export async function engineDebate(setting: DebateSetting): Promise<void> {
  const { topic, baseUrl, model, rounds, out, maxPromptTokens } = setting;
  const agent = createAgent(model, { baseUrl, env: () => undefined });
  const participants = [
    createDebateModerator({}, agent),
    createDebateParticipant({ name: "Advocate A", position: `For: ${topic}` }, agent),
    createDebateParticipant({ name: "Advocate B", position: `Against: ${topic}` }, agent),
  ];
  const workflow = createDebateWorkflow(topic, participants, {
    roundCount: rounds,
    maxPromptTokens,
    seed: 1,
    out,
  });
  await workflow.run();
}
