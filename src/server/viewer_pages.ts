// Routes of the viewer's pages: lists, convenings, papers, studies, forms, search.
import { join } from "@std/path";
import type { Context, Hono } from "hono";
import { z } from "zod";
import { BUILT_IN } from "../compose.ts";
import { ConveningError } from "../core/error.ts";
import { sha256 } from "../core/message.ts";
import type { ModelAnswer } from "../core/search.ts";
import { shelved } from "../inputs/folder_shelf.ts";
import { conveningDir, statusOf } from "../operations/client_view.ts";
import { filteredList, LIST_FILTER } from "../operations/list.ts";
import { OPERATIONS } from "../operations/table.ts";
import { type Operation, type OperationContext, whole } from "../operations/operation.ts";
import { checkInput } from "../core/check_fields.ts";
import { showMessage } from "../operations/reading_convenings.ts";
import type { ActiveRun } from "../operations/active_run.ts";
import { askConvening } from "../operations/search.ts";
import { planForClient, sayForClient, startForClient } from "../operations/client_runs.ts";
import { studyDir, type StudyJson, studyJson } from "../operations/study_json.ts";
import {
  LIST_STUDIES,
  STUDY_DEBATES,
  type StudyDebateJson,
} from "../operations/study_operations.ts";
import { filesBelow, recordFiles } from "../record/disk_files.ts";
import style from "../record/html/style.css" with { type: "text" };
import { titleOf } from "../record/list.ts";
import { readMetadata } from "../record/read.ts";
import { searchArchive } from "../record/search.ts";
import { messageHref } from "../viewer/convening_parts.tsx";
import { newPage } from "../viewer/forms.tsx";
import { redirectAfter, sendPage, sendProblem, showPage } from "../viewer/page.tsx";
import {
  type PaperForm,
  paperPage,
  papersPage,
  recordPaperPage,
  shelfPaperPage,
} from "../viewer/papers_page.tsx";
import { askPage, comparePage, forkPage } from "../viewer/record_pages.tsx";
import {
  ACTIONS,
  changedRows,
  configurationOf,
  EMPTY_FORM,
  type Fields,
  formSettings,
  kindIn,
  plannedFor,
  refusalOf,
  type SentForm,
  settingValues,
  SPEECHES,
  textsOf,
  usualModel,
} from "../viewer/sent_forms.ts";
import { archivePage, FOUND_A_PAGE } from "../viewer/archive_page.tsx";
import { conveningPage, conveningPart } from "../viewer/convening_page.tsx";
import client from "../viewer/static/client.js" with { type: "text" };
import contents from "../viewer/static/contents.js" with { type: "text" };
import follower from "../viewer/static/follower.js" with { type: "text" };
import forms from "../viewer/static/forms.js" with { type: "text" };
import parts from "../viewer/static/parts.js" with { type: "text" };
import sharing from "../viewer/static/sharing.js" with { type: "text" };
import speaking from "../viewer/static/speaking.js" with { type: "text" };
import viewer from "../viewer/static/viewer.css" with { type: "text" };
import { studiesPage, studyPage } from "../viewer/study_page.tsx";
import { Views } from "../viewer/views.ts";
import { textAnswer } from "./files.ts";
import { fromForm, fromText, keep } from "./papers.ts";
import { formBody, pageForm } from "./request_body.ts";
import { checkWritable, knownAnswer, queryOf, readInput, tagOf } from "./route.ts";

export function viewerRoutes(app: Hono, context: OperationContext): void {
  const views = new Views(context);
  staticRoutes(app);
  archiveRoutes(app, context);
  newRoutes(app, context);
  conveningRoutes(app, context, views);
  actionRoutes(app, context);
  paperRoutes(app, context, views);
  paperFormRoutes(app, context, views);
  studyRoutes(app, context);
}

type Shown = Awaited<ReturnType<Parameters<typeof showPage>[1]>>;

/** Adds the route of a page, made from the id in the path and the request; an error is shown as an error page. */
function addPage(
  app: Hono,
  path: string,
  make: (id: string, request: Context) => Shown | Promise<Shown>,
): void {
  app.get(path, (request) => showPage(request, () => make(idIn(request), request)));
}

function idIn({ req }: Context): string {
  return req.param("id") ?? "";
}

