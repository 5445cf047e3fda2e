// Whole paper debates: the report at the end, or the stages as events and the report last.
import type { Context } from "hono";
import type { z } from "zod";
import {
  beginDebate,
  type BegunDebate,
  reportOf,
  type RunBody,
  runBody,
  runCompleteBody,
} from "../operations/papers.ts";
import { AGENT_ERROR_CODES } from "../core/error.ts";
import { named, type OperationContext, problemOf } from "../operations/operation.ts";
import { reportSchema } from "../papers/text/debate_report.ts";
import { eventStream, type SentEvent } from "./event_stream.ts";
import { EVENTS, LOCATION, type Route, route } from "./route.ts";

const WHOLE = [
  ["run", "debate_paper", "Debates a question over a paper.", runBody],
  [
    "run-complete",
    "debate_paper_whole",
    "Puts questions to a paper, and debates one of them.",
    runCompleteBody,
  ],
] as const;

// The schema of the report is made with zod.
const report = named("Report", reportSchema as unknown as z.ZodType);

/** `POST /api/mas-debate/run` and `/run-complete`. */
export const DEBATE_ROUTES: readonly Route[] = WHOLE.map(([path, name, summary, input]) =>
  route({
    name,
    summary,
    tags: ["mas-debate"],
    method: "post",
    path: `/api/mas-debate/${path}`,
    writes: true,
    errors: [...AGENT_ERROR_CODES, "not_found", "paper_unreadable", "busy", "stopped"],
    input: input as z.ZodObject,
    answers: {
      200: {
        about: "The report; as text/event-stream the events progress, complete and error.",
        content: { "application/json": report, ...EVENTS },
        headers: LOCATION,
      },
    },
    async respond(context, body, server) {
      return await answer(context, await beginDebate(server, body as RunBody), server);
    },
  })
);

async function answer(
  context: Context,
  debate: BegunDebate,
  server: OperationContext,
): Promise<Response> {
  const location = `/api/convenings/${debate.run.id}`;
  context.header("location", location);
  if (!wantsEvents(context)) return context.json(await reportOf(debate));
  return eventStream((signal) => stages(debate, { server, signal }), {
    signal: server.signal,
    headers: { location },
  });
}

function wantsEvents({ req }: Context): boolean {
  const types = (req.header("accept") ?? "").split(",");
  return types.some((each) => each.split(";")[0]!.trim().toLowerCase() === "text/event-stream");
}

/** The events that clients of the earlier interface listen to. */
async function* stages(
  debate: BegunDebate,
  { server, signal }: { readonly server: OperationContext; readonly signal: AbortSignal },
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
