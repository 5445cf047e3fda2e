// Shows one convening: its state, its result and where the rest is.
import { z } from "zod";
import { dirOf, idOf } from "./convening_dir.ts";
import { readConvening } from "./known_convenings.ts";
import {
  ID,
  linksOf,
  type Operation,
  operation,
  READING,
  type ReadingContext,
} from "./operation.ts";
import { type ConveningJson, conveningOutput } from "./outputs.ts";
import { paperResultOf } from "./paper_results.ts";
import { standingJson } from "./standing_json.ts";
import { resultJson } from "./results.ts";

/** `GET /api/convenings/{id}`. */
export const SHOW: Operation = operation({
  ...READING,
  name: "show",
  summary: "Shows a convening: its state and its result, without long texts.",
  path: "/api/convenings/{id}",
  input: z.strictObject({ id: ID }),
  output: conveningOutput,
  run: async (context, { id }) => await conveningJson(context, await dirOf(context, id)),
});

/** A convening as JSON, without long texts and paths of this machine. */
export async function conveningJson(
  context: Pick<ReadingContext, "pool">,
  dir: string,
): Promise<ConveningJson> {
  const { start, result, messages, facts } = await readConvening(dir);
  const id = idOf(dir);
  const links = linksOf(id);
  const paper = paperResultOf(start, facts, { dir });
  const { dir: _dir, report, ...json } = resultJson({ ...result, paper });
  return {
    ...json,
    report: report === null ? null : `${links["self"]}/files/report.json`,
    id,
    kind: start.kind,
    topic: start.topic,
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
    judges: start.judges.map(({ id, name, model, rubric }) => ({ id, name, model, rubric })),
    sources: start.sources.map(({ name }) => name),
    papers: start.papers?.map(({ id, title }) => ({ id, title })) ?? [],
    parent: start.parent === undefined ? null : { id: start.parent.dir, seq: start.parent.seq },
    messages: messages.length,
    summary: result.summary,
    links,
  };
}
