// Commands that read an archive or a record, or write derived files; each loads its operation only when it runs.
import { basename, dirname, join } from "@std/path";
import { TRANSCRIPT_FORMATS } from "../../config/setting_shapes.ts";
import { systemClock } from "../../core/clock.ts";
import { columns as columnsOf, counted, didYouMean, pieces, plainLine } from "../../core/text.ts";
import { levelWords } from "../../core/outcome.ts";
import { defined } from "../../core/values.ts";
import { ConfigurationError } from "../../core/error.ts";
import { readText } from "../../inputs/inputs.ts";
import type { Verification } from "../../operations/keeping.ts";
import type { Answers, SearchResults } from "../../operations/searches.ts";
import type { ListPage } from "../../operations/list.ts";
import { FILTER, type Operation, whole } from "../../operations/operation.ts";
import { trashOf } from "../../record/archive_place.ts";
import { withoutFrontMatter } from "../../record/frontmatter.ts";
import { archiveOf, defaultArchive, directoryOf, outOf, userPath, wordFor } from "../directory.ts";
import { choice, type Flag, flag, type FlagValues, refuseGiven, reworded } from "../flag.ts";
import { ALLOW_BASE_URL, BASE_URL, MAX_WAIT, MODEL, OUT } from "../flags.ts";
import { late, loadModule } from "../load_module.ts";
import { atDirectory, operationCommand, type Place } from "../operation_command.ts";
import { requirePermissions } from "../permissions.ts";
import { words } from "../progress_lines.ts";
import { type Action, type Invocation, type Reply, replyOf, type Session } from "../session.ts";

type Row = ListPage["convenings"][number];

interface InArchive {
  readonly dir: string;
}

interface Listed extends Omit<ListPage, "convenings"> {
  readonly out: string;
  readonly convenings: readonly (Row & InArchive)[];
}

interface Found extends Omit<SearchResults, "results"> {
  readonly out: string;
  readonly results: readonly (SearchResults["results"][number] & InArchive)[];
}

export async function list(): Promise<Action> {
  const { LIST } = await late("../operations/list.ts");
  return operationCommand<Listed>(LIST, {
    input: { limit: whole(1, Number.MAX_SAFE_INTEGER, "The most rows (default: all).").optional() },
    archive: ({ folder }, out) => folder === "trash" ? trashOf(out) : out,
    lines: ({ convenings, counts: { total } }, { io }, { archive }) =>
      linesOr(
        io.outIsTerminal ? table(convenings, io.columns()) : convenings.map((row) =>
          columns(
            row.startedAt.slice(0, 19).replace("T", " "),
            statusOf(row),
            row.kind ?? "",
            wonOf(row) ?? outcomeOf(row),
            row.question ?? row.topic ?? row.problem ?? "",
            row.dir,
          )
        ),
        total === 0
          ? `No convenings in ${archive}`
          : `No match in ${counted(total, "convening")} of ${archive}`,
      ),
  });
}

/** Formats the rows of a list for a terminal: age, winner or state, topic cut to the free width, and id. */
function table(rows: Listed["convenings"], width: number): readonly string[] {
  const cells = rows.map(({ startedAt, id, ...row }) => {
    const state = row.status === "completed" && outcomeOf(row) || statusOf(row);
    return [
      ageOf(startedAt),
      wonOf(row, 22) ?? state,
      plainLine(row.question ?? row.topic ?? row.problem ?? ""),
      id,
    ] as const;
  });
  const widths = ([0, 1, 3] as const).map((at) =>
    Math.max(...cells.map((row) => columnsOf(row[at])))
  );
  const room = Math.max(16, width - widths.reduce((sum, each) => sum + each + 2, 0));
  return cells.map(([age, state, topic, id]) =>
    [fit(age, widths[0]!), fit(state, widths[1]!), fit(topic, room), id].join("  ")
  );
}

function statusOf({ status, isNewFork }: Pick<Row, "status" | "isNewFork">): string {
  return isNewFork === true ? "new fork" : status;
}

/** Returns the winner of a row, cut to `most` characters, with the outcome's strength, such as `Ada won (narrow)`; undefined without a winner. */
function wonOf(
  { winnerName, strengthLevel }: Pick<Row, "winnerName" | "strengthLevel">,
  most?: number,
): string | undefined {
  if (winnerName === null) return undefined;
  return `${plainLine(winnerName, most)} won${levelWords(strengthLevel)}`;
}

