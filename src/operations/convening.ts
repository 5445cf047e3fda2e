// Convenings on disk: open, resume, fork, export, verify, and their index written again.
import { resolve } from "@std/path";
import { assemble, BUILT_IN, type Catalogue, type ComposeOptions } from "../compose.ts";
import { assess, summaryOf } from "../judging/assessment.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import type {
  ConveningConfig,
  PaperDebateConfig,
  TranscriptFormat,
} from "../config/convening_config.ts";
import type { ConveningEvent, ConveningResult, ConveningStart, WaitedFor } from "../core/event.ts";
import type { Fact } from "../core/fact.ts";
import { defined } from "../core/values.ts";
import { ConfigurationError } from "../core/error.ts";
import { ADDRESS_SETTINGS } from "../core/key_rules.ts";
import { type Message, totalUsage } from "../core/message.ts";
import type { RecordStore } from "../core/record.ts";
import { filesBelow, recordFiles } from "../record/disk_files.ts";
import { folderRecord } from "../record/stores.ts";
import { RESTORE } from "../record/problems.ts";
import type { Finding, RecordContents } from "../record/read.ts";
import type { Verification } from "../record/verify.ts";
import type { DialogueWorkflow } from "../engine/dialogue_workflow.ts";
import type { ClientRequest } from "../engine/people.ts";
import type { RecordedPrompt } from "../engine/plan.ts";
import { asRecorded, followModel } from "../config/config.ts";
import type { DebateReport } from "../papers/text/debate_report.ts";
import { choiceOver } from "./picking.ts";

/** A convening as its directory has it. */
export interface Convening {
  /** The absolute path of its directory. */
  readonly dir: string;
  /** The start. */
  readonly start: ConveningStart;
  /** By number. */
  readonly messages: readonly Message[];
  /** Every truth file, messages included. */
  readonly facts: readonly Fact[];
  /** The state, and the result so far. */
  readonly result: ConveningResult;
  /** The report of a paper debate; of a finished one as it is recorded. Absent while there is none. */
  readonly report?: DebateReport;
}

/** Reads a convening; takes no lock. Fails with `not_found` or `record_corrupt`. */
export async function openConvening(dir: string): Promise<Convening> {
  return await conveningOf(await read(resolve(dir)));
}

/** Fails with `config_invalid` where a convening has not ended or has no message; `act` is such as "judge". */
export async function requireEnded(
  { dir, messages, result: { status } }: Pick<Convening, "dir" | "messages" | "result">,
  act: string,
): Promise<void> {
  const hasEnded = status === "completed" || status === "stopped";
  if (hasEnded && messages.length > 0) return;
  const { heldStatus } = await import("../record/list.ts");
  const why = hasEnded
    ? "nothing was said"
    : `it has not ended (${await heldStatus(recordFiles(dir), dir, status)})`;
  throw new ConfigurationError(`Cannot ${act} ${dir}: ${why}`, {
    field: "dir",
    hint: "Resume the convening first: convenings resume DIR.",
  });
}

/** A record that was read, as a convening. */
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
  };
}

// Reading records loads YAML and schemas: a convening starts without them.
async function read(dir: string): Promise<RecordContents> {
  const { readRecord } = await import("../record/read.ts");
  return await readRecord(recordFiles(dir), dir);
}

/** A workflow that can be run, or already ran. */
export interface Resumed {
  /** The events from here on; the result last. */
  stream(): AsyncGenerator<ConveningEvent, ConveningResult>;
  /** The result. */
  run(): Promise<ConveningResult>;
  /** The turns of people that are waited for now. */
  readonly waitingFor?: readonly WaitedFor[];
  /** Says a person's turn that is waited for; see `DialogueWorkflow`. Absent where nothing runs any more. */
  say?(participant: string, text: string, request?: string): void;
  /** The prompts that a client is to answer now. Absent where nothing runs any more. */
  readonly requests?: readonly ClientRequest[];
  /** Interjects before the next turn. */
  interject?(text: string): void;
  /** Pauses once the turns in flight are finished. */
  pause?(): void;
  /**
   * Of a completed convening: the paths of derived files and transcripts that were missing or outdated and are repaired;
   * none where the record was complete. Absent of a convening that runs.
   */
  readonly mended?: readonly string[];
}

