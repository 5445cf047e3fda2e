import { basename } from "@std/path";
import type { Context, Hono } from "hono";
import { z } from "zod";
import { defined } from "../../core/defined.ts";
import { ConfigurationError, RecordError } from "../../core/error.ts";
import type { PooledRun } from "../../library/active_run.ts";
import { interject, leaveSpeech, pauseConvening, waitedTurn } from "../../library/attending.ts";
import { fork, openConvening } from "../../library/convening.ts";
import { judge } from "../../library/judging.ts";
import { remoteConfiguration } from "../../library/remote_configuration.ts";
import { untilReleased } from "../../library/watching.ts";
import { atConvening } from "../at_convening.ts";
import { addressesOf, type ServerContext } from "../context.ts";
import { judgedJson, runJson, standingJson } from "../convening_json.ts";
import { linksOf } from "../convening_links.ts";
import { bodyBytes, checkBody, jsonBody } from "../request_body.ts";
import { goOn } from "../starting.ts";

/** What a person says: a turn that is waited for, or an interjection. */
export const sayBody = z.strictObject({
  text: z.string(),
  participant: z.string().min(1).max(200).optional(),
  interject: z.boolean().optional(),
});
/** The last message that is taken over, and what it says instead. */
export const forkBody = z.strictObject({ at: z.int().min(1), edit: z.string().min(1).optional() });
/** Higher limits to go on with. */
export const resumeBody = z.strictObject({
  limits: z.strictObject({
    maxTurns: z.int().min(1).optional(),
    maxDuration: z.number().positive().optional(),
    maxTokens: z.int().min(1).optional(),
    maxCost: z.number().positive().optional(),
  }).optional(),
});
/** The rubric of a new panel, and its judges' models. */
export const judgeBody = z.strictObject({
  rubric: z.unknown().optional(),
  models: z.array(z.string().min(1)).min(1).max(10).optional(),
});
/** Nothing is said with it. */
export const emptyBody = z.strictObject({});

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

/** The run of a directory, as long as this process has it. */
function liveRun({ pool }: ServerContext, dir: string): PooledRun | undefined {
  const run = pool.run(basename(dir));
  return run === undefined || run.feed.ended ? undefined : run;
}

async function say(server: ServerContext, dir: string, body: unknown): ReturnType<Act> {
  const { text, participant: as, interject: isAside = false } = checkBody(sayBody, body);
  if (isAside) {
    if (as !== undefined) {
      throw new ConfigurationError("Cannot use participant: an interjection is nobody's turn", {
        field: "participant",
        hint: "Leave participant out, or interject.",
      });
    }
    const { held } = await interject(dir, text);
    return { status: 202, json: { ...await told(server, dir), interjected: true, held } };
  }
  const run = liveRun(server, dir);
  if (run?.state.state === "running") {
    const { participant } = await waitedTurn(dir, as);
    run.say(participant, text);
    return { status: 202, json: { ...await told(server, dir), participant, left: false } };
  }
  const { participant, held } = await leaveSpeech(dir, text, { as });
  if (!held) await goOn(server, dir);
  return { status: 202, json: { ...await told(server, dir), participant, left: held } };
}

async function pause(server: ServerContext, dir: string, body: unknown): ReturnType<Act> {
  checkBody(emptyBody, body);
  const run = liveRun(server, dir);
  run?.pause();
  const held = run !== undefined || (await pauseConvening(dir)).held;
  return { status: held ? 202 : 200, json: { ...await told(server, dir), held } };
}

async function stop(server: ServerContext, dir: string, body: unknown): ReturnType<Act> {
  checkBody(emptyBody, body);
  const run = liveRun(server, dir);
  run?.stop();
  if (run === undefined && await untilReleased(dir, { within: 0 })) {
    throw new RecordError("locked", `Cannot stop ${dir}: another process runs it`, {
      field: "id",
      hint: "Pause it, or stop it where it runs.",
    });
  }
  const held = run !== undefined;
  return { status: held ? 202 : 200, json: { ...await told(server, dir), held } };
}

async function resume(server: ServerContext, dir: string, body: unknown): ReturnType<Act> {
  const run = await goOn(server, dir, checkBody(resumeBody, body));
  return { status: run.feed.ended ? 200 : 202, json: runJson(run) };
}

async function forked(parent: string, body: unknown): ReturnType<Act> {
  const { at, edit } = checkBody(forkBody, body);
  const id = basename(await fork(parent, { at, edit }));
  const links = linksOf(id);
  const json = { id, parent: basename(parent), at, edited: edit !== undefined, links };
  return { status: 201, json, made: links["self"]! };
}

async function judged(server: ServerContext, dir: string, body: unknown): ReturnType<Act> {
  const { rubric, models } = checkBody(judgeBody, body);
  const { models: { env, ...addressed }, signal } = server;
  // Rubrics and models are what they are in a debate's configuration.
  const { config } = remoteConfiguration(defined({
    kind: "debate",
    topic: basename(dir),
    rubric,
    judges: models?.map((model) => ({ model })),
  }));
  const panel = config.kind === "debate" ? config : undefined;
  const judges = (panel?.judges ?? [{}]).map((each) => ({ ...each, rubric: panel?.rubric }));
  // The addresses stand over the record's also where the server has none.
  const settings = { ...addressesOf(addressed), env, signal };
  return {
    status: 200,
    json: await judgedJson(server, await judge(dir, { ...settings, judges })),
  };
}

/** Where a convening stands after something was asked of it. */
async function told(server: ServerContext, dir: string): Promise<object> {
  const { result } = await openConvening(dir);
  const id = basename(dir);
  return { id, ...await standingJson(server, dir, result.status), links: linksOf(id) };
}
