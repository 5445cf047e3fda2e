import { verify } from "../../operations/convening.ts";
import type { CliCommand } from "../command.ts";
import { directoryOf } from "../directory.ts";
import { number } from "../figures.ts";
import { requirePermissions } from "../permissions.ts";
import { plainLine } from "../../core/text.ts";

/** `verify <dir>`. */
export const VERIFY: CliCommand = {
  name: "verify",
  arguments: ["<dir>"],
  about: "prove a convening's directory: exit 0 when it is sound, 1 with a finding a line",
  group: "Reading and keeping:",
  flags: [],
  async run(invocation, session) {
    const dir = directoryOf(invocation, session);
    requirePermissions(session.io, { reads: [dir] });
    const { findings, messages, status } = await verify(dir);
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
        findings: findings.map(({ path, problem, fix }) => ({ path, problem, fix })),
      },
      text: lines.join("\n") + "\n",
    };
  },
};
