import { basename } from "@std/path";
import type { Status } from "../core/fact.ts";
import type { PooledRun } from "../library/active_run.ts";
import { type Convening, openConvening } from "../library/convening.ts";
import type { Judged } from "../library/judging.ts";
import { paperTold } from "../library/paper_told.ts";
import { toldJson } from "../library/told_json.ts";
import { untilReleased } from "../library/watching.ts";
import type { ServerContext } from "./context.ts";
import { linksOf } from "./convening_links.ts";

type Json = Readonly<Record<string, unknown>>;

/** Where a convening stands, as the API says it: as its record does, and `queued` or `interrupted`. */
export type ShownStatus = Status | "queued" | "interrupted" | "unreadable";

/** How a run of this process is told where it has just been started or asked for something. */
export function runJson(run: PooledRun): Json {
  const { id, state } = run;
  return {
    id,
    ...state.state === "queued"
      ? { status: "queued", queue_position: state.position }
      : { status: statusOfRun(run), queue_position: null },
    links: linksOf(id),
  };
}

function statusOfRun({ state }: PooledRun): string {
  if (state.state === "ended") return state.result.status;
  return state.state;
}

/** Where a convening stands, by its record and by what this process runs. */
export async function standingJson(
  { pool }: Pick<ServerContext, "pool">,
  dir: string,
  recorded: ShownStatus,
): Promise<Json> {
  const run = pool.run(basename(dir));
  const { state } = run ?? {};
  if (state?.state === "queued") return { status: "queued", queue_position: state.position };
  const status = await shownStatus(dir, recorded, state?.state === "running");
  // Somebody else may have gone on with what failed here.
  const isDown = status === "failed" || status === "interrupted";
  const error = isDown && state?.state === "failed" ? state.error.toJSON() : undefined;
  return {
    status,
    queue_position: null,
    ...error === undefined ? {} : { error: { code: error.code, message: error.message } },
  };
}

async function shownStatus(
  dir: string,
  recorded: ShownStatus,
  isRunHere: boolean,
): Promise<ShownStatus> {
  if (isRunHere) return recorded === "waiting" ? recorded : "running";
  const isAlone = recorded === "running" && !await untilReleased(dir, { within: 0 });
  return isAlone ? "interrupted" : recorded;
}

/** A convening as JSON: what it is, where it stands, what it came to, and where the rest is; no long texts. */
export async function conveningJson(context: ServerContext, dir: string): Promise<Json> {
  const convening = await openConvening(dir);
  const { start, result, messages } = convening;
  const id = basename(dir);
  return {
    id,
    kind: start.kind,
    topic: start.topic,
    ...toldOf(convening),
    ...await standingJson(context, dir, result.status),
    started_at: result.startedAt,
    ended_at: result.endedAt === "" ? null : result.endedAt,
    seed: start.seed,
    participants: start.participants.map(({ id, name, role, position, model }) => ({
      id,
      name,
      role,
      position: position ?? null,
      model,
    })),
    judges: start.judges,
    sources: start.sources.map(({ name }) => name),
    papers: start.papers?.map(({ id, title }) => ({ id, title })) ?? [],
    parent: start.parent === undefined ? null : { id: start.parent.dir, seq: start.parent.seq },
    messages: messages.length,
    summary: result.summary,
    links: linksOf(id),
  };
}

/** What the command line prints of a convening, but for paths of this machine. */
function toldOf({ dir, start, facts, result }: Convening): Json {
  const paper = paperTold(start, facts, { dir });
  const { dir: _dir, report, ...told } = toldJson({ ...result, paper });
  return {
    ...told,
    report: report === null ? null : `${linksOf(basename(dir)).self}/files/report.json`,
  };
}

/** What a new panel came to, beside the convening as it stands. */
export async function judgedJson(context: ServerContext, judged: Judged): Promise<Json> {
  const { dir, judges, panel, convening: { result } } = judged;
  const told = toldJson({ ...panel, status: result.status, usage: result.usage });
  const { outcome, winner, scores, unscored, agreement, contradictions, notes } = told;
  return {
    ...await conveningJson(context, dir),
    panel: {
      rubric: judges[0]?.rubric ?? null,
      judges: judges.map(({ id, name, model }) => ({ id, name, model })),
      outcome,
      winner,
      scores,
      unscored,
      agreement,
      contradictions,
      notes,
    },
  };
}
