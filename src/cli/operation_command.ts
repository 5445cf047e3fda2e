// Builds a command from an operation: flags, arguments and JSON come from the operation, the text output from the command.
import { join } from "@std/path";
import { defined, type JsonObject, objectIn, type Schema } from "../core/values.ts";
import { jsonSchemaOf } from "../core/schema.ts";
import { folderShelf } from "../inputs/folder_shelf.ts";
import type { Operation, ReadingContext, Tool } from "../operations/operation.ts";
import { checkInput } from "../core/check_fields.ts";
import { idOf } from "../operations/client_view.ts";
import { type Action, type Invocation, replyOf, type Session } from "./session.ts";
import { archiveOf, directoryOf, outOf } from "./directory.ts";
import {
  choice,
  type Flag,
  flag,
  readNumber,
  type ReadValue,
  readWhole,
  reworded,
  toggle,
} from "./flag.ts";
import { OUT } from "./flags.ts";
import { late } from "./load_module.ts";
import { requirePermissions } from "./permissions.ts";

/** Parts of a command that its operation does not define; `J` is the printed JSON. */
interface OperationCommandOptions<J> {
  /** Positional arguments by input key, in order, after a directory, as help shows them. @default none */
  readonly args?: Readonly<Record<string, string>>;
  /** Schemas that replace input keys of the same name. @default none */
  readonly input?: Tool["input"];
  /** Extra flags; a flag with an input key replaces the flag built from that key. @default none */
  readonly flags?: readonly Flag<unknown>[];
  /** Returns input values that need more than parsing a flag. @default none */
  read?(invocation: Invocation, session: Session): Promise<JsonObject> | JsonObject;
  /** Checks permissions and returns the archive or directory. @default the first argument, or the archive of `--out` */
  place?(invocation: Invocation, session: Session): Promise<Place> | Place;
  /** Returns the archive whose convenings the output has. @default that of the place */
  archive?(input: JsonObject, out: string): string;
  /** Returns the text output. @default the JSON */
  lines?(
    json: J,
    session: Session,
    invocation: Invocation & { readonly archive: string },
  ): readonly string[];
  code?(json: J): number;
}

/** The part of an operation's context that a command sets: archive, directory of the convening, model settings. */
export type Place =
  & Pick<ReadingContext, "out" | "dir" | "recordModels">
  & Partial<Pick<ReadingContext, "models">>;

/** The flag `--out` of a command that only reads an archive. */
export const ARCHIVE: Flag<string> = reworded(
  OUT,
  "the archive (default: convenings, or out of convenings.yaml)",
);

/** Builds the command of an operation on a convening's directory or on an archive. */
export function operationCommand<J = JsonObject>(
  operation: Operation,
  { args = {}, flags: more = [], ...own }: OperationCommandOptions<J> = {},
): Action {
  const input = own.input === undefined ? operation.input : operation.input.extend(own.input);
  const isOfConvening = "id" in input.shape;
  const known = ["id", ...Object.keys(args), ...more.map(({ key }) => key)];
  const derived = Object.entries(input.shape).filter(([key]) => !known.includes(key))
    .map(([key, shape]) => flagOf(key, shape as unknown as Schema));
  const usual = isOfConvening || more.some(({ name }) => name === OUT.name) ? [] : [ARCHIVE];
  const flags = [...derived, ...more, ...usual];
  const names = [...isOfConvening ? ["id"] : [], ...Object.keys(args)];
  const shown = Object.entries(args).map(([key, name]) => ({ ...flag(name, ""), key }));
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
      // The input may lack a value.
      session.named = [...flags, ...shown];
      const asked = checkInput(input, given, { whole: "arguments", part: "argument" });
      session.named = [...invocation.values.given, ...shown];
      const output = await operation.run(
        { models: { env: io.env }, catalogue, signal, papers: folderShelf(out), ...place },
        asked,
        { signal },
      );
      const archive = own.archive?.(asked, out) ?? out;
      const found = { ...operation.location === undefined ? place : {}, out: archive };
      const text = JSON.stringify(output, (_key, value) => withDirectory(value, found));
      const json = { ...dir === undefined ? { out } : { dir }, ...JSON.parse(text) };
      const lines = own.lines?.(json as J, session, { ...invocation, archive }) ??
        [JSON.stringify(json, null, 2)];
      return replyOf(json, lines, own.code?.(json as J));
    },
  };
}

const READERS: Readonly<Record<string, ReadValue<unknown>>> = {
  integer: readWhole,
  number: readNumber,
};

function flagOf(key: string, schema: Schema): Flag<unknown> {
  const { description = key, type, default: usual, enum: values } = jsonSchemaOf(schema);
  const words = values?.map(String);
  const about = description.replace(/\.$/, "");
  const name = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  // Lowercase the first letter, except of an abbreviation.
  const plain = /^[A-Z]{2}/.test(about) ? about : about.charAt(0).toLowerCase() + about.slice(1);
  const listed = words === undefined ? plain : `${plain}: ${words.join(", ")}`;
  const sentence = usual === undefined ? listed : `${listed} (default: ${usual})`;
  if (words !== undefined) return { ...choice(name, sentence, words), value: `<${key}>`, key };
  if (type === "boolean") {
    return { ...toggle(name, sentence.replace(/ \(default: false\)$/, "")), key };
  }
  const read = READERS[String(type)];
  return { ...flag(`${name} ${read === undefined ? "<text>" : "<n>"}`, sentence, read), key };
}

function inputOf(
  { args, values }: Invocation,
  { names, flags }: { readonly names: readonly string[]; readonly flags: readonly Flag<unknown>[] },
): JsonObject {
  return defined(Object.fromEntries([
    ...names.map((name, at) => [name, args[at]] as const),
    ...flags.map((each) => [each.key!, values.get(each)] as const),
  ]));
}

export async function atDirectory(
  invocation: Invocation,
  session: Session,
  archive?: () => Promise<string>,
): Promise<Place> {
  const dir = await directoryOf(invocation, session, archive);
  requirePermissions(session.io, { reads: [dir] });
  return { out: archiveOf(dir), dir };
}

/** Returns the archive of `--out`, which must exist, or the default archive. */
async function inArchive({ values }: Invocation, session: Session): Promise<Place> {
  const out = await outOf(values, session);
  requirePermissions(session.io, { reads: [out] });
  if (values.get(OUT) !== undefined) {
    const { checkArchive } = await late("../inputs/inputs.ts");
    await checkArchive(out, "--out");
  }
  return { out };
}

/** Replaces the links to a server in an object of an output by the directory; other values with the key `links` stay. */
function withDirectory(value: unknown, place: Place): unknown {
  const { link, links, ...json } = objectIn(value);
  if (!String(link ?? objectIn(links)["self"]).startsWith("/api/")) return value;
  const { id, report } = json;
  if (typeof id !== "string") return json;
  // The first ten characters of a convening's id are the folder of its day.
  const dir = place.dir !== undefined && idOf(place.dir) === id
    ? place.dir
    : join(place.out, ...id.length > 10 ? [id.slice(0, 10)] : [], id);
  return {
    dir,
    ...json,
    ...typeof report === "string" ? { report: join(dir, "report.json") } : {},
  };
}
