// Studies for clients of a server: run, list, follow, stop, retry.
import { z } from "zod";
import { pause } from "../core/clock.ts";
import { defined } from "../core/defined.ts";
import { ConveningError } from "../core/error.ts";
import { inParallel } from "../core/files.ts";
import { CELL_STATUSES } from "../studies/study_debate.ts";
import { CONCURRENCY, type StudyConfig } from "../studies/study.ts";
import { clientStudy } from "./client_study.ts";
import {
  addressesOf,
  type Given,
  linksOf,
  named,
  OFFSET,
  type Operation,
  operation,
  type OperationContext,
  pageOf,
  type ReadingContext,
  whole,
} from "./operation.ts";
import { links } from "./outputs.ts";
import { withoutPaths } from "./problems.ts";
import {
  OF_STUDY,
  STUDY_ID,
  studyDir,
  studyIds,
  type StudyJson,
  studyJson,
  studyOutput,
  unreadableStudy,
} from "./study_shown.ts";

const studies = () => import("./studies.ts");
const count = z.int().min(0);
const text = z.string();

const debateOutput = named(
  "StudyDebate",
  z.object({
    id: text.describe("The convening's id."),
    topic: text.describe("The topic; of a paper debate its question."),
    format: text,
    repeat: z.int().min(1).describe("The repeat of pair, topic and format, from 1."),
    first: text.nullable().describe("The contestant in the first seat."),
    second: text.nullable(),
    status: z.enum(CELL_STATUSES),
    code: text.nullable().describe("Code of the error of a convening that failed."),
    winner: text.nullable().describe("The contestant that won; null for none."),
    links,
  }),
);

/** A convening of a study as JSON. */
export type StudyDebateJson = Given<z.output<typeof debateOutput>>;

/** A study of a client with the server's addresses of models. */
export function studyOf({ models }: ReadingContext, given: unknown): StudyConfig {
  const study = clientStudy(given);
  const base = {
    ...defined({ model: models.model }),
    ...study.base,
    ...defined(addressesOf(models)),
  };
  // Checked with the whole study.
  return { ...study, base } as unknown as StudyConfig;
}

/**
 * The study of a folder. Fails with `forbidden` where it names files or addresses of its own: no key goes where a file sends
 * it, and no file of this machine into a prompt.
 */
