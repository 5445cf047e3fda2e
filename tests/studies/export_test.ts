// Exports of a study: files are read back, hashes are correct, and omitted data are in no file.
import { cp } from "node:fs/promises";
import { join } from "@std/path";
import { parse } from "@std/yaml";
import { tableFromIPC } from "apache-arrow";
import { readParquet } from "parquet-wasm/node";
import { ConveningError } from "../../mod.ts";
import type { AgentRequest, ChatMessage } from "../../protocol.ts";
import { Catalogue } from "../../src/compose.ts";
import { sha256 } from "../../src/core/message.ts";
import { rubricNamed } from "../../src/judging/scoring.ts";
import { resume } from "../../src/operations/convening.ts";
import { runStudy } from "../../src/operations/study_run.ts";
import { writeExport } from "../../src/studies/export/export.ts";
import { openStudy } from "../../src/studies/folder.ts";
import { exportStudy } from "../../src/operations/study_results.ts";
import { speakingAgent } from "../support/speaking_model.ts";
import assert from "node:assert/strict";

type Row = Readonly<Record<string, unknown>>;
type Chat = readonly { readonly role: string; readonly content: string }[];

const SOURCE = "The glasshouse of Quellhorn burned down in the winter of 1911.";
const SECRET = "sk-very-secret-4711";
const PERSON = "I, Evelyn, saw the tramway myself, and nobody rode it.";
const REJECTED = "Flumadiddle is all there is to say about it, and flumadiddle again.";

/** First prompts of turns, by the topic's sources and the turn's key. */
const sent = new Map<string, readonly ChatMessage[]>();
const speaker = speakingAgent((text, { context: { kind, purpose, attempt, participant } }) =>
  purpose === "turn" && attempt === 1 && participant === "ada" && kind === "opening_statement"
    ? REJECTED
    : text
);
const agent = {
  ...speaker,
  model: "speaking:model",
  reply: (request: AgentRequest) => {
    const { messages, context: { key, purpose, attempt } } = request;
    if (purpose === "turn" && attempt === 1) {
      sent.set(`${key} ${sha256(textOf(messages))}`, messages);
    }
    return speaker.reply(request);
  },
};
const catalogue = new Catalogue({ agents: { speaking: () => agent } });

const folder = await Deno.makeTempDir();
addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
await Deno.writeTextFile(join(folder, "source.md"), SOURCE);
const { dir } = await runStudy({
  study: "trams",
  base: {
    kind: "debate",
    model: "speaking:model",
    roundCount: 1,
    judges: [{ model: "speaking:judge" }],
    topicCheck: "off",
    personTimeout: 1,
    guards: { refusedTerms: { mode: "reject", terms: ["flumadiddle"] } },
    providers: { house: { baseUrl: "http://127.0.0.1:9/v1", extraBody: { tenant: SECRET } } },
  },
  topics: [{ id: "trams", topic: "Cities should build trams" }],
  contestants: [{ id: "ada", persona: "scientist" }, { id: "ben" }, { id: "eve", model: "human" }],
  pairs: [["ada", "ben"], ["ada", "eve"]],
  sides: "as-given",
  formats: { plain: {}, sourced: { sources: [join(folder, "source.md")] } },
}, { out: join(folder, "archive"), catalogue, env: () => undefined });

Deno.test("export: an unfinished study is marked as such, and its waiting convenings are omitted", async () => {
  const made = await exportStudy(dir, { catalogue });
  assert.deepEqual(made.convenings, { completed: 2, waiting: 2 });
  assert.equal(made.complete, false);
  const { card, manifest, described } = await pagesOf(made.dir);
  assert.match(card, /\*\*The study is not finished\.\*\*/);
  assert.match(card, /> The study is not finished: only completed convenings are included\./);
  assert.equal(manifest["complete"], false);
  assert.equal(described["isLiveDataset"], true);
  assert.deepEqual(made.files.map(({ path, rows }) => [path, rows]), [
    ["debates.jsonl", 2],
    ["judgements.jsonl", (await lines(made.dir, "judgements.jsonl")).length],
    ["README.md", undefined],
    ["croissant.json", undefined],
  ]);
});

