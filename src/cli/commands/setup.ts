// Setup commands: `init` writes a configuration file, `doctor` checks the setup, `models` shows known models and servers.
import { dirname, join } from "@std/path";
import { LOCAL_SERVERS } from "../../agents/local_servers.ts";
import { LOCAL } from "../../agents/registry.ts";
import { SEARCH_VARIABLES } from "../../checking/searchers.ts";
import { BUILT_IN } from "../../compose.ts";
import type { CommonConfig, ConveningConfig } from "../../config/convening_config.ts";
import { DEFAULT_OUT } from "../../config/setting_shapes.ts";
import { ConfigurationError, ConveningError } from "../../core/error.ts";
import { FileError, temporaryName } from "../../core/files.ts";
import { counted, plainLine } from "../../core/text.ts";
import text from "../../data/convenings.yaml" with { type: "text" };
import { folderShelf } from "../../inputs/folder_shelf.ts";
import { defaultModel, modelsOf } from "../../inputs/servers.ts";
import { MODELS as OPERATION, type ModelsJson } from "../../operations/models.ts";
import { filesBelow, userFiles } from "../../record/disk_files.ts";
import { AGAIN, asRecordError } from "../../record/problems.ts";
import { checkLocal, hasBaseUrl } from "../cast_flags.ts";
import { CONFIG_FILE, outOf, userPath } from "../directory.ts";
import { toggle } from "../flag.ts";
import { BASE_URL, CONFIG, OUT } from "../flags.ts";
import { ARCHIVE, operationCommand, type Place } from "../operation_command.ts";
import {
  missingPermissions,
  requirePermissions,
  TASK_HOSTS,
  TASK_VARIABLES,
} from "../permissions.ts";
import { NO_KEY } from "../run_convening.ts";
import { type Action, type Invocation, type Reply, replyOf, type Session } from "../session.ts";
import { configPath, fileSettings } from "../settings.ts";

export const INIT: Action = {
  flags: [],
  async run(_invocation, { io }) {
    const path = join(io.folder, CONFIG_FILE);
    requirePermissions(io, { reads: [path], writes: io.folder });
    try {
      await filesBelow(io.folder).write(path, text);
    } catch (error) {
      if (!(error instanceof FileError) || error.problem !== "exists") {
        throw asRecordError(error, AGAIN);
      }
      throw new ConfigurationError(`Cannot write ${path}: the file exists already`, {
        hint: "Edit the file, or move it away first.",
      });
    }
    return replyOf({ path }, [path]);
  },
};

export const DOCTOR: Action = {
  flags: [CONFIG, ARCHIVE],
  async run(invocation, session) {
    const { io, signal, catalogue = BUILT_IN } = session;
    const path = await configPath(invocation, session);
    let file: Partial<ConveningConfig> = {};
    const problems = path === undefined ? [] : await problemsOf(async () => {
      file = await fileSettings(undefined, path, session);
    });
    const out = userPath(invocation.values.get(OUT) ?? file.out ?? DEFAULT_OUT, session);
    const models = { env: io.env, baseUrl: file.baseUrl, providers: file.providers };
    const { servers, local } = await OPERATION.run(
      { out, models, catalogue, signal, papers: folderShelf(out) },
      {},
      { signal },
    ) as ModelsJson;
    const keys = keysOf(servers, session);
    const model = file.model ?? defaultModel(models);
    const isUnset = file.model === undefined && model === "offline";
    const named = [...new Set([model, ...modelsOf(file).map((each) => each ?? model)])];
    const findings = [
      ...problems,
      ...(await Promise.all(named.map((each) =>
        problemsOf(async () => {
          if (each === LOCAL && !hasBaseUrl(file.baseUrl, session)) return checkLocal(local);
          if (catalogue.hasOwn(each)) return;
          const agent = catalogue.agent(each, models);
          // Only a replay: a server would be asked.
          if (agent.source === undefined) await agent.check?.(signal);
        })
      ))).flat(),
      ...missingPermissions(io, {
        hosts: TASK_HOSTS,
        reads: [io.folder],
        writes: out,
        variables: TASK_VARIABLES,
      })
        .map((each) => `This program may not ${each}`),
      ...io.permitted({ name: "write", path: out }) ? await unwritable(out) : [],
    ];
    const width = Math.max(...keys.map(({ variable }) => variable.length));
    const lines = [
      "Keys in the environment (`--env-file=.env` of deno adds those of a file):",
      ...keys.map(({ variable, isSet, of }) =>
        `  ${variable.padEnd(width)}  ${isSet ? "set    " : "not set"}  ${plainLine(of)}`
      ),
      ...localLines(local),
      `Default model: ${plainLine(model)}`,
      ...isUnset ? [NO_KEY] : [],
      `Configuration: ${path ?? "none; init writes one"}`,
      `Archive: ${out}`,
      findings.length > 0 ? "Findings:" : `Nothing ${isUnset ? "else " : ""}is missing.`,
      ...findings.map((each) => `  ${plainLine(each)}`),
    ];
    return replyOf(
      { keys, local, model, configuration: path ?? null, out, findings },
      session.wrapped(lines),
      findings.length === 0 ? 0 : 1,
    );
  },
};

