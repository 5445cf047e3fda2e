import { searchArchive } from "../../record/remembered.ts";
import { checkArchive } from "../../inputs/inputs.ts";
import { ConfigurationError } from "../../core/error.ts";
import type { CommandAction } from "../command.ts";
import { userPath } from "../directory.ts";
import { number } from "../figures.ts";
import { flag, reworded } from "../flag.ts";
import { OUT } from "../flags.ts";
import { requirePermissions } from "../permissions.ts";
import { plainLine } from "../../core/text.ts";
import { readWhole } from "../read_value.ts";

const LIMIT = flag("--limit", {
  value: "<n>",
  about: "the most messages, 1 to 1000 (default: 10)",
  read: readWhole,
});
const ARCHIVE = reworded(OUT, "the archive (default: convenings)");

/** `search <text>`. */
export const SEARCH: CommandAction = {
  flags: [LIMIT, ARCHIVE],
  async run({ args, values }, session) {
    const [query = ""] = args;
    const limit = values.get(LIMIT) ?? 10;
    if (limit < 1 || limit > 1000) {
      throw new ConfigurationError(`Cannot use --limit: ${limit} is not allowed`, {
        field: "--limit",
        hint: "Give 1 to 1000.",
      });
    }
    const out = userPath(values.get(OUT) ?? "convenings", session);
    requirePermissions(session.io, { reads: [out] });
    if (values.get(OUT) !== undefined) await checkArchive(out, "--out");
    const { rows, found, ...searched } = await searchArchive(out, query, { limit });
    const { convenings, messages, skipped } = searched;
    for (const { path, problem } of skipped) session.note(`left out: ${path}: ${problem}`);
    const lines = rows.flatMap(({ dir, topic, seq, name, kind, snippet }) => [
      [dir, String(seq), `${name}, ${kind.replaceAll("_", " ")}`, topic].map((each) =>
        plainLine(each)
      ).join("  "),
      `    ${plainLine(snippet)}`,
    ]);
    const none = `Nothing found in ${number(messages)} messages of ${
      number(convenings)
    } convenings`;
    return {
      code: 0,
      json: { out, query, convenings, messages, found, results: rows, skipped },
      text: (lines.length === 0 ? [none] : lines).join("\n") + "\n",
    };
  },
};
