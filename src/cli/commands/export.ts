import { exportConvening } from "../../convening.ts";
import { ConfigurationError } from "../../core/error.ts";
import type { CliCommand } from "../command.ts";
import { archiveOf, directoryOf } from "../directory.ts";
import { EXPORT_FORMAT } from "../flags.ts";
import { requirePermissions } from "../permissions.ts";

/** `export <dir> --format F`. */
export const EXPORT: CliCommand = {
  name: "export",
  arguments: ["<dir>"],
  about: "write a convening's whole transcript into its directory",
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
