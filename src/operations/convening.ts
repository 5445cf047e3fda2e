// Works on convenings on disk: opens, resumes, forks, exports and verifies them, and writes their derived files again.
import { resolve } from "@std/path";
import { z } from "zod";
import {
  assemble,
  BUILT_IN,
  type Catalogue,
  type ComposeOptions,
  composeOptions,
} from "../compose.ts";
import { assess, summaryOf } from "../judging/assessment.ts";
import { TRANSCRIPT_FORMATS } from "../config/setting_shapes.ts";
import {
  callable,
  checkArguments,
  checkFields,
  refuseUnknownOptions,
  valueText,
} from "../core/check_fields.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import type {
  ConveningConfig,
  DialogueConfig,
  PaperDebateConfig,
  TranscriptFormat,
} from "../config/convening_config.ts";
import type { ConveningResult, ConveningStart } from "../core/event.ts";
import type { Fact } from "../core/fact.ts";
import { defined, memo, objectIn } from "../core/values.ts";
import { ConfigurationError, ConveningError } from "../core/error.ts";
import { ADDRESS_SETTINGS } from "../core/key_rules.ts";
import { type Message, totalUsage } from "../core/message.ts";
import { INTERJECTION, type RecordStore } from "../core/record.ts";
import { filesBelow, recordFiles } from "../record/disk_files.ts";
import { folderRecord } from "../record/directory_record.ts";
import type { Finding } from "../record/read.ts";
import type { FileCache } from "../record/fact_cache.ts";
import { isNewFork } from "../record/metadata_file.ts";
import { RESTORE } from "../record/problems.ts";
import type { RecordContents } from "../record/record_model.ts";
import type { Verification } from "../record/verify.ts";
import type { DialogueWorkflow } from "../engine/dialogue_workflow.ts";
import type { RecordedPrompt } from "../engine/plan.ts";
import { followModel, withEarlierDefaults } from "../config/config.ts";
import type { Settings } from "../config/setting.ts";
import { SETTINGS } from "../config/settings.ts";
import type { DebateReport } from "../papers/text/debate_report.ts";
import type { Resumed } from "./active_run.ts";
import { idOf } from "./client_view.ts";
import { choiceOver } from "./picking.ts";
import { counted } from "../core/text.ts";

/** A convening, read from its directory. */
export interface Convening {
  /** Absolute path of the directory. */
  readonly dir: string;
  /** Topic, participants, judges and configuration at the start. */
  readonly start: ConveningStart;
  /** Messages in the order of their numbers. */
  readonly messages: readonly Message[];
  /** All facts, messages included. */
  readonly facts: readonly Fact[];
  /** The state, and the result so far; has a `value` if the design of the workflow sets `keepsValue`, as `defineKind` does. */
  readonly result: ConveningResult;
  /** The report of a paper debate, as recorded if the debate is finished. Absent while there is no report. */
  readonly report?: DebateReport;
  /** True for a fork that was never resumed. @default false */
  readonly isNewFork?: boolean;
}

/** Reads a convening without a lock. Throws `not_found` or `record_corrupt`. */
export async function openConvening(dir: string): Promise<Convening> {
  checkArguments("openConvening", { dir });
  return await conveningOf(await readContents(resolve(dir)));
}

export async function conveningOf(contents: RecordContents): Promise<Convening> {
  const report = contents.start.kind === "paper-debate"
    ? await (await import("../record/paper_pages.ts"))
      .recordedReport(recordFiles(contents.dir), contents)
    : undefined;
  const messages = contents.facts.filter((fact) => fact.type === "message");
  return {
    dir: contents.dir,
    start: contents.start,
    messages,
    facts: contents.facts,
    result: resultOf(contents),
    ...report === undefined ? {} : { report },
    ...isNewFork(contents.start, contents) ? { isNewFork: true } : {},
  };
}

// The reader loads YAML and schemas; the lazy import keeps them out of the start of a convening.
export async function readContents(
  dir: string,
  known?: FileCache<Fact>,
): Promise<RecordContents> {
  const { readRecord } = await import("../record/read.ts");
  return await readRecord(recordFiles(dir), dir, { known });
}

/** Options of {@linkcode resume}; they override the recorded settings. */
export type ResumeOptions = ComposeOptions & {
  /**
   * Configuration keys that override the recorded ones: models, limits, retries, timeouts. `model` also replaces the model
   * of each role whose recorded model was the default. A `question` or `pick` of a paper debate replaces both recorded keys.
   */
  readonly config?: Partial<ConveningConfig> | undefined;
  /** A person's words for the turn that waits for that person. */
  readonly say?: {
    readonly participant: string;
    /** Key of the turn. @default the participant's next turn */
    readonly turn?: string | undefined;
    readonly text: string;
  } | undefined;
  /** Wraps the record of the directory before the run opens it. @default the record itself */
  readonly through?: ((record: RecordStore) => RecordStore) | undefined;
  /** True if other machines may write to the archive: no file of the record is ever replaced. @default false */
  readonly exclusive?: boolean | undefined;
};