Deno.test("export: every file is read back, hashes are correct, and omitted data are in no byte", async () => {
  await speakAsEve();
  const made = await exportStudy(dir, {
    formats: ["jsonl", "parquet", "judgements", "preferences", "sft"],
    license: "CC-BY-4.0",
    forRelease: true,
    catalogue,
  });
  assert.deepEqual(made.convenings, { completed: 4 });
  const { card, manifest, described } = await pagesOf(made.dir);

  for (const { path, bytes, rows, sha256: hash } of manifest["files"] as typeof made.files) {
    const content = await Deno.readFile(join(made.dir, path));
    assert.equal(content.length, bytes);
    assert.equal(sha256(content), hash, path);
    if (path.endsWith(".jsonl")) assert.equal((await lines(made.dir, path)).length, rows);
  }
  for await (const { name } of Deno.readDir(made.dir)) {
    const text = await Deno.readTextFile(join(made.dir, name));
    for (const word of [SECRET, SOURCE, PERSON, folder]) assert.ok(!text.includes(word), name);
  }

  const debates = await lines(made.dir, "debates.jsonl");
  const [first] = debates as [Row];
  assert.equal(first["debate_id"], `trams.${first["cell"]}`);
  assert.deepEqual([first["first"], first["second"]], ["ada", "ben"]);
  assert.deepEqual(first["sources"], []);
  const turns = debates.flatMap(({ turns }) => turns as readonly Row[]);
  assert.ok(turns.some(({ text, model }) => text === null && model === "human"));
  assert.ok(
    turns.every(({ text, sha256: hash }) => text === null || sha256(String(text)) === hash),
  );

  const table = readParquet(await Deno.readFile(join(made.dir, "debates.parquet")));
  const rows = tableFromIPC(table.intoIPCStream()).toArray().map((row) => row.toJSON() as Row);
  assert.deepEqual(rows.map(asLine), debates);

  for (const row of await lines(made.dir, "judgements.jsonl")) {
    const { type, judge_model: model, asking, order, winner, total } = row;
    assert.equal(model, "speaking:model");
    assert.equal(asking, type === "verdict" ? 1 : null);
    if (type === "verdict") assert.ok((order as string[]).includes("ada") && winner !== undefined);
    const criteria = row["criteria"] as { readonly score: number; readonly weight: number }[];
    const sum = criteria.reduce((sum, { score, weight }) => sum + score * weight, 0);
    assert.ok(Math.abs(sum - Number(total)) < 0.001, `${sum}, not ${total}`);
  }

  const [, yaml = "", words] = card.split("---\n");
  const front = parse(yaml, { schema: "core" }) as Row;
  assert.equal(front["license"], "cc-by-4.0");
  // Hugging Face datasets 5.0.1 cannot load a Parquet file beside JSON lines, nor, without the size of a chunk, a file of more than
  // 10 MB with a column that is null up to there.
  const configs = front["configs"] as { data_files: { path: string }[]; chunksize: number }[];
  assert.equal(configs.length, 4);
  for (const { data_files: [file], chunksize } of configs) {
    assert.equal((await Deno.stat(join(made.dir, file!.path))).size, chunksize);
  }
  assert.match(words!, /## Columns/);
  assert.match(words!, /## Left out/);
  for (
    const key of ["@context", "name", "description", "license", "url", "creator", "datePublished"]
  ) {
    assert.ok(described[key], key);
  }
  assert.equal(described["dct:conformsTo"], "http://mlcommons.org/croissant/1.1");
  assert.equal((described["distribution"] as unknown[]).length, made.files.length - 1);
  assert.match(made.warnings.join(), /providers restrict/);
});

Deno.test("export: training rows have the prompts as sent; turns without them are omitted with reasons", async () => {
  await speakAsEve();
  const formats = ["preferences", "sft"] as const;
  const made = await exportStudy(dir, { formats, catalogue });
  const reasons = made.leftOut.filter(({ file }) => file === "sft.jsonl").map(({ why }) => why);
  assert.deepEqual(reasons.toSorted(), [
    "the prompt shows people or their words",
    "the prompt shows sources",
    "the words are a person's",
    "the words are a template's",
  ]);
  const chats = await lines(made.dir, "sft.jsonl");
  assert.ok(chats.length >= 4);
  for (const { messages, turn } of chats) {
    const prompt = (messages as Chat).slice(0, -1);
    assert.deepEqual(sent.get(`${turn} ${sha256(textOf(prompt))}`)?.map(plain), prompt);
  }
  const preferences = await lines(made.dir, "preferences.jsonl");
  assert.ok(preferences.length >= 1);
  for (const { prompt, chosen, rejected, turn, guard, contestant } of preferences) {
    assert.deepEqual(rejected, [{ role: "assistant", content: REJECTED }]);
    assert.notDeepEqual(chosen, rejected);
    assert.deepEqual([guard, contestant], ["refused_terms", "ada"]);
    assert.ok(sent.has(`${turn} ${sha256(textOf(prompt as Chat))}`));
  }

  const all = await exportStudy(dir, { formats, allow: ["sources", "people"], catalogue });
  assert.ok((await lines(all.dir, "sft.jsonl")).length > 2 * chats.length);
  const winners = await exportStudy(dir, { formats, winnersOnly: true, catalogue });
  assert.ok((await lines(winners.dir, "sft.jsonl")).every(({ won }) => won === true));
});

Deno.test("export: reasons of a person who judges are omitted, and turns after a summary are no chats", async () => {
  const { dir } = await runStudy({
    study: "judged",
    base: {
      ...{ kind: "debate", model: "offline", judges: [{ model: "human" }], personTimeout: 1 },
      ...{ roundCount: 2, maxPromptTokens: 1400 },
    },
    topics: [{ id: "trams", topic: "Cities should build trams" }],
  }, { out: join(folder, "archive") });
  const scores = rubricNamed("debate").criteria.map(({ id }) => `${id}: 3`).join("\n");
  await sayAll(dir, { participant: "judge", text: `reasons: Trams.\n${scores}\nwinner: tie` });
  const { leftOut } = await exportStudy(dir, { formats: ["judgements", "sft"] });
  assert.deepEqual(leftOut.map(({ why }) => why), [
    "the reasons of people",
    "the words are a template's",
    "the prompt had a summary instead of older turns",
  ]);
});

Deno.test("export: sources and people's words are in the tables when allowed", async () => {
  await speakAsEve();
  const made = await exportStudy(dir, { allow: ["sources", "people"], catalogue });
  const text = await Deno.readTextFile(join(made.dir, "debates.jsonl"));
  assert.ok(text.includes(SOURCE) && text.includes(PERSON) && !text.includes(SECRET));
});

Deno.test("export: the texts of a debate's papers are exported only when allowed", async () => {
  const day = "examples/records/2026-11-22";
  const [record] = await Array.fromAsync(Deno.readDir(day)).then((all) =>
    all.filter(({ isDirectory }) => isDirectory)
  );
  const study = join(folder, "archive", "studies", "papers");
  const cell = { key: "0".repeat(16), topic: "p", format: "base", repeat: 1, seed: 7 };
  await cp(join(day, record!.name), join(study, "debates", cell.key), { recursive: true });
  const plan = [cell, { ...cell, key: "1".repeat(16) }];
  await Deno.writeTextFile(
    join(study, "plan.jsonl"),
    plan.map((each) => `${JSON.stringify(each)}\n`).join(""),
  );
  const config = { study: "papers", base: { kind: "paper-debate" } };
  await Deno.writeTextFile(join(study, "study.yaml"), JSON.stringify(config));
  await Deno.symlink(join(study, "debates", cell.key), join(study, "debates", "1".repeat(16)));
  const made = await exportStudy(study, { formats: ["jsonl", "sft"] });
  assert.deepEqual(made.convenings, { completed: 1, damaged: 1 });
  const [row] = await lines(made.dir, "debates.jsonl");
  assert.deepEqual(row!["sources"], []);
  assert.equal(row!["pair_id"], null);
  assert.deepEqual(await lines(made.dir, "sft.jsonl"), []);
  assert.deepEqual(made.files.map(({ rows }) => rows), [1, 0, undefined, undefined]);
  const { card } = await pagesOf(made.dir);
  // The Hub loads no empty file.
  assert.doesNotMatch(card, /config_name: sft/);
  assert.match(card, /word for word as they were first sent, if the same version of the program/);
  const reasons = made.leftOut.map(({ why }) => why);
  assert.ok(reasons.includes("the text of papers"));
  assert.ok(reasons.includes("prompts that show papers cannot be built again"));
  // Identifiers of https://hf.co/docs/hub/repositories-licenses.
  for (
    const [license, onHub] of [
      ["ODC-By-1.0", '"odc-by"'],
      ["GPL-3.0-or-later", '"gpl-3.0"'],
      ["MIT OR Apache-2.0", '"other"\nlicense_name: "MIT OR Apache-2.0"'],
    ] as const
  ) {
    const { card } = await pagesOf((await exportStudy(study, { license })).dir);
    assert.ok(card.startsWith(`---\nlicense: ${onHub}\n`), card.slice(0, 100));
  }
  const allowed = await exportStudy(study, { allow: ["papers"] });
  const [whole] = await lines(allowed.dir, "debates.jsonl");
  const papers = whole!["sources"] as Row[];
  assert.ok(papers.length > 0 && papers.every(({ text }) => String(text).length > 1000));
});

Deno.test("export: a release needs a licence, an invalid option is named, and an export is never replaced", async () => {
  const refused = (field: string) => (error: unknown) =>
    error instanceof ConveningError && error.code === "config_invalid" && error.field === field;
  await assert.rejects(exportStudy(dir, { forRelease: true }), refused("license"));
  await assert.rejects(exportStudy(dir, { license: "CC BY" }), refused("license"));
  await assert.rejects(exportStudy(dir, { formats: ["csv" as "sft"] }), refused("formats.0"));
  const parts = {
    ...await openStudy(dir),
    promptsOf: () => Promise.resolve([]),
    importPackage: () => Promise.reject(new Error("no network")),
  };
  await assert.rejects(writeExport(dir, parts, { formats: ["parquet"] }), refused("formats"));
  const unknown = new ConveningError("config_invalid", "its kind is not known");
  const others = { ...parts, promptsOf: () => Promise.reject(unknown) };
  const { leftOut } = await writeExport(dir, others, { formats: ["sft"] });
  assert.ok(leftOut.some(({ why }) => why === "the prompt could not be built again"));
  const made = await Promise.all([1, 2, 3].map(() => exportStudy(dir, { catalogue })));
  assert.equal(new Set(made.map((each) => each.dir)).size, 3);
  const exports = await Array.fromAsync(Deno.readDir(join(dir, "exports")));
  assert.ok(exports.every(({ name }) => /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(-\d+)?$/.test(name)));
});

/** Says every pending turn of Eve. */
function speakAsEve(): Promise<void> {
  return sayAll(dir, { participant: "eve", text: PERSON });
}

/** Says the same words in every pending turn of a study. */
async function sayAll(dir: string, say: { participant: string; text: string }): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(join(dir, "debates"))) {
    if (!isDirectory) continue;
    const path = join(dir, "debates", name);
    for (let status = "waiting"; status === "waiting";) {
      ({ status } = await (await resume(path, { catalogue, say, env: () => undefined })).run());
    }
  }
}

async function pagesOf(dir: string) {
  const json = async (name: string) => JSON.parse(await Deno.readTextFile(join(dir, name))) as Row;
  return {
    card: await Deno.readTextFile(join(dir, "README.md")),
    manifest: await json("manifest.json"),
    described: await json("croissant.json"),
  };
}

async function lines(dir: string, name: string): Promise<Row[]> {
  const text = await Deno.readTextFile(join(dir, name));
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line) as Row);
}

function textOf(messages: readonly { readonly content: string }[]): string {
  return messages.map(({ content }) => content).join("\n");
}

function plain({ role, content }: ChatMessage): object {
  return { role, content };
}

/** Converts a Parquet row to the form of the JSON line. */
function asLine(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      typeof value === "bigint"
        ? Number(value)
        : key.endsWith("_at")
        ? new Date(value as number).toISOString()
        : typeof value === "string" && /^[[{]/.test(value)
        ? JSON.parse(value)
        : value,
    ]),
  );
}
