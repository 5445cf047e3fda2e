import { join } from "@std/path";
import { ConveningError } from "../core/error.ts";
import { linked, linkedPart } from "../output/links.ts";
import { diskFiles, realPath } from "../output/fs_store.ts";

/** The name of a convening's directory; nothing else is ever looked for. */
const ID = /^(\d{4}-\d{2}-\d{2})T\d{2}-\d{2}-\d{2}_[a-z0-9][a-z0-9-]{0,80}$/;

/**
 * The directory of a convening of an archive, by its id. Fails with `not_found` for anything that is none: other names,
 * and links that lead elsewhere; with `record_corrupt` where a part of its record is a link.
 */
export async function conveningDir(out: string, id: string): Promise<string> {
  const [, day] = ID.exec(id) ?? [];
  if (day !== undefined) {
    const dir = join(out, day, id);
    const [archive, real] = await Promise.all([realPath(out), realPath(dir)]);
    const isHere = archive !== undefined && real === join(archive, day, id);
    if (isHere && await diskFiles.stat(join(dir, "metadata.md")) !== undefined) {
      const part = await linkedPart(diskFiles, dir);
      if (part !== undefined) throw linked(`${id}/${part}`);
      return dir;
    }
  }
  throw new ConveningError("not_found", `Cannot find convening "${id.slice(0, 100)}"`, {
    field: "id",
    hint: "GET /api/convenings lists what there is.",
  });
}
