// Finds the directories and the URL paths of convenings by their ids.
import { basename, join } from "@std/path";
import { ConveningError } from "../core/error.ts";
import { filesBelow } from "../record/disk_files.ts";
import { checkPlain } from "../core/files.ts";
import { withoutPaths } from "./problems.ts";

/** Name of a convening's directory, which is its id; an id of another form is never looked up on disk. */
const ID = /^(\d{4}-\d{2}-\d{2})T\d{2}-\d{2}-\d{2}_[a-z0-9][a-z0-9-]{0,80}$/;

/** Id of a study's convening: the study's id, a dot, and the key of the cell. */
const OF_STUDY = /^([a-z0-9][a-z0-9-]{0,63})\.([0-9a-f]{16})$/;

/** End of the path of a study's convening, with `/`. */
const IN_STUDY = /(?:^|\/)studies\/([a-z0-9][a-z0-9-]{0,63})\/debates\/([0-9a-f]{16})$/;

/**
 * Returns the path segments from an archive to the directory of an id, which need not exist. Throws `not_found` for an
 * invalid id.
 */
export function namesOf(id: string): readonly string[] {
  const [, study, key] = OF_STUDY.exec(id) ?? [];
  if (study !== undefined && key !== undefined) return ["studies", study, "debates", key];
  const [, day] = ID.exec(id) ?? [];
  if (day === undefined) throw missing(id);
  return [day, id];
}

/** Returns true for a text in the form of an id; the convening need not exist. */
export function isId(text: string): boolean {
  return ID.test(text) || OF_STUDY.test(text);
}

/** Returns the id of a convening's directory: the name of the directory, or `STUDY.KEY` for a study's convening. */
export function idOf(dir: string): string {
  const [, study, key] = IN_STUDY.exec(dir.replaceAll("\\", "/")) ?? [];
  return study === undefined ? basename(dir) : `${study}.${key}`;
}

/**
 * Returns the directory of a convening of an archive, by id. Throws `not_found`, and `record_corrupt` if the directory or
 * an entry is not a plain file or folder (a link, for instance).
 */
export async function conveningDir(out: string, id: string): Promise<string> {
  const names = namesOf(id);
  const files = filesBelow(out);
  const dir = join(out, ...names);
  try {
    if (await files.stat(join(dir, "metadata.md")) === undefined) throw missing(id);
    await checkPlain(files, dir);
  } catch (error) {
    throw withoutPaths(error, out);
  }
  return dir;
}

function missing(id: string): ConveningError {
  return new ConveningError("not_found", `Cannot find convening "${id.slice(0, 100)}"`, {
    field: "id",
    hint: "Give an id from the list of convenings, whose first row is the latest.",
  });
}

/** Returns the directory of an operation's convening: `dir` of the context if present, else the directory of the id. */
export async function dirOf(
  { out, dir }: { readonly out: string; readonly dir?: string | undefined },
  id: string,
): Promise<string> {
  return dir ?? await conveningDir(out, id);
}

/** Returns the URL paths of a convening's resources on this server. */
export function linksOf(id: string): Readonly<Record<string, string>> {
  const self = `/api/convenings/${id}`;
  return {
    self,
    events: `${self}/events`,
    messages: `${self}/messages`,
    scores: `${self}/scores`,
    verify: `${self}/verify`,
    export: `${self}/export`,
    index: `${self}/files/index.md`,
  };
}
