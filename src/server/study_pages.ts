// Pages of studies: the list, one study, and the forms that steer a study.
import { join } from "@std/path";
import type { Hono } from "hono";
import { z } from "zod";
import { ConveningError } from "../core/error.ts";
import { type OperationContext, whole } from "../operations/operation.ts";
import {
  LIST_STUDIES,
  STUDY_DEBATES,
  type StudyDebateJson,
} from "../operations/study_operations.ts";
import { studyDir, type StudyJson, studyJson } from "../operations/study_json.ts";
import { filesBelow } from "../record/disk_files.ts";
import { fieldsOf, postToApi, redirectAfter, showPage } from "../viewer/answers.ts";
import { studiesPage, studyPage, studyStanding } from "../viewer/study_page.tsx";
import { queryOf } from "./route.ts";

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
