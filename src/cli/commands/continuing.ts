// Commands that continue or follow a convening: `resume`, `say`, `pause` and `watch`.
import { BUILT_IN } from "../../compose.ts";
import type { ConveningConfig, DebateConfig } from "../../config/convening_config.ts";
import { capitalized } from "../../core/text.ts";
import { readText } from "../../inputs/inputs.ts";
import { serversOf } from "../../inputs/servers.ts";
import {
  interject,
  noTurnWaits,
  pauseConvening,
  speak,
  unlessHeld,
} from "../../operations/attending.ts";
import { type Convening, openConvening, resume } from "../../operations/convening.ts";
import { checkPick, isPickKey } from "../../operations/picking.ts";
import { untilReleased, watchConvening } from "../../operations/watching.ts";
import { recordFiles } from "../../record/disk_files.ts";
import { tasksOf } from "../../record/log.ts";
import { nameOf } from "../../record/words.ts";
import { archiveOf, directoryOf, userPath } from "../directory.ts";
import { cannotUse, flag, readDuration } from "../flag.ts";
import { AS, INTERJECT, MODEL, RESUME_FLAGS, SAY_FILE, SAY_FLAGS, TIMEOUT } from "../flags.ts";
import { requirePermissions } from "../permissions.ts";
import { waitLine } from "../progress_lines.ts";
import { endingJson } from "../report.ts";
import {
  finish,
  liveView,
  needsOf,
  noteSearch,
  runConvening,
  setConvening,
  tellHowToPick,
  tellHowToResume,
  withPersonTime,
} from "../run_convening.ts";
import { type Action, type Invocation, type Reply, replyOf, type Session } from "../session.ts";
import { keyRules, resumeSettings } from "../settings.ts";
import { inputText, readAll } from "../terminal_people.ts";

/** Returns the recorded settings, overridden by flags; checks the permissions of a resume and prints the model addresses. */
function resumedSettings(
  convening: Convening,
  invocation: Invocation,
  session: Session,
): ConveningConfig {
  const { io: { env }, catalogue = BUILT_IN } = session;
  const { dir, start } = convening;
  catalogue.kindOf(start, "resume");
  const config = resumeSettings(start.configuration, invocation.values, session);
  const rules = keyRules(invocation, session, { ofRecord: true });
  requirePermissions(session.io, {
    ...needsOf(config, session, rules),
    reads: [dir],
    writes: archiveOf(dir),
  });
  const servers = serversOf(config, { env, catalogue, ...rules }).map(({ url, apiKeyEnv }) =>
    apiKeyEnv === undefined ? url : `${url} (with ${apiKeyEnv})`
  );
  if (servers.length > 0) session.note(`Addresses: ${[...new Set(servers)].join(", ")}`);
  noteSearch(config, session);
  noteOwnModels(config, invocation, session);
  const isRecorded = invocation.values.get(TIMEOUT) === undefined;
  return withPersonTime(config, session, { isRecorded });
}

/** Names the roles whose own models `--model` does not replace. */
function noteOwnModels(config: ConveningConfig, { values }: Invocation, session: Session): void {
  const model = values.get(MODEL);
  const { participants = [], judges = [], moderatorModel } = config as Partial<DebateConfig>;
  const own = [...participants, ...judges, { name: "Moderator", model: moderatorModel }]
    .flatMap((each) =>
      [undefined, model].includes(each.model) ? [] : `${each.name ?? "Judge"} ${each.model}`
    );
  if (model === undefined || own.length === 0) return;
  const flags = "--advocate-model, --judge-model and --moderator-model change them";
  session.note(`Models that --model leaves as they are: ${own.join(", ")}. ${flags}.`);
}

/** Returns the options of a resumed run, without the configuration. */
function runOptions(invocation: Invocation, session: Session) {
  const { io: { env }, signal, catalogue } = session;
  return { env, signal, catalogue, ...keyRules(invocation, session, { ofRecord: true }) };
}

export const RESUME: Action = {
  flags: RESUME_FLAGS,
  async run(invocation, session) {
    const dir = await directoryOf(invocation, session);
    requirePermissions(session.io, { reads: [dir] });
    const convening = await openConvening(dir);
    session.dir = dir;
    const config = convening.result.status === "completed"
      ? {}
      : resumedSettings(convening, invocation, session);
    try {
      const resumed = await resume(dir, { config, ...runOptions(invocation, session) });
      // Only now: a refused resume has no result, and the recorded one is not its own.
      setConvening(convening, session);
      if (resumed.mended !== undefined) {
        const paths = resumed.mended.map((path) => ` ${path}`).join();
        const what = paths === "" ? "nothing to do" : `repaired${paths}`;
        session.note(`The convening was complete: ${what}.`);
        return finish(convening.result, session);
      }
      return await runConvening(resumed, session, convening);
    } catch (error) {
      tellHowToPick(error, session);
      throw error;
    }
  },
};

export const SAY: Action = {
  flags: SAY_FLAGS,
  async run(invocation, session) {
    const { values } = invocation;
    const dir = await directoryOf(invocation, session);
    if (values.get(INTERJECT) !== true) return await sayTurn(dir, invocation, session);
    const as = values.get(AS);
    if (as !== undefined) {
      const hint = "Leave --as out, or --interject.";
      throw cannotUse(`--as ${as}`, "an interjection comes from the audience", hint);
    }
    return await leaveInterjection(dir, invocation, session);
  },
};

