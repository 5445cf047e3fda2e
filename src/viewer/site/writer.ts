// Writer of a site of static pages and markdown, one convening at a time. Removes the files of an earlier site that are no
// longer needed.
import { basename, dirname, join } from "@std/path";
import { ConfigurationError } from "../../core/error.ts";
import type { ConveningRow } from "../../core/event.ts";
import { inParallel } from "../../core/files.ts";
import { sha256 } from "../../core/message.ts";
import { loadTokenCounter } from "../../core/tokens.ts";
import { compareTexts } from "../../core/values.ts";
import { type Convening, conveningOf } from "../../operations/convening.ts";
import { isId, withoutPaths } from "../../operations/convening_dir.ts";
import type { ListRow } from "../../operations/list.ts";
import { studyIds } from "../../operations/study_json.ts";
import { Archive, archivePlace, byNumber, DAY } from "../../record/archive.ts";
import { conveningName } from "../../record/claim.ts";
import { filesBelow, realPath, recordFiles } from "../../record/disk_files.ts";
import { listConvenings, listRow, titleOf } from "../../record/list.ts";
import { markdownText } from "../../record/markdown.ts";
import { boundedList, type PageText } from "../../record/page_tree.ts";
import { ifReadable, readText, withRecordErrors } from "../../record/problems.ts";
import { readMetadata, readRecord } from "../../record/read.ts";
import type { RecordContents } from "../../record/record_model.ts";
import { CUT } from "../../record/words.ts";
import { cellDir, DEBATES, openStudy, STUDIES } from "../../studies/folder.ts";
import { reportOf } from "../../studies/report.ts";
import { readStudyDebate } from "../../studies/results.ts";
import { standingWords } from "../standing.tsx";
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
  if (`${await realPath(folder)}/`.startsWith(`${await realPath(base)}/`)) {
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
    const [row] = [listed(await listRow(recordFiles(source), source))];
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
    throw new ConfigurationError(
      `Cannot write a site of ${source}: it contains no convening`,
      {
        field: "source",
        hint: "Give an archive, a study of one, or the directory of a convening.",
      },
    );
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
  return rows
    .sort((a, b) => compareTexts(b.startedAt, a.startedAt) || byNumber(b.dir, a.dir))
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
  readonly #out: string;
  readonly #contents: Contents;
  readonly #index: SearchIndex;

  constructor(out: string, contents: Contents) {
    this.#site = new SiteFolder(out);
    this.#out = out;
    this.#contents = contents;
    const { convenings, studies } = contents;
    const all = studies.reduce((sum, study) => sum + study.convenings.length, convenings.length);
    this.#index = new SearchIndex(all);
  }

  write(): Promise<WrittenSite> {
    return this.#site.whileOpen(() => this.#written());
  }

  async #written(): Promise<WrittenSite> {
    const rows = await this.#rows(this.#contents.convenings);
    const studies: SiteStudy[] = [];
    for (const { id, convenings } of this.#contents.studies) {
      studies.push(await this.#study(id, await this.#rows(convenings)));
    }
    await this.#removeOthers(rows, studies);
    await this.#writeIndexes(rows);
    const list = { title: "Convenings", rows, folder: "", head: siteHead(studies) };
    const pages = new Set<string>();
    for await (const page of listPages(list)) {
      await this.#site.put(page);
      pages.add(page.path);
    }
    for (const name of await this.#site.names("", /^page-\d+\.html$/)) {
      if (!pages.has(name)) await this.#site.remove(name);
    }
    await this.#site.put({ path: "search.html", text: await this.#index.page() });
    await this.#site.put({ path: "llms.txt", text: llmsText({ rows, studies }) });
    const all = [...rows, ...studies.flatMap((study) => study.rows)];
    return {
      out: this.#out,
      convenings: all.filter(({ path }) => path !== undefined).length,
      studies: studies.map(({ id }) => id),
      skipped: all.flatMap(({ id, problem }) => problem === undefined ? [] : [{ id, problem }]),
    };
  }

  async #rows(convenings: readonly Found[]): Promise<readonly SiteRow[]> {
    const rows: SiteRow[] = [];
    for (const each of convenings) rows.push(await this.#convening(each));
    return rows;
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
    await this.#site.fill(path, filesOf());
    this.#index.add(convening, row, path);
    return { ...row, path };

    async function* filesOf() {
      yield* conveningPages(parts);
      yield* pages;
      yield* factFiles(model);
    }
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
    const study: SiteStudy = { id, rows, ...await this.#leaderboard(id, rows) };
    const { leaderboard } = study;
    const list = { title: `Study ${id}`, rows, folder, head: studyHead(study) };
    for await (const { path, text } of listPages(list)) {
      await this.#site.put({ path: `${folder}/${path}`, text });
    }
    if (leaderboard === undefined) await this.#site.remove(`${folder}/report`);
    else {
      await this.#site.fill(`${folder}/report`, [
        { path: "leaderboard.html", text: leaderboard.html },
        { path: "leaderboard.md", text: leaderboard.md },
      ]);
    }
    await this.#site.remove(`${folder}/${DEBATES}/pages`);
    for (const { path, text } of await studyIndex(study)) {
      await this.#site.put({ path: `${folder}/${DEBATES}/${path}`, text });
    }
    return study;
  }

  /** Makes the leaderboard of a study that has one, from the records: a file in an archive may contain arbitrary HTML. */
  async #leaderboard(
    id: string,
    rows: readonly SiteRow[],
  ): Promise<Pick<SiteStudy, "leaderboard" | "problem">> {
    const { base } = this.#contents;
    return await ifReadable(async () => {
      const dir = join(base, STUDIES, id);
      const files = filesBelow(base);
      if (await files.stat(join(dir, "report", "leaderboard.html")) === undefined) return {};
      const on = await openStudy(dir);
      const debates = await inParallel(
        on.cells,
        (cell) => readStudyDebate(files, cellDir(on, cell), cell),
      );
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
        leaderboard: {
          html: linked("leaderboard.html", "index.html"),
          md: linked("leaderboard.md", "index.md"),
        },
      };
    }, (error) => ({ problem: (withoutPaths(error, base) as Error).message }));
  }

  /** Removes the folders of convenings and studies that only an earlier site had. */
  async #removeOthers(rows: readonly SiteRow[], studies: readonly SiteStudy[]): Promise<void> {
    const kept = new Set(
      [...rows, ...studies.flatMap((each) => each.rows)].map(({ path }) => path),
    );
    for (const day of await this.#site.names("", DAY)) {
      await this.#keep(day, /^\d{4}-\d\d-\d\dT/, kept);
      if (!rows.some(({ path }) => path?.startsWith(`${day}/`))) await this.#site.remove(day);
    }
    const ids = new Set(studies.map(({ id }) => `${STUDIES}/${id}`));
    await this.#keep(STUDIES, /^/, ids);
    if (ids.size === 0) await this.#site.remove(STUDIES);
    for (const id of ids) await this.#keep(`${id}/${DEBATES}`, CELL, kept);
  }

  async #keep(
    folder: string,
    name: RegExp,
    kept: ReadonlySet<string | undefined>,
  ): Promise<void> {
    for (const each of await this.#site.names(folder, name)) {
      const path = `${folder}/${each}`;
      if (!kept.has(path)) await this.#site.remove(path);
    }
  }

  /** Writes the markdown index pages of the archive and its days. */
  async #writeIndexes(rows: readonly SiteRow[]): Promise<void> {
    const days = new Set(rows.flatMap(({ path }) => path === undefined ? [] : [dirname(path)]));
    for (const folder of ["", ...days]) await this.#site.remove(join(folder, "pages"));
    const archive = new Archive(filesBelow(this.#out), this.#out);
    await Promise.all([...days].map((day) => archive.refresh(day, "")));
    if (days.size === 0) await this.#site.remove("index.md");
    await this.#site.remove(".lock");
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
    rows: shown.map(({ id: key, status, topic = "", winnerName = "" }) => ({
      label: key,
      line: (up: string) =>
        `| [${key}](${up}${key}/index.md) | ${standingWords(status)} | ${
          markdownText(topic, CUT.gist)
        } | ${markdownText(winnerName, CUT.name)} |\n`,
    })),
  }, await loadTokenCounter());
}

