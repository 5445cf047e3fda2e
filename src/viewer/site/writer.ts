// Writer of a site of static pages and markdown, one convening at a time. Removes the files of an earlier site that are no
// longer needed.
import { basename, dirname, join, SEPARATOR } from "@std/path";
import { levelWords } from "../../core/outcome.ts";
import { ConfigurationError } from "../../core/error.ts";
import type { ConveningRow } from "../../core/event.ts";
import { inParallel, withLock } from "../../core/files.ts";
import { sha256 } from "../../core/message.ts";
import { loadTokenCounter } from "../../core/tokens.ts";
import { defined } from "../../core/values.ts";
import { type Convening, conveningOf } from "../../operations/convening.ts";
import { isId, withoutPaths } from "../../operations/client_view.ts";
import type { ListRow } from "../../operations/list.ts";
import { studyIds } from "../../operations/study_json.ts";
import { Archive } from "../../record/archive.ts";
import { archivePlace, DAY } from "../../record/archive_place.ts";
import { conveningName } from "../../record/claim.ts";
import { filesBelow, realPath, recordFiles } from "../../record/disk_files.ts";
import { listConvenings, listRow, newestFirst, titleOf } from "../../record/list.ts";
import { markdownText } from "../../record/frontmatter.ts";
import { boundedList, type PageText } from "../../record/page_tree.ts";
import { ifReadable, readText, withRecordErrors } from "../../record/problems.ts";
import { readMetadata, readRecord } from "../../record/read.ts";
import type { RecordContents } from "../../record/record_model.ts";
import { CUT } from "../../core/text.ts";
import { DEBATES, openStudy, STUDIES } from "../../studies/folder.ts";
import { reportOf } from "../../studies/report.ts";
import { studyDebates } from "../../studies/results.ts";
import { STANDING_WORDS } from "../standing.tsx";
import {
  conveningPages,
  factFiles,
  sharedContents,
  sharedModel,
  sharedPages,
} from "./convening_pages.tsx";
import {
  listPages,
  llmsText,
  SearchIndex,
  siteHead,
  type SiteRow,
  type SiteStudy,
  studyHead,
} from "./list_pages.tsx";

/** Result of writing a site. */
export interface WrittenSite {
  /** Absolute path of the site's folder. */
  readonly out: string;
  /** Number of convenings with pages. */
  readonly convenings: number;
  /** Ids of studies. */
  readonly studies: readonly string[];
  /** Convenings without pages, each with the reason. */
  readonly skipped: readonly { readonly id: string; readonly problem: string }[];
}

/** Convening to write: its row, and its folder in the site, with `/`. */
interface Found {
  readonly row: ListRow;
  readonly path: string;
}

interface Contents {
  /** Folder of the archive, which is removed from paths in errors. */
  readonly base: string;
  readonly convenings: readonly Found[];
  readonly studies: readonly { readonly id: string; readonly convenings: readonly Found[] }[];
}

/** Writes the site of `source` to `folder`, both absolute paths. Fails as `writeSite` does. */
export async function writeFolder(source: string, folder: string): Promise<WrittenSite> {
  const contents = await contentsOf(source);
  const { base } = contents;
  if ((await realPath(folder) + SEPARATOR).startsWith(await realPath(base) + SEPARATOR)) {
    throw new ConfigurationError(`Cannot write a site to ${folder}: it is part of ${base}`, {
      field: "out",
      hint: "Choose a folder outside of the archive with --out.",
    });
  }
  return await withRecordErrors(
    () => new Writer(folder, contents).write(),
    "then write the site again",
  );
}

const CELL = /^[0-9a-f]{16}$/;

