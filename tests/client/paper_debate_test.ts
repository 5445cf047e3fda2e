// Paper debates through the client.
import assert from "node:assert/strict";
import { createClient, type DebateState, PaperDebate } from "../../src/client/mod.ts";
import { PAPER, serving } from "../server/support/paper_server.ts";

const QUESTION = "Under what conditions do trees cool the streets they stand in?";

serving.test("a page requests questions and postures, runs a debate, and loads it from the history", async ({ url }) => {
  const client = createClient({ url });
  const paper = await client.keepPaper(PAPER);
  const debate = new PaperDebate(client);
  const states: DebateState[] = [];
  const leave = debate.subscribe(() => states.push(debate.state));
  assert.equal(debate.state.status, "idle");

  const questions = await debate.fetchQuestions(paper.id);
  assert.ok(questions.length >= 8);
  assert.deepEqual(debate.state.questions, questions);
  assert.equal(debate.state.status, "selecting_question");
  const { postures } = await debate.fetchPostures(paper.id, QUESTION, 2);
  assert.equal(postures.length, 2);

  const report = await debate.runDebate(paper.id, QUESTION, 3);
  const { state } = debate;
  assert.deepEqual([state.status, state.report], ["completed", report]);
  assert.equal(report.question, QUESTION);
  assert.deepEqual(state.postures, report.postures);
  assert.deepEqual(
    state.debaterProgress.map(({ index, posture, status }) => [index, posture, status]),
    report.postures.map((posture, index) => [index, posture, "complete"]),
  );
  assert.ok(state.debaterProgress.every(({ argument }) => argument!.perTopic.length > 0));
  assert.equal(state.arguments?.length, 3);
  assert.equal(state.verdict?.perDebater.length, 3);
  const steps = states.map(({ status }) => status).filter((each, at, all) => each !== all[at - 1]);
  assert.deepEqual(steps, [
    "generating_questions",
    "selecting_question",
    "generating_postures",
    "selecting_question",
    "generating_postures",
    "debating",
    "judging",
    "generating_report",
    "completed",
  ]);
  assert.ok(
    states.some(({ debaterProgress }) =>
      debaterProgress.some(({ status }) => status === "running")
    ),
  );

  debate.reset();
  assert.deepEqual([debate.state.status, debate.state.report], ["idle", undefined]);
  const [entry] = debate.state.history;
  assert.equal(entry?.question, QUESTION);
  const whole = await client.runComplete({ paperId: paper.id, numPostures: 2 });
  assert.deepEqual(
    (await debate.loadHistory()).map(({ question }) => question),
    [whole.question, QUESTION],
  );
  // A page may load the history and begin a step at once.
  const other = new PaperDebate(client);
  const [history] = await Promise.all([other.loadHistory(), other.fetchQuestions(paper.id)]);
  assert.deepEqual(other.state.history, history);
  assert.equal(other.state.status, "selecting_question");
  // What is shown belongs to one debate.
  await debate.loadDebateFromHistory(debate.state.history[0]!.id);
  assert.deepEqual([debate.state.arguments?.length, debate.state.report], [2, whole]);
  assert.deepEqual(await debate.loadDebateFromHistory(entry.id), report);
  const { status, arguments: all, verdict, debaterProgress } = debate.state;
  assert.deepEqual([status, all, verdict], ["completed", state.arguments, state.verdict]);
  assert.deepEqual(debaterProgress, state.debaterProgress);
  await debate.fetchQuestions(paper.id);
  assert.deepEqual([debate.state.report, debate.state.arguments], [undefined, undefined]);
  leave();
  const { length } = states;
  debate.reset();
  assert.equal(states.length, length);
});

serving.test("a page uploads a file, or markdown without a file name", async ({ url }) => {
  const client = createClient({ url });
  const text = ["# Trees in summer\n\nStreets with trees were cooler at noon."];
  const file = await client.keepFile(new File(text, "shade.md"), { title: "Shade" });
  assert.deepEqual([file.id, file.title], ["shade", "Shade"]);
  const blob = await client.keepFile(new Blob(text, { type: "text/markdown" }));
  assert.deepEqual([blob.id, blob.title], ["Trees-in-summer", "Trees in summer"]);
});

serving.test("a failed debate reports the reason, and a cancelled step changes nothing", async ({ url }) => {
  const debate = new PaperDebate(createClient({ url }));
  await assert.rejects(debate.fetchQuestions("none"), { code: "not_found" });
  assert.equal(debate.state.status, "error");
  assert.match(debate.state.error ?? "", /none/);
  await assert.rejects(debate.loadDebateFromHistory("none"), { code: "not_found" });
  await debate.loadHistory();
  const given = debate.runDebate("none", QUESTION);
  debate.reset();
  await assert.rejects(given, { name: "AbortError", message: "The debate was reset" });
  const [left, next] = [debate.fetchQuestions("none"), debate.fetchQuestions("none")];
  await assert.rejects(left, { name: "AbortError", message: "Another step began" });
  await assert.rejects(next, { code: "not_found" });
  debate.reset();
  assert.deepEqual(debate.state, {
    status: "idle",
    progress: "",
    debaterProgress: [],
    history: [],
  });
});
