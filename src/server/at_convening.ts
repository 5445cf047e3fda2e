import { dirname } from "@std/path";
import { ConveningError } from "../core/error.ts";
import type { ServerContext } from "./context.ts";
import { conveningDir } from "./convening_dir.ts";

/** Does something with the convening of an id. What goes wrong is told by ids: where the archive lies is not. */
export async function atConvening<T>(
  { out }: Pick<ServerContext, "out">,
  id: string,
  work: (dir: string) => Promise<T>,
): Promise<T> {
  const dir = await conveningDir(out, id);
  try {
    return await work(dir);
  } catch (error) {
    throw withoutPlace(error, dirname(dir));
  }
}

/** An error without the folder it speaks of. */
export function withoutPlace(error: unknown, folder: string): unknown {
  if (!(error instanceof ConveningError)) return error;
  const { code, message, hint, field } = error;
  const bare = (text: string) =>
    text.replaceAll(`${folder}/`, "").replaceAll(folder, "the archive");
  return new ConveningError(code, bare(message), {
    hint: hint && bare(hint),
    field: field && bare(field),
    cause: error,
  });
}
