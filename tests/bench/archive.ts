// Makes an archive for the server rows: debates in the usual record format, but without flushing each file.
import { walk } from "@std/fs";
import { basename, join, relative } from "@std/path";
import { openRecord } from "../../src/record/directory_record.ts";
import { DenoFileSystem } from "../../src/record/disk_files.ts";
import { AT, endingOf, Events, messageOf, scoreOf, startOf } from "../record/support/fixtures.ts";
import { speechFor } from "./calls.ts";
import { say } from "./child.ts";

/** A convening of the archive: its directory and the names of some message files. */
export interface ArchivedConvening {
  readonly id: string;
  /** Path relative to the archive. */
  readonly dir: string;
  readonly messages: number;
  readonly names: readonly string[];
}

/** An archive of one convening with many messages and others with few. */
export interface Archive extends Readonly<Record<"large" | "small", ArchivedConvening>> {
  readonly convenings: number;
}

/** File system without flushes: the archive need not survive a crash of the machine. */
class UnflushedFiles extends DenoFileSystem {
  override write(path: string, text: string): Promise<void> {
    return Promise.resolve(Deno.writeTextFileSync(path, text));
  }

  override rename(from: string, to: string): Promise<void> {
    return Promise.resolve(Deno.renameSync(from, to));
  }

  override flushFolder(): Promise<void> {
    return Promise.resolve();
  }
}

/** Speeches made once: making them takes longer than writing them. */
const SPEECHES = Array.from({ length: 50 }, (_, at) => speechFor(`argument/${at}`));

/** Writes a completed convening; returns its directory relative to the archive. */
async function write(out: string, index: number, messages: number): Promise<string> {
  const start = startOf({
    topic: `Should city ${index} ban private cars from its centre?`,
    startedAt: new Date(Date.parse(AT) + index * 60_000).toISOString(),
    expectedMessages: messages,
  });
  // Derived files are written once, at the end.
  const record = await openRecord(new UnflushedFiles(), { out }, { start, refreshDelay: 1e9 });
  const events = new Events(record);
  await events.apply({ type: "convening-start", start });
  for (let seq = 1; seq <= messages; seq++) {
    const body = SPEECHES[seq % SPEECHES.length]!;
    const reasons = SPEECHES[(seq + 7) % SPEECHES.length]!;
    const message = messageOf(seq, { body, ...seq > 1 ? { replyTo: seq - 1 } : {} });
    await events.fact(message);
    await events.fact({ ...scoreOf(seq, message.participant, [5 + seq % 5, 7]), reasons });
  }
  await events.apply({ type: "convening-end", ending: endingOf() });
  await record.close();
  return relative(out, record.dir);
}

/** Copies a convening under a later start time; writing each one would take most of the benchmark's time. */
async function copy(out: string, dir: string, number: number): Promise<void> {
  const startedAt = new Date(Date.parse(AT) + 86_400_000 + number * 60_000).toISOString();
  const name = `${startedAt.slice(0, 19).replaceAll(":", "-")}_debate`;
  const to = join(out, startedAt.slice(0, 10), name);
  for await (const { path, isDirectory } of walk(join(out, dir))) {
    const target = join(to, relative(join(out, dir), path));
    if (isDirectory) await Deno.mkdir(target, { recursive: true });
    else await Deno.copyFile(path, target);
  }
  const text = await Deno.readTextFile(join(to, "metadata.md"));
  const metadata = text.replace(/^started_at: .*$/m, `started_at: ${startedAt}`);
  await Deno.writeTextFile(join(to, "metadata.md"), metadata);
}

async function archived(out: string, dir: string, messages: number): Promise<ArchivedConvening> {
  const files = await Array.fromAsync(Deno.readDir(join(out, dir, "messages")));
  const names = files.map(({ name }) => name).sort()
    .filter((_, at) => at % Math.ceil(messages / 100) === 0);
  return { id: basename(dir), dir, messages, names };
}

const { out, sizes: [large, small], copies } = JSON.parse(Deno.args[0]!);
const dirs = [await write(out, 0, large), await write(out, 1, small)] as const;
for (let number = 0; number < copies; number++) await copy(out, dirs[1], number);
const archive: Archive = {
  convenings: dirs.length + copies,
  large: await archived(out, dirs[0], large),
  small: await archived(out, dirs[1], small),
};
say(archive);
