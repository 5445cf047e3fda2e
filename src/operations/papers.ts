// Operations that list and read uploaded papers, and debate them in the form of an earlier interface (mas-debate).
import { z } from "zod";
import { BUILT_IN } from "../compose.ts";
import { shelved, shelvedFile } from "../inputs/folder_shelf.ts";
import type { PaperDebateConfig } from "../config/convening_config.ts";
import { rubricShape, words } from "../config/setting_shapes.ts";
import type { Rubric } from "../core/outcome.ts";
import { defined } from "../core/values.ts";
import { AGENT_ERROR_CODES, ConveningError } from "../core/error.ts";
import { rubricNamed } from "../judging/scoring.ts";
import type { DebateReport } from "../papers/text/debate_report.ts";
import { addressesOf } from "../core/key_rules.ts";
import {
  LISTING,
  type Operation,
  operation,
  type OperationContext,
  type ReadingContext,
} from "./operation.ts";
import type { ActiveRun } from "./active_run.ts";
import { openConvening } from "./convening.ts";
import { DebateCoordinator } from "./debate_coordinator.ts";
import { asIndexError, pickOfIndex } from "./picking.ts";
import { count, NAME, named } from "./outputs.ts";

const paper = {
  id: z.string(),
  title: z.string(),
  characters: count.describe("In UTF-16 units."),
  pages: z.int().min(1).optional().describe("Absent where the paper has no pages."),
};

export const shelvedPaper = named("Paper", z.object(paper));

export const LIST_PAPERS: Operation = operation({
  ...LISTING,
  name: "list_papers",
  summary: "Lists the papers that were posted, by id.",
  tags: ["papers"],
  path: "/api/papers",
  input: z.strictObject({}),
  output: named("Papers", z.object({ papers: z.array(shelvedPaper) })),
  run: async ({ papers }) => ({ papers: await papers.list() }),
});

export const READ_PAPER: Operation = operation({
  name: "read_paper",
  summary: "Reads a paper with its text.",
  tags: ["papers"],
  method: "get",
  path: "/api/papers/{id}",
  writes: false,
  errors: ["not_found", "paper_unreadable"],
  input: z.strictObject({ id: z.string().describe("The paper's id.") }),
  output: named("PaperWithText", z.object({ ...paper, text: z.string() })),
  async run({ papers }, { id }) {
    const paper = await papers.get(id);
    return { ...shelved(paper), text: paper.text };
  },
});

/** Returns the schema of a text of 1 to `most` characters; `problem` is the message of every error. */
function textOf(most: number, problem: string): z.ZodString {
  return z.string(problem).trim().min(1, problem).max(most, problem);
}

const paperId = textOf(200, "Give the id of a paper that was posted.")
  .describe("The id of a paper that was posted.");
const question = textOf(1000, "Give the question, 10 to 1,000 characters.")
  .describe("The question, 10 to 1,000 characters.");
const FEW = "Give a whole number from 2 to 8.";
const numPostures = z.int(FEW).min(2, FEW).max(8, FEW).optional()
  .describe("The number of postures, each with a debater; 3 by default.");

const wholeRubric = rubricShape(words);

/** Schema of the judges' rubric: the id of a built-in rubric, only criteria (with a scale from 0 to 1), or a whole rubric. */
const rubric = z.union(
  [NAME, wholeRubric.shape.criteria, wholeRubric],
  "Give a built-in rubric's id, a list of criteria ({id, weight, description}), or a whole rubric.",
);

const debate = {
  paperId,
  numPostures,
  rubric: rubric.optional().describe(
    "A built-in rubric's id, a list of criteria scored from 0 to 1, or a whole rubric.",
  ),
  paperIds: z.array(paperId, "Give a list of ids.").max(19, "Give at most 19 more papers.")
    .optional().describe("Further papers of the same debate."),
};

/** Body of `POST /api/mas-debate/run`. */
export const runBody = z.strictObject({ ...debate, question });
/** Body of `POST /api/mas-debate/run-complete`. */
export const runCompleteBody = z.strictObject({
  ...debate,
  questionIndex: z.int("Give a whole number from 0.").min(0, "Give a whole number from 0.")
    .optional().describe("The generated question to debate, counted from 0; 0 by default."),
});

