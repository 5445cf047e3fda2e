/**
 * Studies: many convenings by a plan, with common limits, ratings and a report.
 *
 * @module
 */

// Studies
export { forecastStudy, planStudy } from "./src/operations/study_plan.ts";
export type { StudyPlanOptions } from "./src/operations/study_plan.ts";
export { retryStudy, runStudy, stopStudy } from "./src/operations/study_run.ts";
export { studyStatus } from "./src/studies/status.ts";
export type { CellFailure } from "./src/operations/study_cell.ts";
export type { StudyResult, StudyRunOptions } from "./src/operations/study_run.ts";
export { exportStudy, studyReport } from "./src/operations/study_results.ts";
export type { StudyReportOptions } from "./src/operations/study_results.ts";
export type { StudyExportOptions } from "./src/studies/export/export.ts";
export type { ExportedFile, Filled, StudyExport } from "./src/studies/export/tables.ts";
export type { StudyReport, StudyStanding } from "./src/studies/report.ts";
export type { Interval, Rating } from "./src/studies/ratings.ts";
export type { Diagnostic, DiagnosticTable } from "./src/studies/debate_diagnostics.ts";
export type { StudyFolder, StudyOnDisk } from "./src/studies/folder.ts";
export type { CheckedStudy } from "./src/studies/read_study.ts";

// Configuration
export type {
  AllowedContent,
  Cell,
  Contestant,
  ExportFormat,
  LeftOut,
  ProviderRate,
  RatingSettings,
  StudyConfig,
  StudyForecast,
  StudyLimitSettings,
  StudyStatus,
  StudyTopic,
} from "./src/studies/study.ts";

// Workers that share a queue
export { runWorker, type WorkerNote, type WorkerOptions } from "./src/operations/study_worker.ts";
export type { CellEnd } from "./src/studies/queue.ts";
export type { RedisQueueTimes } from "./src/studies/redis.ts";

// Limits on a workflow's calls
export type { CallGate, Estimate, GatedCall } from "./src/engine/budget.ts";
export { LimitStop } from "./src/core/limit.ts";
