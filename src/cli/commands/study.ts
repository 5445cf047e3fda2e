// The command `study` with its acts `run`, `retry`, `status`, `stop`, `report` and `export`, and the command `worker`.
import { dirname, join } from "@std/path";
import type { ConveningConfig } from "../../config/convening_config.ts";
import { pause } from "../../core/clock.ts";
import { ConfigurationError } from "../../core/error.ts";
import { atMost } from "../../core/message.ts";
import { counted, didYouMean, plainLine, thousands } from "../../core/text.ts";
import { defined } from "../../core/values.ts";
import { isYaml } from "../../inputs/inputs.ts";
import { hostsOf } from "../../inputs/servers.ts";
import { modelRows } from "../../operations/plan.ts";
import { forecastJson, shownStudy, studyLine } from "../../operations/study_json.ts";
import { EXPORT_STUDY } from "../../operations/study_operations.ts";
import type { StudyResult } from "../../operations/study_run.ts";
import type { WorkerNote } from "../../operations/study_worker.ts";
import { recordFiles } from "../../record/disk_files.ts";
import { configurations } from "../../studies/plan.ts";
import type { StudyConfig, StudyForecast, StudyStatus } from "../../studies/study.ts";
import { outOf, userPath } from "../directory.ts";
import {
  type Flag,
  flag,
  type FlagValues,
  grouped,
  readCount,
  readList,
  readWhole,
  refuseGiven,
  reworded,
  toggle,
} from "../flag.ts";
import { ALLOW_BASE_URL, OUT } from "../flags.ts";
import type { Io } from "../io.ts";
import { late } from "../load_module.ts";
import { operationCommand, type Place } from "../operation_command.ts";
import { requirePermissions } from "../permissions.ts";
import { variablesOf } from "../run_convening.ts";
import { inOneRow, Screen } from "../screen.ts";
import { type Action, type Invocation, type Reply, replyOf, type Session } from "../session.ts";

/** Variable with the URL of the queue; safer than the flag, since all users of a machine can read command lines. */
const VARIABLE = "CONVENINGS_REDIS_URL";

const QUEUE = flag(
  "--queue <url>",
  `the Redis server whose workers run convenings of studies, as redis:// (default: $${VARIABLE})`,
);

/**
 * Returns the URL of the queue, of the flag, else of the variable, with the host as `host:port` for permissions (none for an
 * invalid URL); undefined without either.
 */
function queueOf(values: FlagValues, io: Pick<Io, "env">) {
  const url = values.get(QUEUE) ?? io.env(VARIABLE);
  if (url === undefined || url === "") return undefined;
  const { hostname = "", port = "" } = URL.parse(url) ?? {};
  return { url, hosts: hostname === "" ? [] : [`${hostname}:${port || "6379"}`] };
}

const ARCHIVE = reworded(
  OUT,
  "the archive, whose studies are named by their ids (default: convenings, or out of convenings.yaml)",
);
const LIMIT = flag("--limit <n>", "stop after this many convenings", readWhole);
const EXTEND_PLAN = toggle(
  "--extend-plan",
  "add the new convenings of a changed study; planned ones stay as they are (--extend without a module is the same)",
);
const BOOTSTRAP = toggle("--bootstrap", "intervals by 500 bootstrap samples", 500);
const LABELS = flag(
  "--labels <file>",
  "people's winners as CSV: debate,winner[,rater] (default: labels.csv in the study's folder)",
);
const DETACH = toggle("--detach", "return once the convenings are in the queue");
const DRY = toggle("--dry-run", "print convenings, calls and the most they cost; run nothing");
const FORMATS = listFlag(
  "formats",
  "the tables to write: jsonl, parquet, judgements, preferences, sft (default: jsonl, judgements)",
);
const ALLOW = listFlag(
  "allow",
  "contents to include that are left out by default: sources, papers, people",
);
const WATCH = toggle(
  "--watch",
  "show the state until no process runs the study and no queue has it",
);
const RETRY_FLAGS = [LIMIT, QUEUE, DETACH, ALLOW_BASE_URL] as const;
const RUN_FLAGS = [DRY, ...RETRY_FLAGS, EXTEND_PLAN] as const;

