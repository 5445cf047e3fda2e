import { type Archive, makeArchive } from "./archive.ts";
import type { Figure } from "./figure.ts";
import { live } from "./live_figures.ts";
import type { Bench } from "./processes.ts";
import { reading } from "./reading_figures.ts";
import type { Extent } from "./rows.ts";

/** What `convenings serve` answers in a second, how many it holds, and what each of them costs. */
export async function server(bench: Bench, extent: Extent): Promise<Figure[]> {
  const archive: Archive = await makeArchive(bench, extent);
  return [...await reading(archive, extent), ...await live(bench, extent)];
}
