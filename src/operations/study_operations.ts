// Operations on studies: plan, run, list, follow, stop, retry, report, export.
import { join } from "@std/path";
import { z } from "zod";
import { pause } from "../core/clock.ts";
import { defined, isObject } from "../core/values.ts";
import { cannotUse, ConveningError } from "../core/error.ts";
import { inParallel } from "../core/files.ts";
import { filesBelow } from "../record/disk_files.ts";
import { CELL_STATUSES, CONCURRENCY, type StudyConfig } from "../studies/study.ts";
import { linksOf, shownError } from "./client_view.ts";
import { addressesOf } from "../core/key_rules.ts";
import {
  LISTING,
  OFFSET,
  OFFSET_PAGE,
  type Operation,
  operation,
  type OperationContext,
  pageOf,
  type ReadingContext,
  whole,
} from "./operation.ts";
import type { StudyRunOptions } from "./study_run.ts";
import { count, type Given, jsonOf, links, named } from "./outputs.ts";
import {
  clientStudy,
  forecastJson,
  forecastOutput,
  OF_STUDY,
  STUDY_ID,
  studyDir,
  studyIds,
  type StudyJson,
  studyJson,
  studyLinks,
  studyOutput,
  unreadableStudy,
} from "./study_json.ts";

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

/** Output of the operation `study_debates`: a convening of a study. */
export type StudyDebateJson = Given<z.output<typeof debateOutput>>;

/** Returns a client's study with the server's default model and model addresses, and whether it adds to a plan. */
function studyOf({ models }: ReadingContext, given: unknown) {
  if (!isObject(given)) {
    const hint = "Send the keys of a study.yaml as an object of JSON.";
    throw cannotUse("study", "it is not an object of keys", hint);
  }
  const { study, extend } = clientStudy(given);
  const base = isObject(study["base"])
    ? { ...defined({ model: models.model }), ...study["base"], ...defined(addressesOf(models)) }
    : study["base"];
  // The cast is safe: `planStudy` checks the whole study.
  return { study: { ...study, base } as unknown as StudyConfig, extend };
}

/**
 * Reads the study of a folder. Throws `forbidden` if the study names files or addresses other than the server's: a study
 * that a client runs may not send API keys to its addresses, nor files of this machine to a model.
 */