function listFlag(key: string, about: string): Flag<string[]> {
  const name = key.replace(/s$/, "");
  return { ...flag(`--${name} <list>`, about, readList), key };
}

const ACTS: Readonly<Record<string, Action>> = {
  run: { flags: RUN_FLAGS, run: (invocation, session) => run(invocation, session, false) },
  retry: { flags: RETRY_FLAGS, run: (invocation, session) => run(invocation, session, true) },
  status: { flags: [WATCH], run: showStatus },
  report: { flags: [BOOTSTRAP, LABELS], run: report },
  export: operationCommand<{ readonly files: readonly string[]; readonly dir: string }>(
    EXPORT_STUDY,
    {
      flags: [FORMATS, ALLOW],
      place: writable,
      read: ({ values }) => defined({ formats: values.get(FORMATS), allow: values.get(ALLOW) }),
      lines: ({ dir, files }) => files.map((path) => join(dir, path)),
    },
  ),
  stop: { flags: [QUEUE], run: stop },
};

/** Returns the flags of all acts; the heading of each flag names its acts. */
function flagsOfActs(): readonly Flag<unknown>[] {
  const acts = Object.entries(ACTS);
  const flags = new Map(acts.flatMap(([, act]) => act.flags).map((each) => [each.name, each]));
  return [...flags.values()].flatMap((each) => {
    const names = acts.filter(([, act]) => act.flags.includes(each)).map(([name]) => name);
    return grouped(`study ${names.join(", ")}:`, [each]);
  });
}

export const STUDY: Action = {
  flags: [...flagsOfActs(), ARCHIVE],
  async run({ args: [name = "", ...args], values }, session) {
    const act = Object.hasOwn(ACTS, name) ? ACTS[name] : undefined;
    if (act === undefined) {
      const names = Object.keys(ACTS);
      throw new ConfigurationError(`Cannot run study ${JSON.stringify(name.slice(0, 80))}`, {
        field: "act",
        hint: `${didYouMean(name, names)}Give one of ${names.join(", ")}; study --help says more.`,
      });
    }
    const own = [...act.flags, OUT].map((each) => each.name);
    refuseGiven(STUDY.flags.filter((each) => !own.includes(each.name)), values, {
      why: `study ${name} has no such flag`,
      hint: "See study --help.",
    });
    if (args[0] === undefined) {
      throw new ConfigurationError(`Cannot run study ${name}: no study was given`, {
        field: "study",
        hint: "Give a study.yaml, a folder or an id.",
      });
    }
    return await act.run({ args, values }, session);
  },
};

/** Plans the study of a YAML file or folder, and returns it with the folder of its archive. */
async function plannedAt(given: string, values: FlagValues, session: Session) {
  requirePermissions(session.io, { reads: [given] });
  const { planStudy } = await late("../operations/study_plan.ts");
  const { catalogue, io: { env } } = session;
  const planned = await planStudy(given, defined({ catalogue, env }));
  if (!isYaml(given)) return { ...planned, out: planned.archive };
  const own = values.get(OUT) === undefined ? planned.study.base["out"] : undefined;
  return { ...planned, out: typeof own === "string" ? own : await outOf(values, session) };
}

/** Returns the folder of the study in the first argument: a YAML file, a folder, or an id in the archive. */
async function atStudy(
  { args: [name = ""], values }: Invocation,
  session: Session,
): Promise<Place & { readonly dir: string }> {
  const path = userPath(name, session).replace(/\/index\.md$/, "");
  if (isYaml(name)) {
    const { out, study: { study } } = await plannedAt(path, values, session);
    return { out, dir: join(out, "studies", study) };
  }
  const out = await outOf(values, session);
  const isName = /^[a-z0-9][a-z0-9-]*$/.test(name);
  requirePermissions(session.io, { reads: [path, ...isName ? [out] : []] });
  const isFolder = await recordFiles(path).stat(join(path, "study.yaml")) !== undefined;
  const dir = isFolder || !isName ? path : join(out, "studies", name);
  return { out: dirname(dirname(dir)), dir };
}

