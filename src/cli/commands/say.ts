// Says a person's turn, or interjects: `say`.
import { interject, speak } from "../../operations/attending.ts";
import { openConvening } from "../../operations/convening.ts";
import { checkPick, isPickKey } from "../../operations/picking.ts";
import { ConfigurationError, TurnOrderError } from "../../core/error.ts";
import type { CommandAction, Invocation, Reply } from "../command.ts";
import { archiveOf, directoryOf, userPath } from "../directory.ts";
import { AS, INTERJECT, SAY_FILE, SAY_FLAGS } from "../flags.ts";
import { pastOf, settingsToGoOn, takeUp } from "../go_on.ts";
import { readAll } from "../input_lines.ts";
import { requirePermissions } from "../permissions.ts";
import { paperOf, runConvening } from "../run_convening.ts";
import type { Session } from "../session.ts";
import { keyRules } from "../settings.ts";
import { toldJson } from "../../operations/told_json.ts";

/** `say <dir>`. */
export const SAY: CommandAction = {
  flags: SAY_FLAGS,
  async run(invocation, session) {
    const { values } = invocation;
    const dir = directoryOf(invocation, session);
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
  const config = settingsToGoOn(convening, invocation, { flags: SAY_FLAGS, session });
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
    ...keyRules(invocation, { ofRecord: true }),
  });
  const { participant, left } = said;
  if (!left) {
    const reply = await runConvening(said.convening, session, pastOf(convening));
    return { ...reply, json: { ...reply.json, participant, left } };
  }
  return {
    code: 0,
    json: { ...toldJson({ ...result, dir, paper: paperOf(session) }), participant, left },
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
    json: { ...toldJson({ ...result, dir, paper: paperOf(session) }), interjected: true, held },
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
