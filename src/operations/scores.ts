// Reads scores and verdicts of a convening.
import { z } from "zod";
import { dirOf } from "./convening_dir.ts";
import { factJson, factOutput } from "./fact_json.ts";
import { ID, named, type Operation, operation, PAGE, READING } from "./operation.ts";
import { factPage, pageStamp, verdictsOf } from "./reading_convenings.ts";

const verdicts = z.array(named("Verdict", factOutput("verdict")));

/** `GET /api/convenings/{id}/scores`. */
export const SCORES: Operation = operation({
  ...READING,
  name: "scores",
  summary: "Reads a page of the scores, by the messages they are of, and every verdict.",
  path: "/api/convenings/{id}/scores",
  input: z.strictObject({ id: ID, ...PAGE }),
  output: named(
    "ScorePage",
    z.object({
      scores: z.array(named("Score", factOutput("score"))),
      verdicts,
      next: z.int().nullable().describe("`after` of the page that follows."),
      total: z.int().min(0),
    }),
  ),
  stamp: async (context, { id, ...page }) =>
    await pageStamp(await dirOf(context, id), ["scores", "verdicts"], page),
  async run(context, { id, ...page }) {
    const dir = await dirOf(context, id);
    const { facts, ...rest } = await factPage(dir, "scores", page);
    const judged = await verdictsOf(dir);
    return { scores: facts.map(factJson), verdicts: judged.map(factJson), ...rest };
  },
});

/** `GET /api/convenings/{id}/verdicts`. */
export const VERDICTS: Operation = operation({
  ...READING,
  name: "verdicts",
  summary: "Reads every verdict of the judges.",
  path: "/api/convenings/{id}/verdicts",
  input: z.strictObject({ id: ID }),
  output: named("Verdicts", z.object({ verdicts })),
  async run(context, { id }) {
    const judged = await verdictsOf(await dirOf(context, id));
    return { verdicts: judged.map(factJson) };
  },
});