/** Returns the outcome of a row; empty for an unscored convening that is no debate. */
function outcomeOf({ kind, outcome }: Pick<Row, "kind" | "outcome">): string {
  return outcome === "unscored" && !kind?.endsWith("debate") ? "" : outcome ?? "";
}

/** Cuts a text to `width` columns with an ellipsis, or pads it with spaces. */
function fit(text: string, width: number): string {
  const [first = ""] = columnsOf(text) > width ? pieces(text, width - 1) : [text];
  const shown = first === text ? text : `${first}…`;
  return shown + " ".repeat(Math.max(0, width - columnsOf(shown)));
}

/** Formats the age of a time in one unit, such as `2 h ago`; a date after 30 days. */
function ageOf(time: string): string {
  const minutes = Math.floor((systemClock.now() - Date.parse(time)) / 60_000);
  if (!(minutes >= 1)) return "now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  const days = Math.floor(minutes / 24 / 60);
  return days <= 30 ? `${days} d ago` : time.slice(0, 10);
}

export async function search(): Promise<Action> {
  const { SEARCH } = await late("../operations/searches.ts");
  return operationCommand<Found>(SEARCH, {
    args: { q: "<text>" },
    input: { limit: whole(1, 1000, "The most messages, 1 to 1,000.").default(10) },
    lines({ out, convenings, messages, results, skipped, known }, session, { values }) {
      noteSkipped(skipped, out, session);
      return linesOr(
        results.flatMap(({ dir, topic, question, seq, name, kind, snippet }) => {
          const place = [wordFor(dir, session), String(seq), `${name}, ${words(kind)}`];
          return passage(session, snippet, ...place, question ?? topic);
        }),
        `Nothing found in ${counted(messages, "message")} of ${counted(convenings, "convening")}` +
          unfit(values, known),
      );
    },
  });
}

/** Returns words that name the given flags of a filter that no message fits, and the speakers and kinds of the messages. */
function unfit(values: FlagValues, known: SearchResults["known"]): string {
  if (known === undefined) return "";
  const given = Object.keys(FILTER).flatMap((key) => {
    const value = values.get(flag(`--${key} <text>`, ""));
    return value === undefined ? [] : [plainLine(`--${key} ${value}`)];
  });
  const [speakers, kinds] = [known.speakers, known.kinds].map((each) => plainLine(each.join(", ")));
  return `: none fits ${given.join(" ")}; speakers: ${speakers}; kinds: ${kinds}`;
}

/** Flags of commands that ask a model about a record. */
const ASKING = [BASE_URL, ALLOW_BASE_URL, MAX_WAIT];
const ANSWERER = reworded(MODEL, "a model that answers from the messages (default: none)");

export async function ask(): Promise<Action> {
  const { ASK } = await late("../operations/searches.ts");
  return operationCommand<Answers & InArchive>(ASK, {
    args: { question: "<question>" },
    input: { limit: whole(1, 1000, "The most answers, 1 to 1,000.").default(5) },
    flags: [ANSWERER, ...ASKING],
    place: async (invocation, session) => {
      const { values } = invocation;
      if (values.get(MODEL) !== undefined) {
        return await askedPlace(invocation, session, { writes: false });
      }
      refuseGiven(ASKING, values, { why: "no model is asked", hint: "Give --model with it." });
      return await atDirectory(invocation, session);
    },
    read: modelOf,
    lines({ dir, messages, answer, answers, skipped, known }, session, { values }) {
      noteSkipped(skipped, dir, session);
      if (answer !== null) {
        if (answer.leftOut > 0) {
          session.note(`left out: ${counted(answer.leftOut, "quotation")} found in no message`);
        }
        return [
          ...session.wrapped([plainLine(answer.text)]),
          ...answer.passages.flatMap(({ message, name, quote, file }) =>
            passage(session, `“${quote}”`, String(message), name, join(dir, file))
          ),
        ];
      }
      if (values.get(MODEL) === "offline") {
        session.note("no model answered: these are passages with words of the question");
      }
      return linesOr(
        answers.flatMap(({ seq, name, kind, round, snippet, file }) => {
          const what = `${name}, ${words(kind)}${round > 0 ? `, round ${round}` : ""}`;
          return passage(session, snippet, String(seq), what, join(dir, file));
        }),
        `Nothing found in ${counted(messages, "message")}` + unfit(values, known),
      );
    },
  });
}

