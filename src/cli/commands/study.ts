// Studies: `study run`, `status`, `stop`, `retry`, `report`, `export`.
import { dirname, join } from "@std/path";
import type { ConveningConfig } from "../../config/convening_config.ts";
import { pause } from "../../core/clock.ts";
import { defined } from "../../core/values.ts";
import { hostsOf } from "../../inputs/servers.ts";
import { ConfigurationError } from "../../core/error.ts";
import { didYouMean } from "../../core/words.ts";
import { plainLine } from "../../core/text.ts";
import { modelRows } from "../../operations/plan.ts";
import type { StudyResult } from "../../operations/study_run.ts";
import { forecastJson, shownStudy, type StudyJson } from "../../operations/study_json.ts";
import type { StudyForecast } from "../../operations/study_plan.ts";
import { EXPORT_STUDY } from "../../operations/study_operations.ts";
import { recordFiles } from "../../record/disk_files.ts";
import type { CommandAction, Invocation, Reply } from "../command.ts";
import { outOf, userPath } from "../directory.ts";
import { type Flag, flag, grouped, reworded, toggle } from "../flag.ts";
import { OUT } from "../flags.ts";
import { loadModule } from "../load_module.ts";
import { operationCommand, type Place } from "../operation_command.ts";
import { requirePermissions } from "../permissions.ts";
import { money } from "../../core/message.ts";
import { number } from "../progress_lines.ts";
import { QUEUE, queueOf } from "../queue_flag.ts";
import { readWhole } from "../read_value.ts";
import { variablesOf } from "../start.ts";
import { configurations } from "../../studies/plan.ts";
import type { Session } from "../session.ts";
import { studyLine, StudyProgressLine } from "../study_progress.ts";

const ARCHIVE = reworded(
  OUT,
  "the archive, whose studies are named by their ids (default: convenings)",
);
const LIMIT = flag("--limit <n>", "end after so many convenings", readWhole);
const EXTEND_PLAN = toggle(
  "--extend-plan",
  "add the convenings that a changed study has more; none is altered (--extend without a module is the same)",
);
const BOOTSTRAP = toggle("--bootstrap", "intervals by 500 bootstrap samples", 500);
const LABELS = flag(
  "--labels <file>",
  "people's winners as CSV: debate,winner[,rater] (default: labels.csv in the study's folder)",
);
const DETACH = toggle("--detach", "end once the convenings are in the queue");
const DRY = toggle("--dry-run", "print convenings, calls and the most they cost; run nothing");
const FORMATS = {
  ...flag("--format <list>", "jsonl, parquet, judgements, preferences, sft", readList),
  key: "formats",
};
const ALLOW = {
  ...flag("--allow <list>", "contents left out otherwise: sources, papers, people", readList),
  key: "allow",
};
const WATCH = toggle("--watch", "show the state until no process runs the study");
const RETRY_FLAGS = [LIMIT, QUEUE, DETACH] as const;
const RUN_FLAGS = [DRY, ...RETRY_FLAGS, EXTEND_PLAN] as const;

function readList(text: string): string[] {
  return text.split(",").map((each) => each.trim()).filter((each) => each !== "");
}

const plans = () =>
  loadModule<typeof import("../../operations/study_plan.ts")>(
    import.meta.resolve("../../operations/study_plan.ts"),
  );
const studies = () =>
  loadModule<typeof import("../../operations/study_run.ts")>(
    import.meta.resolve("../../operations/study_run.ts"),
  );

/** The acts on a study that is there. */
const ACTS: Readonly<Record<string, CommandAction>> = {
  status: { flags: [WATCH], run: showStatus },
  report: { flags: [BOOTSTRAP, LABELS], run: report },
  export: operationCommand<{ readonly files: readonly string[]; readonly dir: string }>(
    EXPORT_STUDY,
    {
      flags: [FORMATS, ALLOW],
      place: writable,
      read: ({ values }) =>
        Promise.resolve(defined({ formats: values.get(FORMATS), allow: values.get(ALLOW) })),
      lines: ({ dir, files }) => files.map((path) => join(dir, path)),
    },
  ),
  stop: { flags: [QUEUE], run: stop },
};

/** The acts of `study`, with the flags of each. */
const FLAGS_OF: Readonly<Record<string, readonly Flag<unknown>[]>> = {
  run: RUN_FLAGS,
  retry: RETRY_FLAGS,
  ...Object.fromEntries(Object.entries(ACTS).map(([act, { flags }]) => [act, flags])),
};

