// Opens records in memory for tests of records.
import type { ConveningStart } from "../../../src/core/event.ts";
import { openRecord, type RecordOptions } from "../../../src/record/directory_record.ts";
import { MemoryFileSystem } from "../../../src/record/stores.ts";
import { Events, startOf } from "./fixtures.ts";

interface Begun {
  readonly memory: MemoryFileSystem;
  readonly record: Awaited<ReturnType<typeof openRecord>>;
  readonly events: Events;
  readonly dir: string;
}

/** Starts a record in memory; returns its directory, files and events. */
export async function begun(
  options: RecordOptions & { readonly start?: ConveningStart } = {},
  memory: MemoryFileSystem = new MemoryFileSystem(),
): Promise<Begun> {
  const given = { refreshDelay: 60_000, start: startOf(), ...options };
  const record = await openRecord(memory, { out: "/out" }, given);
  return { memory, record, events: new Events(record), dir: record.dir };
}
