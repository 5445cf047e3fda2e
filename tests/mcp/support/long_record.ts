// Writes long records quickly for tests of bounds.
import { ensureDir, walk } from "@std/fs";
import { dirname, join } from "@std/path";
import type { Message } from "../../../src/core/message.ts";
import { rebuildIndex } from "../../../src/operations/convening.ts";
import { factPath, renderFact } from "../../../src/record/codec.ts";
import type { Naming } from "../../../src/record/fact_row.ts";
import { folderRecord } from "../../../src/record/directory_record.ts";
import { endingOf, Events, messageOf, startOf } from "../../record/support/fixtures.ts";

/** Writes a completed convening with a number of messages; returns its directory. */
export async function longRecord(
  out: string,
  { messages, other = () => undefined, topic = "Should cities ban cars?" }: {
    readonly messages: number;
    /** Returns fields that replace a message's usual ones. */
    readonly other?: (seq: number) => Partial<Message> | undefined;
    readonly topic?: string;
  },
): Promise<string> {
  const start = startOf({
    expectedMessages: messages,
    topic,
    configuration: { kind: "debate", topic, roundCount: 2 },
  });
  const record = await folderRecord({ out }).open(start);
  const dir = record.dir!;
  const events = new Events(record);
  await events.apply({ type: "convening-start", start: record.start });
  await events.apply({ type: "convening-end", ending: endingOf() });
  await record.close();
  const names = new Map<number, string>();
  const naming: Naming = { width: 5, layout: 2, messageName: (seq) => names.get(seq) };
  await Deno.mkdir(join(dir, "messages"), { recursive: true });
  for (let seq = 1; seq <= messages; seq++) {
    write(dir, messageOf(seq, other(seq)), { naming, names });
  }
  await rebuildIndex(dir);
  return dir;
}

/** Writes a number of convenings of one message each; copies of the first are much faster to write. */
export async function shortRecords(out: string, count: number): Promise<void> {
  const dir = await longRecord(out, { messages: 1 });
  const paths = await Array.fromAsync(walk(dir, { includeDirs: false }), ({ path }) => path);
  for (let number = 2; number <= count; number++) {
    for (const path of paths) {
      const copy = `${dir}-${number}${path.slice(dir.length)}`;
      await ensureDir(dirname(copy));
      await Deno.copyFile(path, copy);
    }
  }
}

/** Writes a file without flushing: durable or asynchronous writes would take most of a test. */
function write(
  dir: string,
  message: Message,
  { naming, names }: { readonly naming: Naming; readonly names: Map<number, string> },
): void {
  const path = factPath(message, naming);
  names.set(message.seq, path.slice("messages/".length));
  Deno.writeTextFileSync(join(dir, path), renderFact(message, naming));
}
