// Writes records for tests of verification, and damages them.
import assert from "node:assert/strict";
import { type ConveningStart, type Ending, eventOf } from "../../../src/core/event.ts";
import type { Fact } from "../../../src/core/fact.ts";
import type { FileSystem } from "../../../src/core/files.ts";
import { openRecord } from "../../../src/record/directory_record.ts";
import { MemoryFileSystem } from "../../../src/record/stores.ts";
import { verifyRecord } from "../../../src/record/verify.ts";
import { endingOf } from "./fixtures.ts";
import { FACTS, START } from "./transcript_record.ts";

/** Options of {@linkcode writeRecord}. */
export interface WriteRecordOptions {
  readonly start?: ConveningStart;
  /** Facts in order. */
  readonly facts?: readonly Fact[];
  /** End of the convening; null for an interrupted run. */
  readonly ending?: Partial<Ending> | null;
  readonly out?: string;
}

/** Writes a convening's directory by applying events to the store. */
export async function writeRecord(
  files: FileSystem,
  options: WriteRecordOptions = {},
): Promise<string> {
  const { start = START, facts = FACTS, ending = {}, out = "/out" } = options;
  const record = await openRecord(files, { out }, { start });
  const at = start.startedAt;
  let n = 0;
  await record.apply({ type: "convening-start", start, n: ++n, at });
  for (const fact of facts) await record.apply({ ...eventOf(fact), n: ++n, at });
  if (ending !== null) {
    const whole = endingOf({ winner: "ada", ...ending });
    await record.apply({ type: "convening-end", ending: whole, n: ++n, at });
  }
  await record.close();
  return record.dir ?? "";
}

/** A record to damage. */
export class Sample {
  readonly files = new MemoryFileSystem();
  dir = "";

  static async make(options: WriteRecordOptions = {}): Promise<Sample> {
    const sample = new Sample();
    sample.dir = await writeRecord(sample.files, options);
    return sample;
  }

  /** Returns the path of the only file that begins with `lead`. */
  path(lead: string): string {
    const found = [...this.files.files(this.dir).keys()]
      .filter((each) => each.startsWith(lead));
    assert.equal(found.length, 1, `${lead}: ${found.join(", ")}`);
    return `${this.dir}/${found[0]}`;
  }

  /** Returns the text of a file. */
  read(path: string): Promise<string> {
    return this.files.read(`${this.dir}/${path}`);
  }

  async edit(lead: string, from: string | RegExp, to: string): Promise<void> {
    const path = this.path(lead);
    const text = await this.files.read(path);
    const changed = text.replace(from, to);
    assert.notEqual(changed, text, `${lead} does not have ${from}`);
    await this.files.write(path, changed);
  }

  async remove(lead: string): Promise<void> {
    await this.files.remove(this.path(lead));
  }

  async findings(): Promise<string[]> {
    const { findings } = await verifyRecord(this.files, this.dir);
    return findings.map(({ path, problem }) => `${path}: ${problem}`);
  }
}
