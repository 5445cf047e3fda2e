// A paper debate in a process of its own: says how long it took.
import { createPaperDebateWorkflow } from "../../mod.ts";

/** What is told to the process. */
export interface PaperTask {
  readonly baseUrl: string;
  readonly model: string;
  /** As many debaters. */
  readonly postures: number;
  readonly out: string;
}

if (import.meta.main) {
  const { baseUrl, model, postures, out }: PaperTask = JSON.parse(Deno.args[0]!);
  // Loading them is no part of a debate.
  await import("openai");
  const text = "What was measured says so. ".repeat(2000);
  const debate = createPaperDebateWorkflow([{ title: "A measurement", text }], {
    baseUrl,
    env: () => undefined,
    model,
    postures,
    out,
    seed: 1,
  });
  const started = performance.now();
  const { status } = await debate.run();
  const wall = performance.now() - started;
  if (status !== "completed") throw new Error(`The debate is ${status}`);
  // deno-lint-ignore no-console -- the line is what the caller reads
  console.log(JSON.stringify({ wall }));
}