const PAGE = z.object({ page: whole(1, 1_000_000, "The page, from 1.").optional() });
const ARCHIVE_QUERY = PAGE.extend(LIST_FILTER).extend({ q: z.string().trim().max(200).optional() });
const CHOICE = "Choose two convenings.";
const COMPARED = PAGE.extend({ left: z.string(CHOICE), right: z.string(CHOICE) });
const GO_TO = z.object({ seq: whole(1, 1_000_000_000, "The number of the message.") });
const PART = z.object({ part: whole(1, 1_000_000, "The part of the text, from 1.").default(1) });
const ANSWERS = 10;
const MAX_QUESTION = 1000;

const SCRIPTS = { client, contents, follower, forms, parts, sharing, speaking };

function staticRoutes(app: Hono): void {
  const files = [
    ["style.css", style + viewer, "text/css; charset=utf-8"] as const,
    ...Object.entries(SCRIPTS).map(([name, text]) =>
      [`${name}.js`, text, "text/javascript; charset=utf-8"] as const
    ),
  ];
  for (const [name, text, type] of files) {
    const etag = tagOf(sha256(text));
    const headers = { etag, "cache-control": "no-cache", "content-type": type };
    app.get(
      `/static/${name}`,
      (context) => knownAnswer(context, etag) ?? context.body(text, 200, headers),
    );
  }
}

function archiveRoutes(app: Hono, context: OperationContext): void {
  const { kinds } = context.catalogue ?? BUILT_IN;
  addPage(app, "/", async (_id, { req }) => {
    const query = queryOf(ARCHIVE_QUERY, req.query());
    const { q, page = 1, ...filter } = query;
    const { all, matching } = await filteredList(context, { ...filter, q });
    const isSearch = q !== undefined && filter.folder === "archive";
    const within = isSearch ? (await filteredList(context, filter)).matching : [];
    const found = !isSearch ? undefined : await searchArchive(context.out, q, {
      limit: page * FOUND_A_PAGE,
      within: new Set(within.map(({ dir }) => dir)),
    });
    return archivePage(
      { all, matching, kinds: kinds.keys(), found, isReadOnly: context.readOnly },
      query,
    );
  });
}

/** Topic for the estimated plan while the form's topic is empty; the cost hardly depends on the topic. */
const ANY_TOPIC = "There is something to talk about";

function newRoutes(app: Hono, context: OperationContext): void {
  const { kinds } = context.catalogue ?? BUILT_IN;
  const model = usualModel(context.models);
  const settingsOf = (values: Fields) => formSettings(kindIn(values), { kinds });
  const form = async (sent: SentForm) => {
    const { topic = "", ...rest } = sent.values;
    const values = { ...rest, topic: topic.trim() === "" ? ANY_TOPIC : topic };
    const config = configurationOf(values, { kinds });
    const asked = { values, settings: settingsOf(values) };
    const plan = await plannedFor(planForClient(context, config), asked, context);
    return newPage({ ...sent, model }, { kinds, plan });
  };
  app.get("/new", (request) => {
    const { kind = "", topic = "" } = request.req.query();
    if (kind === "paper-debate") return request.redirect("/papers", 303);
    return showPage(request, () => {
      checkWritable(context);
      return form({ values: { kind: kinds.has(kind) ? kind : "", topic }, errors: new Map() });
    });
  });
  app.post("/new", async (request) => {
    checkWritable(context);
    const { change, ...values } = textsOf(await pageForm(request));
    if (change !== undefined) {
      const changed = { values: changedRows(values, change), errors: new Map() };
      return await sendPage(request, await form(changed));
    }
    try {
      const { id } = await startForClient(context, configurationOf(values, { kinds }));
      return request.redirect(`/convenings/${id}`, 303);
    } catch (error) {
      const refusal = refusalOf(error, { values, settings: settingsOf(values) }, context);
      return await sendPage(request, await form(refusal), statusOf(error));
    }
  });
}

