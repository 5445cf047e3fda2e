// Writes an archive as a site of static pages: `site`.
import { plainLine } from "../../core/text.ts";
import { DEFAULT_OUT } from "../../config/setting_shapes.ts";
import type { CommandAction } from "../command.ts";
import { directoryOf, userPath } from "../directory.ts";
import { nameFlag, reworded } from "../flag.ts";
import { OUT } from "../flags.ts";
import { loadModule } from "../load_module.ts";
import { requirePermissions } from "../permissions.ts";

const FOLDER = reworded(OUT, "the folder of the site: new, or an earlier site (default: site)");

/** `site [archive]`. */
export const SITE: CommandAction = {
  flags: [FOLDER],
  async run({ args: [archive = DEFAULT_OUT], values }, session) {
    const source = await directoryOf({ args: [archive], values }, session);
    const out = userPath(values.get(FOLDER) ?? "site", session);
    requirePermissions(session.io, { reads: [source, out], writes: out });
    const { writeSite } = await loadModule<typeof import("../../viewer/site/site.ts")>(
      import.meta.resolve("../../viewer/site/site.ts"),
    );
    const written = await writeSite(source, { out }).catch((error: unknown) => {
      throw nameFlag(error, new Map([["out", FOLDER]]));
    });
    for (const { id, problem } of written.skipped) {
      session.note(`left out: ${id}: ${plainLine(problem)}`);
    }
    const index = `${out}/index.html`;
    return { code: 0, json: { ...written, index }, text: `${index}\n` };
  },
};