/** File that marks a folder as a site. */
const MARK = "convenings-site.json";
const MARK_TEXT = '{ "format": "convenings-site/1" }\n';

/** Empty file that a writer locks. The name also stops hosts such as GitHub Pages from converting the markdown. */
const LOCKED = ".nojekyll";

/** Folder of a site. No file outside the folder is written, not even through symbolic links. */
class SiteFolder {
  readonly #out: string;
  readonly #files: ReturnType<typeof filesBelow>;
  #folder = "";

  constructor(out: string) {
    this.#out = out;
    this.#files = filesBelow(out);
  }

  /**
   * Marks the folder as a site, waits for the lock of the site, and runs `write`. Fails with `config_invalid` if the folder
   * has content other than an earlier site.
   */
  async whileOpen<T>(write: () => Promise<T>): Promise<T> {
    const out = this.#out;
    const names = (await this.names("", /^/)).filter((name) => name !== LOCKED);
    if (names.length > 0 && !await this.#isSite()) {
      throw new ConfigurationError(
        `Cannot write a site to ${out}: the folder is not empty and does not hold an earlier site`,
        { field: "out", hint: "Choose a new folder with --out, or empty that one." },
      );
    }
    await this.#files.makeFolder(out);
    const { lock } = await this.#files.lock(join(out, LOCKED), { wait: true });
    try {
      await this.put({ path: MARK, text: MARK_TEXT });
      return await write();
    } finally {
      await lock?.release();
    }
  }

