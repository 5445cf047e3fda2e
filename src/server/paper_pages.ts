// Pages of papers: the list, one paper, debates over it, and their forms.
import type { Context, Hono } from "hono";
import { z } from "zod";
import { ConveningError } from "../core/error.ts";
import { startForClient } from "../operations/start.ts";
import { shelved } from "../inputs/folder_shelf.ts";
import { atConvening, withoutPaths } from "../operations/convening_dir.ts";
import { type OperationContext, statusOf, whole } from "../operations/operation.ts";
import { textAnswer } from "./files.ts";
import { formBody } from "./request_body.ts";
import {
  fieldsOf,
  plannedFor,
  postToApi,
  refusalOf,
  sendPage,
  showPage,
  textsOf,
  usualModel,
} from "../viewer/page.tsx";
import {
  EMPTY_FORM,
  type Fields,
  formSettings,
  type SentForm,
  settingValues,
} from "../viewer/sent_forms.ts";
import {
  type PaperForm,
  paperPage,
  papersPage,
  recordPaperPage,
  shelfPaperPage,
} from "../viewer/papers_page.tsx";
import { Views } from "../viewer/views.ts";
import { checkWritable, queryOf } from "./route.ts";

/** The pages of papers: the shelf, and each paper with the form that has it debated. */
export function paperPageRoutes(app: Hono, context: OperationContext): void {
  const views = new Views(context);
  const { papers } = context;
  const model = usualModel(context);
  app.get("/convenings/:id/report", async (request) => {
    try {
      const { id, convening: { report } } = await views.of(request.req.param("id"));
      if (report !== undefined) return textAnswer(report.markdown, `${id}.md`);
      throw new ConveningError("not_found", `Cannot export the report of ${id}: there is none`);
    } catch (error) {
      const problem = withoutPaths(error, context.out);
      return await showPage(request, () => Promise.reject(problem), statusOf(error));
    }
  });
  const partOf = (request: Context) => queryOf(PART, request.req.query()).part;
  app.get("/convenings/:id/papers/:paper", (request) =>
    showPage(request, () => {
      const { id, paper } = request.req.param();
      return atConvening(context, id, async () =>
        recordPaperPage(await views.of(id), { paper, part: partOf(request) }));
    }));
  app.get(
    "/papers/:id/text",
    (request) =>
      showPage(
        request,
        async () => shelfPaperPage(await papers.get(request.req.param("id")), partOf(request)),
      ),
  );
  app.get("/papers", (request) => showPage(request, async () => papersPage(await papers.list())));
  app.post("/papers", async (request) => {
    let form = new FormData();
    try {
      form = await formBody(request.req.raw);
      return request.redirect(`/papers/${await postPaper(app, request, form)}`, 303);
    } catch (error) {
      const values = textsOf(form);
      const scope: PaperForm = values["text"] === undefined ? "file" : "text";
      const sent = { ...refusalOf(error, { values, fields: [scope, "title"] }), scope };
      return await sendPage(request, papersPage(await papers.list(), sent), statusOf(error));
    }
  });
  const shownPaper = async (id: string, sent: SentForm = EMPTY_FORM) => {
    const paper = shelved(await papers.get(id));
    const history = await views.historyOf(paper.id);
    const plan = await plannedFor(context, paperDebateOf(id, sent.values), ofPaper(sent.values));
    return paperPage(paper, { ...sent, model }, { history, plan });
  };
  app.get(
    "/papers/:id",
    (request) => showPage(request, () => shownPaper(request.req.param("id"))),
  );
  app.post("/papers/:id/debates", async (request) => {
    const id = request.req.param("id");
    const { change, ...values } = await fieldsOf(request);
    if (change !== undefined) {
      return await showPage(request, () => shownPaper(id, { ...EMPTY_FORM, values }));
    }
    try {
      checkWritable(context);
      const { id: begun } = await startForClient(context, paperDebateOf(id, values));
      return request.redirect(`/convenings/${begun}`, 303);
    } catch (error) {
      const refusal = refusalOf(error, ofPaper(values));
      return await showPage(request, () => shownPaper(id, refusal), statusOf(error));
    }
  });
}

const PART = z.object({ part: whole(1, 1_000_000, "The part of the text, from 1.").default(1) });
const SETTINGS = formSettings("paper-debate");

/** A form of a paper, whose kind is no field. */
function ofPaper(values: Fields) {
  return { values: { ...values, kind: "paper-debate" } };
}

/** The debate over a paper that a form describes: over a given question, or one that is picked later. */
function paperDebateOf(id: string, values: Fields): object {
  const given = settingValues(values, SETTINGS);
  const pick = given["question"] === undefined ? { pick: "ask" } : {};
  return { kind: "paper-debate", paperIds: [id], ...pick, ...given };
}

/** Posts a form's paper to the interface for programs: a file, or a pasted text. */
async function postPaper(app: Hono, context: Context, form: FormData): Promise<string> {
  const path = "/api/papers";
  const title = form.get("title");
  const text = form.get("text");
  if (typeof text === "string") {
    return (await postToApi(app, context, { path, body: { title, text } })).id!;
  }
  const body = new FormData();
  const file = form.get("file");
  if (file instanceof File && (file.name !== "" || file.size > 0)) body.set("file", file);
  if (typeof title === "string" && title.trim() !== "") body.set("title", title);
  return (await postToApi(app, context, { path, body })).id!;
}
