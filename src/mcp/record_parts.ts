import { ConveningError, RecordError } from "../core/error.ts";
import type { Message } from "../core/message.ts";
import { archivedFile } from "../operations/archived_file.ts";
import type { NumberedFile } from "../operations/numbered_files.ts";
import { factIn } from "../operations/reading_convenings.ts";
import { filesBelow } from "../record/disk_files.ts";
import type { McpContext } from "./mcp_context.ts";

/** One message. Fails with `record_corrupt`. */
export async function readMessage(dir: string, { name }: NumberedFile): Promise<Message> {
  const fact = await factIn(dir, "messages", name);
  if (fact.type === "message") return fact;
  throw new RecordError("record_corrupt", `Cannot read messages/${name}: it is no message`);
}

/** The text of a file that the pages of a convening link to, but the log. Fails with `not_found`. */
export async function readPage(dir: string, page: string): Promise<string> {
  if (page !== "log.jsonl") {
    try {
      return new TextDecoder().decode((await archivedFile(dir, page.split("/"))).bytes);
    } catch (error) {
      if (!(error instanceof ConveningError) || error.code !== "not_found") throw error;
    }
  }
  throw new RecordError("not_found", `Cannot read page "${page.slice(0, 100)}": there is none`, {
    field: "page",
    hint: "Give a path as index.md, scores.md or a page that they link to has it.",
  });
}

/** The archive's folder. Fails with `not_found` where it is missing, unless a run would make it. */
export async function archiveOf({ out, runs }: McpContext): Promise<string> {
  if (runs !== undefined || (await filesBelow(out).stat(out))?.isFolder === true) return out;
  throw new RecordError("not_found", "Cannot read the archive: its folder is missing", {
    hint: "Start the server with the folder of an archive: --out FOLDER.",
  });
}