function conveningRoutes(app: Hono, context: OperationContext, views: Views): void {
  addPage(app, "/convenings/:id", async (id, { req }) => {
    const view = await views.of(id);
    const { page } = queryOf(PAGE, req.query());
    const { matching: forks } = await filteredList(context, { parent: id });
    const [paper] = view.start.papers ?? [];
    const isOnShelf = paper !== undefined &&
      await context.papers.get(paper.id).then(() => true, () => false);
    return conveningPage(view, { page, done: req.query("done"), forks, isOnShelf });
  });
  app.get("/convenings/:id/message", (request) => {
    const id = idIn(request);
    return redirectAfter(request, {
      back: `/convenings/${id}`,
      work: async () => {
        const dir = await conveningDir(context.out, id);
        const { seq } = queryOf(GO_TO, request.req.query());
        await showMessage(dir, seq);
        return messageHref(id, seq);
      },
    });
  });
  addPage(app, "/convenings/:id/fork", async (id, { req }) => {
    const { seq } = queryOf(GO_TO, req.query());
    checkWritable(context);
    const dir = await conveningDir(context.out, id);
    const { message } = await showMessage(dir, seq);
    return forkPage({ id, title: await titleIn(dir), message });
  });
  app.get("/compare", async (request) => {
    const chosen = request.req.queries("id") ?? [];
    const [left, right, more] = chosen;
    if (left !== undefined && right !== undefined && more === undefined) {
      return request.redirect(`/compare?${new URLSearchParams({ left, right })}`, 303);
    }
    return await showPage(request, async () => {
      const query = request.req.query();
      if (query["left"] === undefined && query["right"] === undefined) {
        throw new ConveningError("config_invalid", "Cannot compare: two convenings are needed", {
          hint: `Go back and choose two, not ${chosen.length}.`,
        });
      }
      const { left, right, page = 1 } = queryOf(COMPARED, query);
      return comparePage(await views.of(left), await views.of(right), page);
    });
  });
  addPage(
    app,
    "/convenings/:id/parts/:part",
    async (id, { req }) => await conveningPart(views, id, req.param("part") ?? ""),
  );
}

/** Runs the operation with a method and a path template, such as `/api/convenings/{id}/stop`, for a form. */
async function operate<T extends object = { readonly id?: string }>(
  context: OperationContext,
  [method, path]: readonly [method: "post" | "delete", path: string],
  input: { readonly id: string; readonly [key: string]: unknown },
): Promise<T> {
  const row = OPERATIONS.find((each) => each.method === method && each.path === path)!;
  if (row.writes) checkWritable(context);
  const checked = await readInput(
    row,
    { out: context.out, id: input.id },
    () => checkInput(row.input, input, { whole: "body", part: "field" }),
  );
  return await row.run(context, checked, context) as T;
}

/** Path template of the operations on a convening. */
const ONE = "/api/convenings/{id}";

async function titleIn(dir: string): Promise<string> {
  const { start: { topic }, question } = await readMetadata(recordFiles(dir), dir);
  return titleOf({ topic, question, dir });
}

/** Suffixes of a convening's URL after actions with a result that the top of the page does not show. */
const AFTERWARDS: Readonly<Record<string, string>> = {
  interject: "?done=interject#done",
  pause: "?done=pause#done",
  brief: "#brief",
  flow: "#arguments",
};

