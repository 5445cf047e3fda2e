// An archive, a study or one convening as a site of static pages: the function of the library.
import { resolve } from "@std/path";
import type { WrittenSite } from "./writer.ts";

/** Options of {@linkcode writeSite}. */
export interface SiteOptions {
  /** The folder of the site: new, empty, or that of an earlier site. */
  readonly out: string;
}

/**
 * Writes the archive, the study or the convening in the folder `source` as a site of static pages, which open from disk
 * and on any host: relative links, a search without requests, markdown and `llms.txt` beside. Private drafts, rejected
 * attempts, sources, the text of papers and the words of servers' errors are left out; a damaged convening is named and
 * skipped. An earlier site in the folder is brought up to date. Takes no lock of the archive; runs that write one site wait
 * for one another. Fails with `config_invalid` where there is no convening, for a folder that holds something else or is
 * part of the archive, and with `record_unwritable`.
 */
export async function writeSite(source: string, { out }: SiteOptions): Promise<WrittenSite> {
  const { writeFolder } = await import("./writer.ts");
  return await writeFolder(resolve(source), resolve(out));
}