/** Options of {@linkcode resume}: settings over the recorded ones. */
export type ResumeOptions = ComposeOptions & {
  /**
   * Configuration keys over the recorded ones: models, limits, retries, timeouts. A `model` is also that of every role
   * whose recorded one was the default; a paper debate's `question` or `pick` stands over both.
   */
  readonly config?: Partial<ConveningConfig> | undefined;
  /** Words of a person for the turn that waits for them. */
  readonly say?: { readonly participant: string; readonly text: string } | undefined;
  /** The record as the run opens it, made of the one in the directory. @default that */
  readonly through?: ((record: RecordStore) => RecordStore) | undefined;
  /** True if other machines may write to the archive: a file of the record is never replaced. @default false */
  readonly exclusive?: boolean | undefined;
};

/**
 * Goes on with the convening in `dir`: the protocol is played again from its first turn, what is on disk is answered from
 * there, the rest is made. A completed convening gives its result; derived files and transcripts that are missing or
 * outdated are written again. No key of the environment goes to an address of the record unless `config` gives it again, or
 * `allowBaseUrls` names its host. Fails with `not_found`, `locked`, `record_corrupt`, or `config_invalid` for a kind this
 * library does not know.
 */
export async function resume(dir: string, options: ResumeOptions = {}): Promise<Resumed> {
  const path = resolve(dir);
  const contents = await read(path);
  if (contents.status === "completed") {
    const { mendRecord } = await import("../record/verify.ts");
    const mended = await mendRecord(recordFiles(path), path);
    return { ...finished(resultOf(contents)), mended };
  }
  const { recallLessons } = await import("../inputs/lessons.ts");
  const { archiveAround } = await import("../record/archive.ts");
  await recallLessons(archiveAround(path));
  const { say, config: given = {}, ...rest } = options;
  const messages = contents.facts.filter((fact) => fact.type === "message");
  const { config, say: choice = say } = choiceOver(given, { ...contents, messages });
  const workflow = await workflowOf(contents, { ...rest, config }, path);
  if (choice !== undefined) workflow.prepare(choice.participant, choice.text);
  return workflow;
}

function workflowOf(
  { start }: RecordContents,
  { config = {}, through = (record) => record, exclusive, ...options }: Omit<ResumeOptions, "say">,
  dir: string,
): Promise<DialogueWorkflow<unknown>> {
  const { model, factCheck } = config;
  const given = { ...config, ...factCheck };
  const { sources: _files, ...recorded } = model === undefined
    ? start.configuration
    : followModel(start.configuration);
  // The topic of a record was checked when the convening started.
  const merged: Record<string, unknown> = {
    ...asRecorded(start.kind, recorded),
    ...config,
    topicCheck: "off",
  };
  for (const key of ["limits", "retry"]) {
    merged[key] = { ...recorded[key] as object, ...(config as Record<string, object>)[key] };
  }
  const { catalogue = BUILT_IN } = options;
  return assemble(catalogue.parse(merged), {
    record: through(folderRecord({ dir, changed: pickOf(config) }, defined({ exclusive }))),
    ...options,
    untrusted: options.untrusted ?? ADDRESS_SETTINGS.filter((key) => !(key in given)),
    sources: start.sources,
    papers: start.papers,
  });
}

/** Pick that decides what the record may hold: a pick made when resuming is the record's from then on. */
function pickOf(config: Partial<ConveningConfig>): Readonly<Record<string, unknown>> {
  const { pick, question } = config as Partial<PaperDebateConfig>;
  return pick === undefined && question === undefined ? {} : { pick, question };
}

function finished(result: ConveningResult): Resumed {
  return {
    // deno-lint-ignore require-yield -- nothing happens any more
    async *stream() {
      return await Promise.resolve(result);
    },
    run: () => Promise.resolve(result),
  };
}

/** The result of a record, by arithmetic over its files; a panel that judged later does not change it. */
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
    ...endReason === undefined ? {} : { endReason },
    ...waitingFor === undefined ? {} : { waitingFor },
    ...value === undefined ? {} : { value },
    ...assess(start, facts, { recorded: contents.contradictions }),
    summary: summaryOf(facts, status),
    usage: totalUsage(facts),
    messages: facts.filter((fact) => fact.type === "message"),
  };
}

/** Options of {@linkcode verify}. */
export interface VerifyOptions {
  /** The kinds there are. @default the built-in ones */
  readonly catalogue?: Catalogue | undefined;
}

/**
 * Proves a directory against the format, the protocol's order included where the kind is known; writes nothing. Fails with
 * `not_found`.
 */
