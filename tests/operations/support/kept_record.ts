// Records on disk that have not changed for an hour.
import { join } from "@std/path";
import type { Fact } from "../../../src/core/fact.ts";
import { openRecord } from "../../../src/record/directory_record.ts";
import { eventOf } from "../../../src/core/event.ts";
import { filesBelow } from "../../../src/record/disk_files.ts";
import { endingOf, startOf } from "../../record/support/fixtures.ts";

/** Writes a convening with these facts, last changed an hour ago; returns its directory. */
export async function keepRecord(
  out: string,
  facts: readonly Fact[],
  start = startOf(),
): Promise<string> {
  const record = await openRecord(filesBelow(out), { out }, { start, refreshDelay: 0 });
  const at = start.startedAt;
  let n = 0;
  await record.apply({ type: "convening-start", start, n: ++n, at });
  for (const fact of facts) await record.apply({ ...eventOf(fact), n: ++n, at });
  await record.apply({ type: "convening-end", ending: endingOf(), n: ++n, at });
  await record.close();
  await rest(record.dir);
  return record.dir;
}

let rests = 0;

/** Sets the modification times of a folder and its contents to an hour ago, or more: to other times in each call. */
export async function rest(folder: string): Promise<void> {
  const time = new Date(Date.now() - 3_600_000 - 1000 * ++rests);
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) await rest(path);
    else await Deno.utime(path, time, time);
  }
  await Deno.utime(folder, time, time);
}
