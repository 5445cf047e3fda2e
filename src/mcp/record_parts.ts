import { join } from "@std/path";
import { RecordError } from "../core/error.ts";
import type { Message } from "../core/message.ts";
import type { NumberedFile } from "../library/numbered_files.ts";
import { factIn } from "../library/reading_convenings.ts";
import { diskFiles } from "../output/fs_store.ts";

/** One message. Fails with `record_corrupt`. */
export async function readMessage(dir: string, { name }: NumberedFile): Promise<Message> {
  const fact = await factIn(dir, "messages", name);
  if (fact.type === "message") return fact;
  throw new RecordError("record_corrupt", `Cannot read messages/${name}: it is no message`);
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
