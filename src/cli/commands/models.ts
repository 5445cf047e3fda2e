// Prints what is known of models, and removes what servers taught: `models`.
import { LOCAL_SERVERS } from "../../agents/local_servers.ts";
import type { CommonConfig } from "../../config/convening_config.ts";
import { plainLine } from "../../core/text.ts";
import { MODELS as OPERATION, type ModelsJson } from "../../operations/models.ts";
import type { CommandAction, Invocation, Reply } from "../command.ts";
import { outOf } from "../directory.ts";
import { toggle } from "../flag.ts";
import { BASE_URL, CONFIG } from "../flags.ts";
import { ARCHIVE, operationCommand, type Place } from "../operation_command.ts";
import { requirePermissions } from "../permissions.ts";
import type { Session } from "../session.ts";
import { configPath, fileSettings } from "../settings.ts";

const FORGET = toggle("--forget", "remove what servers taught the archive's convenings");

const KNOWN = operationCommand<ModelsJson>(OPERATION, {
  args: ["name"],
  flags: [BASE_URL, CONFIG, ARCHIVE, FORGET],
  place: placeOf,
  lines: (json, _session, { args: [name] }) => shown(json, name),
});

/** `models [name]`. */
export const MODELS: CommandAction = {
  ...KNOWN,
  async run(invocation, session) {
    const { values } = invocation;
    if (values.get(FORGET) !== true) return await KNOWN.run(invocation, session);
    return await forget(outOf(values, session), session.io);
  },
};

/** The archive, and addresses of models; servers of this machine are asked where no model is named. */
async function placeOf(invocation: Invocation, session: Session): Promise<Place> {
  const { args: [name], values } = invocation;
  const { io } = session;
  const out = outOf(values, session);
  requirePermissions(io, { reads: [out] });
  const path = await configPath(invocation, session);
  const file: Partial<CommonConfig> = path === undefined
    ? {}
    : await fileSettings(undefined, path, session);
  const hosts = Object.values(LOCAL_SERVERS).map(({ origin }) => new URL(origin).host);
  if (name === undefined) requirePermissions(io, { hosts });
  const baseUrl = values.get(BASE_URL) ?? file.baseUrl;
  return { out, models: { env: io.env, baseUrl, providers: file.providers } };
}

async function forget(out: string, io: Parameters<typeof requirePermissions>[0]): Promise<Reply> {
  requirePermissions(io, { reads: [out], writes: out });
  const { dropLessons } = await import("../../inputs/lessons.ts");
  await dropLessons(out);
  return { code: 0, json: { out, forgotten: true }, text: `Forgot the lessons in ${out}\n` };
}

function shown({ model, servers, local, lessons }: ModelsJson, name: string | undefined): string[] {
  const learned = lessons.map(({ origin, model, key, from, to, because, at }) =>
    `${model} at ${origin}: ${key} ${valueOf(from)} → ${valueOf(to)} (${
      at.slice(0, 10)
    }: ${because})`
  );
  const taught = learned.length === 0 ? [] : ["Learned from servers:", ...indented(learned)];
  if (model !== null) {
    const rows = model.profile.map(({ key, value, from }) => `${key}: ${valueOf(value)} (${from})`);
    const title = plainLine(`${model.id}: ${model.provider}, ${model.baseUrl}`);
    return [title, ...indented(rows), ...taught];
  }
  if (name !== undefined) return [`${plainLine(name)}: a model of no server`];
  return [
    "Servers:",
    ...indented(
      servers.map(({ prefix, label, baseUrl, apiKeyEnv }) =>
        `${prefix === "" ? "MODEL" : `${prefix}:MODEL`}: ${label}, ${baseUrl}` +
        `${apiKeyEnv === null ? "" : `, key in ${apiKeyEnv}`}`
      ),
    ),
    ...localLines(local),
    ...taught,
  ];
}

/** Lines on the model servers of this machine. */
export function localLines(local: ModelsJson["local"]): readonly string[] {
  return [
    local.length === 0 ? "No model server of this machine answers." : "On this machine:",
    ...local.flatMap(({ prefix, label, origin, models }) =>
      indented([
        `${label} at ${origin}${models.length === 0 ? ": no model" : ""}`,
        ...models.map(({ id, window }) =>
          `${prefix}:${id}${window === null ? "" : `, window of ${window} tokens`}`
        ),
      ])
    ),
  ];
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${plainLine(line)}`);
}

function valueOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "unset";
}