async function sayTurn(dir: string, invocation: Invocation, session: Session): Promise<Reply> {
  requirePermissions(session.io, { reads: [dir] });
  const convening = await openConvening(dir);
  const { result } = convening;
  setConvening(convening, session);
  if (result.status !== "waiting") throw await noTurnWaits(dir);
  const config = resumedSettings(convening, invocation, session);
  const isTyped = invocation.args[1] === undefined && invocation.values.get(SAY_FILE) === undefined;
  if (isTyped && session.io.inIsTerminal) await tellQuestions(dir, convening, session);
  const text = await textOf(invocation, session);
  if (result.waitingFor?.every(({ turn }) => isPickKey(turn)) === true) {
    checkPick(text, { said: convening.messages, field: SAY_FILE.name });
  }
  const as = invocation.values.get(AS);
  const said = await speak(dir, text, { as, config, ...runOptions(invocation, session) });
  const { participant } = said;
  const reply = said.left
    ? undefined
    : await runConvening(said.convening, session, convening).catch(unlessHeld);
  if (reply !== undefined) return { ...reply, json: { ...reply.json, participant, left: false } };
  const name = nameOf(convening.start, participant);
  return replyOf(
    { ...endingJson(session), participant, left: true },
    [`Left for the process that runs the convening, or for its next resume: the turn of ${name}`],
  );
}

/** Prints the questions that wait for people: each person's next one whole, which the words answer. */
async function tellQuestions(
  dir: string,
  { start, result: { waitingFor = [] } }: Convening,
  session: Session,
): Promise<void> {
  const tasks = await tasksOf(recordFiles(dir), dir, { waitingFor });
  const asked = new Set<string>();
  for (const { participant, turn } of waitingFor) {
    const name = nameOf(start, participant);
    session.tell(waitLine(name, tasks.get(turn) ?? turn, !asked.has(participant)));
    asked.add(participant);
  }
}

async function leaveInterjection(
  dir: string,
  invocation: Invocation,
  session: Session,
): Promise<Reply> {
  requirePermissions(session.io, { reads: [dir], writes: archiveOf(dir) });
  const convening = await openConvening(dir);
  setConvening(convening, session);
  const { held } = await interject(dir, await textOf(invocation, session));
  const when = held ? "before the next turn, or after the last" : "when the convening is resumed";
  const json = { ...endingJson(session), interjected: true, held };
  return replyOf(json, [`Saved: it will be heard ${when}`]);
}

async function textOf({ args, values }: Invocation, session: Session): Promise<string> {
  const { io } = session;
  const [, text] = args;
  if (text !== undefined) {
    if (values.get(SAY_FILE) === undefined) return text;
    throw cannotUse(SAY_FILE.name, "the text is an argument already", "Leave one of them out.");
  }
  const file = values.get(SAY_FILE) ?? "-";
  if (file !== "-" && file !== "/dev/stdin") {
    return await readText(userPath(file, session), "--file");
  }
  if (io.inIsTerminal) session.tell("Write the text to say; Ctrl-D on a line of its own ends it.");
  return inputText(await readAll(io.read), io.inIsTerminal);
}

const WAIT = flag(
  "--wait <time>",
  "how long turns in flight may take to finish, such as 90s or 10m; a bare number is milliseconds (default: 120s)",
  readDuration,
);

const DEFAULT_WAIT = 120_000;

/** Statuses after which `pause` has succeeded. */
const IN_ORDER: readonly string[] = ["paused", "waiting", "completed", "stopped"];

export const PAUSE: Action = {
  flags: [WAIT],
  async run(invocation, session) {
    const dir = await directoryOf(invocation, session);
    requirePermissions(session.io, { reads: [dir], writes: archiveOf(dir) });
    const before = await pauseConvening(dir);
    const within = invocation.values.get(WAIT) ?? DEFAULT_WAIT;
    const held = before.held && await untilReleased(dir, { within, signal: session.signal });
    const { result: { status }, isNewFork = false } = await openConvening(dir);
    const isInterrupted = !held && status === "running";
    const shown = isInterrupted ? "interrupted" : status;
    const what = held
      ? "Pause requested; turns in flight are still being finished"
      : before.held
      ? capitalized(shown)
      : `No process runs the convening: ${isNewFork ? "new fork" : shown}`;
    if (!held && status !== "completed" && !session.quiet) {
      session.dir = dir;
      tellHowToResume(session);
    }
    const isDone = !held && IN_ORDER.includes(status);
    return replyOf({ dir, status: shown, held }, [what], isDone ? 0 : 1);
  },
};

export const WATCH: Action = {
  flags: [],
  async run(invocation, session) {
    const { io } = session;
    const dir = await directoryOf(invocation, session);
    requirePermissions(io, { reads: [dir] });
    const isInterrupted = await follow(dir, session);
    // Records have no code of an error, but logs have.
    const { error } = session.ending ?? {};
    const convening = await openConvening(dir);
    setConvening(convening, session);
    // The log alone does not tell: a later judgement may have added events after the end.
    if (!isInterrupted || convening.result.status !== "running") {
      const result = { ...convening.result, ...error === undefined ? {} : { error } };
      return { ...finish(result, session), json: undefined };
    }
    tellHowToResume(session);
    const state = convening.isNewFork === true ? "New fork" : "Interrupted";
    return { code: 1, json: undefined, text: `${state}: no process runs the convening\n` };
  },
};

async function follow(dir: string, session: Session): Promise<boolean> {
  const view = session.quiet ? undefined : liveView(session);
  try {
    const events = watchConvening(dir, { signal: session.signal });
    for (;;) {
      const step = await events.next();
      if (step.done === true) return step.value.isInterrupted;
      session.take(step.value);
      if (session.json) session.io.out(`${JSON.stringify(step.value)}\n`);
      view?.progress.take(step.value);
    }
  } finally {
    view?.end();
  }
}
