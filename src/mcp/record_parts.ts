import { join } from "@std/path";
import { systemClock } from "../core/clock.ts";
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
export async function messageParts(dir: string): Promise<readonly NamedPart[]> {
  return await partsIn(join(dir, "messages"), seqOfName);
}

/** The scores of a convening by message and judge, without reading them. */
export async function scoreParts(dir: string): Promise<readonly NamedPart[]> {
  return await partsIn(join(dir, "scores"), (name) => {
    const [, number] = /^(\d+)_[0-9a-f]{8}\.md$/.exec(name) ?? [];
    return number === undefined ? undefined : Number(number);
  });
}

/** The verdicts of a convening's judges, without reading them. */
export async function verdictParts(dir: string): Promise<readonly NamedPart[]> {
  return await partsIn(join(dir, "verdicts"), (name) => {
    const [, number] = /^[0-9a-f]{8}_(\d+)\.md$/.exec(name) ?? [];
    return number === undefined ? undefined : Number(number);
  });
}

/** The folders of what is kept beside messages. */
const BESIDE = ["drafts", "rejected", "fact-checks", "evidence"] as const;

/** What is kept beside the messages of a convening, by folder, without reading it. */
export async function besideParts(
  dir: string,
): Promise<Readonly<Record<typeof BESIDE[number], readonly NamedPart[]>>> {
  const [drafts = [], rejected = [], checks = [], evidence = []] = await Promise.all(
    BESIDE.map((folder) =>
      partsIn(join(dir, folder), (name) => {
        const [, number] = /^(\d+)(?:_\d+)?\.md$/.exec(name) ?? [];
        return number === undefined ? undefined : Number(number);
      })
    ),
  );
  return { drafts, rejected, "fact-checks": checks, evidence };
}

/** What a folder held when it was last looked at, for folders that nothing is written to any more. */
interface Listed {
  /** When the folder was changed last, in milliseconds. */
  readonly modified: number;
  readonly parts: readonly NamedPart[];
}

/** How long a folder must have been left alone for its list to be kept, in milliseconds: clocks of files may be coarse. */
const QUIET = 2000;
/** How many lists are kept: a long convening is read page by page, and each page would list it anew. */
const KEPT = 8;
const kept = new Map<string, Listed>();

/** A link may lead out of the archive: it is no part. */
async function partsIn(
  folder: string,
  numberOf: (name: string) => number | undefined,
): Promise<readonly NamedPart[]> {
  const modified = (await diskFiles.stat(folder))?.modified ?? 0;
  const known = kept.get(folder);
  if (known?.modified === modified) return known.parts;
  const parts: NamedPart[] = [];
  for (const { name, isFolder, isLink } of await diskFiles.list(folder)) {
    const number = isFolder || isLink ? undefined : numberOf(name);
    if (number !== undefined) parts.push({ name, number });
  }
  parts.sort((a, b) => a.number - b.number || (a.name < b.name ? -1 : 1));
  kept.delete(folder);
  if (systemClock.now() - modified > QUIET) kept.set(folder, { modified, parts });
  if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
  return parts;
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
