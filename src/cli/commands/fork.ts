import { dirname } from "@std/path";
import { fork } from "../../operations/convening.ts";
import { ConfigurationError } from "../../core/error.ts";
import type { CommandAction } from "../command.ts";
import { archiveOf, directoryOf, userPath } from "../directory.ts";
import { flag, word } from "../flag.ts";
import { OUT } from "../flags.ts";
import { requirePermissions } from "../permissions.ts";
import { readWhole } from "../read_value.ts";

const AT = flag("--at", {
  value: "<n>",
  about: "the last message to take over",
  read: readWhole,
});
const EDIT = word("--edit", {
  value: "<file>",
  about: "a text that takes the place of that message",
});

/** `fork <dir> --at N`. */
export const FORK: CommandAction = {
  flags: [AT, EDIT, OUT],
  async run(invocation, session) {
    const { values } = invocation;
    const parent = directoryOf(invocation, session);
    const at = values.get(AT);
    if (at === undefined) {
      throw new ConfigurationError("Cannot fork: --at was not given", {
        field: "--at",
        hint: "Write --at N, the number of the last message to take over.",
      });
    }
    const file = values.get(EDIT);
    const edit = file === undefined
      ? undefined
      : await session.io.readText(userPath(file, session), "--edit");
    const given = values.get(OUT);
    const out = given === undefined ? undefined : userPath(given, session);
    const archive = archiveOf(parent);
    const own = archive === parent ? dirname(parent) : archive;
    requirePermissions(session.io, { reads: [parent], writes: out ?? own });
    const dir = await fork(parent, { at, edit, out });
    session.tell(`To go on: ${session.commandLine("resume", dir)}`);
    return {
      code: 0,
      json: { dir, parent, at, edited: edit !== undefined },
      text: `${dir}\n`,
    };
  },
};
