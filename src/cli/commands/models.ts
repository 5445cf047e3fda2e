// Prints what is known of models, and removes what servers taught: `models`.
import { LOCAL_SERVERS } from "../../agents/local_servers.ts";
import { DEFAULT_OUT } from "../../compose.ts";
import type { CommonConfig } from "../../config/convening_config.ts";
import { plainLine } from "../../core/text.ts";
import { folderShelf } from "../../inputs/folder_shelf.ts";
import { checkInput } from "../../operations/check_input.ts";
import { MODELS as OPERATION, type ModelsJson } from "../../operations/models.ts";
import { RunPool } from "../../operations/run_pool.ts";
import type { CommandAction, Reply } from "../command.ts";
import { userPath } from "../directory.ts";
import { reworded, toggle } from "../flag.ts";
import { BASE_URL, CONFIG, OUT } from "../flags.ts";
import { requirePermissions } from "../permissions.ts";
import { fileSettings } from "../settings.ts";

const FORGET = toggle("--forget", "remove what servers taught the archive's convenings");

/** `models [name]`. */
export const MODELS: CommandAction = {
  flags: [BASE_URL, CONFIG, reworded(OUT, "the archive (default: convenings)"), FORGET],
  async run({ args, values }, session) {
    const { io, catalogue, signal } = session;
    const out = userPath(values.get(OUT) ?? DEFAULT_OUT, session);
    requirePermissions(io, { reads: [out] });
    if (values.get(FORGET) === true) return await forget(out, io);
    const path = values.get(CONFIG);
    const file: Partial<CommonConfig> = path === undefined
      ? {}
      : await fileSettings(undefined, path, session);
    const [name] = args;
    const hosts = Object.values(LOCAL_SERVERS).map(({ origin }) => new URL(origin).host);
    if (name === undefined) requirePermissions(io, { hosts });
    const baseUrl = values.get(BASE_URL) ?? file.baseUrl;
    const input = checkInput(OPERATION.input, name === undefined ? {} : { name }, {
      whole: "arguments",
      part: "argument",
    });
    const json = await OPERATION.run(
      {
        out,
        pool: new RunPool({ out }),
        models: { env: io.env, baseUrl, providers: file.providers },
        catalogue,
        papers: folderShelf(out),
        signal,
      },
      input,
      { signal },
    ) as ModelsJson;
    return {
      code: 0,
      json: { ...json },
      text: shown(json, name).map((line) => `${line}\n`).join(""),
    };
  },
};

async function forget(out: string, io: Parameters<typeof requirePermissions>[0]): Promise<Reply> {
  requirePermissions(io, { writes: out });
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
    ...local.length === 0 ? ["No model server of this machine answers."] : ["On this machine:"],
    ...local.flatMap(({ prefix, label, origin, models }) =>
      indented([
        `${label} at ${origin}${models.length === 0 ? ": no model" : ""}`,
        ...models.map(({ id, window }) =>
          `${prefix}:${id}${window === null ? "" : `, window of ${window} tokens`}`
        ),
      ])
    ),
    ...taught,
  ];
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${plainLine(line)}`);
}

function valueOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "unset";
}
