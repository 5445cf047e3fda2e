// Library function that writes an archive, a study or a convening as a site of static pages.
import { resolve } from "@std/path";
import { checkArguments } from "../../core/check_fields.ts";
import type { WrittenSite } from "./writer.ts";

/** Options of {@linkcode writeSite}. */
export interface SiteOptions {
  /** Folder of the site: a new or empty folder, or the folder of an earlier site. */
  readonly out: string;
}

/**
 * Writes the archive, study or convening in the folder `source` as a site of static pages, with markdown files and
 * `llms.txt`. The pages open from disk and on any host: links are relative, and the search sends no requests. Leaves out
 * private drafts, rejected attempts, sources, the text of papers and the messages of servers' errors. A damaged convening is
 * skipped and reported. Updates an earlier site in the folder. Takes no lock of the archive; concurrent writers of one site
 * wait for each other. Fails with `config_invalid` if `source` has no convening, and if `out` has other content or is part of
 * the archive. Fails with `record_unwritable` if a file cannot be written.
 */
export async function writeSite(source: string, options: SiteOptions): Promise<WrittenSite> {
  checkArguments("writeSite", { source, out: (options as SiteOptions | undefined)?.out });
  const { writeFolder } = await import("./writer.ts");
  return await writeFolder(resolve(source), resolve(options.out));
}
