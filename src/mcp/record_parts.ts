import { join } from "@std/path";
import { RecordError } from "../core/error.ts";
import type { Fact } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import { seqOfName } from "../output/files/message_file.ts";
import { parseFact } from "../output/files/reader_registry.ts";
import { diskFiles } from "../output/fs_store.ts";

/** A file of a convening. */
export interface NamedPart {
  readonly name: string;
  /** The number its name begins with. */
  readonly number: number;
}

/** The messages of a convening by number, without reading them. */
export async function messageParts(dir: string): Promise<NamedPart[]> {
  return await partsIn(join(dir, "messages"), seqOfName);
}

/** The scores of a convening by message and judge, without reading them. */
export async function scoreParts(dir: string): Promise<NamedPart[]> {
  return await partsIn(join(dir, "scores"), (name) => {
    const [, number] = /^(\d+)_[0-9a-f]{8}\.md$/.exec(name) ?? [];
    return number === undefined ? undefined : Number(number);
  });
}

/** The verdicts of a convening's judges, without reading them. */
export async function verdictParts(dir: string): Promise<NamedPart[]> {
  return await partsIn(join(dir, "verdicts"), (name) => {
    const [, number] = /^[0-9a-f]{8}_(\d+)\.md$/.exec(name) ?? [];
    return number === undefined ? undefined : Number(number);
  });
}

/** A link may lead out of the archive: it is no part. */
async function partsIn(
  folder: string,
  numberOf: (name: string) => number | undefined,
): Promise<NamedPart[]> {
  const parts: NamedPart[] = [];
  for (const { name, isFolder, isLink } of await diskFiles.list(folder)) {
    const number = isFolder || isLink ? undefined : numberOf(name);
    if (number !== undefined) parts.push({ name, number });
  }
  return parts.sort((a, b) => a.number - b.number || (a.name < b.name ? -1 : 1));
}

/** One message. Fails with `record_corrupt`. */
export async function readMessage(dir: string, { name }: NamedPart): Promise<Message> {
  const fact = await readFact(dir, "messages", name);
  if (fact.type === "message") return fact;
  throw new RecordError("record_corrupt", `Cannot read messages/${name}: it is no message`);
}

/** One truth file of a folder. Fails with `record_corrupt`. */
export async function readFact(dir: string, folder: string, name: string): Promise<Fact> {
  const path = join(dir, folder, name);
  return parseFact(await diskFiles.read(path), path, folder);
}

/** The pages of a convening that are read whole. */
const PAGE = /^(?:(index|metadata|scores|summary|report)|pages\/(?:\d+_)?\d+)\.md$/;

/** The text of a page: `index.md`, one under `pages/`, `metadata.md`, `scores.md`, `summary.md`, `report.md`. Fails with `not_found`. */
export async function readPage(dir: string, page: string): Promise<string> {
  const [folder, name] = page.startsWith("pages/") ? ["pages", page.slice(6)] : ["", page];
  const entries = PAGE.test(page) ? await diskFiles.list(join(dir, folder)) : [];
  const entry = entries.find((each) => each.name === name);
  if (entry !== undefined && !entry.isFolder && !entry.isLink) {
    return await diskFiles.read(join(dir, page));
  }
  throw new RecordError("not_found", `Cannot read page "${page.slice(0, 100)}": there is none`, {
    field: "page",
    hint:
      "index.md lists the pages; metadata.md, scores.md, summary.md and report.md may be there too.",
  });
}
