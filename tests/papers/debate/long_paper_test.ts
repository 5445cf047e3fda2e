// Paper debate over a paper of 300 pages.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { AgentError, type Message } from "../../../mod.ts";
import type { AgentRequest } from "../../../protocol.ts";
import type { PaperDebateOutcome, PaperDraft } from "../../../papers.ts";
import {
  argumentOf,
  fileOf,
  json,
  lookUp,
  paperDebateOf,
  paperTalker,
} from "./support/paper_talkers.ts";
import { drain, promptOf } from "../../support/talkers.ts";

const PAGES = 300;
/** Sentence on page 287 alone. */
const NEEDLE = "Linden avenues lost the zephyr effect after the seventh thinning of their crowns.";
const FILLER = "The measured difference stayed within what the instruments can tell apart, " +
  "and no pattern came out of the residuals of the model for this site and season. ";

/** Returns a paper of 300 pages and some 950,000 characters. */
function longPaper(): PaperDraft {
  const pages: number[] = [];
  let text = "";
  for (let page = 1; page <= PAGES; page++) {
    pages.push(text.length);
    for (let line = 1; line <= 19; line++) text += `Site ${page}.${line}: ${FILLER}`;
    if (page === 287) text += `${NEEDLE} `;
    text = `${text.trimEnd()}\n\n`;
  }
  return { id: "long", title: "Three hundred pages on trees", text, pages };
}

/** Runs the debate that all tests of this file inspect. */
async function hold() {
  const paper = longPaper();
  const agent = paperTalker(async (request) => {
    if (request.context.kind !== "argument") return undefined;
    const looked = await lookUp(request, "zephyr effect of linden avenues");
    const reasoning = `It says “${NEEDLE.slice(0, -1)}”.`;
    return { ...json(argumentOf(request, [looked], { reasoning })), toolCalls: [looked] };
  });
  const { workflow, record } = paperDebateOf(agent, { papers: [paper], crossExamine: true });
  const { result, error } = await drain(workflow);
  const report = (result?.value as PaperDebateOutcome).report!;
  return { paper, agent, record, result, error, report };
}

let debate: ReturnType<typeof hold> | undefined;
const held = () => debate ??= hold();

describe("A paper of 300 pages", () => {
  it("is debated to the end and stored whole", async () => {
    const { paper, record, result, error } = await held();
    assert.equal(error, undefined);
    assert.equal(result?.status, "completed");
    assert.ok(paper.text.length > 880_000);
    assert.ok(record.files.get("paper.md")!.includes(NEEDLE));
  });

  it("has prompts within the configured size", async () => {
    const { agent, result } = await held();
    const said = (messages: readonly Message[]) =>
      messages.reduce((sum, { body }) => sum + body.length, 0);
    const spoken = said(result!.messages);
    const limits: Readonly<Record<string, number>> = {
      questions: 100_000,
      postures: 100_000,
      argument: 100_000,
      ["cross_examination"]: 100_000,
    };
    for (const request of agent.requests) {
      const { kind, key } = request.context;
      const most = (limits[kind] ?? 0) + spoken + 12_000;
      const length = promptOf(request).length;
      assert.ok(length <= most, `${key}: ${length} of ${most}`);
      if (kind in limits) assert.ok(length > limits[kind]! * 0.9, `${key} is given what fits`);
    }
  });

  it("states in each prompt how much is omitted, and in the report how much was", async () => {
    const { agent, record, report } = await held();
    for (const key of ["questions", "postures", "argument/debater-b"]) {
      const [, left = ""] = /: (\d+) of the \d+ characters of this paper are left out here\./
        .exec(promptOf(agent.asked(key))) ?? [];
      assert.ok(Number(left) > 780_000, `${key}: ${left}`);
    }
    const notes = report.notes.join("\n");
    assert.match(
      notes,
      /Of the 9\d\d,\d{3} characters of .*, prompts left out at least (8\d\d,\d{3}) for the questions, \1 for the postures, \1 for each argument/,
    );
    assert.ok(fileOf(record.files, "report/whole.md").includes("characters of"));
  });

  it("shows judges the quoted passages with the surrounding sentences, and one question", async () => {
    const { agent, result } = await held();
    const [argument] = result!.messages.filter(({ kind }) => kind === "argument");
    const prompt = promptOf(agent.asked(`score/${argument!.seq}/judge`));
    const passage = /<source name="long, pages 287 to 288">\n([\s\S]*?)\n<\/source>/.exec(
      prompt,
    )![1]!;
    const [before = "", after = ""] = passage.split(NEEDLE);
    assert.match(before, /Site 287\.18: .*Site 287\.19: /);
    assert.match(after, /^\s+Site 288\.1: /);
    assert.ok(passage.length < 2500, String(passage.length));
    assert.ok(!prompt.includes('kind="questions"') && prompt.includes('kind="question"'));
  });

  it("has its page 287 found, quoted and cited with the page", async () => {
    const { paper, record, report } = await held();
    const lookUps = [...record.files].filter(([path]) => path.startsWith("lookups/"));
    assert.equal(lookUps.length, 3);
    for (const [, text] of lookUps) assert.ok(text.includes("zephyr effect after the seventh"));
    const [quotation] = report.verification[0]!.quotations;
    const start = paper.text.indexOf(NEEDLE);
    assert.deepEqual(
      [quotation!.status, quotation!.source, quotation!.page, quotation!.start],
      ["verified", "long", 287, start],
    );
    const [hit] = report.verification[0]!.perTopic[0]!.citations.paper!;
    assert.ok(hit!.page === 286 || hit!.page === 287);
    assert.ok(hit!.text.length <= 700, "a passage, not a page");
    assert.match(report.markdown, /“Linden avenues[^”]*” — \*\*verified\*\*, [^\n]*page 287/);
  });
});

Deno.test("A paper is shown as far as the models' windows allow, and the record states the part", async () => {
  const agent = Object.assign(paperTalker(), { window: () => Promise.resolve(30_000) });
  const { workflow, record } = paperDebateOf(agent, { papers: [longPaper()] });
  const { error } = await drain(workflow);
  assert.equal(error, undefined);
  for (const request of agent.requests) assert.ok(promptOf(request).length < 45_000);
  assert.match(
    record.files.get("metadata.md")!,
    /paperCharacters: \{ questions: 30000, postures: 30000, debaters: 30000, excerpt: sections \}/,
  );
  assert.match(
    record.files.get("report/whole.md")!,
    /prompts left out at least .*, [\d,]+ for each argument; look-ups/,
  );
});

Deno.test("A paper debate whose first prompt shows that the window is small is shortened within the run", async () => {
  let window: number | undefined;
  const talker = paperTalker();
  const agent = Object.assign(paperTalker(), {
    window: () => Promise.resolve(window),
    reply: (request: AgentRequest) => {
      if (promptOf(request).length < 45_000) return talker.reply(request);
      window = 30_000;
      const why = "Cannot ask: the prompt is longer than the context window";
      return Promise.reject(new AgentError("agent_refused", why));
    },
  });
  const { workflow, record } = paperDebateOf(agent, { papers: [longPaper()] });
  const { error, result } = await drain(workflow);
  assert.deepEqual([error, result?.status, window], [undefined, "completed", 30_000]);
  assert.match(
    record.files.get("report/whole.md")!,
    /prompts left out at least .*, [\d,]+ for each argument; look-ups/,
  );
});
