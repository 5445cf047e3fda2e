// Commands that read an archive or a record, or write its derived files again; each loads its own part when it runs.
import { dirname, join } from "@std/path";
import { TRANSCRIPT_FORMATS } from "../../config/setting_shapes.ts";
import { ConfigurationError } from "../../core/error.ts";
import { plainLine } from "../../core/text.ts";
import type { CommandAction, Invocation, Reply } from "../command.ts";
import { archiveOf, directoryOf, userPath } from "../directory.ts";
import { number } from "../progress_lines.ts";
import { choice, type Flag, flag, reworded } from "../flag.ts";
import { loadModule } from "../load_module.ts";
import { OUT } from "../flags.ts";
import { requirePermissions } from "../permissions.ts";
import { readWhole } from "../read_value.ts";
import type { Session } from "../session.ts";
import { didYouMean } from "../../core/near_word.ts";

const inputs = () =>
  loadModule<typeof import("../../inputs/inputs.ts")>(
    import.meta.resolve("../../inputs/inputs.ts"),
  );
const asking = () =>
  loadModule<typeof import("../../operations/asking.ts")>(
    import.meta.resolve("../../operations/asking.ts"),
  );
const convenings = () =>
  loadModule<typeof import("../../operations/convening.ts")>(
    import.meta.resolve("../../operations/convening.ts"),
  );
const schemaPages = () =>
  loadModule<typeof import("../../operations/schemas.ts")>(
    import.meta.resolve("../../operations/schemas.ts"),
  );
const showing = () =>
  loadModule<typeof import("../../operations/showing.ts")>(
    import.meta.resolve("../../operations/showing.ts"),
  );
const archive = () =>
  loadModule<typeof import("../../record/search.ts")>(
    import.meta.resolve("../../record/search.ts"),
  );

type Json = Readonly<Record<string, unknown>>;

/** `list`. */
export const LIST: CommandAction = {
  flags: [OUT],
  async run(invocation, session) {
    const out = await archiveIn(invocation, session);
    const { listConvenings } = await showing();
    const rows = await listConvenings(out);
    const lines = rows.map((row) =>
      columns(
        row.startedAt.slice(0, 19).replace("T", " "),
        row.status,
        row.kind ?? "",
        row.winnerName === undefined ? row.outcome ?? "" : `${row.winnerName} won`,
        row.topic ?? row.problem ?? "",
        row.dir,
      )
    );
    const nulls = { kind: null, topic: null, outcome: null, winnerName: null };
    return reply({ out, convenings: rows.map((row) => ({ ...nulls, ...row })) }, lines, {
      none: `No convenings in ${out}`,
    });
  },
};

const FOUND = limit("the most messages, 1 to 1000 (default: 10)");

/** `search <text>`. */
export const SEARCH: CommandAction = {
  flags: [FOUND, reworded(OUT, "the archive (default: convenings)")],
  async run(invocation, session) {
    const [query = ""] = invocation.args;
    const limit = limitOf(invocation, FOUND) ?? 10;
    const out = await archiveIn(invocation, session);
    const { searchArchive } = await archive();
    const { rows: results, ...searched } = await searchArchive(out, query, { limit });
    const { found, convenings, messages, skipped } = searched;
    for (const { path, problem } of skipped) session.note(`left out: ${path}: ${problem}`);
    const lines = results.flatMap(({ dir, topic, seq, name, kind, snippet }) => [
      columns(dir, String(seq), `${name}, ${kind.replaceAll("_", " ")}`, topic),
      `    ${plainLine(snippet)}`,
    ]);
    return reply({ out, query, convenings, messages, found, results, skipped }, lines, {
      none: `Nothing found in ${number(messages)} messages of ${number(convenings)} convenings`,
    });
  },
};

const ANSWERS = limit("the most answers, 1 to 1000 (default: 5)");

/** `ask <dir> <question>`. */
export const ASK: CommandAction = onRecord([ANSWERS], async (dir, invocation, session) => {
  const [, question = ""] = invocation.args;
  const limit = limitOf(invocation, ANSWERS) ?? 5;
  const { askConvening } = await asking();
  const result = await askConvening(dir, question, { limit });
  for (const { path, problem } of result.skipped) {
    session.note(`left out: ${join(dir, path)}: ${problem}`);
  }
  const lines = result.answers.flatMap(({ seq, name, kind, round, snippet, file }) => {
    const what = `${name}, ${kind.replaceAll("_", " ")}${round > 0 ? `, round ${round}` : ""}`;
    return [columns(String(seq), what, join(dir, file)), `    ${plainLine(snippet)}`];
  });
  return reply({ ...result }, lines, {
    none: `Nothing found in ${number(result.messages)} messages`,
  });
});

/** `verify <dir>`. */
export const VERIFY: CommandAction = onRecord([], async (dir, _invocation, session) => {
  const { verify } = await convenings();
  const { findings, messages, status = null, unchecked } = await verify(dir, session);
  if (unchecked !== undefined) session.note(unchecked);
  const sound = findings.length === 0;
  const lines = sound
    ? [`Sound: ${number(messages)} message${messages === 1 ? "" : "s"}, ${status ?? "unknown"}`]
    : findings.map(({ path, problem }) => plainLine(`${path}: ${problem}`));
  const json = { dir, sound, status, messages, unchecked: unchecked ?? null, findings };
  return { ...reply(json, lines), code: sound ? 0 : 1 };
});

