// Commands that continue a convening or follow one: `resume`, `say`, `pause`, `watch`.
import { capitalized } from "../../core/text.ts";
import { hostsOf, serversOf } from "../../inputs/servers.ts";
import { type Convening, openConvening, resume } from "../../operations/convening.ts";
import type { ConveningConfig } from "../../config/convening_config.ts";
import type { CommandAction, Invocation, Reply } from "../command.ts";
import { refuseNewQuestion } from "../contradictions.ts";
import { archiveOf, directoryOf, userPath } from "../directory.ts";
import { type Flag, flag, nameFlag } from "../flag.ts";
import { AS, INTERJECT, RESUME_FLAGS, SAY_FILE, SAY_FLAGS, TIMEOUT } from "../flags.ts";
import { requirePermissions } from "../permissions.ts";
import {
  finish,
  paperOf,
  runConvening,
  type RunPast,
  tellHowToPick,
  tellHowToResume,
} from "../run_convening.ts";
import type { Session } from "../session.ts";
import { keyRules, resumeSettings } from "../settings.ts";
import { noteSearch, variablesOf, withPersonTime } from "../start.ts";
import { interject, pauseConvening, speak } from "../../operations/attending.ts";
import { checkPick, isPickKey } from "../../operations/picking.ts";
import { ConfigurationError, TurnOrderError } from "../../core/error.ts";
import { readAll } from "../input_lines.ts";
import { resultJson } from "../../operations/results.ts";
import { untilReleased, watchConvening } from "../../operations/watching.ts";
import { readDuration } from "../read_value.ts";
import { liveView } from "../live_view.ts";

/** A convening's recorded settings with the flags over them; permissions for the resume are checked, addresses noted. */
function resumedSettings(
  convening: Convening,
  invocation: Invocation,
  { flags, session }: { readonly flags: readonly Flag<unknown>[]; readonly session: Session },
): ConveningConfig {
  const { io } = session;
  const { dir, start } = convening;
  refuseNewQuestion(convening, invocation.values);
  const config = resumeSettings(start.configuration, invocation, { flags, session });
  const { catalogue } = session;
  const rules = { env: io.env, catalogue, ...keyRules(invocation, session, { ofRecord: true }) };
  requirePermissions(io, {
    hosts: hostsOf(config, rules),
    reads: [dir],
    variables: variablesOf(config),
    writes: archiveOf(dir),
  });
  noteServers(serversOf(config, rules), session);
  noteSearch(config, session);
  const isRecorded = invocation.values.get(TIMEOUT) === undefined;
  return withPersonTime(config, session, { isRecorded });
}

/** Says which addresses are used, and which key goes where. */
function noteServers(servers: ReturnType<typeof serversOf>, session: Session): void {
  const shown = servers.map(({ url, apiKeyEnv }) =>
    apiKeyEnv === undefined ? url : `${url} (with ${apiKeyEnv})`
  );
  if (shown.length > 0) session.note(`Addresses: ${[...new Set(shown)].join(", ")}`);
}

/** Keeps a convening at hand: its directory, where it stands, and the names of those who take part. */
export function takeUp({ dir, start, facts, result }: Convening, session: Session): void {
  session.dir = dir;
  session.follow(start, facts);
  session.ending = result;
  for (const { id, name } of start.participants) session.names.set(id, name);
}

/** The earlier part of a run of a convening that is resumed. */
function pastOf({ messages, start }: Convening): RunPast {
  return { said: messages, start };
}

/** `resume <dir>`. */
export const RESUME: CommandAction = {
  flags: RESUME_FLAGS,
  async run(invocation, session) {
    const { io, signal } = session;
    const dir = await directoryOf(invocation, session);
    requirePermissions(io, { reads: [dir] });
    const convening = await openConvening(dir);
    const config = convening.result.status === "completed"
      ? {}
      : resumedSettings(convening, invocation, { flags: RESUME_FLAGS, session });
    try {
      const rules = keyRules(invocation, session, { ofRecord: true });
      const { catalogue } = session;
      const resumed = await resume(dir, { config, env: io.env, signal, catalogue, ...rules });
      takeUp(convening, session);
      if (resumed.mended !== undefined) {
        const repaired = resumed.mended.map((path) => ` ${path}`).join();
        session.note(
          `The convening was complete: ${
            repaired === "" ? "nothing to do" : `repaired${repaired}`
          }.`,
        );
        return finish(convening.result, session);
      }
      return await runConvening(resumed, session, pastOf(convening));
    } catch (error) {
      tellHowToPick(error, session);
      throw nameFlag(error, invocation.values.keys(RESUME_FLAGS));
    }
  },
};

/** `say <dir>`. */
export const SAY: CommandAction = {
  flags: SAY_FLAGS,
  async run(invocation, session) {
    const { values } = invocation;
    const dir = await directoryOf(invocation, session);
    if (values.get(INTERJECT) !== true) return await sayTurn(dir, invocation, session);
    const as = values.get(AS);
    if (as !== undefined) {
      throw new ConfigurationError(`Cannot use --as ${as}: an interjection is nobody's turn`, {
        field: "--as",
        hint: "Leave --as out, or --interject.",
      });
    }
    return await leaveInterjection(dir, invocation, session);
  },
};

