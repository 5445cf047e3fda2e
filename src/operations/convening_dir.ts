// Directories of convenings, by their ids.
import { basename, join } from "@std/path";
import { ConveningError } from "../core/error.ts";
import { filesBelow } from "../record/disk_files.ts";
import { checkPlain } from "../core/files.ts";

/** The name of a convening's directory; nothing else is ever looked for. */
const ID = /^(\d{4}-\d{2}-\d{2})T\d{2}-\d{2}-\d{2}_[a-z0-9][a-z0-9-]{0,80}$/;

/** The id of a study's convening: the study's id and the cell's key. */
const OF_STUDY = /^([a-z0-9][a-z0-9-]{0,63})\.([0-9a-f]{16})$/;

/** Path of a study's convening from the archive, with `/`. */
const IN_STUDY = /(?:^|\/)studies\/([a-z0-9][a-z0-9-]{0,63})\/debates\/([0-9a-f]{16})$/;

/**
 * The names that lead from an archive to the convening of an id, whether it is there or not. Fails with `not_found` for
 * what is no id.
 */
export function namesOf(id: string): readonly string[] {
  const [, study, key] = OF_STUDY.exec(id) ?? [];
  if (study !== undefined && key !== undefined) return ["studies", study, "debates", key];
  const [, day] = ID.exec(id) ?? [];
  if (day === undefined) throw missing(id);
  return [day, id];
}

/** True of a text in the form of an id, of a study's convening too; no convening need have it. */
export function isId(text: string): boolean {
  return ID.test(text) || OF_STUDY.test(text);
}

/** The id of a convening's directory: its name, or of a study's convening `STUDY.KEY`. */
export function idOf(dir: string): string {
  const [, study, key] = IN_STUDY.exec(dir.replaceAll("\\", "/")) ?? [];
  return study === undefined ? basename(dir) : `${study}.${key}`;
}

/**
 * The directory of a convening of an archive, by its id. Fails with `not_found` for anything that is none, and with
 * `record_corrupt` where it, or an entry of it, is no plain file or folder.
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
    hint: "Give an id that the list of convenings has.",
  });
}

/** The directory of the convening of an operation: the one at hand, or that of an id in the archive. */
export async function dirOf(
  { out, dir }: { readonly out: string; readonly dir?: string | undefined },
  id: string,
): Promise<string> {
  return dir ?? await conveningDir(out, id);
}

/** Does something with the convening of an id; errors name no folder of this machine. */
export async function atConvening<T>(
  { out }: { readonly out: string },
  id: string,
  work: (dir: string) => Promise<T>,
): Promise<T> {
  const dir = await conveningDir(out, id);
  try {
    return await work(dir);
  } catch (error) {
    throw withoutPaths(error, out);
  }
}

/**
 * An error for a client that knows ids: without the archive's folder it speaks of, and naming the `id` where it names a
 * directory.
 */
export function withoutPaths(error: unknown, out: string): unknown {
  if (!(error instanceof ConveningError)) return error;
  const { code, message, hint, field, fields } = error;
  const bare = (text: string) =>
    text.split(out).map((part, at) => {
      if (at === 0) return part;
      return part.startsWith("/")
        ? part.slice(1).replace(/^\d{4}-\d\d-\d\d\//, "")
        : `the archive${part}`;
    }).join("");
  return new ConveningError(code, bare(message), {
    hint: hint && bare(hint),
    field: field === "dir" ? "id" : field && bare(field),
    fields: fields?.map((each) => ({
      field: bare(each.field),
      message: bare(each.message),
      hint: each.hint && bare(each.hint),
    })),
    cause: error,
  });
}
