import { basename } from "@std/path";
import type { Context, Hono } from "hono";
import { fork } from "../../operations/convening.ts";
import { judgeRemote, pauseRemote, sayRemote, stopRemote } from "../../operations/remote_acts.ts";
import {
  emptyRequest,
  forkRequest,
  goOnRequest,
  judgeRequest,
  sayRequest,
} from "../../operations/remote_requests.ts";
import { goOnRemote } from "../../operations/remote_runs.ts";
import { runJson, standingJson } from "../../operations/standing_json.ts";
import { recordFiles } from "../../record/disk_files.ts";
import { readMetadata } from "../../record/read.ts";
import { atConvening } from "../at_convening.ts";
import type { ServerContext } from "../../operations/server_context.ts";
import { judgedJson } from "../convening_json.ts";
import { linksOf } from "../convening_links.ts";
import { bodyBytes, checkBody, jsonBody } from "../request_body.ts";

/** What is done with the convening of a path, and told with a status. */
type Act = (
  dir: string,
  body: unknown,
) => Promise<{ readonly status: 200 | 201 | 202; readonly json: object; readonly made?: string }>;

/** `/api/convenings/:id/…`: what is done with a convening. */
export function actingRoutes(app: Hono, server: ServerContext): void {
  const acts: Readonly<Record<string, Act>> = {
    say: (dir, body) => say(server, dir, body),
    pause: (dir, body) => pause(server, dir, body),
    stop: (dir, body) => stop(server, dir, body),
    resume: (dir, body) => resume(server, dir, body),
    fork: (dir, body) => forked(dir, body),
    judge: (dir, body) => judged(server, dir, body),
  };
  for (const [name, act] of Object.entries(acts)) {
    app.post(
      `/api/convenings/:id/${name}`,
      (context) =>
        atConvening(server, context.req.param("id"), async (dir) => {
          const { status, json, made } = await act(dir, await optionalBody(context));
          if (made !== undefined) context.header("location", made);
          return context.json(json, status);
        }),
    );
  }
}

/** The body of a request that may have none. */
async function optionalBody({ req: { raw } }: Context): Promise<unknown> {
  if (raw.headers.get("content-type") !== null) return await jsonBody(raw);
  const { length } = await bodyBytes(raw.clone());
  return length === 0 ? {} : await jsonBody(raw);
}

async function say(server: ServerContext, dir: string, body: unknown): ReturnType<Act> {
  const said = await sayRemote(server, dir, checkBody(sayRequest, body));
  return { status: 202, json: { ...await told(server, dir), ...said } };
}

async function pause(server: ServerContext, dir: string, body: unknown): ReturnType<Act> {
  checkBody(emptyRequest, body);
  const { held } = await pauseRemote(server, dir);
  return { status: held ? 202 : 200, json: { ...await told(server, dir), held } };
}

async function stop(server: ServerContext, dir: string, body: unknown): ReturnType<Act> {
  checkBody(emptyRequest, body);
  const { held } = await stopRemote(server, dir);
  return { status: held ? 202 : 200, json: { ...await told(server, dir), held } };
}

async function resume(server: ServerContext, dir: string, body: unknown): ReturnType<Act> {
  const run = await goOnRemote(server, dir, checkBody(goOnRequest, body));
  return { status: run.feed.ended ? 200 : 202, json: { ...runJson(run), links: linksOf(run.id) } };
}

async function forked(parent: string, body: unknown): ReturnType<Act> {
  const { at, edit } = checkBody(forkRequest, body);
  const id = basename(await fork(parent, { at, edit }));
  const links = linksOf(id);
  const json = { id, parent: basename(parent), at, edited: edit !== undefined, links };
  return { status: 201, json, made: links["self"]! };
}

async function judged(server: ServerContext, dir: string, body: unknown): ReturnType<Act> {
  const request = checkBody(judgeRequest, body);
  return { status: 200, json: await judgedJson(server, await judgeRemote(server, dir, request)) };
}

/** Where a convening stands after something was asked of it. */
async function told(server: ServerContext, dir: string): Promise<object> {
  const { progress } = await readMetadata(recordFiles(dir), dir);
  const id = basename(dir);
  return { id, ...await standingJson(server, dir, progress.status), links: linksOf(id) };
}