  /** Returns true if the folder holds an earlier site. Checks the text, because an unrelated file may have the name. */
  async #isSite(): Promise<boolean> {
    return await readText(this.#files, join(this.#out, MARK)) === MARK_TEXT;
  }

  /** Writes a file, unless the file already has the text. */
  async put({ path, text }: PageText): Promise<void> {
    const whole = join(this.#out, path);
    const found = await this.#files.stat(whole);
    const bytes = new TextEncoder().encode(text);
    if (found?.isFolder === false && found.size === bytes.length) {
      if (await this.#files.read(whole) === text) return;
    }
    if (found !== undefined) await this.#files.remove(whole);
    else if (dirname(whole) !== this.#folder) {
      this.#folder = dirname(whole);
      await this.#files.makeFolder(this.#folder);
    }
    await this.#files.append(whole, bytes);
  }

  /** Writes the files of a folder, and removes all other files in the folder and below. */
  async fill(
    folder: string,
    pages: AsyncIterable<PageText> | Iterable<PageText>,
  ): Promise<void> {
    const kept = new Set<string>();
    for await (const { path, text } of pages) {
      await this.put({ path: join(folder, path), text });
      for (let part = path; part !== "."; part = dirname(part)) kept.add(part);
    }
    await this.#sweep(folder, "", kept);
  }

  /** Lists the entries of a folder with a matching name; empty for a missing folder. */
  async names(folder: string, name: RegExp): Promise<readonly string[]> {
    const entries = await this.#files.list(join(this.#out, folder));
    return entries.map((each) => each.name).filter((each) => name.test(each));
  }

  /** Removes a file, or a folder with its contents. */
  async remove(path: string): Promise<void> {
    await this.#files.remove(join(this.#out, path));
    this.#folder = "";
  }

  async #sweep(folder: string, below: string, kept: ReadonlySet<string>): Promise<void> {
    for (const { name, isFolder } of await this.#files.list(join(this.#out, folder, below))) {
      const path = join(below, name);
      if (!kept.has(path)) await this.remove(join(folder, path));
      else if (isFolder) await this.#sweep(folder, path, kept);
    }
  }
}