export type RunBody = z.infer<typeof runBody> | z.infer<typeof runCompleteBody>;

const shared = {
  tags: ["mas-debate"],
  method: "post",
  writes: true,
  errors: [...AGENT_ERROR_CODES, "not_found", "paper_unreadable"],
} as const;

export const QUESTIONS: Operation = operation({
  ...shared,
  name: "paper_questions",
  summary: "Puts questions to a paper.",
  path: "/api/mas-debate/questions",
  input: z.strictObject({ paperId }),
  output: named("PaperQuestions", z.object({ questions: z.array(z.string()) })),
  async run(context, { paperId }) {
    const paper = await context.papers.get(paperId, "paperId");
    return { questions: await coordinatorOf(context).generateQuestions(paper) };
  },
});

export const POSTURES: Operation = operation({
  ...shared,
  name: "paper_postures",
  summary: "Finds postures and topics for a question.",
  path: "/api/mas-debate/postures",
  input: z.strictObject({ paperId, question, numPostures }),
  output: named(
    "PaperPostures",
    z.object({ postures: z.array(z.string()), topics: z.array(z.string()) }),
  ),
  async run(context, { paperId, question, numPostures }) {
    const paper = await context.papers.get(paperId, "paperId");
    return await coordinatorOf(context).generatePosturesAndTopics(paper, question, numPostures);
  },
});

/** Returns a coordinator for single steps, which are not recorded. */
function coordinatorOf({ models, signal, catalogue = BUILT_IN }: ReadingContext) {
  return new DebateCoordinator({ ...models, host: catalogue.host, signal });
}

export interface BegunDebate {
  readonly run: ActiveRun;
  /** Index of the generated question, from 0; 0 if the request has a question. */
  readonly questionIndex: number;
}

/** Starts a whole debate, recorded in the archive like any other convening. */
export async function beginDebate(
  { out, papers, pool, models }: OperationContext,
  body: RunBody,
): Promise<BegunDebate> {
  const ids = new Set<string>();
  // Throw for a missing or unreadable paper before the convening is created.
  for (const id of [body.paperId, ...body.paperIds ?? []]) {
    ids.add((await papers.get(id, id === body.paperId ? "paperId" : "paperIds")).id);
  }
  const questionIndex = "questionIndex" in body ? body.questionIndex ?? 0 : 0;
  const config: PaperDebateConfig = {
    kind: "paper-debate",
    papers: [...ids].map((id) => shelvedFile(out, id)),
    ..."question" in body ? { question: body.question } : { pick: pickOfIndex(questionIndex) },
    ...defined({
      postures: body.numPostures,
      rubric: rubricOf(body.rubric),
      model: models.model,
      ...addressesOf(models),
    }),
  };
  return { run: await pool.start(config), questionIndex };
}

/** Converts a rubric of a request into one of a configuration. A name stands for a built-in rubric, never for a file. */
function rubricOf(rubric: RunBody["rubric"]): string | Rubric | undefined {
  if (typeof rubric === "string") return rubricNamed(rubric).id;
  if (!Array.isArray(rubric)) return rubric;
  const { scale, anchors } = rubricNamed("conceptual");
  return {
    id: "given",
    scale: [...scale],
    criteria: rubric,
    anchors: anchors.map((each) => ({ ...each })),
  };
}

/** Waits for the end of a debate and returns its report. Throws the debate's error, or `stopped` without a report. */
export async function reportOf({ run, questionIndex }: BegunDebate): Promise<DebateReport> {
  const end = await run.ended;
  if (end.state === "failed" && end.error.code !== "cancelled") {
    throw asIndexError(end.error, questionIndex);
  }
  const { report } = await openConvening(run.dir);
  if (report !== undefined) return report;
  throw new ConveningError("stopped", "Cannot report: the debate was stopped before its end", {
    hint: `POST /api/convenings/${run.id}/resume continues it.`,
  });
}
