import type { Context, Hono } from "hono";
import type { z } from "zod";
import type { PaperDebateConfig, Rubric } from "../../config/convening_config.ts";
import { defined } from "../../core/defined.ts";
import { ConfigurationError, ConveningError } from "../../core/error.ts";
import type { DebateReport } from "../../papers/text/debate_report.ts";
import { debateReport } from "../../papers/text/report.ts";
import type { PooledRun } from "../../operations/active_run.ts";
import { openConvening } from "../../operations/convening.ts";
import { DebateCoordinator } from "../../operations/debate_coordinator.ts";
import { asIndexError, pickOfIndex } from "../../operations/question_index.ts";
import { rubricNamed, RUBRICS } from "../../judging/rubrics.ts";
import { addressesOf } from "../../operations/remote_runs.ts";
import type { ServerContext } from "../../operations/server_context.ts";
import {
  posturesBody,
  questionsBody,
  type RunBody,
  runBody,
  runCompleteBody,
} from "../debate_bodies.ts";
import { eventStream, type SentEvent } from "../event_stream.ts";
import { shelvedFile } from "../../inputs/folder_shelf.ts";
import { problemOf } from "../../operations/problems.ts";
import { checkBody, jsonBody } from "../request_body.ts";

/** A whole debate that was begun. */
interface BegunDebate {
  readonly run: PooledRun;
  /** Of the question, from 0, where one was not given. */
  readonly questionIndex: number;
}

/** `/api/mas-debate`: debates over posted papers, step by step or whole. */
export function masDebateRoutes(app: Hono, server: ServerContext): void {
  app.post("/api/mas-debate/questions", async (context) => {
    const { paperId } = checkBody(questionsBody, await jsonBody(context.req.raw));
    const paper = await server.papers.get(paperId);
    return context.json({ questions: await coordinatorOf(server).generateQuestions(paper) });
  });
  app.post("/api/mas-debate/postures", async (context) => {
    const body = checkBody(posturesBody, await jsonBody(context.req.raw));
    const { paperId, question, numPostures } = body;
    const paper = await server.papers.get(paperId);
    return context.json(
      await coordinatorOf(server).generatePosturesAndTopics(paper, question, numPostures),
    );
  });
  for (const [name, schema] of WHOLE) {
    app.post(`/api/mas-debate/${name}`, async (context) => {
      const body = checkBody(schema, await jsonBody(context.req.raw));
      return await answer(context, await begin(server, body), server);
    });
  }
}

const WHOLE: readonly (readonly [name: string, schema: z.ZodType<RunBody>])[] = [
  ["run", runBody],
  ["run-complete", runCompleteBody],
];

/** One whose steps are asked of the server's models and kept nowhere. */
function coordinatorOf({ models, signal }: ServerContext): DebateCoordinator {
  return new DebateCoordinator({ ...models, signal });
}

/** Begins a whole debate, kept in the archive like every other convening. */
async function begin(server: ServerContext, body: RunBody): Promise<BegunDebate> {
  const { out, papers, pool, models } = server;
  const ids = [...new Set([body.paperId, ...body.paperIds ?? []])];
  // Fails here for one that is not there or cannot be read, before anything is made.
  for (const id of ids) await papers.get(id);
  const questionIndex = "questionIndex" in body ? body.questionIndex ?? 0 : 0;
  const config: PaperDebateConfig = {
    kind: "paper-debate",
    papers: ids.map((id) => shelvedFile(out, id)),
    ..."question" in body ? { question: body.question } : { pick: pickOfIndex(questionIndex) },
    ...defined({
      postures: body.numPostures,
      rubric: rubricOf(body.rubric),
      model: models.model,
      ...addressesOf(models),
    }),
  };
  return { run: await pool.start(config), questionIndex };
}

/** A rubric as a configuration has it; a name is that of a built-in one, never a file's. */
function rubricOf(rubric: RunBody["rubric"]): string | Rubric | undefined {
  if (typeof rubric === "string") {
    if (RUBRICS.includes(rubric)) return rubric;
    throw new ConfigurationError(`Cannot use rubric "${rubric.slice(0, 100)}": there is none`, {
      field: "rubric",
      hint: `Built in: ${RUBRICS.join(", ")}. Or send the criteria themselves.`,
    });
  }
  if (!Array.isArray(rubric)) return rubric;
  const { scale, anchors } = rubricNamed("conceptual");
  return {
    id: "given",
    scale: [...scale],
    criteria: rubric,
    anchors: anchors.map((each) => ({ ...each })),
  };
}

/** The report once there is one, or the stages as they come and the report last. */
async function answer(
  context: Context,
  debate: BegunDebate,
  server: ServerContext,
): Promise<Response> {
  const location = `/api/convenings/${debate.run.id}`;
  context.header("location", location);
  if (!wantsEvents(context)) return context.json(await reportOf(debate));
  return eventStream((signal) => told(debate, { server, signal }), {
    signal: server.signal,
    headers: { location },
  });
}

function wantsEvents({ req }: Context): boolean {
  const types = (req.header("accept") ?? "").split(",");
  return types.some((each) => each.split(";")[0]!.trim().toLowerCase() === "text/event-stream");
}

/** The events that the seeds' clients listen to. */
async function* told(
  debate: BegunDebate,
  { server, signal }: { readonly server: ServerContext; readonly signal: AbortSignal },
): AsyncGenerator<SentEvent> {
  try {
    for await (const event of server.pool.events(debate.run.dir, { signal })) {
      if (event.type !== "stage") continue;
      yield { event: "progress", data: { stage: event.name, data: event.data ?? null } };
    }
    if (!signal.aborted) yield { event: "complete", data: await reportOf(debate) };
  } catch (error) {
    if (!signal.aborted) yield { event: "error", data: problemOf(error) };
  }
}

/** The report of a debate, once it has ended. Fails as the debate does. */
async function reportOf({ run, questionIndex }: BegunDebate): Promise<DebateReport> {
  const end = await run.ended;
  if (end.state === "failed") throw asIndexError(end.error, questionIndex);
  const { start, facts } = await openConvening(run.dir);
  const report = debateReport(start, facts);
  if (report !== undefined) return report;
  throw new ConveningError("stopped", "Cannot report: the debate was stopped before its end", {
    hint: `POST /api/convenings/${run.id}/resume goes on with it.`,
  });
}
