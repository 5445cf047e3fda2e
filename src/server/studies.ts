// Studies: events, files and pages.
import { fieldsOf, postToApi, redirectAfter, showPage } from "../viewer/page.tsx";
import { join } from "@std/path";
import type { Hono } from "hono";
import { z } from "zod";
import { pause } from "../core/clock.ts";
import { ConveningError } from "../core/error.ts";
import { NAMED, type OperationContext, SHAPES, whole } from "../operations/operation.ts";
import {
  OF_STUDY,
  STUDY_ID,
  studyDir,
  type StudyJson,
  studyJson,
  studyOutput,
} from "../operations/study_json.ts";
import {
  LIST_STUDIES,
  STUDY_DEBATES,
  type StudyDebateJson,
} from "../operations/study_operations.ts";
import { filesBelow } from "../record/disk_files.ts";
import { eventStream, type SentEvent, STREAM_HEADERS, type StreamPlaces } from "./events.ts";
import { FILE_ANSWERS, fileAnswer } from "./files.ts";
import { queryOf, type Route, route } from "./route.ts";
import { studiesPage, studyPage, studyStanding } from "../viewer/study_page.tsx";

const stream = z.string();
SHAPES.set(stream, () => ({
  contentMediaType: "application/json",
  contentSchema: { $ref: `#/components/schemas/${NAMED.get(studyOutput)!.id}` },
}));

/** The shortest time between two events, and between two looks at another process's run, in milliseconds. */
const TIMES = { own: 500, other: 2000 } as const;

/** Events and files of studies. */
export function studyRoutes(places: StreamPlaces): readonly Route[] {
  return [
    route({
      ...OF_STUDY,
      name: "study_events",
      summary:
        "Sends the state of a study as server-sent events: progress while it runs, then end.",
      method: "get",
      path: "/api/studies/{id}/events",
      writes: false,
      errors: ["not_found", "busy"],
      input: z.strictObject({ id: STUDY_ID }),
      answers: {
        200: { about: "The events, until the run ends.", content: { "text/event-stream": stream } },
      },
      async respond({ req }, { id }, server) {
        await studyDir(server, id);
        if (req.raw.method === "HEAD") return new Response(null, { headers: STREAM_HEADERS });
        return eventStream((signal) => studyEvents(server, id, signal), {
          signal: server.signal,
          onEnd: places.take(),
        });
      },
    }),
    route({
      ...OF_STUDY,
      name: "study_file",
      summary: "Reads the plan, the index or a file of the report or of an export of a study.",
      method: "get",
      path: "/api/studies/{id}/files",
      writes: false,
      errors: ["not_found"],
      input: z.strictObject({
        id: STUDY_ID,
        path: z.string("Give the path of a file, such as report/leaderboard.md.").regex(
          /^(?:index\.md|plan\.jsonl|report\/[^/]+|exports\/[^/]+\/[^/]+)$/,
          "Give index.md, plan.jsonl, or the path of a file of report or exports.",
        ).describe("The file's path in the study's folder, as report and export give it."),
      }),
      isTagged: true,
      answers: FILE_ANSWERS,
      async respond(context, { id, path }, { out }) {
        await studyDir({ out }, id);
        const names = path.split("/");
        return await fileAnswer(context, out, ["studies", id, ...names], names);
      },
    }),
  ];
}

/** The state of a study at every change, until no process runs the study. */
async function* studyEvents(
  server: OperationContext,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<SentEvent> {
  let before = "";
  while (!signal.aborted) {
    const changed = server.pool.studies.run(id)?.changed();
    const study = await studyJson(server, id);
    if (study.state !== "running") return yield { event: "end", data: study };
    const now = JSON.stringify(study);
    if (now !== before) yield { event: "progress", data: study };
    before = now;
    await Promise.all([changed, pause(changed === undefined ? TIMES.other : TIMES.own, signal)]);
  }
}

const PAGE = z.object({ page: whole(1, 1_000_000, "The page, from 1.").default(1) });
const A_PAGE = 50;
/** The forms of a study's page. */
const ACTIONS: readonly string[] = ["run", "stop", "retry", "report"];

/** The pages of studies. */
export function studyPageRoutes(app: Hono, context: OperationContext): void {
  const { signal } = context;
  app.get("/studies", (request) =>
    showPage(request, async () => {
      const { studies } = await LIST_STUDIES.run(context, { offset: 0, limit: 200 }, {
        signal,
      }) as {
        readonly studies: readonly StudyJson[];
      };
      return studiesPage(studies);
    }));
  app.get("/studies/:id", (request) =>
    showPage(request, async () => {
      const id = request.req.param("id");
      const study = await studyJson(context, id);
      const { page } = queryOf(PAGE, request.req.query());
      const slice = { id, offset: (page - 1) * A_PAGE, limit: A_PAGE };
      const { debates, total } = await STUDY_DEBATES.run(context, slice, { signal }) as {
        readonly debates: readonly StudyDebateJson[];
        readonly total: number;
      };
      const report = await reportOf(context, id);
      return studyPage({ study, debates, page, pages: Math.ceil(total / A_PAGE), report });
    }));
  app.get(
    "/studies/:id/standing",
    (request) =>
      showPage(
        request,
        async () => studyStanding(await studyJson(context, request.req.param("id"))),
      ),
  );
  app.post("/studies/:id/actions/:action", async (request) => {
    const { id, action } = request.req.param();
    await fieldsOf(request);
    return await redirectAfter(request, {
      back: `/studies/${encodeURIComponent(id)}`,
      written: [],
      work: async () => {
        if (!ACTIONS.includes(action)) {
          throw new ConveningError("not_found", `Cannot find ${request.req.path.slice(0, 200)}`);
        }
        const path = `/api/studies/${encodeURIComponent(id)}/${action}`;
        await postToApi(app, request, { path, body: {} });
        return `/studies/${id}`;
      },
    });
  });
}

/** The pages of a study's report; undefined before the first. */
async function reportOf(
  { out }: OperationContext,
  id: string,
): Promise<{ readonly leaderboard: string; readonly diagnostics: string } | undefined> {
  const folder = join(await studyDir({ out }, id), "report");
  const files = filesBelow(out);
  const [leaderboard, diagnostics] = await Promise.all(
    ["leaderboard.md", "diagnostics.md"].map(async (name) => {
      const path = join(folder, name);
      return await files.stat(path) === undefined ? undefined : await files.read(path);
    }),
  );
  return leaderboard === undefined ? undefined : { leaderboard, diagnostics: diagnostics ?? "" };
}
