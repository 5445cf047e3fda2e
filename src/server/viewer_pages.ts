// Pages of the viewer: lists, one convening, forms, search.
import type { Hono } from "hono";
import { z } from "zod";
import { BUILT_IN } from "../compose.ts";
import { ConveningError } from "../core/error.ts";
import { sha256 } from "../core/message.ts";
import { type OperationContext, statusOf, whole } from "../operations/operation.ts";
import { askConvening, type ModelAnswer } from "../operations/search.ts";
import { recordFiles } from "../record/disk_files.ts";
import { readMetadata } from "../record/read.ts";
import { searchArchive } from "../record/search.ts";
import { filteredList, LIST_FILTER } from "../operations/list.ts";
import { atConvening } from "../operations/convening_dir.ts";
import { checkWritable, knownAnswer, queryOf, tagOf } from "./route.ts";
import { startForClient } from "../operations/start.ts";
import { ACTIONS, changedRows, configurationOf, type SentForm } from "../viewer/sent_forms.ts";
import {
  fieldsOf,
  plannedFor,
  postToApi,
  redirectAfter,
  refusalOf,
  sendPage,
  showPage,
  usualModel,
} from "../viewer/page.tsx";
import { archivePage, FOUND_A_PAGE } from "../viewer/archive_page.tsx";
import { askPage, comparePage, forkPage } from "../viewer/record_pages.tsx";
import { conveningPage, conveningPart } from "../viewer/convening_page.tsx";
import { messageHref } from "../viewer/convening_parts.tsx";
import { newPage } from "../viewer/forms.tsx";
import { Views } from "../viewer/views.ts";
import client from "../viewer/static/client.js" with { type: "text" };
import contents from "../viewer/static/contents.js" with { type: "text" };
import follower from "../viewer/static/follower.js" with { type: "text" };
import forms from "../viewer/static/forms.js" with { type: "text" };
import parts from "../viewer/static/parts.js" with { type: "text" };
import sharing from "../viewer/static/sharing.js" with { type: "text" };
import speaking from "../viewer/static/speaking.js" with { type: "text" };
import style from "../record/html/style.css" with { type: "text" };

/** The routes of pages: the archive, convenings, and their forms. */
export function viewerRoutes(app: Hono, context: OperationContext): void {
  const views = new Views(context);
  staticRoutes(app);
  archiveRoutes(app, context);
  newRoutes(app, context);
  conveningRoutes(app, context, views);
}

const PAGE = z.object({ page: whole(1, 1_000_000, "The page, from 1.").optional() });
const ARCHIVE_QUERY = PAGE.extend(LIST_FILTER).extend({ q: z.string().trim().max(200).optional() });
const CHOICE = "Choose two convenings.";
const COMPARED = PAGE.extend({ left: z.string(CHOICE), right: z.string(CHOICE) });
const GO_TO = z.object({ seq: whole(1, 1_000_000_000, "The number of the message.") });
/** The most passages of an answer. */
const ANSWERS = 10;
/** The most characters of a question. */
const MAX_QUESTION = 1000;

/** The media type of scripts. */
const SCRIPT = "text/javascript; charset=utf-8";

function staticRoutes(app: Hono): void {
  const files = [
    ["/static/style.css", style, "text/css; charset=utf-8"],
    ["/static/client.js", client, SCRIPT],
    ["/static/contents.js", contents, SCRIPT],
    ["/static/follower.js", follower, SCRIPT],
    ["/static/forms.js", forms, SCRIPT],
    ["/static/parts.js", parts, SCRIPT],
    ["/static/sharing.js", sharing, SCRIPT],
    ["/static/speaking.js", speaking, SCRIPT],
  ] as const;
  for (const [path, text, type] of files) {
    const etag = tagOf(sha256(text));
    const headers = { etag, "cache-control": "no-cache", "content-type": type };
    app.get(path, (context) => knownAnswer(context, etag) ?? context.body(text, 200, headers));
  }
}

function archiveRoutes(app: Hono, context: OperationContext): void {
  const { kinds } = context.catalogue ?? BUILT_IN;
  app.get("/", (request) =>
    showPage(request, async () => {
      const query = queryOf(ARCHIVE_QUERY, request.req.query());
      const { q, page = 1, ...filter } = query;
      const { all, matching } = await filteredList(context, { ...filter, q });
      const isSearch = q !== undefined && filter.folder === "archive";
      const within = isSearch ? (await filteredList(context, filter)).matching : [];
      const found = !isSearch ? undefined : await searchArchive(context.out, q, {
        limit: page * FOUND_A_PAGE,
        within: new Set(within.map(({ dir }) => dir)),
      });
      return archivePage({ all, matching, kinds: kinds.keys(), found }, query);
    }));
}

/** Stands for a topic that is not written yet: the cost hardly depends on it. */
const ANY_TOPIC = "What is there to talk about?";