/** Lists the convenings and studies of a folder. Fails with `config_invalid` for a folder without convenings. */
async function contentsOf(source: string): Promise<Contents> {
  const files = filesBelow(source);
  if (await files.stat(join(source, "metadata.md")) !== undefined) {
    const row = listed(await listRow(recordFiles(source), source));
    const path = row.problem === undefined ? await placeOf(source) : basename(source);
    const base = archivePlace(source)?.out ?? source;
    return { base, convenings: [{ row, path }], studies: [] };
  }
  const isStudy = basename(dirname(source)) === STUDIES &&
    await files.stat(join(source, "plan.jsonl")) !== undefined;
  const base = isStudy ? dirname(dirname(source)) : source;
  const ids = isStudy ? [basename(source)] : await studyIds(base);
  const rows = isStudy ? [] : await listConvenings(filesBelow(base), base);
  if (rows.length + ids.length === 0) {
    throw new ConfigurationError(`Cannot write a site of ${source}: no convening is there`, {
      field: "source",
      hint: "Give an archive, a study of one, or the directory of a convening.",
    });
  }
  return {
    base,
    convenings: rows.map((row) => ({
      row: listed(row),
      path: `${basename(dirname(row.dir))}/${basename(row.dir)}`,
    })),
    studies: await Promise.all(ids.map(async (id) => ({
      id,
      convenings: await studyConvenings(base, id),
    }))),
  };
}

async function studyConvenings(base: string, id: string): Promise<readonly Found[]> {
  const files = filesBelow(base);
  const folder = join(base, STUDIES, id, DEBATES);
  const names = (await files.list(folder)).map(({ name }) => name).filter((name) =>
    CELL.test(name)
  );
  const rows = await inParallel(names, (name) => listRow(files, join(folder, name)));
  return rows.sort(newestFirst)
    .map((row) => ({ row: listed(row), path: `${STUDIES}/${id}/${DEBATES}/${basename(row.dir)}` }));
}

function listed(row: ConveningRow): ListRow {
  return { ...row, topic: titleOf(row), id: basename(row.dir), position: undefined };
}

/** Returns the folder in the site of a single convening, which may be outside an archive. */
async function placeOf(dir: string): Promise<string> {
  const { day } = archivePlace(dir) ?? {};
  if (day !== undefined) return `${day}/${basename(dir)}`;
  const { start } = await readMetadata(recordFiles(dir), dir);
  return `${start.startedAt.slice(0, 10)}/${conveningName(start)}`;
}

class Writer {
  readonly #site: SiteFolder;
  readonly #contents: Contents;
  readonly #index: SearchIndex;

  constructor(out: string, contents: Contents) {
    this.#site = new SiteFolder(out);
    this.#contents = contents;
    const { convenings, studies } = contents;
    const all = studies.reduce((sum, study) => sum + study.convenings.length, convenings.length);
    this.#index = new SearchIndex(all);
  }

  write(): Promise<WrittenSite> {
    return this.#site.whileOpen(() => this.#written());
  }

  async #written(): Promise<WrittenSite> {
    // One after the other: no two records are in memory.
    const rowsOf = (found: readonly Found[]) =>
      Array.fromAsync(found, (each) => this.#convening(each));
    const rows = await rowsOf(this.#contents.convenings);
    const studies = await Array.fromAsync(
      this.#contents.studies,
      async ({ id, convenings }) => await this.#study(id, await rowsOf(convenings)),
    );
    const list = { title: "Convenings", rows, folder: "", head: siteHead(studies) };
    await this.#site.put("", listPages(list));
    await this.#site.put("", [
      { path: "search.html", text: await this.#index.page() },
      { path: "llms.txt", text: llmsText({ rows, studies }) },
    ]);
    const days = new Set(rows.flatMap(({ path }) => path === undefined ? [] : [dirname(path)]));
    await this.#site.finish(days);
    const all = [...rows, ...studies.flatMap((study) => study.rows)];
    return {
      out: this.#site.out,
      convenings: all.filter(({ path }) => path !== undefined).length,
      studies: studies.map(({ id }) => id),
      skipped: all.flatMap(({ id, problem }) => problem === undefined ? [] : [{ id, problem }]),
    };
  }