async function writable(invocation: Invocation, session: Session): ReturnType<typeof atStudy> {
  const place = await atStudy(invocation, session);
  requirePermissions(session.io, { reads: [place.dir], writes: place.dir });
  return place;
}

async function run(
  { args: [name = ""], values }: Invocation,
  session: Session,
  retry: boolean,
): Promise<Reply> {
  const { io, catalogue, signal } = session;
  const given = isYaml(name)
    ? userPath(name, session)
    : (await atStudy({ args: [name], values }, session)).dir;
  const { study, out } = await plannedAt(given, values, session);
  const { runStudy } = await late("../operations/study_run.ts");
  const { trial, formats } = configurations(study);
  const { forecastStudy, studyKeyRules, unusedRates } = await late("../operations/study_plan.ts");
  const options = {
    ...defined({ catalogue, env: io.env }),
    ...studyKeyRules(given, { allowBaseUrls: values.get(ALLOW_BASE_URL) }),
  };
  for (const name of unusedRates(study, options)) {
    session.note(plainLine(`rates.${name} applies to no model of the study`));
  }
  if (values.get(DRY) === true) {
    const why = "--dry-run runs nothing";
    refuseGiven([LIMIT, QUEUE, DETACH], values, { why, hint: "Leave it out, or --dry-run." });
    return planReply(await forecastStudy(given, { ...options, out }), study);
  }
  const queue = queueOf(values, io);
  const configs = formats.map((format) => trial(format) as Partial<ConveningConfig>);
  requirePermissions(io, {
    // With a queue the workers call the models, so this process needs only the queue's host.
    hosts: queue?.hosts ?? [...new Set(configs.flatMap((each) => hostsOf(each, options)))],
    reads: [given, out],
    writes: out,
    variables: queue === undefined ? [...new Set(configs.flatMap(variablesOf))] : [],
  });
  const progress = session.quiet ? undefined : studyProgress(session);
  try {
    const result = await runStudy(given, {
      ...options,
      ...defined({
        queue: queue?.url,
        detach: values.get(DETACH),
        limit: values.get(LIMIT),
        extend: values.get(EXTEND_PLAN),
      }),
      out,
      retry,
      signal,
      onProgress: (status) => progress?.take(status),
      onProblem: (message) => session.note(plainLine(message)),
    });
    return resultReply(result, session, { given, values });
  } finally {
    progress?.end();
  }
}

const ENDS: Readonly<Record<StudyResult["ended"], readonly [code: number, text: string]>> = {
  done: [0, "Done"],
  detached: [0, "In the queue for the workers"],
  failures: [1, "Ended: too many convenings failed"],
  budget: [3, "Ended: the budget is used"],
  stopped: [130, "Stopped"],
};

function resultReply(
  result: StudyResult,
  session: Session,
  { given, values }: { readonly given: string; readonly values: FlagValues },
): Reply {
  const { dir, ended, failures } = result;
  for (const { key, code, message } of failures) {
    session.note(plainLine(`${join(dir, "debates", key)}: ${code}: ${message}`));
  }
  const left = result.planned - result.done;
  const onlyFailed = left === result.failed;
  if (left > 0 && ended !== "detached") {
    // Without the queue, the run would have rates and a budget of its own beside those of the workers.
    const flags = [
      ...values.get(QUEUE) === undefined ? [] : [QUEUE.name, "URL"],
      ...[OUT, ALLOW_BASE_URL].flatMap((each) =>
        [values.get<string | string[]>(each) ?? []].flat().flatMap((value) => [each.name, value])
      ),
    ];
    session.tell(
      ended === "budget"
        ? "To continue, raise limits.maxCost and run the study again"
        : `To continue: ${
          // A run counts the failures of earlier runs, and would end at once.
          session.commandLine(
            "study",
            onlyFailed || ended === "failures" ? "retry" : "run",
            given,
            ...flags,
          )}`,
    );
  }
  const [code, end] = ENDS[ended];
  const isOver = ended !== "done" || onlyFailed;
  const [early, earlyCode] = values.get(LIMIT) === undefined
    ? ["Ended: what is left waits for a person or could not begin", 4]
    : ["Ended at --limit", 0];
  return replyOf(
    { dir, ...shownStudy(result), links: undefined, ended, failures },
    [isOver ? end : early, studyLine(result), join(dir, "index.md")],
    isOver ? code : earlyCode,
  );
}

