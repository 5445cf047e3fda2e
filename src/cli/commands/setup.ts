// Commands before the first convening: `init` writes a configuration file, `doctor` prints what is set up.
import { dirname, join } from "@std/path";
import { DEFAULT_OUT } from "../../config/setting_shapes.ts";
import type { ConveningConfig } from "../../config/convening_config.ts";
import { FileError, temporaryName } from "../../core/files.ts";
import { ConfigurationError, ConveningError } from "../../core/error.ts";
import { plainLine } from "../../core/text.ts";
import text from "../../data/convenings.yaml" with { type: "text" };
import { folderShelf } from "../../inputs/folder_shelf.ts";
import { defaultModel, LOOK_UP_VARIABLES } from "../../inputs/servers.ts";
import { MODELS, type ModelsJson } from "../../operations/models.ts";
import { filesBelow, userFiles } from "../../record/disk_files.ts";
import type { CommandAction, Invocation } from "../command.ts";
import { userPath } from "../directory.ts";
import { CONFIG, OUT } from "../flags.ts";
import { ARCHIVE } from "../operation_command.ts";
import {
  missingPermissions,
  requirePermissions,
  TASK_HOSTS,
  TASK_VARIABLES,
} from "../permissions.ts";
import { wrapped } from "../report.ts";
import type { Session } from "../session.ts";
import { CONFIG_FILE, configPath, fileSettings } from "../settings.ts";
import { NO_KEY } from "../start.ts";
import { localLines } from "./models.ts";

/** `init`. */
export const INIT: CommandAction = {
  flags: [],
  async run(_invocation, { io }) {
    const path = join(io.folder, CONFIG_FILE);
    requirePermissions(io, { reads: [path], writes: io.folder });
    try {
      await filesBelow(io.folder).write(path, text);
    } catch (error) {
      if (!(error instanceof FileError) || error.problem !== "exists") throw error;
      throw new ConfigurationError(`Cannot write ${path}: there is one already`, {
        hint: "Edit the file, or move it away first.",
      });
    }
    return { code: 0, json: { path }, text: `${path}\n` };
  },
};

/** `doctor`. */
export const DOCTOR: CommandAction = {
  flags: [CONFIG, ARCHIVE],
  async run(invocation, session) {
    const { io, signal, catalogue } = session;
    const { path, file, problems } = await configuration(invocation, session);
    const out = userPath(invocation.values.get(OUT) ?? file.out ?? DEFAULT_OUT, session);
    const models = { env: io.env, baseUrl: file.baseUrl, providers: file.providers };
    const { servers, local } = await MODELS.run(
      { out, models, catalogue, signal, papers: folderShelf(out) },
      {},
      { signal },
    ) as ModelsJson;
    const keys = keysOf(servers, session);
    const model = file.model ?? defaultModel(models);
    const findings = [
      ...problems,
      ...missingPermissions(io, {
        hosts: TASK_HOSTS,
        reads: [io.folder],
        writes: out,
        variables: TASK_VARIABLES,
      }).map((each) => `This program may not ${each}`),
      ...io.permitted({ name: "write", path: out }) ? await unwritable(out) : [],
    ];
    const width = Math.max(...keys.map(({ variable }) => variable.length));
    const lines = [
      "Keys in the environment (`--env-file=.env` of deno adds those of a file):",
      ...keys.map(({ variable, isSet, of }) =>
        `  ${variable.padEnd(width)}  ${isSet ? "set    " : "not set"}  ${plainLine(of)}`
      ),
      ...localLines(local),
      `Model where none is named: ${plainLine(model)}`,
      ...model === "offline" ? [NO_KEY] : [],
      `Configuration: ${path ?? "none; init writes one"}`,
      `Archive: ${out}`,
      ...findings.length === 0 ? ["Nothing is missing."] : ["Findings:"],
      ...findings.map((each) => `  ${plainLine(each)}`),
    ];
    return {
      code: findings.length === 0 ? 0 : 1,
      json: { keys, local, model, configuration: path ?? null, out, findings },
      text: wrapped(lines, session).map((line) => `${line}\n`).join(""),
    };
  },
};

/** The configuration file, and the reason why it cannot be used. */
async function configuration(invocation: Invocation, session: Session): Promise<{
  readonly path: string | undefined;
  readonly file: Partial<ConveningConfig>;
  readonly problems: readonly string[];
}> {
  const path = await configPath(invocation, session);
  try {
    const file = path === undefined ? {} : await fileSettings(undefined, path, session);
    return { path, file, problems: [] };
  } catch (error) {
    if (!(error instanceof ConveningError)) throw error;
    return { path, file: {}, problems: [error.message] };
  }
}

/** The variables of keys, each with the names of its servers; never a value. */
function keysOf(servers: ModelsJson["servers"], { io }: Session) {
  const of = new Map<string, Set<string>>();
  const named = servers.flatMap(({ apiKeyEnv, label }) =>
    apiKeyEnv === null ? [] : [[apiKeyEnv, label] as const]
  );
  const searches = LOOK_UP_VARIABLES.filter((name) => name.endsWith("_KEY"))
    .map((name) => [name, "searches of the web"] as const);
  for (const [variable, label] of [...named, ...searches]) {
    of.set(variable, (of.get(variable) ?? new Set()).add(label));
  }
  return [...of].map(([variable, labels]) => ({
    variable,
    isSet: (io.env(variable) ?? "").trim() !== "",
    of: [...labels].join(", "),
  }));
}

/** The reason why nothing can be written in an archive: a file is made and removed where the folders end that are there. */
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
