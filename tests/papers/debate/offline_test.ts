// Paper debates with the offline agent.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { createPaperDebateWorkflow, folderRecord, memoryRecord, verify } from "../../../mod.ts";
import { type PaperDebateOptions, type PaperDebateOutcome, readPaper } from "../../../papers.ts";
import { withFolder } from "../../support/cli.ts";
import { ROOT, runDeno } from "../../support/deno_process.ts";
import { comparable } from "../../engine/support/killed_runs.ts";
import { chunksIn } from "./support/paper_talkers.ts";
import { drain } from "../../support/talkers.ts";

const PAPER = await readPaper(`${ROOT}/examples/papers/four_day_week.pdf`);

async function held(options: PaperDebateOptions) {
  const record = memoryRecord();
  const drained = await drain(createPaperDebateWorkflow([PAPER], {
    model: "offline",
    searchers: [],
    record,
    ...options,
  }));
  assert.equal(drained.error, undefined);
  const { report } = drained.result!.value as PaperDebateOutcome;
  return { ...drained, report: report!, record };
}

withFolder.test("Without a model a whole debate has only quotations that are in the paper, on the stated pages", async (out) => {
  const { report, result, events } = await held({
    seed: 7,
    crossExamine: true,
    record: folderRecord({ out }),
  });
  assert.deepEqual((await verify(result!.dir!)).findings, []);
  const quotations = report.verification.flatMap((each) => each.quotations);
  const inPaper = quotations.filter(({ from }) => from === "paper");
  assert.ok(inPaper.length >= 6, `${inPaper.length} quotations`);
  assert.deepEqual(quotations.filter(({ status }) => status === "not found"), []);
  const flat = (text: string) => text.replace(/-\n/g, "").replace(/\s+/g, " ");
  for (const { text, page, start, end } of inPaper) {
    const [from, to] = [PAPER.pages![page! - 1]!, PAPER.pages![page!] ?? PAPER.text.length];
    assert.ok(from <= start! && start! < to, `page ${page} of “${text}”`);
    assert.ok(flat(text).startsWith(flat(PAPER.text.slice(start, end)).slice(0, 40)), text);
  }
  const cited = report.verification.flatMap(({ perTopic }) => perTopic)
    .flatMap(({ citations }) => citations.paper ?? []);
  assert.ok(cited.length > 0 && cited.every(({ status }) => status === "verified"));
  const looked = events.flatMap((event) => event.type === "lookup" ? [event.lookup] : []);
  assert.ok(looked.length >= 3);
  const returned = new Set(chunksIn(looked));
  for (const { chunkId } of cited) assert.ok(returned.has(chunkId));
  assert.equal(report.rankedPostures.length, 3);
  assert.equal(new Set(report.verification.map(({ perTopic }) => perTopic[0]!.claim)).size, 3);
});

Deno.test("Equal seeds give equal bytes, different seeds different ones", async () => {
  const bytes = async (seed: number) =>
    comparable((await held({ seed, crossExamine: true })).record.files);
  const [one, again, other] = [await bytes(1), await bytes(1), await bytes(2)];
  assert.deepEqual(one, again);
  const message = [...one.keys()].find((path) => path.startsWith("messages/004"))!;
  assert.notEqual(one.get(message), other.get(message));
});

/** A program for the original coordinator, with another import. */
const PROGRAM = `
const coordinator = new DebateCoordinator();

const paper: Paper = { id: 'paper-123', title: 'My Research Paper', text: '...' };

const questions = await coordinator.generateQuestions(paper);
console.log('Questions:', questions);

const report = await coordinator.runCompleteDebate(paper, questions[0], 3, (stage, data) => {
  console.log(\`Progress: \${stage}\`, data);
});
console.log('Report:', report.rankedPostures.length, report.postures.length, report.summary !== '');
`;

withFolder.test("A program written for the original coordinator runs with only its import changed and without an API key", async (folder) => {
  const entry = pathToFileURL(`${ROOT}/mod.ts`).href;
  const head = `import { DebateCoordinator, type Paper } from "${entry}";\n`;
  await Deno.writeTextFile(`${folder}/program.ts`, head + PROGRAM);
  const { code, stdout, stderr } = await runDeno([
    "run",
    "--no-check",
    "--no-prompt",
    `--config=${ROOT}/deno.json`,
    "--allow-read",
    "--allow-write=.",
    "program.ts",
  ], { folder });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Questions: \[\n/);
  assert.match(stdout, /^Progress: report_complete /m);
  assert.match(stdout, /Report: 3 3 true/);
  const days = await Array.fromAsync(Deno.readDir(`${folder}/convenings`));
  assert.ok(days.some(({ isDirectory }) => isDirectory), "the whole debate is kept");
});