/** Schema of {@linkcode ResumeOptions}. */
export const resumeOptions: () => z.ZodObject = memo(() => {
  const say = z.looseObject({ participant: z.string(), text: z.string() });
  const own = { config: z.looseObject({}), say, through: callable, exclusive: z.boolean() };
  return composeOptions().extend(own).partial();
});

/**
 * Resumes the convening in `dir`. The protocol is replayed from its first turn: recorded turns are answered from disk, the
 * others by the models. A completed convening returns its result; its missing or outdated derived files and transcripts are
 * written again. No API key of the environment is sent to a recorded address, unless `config` repeats the address or
 * `allowBaseUrls` names its host. Throws `not_found`, `locked`, `record_corrupt`, or `config_invalid` for an unknown kind.
 */
export async function resume(dir: string, options: ResumeOptions = {}): Promise<Resumed> {
  checkArguments("resume", { dir, options });
  checkFields(options, resumeOptions(), "options of resume");
  const path = resolve(dir);
  const contents = await readContents(path);
  if (contents.status === "completed") {
    const { mendRecord } = await import("../record/verify.ts");
    const mended = await mendRecord(recordFiles(path), path);
    const result = resultOf(contents);
    return {
      // deno-lint-ignore require-yield -- a completed convening has no more events
      async *stream() {
        return await Promise.resolve(result);
      },
      run: () => Promise.resolve(result),
      mended,
    };
  }
  const { recallLessons } = await import("../inputs/lessons.ts");
  const { archiveAround } = await import("../record/archive_place.ts");
  await recallLessons(archiveAround(path));
  const { say, config: given = {}, ...rest } = options;
  const messages = contents.facts.filter((fact) => fact.type === "message");
  const { config, say: picked } = choiceOver(given, { ...contents, messages });
  const { maxTurns = Infinity } = config as Partial<DialogueConfig>;
  const spoken = messages.filter(({ kind }) => kind !== INTERJECTION).length;
  if (contents.start.kind === "dialogue" && maxTurns < spoken) {
    const hint = `Give more than ${spoken} to continue, or ${spoken} to end the dialogue.`;
    const message = `Cannot resume with ${counted(maxTurns, "turn")}: ${spoken} are spoken already`;
    throw new ConfigurationError(message, { field: "maxTurns", hint });
  }
  const words: ResumeOptions["say"] = picked ?? say;
  const workflow = await workflowOf(contents, { ...rest, config }, path);
  workflow.checkJudges(contents.start.judges);
  if (words !== undefined) workflow.prepare(words.participant, words.text, words.turn);
  return workflow;
}

function workflowOf(
  { start }: RecordContents,
  { config = {}, through = (record) => record, exclusive, ...options }: Omit<ResumeOptions, "say">,
  dir: string,
): Promise<DialogueWorkflow<unknown>> {
  const { catalogue = BUILT_IN } = options;
  const { settings = { judges: true } } = catalogue.kindOf(start, "resume");
  const { model, factCheck } = config;
  const changes = { ...config, ...factCheck };
  const { sources: _files, ...kept } = followModel(start.configuration, {
    isNew: model !== undefined,
  });
  // The design of a program's own kind makes the judges, unless they are a setting of the kind.
  const { judges: _made, ...rest } = kept;
  const recorded = "judges" in settings ? kept : rest;
  // The topic of a record was checked when the convening started.
  const before = { ...withEarlierDefaults(start.kind, recorded), topicCheck: "off" };
  const merged: Record<string, unknown> = { ...before, ...config, topicCheck: "off" };
  for (const key of ["limits", "retry"]) {
    merged[key] = { ...recorded[key] as object, ...(config as Record<string, object>)[key] };
  }
  // A length and a choice of the question made at a resume replace the recorded ones: the protocol follows them. Limits do
  // too, so that the record says why it went on past an earlier limit.
  const { pick, question } = config as Partial<PaperDebateConfig>;
  const { maxTurns } = config as Partial<DialogueConfig>;
  const limits = JSON.stringify(merged["limits"]) === JSON.stringify(recorded["limits"] ?? {})
    ? undefined
    : merged["limits"];
  const changed = {
    ...defined({ maxTurns, limits }),
    ...pick === undefined && question === undefined ? {} : { pick, question },
  };
  const parsed = catalogue.parse(merged);
  refuseChanges(Object.keys(config).filter(decidesTurns), () => catalogue.parse(before), parsed);
  return assemble(parsed, {
    record: through(folderRecord({ dir, changed }, defined({ exclusive }))),
    ...options,
    untrusted: options.untrusted ?? ADDRESS_SETTINGS.filter((key) => !(key in changes)),
    sources: start.sources,
    papers: start.papers,
  });
}

