// A study with contestants of known strength, an advantage of the first seat, and a judge that prefers length: the
// report finds each of these effects.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { runStudy } from "../../src/operations/study_run.ts";
import { studyReport } from "../../src/operations/study_results.ts";
import { mixSeed, seededRandom } from "../../src/core/statistics.ts";
import { withFolder } from "../support/cli.ts";
import type { ModelReply, ModelRequest } from "../support/model_server.ts";
import { sampleJson } from "../support/sample_json.ts";
import { startSpeaker } from "../support/speaking_model.ts";

/** Strengths that fair judges use. */
const STRENGTHS = { strong: 1.2, middle: 0, weak: -1.2 } as const;
const SIDE = 1.5;
const TIE = 0.3;

type Name = keyof typeof STRENGTHS;

/** Replies as a contestant, with a speech that names it, or as a judge, who weighs the sides by these names. */
function respond({ body: { model, messages, response_format: format } }: ModelRequest): ModelReply {
  const prompt = messages.map(({ content }) => content ?? "").join("\n");
  const [, topic = ""] = /(question-\d+)/.exec(prompt) ?? [];
  if (model in STRENGTHS && format === undefined) return { text: speechOf(model, topic, prompt) };
  const sample = (path: string, schema: Readonly<Record<string, unknown>>) => {
    const labels = schema["enum"];
    if (path.endsWith("speech")) return speechOf(model, topic, prompt);
    if (!path.endsWith("winner") || !Array.isArray(labels)) return undefined;
    return verdictOf(model, topic, { prompt, labels });
  };
  return format === undefined
    ? { text: "The debate is over." }
    : { json: sampleJson(format.json_schema?.schema ?? {}, sample) };
}

/** Returns a speech of 60 to 160 words; contestant and topic determine the length. */
function speechOf(name: string, topic: string, prompt: string): string {
  const turns = prompt.match(/<turn\b/g)?.length ?? 0;
  const words = 60 + mixSeed(7, name, topic) % 100;
  const sentence = (at: number) =>
    `Point ${at} of ${turns} speaks as contestant-${name} does here. `;
  return Array.from({ length: Math.ceil(words / 8) }, (_, at) => sentence(at)).join("").trim();
}

function verdictOf(
  judge: string,
  topic: string,
  { prompt, labels }: { readonly prompt: string; readonly labels: readonly string[] },
): string {
  const turns = [...prompt.matchAll(/<turn[^>]*speaker="([^"]+)"[^>]*>([^<]*)<\/turn>/g)]
    .map(([, speaker, said]) => [speaker!, said!] as const);
  const said = (label: string) =>
    turns.filter(([speaker]) => speaker === label).map(([, words]) => words).join(" ");
  const sides = labels.filter((label) => label !== "tie");
  const first = sides.find((label) => prompt.includes(`\n- ${label}: For`))!;
  const second = sides.find((label) => label !== first)!;
  if (judge === "lover") return said(first).length > said(second).length ? first : second;
  const nameOf = (label: string) => /contestant-(\w+)/.exec(said(label))![1] as Name;
  const d = STRENGTHS[nameOf(first)] - STRENGTHS[nameOf(second)] + SIDE;
  const [win, loss] = [Math.exp(d / 2), Math.exp(-d / 2)];
  const random = seededRandom(mixSeed(1, topic, nameOf(first), nameOf(second)));
  const drawn = random() * (win + loss + TIE);
  return drawn < win ? first : drawn < win + loss ? second : "tie";
}

withFolder.test("study: strengths, the first seat's advantage and a judge's preference for length are found, and intervals contain the true values", async (out) => {
  await using server = await startSpeaker(respond);
  const { dir, done } = await runStudy({
    study: "known",
    base: {
      kind: "debate",
      out,
      roundCount: 2,
      openings: false,
      closings: false,
      exchange: "alternating",
      moderation: "template",
      scoreBy: "round",
    },
    topics: Array.from({ length: 8 }, (_, at) => ({
      id: `q${at}`,
      topic: `Should question-${at} be answered with yes?`,
    })),
    contestants: Object.keys(STRENGTHS).map((id) => ({ id, model: id })),
    judges: ["fair", "even", "lover"].map((model) => ({ model })),
    concurrency: 4,
  }, { env: (name) => server.env[name] });
  assert.equal(done, 48);
  const { leaderboard, warnings, diagnostics } = await studyReport(dir);
  assert.deepEqual(leaderboard.map(({ contestant }) => contestant), Object.keys(STRENGTHS));
  for (const { contestant, interval } of leaderboard) {
    const truth = 1500 + STRENGTHS[contestant as Name] * 400 / Math.LN10;
    assert.ok(
      interval![0] < truth && truth < interval![1],
      `${contestant}: ${interval}, ${truth}`,
    );
  }
  const find = (id: string) => diagnostics.find((each) => each.id === id)!;
  assert.match(find("side-advantage").sentence!, /^The first speaker wins/);
  assert.match(warnings.join(" "), /Seats matter/);
  const ratings = JSON.parse(await Deno.readTextFile(join(dir, "report", "ratings.json")));
  const [low, high] = ratings.side.interval;
  assert.ok(low > 0 && low < SIDE && SIDE < high, `${low}, ${high}`);
  assert.match(find("judges").sentence!, /for the longer side: [\w-]+ \(lover\)\. /);
  assert.ok(find("position").estimate === 1);
  assert.match(find("agreement").table!.rows.join(), /100 %/);
  const html = await Deno.readTextFile(join(dir, "report", "leaderboard.html"));
  const links = [...html.matchAll(/href="(\.\.\/debates\/[^"]+)"/g)].map(([, href]) => href!);
  assert.equal(links.length, 48);
  for (const href of links) await Deno.stat(join(dir, "report", href));
});
