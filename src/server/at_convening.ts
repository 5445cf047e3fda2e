import { withoutPlace } from "../operations/without_place.ts";
import type { ServerContext } from "../operations/server_context.ts";
import { conveningDir } from "../operations/convening_dir.ts";

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
    throw withoutPlace(error, out);
  }
}