/** Returns true if the turns of a convening follow from a setting; judges, rubrics and the length of a dialogue have checks of their own. */
function decidesTurns(key: string): boolean {
  const row = (SETTINGS as Settings)[key];
  if (["judges", "rubric", "maxTurns"].includes(key)) return false;
  return key === "topic" ||
    row?.kinds !== undefined && row.resume !== true && row.local === undefined;
}

/** Throws for a setting with another value than the recorded one: the recorded turns were taken by the recorded value. */
function refuseChanges(keys: readonly string[], recorded: () => object, changed: object): void {
  if (keys.length === 0) return;
  const [before, after] = [objectIn(recorded()), objectIn(changed)];
  // Models may change at a resume.
  const text = (all: typeof before, key: string) => withModels({ [key]: all[key] }, undefined);
  const field = keys.find((key) => text(before, key) !== text(after, key));
  if (field === undefined) return;
  const hint = "Models, limits, retries and timeouts may change; start another convening.";
  const recordHas = `the record has ${valueText(before[field])}`;
  const message = `Cannot resume with ${field} ${valueText(after[field])}: ${recordHas}`;
  throw new ConfigurationError(message, { field, hint });
}

/** Returns the result of a record, computed from its facts; a panel that judges again later does not change the result. */
function resultOf(contents: RecordContents): ConveningResult {
  const { start, facts, dir, status, endReason, waitingFor, startedAt, endedAt = "" } = contents;
  const { value } = contents;
  return {
    kind: start.kind,
    topic: start.topic,
    dir,
    startedAt,
    endedAt,
    duration: endedAt === "" ? 0 : Date.parse(endedAt) - Date.parse(startedAt),
    status,
    ...defined({ endReason, waitingFor, value }),
    ...assess(start, facts, { recorded: contents.contradictions }),
    summary: summaryOf(facts, status),
    usage: totalUsage(facts),
    messages: facts.filter((fact) => fact.type === "message"),
  };
}

/** Options of {@linkcode verify}. */
export interface VerifyOptions {
  /** Known kinds and agents. @default the built-in kinds and agents */
  readonly catalogue?: Catalogue | undefined;
}

/**
 * Checks a directory against the record format, including the order of the protocol if the kind is known; writes nothing.
 * Throws `not_found`.
 */
export async function verify(dir: string, options: VerifyOptions = {}): Promise<Verification> {
  checkArguments("verify", { dir, options });
  refuseUnknownOptions<VerifyOptions>("verify", options, { catalogue: true });
  const { catalogue = BUILT_IN } = options;
  const { verifyRecord } = await import("../record/verify.ts");
  const unchecked: string[] = [];
  const verification = await verifyRecord(recordFiles(dir), resolve(dir), {
    check: async (contents) => {
      const { kind } = contents.start;
      const own = contents.facts.flatMap((fact) => fact.type === "own" ? [fact.kind] : []);
      const unknown = new Set(own.filter((each) => !catalogue.facts.has(each)));
      if (unknown.size > 0) {
        const names = [...unknown].map((each) => JSON.stringify(each)).join(", ");
        unchecked.push(`Values of facts were not checked: the kinds ${names} are not known here.`);
      }
      const findings = [...checkOwn(contents, catalogue)];
      if (catalogue.kinds.has(kind)) return [...findings, ...await checkOrder(contents, catalogue)];
      unchecked.push(
        `The order of messages was not checked: the kind "${kind}" is not known here.`,
      );
      return findings;
    },
  });
  if (verification.unchecked !== undefined) unchecked.push(verification.unchecked);
  return unchecked.length === 0
    ? verification
    : { ...verification, unchecked: unchecked.join(" ") };
}

/** Facts of a program whose values do not fit their definitions. */
function* checkOwn({ files }: RecordContents, { facts: kinds }: Catalogue): Generator<Finding> {
  for (const [path, fact] of files) {
    const problem = fact.type === "own" ? kinds.get(fact.kind)?.problem(fact.value) : undefined;
    if (problem === undefined) continue;
    yield { path, problem: `its value does not fit its kind: ${problem}`, fix: RESTORE };
  }
}