/** The flags of all acts, each under the acts that take it. */
function flagsOfActs(): readonly Flag<unknown>[] {
  const flags = new Map(Object.values(FLAGS_OF).flat().map((each) => [each.name, each]));
  return [...flags.values()].flatMap((each) => {
    const acts = Object.keys(FLAGS_OF).filter((act) => FLAGS_OF[act]!.includes(each));
    return grouped(`study ${acts.join(", ")}:`, [each]);
  });
}

/** `study ACT [study]`. */
export const STUDY: CommandAction = {
  flags: [...flagsOfActs(), ARCHIVE],
  async run(invocation, session) {
    const { args: [act = "", ...args], values } = invocation;
    const own = Object.hasOwn(FLAGS_OF, act) ? FLAGS_OF[act]! : undefined;
    const acts = Object.keys(FLAGS_OF);
    if (own === undefined) {
      throw new ConfigurationError(`Cannot run study ${JSON.stringify(act.slice(0, 80))}`, {
        field: "act",
        hint: `${didYouMean(act, acts)}Give one of ${acts.join(", ")}; study --help says more.`,
      });
    }
    const idle = STUDY.flags.find((each) =>
      each.name !== OUT.name && values.get(each) !== undefined &&
      !own.some(({ name }) => name === each.name)
    );
    if (idle !== undefined) {
      throw new ConfigurationError(`Cannot use ${idle.name}: study ${act} has no such flag`, {
        field: idle.name,
        hint: "See study --help.",
      });
    }
    if (args[0] === undefined) {
      throw new ConfigurationError(`Cannot run study ${act}: no study was given`, {
        field: "study",
        hint: act === "run" ? "Give a study.yaml, a folder or an id." : "Give a folder or an id.",
      });
    }
    const rest = { args, values };
    if (act === "run" || act === "retry") return await run(rest, session, act === "retry");
    return await ACTS[act]!.run(rest, session);
  },
};

/** The folder of the study that the first argument names: a folder, or an id of the archive. */
async function atStudy(
  { args: [name = ""], values }: Invocation,
  session: Session,
): Promise<Place & { readonly dir: string }> {
  const path = userPath(name, session).replace(/\/index\.md$/, "");
  const out = outOf(values, session);
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

/** Runs a study here, or says what it would take. */
async function run(
  { args: [name = ""], values }: Invocation,
  session: Session,
  retry: boolean,
): Promise<Reply> {
  const { io, catalogue, signal } = session;
  const isFile = /\.ya?ml$/i.test(name);
  const given = isFile
    ? userPath(name, session)
    : (await atStudy({ args: [name], values }, session)).dir;
  requirePermissions(io, { reads: [given] });
  const { planStudy } = await plans();
  const { runStudy } = await studies();
  const options = defined({ catalogue, env: io.env });
  const planned = await planStudy(given, options);
  const { study } = planned;
  const own = isFile && values.get(OUT) === undefined ? study.base["out"] : undefined;
  const out = !isFile ? planned.archive : typeof own === "string" ? own : outOf(values, session);
  const { trial, formats } = configurations(study);
  if (values.get(DRY) === true) {
    const { forecastStudy } = await loadModule<
      typeof import("../../operations/study_plan.ts")
    >(import.meta.resolve("../../operations/study_plan.ts"));
    return planReply(await forecastStudy(given, { ...options, out }));
  }
  const queue = queueOf(values, io);
  const configs = formats.map((format) => trial(format) as Partial<ConveningConfig>);
  requirePermissions(io, {
    // With a queue, hosts and keys of models are the workers'.
    hosts: queue?.hosts ?? [...new Set(configs.flatMap((each) => hostsOf(each, options)))],
    reads: [given, out],
    writes: out,
    variables: queue === undefined ? [...new Set(configs.flatMap(variablesOf))] : [],
  });
  const progress = session.quiet ? undefined : new StudyProgressLine(io.err, io);
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
    });
    return resultReply(result, session, values.get(LIMIT));
  } finally {
    progress?.end();
  }
}

/** Exit codes by the reason of a run's end. */
const CODES: Readonly<Record<StudyResult["ended"], number>> = {
  done: 0,
  detached: 0,
  failures: 1,
  budget: 3,
  stopped: 130,
};

