import { exportConvening } from "../../operations/convening.ts";
import { TRANSCRIPT_FORMATS } from "../../config/setting_shapes.ts";
import { ConfigurationError } from "../../core/error.ts";
import type { CommandAction } from "../command.ts";
import { archiveOf, directoryOf } from "../directory.ts";
import { choice } from "../flag.ts";
import { requirePermissions } from "../permissions.ts";

const EXPORT_FORMAT = choice("--format", {
  allowed: TRANSCRIPT_FORMATS,
  about: "the transcript's form",
});

/** `export <dir> --format F`. */
export const EXPORT: CommandAction = {
  flags: [EXPORT_FORMAT],
  async run(invocation, session) {
    const dir = directoryOf(invocation, session);
    const format = invocation.values.get(EXPORT_FORMAT);
    if (format === undefined) {
      throw new ConfigurationError("Cannot export: --format was not given", {
        field: "--format",
        hint: `Write --format ${EXPORT_FORMAT.value}.`,
      });
    }
    requirePermissions(session.io, { reads: [dir], writes: archiveOf(dir) });
    const path = await exportConvening(dir, format);
    return { code: 0, json: { dir, format, path }, text: `${path}\n` };
  },
};