export async function verify(
  dir: string,
  { catalogue = BUILT_IN }: VerifyOptions = {},
): Promise<Verification> {
  const { verifyRecord } = await import("../record/verify.ts");
  const unchecked: string[] = [];
  const verification = await verifyRecord(recordFiles(dir), resolve(dir), {
    check: async (contents) => {
      const { kind } = contents.start;
      const strange = ownKinds(contents.facts).filter((each) => !catalogue.facts.has(each));
      if (strange.length > 0) {
        const names = strange.map((each) => JSON.stringify(each)).join(", ");
        unchecked.push(`Values of facts were not checked: the kinds ${names} are not known here.`);
      }
      if (!catalogue.kinds.has(kind)) {
        unchecked.push(
          `The order of messages was not checked: the kind "${kind}" is not known here.`,
        );
      }
      return [
        ...checkOwn(contents, catalogue),
        ...catalogue.kinds.has(kind) ? await checkOrder(contents, catalogue) : [],
      ];
    },
  });
  if (verification.unchecked !== undefined) unchecked.push(verification.unchecked);
  return unchecked.length === 0
    ? verification
    : { ...verification, unchecked: unchecked.join(" ") };
}

function ownKinds(facts: readonly Fact[]): readonly string[] {
  return [...new Set(facts.flatMap((fact) => fact.type === "own" ? [fact.kind] : []))];
}

/** Facts of a program whose values do not fit their definitions. */
function* checkOwn({ files }: RecordContents, { facts: kinds }: Catalogue): Generator<Finding> {
  for (const [path, fact] of files) {
    const problem = fact.type === "own" ? kinds.get(fact.kind)?.problem(fact.value) : undefined;
    if (problem === undefined) continue;
    yield { path, problem: `its value does not fit its kind: value${problem}`, fix: RESTORE };
  }
}

/**
 * The first prompts of a record's turns, built again from the record; no model is asked. None of a debate over papers: how
 * much of a paper a prompt showed depended on the window of its model. Fails where the workflow cannot be composed.
 */
export async function recordedPrompts(
  contents: RecordContents,
  catalogue: Catalogue = BUILT_IN,
): Promise<readonly RecordedPrompt[]> {
  if (contents.start.papers !== undefined) return [];
  return await (await unaskedWorkflow(contents, catalogue)).recordedPrompts(contents.facts);
}

/** The workflow of a record, for what asks no model. */
function unaskedWorkflow(
  contents: RecordContents,
  catalogue: Catalogue,
): Promise<DialogueWorkflow<unknown>> {
  const start = { ...contents.start, configuration: unasked(contents.start.configuration) };
  return workflowOf({ ...contents, start }, { catalogue, env: () => undefined }, contents.dir);
}

/** A message that the protocol, played against the record, has no place for. */
async function checkOrder(contents: RecordContents, catalogue: Catalogue): Promise<Finding[]> {
  const workflow = await unaskedWorkflow(contents, catalogue);
  const found = workflow.checkRecord(contents.facts);
  return found === undefined ? [] : [{
    path: `messages/${String(found.seq).padStart(3, "0")}`,
    problem: `the message of turn "${found.key}" ${found.problem}`,
  }];
}

/** Models that are never asked, in the place of every one that is named: a record is checked without keys. */
function unasked<T>(value: T): T {
  const text = JSON.stringify(
    value,
    (key, each) => /^(model|[a-z]+Model)$/.test(key) && typeof each === "string" ? "offline" : each,
  );
  return JSON.parse(text) as T;
}

/** Options of {@linkcode fork}. */
export interface ForkOptions {
  /** The last message to take over, from 1. */
  readonly at: number;
  /** The new text of that message. @default its text */
  readonly edit?: string | undefined;
  /** The archive of the fork. @default the parent's, else the folder the parent is in */
  readonly out?: string | undefined;
  /** The fork's start is read from it. @default the machine's */
  readonly clock?: Clock | undefined;
}

/** Makes a new convening of the first messages of one; gives its directory and calls no model. `resume` continues there. */
export async function fork(dir: string, options: ForkOptions): Promise<string> {
  const { at, edit, out, clock = systemClock } = options;
  const { forkRecord } = await import("../record/fork.ts");
  const { archiveAround } = await import("../record/archive.ts");
  const archive = out === undefined ? archiveAround(resolve(dir)) : resolve(out);
  return await forkRecord(recordFiles(dir), resolve(dir), {
    at,
    edit,
    out: archive,
    files: filesBelow(archive),
    clock,
  });
}

/** Writes the whole transcript into the convening's directory; gives the file's path. */
export async function exportConvening(dir: string, format: TranscriptFormat): Promise<string> {
  const { exportTranscripts } = await import("../record/verify.ts");
  const [path] = await exportTranscripts(recordFiles(dir), resolve(dir), { formats: [format] });
  return path!;
}

/** Writes every derived file again, and a missing `log.jsonl`. */
export async function rebuildIndex(dir: string): Promise<void> {
  const rebuild = await import("../record/verify.ts");
  await rebuild.rebuildIndex(recordFiles(dir), resolve(dir));
}