function resultReply(result: StudyResult, session: Session, limit: number | undefined): Reply {
  const { dir, ended, failures } = result;
  for (const { key, code, message } of failures) {
    session.note(plainLine(`${join(dir, "debates", key)}: ${code}: ${message}`));
  }
  const left = result.planned - result.done;
  if (left > 0) session.tell(`To go on: ${session.commandLine("study", "run", dir)}`);
  return {
    code: CODES[ended],
    json: { dir, ...shownStudy(result), links: undefined, ended, failures },
    text: [
      ended !== "done" || left === result.failed
        ? ENDS[ended]
        : limit === undefined
        ? "Ended: some convenings could not begin"
        : "Ended at --limit",
      studyLine(result),
      join(dir, "index.md"),
    ].join("\n") + "\n",
  };
}

/** The reasons of a run's end for people. */
const ENDS: Readonly<Record<StudyResult["ended"], string>> = {
  done: "Done",
  detached: "Handed to the workers of the queue",
  failures: "Ended: too many convenings failed",
  budget: "Ended: the budget is used",
  stopped: "Stopped",
};

/** Ends the run of a study, and with a queue the work of its workers. */
async function stop(invocation: Invocation, session: Session): Promise<Reply> {
  const { dir } = await writable(invocation, session);
  const queue = queueOf(invocation.values, session.io);
  requirePermissions(session.io, { hosts: queue?.hosts ?? [] });
  const { stopStudy, studyStatus } = await studies();
  const held = await stopStudy(dir, defined({ queue: queue?.url }));
  const study = shownStudy(await studyStatus(dir));
  return {
    code: 0,
    json: { dir, ...study, links: undefined, held },
    text: held ? "Asked: it ends at the next message\n" : "No process runs it\n",
  };
}

/** The forecast of a study, as --dry-run prints it. */
function planReply(forecast: StudyForecast): Reply {
  const { dir, planned, calls, maxTokens, maxCost, models, interval } = forecast;
  const cost = maxCost === "unknown" ? maxCost : `at most ${money({ costUsd: maxCost })}`;
  return {
    code: 0,
    json: { dryRun: true, dir, ...forecastJson(forecast) },
    text: [
      `Convenings: ${number(planned)}`,
      ...modelRows(models).map((row) => row.join(": ")),
      `Calls: ${number(calls)}`,
      `Tokens: at most ${number(maxTokens)}`,
      `Cost: ${cost}`,
      ...interval === undefined
        ? []
        : [`Intervals of ratings: ±${interval} points, if a fifth of the debates are ties`],
      `Would be kept under: ${dir}`,
    ].map((line) => `${plainLine(line)}\n`).join(""),
  };
}

/** The state of a study; with --watch at every change, until no process runs the study. */
async function showStatus(invocation: Invocation, session: Session): Promise<Reply> {
  const { io, signal } = session;
  const { dir } = await atStudy(invocation, session);
  const { studyStatus } = await studies();
  let status = await studyStatus(dir);
  if (invocation.values.get(WATCH) === true) {
    const progress = new StudyProgressLine(io.err, io);
    while (status.isRunning && !signal.aborted) {
      if (!session.quiet) progress.take(status);
      await pause(1000, signal).catch(() => {});
      status = await studyStatus(dir);
    }
    progress.end();
  }
  const study = shownStudy(status);
  return {
    code: 0,
    json: { dir, ...study, links: undefined },
    text: standingLines(study).map((line) => `${line}\n`).join(""),
  };
}

async function report(invocation: Invocation, session: Session): Promise<Reply> {
  const { dir } = await writable(invocation, session);
  const { values } = invocation;
  const labels = values.get(LABELS);
  const path = labels === undefined ? undefined : userPath(labels, session);
  if (path !== undefined) requirePermissions(session.io, { reads: [path] });
  const { studyReport } = await loadModule<typeof import("../../operations/study_results.ts")>(
    import.meta.resolve("../../operations/study_results.ts"),
  );
  const { dir: folder, ...made } = await studyReport(
    dir,
    defined({ bootstrap: values.get(BOOTSTRAP), labels: path }),
  );
  const { warnings, completed, planned } = made;
  for (const warning of warnings) session.note(plainLine(warning));
  if (completed < planned) session.note(`${completed} of ${planned} convenings are completed.`);
  return {
    code: 0,
    json: { dir, report: folder, ...made },
    text: `${join(folder, "leaderboard.md")}\n`,
  };
}

function standingLines(study: StudyJson): readonly string[] {
  const { id, state, codes } = study;
  return [
    `${id}: ${state}, ${studyLine(study)}`,
    ...Object.entries(codes).map(([code, count]) => `${number(count)} failed: ${code}`),
  ];
}