export async function brief(): Promise<Action> {
  return pageCommand(
    (await late("../operations/model_acts.ts")).BRIEF,
    "the model that writes, or offline for a template (default: the moderator's, else the convening's)",
  );
}

export async function flow(): Promise<Action> {
  return pageCommand(
    (await late("../operations/model_acts.ts")).FLOW,
    "the note-taker's model (default: the moderator's, else the convening's)",
  );
}

function pageCommand(operation: Operation, model: string): Action {
  return operationCommand<{ readonly page: string }>(operation, {
    flags: [reworded(MODEL, model), ...ASKING],
    place: (invocation, session) => askedPlace(invocation, session, { writes: true }),
    read: modelOf,
    lines: ({ page }) => [withoutFrontMatter(page).trimEnd()],
  });
}

function modelOf({ values }: Invocation): Readonly<Record<string, unknown>> {
  return defined({ model: values.get(MODEL) });
}

/** Returns the directory of a record and the settings of the model to ask; checks the permissions. */
async function askedPlace(
  invocation: Invocation,
  session: Session,
  { writes }: { readonly writes: boolean },
): Promise<Place> {
  const { recordModels } = await late("./commands/judge.ts");
  const { usualReader } = await late("../operations/record_question.ts");
  const { dir, settings } = await recordModels(invocation, session, {
    models: ({ start }) => [invocation.values.get(MODEL) ?? usualReader(start)],
    writes,
  });
  return { out: archiveOf(dir), dir, recordModels: settings };
}

function noteSkipped(skipped: SearchResults["skipped"], folder: string, session: Session): void {
  for (const { path, problem } of skipped) {
    session.note(`left out: ${join(folder, path)}: ${problem}`);
  }
}

export async function verify(): Promise<Action> {
  const { VERIFY } = await late("../operations/keeping.ts");
  return operationCommand<Verification>(VERIFY, {
    lines({ sound, messages, status, unchecked, findings }, session) {
      if (unchecked !== null) session.note(unchecked);
      return sound
        ? [`Sound: ${counted(messages, "message")}, ${status ?? "unknown"}`]
        : findings.map(({ path, problem }) => plainLine(`${path}: ${problem}`));
    },
    code: ({ sound }) => sound ? 0 : 1,
  });
}

export async function scores(): Promise<Action> {
  return operationCommand((await late("../operations/messages.ts")).SCORES);
}

export async function claims(): Promise<Action> {
  return operationCommand((await late("../operations/messages.ts")).CLAIMS);
}

const EDIT = {
  ...flag("--edit <file>", "a text that replaces that message"),
  key: "edit",
};

const FORK_OUT = reworded(OUT, "the archive the fork is kept in (default: the original's)");

export async function fork(): Promise<Action> {
  const { FORK } = await late("../operations/keeping.ts");
  return operationCommand<InArchive>(FORK, {
    flags: [EDIT, FORK_OUT],
    async place(invocation, session) {
      const dir = await directoryOf(invocation, session);
      const archive = archiveOf(dir);
      const own = archive === dir ? dirname(dir) : archive;
      const out = invocation.values.get(OUT) === undefined
        ? own
        : await outOf(invocation.values, session);
      requirePermissions(session.io, { reads: [dir], writes: out });
      return { out, dir };
    },
    async read({ values }, session) {
      const file = values.get(EDIT);
      if (file === undefined) return {};
      return { edit: await readText(userPath(file, session), EDIT.name) };
    },
    lines({ dir }, session) {
      session.tell(`To continue: ${session.commandLine("resume", dir)}`);
      return [dir];
    },
  });
}

/** The command `delete <dir>`. */
export async function remove(): Promise<Action> {
  return operationCommand<InArchive>((await late("../operations/keeping.ts")).DELETE, {
    place: movedPlace,
    lines({ dir }, session) {
      const moved = join(archiveOf(dir), "trash", basename(dirname(dir)), basename(dir));
      session.tell(`To undo: ${session.commandLine("restore", moved)}`);
      return [moved];
    },
  });
}