const FORMAT = choice("--format", "the transcript's form", TRANSCRIPT_FORMATS);

/** `export <dir> --format F`. */
export const EXPORT: CommandAction = onRecord(
  [FORMAT],
  async (dir, { values }) => {
    const format = values.get(FORMAT);
    if (format === undefined) throw missing("export", FORMAT, `Write --format ${FORMAT.value}.`);
    const { exportConvening } = await convenings();
    const path = await exportConvening(dir, format);
    return reply({ dir, format, path }, [path]);
  },
  { writes: archiveOf },
);

/** `index <dir>`. */
export const INDEX: CommandAction = onRecord([], async (dir) => {
  const { rebuildIndex } = await convenings();
  await rebuildIndex(dir);
  const index = join(dir, "index.md");
  return reply({ dir, index }, [index]);
}, { writes: archiveOf });

const AT = flag("--at <n>", "the last message to take over", readWhole);
const EDIT = flag("--edit <file>", "a text that takes the place of that message");

/** `fork <dir> --at N`. */
export const FORK: CommandAction = {
  flags: [AT, EDIT, OUT],
  async run(invocation, session) {
    const { values } = invocation;
    const parent = directoryOf(invocation, session);
    const at = values.get(AT);
    if (at === undefined) {
      throw missing("fork", AT, "Write --at N, the number of the last message to take over.");
    }
    const [file, given] = [values.get(EDIT), values.get(OUT)];
    const edit = file === undefined
      ? undefined
      : await session.io.readText(userPath(file, session), EDIT.name);
    const out = given === undefined ? undefined : userPath(given, session);
    const archive = archiveOf(parent);
    const own = archive === parent ? dirname(parent) : archive;
    requirePermissions(session.io, { reads: [parent], writes: out ?? own });
    const { fork } = await convenings();
    const dir = await fork(parent, { at, edit, out });
    session.tell(`To go on: ${session.commandLine("resume", dir)}`);
    return reply({ dir, parent, at, edited: edit !== undefined }, [dir]);
  },
};

/** `schema [name]`. */
export const SCHEMA: CommandAction = {
  flags: [],
  async run({ args: [name] }) {
    const { publishedSchemas } = await schemaPages();
    const schemas = publishedSchemas();
    if (name === undefined) {
      const width = Math.max(...schemas.map(({ name }) => name.length));
      return reply(
        { schemas: schemas.map(({ name, about }) => ({ name, about })) },
        schemas.map(({ name, about }) => `${name.padEnd(width)}  ${about}`),
      );
    }
    const found = schemas.find((each) => each.name === name);
    if (found === undefined) {
      const names = schemas.map((each) => each.name);
      throw new ConfigurationError(
        `Cannot print schema ${JSON.stringify(name.slice(0, 80))}: there is none of that name`,
        { field: "name", hint: `${didYouMean(name, names)}Names: ${names.join(", ")}.` },
      );
    }
    const json = found.toJSON();
    return reply(json, [JSON.stringify(json, null, 2)]);
  },
};

/** A command on the record that is the first argument. */
function onRecord(
  flags: readonly Flag<unknown>[],
  run: (dir: string, invocation: Invocation, session: Session) => Promise<Reply>,
  { writes }: { readonly writes?: (dir: string) => string } = {},
): CommandAction {
  return {
    flags,
    async run(invocation, session) {
      const dir = directoryOf(invocation, session);
      const written = writes === undefined ? {} : { writes: writes(dir) };
      requirePermissions(session.io, { reads: [dir], ...written });
      return await run(dir, invocation, session);
    },
  };
}

function reply(
  json: Json,
  lines: readonly string[],
  { none }: { readonly none?: string } = {},
): Reply {
  const shown = lines.length === 0 && none !== undefined ? [none] : lines;
  return { code: 0, json, text: shown.map((line) => `${line}\n`).join("") };
}

function columns(...parts: readonly string[]): string {
  return parts.map((each) => plainLine(each)).join("  ");
}

function missing(act: string, { name }: Flag<unknown>, hint: string): ConfigurationError {
  return new ConfigurationError(`Cannot ${act}: ${name} was not given`, { field: name, hint });
}

function limit(about: string): Flag<number> {
  return flag("--limit <n>", about, readWhole);
}

function limitOf({ values }: Invocation, of: Flag<number>): number | undefined {
  const given = values.get(of);
  if (given === undefined || given >= 1 && given <= 1000) return given;
  throw new ConfigurationError(`Cannot use --limit: ${given} is not allowed`, {
    field: "--limit",
    hint: "Give 1 to 1000.",
  });
}

/** The archive that `--out` names, which is there, or the usual one. */
async function archiveIn({ values }: Invocation, session: Session): Promise<string> {
  const given = values.get(OUT);
  const out = userPath(given ?? "convenings", session);
  requirePermissions(session.io, { reads: [out] });
  if (given !== undefined) {
    await (await inputs()).checkArchive(out, "--out");
  }
  return out;
}