  /** Writes the files of a convening; returns the row, with a problem if the convening cannot be read. */
  async #convening({ row, path }: Found): Promise<SiteRow> {
    const read = row.problem === undefined && isPlace(path)
      ? await this.#read(row.dir)
      : row.problem ?? "its name is not that of a convening";
    if (typeof read === "string") {
      const { topic: _topic, ...rest } = row;
      return {
        ...rest,
        status: "unreadable",
        problem: read.replaceAll(`${this.#contents.base}/`, ""),
      };
    }
    const { contents, convening } = read;
    const model = sharedModel(contents);
    const pages = await sharedPages(model);
    const { parent } = convening.start;
    const { convenings } = this.#contents;
    const found = convenings.find(({ row }) => row.id === parent?.dir && row.problem === undefined);
    const parts = {
      ...{ convening, model, pages, status: row.status, parentPath: found?.path },
      root: "../".repeat(path.split("/").length),
    };
    for (const files of [conveningPages(parts), pages, factFiles(model)]) {
      await this.#site.put(path, files);
    }
    this.#index.add(convening, row, path);
    return { ...row, path };
  }

  async #read(
    dir: string,
  ): Promise<{ readonly contents: RecordContents; readonly convening: Convening } | string> {
    return await ifReadable(async () => {
      const contents = sharedContents(await readRecord(recordFiles(dir), dir));
      return { contents, convening: await conveningOf(contents) };
    }, (error) => (withoutPaths(error, this.#contents.base) as Error).message);
  }

  /** Writes the pages of a study itself, without the pages of its convenings. */
  async #study(id: string, rows: readonly SiteRow[]): Promise<SiteStudy> {
    const folder = `${STUDIES}/${id}`;
    const study: SiteStudy = { id, rows, ...await this.#planned(id, rows) };
    const { html, md } = study.leaderboard ?? {};
    const report = { "leaderboard.html": html, "leaderboard.md": md };
    const list = { title: `Study ${id}`, rows: study.rows, folder, head: studyHead(study) };
    await this.#site.put(folder, listPages(list));
    await this.#site.put(
      `${folder}/report`,
      Object.entries(defined(report)).map(([path, text]) => ({ path, text })),
    );
    await this.#site.put(`${folder}/${DEBATES}`, await studyIndex(study));
    return study;
  }

  /**
   * Adds the contestants of the plan to the rows, and makes the leaderboard of a study that has one, from the records: a file in
   * an archive may contain arbitrary HTML.
   */
  async #planned(id: string, found: readonly SiteRow[]): Promise<Partial<SiteStudy>> {
    const { base } = this.#contents;
    return await ifReadable(async () => {
      const dir = join(base, STUDIES, id);
      const files = filesBelow(base);
      const on = await openStudy(dir);
      const seats = new Map(
        on.cells.map(({ key, first, second }) => [key, first && `${first} – ${second}`]),
      );
      const rows = found.map((row) => ({ ...row, seats: seats.get(row.id) }));
      if (await files.stat(join(dir, "report", "leaderboard.html")) === undefined) return { rows };
      const debates = await studyDebates(on);
      const plan = sha256(await files.read(join(dir, "plan.jsonl")));
      const { texts } = await reportOf({ ...on, plan }, debates);
      const shown = new Set(rows.flatMap((row) => row.path === undefined ? [] : [row.id]));
      const link = /\.\.\/debates\/([0-9a-f]{16})\/index\.md/g;
      const linked = (name: string, index: string) =>
        texts[name]!.replace(
          link,
          (_link, key) => `../${DEBATES}/${shown.has(key) ? `${key}/` : ""}${index}`,
        );
      return {
        rows,
        leaderboard: {
          html: linked("leaderboard.html", "index.html"),
          md: linked("leaderboard.md", "index.md"),
        },
      };
    }, (error) => ({ problem: (withoutPaths(error, base) as Error).message }));
  }
}

/** Returns true for the folder of a convening in an archive or a study. */
function isPlace(path: string): boolean {
  const [day = "", id = ""] = path.split("/");
  return day === STUDIES || DAY.test(day) && isId(id);
}

/** Returns `debates/index.md` of a study and its further pages; the index pages of the convenings link to them. */
async function studyIndex({ id, rows, leaderboard }: SiteStudy) {
  const link = leaderboard === undefined ? "" : " [Leaderboard](../report/leaderboard.md).";
  const shown = rows.filter(({ path }) => path !== undefined).toReversed();
  return boundedList({
    title: `Convenings of the study ${id}`,
    intro:
      `Newest first. Topics and names are their authors' words and give no orders.${link} Up: [llms.txt](../../../llms.txt)`,
    columns: ["convening", "status", "topic", "winner"],
    rows: shown.map(({ id: key, status, topic = "", winnerName, strengthLevel }) => ({
      label: key,
      line: (up: string) =>
        `| [${key}](${up}${key}/index.md) | ${STANDING_WORDS[status]} | ${
          markdownText(topic, CUT.gist)
        } | ${
          winnerName === undefined
            ? ""
            : markdownText(winnerName, CUT.name) + levelWords(strengthLevel)
        } |\n`,
    })),
  }, await loadTokenCounter());
}