async function studyIn({ models }: ReadingContext, dir: string): Promise<StudyConfig> {
  const { openStudy } = await import("../studies/folder.ts");
  const { study: config } = await openStudy(dir);
  const { base, formats = [] } = config;
  const own: Readonly<Record<string, unknown>> = addressesOf(models);
  const given = (settings: object) =>
    Object.fromEntries(Object.entries(settings).filter(([key, value]) => !same(value, own[key])));
  try {
    clientStudy({
      ...config,
      base: given(base),
      formats: Array.isArray(formats) ? formats : Object.fromEntries(
        Object.entries(formats).map(([name, each]) => [name, given(each)]),
      ),
    });
  } catch (cause) {
    if (!(cause instanceof ConveningError)) throw cause;
    const { field = "study" } = cause;
    throw new ConveningError("forbidden", `Cannot run study "${config.study}": it gives ${field}`, {
      field,
      hint: "Run it by the command study run, where files and addresses are yours to give.",
    });
  }
  return config;
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Runs a study in the background, and gives its state once the run has begun. */
async function begun(
  context: OperationContext,
  id: string,
  { given, retry = false }: { readonly given: StudyConfig | string; readonly retry?: boolean },
): Promise<StudyJson> {
  const { out, pool, catalogue, models } = context;
  const { runStudy } = await studies();
  try {
    const { concurrency = CONCURRENCY } = typeof given === "string"
      ? await studyIn(context, given)
      : given;
    const bounded = Math.min(concurrency, pool.maxRunning);
    await pool.studies.start(
      id,
      (options) =>
        runStudy(given, {
          out,
          retry,
          concurrency: bounded,
          ...defined({ catalogue, env: models.env }),
          ...options,
        }),
    );
  } catch (error) {
    throw withoutPaths(error, out);
  }
  return await studyJson(context, id);
}

/** `POST /api/studies`. */
export const START_STUDY: Operation = operation({
  name: "start_study",
  summary: "Plans a study by the keys of a study.yaml, but none that names a place of the " +
    "server, and runs it.",
  tags: ["studies"],
  method: "post",
  path: "/api/studies",
  writes: true,
  errors: ["busy", "locked"],
  body: "study",
  input: z.strictObject({
    study: z.looseObject({}).describe(
      "Keys of a study.yaml: study (the id), base, topics, contestants, seeds, judges, limits …",
    ),
  }),
  output: studyOutput,
  answers: { 201: "The study runs." },
  location: ({ links }) => links["self"]!,
  tool: {
    name: "run_study",
    title: "Run a study",
    about:
      'Plans many convenings and runs them in the background: pairs of contestants in both seats, over topics and seeds, with a rating at the end. Gives the id at once; study_status follows it, study_report gives the result. Example: {"study": {"study": "tea", "base": {"kind": "debate", "roundCount": 1}, "topics": [{"id": "tea", "topic": "Is tea better than coffee for work?"}], "contestants": [{"id": "a", "model": "offline", "persona": "scientist"}, {"id": "b", "model": "offline"}], "seeds": 2, "judges": [{"model": "offline"}], "excludeOwn": false}}.',
  },
  async run(context: OperationContext, { study }) {
    const given = studyOf(context, study);
    return await begun(context, given.study, { given });
  },
});

/** `GET /api/studies`. */
export const LIST_STUDIES: Operation = operation({
  name: "list_studies",
  summary: "Lists the studies of the archive by id.",
  tags: ["studies"],
  method: "get",
  path: "/api/studies",
  writes: false,
  errors: [],
  input: z.strictObject({
    offset: OFFSET,
    limit: whole(1, 200, "The most studies of a page.").default(50),
  }),
  output: named(
    "StudyPage",
    z.object({
      studies: z.array(studyOutput),
      total: count,
      next: z.int().nullable().describe("`offset` of the page that follows."),
    }),
  ),
  tool: {
    title: "List studies",
    about: "The studies of the archive by id, each with its state and counts, a page at a time.",
  },
  async run(context, page) {
    const { rows, ...rest } = pageOf(await studyIds(context.out), page);
    const studies = rows.map((id) =>
      studyJson(context, id).catch((error) => unreadableStudy(id, error))
    );
    return { studies: await Promise.all(studies), ...rest };
  },
});

/** `GET /api/studies/{id}`. */
export const SHOW_STUDY: Operation = operation({
  ...OF_STUDY,
  name: "study",
  summary: "Gives the state of a study: what is done, what failed, cost, rate and time left.",
  method: "get",
  path: "/api/studies/{id}",
  writes: false,
  input: z.strictObject({
    id: STUDY_ID,
    within: whole(0, 600, "Seconds to wait for the end of a run.").default(0),
  }),
  output: studyOutput,
  tool: {
    name: "study_status",
    title: "Where a study stands",
    about:
      "How many convenings of a study are done, failed (by code) and running, its cost, rate and time left. With `within` the answer waits so many seconds for the end.",
  },
  async run(context, { id, within }, { signal }) {
    await studyDir(context, id);
    const run = context.pool?.studies.run(id);
    if (run !== undefined) {
      const over = new AbortController();
      const time = pause(within * 1000, AbortSignal.any([signal, over.signal]));
      await Promise.race([run.ended, time]).finally(() => over.abort());
    }
    return await studyJson(context, id);
  },
});

/** `GET /api/studies/{id}/debates`. */
export const STUDY_DEBATES: Operation = operation({
  ...OF_STUDY,
  name: "study_debates",
  summary: "Lists the convenings of a study's plan, each with its status, code and winner.",
  method: "get",
  path: "/api/studies/{id}/debates",
  writes: false,
  input: z.strictObject({
    id: STUDY_ID,
    offset: OFFSET,
    limit: whole(1, 200, "The most convenings of a page.").default(50),
  }),
  output: named(
    "StudyDebatePage",
    z.object({
      debates: z.array(debateOutput),
      total: count,
      next: z.int().nullable().describe("`offset` of the page that follows."),
    }),
  ),
  tool: {
    title: "List a study's convenings",
    about:
      "The convenings of a study's plan, a page at a time: their ids, for the tools that read convenings, with status, code of the error and winner.",
  },
  async run(context, { id, ...page }) {
    const dir = await studyDir(context, id);
    const { cellDir, openStudy } = await import("../studies/folder.ts");
    const { readStudyDebate } = await import("../studies/results.ts");
    const { files, study, cells } = await openStudy(dir);
    const topics = new Map(study.topics?.map((each) => [each.id, each.topic]));
    const { rows, ...rest } = pageOf(cells, page);
    const debates = await inParallel(rows, async (each) => {
      const { key, topic, ...cell } = each;
      const read = await readStudyDebate(files, cellDir({ dir }, each), each);
      const { status, code, question, winner } = read;
      return {
        id: `${id}.${key}`,
        topic: question ?? topics.get(topic) ?? topic,
        format: cell.format,
        repeat: cell.repeat,
        first: cell.first ?? null,
        second: cell.second ?? null,
        status,
        code: code ?? null,
        winner: winner ?? null,
        links: linksOf(`${id}.${key}`),
      };
    });
    return { debates, ...rest };
  },
});

/** Keys that the rows share which run a study of the archive. */
const OF_RUN = {
  ...OF_STUDY,
  method: "post",
  writes: true,
  errors: [...OF_STUDY.errors, "busy", "locked"],
  input: z.strictObject({ id: STUDY_ID }),
  output: studyOutput,
  answers: { 202: "The study runs." },
} as const;

/** `POST /api/studies/{id}/run`. */
export const RUN_STUDY: Operation = operation({
  ...OF_RUN,
  name: "resume_study",
  summary: "Runs what a study has left, in the background.",
  path: "/api/studies/{id}/run",
  tool: {
    title: "Resume a study",
    about:
      "Runs the convenings that a study has left, those that were broken off from where they were. Failed ones are left: retry_study.",
  },
  async run(context: OperationContext, { id }) {
    return await begun(context, id, { given: await studyDir(context, id) });
  },
});

/** `POST /api/studies/{id}/stop`. */
export const STOP_STUDY: Operation = operation({
  ...OF_STUDY,
  name: "stop_study",
  summary: "Ends a study's run at the next message, whichever process runs it; run continues it.",
  method: "post",
  path: "/api/studies/{id}/stop",
  writes: true,
  input: z.strictObject({ id: STUDY_ID }),
  output: studyOutput,
  answers: { 202: "The run ends at the next message." },
  tool: {
    title: "Stop a study",
    about: "Ends a study's run at the next message, whichever process runs it; nothing is lost, " +
      "and resume_study continues it.",
  },
  async run(context, { id }) {
    const dir = await studyDir(context, id);
    const { stopStudy } = await studies();
    await stopStudy(dir);
    await context.pool?.studies.run(id)?.ended;
    return await studyJson(context, id);
  },
});

/** `POST /api/studies/{id}/retry`. */
export const RETRY_STUDY: Operation = operation({
  ...OF_RUN,
  name: "retry_study",
  summary: "Runs what a study has left, and the convenings that failed again.",
  path: "/api/studies/{id}/retry",
  tool: {
    title: "Retry a study",
    about: "Runs the failed convenings of a study again, and what is left, in the background.",
  },
  async run(context: OperationContext, { id }) {
    return await begun(context, id, { given: await studyDir(context, id), retry: true });
  },
});
