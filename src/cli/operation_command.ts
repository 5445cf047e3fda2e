// A command over an operation: flags, arguments and JSON follow from the row of the operation; lines for people are the command's own.
import { join } from "@std/path";
import { defined } from "../core/values.ts";
import type { Schema } from "../core/schema.ts";
import { folderShelf } from "../inputs/folder_shelf.ts";
import {
  checkInput,
  type Operation,
  type ReadingContext,
  type Tool,
} from "../operations/operation.ts";
import { idOf } from "../operations/convening_dir.ts";
import { type CommandAction, type Invocation, replyOf, type Session } from "./session.ts";
import { archiveOf, directoryOf, outOf } from "./directory.ts";
import {
  choice,
  type Flag,
  flag,
  nameFlag,
  readNumber,
  type ReadValue,
  readWhole,
  readWord,
  reworded,
  toggle,
} from "./flag.ts";
import { OUT } from "./flags.ts";
import { late } from "./load_module.ts";
import { requirePermissions } from "./permissions.ts";

type Json = Readonly<Record<string, unknown>>;

/** Additions of a command to its operation; `J` is the JSON that the command prints. */
export interface CommandOf<J> {
  /** Keys of the input that arguments give, in their order after a directory. @default none */
  readonly args?: readonly string[];
  /** Keys of the input with other bounds. @default none */
  readonly input?: Tool["input"];
  /** More flags; a flag with the key of an input stands in the place of the key's own. @default none */
  readonly flags?: readonly Flag<unknown>[];
  /** Values of the input that are read with the help of the flags. @default none */
  read?(invocation: Invocation, session: Session): Promise<Json> | Json;
  /** The place that is read, once its permissions are checked. @default the first argument, or the archive of --out */
  place?(invocation: Invocation, session: Session): Promise<Place> | Place;
  /** Lines without --json. @default the JSON */
  lines?(json: J, session: Session, invocation: Invocation): readonly string[];
  /** The exit code. @default 0 */
  code?(json: J): number;
}

/** The archive, the directory of the convening at hand, and settings of models. */
export type Place =
  & Pick<ReadingContext, "out" | "dir" | "asking">
  & Partial<Pick<ReadingContext, "models">>;

/** The archive of a command that only reads one. */
export const ARCHIVE: Flag<string> = reworded(OUT, "the archive (default: convenings)");

/** The command of an operation on a convening's directory or on an archive. */
export function operationCommand<J = Json>(
  operation: Operation,
  { args = [], flags: more = [], ...own }: CommandOf<J> = {},
): CommandAction {
  const input = own.input === undefined ? operation.input : operation.input.extend(own.input);
  const isOfConvening = "id" in input.shape;
  const known = ["id", ...args, ...more.map(({ key }) => key)];
  const derived = Object.entries(input.shape).filter(([key]) => !known.includes(key))
    .map(([key, shape]) => flagOf(key, shape as unknown as Schema));
  const usual = isOfConvening || more.some(({ name }) => name === OUT.name) ? [] : [ARCHIVE];
  const flags = [...derived, ...more, ...usual];
  const names = isOfConvening ? ["id", ...args] : args;
  return {
    flags,
    async run(invocation, session) {
      const { io, catalogue, signal } = session;
      const place = await (own.place ?? (isOfConvening ? atDirectory : inArchive))(
        invocation,
        session,
      );
      const { out, dir } = place;
      const given = {
        ...inputOf(invocation, { names, flags: derived }),
        ...dir === undefined ? {} : { id: idOf(dir) },
        ...await own.read?.(invocation, session),
      };
      const output = await operation.run(
        { models: { env: io.env }, catalogue, signal, papers: folderShelf(out), ...place },
        checked(operation, { input, given, flags }),
        { signal },
      );
      const json = {
        ...dir === undefined ? { out } : { dir },
        ...placed(output, operation.location === undefined ? place : { out }) as object,
      };
      const lines = own.lines?.(json as J, session, invocation) ?? [JSON.stringify(json, null, 2)];
      return replyOf(json, lines, own.code?.(json as J));
    },
  };
}