async function sayTurn(dir: string, invocation: Invocation, session: Session): Promise<Reply> {
  const { io, signal } = session;
  requirePermissions(io, { reads: [dir] });
  const convening = await openConvening(dir);
  const { result } = convening;
  takeUp(convening, session);
  if (result.status !== "waiting") throw nobodyWaits(dir, result.status);
  const config = resumedSettings(convening, invocation, { flags: SAY_FLAGS, session });
  const text = await textOf(invocation, session);
  if (result.waitingFor?.every(({ turn }) => isPickKey(turn)) === true) {
    checkPick(text, { said: convening.messages, field: SAY_FILE.name });
  }
  const said = await speak(dir, text, {
    as: invocation.values.get(AS),
    config,
    env: io.env,
    signal,
    catalogue: session.catalogue,
    ...keyRules(invocation, session, { ofRecord: true }),
  });
  const { participant, left } = said;
  if (!left) {
    const reply = await runConvening(said.convening, session, pastOf(convening));
    return { ...reply, json: { ...reply.json, participant, left } };
  }
  return {
    code: 0,
    json: { ...resultJson({ ...result, dir, paper: paperOf(session) }), participant, left },
    text: `Left for the process that runs it: the turn of ${
      session.names.get(participant) ?? participant
    }\n`,
  };
}

function nobodyWaits(dir: string, status: string): TurnOrderError {
  return new TurnOrderError(`Cannot speak in ${dir}: it waits for nobody (${status})`, {
    hint: status === "completed"
      ? "It has ended; fork it to go on from one of its messages."
      : "Give --interject to be heard as the audience, or resume it.",
  });
}

async function leaveInterjection(
  dir: string,
  invocation: Invocation,
  session: Session,
): Promise<Reply> {
  requirePermissions(session.io, { reads: [dir], writes: archiveOf(dir) });
  const convening = await openConvening(dir);
  takeUp(convening, session);
  const { result } = convening;
  const { held } = await interject(dir, await textOf(invocation, session));
  const when = held ? "before the next turn" : "when it is gone on with";
  return {
    code: 0,
    json: { ...resultJson({ ...result, dir, paper: paperOf(session) }), interjected: true, held },
    text: `Left: it is heard ${when}\n`,
  };
}

async function textOf({ values }: Invocation, session: Session): Promise<string> {
  const { io } = session;
  const file = values.get(SAY_FILE) ?? "-";
  if (file !== "-") return await io.readText(userPath(file, session), "--file");
  if (io.inIsTerminal) {
    session.tell("Write what is to be said; Ctrl-D on a line of its own ends it.");
  }
  return await readAll(io.read);
}

const WAIT = flag(
  "--wait <time>",
  "how long turns in flight may take to finish (default: 120s)",
  readDuration,
);

const USUAL_WAIT = 120_000;

/** States in which a convening can rest with nothing left to do about it. */
const IN_ORDER: readonly string[] = ["paused", "waiting", "completed", "stopped"];

/** `pause <dir>`. */
export const PAUSE: CommandAction = {
  flags: [WAIT],
  async run(invocation, session) {
    const dir = await directoryOf(invocation, session);
    requirePermissions(session.io, { reads: [dir], writes: archiveOf(dir) });
    const before = await pauseConvening(dir);
    const within = invocation.values.get(WAIT) ?? USUAL_WAIT;
    const held = before.held && await untilReleased(dir, { within, signal: session.signal });
    const { status } = (await openConvening(dir)).result;
    const isInterrupted = !held && status === "running";
    const shown = isInterrupted ? "interrupted" : status;
    const what = held
      ? "Asked; turns in flight are still being finished"
      : before.held
      ? capitalized(shown)
      : `No process runs it: ${shown}`;
    if (!held && status !== "completed" && !session.quiet) {
      session.dir = dir;
      tellHowToResume(session);
    }
    return {
      code: !held && IN_ORDER.includes(status) ? 0 : 1,
      json: { dir, status: shown, held },
      text: `${what}\n`,
    };
  },
};

/** `watch <dir>`. */
export const WATCH: CommandAction = {
  flags: [],
  async run(invocation, session) {
    const { io } = session;
    const dir = await directoryOf(invocation, session);
    requirePermissions(io, { reads: [dir] });
    const isInterrupted = await follow(dir, session);
    const convening = await openConvening(dir);
    takeUp(convening, session);
    // Events of a later judgement may follow the end.
    return isInterrupted && convening.result.status === "running"
      ? interrupted(session)
      : { ...finish(convening.result, session), json: undefined };
  },
};

async function follow(dir: string, session: Session): Promise<boolean> {
  const view = session.quiet ? undefined : liveView(session);
  try {
    const events = watchConvening(dir, { signal: session.signal });
    for (;;) {
      const step = await events.next();
      if (step.done === true) return step.value.isInterrupted;
      if (session.json) session.io.out(`${JSON.stringify(step.value)}\n`);
      view?.progress.take(step.value);
    }
  } finally {
    view?.end();
  }
}

function interrupted(session: Session): Reply {
  tellHowToResume(session);
  return { code: 1, json: undefined, text: "Interrupted: no process runs it\n" };
}
