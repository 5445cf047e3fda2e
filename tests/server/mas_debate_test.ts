// Routes of the original debate interface below /api/mas-debate.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { openConvening, verify, watchConvening } from "../../mod.ts";
import { type ModelReply, startModelServer } from "../support/model_server.ts";
import { type PaperAsk, paperModel } from "../support/paper_model.ts";
import { asPost } from "./support/as_post.ts";
import { type OpenServer, PAPER, serving } from "./support/paper_server.ts";
import { testsWith } from "../support/tests_with.ts";

const QUESTION = "Under what conditions do trees cool the streets they stand in?";
const RUN = { paperId: PAPER.id, question: QUESTION };
const DEBATE = "/api/mas-debate";

/** Stages of a debate of three on a given question; debaters may finish in any order. */
const STAGES = [
  "Generating postures and topics...",
  "postures_generated",
  "Running debate with 3 debaters...",
  ...Array(3).fill("debater_started"),
  ...Array(3).fill("debater_complete"),
  "debate_complete",
  "Judging arguments...",
  "judging_complete",
  "Generating final report...",
  "report_complete",
];

interface Sent {
  readonly event: string;
  // deno-lint-ignore no-explicit-any
  readonly data: any;
}

/** Runs a server with the documented paper and models that reply through `say`. */
async function debating(
  work: (server: OpenServer) => Promise<void>,
  say?: (ask: PaperAsk) => ModelReply | undefined,
): Promise<void> {
  await using models = await startModelServer({ respond: paperModel(say) });
  const env = (name: string) => name === "OPENAI_API_KEY" ? "test-key" : undefined;
  await serving(async (server) => {
    assert.equal((await server.post("/api/papers", PAPER)).status, 201);
    await work(server);
  }, { model: "gpt-4o-mini", baseUrl: models.url, env });
}

debating.test = testsWith(debating);

function stream({ url }: OpenServer, path: string, body: unknown): Promise<Response> {
  return fetch(`${url}${DEBATE}${path}`, asPost(body, { accept: "text/event-stream" }));
}

async function eventsOf(response: Response): Promise<Sent[]> {
  const blocks = (await response.text()).split("\n\n").filter((each) => /^event:/m.test(each));
  return blocks.map((block) => {
    const [, event = ""] = /^event: (.*)$/m.exec(block) ?? [];
    const [, data = ""] = /^data: (.*)$/m.exec(block) ?? [];
    return { event, data: JSON.parse(data) };
  });
}

function dirOf({ out }: OpenServer, headers: Headers): string {
  const location = headers.get("location") ?? "";
  assert.match(location, /^\/api\/convenings\/\d{4}-\d\d-\d\dT[\d-]+_paper-debate(-\d+)?$/);
  const id = location.slice(location.lastIndexOf("/") + 1);
  return join(out, id.slice(0, 10), id);
}

debating.test("POST /api/mas-debate/questions and /postures return proposals and store nothing", async (server) => {
  const questions = await server.post(`${DEBATE}/questions`, { paperId: PAPER.id });
  assert.equal(questions.status, 200);
  assert.deepEqual(Object.keys(questions.body), ["questions"]);
  assert.equal(questions.body.questions.length, 8);
  const { status, body } = await server.post(`${DEBATE}/postures`, RUN);
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ["postures", "topics"]);
  assert.equal(body.postures.length, 3);
  assert.deepEqual(body.topics, ["Methodology", "Evidence", "Practice"]);
  const two = await server.post(`${DEBATE}/postures`, { ...RUN, numPostures: 2 });
  assert.equal(two.body.postures.length, 2);
  const names = await Array.fromAsync(Deno.readDir(server.out), ({ name }) => name);
  assert.deepEqual(names, ["papers"]);
});

debating.test("POST /api/mas-debate/run sends every stage and the report to a client that accepts events", async (server) => {
  const response = await stream(server, "/run", RUN);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  const dir = dirOf(server, response.headers);
  const events = await eventsOf(response);
  const report = JSON.parse(await Deno.readTextFile(join(dir, "report.json")));
  assert.deepEqual(events.at(-1), { event: "complete", data: report });
  assert.deepEqual((await openConvening(dir)).start.papers, [{ ...PAPER }]);
  assert.deepEqual((await verify(dir)).findings, []);
  const progress = events.slice(0, -1);
  assert.deepEqual(progress.map(({ event }) => event), STAGES.map(() => "progress"));
  assert.deepEqual(progress.map(({ data }) => data.stage), STAGES);
  for (const { data: { stage, data, ...more } } of progress) {
    assert.deepEqual(more, {});
    assert.equal(data === null, stage.endsWith("..."), stage);
  }
  const debaters = progress.flatMap(({ data }) =>
    data.stage === "debater_complete" ? [data.data] : []
  );
  assert.deepEqual(debaters.map(({ debaterIndex }) => debaterIndex).toSorted(), [0, 1, 2]);
  for (const { debaterIndex, posture, total, argument } of debaters) {
    assert.deepEqual([total, argument.posture], [3, posture]);
    assert.equal(posture, report.postures[debaterIndex]);
  }
});

debating.test("POST /api/mas-debate/run-complete debates the question with an index, the first by default", async (server) => {
  const first = await server.post(`${DEBATE}/run-complete`, { paperId: PAPER.id });
  assert.equal(first.body.question, "To what extent does finding 1 hold?");
  const body = { paperId: PAPER.id, questionIndex: 4, numPostures: 2 };
  const events = await eventsOf(await stream(server, "/run-complete", body));
  assert.deepEqual(events.slice(0, 3).map(({ data }) => data.stage), [
    "Generating questions from paper...",
    "questions_generated",
    "question_selected",
  ]);
  assert.equal(events.at(-1)!.data.question, "To what extent does finding 5 hold?");
  assert.equal(events.at(-1)!.data.postures.length, 2);
});

