// The debate of the benchmark through the library, as an embedding program runs it.
import {
  createAgent,
  createDebateModerator,
  createDebateParticipant,
  createDebateWorkflow,
} from "../../mod.ts";
import type { Searcher } from "../../protocol.ts";
import type { DebateTask } from "./bench.ts";

/** Runs a debate to its end. */
export async function ourDebate(task: DebateTask): Promise<void> {
  const { topic, baseUrl, model, rounds, out, maxPromptTokens, debates = 1, search, flow } = task;
  // The baseline has no limit on concurrent requests; the library's limit is raised so that it does not matter.
  const profile = { limits: { start: 4096, max: 4096 } };
  const place = debates > 1
    ? { providers: { bench: { baseUrl, profile } }, env: () => undefined }
    : { baseUrl, env: () => undefined };
  const name = debates > 1 ? `bench:${model}` : model;
  const agent = createAgent(name, place);
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
    flow,
    ...(search === undefined ? {} : {
      ...place,
      model: name,
      factCheck: { mode: "standard" },
      searchers: [searching(search)],
    }),
  });
  await workflow.run();
}

/** Creates a searcher with a latency. */
function searching(latency: number): Searcher {
  return {
    name: "webSearch",
    search: async (query) => {
      await new Promise((resolve) => setTimeout(resolve, latency));
      return [{
        title: "A page",
        url: "https://example.org/",
        snippet: `It is known that ${query}`,
      }];
    },
  };
}
