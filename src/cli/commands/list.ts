import { listConvenings } from "../../operations/showing.ts";
import { checkArchive } from "../../inputs/inputs.ts";
import type { CommandAction } from "../command.ts";
import { userPath } from "../directory.ts";
import { OUT } from "../flags.ts";
import { requirePermissions } from "../permissions.ts";
import { plainLine } from "../../core/text.ts";

/** `list`. */
export const LIST: CommandAction = {
  flags: [OUT],
  async run({ values }, session) {
    const out = userPath(values.get(OUT) ?? "convenings", session);
    requirePermissions(session.io, { reads: [out] });
    if (values.get(OUT) !== undefined) await checkArchive(out, "--out");
    const rows = await listConvenings(out);
    const lines = rows.map((row) =>
      [
        row.startedAt.slice(0, 19).replace("T", " "),
        row.status,
        row.kind ?? "",
        row.winnerName === undefined ? row.outcome ?? "" : `${row.winnerName} won`,
        row.topic ?? row.problem ?? "",
        row.dir,
      ].map((each) => plainLine(each)).join("  ")
    );
    return {
      code: 0,
      json: {
        out,
        convenings: rows.map((row) => ({
          dir: row.dir,
          status: row.status,
          startedAt: row.startedAt,
          messages: row.messages,
          kind: row.kind ?? null,
          topic: row.topic ?? null,
          outcome: row.outcome ?? null,
          winner: row.winner,
          winnerName: row.winnerName ?? null,
          ...(row.problem === undefined ? {} : { problem: row.problem }),
        })),
      },
      text: lines.length === 0 ? `No convenings in ${out}\n` : lines.join("\n") + "\n",
    };
  },
};