/** Adds the page of questions to a convening, and the actions of a convening's forms. */
function actionRoutes(app: Hono, context: OperationContext): void {
  const askedPage = async (id: string, words: string, answer?: ModelAnswer) => {
    const question = words.trim();
    const dir = await conveningDir(context.out, id);
    const found = question === ""
      ? undefined
      : await askConvening(dir, question.slice(0, MAX_QUESTION), { limit: ANSWERS });
    const isReadOnly = context.readOnly;
    return askPage({ id, title: await titleIn(dir), question, found, answer, isReadOnly });
  };
  addPage(app, "/convenings/:id/ask", (id, { req }) => askedPage(id, req.query("q") ?? ""));
  app.post("/convenings/:id/ask", async (request) => {
    const id = idIn(request);
    const { q: question = "", model = "" } = textsOf(await pageForm(request));
    const back = `${request.req.path}?${new URLSearchParams({ q: question })}`;
    const asked = { id, question: question.slice(0, MAX_QUESTION), model };
    return await showPage(request, async () => {
      const { answer } = await operate<{ readonly answer: ModelAnswer | null }>(
        context,
        ["post", `${ONE}/ask`],
        asked,
      );
      return await askedPage(id, question, answer ?? undefined);
    }, { back });
  });
  app.post("/convenings/:id/actions/:action", async (request) => {
    const { id, action } = request.req.param();
    const fields = textsOf(await pageForm(request));
    return await redirectAfter(request, {
      back: `/convenings/${encodeURIComponent(id)}`,
      written: ["text", "own", "edit", "model", "models"].map((name) => fields[name] ?? ""),
      work: async () => {
        const rubric = encodeURIComponent(fields["rubric"] ?? "");
        const after = action === "judge" ? `#judged-${rubric}` : AFTERWARDS[action] ?? "";
        if (Object.hasOwn(SPEECHES, action)) {
          checkWritable(context);
          const heard = context.pool.run(id)?.feed.last ?? 0;
          const dir = await conveningDir(context.out, id);
          await sayForClient(context, dir, SPEECHES[action]!(fields));
          if (action !== "interject") await spokenIn(context.pool.run(id), heard);
          return `/convenings/${id}${after}`;
        }
        if (!Object.hasOwn(ACTIONS, action)) {
          throw nothingAt(request, "Go back, and use the controls of the page.");
        }
        const input = { ...ACTIONS[action]!(fields), id };
        if (action === "delete") {
          await operate(context, ["delete", ONE], input);
          return "/?folder=trash";
        }
        const { id: next = id } = await operate(context, ["post", `${ONE}/${action}`], input);
        // Wait for the end, so that the page shows the final state.
        if (action === "stop") await context.pool.run(id)?.ended;
        return `/convenings/${next}${after}`;
      },
    });
  });
}

/** Maximal wait for the words of a person's turn to be on record, in milliseconds. */
const MOST_WAIT = 2000;

/** Waits until a run has an event about a turn's words after an event, so that the page does not ask for the turn again. */
async function spokenIn(run: ActiveRun | undefined, after: number): Promise<void> {
  if (run === undefined) return;
  for await (const { type } of run.feed.follow(after, AbortSignal.timeout(MOST_WAIT))) {
    if (type === "message" || type === "turn-reject") return;
  }
}

function nothingAt({ req }: Context, hint?: string): ConveningError {
  return new ConveningError("not_found", `Cannot find ${req.path.slice(0, 200)}`, { hint });
}

/** Adds the pages of kept papers and of papers in convenings. */
function paperRoutes(app: Hono, context: OperationContext, views: Views): void {
  const { papers, readOnly: isReadOnly } = context;
  app.get("/convenings/:id/report", async (request) => {
    try {
      const { id, convening: { report } } = await views.of(idIn(request));
      if (report !== undefined) return textAnswer(report.markdown, `${id}.md`);
      throw new ConveningError("not_found", `Cannot export the report of ${id}: there is none`);
    } catch (error) {
      return await sendProblem(request, error, { back: "/" });
    }
  });
  const partOf = ({ req }: Context) => queryOf(PART, req.query()).part;
  addPage(app, "/convenings/:id/papers/:paper", async (id, request) => {
    const paper = request.req.param("paper") ?? "";
    return recordPaperPage(await views.of(id), { paper, part: partOf(request) });
  });
  addPage(
    app,
    "/papers/:id/text",
    async (id, request) =>
      shelfPaperPage(await papers.get(id), { part: partOf(request), isReadOnly }),
  );
  addPage(app, "/papers", async () => papersPage(await papers.list(), { isReadOnly }));
  app.post("/papers", async (request) => {
    let form = new FormData();
    try {
      form = await formBody(request.req.raw);
      checkWritable(context);
      const { id } = await keep(papers, await paperOf(form));
      return request.redirect(`/papers/${id}`, 303);
    } catch (error) {
      const values = textsOf(form);
      const scope: PaperForm = values["text"] === undefined ? "file" : "text";
      const refusal = refusalOf(error, { values, fields: [scope, "title"] }, context);
      const sent = { ...refusal, scope };
      const page = papersPage(await papers.list(), { sent, isReadOnly });
      return await sendPage(request, page, statusOf(error));
    }
  });
}

