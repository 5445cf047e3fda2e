import { basename } from "@std/path";
import type { Convening } from "../operations/convening.ts";
import { readConvening } from "../operations/known_convenings.ts";
import type { Judged } from "../operations/judging.ts";
import { paperTold } from "../operations/paper_told.ts";
import { panelJson, toldJson } from "../operations/told_json.ts";
import { standingJson } from "../operations/standing_json.ts";
import type { ServerContext } from "../operations/server_context.ts";
import { linksOf } from "./convening_links.ts";

type Json = Readonly<Record<string, unknown>>;

/** A convening as JSON: what it is, where it stands, what it came to, and where the rest is; no long texts. */
export async function conveningJson(context: ServerContext, dir: string): Promise<Json> {
  const convening = await readConvening(dir);
  const { start, result, messages } = convening;
  const id = basename(dir);
  return {
    id,
    kind: start.kind,
    topic: start.topic,
    ...toldOf(convening),
    ...await standingJson(context, dir, result.status),
    startedAt: result.startedAt,
    endedAt: result.endedAt === "" ? null : result.endedAt,
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
  return { ...await conveningJson(context, judged.dir), panel: panelJson(judged) };
}
