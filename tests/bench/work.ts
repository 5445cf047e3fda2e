// A piece of work in a process of its own: debates of a candidate, a start, a paper debate, or a long dialogue.
import process from "node:process";
import type { Agent } from "../../src/core/agent.ts";
import type { DebateTask } from "./bench.ts";

type Library = typeof import("../../mod.ts");
type Tokens = typeof import("../../src/core/tokens.ts");

const { work, ...task } = JSON.parse(Deno.args[0]!);

function say(line: unknown): void {
  // deno-lint-ignore no-console -- the line is what the caller reads
  console.log(JSON.stringify(line));
}

/** Imports a module that is named only now: Deno loads the graph of a literal import with that of this file. */
async function importNow<T>(module: string): Promise<T> {
  return await import(module);
}

async function candidateOf(
  { candidate }: DebateTask,
): Promise<(task: DebateTask) => Promise<void>> {
  return candidate === "ours"
    ? (await importNow<typeof import("./ours.ts")>("./ours.ts")).ourDebate
    : (await importNow<typeof import("./bare.ts")>("./bare.ts")).bareDebate;
}

/** Returns milliseconds of processor time of all threads since `before`. */
function cpuSince(before: ReturnType<typeof process.cpuUsage>): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Runs a debate; the model server notes the time of the first request. */
async function start(given: DebateTask): Promise<void> {
  await (await candidateOf(given))(given);
}

/** Prints the cost of debates. */
async function debates(given: DebateTask): Promise<void> {
  const debate = await candidateOf(given);
  // Loading the client and the tokenizer does not count as part of a debate.
  await importNow("openai");
  if (given.candidate === "ours") {
    const { loadTokenCounter } = await importNow<Tokens>("../../src/core/tokens.ts");
    (await loadTokenCounter())("Ready.");
  } else (await importNow<typeof import("gpt-tokenizer")>("gpt-tokenizer")).countTokens("Ready.");
  const [before, started] = [process.cpuUsage(), performance.now()];
  await Promise.all(Array.from({ length: given.debates ?? 1 }, () => debate(given)));
  const wall = performance.now() - started;
  say({ cpu: cpuSince(before), wall, peak: process.resourceUsage().maxRSS / 1024 });
}

/** Prints the wall time of a paper debate. */
async function paper(
  { baseUrl, model, out, postures }: DebateTask & { readonly postures: number },
): Promise<void> {
  const { createPaperDebateWorkflow } = await importNow<Library>("../../mod.ts");
  // Loading the package does not count as part of a debate.
  await importNow("openai");
  const text = "What was measured says so. ".repeat(2000);
  const place = { baseUrl, env: () => undefined, model, out };
  const papers = [{ title: "A measurement", text }];
  const debate = createPaperDebateWorkflow(papers, { ...place, postures, seed: 1 });
  const started = performance.now();
  const { status } = await debate.run();
  if (status !== "completed") throw new Error(`The debate is ${status}`);
  say({ wall: performance.now() - started });
}

/** Prints the cost of each block of messages in a long dialogue whose agent answers at once. */
async function messages(
  { model, out, count, block }: DebateTask & { readonly count: number; readonly block: number },
): Promise<void> {
  const { createDialogueWorkflow, createParticipant } = await importNow<Library>("../../mod.ts");
  const { speechFor } = await importNow<typeof import("./calls.ts")>("./calls.ts");
  const usage = { inputTokens: 1000, cachedInputTokens: 0, outputTokens: 250 };
  let calls = 0;
  const agent: Agent = {
    model,
    reply: () => {
      const text = speechFor(`argument/${++calls}`);
      return Promise.resolve({ text, finishReason: "stop", model, usage });
    },
  };
  const participants = ["Ada", "Ben"].map((name) => createParticipant({ name }, agent));
  const topic = "What should a city plan for first?";
  const workflow = createDialogueWorkflow(topic, participants, { maxTurns: count, out });
  const cost = { cpu: [] as number[], wall: [] as number[] };
  let [cpu, wall] = [process.cpuUsage(), performance.now()];
  for await (const event of workflow.stream()) {
    if (event.type !== "message" || event.message.seq % block !== 0) continue;
    cost.cpu.push(cpuSince(cpu) / block);
    cost.wall.push((performance.now() - wall) / block);
    [cpu, wall] = [process.cpuUsage(), performance.now()];
  }
  say(cost);
}

const works = new Map<string, (given: typeof task) => Promise<void>>([
  ["start", start],
  ["debate", debates],
  ["paper", paper],
  ["messages", messages],
]);
await works.get(work)!(task);
