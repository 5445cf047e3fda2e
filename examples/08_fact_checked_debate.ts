/**
 * Fact checking without a key: claims are looked up in the convening's own sources. `standard` marks a false claim.
 * `strict` rejects the turn and tells the speaker the false claim and the evidence. To search the web as well, set
 * TAVILY_API_KEY and add `--allow-env=TAVILY_API_KEY` and `--allow-net=api.tavily.com`.
 *
 *     deno run --no-prompt --allow-read examples/08_fact_checked_debate.ts
 */
import assert from "node:assert/strict";
import {
  type Agent,
  composeConvening,
  createAgent,
  type DebateConfig,
  memoryRecord,
} from "../mod.ts";
import type { FactCheckConfig } from "../protocol.ts";

const offline = createAgent("offline");

/** Fact checker with one rule: a number that the source lacks is false. The offline agent finds the claims. */
const checker: Agent = {
  model: "figures",
  async reply(request) {
    const reply = await offline.reply(request);
    const prompt = request.messages.map(({ content }) => content).join("\n");
    const [, figure] = /<claim>\n[^<]*?(\d+ percent)/.exec(prompt) ?? [];
    const [result] = [...prompt.matchAll(/<result n="(\d+)"[^>]*>\n[^<]*axi rides([^<]*)/g)];
    if (figure === undefined || result === undefined) return reply;
    const [, number, text] = result;
    const verdict = text!.includes(figure)
      ? { reason: `The source has ${figure}.`, verdict: "true" }
      : { reason: `The source does not have ${figure}.`, verdict: "false" };
    const answer = { ...verdict, omitted: "", confidence: 0.9, sources: [Number(number)] };
    return { ...reply, text: JSON.stringify(answer) };
  },
};

/** Speaker that gives a wrong number, and corrects it after a rejection, which is at the end of the retry's prompt. */
const careless: Agent = {
  // Named like the offline agent, because the offline agent checks no claims of other models.
  model: offline.model,
  async reply(request) {
    const reply = await offline.reply(request);
    const told = request.messages.at(-1)!.content.includes("false by what was found");
    const claim = told
      ? "Taxi rides after midnight fell by 12 percent in the first year."
      : "Taxi rides after midnight rose by 30 percent in the first year.";
    return { ...reply, text: `${claim} ${reply.text}` };
  },
};

/** Runs a debate; returns the reasons of rejections, and the false claims in accepted messages. */
async function debate(mode: NonNullable<FactCheckConfig["mode"]>) {
  const config: DebateConfig = {
    kind: "debate",
    topic: "Should our town run buses all night?",
    participants: [
      { name: "Advocate A" },
      { name: "Advocate B" },
      { name: "Checker", role: "fact_checker" },
    ],
    model: "offline",
    sources: [`${import.meta.dirname}/configurations/sources/late_buses.md`],
    factCheck: { mode },
    roundCount: 0,
    seed: 2,
  };
  const workflow = await composeConvening(config, {
    record: memoryRecord(),
    agents: { "advocate-b": careless, checker },
  });
  const rejected: string[] = [];
  const wrong: string[] = [];
  for await (const event of workflow.stream()) {
    if (event.type === "turn-reject") rejected.push(event.rejection.reason);
    if (event.type !== "fact-check") continue;
    for (const { text, verdict, sources } of event.factCheck.claims) {
      const where = sources.map(({ url }) => url).join(", ");
      console.log(`message ${event.factCheck.message}: ${verdict}: ${text} (${where})`);
      if (verdict === "false") wrong.push(text);
    }
  }
  return { rejected, wrong };
}

console.log("== standard: kept, and marked");
const standard = await debate("standard");
assert.deepEqual(standard.rejected, []);
assert.ok(standard.wrong.some((text) => text.includes("rose by 30 percent")));

console.log("\n== strict: said again");
const strict = await debate("strict");
for (const reason of strict.rejected) console.log(`rejected: ${reason}`);
assert.match(strict.rejected[0] ?? "", /rose by 30 percent.*late_buses\.md/);
assert.deepEqual(strict.wrong, []);
