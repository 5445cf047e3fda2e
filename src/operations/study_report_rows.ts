// Studies for clients of a server: the forecast of a plan, the report and the export.
import { join } from "@std/path";
import { z } from "zod";
import { defined } from "../core/defined.ts";
import { filesBelow } from "../record/disk_files.ts";
import { named, type Operation, operation, whole } from "./operation.ts";
import { links } from "./outputs.ts";
import { START_STUDY, studyOf } from "./study_rows.ts";
import { forecastJson, OF_STUDY, STUDY_ID, studyDir, studyLinks } from "./study_shown.ts";

const count = z.int().min(0);
const text = z.string();

/** The files of a report. */
const REPORT = [
  "leaderboard.md",
  "leaderboard.csv",
  "leaderboard.html",
  "diagnostics.md",
  "ratings.json",
] as const;

const filesOutput = z.array(text).describe("Paths in the study's folder; study_file reads them.");

/** `POST /api/studies/{id}/report`. */
export const REPORT_STUDY: Operation = operation({
  ...OF_STUDY,
  name: "study_report",
  summary: "Writes the report of a study, finished or not: leaderboard, diagnostics, ratings.",
  method: "post",
  path: "/api/studies/{id}/report",
  writes: true,
  errors: OF_STUDY.errors,
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
      files: filesOutput,
      page: text.describe("The text of leaderboard.md."),
      notes: text.describe("The text of diagnostics.md."),
      links,
    }),
  ),
  tool: {
    title: "Report on a study",
    about:
      "Ranks a study's contestants with intervals, and measures the effects of seat, length, judges and topics, each with n and interval. Works on an unfinished study and says so. The texts are in the untrusted part.",
  },
  async run(context, { id, bootstrap }) {
    const dir = await studyDir(context, id);
    const { studyReport } = await import("./study_report.ts");
    const report = await studyReport(dir, { bootstrap });
    const files = filesBelow(dir);
    const [page, notes] = await Promise.all(
      ["leaderboard.md", "diagnostics.md"].map((name) => files.read(join(report.dir, name))),
    );
    const { planned, completed } = report;
    return {
      id,
      planned,
      completed,
      files: REPORT.map((name) => `report/${name}`),
      page: page!,
      notes: notes!,
      links: studyLinks(id),
    };
  },
});

/** `POST /api/studies/{id}/export`. */
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
      .default(["jsonl", "judgements"]).describe("Tables that are written."),
    license: z.string().max(100).optional().describe(
      "SPDX name of the licence (default: the study's).",
    ),
    forRelease: z.boolean().default(false).describe("Refuses an export without a licence."),
    winnersOnly: z.boolean().default(false).describe("Of sft, chats of winners alone."),
    allow: z.array(z.enum(["sources", "papers", "people"])).default([]).describe(
      "Contents that are left out otherwise.",
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
    const { exportStudy } = await import("./study_export.ts");
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

/** `POST /api/study-plans`. */
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
  output: named(
    "StudyForecast",
    z.object({
      id: text,
      planned: count.describe("Convenings."),
      calls: count.describe("Requests to models, without retries and repairs."),
      maxTokens: count.describe("Tokens of prompts and replies, at most."),
      costUsd: z.union([z.number(), z.literal("unknown")]).describe("US dollars, at most."),
      models: z.record(text, count).describe("Calls by model."),
      interval: z.number().nullable().describe(
        "Half the width of a rating's 95 % interval, in points; null without contestants.",
      ),
    }),
  ),
  tool: {
    title: "Plan a study",
    about:
      "What a study would take: its convenings, the calls and tokens of models, the most it can cost, and how wide the intervals of its ratings would be. Takes what run_study takes, and runs nothing.",
  },
  async run(context, { study }) {
    const { catalogue, models, out } = context;
    const { forecastStudy } = await import("./study_forecast.ts");
    const given = studyOf(context, study);
    return forecastJson(
      await forecastStudy(given, { out, ...defined({ catalogue, env: models.env }) }),
    );
  },
});