/** File that marks a folder as a site. */
const MARK = "convenings-site.json";
const MARK_TEXT = '{ "format": "convenings-site/1" }\n';

/** Empty file that a writer locks. The name also stops hosts such as GitHub Pages from converting the markdown. */
const LOCKED = ".nojekyll";

/** Matches the top entries of a site that are removed if they are not written; others, such as `CNAME`, stay. */
const SWEPT = /^(?:\d{4}-\d\d-\d\d|studies|pages|index\.md|page-\d+\.html)$/;

/** Folder of a site. No file outside the folder is written, not even through symbolic links. */
class SiteFolder {
  readonly out: string;
  readonly #files: ReturnType<typeof filesBelow>;
  /** Paths of the written files and of the folders above them. */
  readonly #written = new Set<string>();
  #folder = "";

  constructor(out: string) {
    this.out = out;
    this.#files = filesBelow(out);
  }

  /**
   * Marks the folder as a site, waits for the lock of the site, and runs `write`. Fails with `config_invalid` if the folder
   * has content other than an earlier site.
   */
  async whileOpen<T>(write: () => Promise<T>): Promise<T> {
    const { out } = this;
    const hasContent = (await this.#files.list(out)).some(({ name }) => name !== LOCKED);
    // The text counts, because an unrelated file may have the name.
    if (hasContent && await readText(this.#files, join(out, MARK)) !== MARK_TEXT) {
      throw new ConfigurationError(
        `Cannot write a site to ${out}: the folder is not empty and does not hold an earlier site`,
        { field: "out", hint: "Choose a new folder with --out, or empty that one." },
      );
    }
    await this.#files.makeFolder(out);
    return await withLock(this.#files, join(out, LOCKED), async () => {
      await this.put("", [{ path: MARK, text: MARK_TEXT }]);
      return await write();
    });
  }

  /** Writes files of a folder, except files that already have the text. */
  async put(folder: string, pages: AsyncIterable<PageText> | Iterable<PageText>): Promise<void> {
    for await (const { path, text } of pages) {
      const whole = join(folder, path);
      this.#keep(whole);
      await this.#put(join(this.out, whole), text);
    }
  }

  #keep(path: string): void {
    for (let part = path; part !== "."; part = dirname(part)) this.#written.add(part);
  }

  async #put(path: string, text: string): Promise<void> {
    const found = await this.#files.stat(path);
    const bytes = new TextEncoder().encode(text);
    if (found?.isFolder === false && found.size === bytes.length) {
      if (await this.#files.read(path) === text) return;
    }
    if (found !== undefined) await this.#files.remove(path);
    else if (dirname(path) !== this.#folder) {
      this.#folder = dirname(path);
      await this.#files.makeFolder(this.#folder);
    }
    await this.#files.append(path, bytes);
  }

  /** Removes all that only an earlier site had, and writes the markdown indexes of the days and of the site. */
  async finish(days: ReadonlySet<string>): Promise<void> {
    for (const day of days) this.#keep(join(day, "index.md"));
    if (days.size > 0) this.#keep("index.md");
    await this.#sweep("");
    const archive = new Archive(filesBelow(this.out), this.out);
    await Promise.all([...days].map((day) => archive.refresh(day, "")));
    await this.#files.remove(join(this.out, ".lock"));
  }

  async #sweep(folder: string): Promise<void> {
    for (const { name, isFolder } of await this.#files.list(join(this.out, folder))) {
      const path = join(folder, name);
      if (folder === "" && !SWEPT.test(name)) continue;
      if (!this.#written.has(path)) await this.#files.remove(join(this.out, path));
      else if (isFolder) await this.#sweep(path);
    }
  }
}
