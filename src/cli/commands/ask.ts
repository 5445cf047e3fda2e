import { join } from "@std/path";
import { ConfigurationError } from "../../core/error.ts";
import { askConvening } from "../../operations/asking.ts";
import type { CommandAction } from "../command.ts";
import { directoryOf } from "../directory.ts";
import { number } from "../figures.ts";
import { flag } from "../flag.ts";
import { requirePermissions } from "../permissions.ts";
import { plainLine } from "../../core/text.ts";
import { readWhole } from "../read_value.ts";

const LIMIT = flag("--limit", {
  value: "<n>",
  about: "the most answers, 1 to 1000 (default: 5)",
  read: readWhole,
});

/** `ask <dir> <question>`. */
export const ASK: CommandAction = {
  flags: [LIMIT],
  async run(invocation, session) {
    const { args, values } = invocation;
    const [, question = ""] = args;
    const limit = values.get(LIMIT) ?? 5;
    if (limit < 1 || limit > 1000) {
      throw new ConfigurationError(`Cannot use --limit: ${limit} is not allowed`, {
        field: "--limit",
        hint: "Give 1 to 1000.",
      });
    }
    const dir = directoryOf(invocation, session);
    requirePermissions(session.io, { reads: [dir] });
    const result = await askConvening(dir, question, { limit });
    for (const { path, problem } of result.skipped) {
      session.note(`left out: ${join(dir, path)}: ${problem}`);
    }
    const lines = result.answers.flatMap(({ seq, name, kind, round, snippet, file }) => {
      const what = `${name}, ${kind.replaceAll("_", " ")}${round > 0 ? `, round ${round}` : ""}`;
      return [
        [String(seq), what, join(dir, file)].map((each) => plainLine(each)).join("  "),
        `    ${plainLine(snippet)}`,
      ];
    });
    const none = `Nothing found in ${number(result.messages)} messages`;
    return {
      code: 0,
      json: { ...result },
      text: (lines.length === 0 ? [none] : lines).join("\n") + "\n",
    };
  },
};
