import { basename, join } from "@std/path";
import type { ArchiveMade, ArchiveTask } from "./archive_process.ts";
import { type Bench, runJson } from "./processes.ts";

/** An archive that is served. */
export interface Archive {
  readonly out: string;
  /** How many convenings it has. */
  readonly convenings: number;
  /** The one with many messages. */
  readonly large: ArchivedConvening;
  /** One with few. */
  readonly small: ArchivedConvening;
}

/** A convening of it. */
export interface ArchivedConvening {
  readonly id: string;
  /** Its directory under the archive. */
  readonly dir: string;
  readonly messages: number;
  /** The names of some of its message files. */
  readonly names: readonly string[];
}

/** How many message files of a convening are asked for in turn. */
const ASKED = 100;

/** Makes the archive. */
export async function makeArchive(
  bench: Bench,
  { quick }: { readonly quick: boolean },
): Promise<Archive> {
  const out = await bench.folder();
  const [large, small, copies] = quick ? [100, 20, 8] : [10_000, 20, 498];
  const task: ArchiveTask = { out, sizes: [large, small], copies };
  const args = [JSON.stringify(task)];
  const { dirs } = await runJson("archive_process.ts", { out, args }) as ArchiveMade;
  const convening = async (dir: string, messages: number): Promise<ArchivedConvening> => {
    const names: string[] = [];
    for await (const { name } of Deno.readDir(join(out, dir, "messages"))) names.push(name);
    const step = Math.ceil(messages / ASKED);
    return {
      id: basename(dir),
      dir,
      messages,
      names: names.sort().filter((_, at) => at % step === 0),
    };
  };
  return {
    out,
    convenings: dirs.length + copies,
    large: await convening(dirs[0]!, large),
    small: await convening(dirs[1]!, small),
  };
}