/** An input that was checked; errors name the flag, or the argument as the tool of MCP names it. */
function checked(
  { tool }: Operation,
  { input, given, flags }: {
    readonly input: Operation["input"];
    readonly given: Json;
    readonly flags: readonly Flag<unknown>[];
  },
): Json {
  try {
    return checkInput(input, given, { whole: "arguments", part: "argument" });
  } catch (error) {
    const names = Object.entries(tool?.names ?? {});
    throw nameFlag(
      error,
      new Map([
        ...names.map(([key, name]) => [key, flag(`${name} <text>`, "")] as const),
        ...flags.flatMap((each) => each.key === undefined ? [] : [[each.key, each] as const]),
      ]),
    );
  }
}

/** Keys of the JSON schema of one key of an input. */
interface ShapeOfKey {
  readonly description?: string;
  readonly type?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
}

/** Readers of values by the type in a JSON schema. */
const READERS: Readonly<Record<string, ReadValue<unknown>>> = {
  integer: readWhole,
  number: readNumber,
};

function flagOf(key: string, schema: Schema): Flag<unknown> {
  const shape = schema.toJSONSchema({ io: "input", unrepresentable: "any" });
  const { description = key, type = "", default: usual, enum: words }: ShapeOfKey = { ...shape };
  const about = description.replace(/\.$/, "");
  const name = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  // An abbreviation keeps its capitals.
  const plain = /^[A-Z]{2}/.test(about) ? about : about.charAt(0).toLowerCase() + about.slice(1);
  const listed = words === undefined ? plain : `${plain}: ${words.join(", ")}`;
  const sentence = usual === undefined ? listed : `${listed} (default: ${usual})`;
  if (words !== undefined) return { ...choice(name, sentence, words), value: `<${key}>`, key };
  if (type === "boolean") {
    return { ...toggle(name, sentence.replace(/ \(default: false\)$/, "")), key };
  }
  const read = READERS[type];
  return { ...flag(`${name} ${read ? "<n>" : "<text>"}`, sentence, read ?? readWord), key };
}

function inputOf(
  { args, values }: Invocation,
  { names, flags }: { readonly names: readonly string[]; readonly flags: readonly Flag<unknown>[] },
): Json {
  return defined(Object.fromEntries([
    ...names.map((name, at) => [name, args[at]] as const),
    ...flags.map((each) => [each.key!, values.get(each)] as const),
  ]));
}

export async function atDirectory(invocation: Invocation, session: Session): Promise<Place> {
  const dir = await directoryOf(invocation, session);
  requirePermissions(session.io, { reads: [dir] });
  return { out: archiveOf(dir), dir };
}

/** The archive that `--out` names, which is there, or the usual archive. */
async function inArchive({ values }: Invocation, session: Session): Promise<Place> {
  const out = outOf(values, session);
  requirePermissions(session.io, { reads: [out] });
  if (values.get(OUT) !== undefined) {
    const { checkArchive } = await late("../inputs/inputs.ts");
    await checkArchive(out, "--out");
  }
  return { out };
}

/** The output of an operation with directories in the place of links to a server. */
function placed(output: unknown, place: Place): unknown {
  if (Array.isArray(output)) return output.map((each) => placed(each, place));
  if (output === null || typeof output !== "object") return output;
  const { link, links, ...rest } = output as Json;
  const { id, report } = rest;
  const json = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, placed(value, place)]),
  );
  if ((link ?? links) === undefined || typeof id !== "string") return json;
  const dir = dirOf(id, place);
  return {
    dir,
    ...json,
    ...typeof report === "string" ? { report: join(dir, "report.json") } : {},
  };
}

/** The directory of a convening by its id, which begins with the name of the folder of its day. */
function dirOf(id: string, { out, dir }: Place): string {
  if (dir !== undefined && idOf(dir) === id) return dir;
  return id.length > 10 ? join(out, id.slice(0, 10), id) : join(out, id);
}