/**
 * Rebuilds the first prompt of each turn from the record; asks no model. Empty for a paper debate, whose prompts show as
 * much of the papers as the context window of the model allows. Throws if the workflow cannot be composed.
 */
export async function recordedPrompts(
  contents: RecordContents,
  catalogue: Catalogue = BUILT_IN,
): Promise<readonly RecordedPrompt[]> {
  if (contents.start.papers !== undefined) return [];
  return await (await offlineWorkflow(contents, catalogue)).recordedPrompts(contents.facts);
}

/** Composes the workflow of a record with models that are never asked, so that a record can be checked without API keys. */
function offlineWorkflow(
  contents: RecordContents,
  catalogue: Catalogue,
): Promise<DialogueWorkflow<unknown>> {
  const start = {
    ...contents.start,
    configuration: JSON.parse(withModels(contents.start.configuration, "offline")),
  };
  return workflowOf({ ...contents, start }, { catalogue, env: () => undefined }, contents.dir);
}

/** Replays the protocol against the record; returns a finding for the first message that is out of order. */
async function checkOrder(contents: RecordContents, catalogue: Catalogue): Promise<Finding[]> {
  let workflow: DialogueWorkflow<unknown>;
  try {
    workflow = await offlineWorkflow(contents, catalogue);
  } catch (error) {
    if (!(error instanceof ConveningError)) throw error;
    return [{ path: "metadata.md", problem: `its configuration cannot be used: ${error.message}` }];
  }
  const found = workflow.checkRecord(contents.facts);
  if (found === undefined) return [];
  const [path = "messages"] = [...contents.files]
    .find(([, fact]) => fact.type === "message" && fact.seq === found.seq) ?? [];
  return [{ path, problem: `${found.subject} ${found.problem}` }];
}

const MODEL_KEY = /^(model|[a-z]+Model)$/;

/** Returns settings as JSON with `model` in place of the names of models, such as those of an audience; undefined leaves them out. */
function withModels(settings: object, model: string | undefined): string {
  return JSON.stringify(
    settings,
    (key, each) => MODEL_KEY.test(key) && typeof each === "string" ? model : each,
  );
}

/** Options of {@linkcode fork}. */
export interface ForkOptions {
  /** Number of the last message to copy, from 1. */
  readonly at: number;
  /** New text of that message. @default its recorded text */
  readonly edit?: string | undefined;
  /** Archive folder of the fork. @default the parent's archive, else the folder that contains the parent */
  readonly out?: string | undefined;
  /** Clock for the start time of the fork. @default the system clock */
  readonly clock?: Clock | undefined;
}

/**
 * Creates a convening from the first messages of another and returns its directory; asks no model. `resume` continues it.
 * Throws `not_found`, `record_corrupt`, and `config_invalid` for a number without a message.
 */
export async function fork(dir: string, options: ForkOptions): Promise<string> {
  // An untyped call may leave the options out.
  checkArguments("fork", { dir, at: (options as ForkOptions | undefined)?.at });
  const known = { at: true, clock: true, edit: true, out: true };
  refuseUnknownOptions<ForkOptions>("fork", options, known);
  const { at, edit, out, clock = systemClock } = options;
  const { forkRecord } = await import("../record/fork.ts");
  const { archiveAround } = await import("../record/archive_place.ts");
  const archive = out === undefined ? archiveAround(resolve(dir)) : resolve(out);
  return await forkRecord(recordFiles(dir), resolve(dir), {
    at,
    edit,
    parent: idOf(resolve(dir)),
    out: archive,
    files: filesBelow(archive),
    clock,
  });
}

/**
 * Writes the transcript of a convening, ended or running, into its directory and returns the path of the file. Throws
 * `not_found`, `record_corrupt`, and `config_invalid` for an unknown format.
 */
export async function exportConvening(dir: string, format: TranscriptFormat): Promise<string> {
  const shape = z.object({ dir: z.string(), format: z.enum(TRANSCRIPT_FORMATS) });
  checkFields({ dir, format }, shape, "arguments of exportConvening");
  const { exportTranscript } = await import("../record/verify.ts");
  return await exportTranscript(recordFiles(dir), resolve(dir), format);
}

/** Writes all derived files again, and `log.jsonl` if it is missing. Throws `not_found`, `locked` and `record_corrupt`. */
export async function rebuildIndex(dir: string): Promise<void> {
  checkArguments("rebuildIndex", { dir });
  const rebuild = await import("../record/verify.ts");
  await rebuild.rebuildIndex(recordFiles(dir), resolve(dir));
}