async function studyIn({ models }: ReadingContext, dir: string): Promise<StudyConfig> {
  const { openStudy } = await import("../studies/folder.ts");
  const { study: config } = await openStudy(dir);
  const { base, formats = [] } = config;
  const addresses: Readonly<Record<string, unknown>> = addressesOf(models);
  const isOwn = ([key, value]: readonly [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(addresses[key]);
  const withoutAddresses = (settings: object) =>
    Object.fromEntries(Object.entries(settings).filter(isOwn));
  try {
    clientStudy({
      ...config,
      base: withoutAddresses(base),
      formats: Array.isArray(formats) ? formats : Object.fromEntries(
        Object.entries(formats).map(([name, each]) => [name, withoutAddresses(each)]),
      ),
    });
  } catch (cause) {
    if (!(cause instanceof ConveningError)) throw cause;
    const { field = "study" } = cause;
    throw new ConveningError("forbidden", `Cannot run study "${config.study}": it gives ${field}`, {
      field,
      hint: "Run it with the command study run, which may use files and addresses.",
    });
  }
  return config;
}

/** Starts a study in the background, and returns its state once the run has begun. */
async function startRun(
  context: OperationContext,
  id: string,
  { given, ...more }: Pick<StudyRunOptions, "retry" | "extend"> & {
    readonly given: StudyConfig | string;
  },
): Promise<StudyJson> {
  const { out, pool, catalogue, models } = context;
  const { runStudy } = await import("./study_run.ts");
  const { concurrency = CONCURRENCY } = typeof given === "string"
    ? await studyIn(context, given)
    : given;
  // A value that is no number is left to the check of the study's run.
  const bounded = concurrency > pool.maxRunning ? pool.maxRunning : concurrency;
  await pool.studies.start(id, async (options) => {
    const run = runStudy(given, {
      out,
      ...more,
      concurrency: bounded,
      // The addresses are those of the server: see `studyOf` and `studyIn`.
      untrusted: [],
      ...defined({ catalogue, env: models.env }),
      ...options,
    });
    // Clients see the codes of failures alone, and no request gets the error of a run that has begun.
    const { failures } = await run.catch((error) => {
      shownError(error, context);
      throw error;
    });
    for (const { code, message } of failures) {
      if (code === "unexpected") shownError(new Error(message), context);
    }
  });
  return await studyJson(context, id);
}

export const START_STUDY: Operation = operation({
  name: "start_study",
  summary:
    "Plans a study from the keys of a study.yaml, except keys that name paths or addresses of the " +
    "server, and runs it.",
  tags: ["studies"],
  method: "post",
  path: "/api/studies",
  writes: true,
  errors: ["busy", "locked"],
  body: "study",
  input: z.strictObject({
    study: z.looseObject({}).describe(
      "Keys of a study.yaml: study (the id), base, topics, contestants, seeds, judges, extend …",
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
    const { study: given, extend } = studyOf(context, study);
    return await startRun(context, given.study, { given, extend });
  },
});

export const LIST_STUDIES: Operation = operation({
  ...LISTING,
  name: "list_studies",
  summary: "Lists the studies of the archive by id.",
  tags: ["studies"],
  path: "/api/studies",
  input: z.strictObject({
    offset: OFFSET,
    limit: whole(1, 200, "The most studies of a page.").default(50),
  }),
  output: named(
    "StudyPage",
    z.object({ studies: z.array(studyOutput), ...OFFSET_PAGE }),
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
    title: "Read the state of a study",
    about:
      "How many convenings of a study are done, failed (by code) and running, its cost, rate and time left. With `within`, waits up to this many seconds for the end of the run.",
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
    z.object({ debates: z.array(debateOutput), ...OFFSET_PAGE }),
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
      const { question, ...read } = await readStudyDebate(files, cellDir({ dir }, each), each);
      return jsonOf(debateOutput, {
        ...cell,
        ...read,
        id: `${id}.${key}`,
        topic: question ?? topics.get(topic) ?? topic,
        links: linksOf(`${id}.${key}`),
      });
    });
    return { debates, ...rest };
  },
});

/** Common keys of operations that run a study of the archive. */
const OF_RUN = {
  ...OF_STUDY,
  method: "post",
  writes: true,
  errors: [...OF_STUDY.errors, "busy", "locked"],
  input: z.strictObject({ id: STUDY_ID }),
  output: studyOutput,
  answers: { 202: "The study runs." },
} as const;

export const RUN_STUDY: Operation = operation({
  ...OF_RUN,
  name: "resume_study",
  summary: "Runs the remaining convenings of a study, in the background.",
  path: "/api/studies/{id}/run",
  tool: {
    title: "Resume a study",
    about:
      "Runs the remaining convenings of a study; interrupted ones continue where they were. Failed ones are not run again: use retry_study.",
  },
  async run(context: OperationContext, { id }) {
    return await startRun(context, id, { given: await studyDir(context, id) });
  },
});

export const STOP_STUDY: Operation = operation({
  ...OF_STUDY,
  name: "stop_study",
  summary: "Stops a study's run at the next message, whichever process runs it; run continues it.",
  method: "post",
  path: "/api/studies/{id}/stop",
  writes: true,
  input: z.strictObject({ id: STUDY_ID }),
  output: studyOutput,
  answers: { 202: "The run ends at the next message." },
  tool: {
    title: "Stop a study",
    about: "Stops a study's run at the next message, whichever process runs it; nothing is lost, " +
      "and resume_study continues it.",
  },
  async run(context, { id }) {
    const dir = await studyDir(context, id);
    const { stopStudy } = await import("./study_run.ts");
    await stopStudy(dir);
    await context.pool?.studies.run(id)?.ended;
    return await studyJson(context, id);
  },
});

export const RETRY_STUDY: Operation = operation({
  ...OF_RUN,
  name: "retry_study",
  summary: "Runs the remaining convenings of a study, and failed ones again.",
  path: "/api/studies/{id}/retry",
  tool: {
    title: "Retry a study",
    about:
      "Runs the failed convenings of a study again, and the remaining ones, in the background.",
  },
  async run(context: OperationContext, { id }) {
    return await startRun(context, id, { given: await studyDir(context, id), retry: true });
  },
});

const REPORT = [
  "leaderboard.md",
  "leaderboard.csv",
  "leaderboard.html",
  "diagnostics.md",
  "ratings.json",
] as const;

const filesOutput = z.array(text).describe(
  "Paths in the study's folder; over HTTP, study_file reads them.",
);

export const REPORT_STUDY: Operation = operation({
  ...OF_STUDY,
  name: "study_report",
  summary: "Writes the report of a study, finished or not: leaderboard, diagnostics, ratings.",
  method: "post",
  path: "/api/studies/{id}/report",
  writes: true,
  input: z.strictObject({
    id: STUDY_ID,
    bootstrap: whole(0, 10_000, "Bootstrap samples for the intervals (default: the study's).")
      .optional(),
  }),
  output: named(
    "StudyReport",
    z.object({
      id: text,
      planned: count,
      completed: count.describe("Completed convenings, on which the report rests."),
      finding: text.nullable().describe("Which contestant is better, and how sure; null if open."),
      files: filesOutput,
      page: text.describe("The text of leaderboard.md."),
      notes: text.describe("The text of diagnostics.md."),
      links,
    }),
  ),
  tool: {
    title: "Report on a study",
    about:
      "Ranks a study's contestants with intervals, and measures the effects of seat, length, judges and topics, each with n and interval. Works on an unfinished study and says so. The texts are in the untrusted part; read_page reads report/leaderboard.md of a large study in parts.",
  },
  async run(context, { id, bootstrap }) {
    const dir = await studyDir(context, id);
    const { studyReport } = await import("./study_results.ts");
    const report = await studyReport(dir, { bootstrap });
    const files = filesBelow(dir);
    const [page, notes] = await Promise.all(
      ["leaderboard.md", "diagnostics.md"].map((name) => files.read(join(report.dir, name))),
    );
    const { planned, completed, finding } = report;
    return {
      id,
      planned,
      completed,
      finding,
      files: REPORT.map((name) => `report/${name}`),
      // Words at the end may be cut, and the end of the page is a list of debates.
      notes: notes!,
      page: page!,
      links: studyLinks(id),
    };
  },
});

export const EXPORT_STUDY: Operation = operation({
  ...OF_STUDY,
  name: "export_study",
  summary: "Writes the data of a study's finished convenings, with a card and a manifest.",
  method: "post",
  path: "/api/studies/{id}/export",
  writes: true,
  input: z.strictObject({
    id: STUDY_ID,
    formats: z.array(z.enum(["jsonl", "parquet", "judgements", "preferences", "sft"])).min(1)
      .default(["jsonl", "judgements"]).describe("The tables to write."),
    license: z.string().max(100).optional().describe(
      "SPDX name of the licence (default: the study's).",
    ),
    forRelease: z.boolean().default(false).describe(
      "Whether an export without a licence is refused.",
    ),
    winnersOnly: z.boolean().default(false).describe("Whether sft has only chats of winners."),
    allow: z.array(z.enum(["sources", "papers", "people"])).default([]).describe(
      "Contents to include that are otherwise left out.",
    ),
  }),
  output: named(
    "StudyExport",
    z.object({
      id: text,
      files: filesOutput,
      leftOut: z.array(z.object({ file: text, why: text, count })),
      links,
    }),
  ),
  tool: {
    title: "Export a study",
    about:
      "Writes the finished convenings of a study as tables for analysis or training into a folder of its own, with a data card, Croissant metadata and a manifest of hashes; gives the files' paths.",
  },
  async run({ catalogue, ...context }, { id, ...options }) {
    const dir = await studyDir(context, id);
    const { exportStudy } = await import("./study_results.ts");
    const made = await exportStudy(dir, { ...options, ...defined({ catalogue }) });
    const folder = made.dir.slice(dir.length + 1);
    return {
      id,
      files: [...made.files.map(({ path }) => path), "manifest.json"].map((name) =>
        `${folder}/${name}`
      ),
      leftOut: made.leftOut.map(({ file, why, count }) => ({ file, why, count })),
      links: studyLinks(id),
    };
  },
});

export const PLAN_STUDY: Operation = operation({
  name: "plan_study",
  summary: "Counts the convenings, calls and tokens of a study, and the most it can cost.",
  tags: ["studies"],
  method: "post",
  path: "/api/study-plans",
  writes: false,
  errors: [],
  body: "study",
  input: START_STUDY.input,
  output: forecastOutput,
  tool: {
    title: "Plan a study",
    about:
      "What a study would take: its convenings, the calls and tokens of models, the most it can cost, and how wide the intervals of its ratings would be. Takes what run_study takes, and runs nothing.",
  },
  async run(context, { study }) {
    const { catalogue, models: { env }, out } = context;
    const { forecastStudy } = await import("./study_plan.ts");
    const options = { out, ...defined({ catalogue, env }) };
    return forecastJson(await forecastStudy(studyOf(context, study).study, options));
  },
});
