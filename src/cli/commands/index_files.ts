import { join } from "@std/path";
import { rebuildIndex } from "../../operations/convening.ts";
import type { CommandAction } from "../command.ts";
import { archiveOf, directoryOf } from "../directory.ts";
import { requirePermissions } from "../permissions.ts";

/** `index <dir>`. */
export const INDEX: CommandAction = {
  flags: [],
  async run(invocation, session) {
    const dir = directoryOf(invocation, session);
    requirePermissions(session.io, { reads: [dir], writes: archiveOf(dir) });
    await rebuildIndex(dir);
    const index = join(dir, "index.md");
    return { code: 0, json: { dir, index }, text: `${index}\n` };
  },
};
