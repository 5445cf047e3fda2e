import { verify } from "../../operations/convening.ts";
import type { CommandAction } from "../command.ts";
import { directoryOf } from "../directory.ts";
import { number } from "../figures.ts";
import { requirePermissions } from "../permissions.ts";
import { plainLine } from "../../core/text.ts";

/** `verify <dir>`. */
export const VERIFY: CommandAction = {
  flags: [],
  async run(invocation, session) {
    const dir = directoryOf(invocation, session);
    requirePermissions(session.io, { reads: [dir] });
    const { findings, messages, status, unchecked } = await verify(dir, session);
    if (unchecked !== undefined) session.note(unchecked);
    const sound = findings.length === 0;
    const lines = sound
      ? [`Sound: ${number(messages)} message${messages === 1 ? "" : "s"}, ${status ?? "unknown"}`]
      : findings.map(({ path, problem }) => plainLine(`${path}: ${problem}`));
    return {
      code: sound ? 0 : 1,
      json: {
        dir,
        sound,
        status: status ?? null,
        messages,
        unchecked: unchecked ?? null,
        findings: findings.map(({ path, problem, fix }) => ({ path, problem, fix })),
      },
      text: lines.join("\n") + "\n",
    };
  },
};