function newRoutes(app: Hono, context: OperationContext): void {
  const { kinds } = context.catalogue ?? BUILT_IN;
  const model = usualModel(context);
  const form = async (sent: SentForm) => {
    const { topic = "", ...rest } = sent.values;
    const values = { ...rest, topic: topic.trim() === "" ? ANY_TOPIC : topic };
    const tables = { kinds };
    const plan = await plannedFor(context, configurationOf(values, tables), { values, tables });
    return newPage({ ...sent, model }, { kinds, plan });
  };
  app.get("/new", (request) =>
    showPage(request, () => {
      const { kind = "", topic = "" } = request.req.query();
      const isKnown = kinds.has(kind) && kind !== "paper-debate";
      return form({ values: { kind: isKnown ? kind : "", topic }, errors: new Map() });
    }));
  app.post("/new", async (request) => {
    const { change, ...values } = await fieldsOf(request);
    if (change !== undefined) {
      return await sendPage(
        request,
        await form({ values: changedRows(values, change), errors: new Map() }),
      );
    }
    try {
      checkWritable(context);
      const { id } = await startForClient(context, configurationOf(values, { kinds }));
      return request.redirect(`/convenings/${id}`, 303);
    } catch (error) {
      const refusal = refusalOf(error, { values, tables: { kinds } });
      return await sendPage(request, await form(refusal), statusOf(error));
    }
  });
}

/** The ends of a convening's URL after actions that the page does not show at once. */
const AFTERWARDS: Readonly<Record<string, string>> = {
  interject: "?done=interject",
  pause: "?done=pause",
  judge: "#judged",
  brief: "#brief",
  flow: "#arguments",
};

function conveningRoutes(app: Hono, context: OperationContext, views: Views): void {
  app.get(
    "/convenings/:id",
    (request) =>
      showPage(request, () =>
        atConvening(context, request.req.param("id"), async () => {
          const { page } = queryOf(PAGE, request.req.query());
          const done = request.req.query("done");
          const id = request.req.param("id");
          const { matching: forks } = await filteredList(context, { parent: id });
          const view = await views.of(id);
          const [paper] = view.start.papers ?? [];
          const isOnShelf = paper !== undefined &&
            await context.papers.get(paper.id).then(() => true, () => false);
          return conveningPage(view, { page, done, forks, isOnShelf });
        })),
  );
  app.get(
    "/convenings/:id/message",
    (request) =>
      redirectAfter(request, {
        back: `/convenings/${request.req.param("id")}`,
        written: [],
        work: () =>
          atConvening(context, request.req.param("id"), () => {
            const { seq } = queryOf(GO_TO, request.req.query());
            return Promise.resolve(messageHref(request.req.param("id"), seq));
          }),
      }),
  );
  app.get(
    "/convenings/:id/fork",
    (request) =>
      showPage(request, async () => {
        const id = request.req.param("id");
        const { seq } = queryOf(GO_TO, request.req.query());
        const { start, entry: { message } } = await views.message(id, seq);
        return forkPage({ id, topic: start.topic, message });
      }),
  );
  app.get("/compare", async (request) => {
    const chosen = request.req.queries("id") ?? [];
    const [left, right] = chosen;
    if (chosen.length === 2) {
      return request.redirect(
        `/compare?${new URLSearchParams({ left: left!, right: right! })}`,
        303,
      );
    }
    return await showPage(request, async () => {
      const { left, right, page = 1 } = queryOf(COMPARED, request.req.query());
      return comparePage(await views.of(left), await views.of(right), page);
    });
  });
  app.get("/convenings/:id/parts/:part", (request) => {
    const { id, part } = request.req.param();
    return showPage(
      request,
      () => atConvening(context, id, async () => await conveningPart(views, id, part)),
    );
  });
  const askedPage = (id: string, question: string, answer?: ModelAnswer) =>
    atConvening(context, id, async (dir) => {
      const { start } = await readMetadata(recordFiles(dir), dir);
      const found = question === ""
        ? undefined
        : await askConvening(dir, question.slice(0, MAX_QUESTION), { limit: ANSWERS });
      return askPage({ id, topic: start.topic, question, found, answer });
    });
  app.get("/convenings/:id/ask", (request) => {
    const question = (request.req.query("q") ?? "").trim();
    return showPage(request, () => askedPage(request.req.param("id"), question));
  });
  app.post("/convenings/:id/ask", async (request) => {
    const id = request.req.param("id");
    const { q: question = "", model = "" } = await fieldsOf(request);
    return await showPage(request, async () => {
      const path = `/api/convenings/${encodeURIComponent(id)}/ask`;
      const { answer } = await postToApi<{ readonly answer: ModelAnswer | null }>(app, request, {
        path,
        body: { question: question.slice(0, MAX_QUESTION), model },
      });
      return await askedPage(id, question, answer ?? undefined);
    });
  });
  app.post("/convenings/:id/actions/:action", async (request) => {
    const { id, action } = request.req.param();
    const fields = await fieldsOf(request);
    const path = `/convenings/${encodeURIComponent(id)}`;
    return await redirectAfter(request, {
      back: path,
      written: [fields["text"] ?? "", fields["own"] ?? ""],
      work: async () => {
        const asked = Object.hasOwn(ACTIONS, action) ? ACTIONS[action]?.(fields) : undefined;
        if (asked === undefined) throw nothingThere(request.req.path);
        const { act, body } = asked;
        const isDelete = act === "delete";
        const { id: next = id } = await postToApi(app, request, {
          path: isDelete ? `/api${path}` : `/api${path}/${act}`,
          body,
          method: isDelete ? "DELETE" : "POST",
        });
        if (isDelete) return "/?folder=trash";
        // The page shows how it was stopped.
        if (act === "stop") await context.pool.run(id)?.ended;
        return `/convenings/${next}${AFTERWARDS[action] ?? ""}`;
      },
    });
  });
}

function nothingThere(path: string): ConveningError {
  return new ConveningError("not_found", `Cannot find ${path.slice(0, 200)}`, {
    hint: "Go back, and use what the page offers.",
  });
}
