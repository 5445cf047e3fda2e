// The folder of a site: files are written where their texts differ, and what only an earlier site had is removed.
import { dirname, join } from "@std/path";
import { ConfigurationError } from "../../core/error.ts";
import { filesBelow } from "../../record/disk_files.ts";
import type { PageText } from "../../record/page_tree.ts";
import { readText } from "../../record/problems.ts";

/** The file by which a site is known again. */
const MARK = "convenings-site.json";
const MARK_TEXT = '{ "format": "convenings-site/1" }\n';

/** An empty file that a run locks. Hosts that make pages of markdown leave a folder with such a file as it is. */
const LOCKED = ".nojekyll";

/** The folder of a site. Nothing outside of it is written, also not through links in it. */
export class SiteFolder {
  readonly #out: string;
  readonly #files: ReturnType<typeof filesBelow>;
  #folder = "";

  /** The folder at `out`, an absolute path. */
  constructor(out: string) {
    this.#out = out;
    this.#files = filesBelow(out);
  }

  /**
   * Marks the folder as a site, and runs `write` once no other run writes the site. Fails with `config_invalid` where the
   * folder holds anything but an earlier site.
   */
  async whileOpen<T>(write: () => Promise<T>): Promise<T> {
    const out = this.#out;
    const names = (await this.names("", /^/)).filter((name) => name !== LOCKED);
    if (names.length > 0 && !await this.#isSite()) {
      throw new ConfigurationError(
        `Cannot write a site to ${out}: the folder is not empty, and holds no earlier site`,
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

  /** True if the folder holds an earlier site: another file may have the name of the mark. */
  async #isSite(): Promise<boolean> {
    return await readText(this.#files, join(this.#out, MARK)) === MARK_TEXT;
  }

  /** Writes a file, unless it has the text already. */
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

  /** Writes the files of a folder; all others in it, and in folders of it, are removed. */
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

  /** The entries of a folder that have such a name; none where there is no folder. */
  async names(folder: string, name: RegExp): Promise<readonly string[]> {
    const entries = await this.#files.list(join(this.#out, folder));
    return entries.map((each) => each.name).filter((each) => name.test(each));
  }

  /** Removes a file, or a folder with everything in it. */
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
