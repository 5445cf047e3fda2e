// Deletes convenings into the archive's trash, and restores them.
import { join } from "@std/path";
import { z } from "zod";
import { ConfigurationError, ConveningError, RecordError } from "../core/error.ts";
import { filesBelow } from "../record/disk_files.ts";
import { moveRecord, trashOf } from "../record/trash.ts";
import { conveningDir, namesOf } from "./convening_dir.ts";
import {
  ID,
  linksOf,
  named,
  OF_CONVENING,
  type Operation,
  operation,
  type ReadingContext,
} from "./operation.ts";
import { links } from "./outputs.ts";

const shared = {
  tags: ["convenings"],
  writes: true,
  input: z.strictObject({ id: ID }),
} as const;

/** `DELETE /api/convenings/{id}`. */
export const DELETE: Operation = operation({
  ...shared,
  name: "delete",
  errors: [...OF_CONVENING, "locked"],
  summary: "Moves a convening into the archive's trash; restore brings it back.",
  method: "delete",
  path: "/api/convenings/{id}",
  tool: {
    title: "Delete a convening",
    about:
      "Moves a convening into the archive's trash: lists and searches leave it out, restore brings it back. One that runs is refused: stop it first.",
  },
  output: named("Deleted", z.object({ id: z.string() })),
  async run(context, { id }) {
    const names = archivedNames("delete", id);
    const { out, pool } = context;
    const from = await conveningDir(out, id);
    if (pool?.liveRun(id) !== undefined) {
      throw new RecordError("locked", `Cannot delete ${from}: it runs`, {
        field: "id",
        hint: "Stop it first.",
      });
    }
    await moveRecord(filesBelow(out), { out, from, to: join(trashOf(out), ...names) });
    return { id };
  },
});

/** `POST /api/convenings/{id}/restore`. */
export const RESTORE: Operation = operation({
  ...shared,
  name: "restore",
  errors: ["not_found", "taken", "record_unwritable"],
  summary: "Brings a deleted convening back from the archive's trash.",
  method: "post",
  path: "/api/convenings/{id}/restore",
  tool: {
    title: "Restore a convening",
    about: "Brings a deleted convening back from the archive's trash, which list gives by folder.",
  },
  output: named("Restored", z.object({ id: z.string(), links })),
  location: ({ links }) => links["self"]!,
  async run({ out }: ReadingContext, { id }) {
    const names = archivedNames("restore", id);
    const files = filesBelow(out);
    const from = join(trashOf(out), ...names);
    if (await files.stat(from) === undefined) {
      throw new ConveningError(
        "not_found",
        `Cannot restore "${id.slice(0, 100)}": it is not in the trash`,
        {
          field: "id",
          hint: "List the trash: GET /api/convenings?folder=trash.",
        },
      );
    }
    await moveRecord(files, { out, from, to: join(out, ...names) });
    return { id, links: linksOf(id) };
  },
});

/** The day and the name of a convening. Fails with `config_invalid` for a convening of a study. */
function archivedNames(act: "delete" | "restore", id: string): readonly string[] {
  const names = namesOf(id);
  if (names.length === 2) return names;
  throw new ConfigurationError(`Cannot ${act} ${id}: it is part of a study`, {
    field: "id",
    hint: "Remove the folder of the study.",
  });
}
