import { basename, relative } from "@std/path";
import type { Hono } from "hono";
import { TRANSCRIPT_FORMATS } from "../../core/config.ts";
import { askConvening } from "../../library/asking.ts";
import { openConvening, verify } from "../../library/convening.ts";
import { askRequest } from "../../library/remote_requests.ts";
import { messagePage, renderConvening } from "../../library/reading_convenings.ts";
import { atConvening } from "../at_convening.ts";
import type { ServerContext } from "../context.ts";
import { conveningDir } from "../../library/convening_dir.ts";
import { toldEvents } from "../convening_events.ts";
import { linksOf } from "../convening_links.ts";
import { messageJson, scoreJson, verdictJson } from "../fact_json.ts";
import { wholeOf, wordOf } from "../query.ts";
import { checkBody, jsonBody } from "../request_body.ts";
import { StreamPlaces } from "../stream_places.ts";
import { fileAnswer, namesIn, textAnswer } from "../safe_file.ts";

const AFTER = { least: 0, most: Number.MAX_SAFE_INTEGER, usual: 0 } as const;
const PAGE = { least: 1, most: 200, usual: 50 } as const;

/** `/api/convenings/:id/…`: what is read of a convening. */
export function readingRoutes(app: Hono, server: ServerContext): void {
  const path = "/api/convenings/:id" as const;
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
  app.get(
    `${path}/messages`,
    ({ req, json }) =>
      atConvening(server, req.param("id"), async (dir) => {
        const { next, total, messages, skipped } = await messagePage(dir, {
          after: wholeOf(req.query("after"), "after", AFTER),
          limit: wholeOf(req.query("limit"), "limit", PAGE),
        });
        return json({ messages: messages.map(messageJson), next: next ?? null, total, skipped });
      }),
  );
  app.get(
    `${path}/scores`,
    ({ req, json }) =>
      atConvening(server, req.param("id"), async (dir) =>
        json(
          await scoresJson(dir, {
            after: wholeOf(req.query("after"), "after", AFTER),
            limit: wholeOf(req.query("limit"), "limit", PAGE),
          }),
        )),
  );
  app.get(`${path}/verify`, ({ req, json }) =>
    atConvening(server, req.param("id"), async (dir) => {
      const { findings, messages, status } = await verify(dir);
      return json({
        id: basename(dir),
        sound: findings.length === 0,
        status: status ?? null,
        messages,
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
  fileRoutes(app, server);
}

function fileRoutes(app: Hono, server: ServerContext): void {
  app.get("/api/convenings/:id/files/*", async ({ req }) => {
    const dir = await conveningDir(server.out, req.param("id"));
    const names = namesIn(req.path, /^\/api\/convenings\/[^/]*\/files\//);
    const under = relative(server.out, dir).split(/[/\\]/);
    return await fileAnswer(req.raw, server.out, [...under, ...names]);
  });
  app.get(
    "/api/convenings/:id/export",
    ({ req }) =>
      atConvening(server, req.param("id"), async (dir) => {
        const format = wordOf(req.query("format"), "format", TRANSCRIPT_FORMATS) ?? "md";
        return textAnswer(await renderConvening(dir, format), `${basename(dir)}.${format}`);
      }),
  );
}

/** A part of the scores, by the messages they are of, and every verdict. */
async function scoresJson(
  dir: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<object> {
  const { facts } = await openConvening(dir);
  const scores = facts.filter((fact) => fact.type === "score");
  const scored = [...new Set(scores.map(({ message }) => message))].sort((a, b) => a - b);
  const rest = scored.filter((message) => message > after);
  const page = new Set(rest.slice(0, limit));
  const last = [...page].at(-1);
  return {
    scores: scores.filter(({ message }) => page.has(message)).map(scoreJson),
    verdicts: facts.filter((fact) => fact.type === "verdict").map(verdictJson),
    next: rest.length > page.size ? last : null,
    total: scores.length,
  };
}