/** Stops the run of a study, or its workers if there is a queue. */
async function stop(invocation: Invocation, session: Session): Promise<Reply> {
  const { dir } = await writable(invocation, session);
  const queue = queueOf(invocation.values, session.io);
  requirePermissions(session.io, { hosts: queue?.hosts ?? [] });
  const { stopStudy } = await late("../operations/study_run.ts");
  const { studyStatus } = await late("../studies/status.ts");
  const held = await stopStudy(dir, defined({ queue: queue?.url }));
  const study = shownStudy(await studyStatus(dir));
  return replyOf(
    { dir, ...study, links: undefined, held },
    [held ? "Stop requested: the run ends at the next message" : "No process runs the study"],
  );
}

function planReply(forecast: StudyForecast, { contestants }: StudyConfig): Reply {
  const { dir, planned, calls, maxTokens, maxCost, models, interval } = forecast;
  const cost = maxCost === "unknown" ? maxCost : atMost(maxCost);
  return replyOf(
    { dryRun: true, dir, ...forecastJson(forecast) },
    [
      `Convenings: ${thousands(planned)}`,
      ...modelRows(models).map((row) => row.join(": ")),
      `Calls: ${thousands(calls)}`,
      `Tokens: at most ${thousands(maxTokens)}`,
      `Cost: ${cost}`,
      ...contestants === undefined ? [] : [
        interval === undefined
          ? "Ratings: none; the pairs do not connect the contestants, or have too few judged debates"
          : `Intervals of ratings: ±${interval} points, if a fifth of the debates are ties`,
      ],
      `Would be written to: ${dir}`,
    ].map((line) => plainLine(line)),
  );
}

/** Prints the state of a study; with `--watch` each change until no process runs the study. */
async function showStatus(invocation: Invocation, session: Session): Promise<Reply> {
  const { dir } = await atStudy(invocation, session);
  const { studyStatus } = await late("../studies/status.ts");
  let status = await studyStatus(dir);
  if (invocation.values.get(WATCH) === true) {
    const progress = studyProgress(session);
    while (status.isRunning && !session.signal.aborted) {
      if (!session.quiet) progress.take(status);
      await pause(1000, session.signal).catch(() => {});
      status = await studyStatus(dir);
    }
    progress.end();
  }
  const study = shownStudy(status);
  const { id, state, why, codes } = study;
  const { processes, isQueued = false, running } = status;
  return replyOf({ dir, ...study, processes, links: undefined }, [
    `${id}: ${state}, ${studyLine(study)}`,
    ...why === null ? [] : [why],
    ...isQueued && running === 0 ? ["In the queue: no worker runs a convening now"] : [],
    ...Object.entries(processes ?? {}).map(([name, count]) =>
      `${thousands(count)} running: ${name}`
    ),
    ...Object.entries(codes).map(([code, count]) => `${thousands(count)} failed: ${code}`),
  ]);
}

