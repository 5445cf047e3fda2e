// Operations that verify, fork, delete and restore convenings of an archive.
import { z } from "zod";
import { basename, join } from "@std/path";
import { ConfigurationError, ConveningError, RecordError } from "../core/error.ts";
import { filesBelow } from "../record/disk_files.ts";
import { moveRecord } from "../record/claim.ts";
import { trashOf } from "../record/archive_place.ts";
import { fork, verify } from "./convening.ts";
import { conveningDir, dirOf, isId, linksOf, namesOf } from "./client_view.ts";
import {
  ACTING,
  ID,
  OF_CONVENING,
  OFFSET,
  type Operation,
  operation,
  pageOf,
  READING,
  type ReadingContext,
  whole,
} from "./operation.ts";
import { count, type Given, jsonOf, links, named, status } from "./outputs.ts";

const output = named(
  "Verification",
  z.object({
    id: z.string(),
    sound: z.boolean(),
    status: status.nullable(),
    messages: count.describe("How many message files could be read."),
    unchecked: z.string().nullable().describe("What could not be checked, as a sentence."),
    findings: z.array(
      z.object({ path: z.string(), problem: z.string(), fix: z.string().optional() }),
    ),
    total: count.describe("How many findings there are."),
    next: z.int().nullable().describe("`offset` of the page that follows."),
  }),
);

/** Output of the operation `verify`: a page of findings. */
export type Verification = Given<z.output<typeof output>>;

export const VERIFY: Operation = operation({
  ...READING,
  name: "verify",
  summary: "Checks a convening's directory against the format: hashes, references, order, pages.",
  path: "/api/convenings/{id}/verify",
  tool: {
    title: "Verify a convening",
    about:
      "Checks a convening's directory against the format: hashes, references, order, derived pages. Findings come a page at a time, in the untrusted part, since they quote the files.",
    input: { limit: whole(1, 100, "The most findings.").default(50) },
  },
  input: z.strictObject({
    id: ID,
    offset: OFFSET,
    limit: whole(1, 100_000, "The most findings.").default(100_000),
  }),
  output,
  async run(context, { id, ...page }) {
    const { catalogue } = context;
    const { findings, ...found } = await verify(await dirOf(context, id), { catalogue });
    const { rows, ...rest } = pageOf(findings, page);
    return jsonOf(output, { id, sound: findings.length === 0, ...found, findings: rows, ...rest });
  },
});

export const FORK: Operation = operation({
  ...ACTING,
  name: "fork",
  summary: "Begins a new convening with the first messages of another; resume continues it.",
  path: "/api/convenings/{id}/fork",
  errors: [...OF_CONVENING, "record_unwritable"],
  tool: {
    title: "Fork a convening",
    about:
      "Begins a new convening with the first messages of another; `edit` replaces the words of the last of them. Asks no model; resume continues the new convening.",
  },
  input: z.strictObject({
    id: ID,
    at: z.int().min(1).describe("The number of the last message to take over."),
    edit: z.string().min(1).max(100_000).optional().describe("New words of that message."),
  }),
  output: named(
    "Fork",
    z.object({
      id: z.string(),
      parent: z.string().describe("The id of the convening that was forked."),
      at: z.int(),
      edited: z.boolean(),
      links,
    }),
  ),
  answers: { 201: "The new convening." },
  location: ({ links }) => links["self"]!,
  async run(context, { id: parent, at, edit }) {
    const id = basename(await fork(await dirOf(context, parent), { at, edit, out: context.out }));
    return { id, parent, at, edited: edit !== undefined, links: linksOf(id) };
  },
});

export const DELETE: Operation = operation({
  ...ACTING,
  name: "delete",
  summary: "Moves a convening into the archive's trash; restore brings it back.",
  method: "delete",
  errors: [...OF_CONVENING, "locked"],
  input: z.strictObject({ id: ID }),
  path: "/api/convenings/{id}",
  tool: {
    title: "Delete a convening",
    about:
      "Moves a convening into the archive's trash: lists and searches leave it out, restore brings it back. A running convening is refused: stop it first.",
  },
  output: named("Deleted", z.object({ id: z.string() })),
  async run(context, { id }) {
    const names = archivedNames("delete", id);
    const { out, pool } = context;
    const from = await conveningDir(out, id);
    if ((pool?.liveRun(id) ?? await pool?.settledRun(id)) !== undefined) {
      throw new RecordError("locked", `Cannot delete ${from}: it is running`, {
        field: "id",
        hint: "Stop it first.",
      });
    }
    await moveRecord(filesBelow(out), { out, from, to: join(trashOf(out), ...names) });
    return { id };
  },
});

export const RESTORE: Operation = operation({
  ...ACTING,
  name: "restore",
  errors: ["not_found", "taken", "record_unwritable"],
  summary: "Brings a deleted convening back from the archive's trash.",
  path: "/api/convenings/{id}/restore",
  input: z.strictObject({ id: ID }),
  tool: {
    title: "Restore a convening",
    about:
      "Brings a deleted convening back from the archive's trash; list with `folder` trash lists deleted convenings.",
  },
  output: named("Restored", z.object({ id: z.string(), links })),
  location: ({ links }) => links["self"]!,
  async run({ out }: ReadingContext, { id }) {
    const names = isId(id) ? archivedNames("restore", id) : [];
    const files = filesBelow(out);
    const from = join(trashOf(out), ...names);
    if (names.length === 0 || await files.stat(from) === undefined) {
      throw new ConveningError(
        "not_found",
        `Cannot restore "${id.slice(0, 100)}": it is not in the trash`,
        { field: "id", hint: "Give an id from the list with folder trash." },
      );
    }
    await moveRecord(files, { out, from, to: join(out, ...names) });
    return { id, links: linksOf(id) };
  },
});

/** Returns the day and the folder name of a convening. Throws `config_invalid` for a convening of a study. */
function archivedNames(act: "delete" | "restore", id: string): readonly string[] {
  const names = namesOf(id);
  if (names.length === 2) return names;
  throw new ConfigurationError(`Cannot ${act} ${id}: it is part of a study`, {
    field: "id",
    hint: "Remove the folder of the study.",
  });
}
