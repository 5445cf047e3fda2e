import { basename } from "@std/path";
import type { Hono } from "hono";
import { TRANSCRIPT_FORMATS } from "../../config/config.ts";
import { askConvening } from "../../operations/asking.ts";
import { verify } from "../../operations/convening.ts";
import { factJson } from "../../operations/fact_json.ts";
import { conveningDir, namesOf } from "../../operations/convening_dir.ts";
import { messagePage, renderConvening, scorePage } from "../../operations/reading_convenings.ts";
import { askRequest } from "../../operations/remote_requests.ts";
import { atConvening } from "../at_convening.ts";
import type { ServerContext } from "../../operations/server_context.ts";
import { toldEvents } from "../convening_events.ts";
import { linksOf } from "../convening_links.ts";
import { wholeOf, wordOf } from "../query.ts";
import { checkBody, jsonBody } from "../request_body.ts";
import { StreamPlaces } from "../stream_places.ts";
import { fileAnswer, namesIn, textAnswer } from "../safe_file.ts";

const path = "/api/convenings/:id";

const AFTER = { least: 0, most: Number.MAX_SAFE_INTEGER, usual: 0 } as const;
const PAGE = { least: 1, most: 200, usual: 50 } as const;

/** `/api/convenings/:id/…`: what is read of a convening. */
export function readingRoutes(app: Hono, server: ServerContext): void {
  const places = new StreamPlaces();
  app.get(
    `${path}/events`,
    ({ req }) =>
      atConvening(
        server,
        req.param("id"),
        (dir) => toldEvents(server, dir, { request: req.raw, places }),
      ),
  );
  app.get(`${path}/verify`, ({ req, json }) =>
    atConvening(server, req.param("id"), async (dir) => {
      const { findings, messages, status, unchecked } = await verify(dir, server);
      return json({
        id: basename(dir),
        sound: findings.length === 0,
        status: status ?? null,
        messages,
        unchecked: unchecked ?? null,
        findings: findings.map(({ path, problem, fix }) => ({ path, problem, fix })),
      });
    }));
  app.post(`${path}/ask`, ({ req, json }) =>
    atConvening(server, req.param("id"), async (dir) => {
      const { question: asked, limit } = checkBody(askRequest, await jsonBody(req.raw));
      const { messages, answers, skipped } = await askConvening(dir, asked, { limit });
      const { self } = linksOf(basename(dir));
      return json({
        id: basename(dir),
        question: asked,
        messages,
        answers: answers.map((each) => ({ ...each, link: `${self}/files/${each.file}` })),
        skipped,
      });
    }));
  pageRoutes(app, server);
  fileRoutes(app, server);
}

function pageRoutes(app: Hono, server: ServerContext): void {
  app.get(
    `${path}/messages`,
    ({ req, json }) =>
      atConvening(server, req.param("id"), async (dir) => {
        const { next, total, messages, skipped } = await messagePage(dir, {
          after: wholeOf(req.query("after"), "after", AFTER),
          limit: wholeOf(req.query("limit"), "limit", PAGE),
        });
        return json({ messages: messages.map(factJson), next: next ?? null, total, skipped });
      }),
  );
  app.get(
    `${path}/scores`,
    ({ req, json }) =>
      atConvening(server, req.param("id"), async (dir) => {
        const { scores, verdicts, next, total } = await scorePage(dir, {
          after: wholeOf(req.query("after"), "after", AFTER),
          limit: wholeOf(req.query("limit"), "limit", PAGE),
        });
        return json({
          scores: scores.map(factJson),
          verdicts: verdicts.map(factJson),
          next: next ?? null,
          total,
        });
      }),
  );
}

function fileRoutes(app: Hono, server: ServerContext): void {
  app.get(`${path}/files/*`, async ({ req }) => {
    const id = req.param("id");
    const names = [...namesOf(id), ...namesIn(req.path, /^\/api\/convenings\/[^/]*\/files\//)];
    try {
      return await fileAnswer(server.out, names);
    } catch (error) {
      // What is not there may be the whole convening.
      await conveningDir(server.out, id);
      throw error;
    }
  });
  app.get(
    `${path}/export`,
    ({ req }) =>
      atConvening(server, req.param("id"), async (dir) => {
        const format = wordOf(req.query("format"), "format", TRANSCRIPT_FORMATS) ?? "md";
        return textAnswer(await renderConvening(dir, format), `${basename(dir)}.${format}`);
      }),
  );
}
