// A command for an operation that reads a convening: its flags and its answer follow from the row of the operation.
import { basename } from "@std/path";
import type { Schema } from "../core/schema.ts";
import { folderShelf } from "../inputs/folder_shelf.ts";
import { checkInput } from "../operations/check_input.ts";
import type { Operation, OperationContext } from "../operations/operation.ts";
import { RunPool } from "../operations/run_pool.ts";
import { OPERATIONS } from "../operations/table.ts";
import { recordFiles } from "../record/disk_files.ts";
import { readMetadata } from "../record/read.ts";
import type { CommandAction, Invocation } from "./command.ts";
import { archiveOf, directoryOf } from "./directory.ts";
import { type Flag, flag } from "./flag.ts";
import { requirePermissions } from "./permissions.ts";
import { readWhole, readWord } from "./read_value.ts";
import type { Session } from "./session.ts";

/** The command of an operation on a convening's directory; prints the operation's output as JSON. */
export function operationCommand(name: string): CommandAction {
  const operation = OPERATIONS.find((each) => each.name === name && !each.writes);
  if (operation === undefined) throw new RangeError(`There is no operation "${name}" that reads`);
  const { id: _id, ...shape } = operation.input.shape;
  const flags = new Map(
    Object.entries(shape).map(([key, schema]) => [key, flagOf(key, schema as unknown as Schema)]),
  );
  return {
    flags: [...flags.values()],
    async run(invocation, session) {
      const dir = directoryOf(invocation, session);
      requirePermissions(session.io, { reads: [dir] });
      await readMetadata(recordFiles(dir), dir);
      const input = inputOf(operation, { dir, flags, invocation });
      const context = contextOf(dir, session);
      const output = await operation.run(context, input, session);
      const json = { dir, ...output as object };
      return { code: 0, json, text: `${JSON.stringify(json, null, 2)}\n` };
    },
  };
}

function flagOf(key: string, schema: Schema): Flag<unknown> {
  const shape = schema.toJSONSchema({ io: "input", unrepresentable: "any" });
  const { description, type, default: usual }: Partial<Record<string, string>> = { ...shape };
  const about = (description ?? key).replace(/\.$/, "");
  const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const [value, read] = type === "integer"
    ? ["<n>", readWhole] as const
    : ["<text>", readWord] as const;
  const words = `${about.charAt(0).toLowerCase()}${about.slice(1)}`;
  const end = usual === undefined ? "" : ` (default: ${usual})`;
  return flag<unknown>(`--${name} ${value}`, `${words}${end}`, read);
}

function inputOf(
  { input }: Operation,
  { dir, flags, invocation }: {
    readonly dir: string;
    readonly flags: ReadonlyMap<string, Flag<unknown>>;
    readonly invocation: Invocation;
  },
): Record<string, unknown> {
  const given = [...flags].map(([key, each]) => [key, invocation.values.get(each)] as const)
    .filter(([, value]) => value !== undefined);
  return checkInput(input, { id: basename(dir), ...Object.fromEntries(given) }, {
    whole: "flags",
    part: "flag",
  });
}

/** The archive around a directory, for an operation that runs nothing. */
function contextOf(dir: string, { io, catalogue, signal }: Session): OperationContext {
  const out = archiveOf(dir);
  return {
    out,
    dir,
    pool: new RunPool({ out }),
    models: { env: io.env },
    catalogue,
    papers: folderShelf(out),
    signal,
  };
}
