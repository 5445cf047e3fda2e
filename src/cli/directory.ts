// Resolves the paths and the names of convenings that users give as arguments.
import { basename, dirname, join, resolve } from "@std/path";
import { newestDirs } from "../record/archive.ts";
import { archiveAround, DAY } from "../record/archive_place.ts";
import { DEFAULT_OUT } from "../config/setting_shapes.ts";
import { ConfigurationError, ConveningError } from "../core/error.ts";
import { type JsonObject, memoByObject } from "../core/values.ts";
import { conveningDir, isId } from "../operations/client_view.ts";
import { readText } from "../inputs/inputs.ts";
import { filesBelow, userFiles } from "../record/disk_files.ts";
import { readConfigFile, unusable } from "./config_file.ts";
import type { Invocation, Session } from "./session.ts";
import type { FlagValues } from "./flag.ts";
import { OUT } from "./flags.ts";
import { requirePermissions } from "./permissions.ts";

/** Returns a user's path as absolute; a relative path is relative to the user's working directory. */
export function userPath(path: string, session: Session): string {
  return resolve(session.io.folder, path);
}

/** Returns the absolute path of the archive of `--out`, else of the default archive. */
export async function outOf(values: FlagValues, session: Session): Promise<string> {
  const out = values.get(OUT);
  return out === undefined ? await defaultArchive(session) : userPath(out, session);
}

/** Returns the absolute path of the default archive: `out` of the found configuration file, else `convenings`. */
export async function defaultArchive(session: Session): Promise<string> {
  return session.archive ??= await outOfFile(session) ?? userPath(DEFAULT_OUT, session);
}

async function outOfFile(session: Session): Promise<string | undefined> {
  const path = await foundConfig(session);
  const { out } = await foundSettings(session);
  if (path === undefined || out === undefined) return undefined;
  if (typeof out === "string" && out !== "") return resolve(dirname(path), out);
  throw unusable(path, "out is not a path");
}

/** Name of the configuration file that is used without `--config`. */
export const CONFIG_FILE = "convenings.yaml";

/** Returns the path of a {@linkcode CONFIG_FILE} in the user's folder or the nearest folder above, looked for once a command. */
export const foundConfig: (session: Session) => Promise<string | undefined> = memoByObject(
  lookForConfig,
);

/** Returns the settings of the found configuration file, read once a command; none without a file. */
export const foundSettings: (session: Session) => Promise<JsonObject> = memoByObject(
  async (session) => {
    const path = await foundConfig(session);
    if (path === undefined) return {};
    return await readConfigFile(await readText(path, CONFIG_FILE), path, { found: true });
  },
);

async function lookForConfig({ io }: Session): Promise<string | undefined> {
  for (let folder = io.folder;; folder = dirname(folder)) {
    const path = join(folder, CONFIG_FILE);
    const isRead = io.permitted({ name: "read", path });
    if (isRead && (await userFiles.stat(path).catch(() => undefined))?.isFolder === false) {
      return path;
    }
    if (folder === dirname(folder)) return undefined;
  }
}

const LATEST = "latest";
/** Pages of a convening that stand for its directory when given as an argument. */
const PAGES: readonly string[] = ["index.md", "metadata.md"];
const LISTED = 8;

/**
 * Returns the absolute path of the convening's directory in a command's first argument. The argument is the path of the
 * directory or of a page in it, or a name in the default archive: `latest`, an id, or a prefix of an id, such as a day.
 * `ARCHIVE/NAME` names another archive. Throws `config_invalid` for an ambiguous prefix, and `not_found`.
 */
export async function directoryOf(
  { args: [word = "."] }: Invocation,
  session: Session,
  archive: (session: Session) => Promise<string> = defaultArchive,
): Promise<string> {
  const path = userPath(word, session);
  if (PAGES.includes(basename(path))) return dirname(path);
  const name = basename(path);
  if (name !== LATEST && !/^\d/.test(name) && !isId(name)) return path;
  const isPath = /[/\\]/.test(word);
  const out = isPath ? dirname(path) : await archive(session);
  const isDay = DAY.test(name);
  requirePermissions(session.io, { reads: [path, out] });
  if (!isDay && (await filesBelow(path).stat(path))?.isFolder === true) return path;
  if (isId(name)) {
    const found = await conveningDir(out, name).catch((error: unknown) => {
      if (error instanceof ConveningError && error.code === "not_found") return undefined;
      throw error;
    });
    if (found !== undefined) return found;
  }
  const dirs: string[] = [];
  for await (const dir of newestDirs(filesBelow(out), out, name === LATEST ? "" : name)) {
    if (name === LATEST) return dir;
    dirs.push(dir);
  }
  const [only, second] = dirs;
  if (only !== undefined && second === undefined) return only;
  if (only === undefined && isPath && name !== LATEST) return path;
  throw only === undefined ? missing(word, out) : ambiguous(word, dirs);
}

/** Returns a convening's argument for a command line to show: at a terminal its id in the default archive, else its path. */
export function wordFor(dir: string, session: Session): string {
  const name = basename(dir);
  const { archive, io: { live, outIsTerminal } } = session;
  const isShort = (live || outIsTerminal) && archive !== undefined;
  return isShort && dir === join(archive, name.slice(0, 10), name) ? name : dir;
}

function missing(word: string, out: string): ConveningError {
  return new ConveningError(
    "not_found",
    word === LATEST
      ? `Cannot find the latest convening: ${out} has none`
      : `Cannot find ${word}: there is no such folder, and no convening in ${out} has an id with this beginning`,
    {
      field: "dir",
      hint: `list${
        basename(out) === "trash" ? " --folder trash" : ""
      } prints the ids; ARCHIVE/NAME names a convening of another archive.`,
    },
  );
}

function ambiguous(word: string, dirs: readonly string[]): ConfigurationError {
  const left = dirs.length - LISTED;
  return new ConfigurationError(
    `Cannot tell which convening ${word} is: ${dirs.length} ids begin with it`,
    {
      field: "dir",
      hint: [
        "Write more of the id:",
        ...dirs.slice(0, LISTED).map((dir) => `  ${basename(dir)}`),
        ...left > 0 ? [`  and ${left} more`] : [],
      ].join("\n"),
    },
  );
}

/** Returns the folder that a command on a convening writes to: its archive, or its directory if it is in no archive. */
export function archiveOf(dir: string): string {
  const around = archiveAround(dir);
  return around === dirname(dir) ? dir : around;
}