async function problemsOf(check: () => Promise<void>): Promise<string[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (!(error instanceof ConveningError)) throw error;
    return [error.message];
  }
}

/** Returns the variables of API keys with the names of their servers, without the values. */
function keysOf(servers: ModelsJson["servers"], { io }: Session) {
  const named = servers.flatMap(({ apiKeyEnv, label }) =>
    apiKeyEnv === null ? [] : [[apiKeyEnv, label] as const]
  );
  const searches = SEARCH_VARIABLES.filter((name) => name.endsWith("_KEY"))
    .map((name) => [name, "searches of the web"] as const);
  const byVariable = Map.groupBy([...named, ...searches], ([variable]) => variable);
  return [...byVariable].map(([variable, keys]) => ({
    variable,
    isSet: (io.env(variable) ?? "").trim() !== "",
    of: [...new Set(keys.map(([, label]) => label))].join(", "),
  }));
}

/** Returns a problem if the archive is not writable; tries with a temporary file in the deepest existing folder. */
async function unwritable(out: string): Promise<readonly string[]> {
  try {
    let folder = out;
    while (await userFiles.stat(folder) === undefined && folder !== dirname(folder)) {
      folder = dirname(folder);
    }
    const files = filesBelow(folder);
    const path = join(folder, temporaryName("doctor"));
    await files.write(path, "");
    await files.remove(path);
    return [];
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return [`Nothing can be written in ${out}: ${error.problem.replaceAll("_", " ")}`];
  }
}

const FORGET = toggle("--forget", "remove what the archive's convenings learned from servers");

const KNOWN = operationCommand<ModelsJson>(OPERATION, {
  args: { name: "[name]" },
  flags: [BASE_URL, CONFIG, ARCHIVE, FORGET],
  place: placeOf,
  lines: (json, _session, { args: [name] }) => shown(json, name),
});

export const MODELS: Action = {
  ...KNOWN,
  async run(invocation, session) {
    const { args: [name], values } = invocation;
    if (values.get(FORGET) !== true) return await KNOWN.run(invocation, session);
    const out = await outOf(values, session);
    if (name === undefined) return await forget(out, session.io);
    const known = await KNOWN.run(invocation, session);
    const { model, lessons } = known.json as unknown as ModelsJson;
    if (model === null) return known;
    if (lessons.length > 0) return await forget(out, session.io, model);
    const { origin } = new URL(model.baseUrl);
    return replyOf({ out, forgotten: false }, [
      plainLine(`No lessons of ${model.id} at ${origin} in ${out}; models lists all lessons.`),
    ]);
  },
};

/** Returns the archive and the addresses of models; checks permission for local servers if no model is named. */
async function placeOf(invocation: Invocation, session: Session): Promise<Place> {
  const { args: [name], values } = invocation;
  const { io } = session;
  const out = await outOf(values, session);
  requirePermissions(io, { reads: [out] });
  const path = await configPath(invocation, session);
  const file: Partial<CommonConfig> = path === undefined
    ? {}
    : await fileSettings(undefined, path, session);
  const hosts = LOCAL_SERVERS.map(({ host }) => host);
  if (name === undefined) requirePermissions(io, { hosts });
  const baseUrl = values.get(BASE_URL) ?? file.baseUrl;
  return { out, models: { env: io.env, baseUrl, providers: file.providers } };
}

/** Forgets an archive's lessons: those of a model, or all. */
async function forget(
  out: string,
  io: Parameters<typeof requirePermissions>[0],
  model?: Pick<NonNullable<ModelsJson["model"]>, "id" | "baseUrl">,
): Promise<Reply> {
  requirePermissions(io, { reads: [out], writes: out });
  const { dropLessons } = await import("../../inputs/lessons.ts");
  await dropLessons(out, model && { origin: new URL(model.baseUrl).origin, model: model.id });
  const whose = model === undefined ? "" : ` of ${model.id}`;
  return replyOf({ out, forgotten: true }, [plainLine(`Forgot the lessons${whose} in ${out}`)]);
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
  if (name !== undefined) return [`${plainLine(name)}: not a model of a server`];
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

function localLines(local: ModelsJson["local"]): readonly string[] {
  return [
    local.length === 0 ? "No model server of this machine answers." : "On this machine:",
    ...local.flatMap(({ prefix, label, origin, models }) =>
      indented([
        `${label} at ${origin}${models.length === 0 ? ": no model" : ""}`,
        ...models.map(({ id, window }) =>
          `${prefix}:${id}${window === null ? "" : `, window of ${counted(window, "token")}`}`
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