export async function restore(): Promise<Action> {
  return operationCommand<InArchive>((await late("../operations/keeping.ts")).RESTORE, {
    async place(invocation, session) {
      const trash = async () => trashOf(await defaultArchive(session));
      const { out, ...place } = await movedPlace(invocation, session, trash);
      return { ...place, out: basename(out) === "trash" ? dirname(out) : out };
    },
    lines: ({ dir }) => [dir],
  });
}

/** Returns the directory of a convening to move; checks the permission to write its archive. */
async function movedPlace(
  invocation: Invocation,
  session: Session,
  archive?: () => Promise<string>,
): Promise<Place> {
  const place = await atDirectory(invocation, session, archive);
  requirePermissions(session.io, { writes: place.out });
  return place;
}

const FORMAT = choice("--format", "the transcript's form", TRANSCRIPT_FORMATS);

export const EXPORT: Action = writeCommand([FORMAT], async (dir, { values }) => {
  const format = values.get(FORMAT);
  if (format === undefined) {
    throw new ConfigurationError("Cannot export: --format was not given", {
      field: FORMAT.name,
      hint: `Write --format ${FORMAT.value}.`,
    });
  }
  const { exportConvening } = await late("../operations/convening.ts");
  const path = await exportConvening(dir, format);
  return replyOf({ dir, format, path }, [path]);
});

export const INDEX: Action = writeCommand([], async (dir) => {
  const { rebuildIndex } = await late("../operations/convening.ts");
  await rebuildIndex(dir);
  const index = join(dir, "index.md");
  return replyOf({ dir, index }, [index]);
});

function writeCommand(
  flags: readonly Flag<unknown>[],
  run: (dir: string, invocation: Invocation) => Promise<Reply>,
): Action {
  return {
    flags,
    async run(invocation, session) {
      const dir = await directoryOf(invocation, session);
      requirePermissions(session.io, { reads: [dir], writes: archiveOf(dir) });
      return await run(dir, invocation);
    },
  };
}

export const SCHEMA: Action = {
  flags: [],
  async run({ args: [name] }, { catalogue }) {
    const { publishedSchemas } = await late("../operations/schemas.ts");
    const schemas = publishedSchemas(catalogue);
    const names = schemas.map((each) => each.name);
    if (name === undefined) {
      const width = Math.max(...names.map((each) => each.length));
      return replyOf(
        { schemas: schemas.map(({ name, about }) => ({ name, about })) },
        schemas.map(({ name, about }) => `${name.padEnd(width)}  ${about}`),
      );
    }
    const found = schemas.find((each) => each.name === name);
    if (found === undefined) {
      throw new ConfigurationError(
        `Cannot print schema ${JSON.stringify(name.slice(0, 80))}: there is no schema of that name`,
        { field: "name", hint: `${didYouMean(name, names)}Names: ${names.join(", ")}.` },
      );
    }
    const json = found.toJSON();
    return replyOf(json, [JSON.stringify(json, null, 2)]);
  },
};

const FOLDER = reworded(OUT, "the folder of the site: new, or an earlier site (default: site)");

export const SITE: Action = {
  flags: [FOLDER],
  async run({ args: [archive], values }, session) {
    const source = archive === undefined
      ? await defaultArchive(session)
      : await directoryOf({ args: [archive], values }, session);
    const out = userPath(values.get(FOLDER) ?? "site", session);
    requirePermissions(session.io, { reads: [source, out], writes: out });
    const { writeFolder } = await loadModule<typeof import("../../viewer/site/writer.ts")>(
      import.meta.resolve("../../viewer/site/writer.ts"),
    );
    session.named = [FOLDER];
    const written = await writeFolder(source, out);
    for (const { id, problem } of written.skipped) {
      session.note(`left out: ${id}: ${plainLine(problem)}`);
    }
    const index = join(out, "index.html");
    return replyOf({ ...written, index }, [index]);
  },
};

/** Returns the lines, or one sentence instead of no lines. */
function linesOr(lines: readonly string[], none: string): readonly string[] {
  return lines.length === 0 ? [none] : lines;
}

/** Returns the lines of a passage: its place, and its text below. */
function passage(session: Session, text: string, ...place: string[]): readonly string[] {
  return [columns(...place), ...session.wrapped([`    ${plainLine(text)}`])];
}

function columns(...parts: readonly string[]): string {
  return parts.map((each) => plainLine(each)).join("  ");
}
