import { withoutPlace } from "../library/without_place.ts";
import type { ServerContext } from "./context.ts";
import { conveningDir } from "../library/convening_dir.ts";

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