async function report(invocation: Invocation, session: Session): Promise<Reply> {
  const { dir } = await writable(invocation, session);
  const { values } = invocation;
  const labels = values.get(LABELS);
  const path = labels === undefined ? undefined : userPath(labels, session);
  if (path !== undefined) requirePermissions(session.io, { reads: [path] });
  const { studyReport } = await late("../operations/study_results.ts");
  const { dir: folder, ...made } = await studyReport(
    dir,
    defined({ bootstrap: values.get(BOOTSTRAP), labels: path }),
  );
  const { finding, warnings } = made;
  for (const each of finding === null ? warnings : [finding, ...warnings]) {
    session.note(plainLine(each));
  }
  return replyOf({ dir, report: folder, ...made }, [join(folder, "leaderboard.md")]);
}

/** Returns a display of a study's progress: a status line on a terminal, a line for each percent in a pipe. */
function studyProgress(session: Session) {
  const { live, err: write, columns } = session.io;
  if (live) session.screen = new Screen(write);
  let shownPercent = -1;
  return {
    take(progress: StudyStatus): void {
      const line = studyLine(progress);
      if (live) return session.screen?.status(inOneRow(line, columns()));
      const { planned, done, failed } = progress;
      const percent = planned === 0 ? 100 : Math.floor(100 * (done + failed) / planned);
      if (percent !== shownPercent) write(`${line}\n`);
      shownPercent = percent;
    },
    end(): void {
      session.screen?.status("");
      session.screen = undefined;
    },
  };
}

const SHARED_ARCHIVE = flag("--archive <dir>", "the archive that all workers share");
const CONCURRENCY = flag(
  "--concurrency <n>",
  "convenings at once (default: the study's, else 4)",
  readCount,
);

export const WORKER: Action = {
  flags: [QUEUE, SHARED_ARCHIVE, CONCURRENCY, ALLOW_BASE_URL],
  async run({ values }, session) {
    const { io, catalogue, signal } = session;
    const queue = queueOf(values, io);
    const given = values.get(SHARED_ARCHIVE);
    if (queue === undefined) throw missing(QUEUE.name, `redis://HOST:PORT, or set ${VARIABLE}`);
    if (given === undefined) {
      throw missing(SHARED_ARCHIVE.name, "the folder that `study run` wrote to");
    }
    const concurrency = values.get(CONCURRENCY);
    const archive = userPath(given, session);
    requirePermissions(io, { hosts: queue.hosts, reads: [archive], writes: archive });
    const { runWorker } = await late("../operations/study_worker.ts");
    const allowBaseUrls = values.get(ALLOW_BASE_URL);
    let done = 0;
    const failed = new Set<string>();
    // A queue in another database of the Redis has no convenings, and is no error.
    const [database = ""] = /^\/\d+$/.exec(URL.parse(queue.url)?.pathname ?? "") ?? [];
    const at = `${queue.hosts.join()}${database}`;
    session.note(`Waiting for convenings of studies in ${archive}, queued at ${at}`);
    await runWorker({
      ...defined({ catalogue, concurrency, env: io.env, allowBaseUrls }),
      queue: queue.url,
      archive,
      signal,
      onNote(note) {
        if (note.type === "problem" && note.cell !== undefined) failed.add(note.cell);
        if (note.type === "end" && failed.delete(note.cell)) {
          session.note(`${note.study}/${note.cell}: failed`);
          return;
        }
        if (note.type === "end" && note.end === "done") done++;
        session.note(plainLine(lineOf(note)));
      },
    });
    return replyOf({ done }, [`Ended: ${counted(done, "convening")} done`]);
  },
};

function lineOf(note: WorkerNote): string {
  const { study, cell } = note;
  if (note.type === "problem") {
    const where = [study, cell].filter((each) => each !== undefined).join("/");
    return [...where === "" ? [] : [where], note.message].join(": ");
  }
  return `${study}/${cell}: ${note.type === "begin" ? "begun" : note.end}`;
}

function missing(field: string, hint: string): ConfigurationError {
  return new ConfigurationError(`Cannot start a worker without ${field}`, {
    field,
    hint: `Give ${field}: ${hint}.`,
  });
}