debating.test("POST /api/mas-debate/run-complete lists the questions for an unknown index", async (server) => {
  const body = { paperId: PAPER.id, questionIndex: 8 };
  const { status, body: { error }, headers } = await server.post(`${DEBATE}/run-complete`, body);
  assert.deepEqual([status, error.code, error.field], [400, "config_invalid", "questionIndex"]);
  assert.match(
    error.hint,
    /counts from 0.*Give 1 to 8:\n1\. To what extent does finding 1 hold\?/s,
  );
  assert.match(error.hint, /\n8\. To what extent does finding 8 hold\?$/);
  dirOf(server, headers);
  const events = await eventsOf(await stream(server, "/run-complete", body));
  assert.deepEqual(events.at(-1), { event: "error", data: { error } });
});

debating.test("POST /api/mas-debate/run accepts a rubric by name, by criteria and whole, and several papers", async (server) => {
  const other = { id: "nights", title: "Trees and nights", text: "Nights were no cooler." };
  await server.post("/api/papers", other);
  const criteria = [
    { id: "evidence", weight: 0.6, description: "How well it is borne out." },
    { id: "clarity", weight: 0.4, description: "How clear it is." },
  ];
  const scored = async (rubric: unknown) => {
    const { status, body } = await server.post(`${DEBATE}/run`, {
      ...RUN,
      numPostures: 2,
      rubric,
      paperIds: [PAPER.id, other.id],
    });
    assert.equal(status, 200, JSON.stringify(body));
    const papers = body.papers.map(({ id }: { readonly id: string }) => id);
    assert.deepEqual(papers, [PAPER.id, other.id]);
    return Object.keys(body.appendix.scoringTable[0].totals.byCriterion);
  };
  const academic = ["clarity", "correctness", "coverage", "evidence", "novelty"];
  assert.deepEqual((await scored("academic")).toSorted(), academic);
  assert.deepEqual((await scored(criteria)).toSorted(), ["clarity", "evidence"]);
  const whole = { id: "own", scale: [0, 1], criteria, anchors: [{ from: 0.5, means: "Fair" }] };
  assert.deepEqual((await scored(whole)).toSorted(), ["clarity", "evidence"]);
});

debating.test("/api/mas-debate rejects invalid bodies by field before any request to a model", async (server) => {
  const weights = [{ id: "clarity", weight: 0.4, description: "How clear it is." }];
  const cases: readonly (readonly [path: string, body: unknown, field: string])[] = [
    ["/questions", {}, "paperId"],
    ["/questions", { paperId: "" }, "paperId"],
    ["/questions", { paperId: PAPER.id, model: "x" }, "model"],
    ["/postures", { paperId: PAPER.id }, "question"],
    ["/postures", { ...RUN, numPostures: 1 }, "numPostures"],
    ["/postures", { ...RUN, numPostures: 9 }, "numPostures"],
    ["/run", { question: QUESTION }, "paperId"],
    ["/run", { paperId: PAPER.id }, "question"],
    ["/run", { ...RUN, numPostures: 2.5 }, "numPostures"],
    ["/run", { ...RUN, numPostures: "3" }, "numPostures"],
    ["/run", { ...RUN, questionIndex: 1 }, "questionIndex"],
    ["/run", { ...RUN, baseUrl: "http://localhost:1" }, "baseUrl"],
    ["/run", { ...RUN, rubric: "/etc/rubric.yaml" }, "rubric"],
    ["/run", { ...RUN, rubric: "rubric.yaml" }, "rubric"],
    ["/run", { ...RUN, rubric: weights }, "rubric"],
    ["/run", { ...RUN, paperIds: "nights" }, "paperIds"],
    ["/run-complete", { paperId: PAPER.id, question: QUESTION }, "question"],
    ["/run-complete", { paperId: PAPER.id, questionIndex: -1 }, "questionIndex"],
    ["/run-complete", "{", "body"],
  ];
  for (const [path, body, field] of cases) {
    for (const accept of ["application/json", "text/event-stream"]) {
      const answer = await server.post(`${DEBATE}${path}`, body, { accept });
      const { error } = answer.body;
      assert.deepEqual([answer.status, error.code, error.field], [400, "config_invalid", field]);
    }
  }
  const names = await Array.fromAsync(Deno.readDir(server.out), ({ name }) => name);
  assert.deepEqual(names, ["papers"]);
});

Deno.test("A client that disconnects ends its stream, and the debate continues to its report", async () => {
  const reached = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  await using models = await startModelServer({
    respond: async (request) => {
      const said = paperModel(({ kind }) => {
        if (kind === "debater_argument") reached.resolve();
        return undefined;
      })(request);
      if (request.index > 0) await gone.promise;
      return said;
    },
  });
  const env = (name: string) => name === "OPENAI_API_KEY" ? "test-key" : undefined;
  await serving(async (server) => {
    await server.post("/api/papers", PAPER);
    const response = await stream(server, "/run", RUN);
    const dir = dirOf(server, response.headers);
    await reached.promise;
    await response.body!.cancel();
    gone.resolve();
    const last = (await Array.fromAsync(watchConvening(dir))).at(-1);
    assert.equal(last?.type === "convening-end" && last.ending.status, "completed");
    await Deno.stat(join(dir, "report.json"));
  }, { model: "gpt-4o-mini", baseUrl: models.url, env });
});