/** Adds the page of a kept paper, with the form that starts a debate over it. */
function paperFormRoutes(app: Hono, context: OperationContext, views: Views): void {
  const { papers, readOnly: isReadOnly } = context;
  const shownPaper = async (id: string, sent: SentForm = EMPTY_FORM) => {
    const paper = shelved(await papers.get(id));
    const history = await views.historyOf(paper.id);
    const { values } = sent;
    const plan = isReadOnly ? undefined : await plannedFor(
      planForClient(context, paperDebateOf(id, values)),
      { values, settings: PAPER_SETTINGS },
      context,
    );
    return paperPage(paper, { ...sent, model: usualModel(context.models) }, { history, plan });
  };
  addPage(app, "/papers/:id", (id) => shownPaper(id));
  app.post("/papers/:id/debates", async (request) => {
    const id = idIn(request);
    const { change, ...values } = textsOf(await pageForm(request));
    if (change !== undefined) {
      return await showPage(request, () => shownPaper(id, { ...EMPTY_FORM, values }));
    }
    try {
      checkWritable(context);
      const { id: begun } = await startForClient(context, paperDebateOf(id, values));
      return request.redirect(`/convenings/${begun}`, 303);
    } catch (error) {
      const refusal = refusalOf(error, { values, settings: PAPER_SETTINGS }, context);
      return await showPage(request, () => shownPaper(id, refusal), { status: statusOf(error) });
    }
  });
}

const PAPER_SETTINGS = formSettings("paper-debate");

/** Returns the configuration of a debate over a paper; without a question in the form, a person picks one later. */
function paperDebateOf(id: string, values: Fields): object {
  const settings = settingValues(values, PAPER_SETTINGS);
  const pick = settings["question"] === undefined ? { pick: "ask" } : {};
  return { kind: "paper-debate", paperIds: [id], ...pick, ...settings };
}

/** Returns the paper of a form: a pasted text, or a file; an empty title is left out. */
async function paperOf(form: FormData) {
  const { title, text, file } = Object.fromEntries(form);
  if (typeof text === "string") return await fromText({ title, text });
  const fields = new FormData();
  if (file instanceof File && (file.name !== "" || file.size > 0)) fields.set("file", file);
  if (typeof title === "string" && title.trim() !== "") fields.set("title", title);
  return await fromForm(fields);
}

const ROWS_A_PAGE = 50;
const STUDY_ACTIONS: readonly string[] = ["run", "stop", "retry", "report"];

function studyRoutes(app: Hono, context: OperationContext): void {
  const { signal, readOnly: isReadOnly } = context;
  const rowsOf = async (operation: Operation, { req }: Context, given: object = {}) => {
    const { page = 1 } = queryOf(PAGE, req.query());
    const slice = { ...given, offset: (page - 1) * ROWS_A_PAGE, limit: ROWS_A_PAGE };
    const rows = await operation.run(context, slice, { signal }) as {
      readonly studies: readonly StudyJson[];
      readonly debates: readonly StudyDebateJson[];
      readonly total: number;
    };
    return { ...rows, page, pages: Math.ceil(rows.total / ROWS_A_PAGE), isReadOnly };
  };
  addPage(app, "/studies", async (_, request) => studiesPage(await rowsOf(LIST_STUDIES, request)));
  addPage(app, "/studies/:id", async (id, request) => {
    const study = await studyJson(context, id);
    const report = await reportOf(context, id);
    return studyPage({ study, report, ...await rowsOf(STUDY_DEBATES, request, { id }) });
  });
  app.post("/studies/:id/actions/:action", async (request) => {
    const { id, action } = request.req.param();
    await pageForm(request);
    return await redirectAfter(request, {
      back: `/studies/${encodeURIComponent(id)}`,
      work: async () => {
        if (!STUDY_ACTIONS.includes(action)) throw nothingAt(request);
        await operate(context, ["post", `/api/studies/{id}/${action}`], { id });
        return `/studies/${id}`;
      },
    });
  });
}

/** Reads the pages of a study's report; undefined if there is no report yet. */
async function reportOf(
  { out }: OperationContext,
  id: string,
): Promise<{ readonly leaderboard: string; readonly diagnostics: string } | undefined> {
  const folder = join(await studyDir({ out }, id), "report");
  const files = filesBelow(out);
  const [leaderboard, diagnostics = ""] = await Promise.all(
    ["leaderboard.md", "diagnostics.md"].map(async (name) => {
      const path = join(folder, name);
      return await files.stat(path) === undefined ? undefined : await files.read(path);
    }),
  );
  return leaderboard === undefined ? undefined : { leaderboard, diagnostics };
}
