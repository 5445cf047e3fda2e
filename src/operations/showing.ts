// Views of a record that need no reading of the whole: a line in its archive's list, its index, a message and its attachments.
import { resolve } from "@std/path";
import { RecordError } from "../core/error.ts";
import type { Evidence, FactCheck, OwnFact, Rejection, TurnDraft } from "../core/fact.ts";
import { checkPlain } from "../core/files.ts";
import { filesBelow, recordFiles } from "../record/disk_files.ts";
import type { MessageFile } from "../record/fact_files.ts";
import type { ConveningRow } from "../record/list.ts";

/** The convenings of an archive, newest first. */
export async function listConvenings(out: string): Promise<ConveningRow[]> {
  const list = await import("../record/list.ts");
  return await list.listConvenings(filesBelow(resolve(out)), resolve(out));
}

/** The text of a convening's `index.md`. Fails with `not_found` or `record_corrupt`. */
export async function showIndex(dir: string): Promise<string> {
  const files = recordFiles(dir);
  await checkPlain(files, resolve(dir));
  const path = resolve(dir, "index.md");
  if (await files.stat(path) !== undefined) return await files.read(path);
  throw new RecordError("not_found", `Cannot show ${dir}: there is no index.md in it`, {
    field: "dir",
    hint: "Give the directory of one convening; convenings index DIR writes its index again.",
  });
}

/** One message by its number, with its file. */
export async function showMessage(dir: string, seq: number): Promise<MessageFile> {
  const { readMessageFile } = await import("../record/fact_files.ts");
  return await readMessageFile(recordFiles(dir), resolve(dir), seq);
}

/** The attachments of a message: the speaker's private fields, rejected attempts, fact check, evidence. */
export interface MessageBeside {
  /** Absent where all was said. */
  readonly draft?: TurnDraft | undefined;
  /** The first one first. */
  readonly rejected: readonly Rejection[];
  /** Absent where nothing was looked up. */
  readonly factCheck?: FactCheck | undefined;
  /** The arguments and evidence of a paper debater's message; absent of all others. */
  readonly evidence?: Evidence | undefined;
  /** Facts of a program's own kinds. */
  readonly own: readonly OwnFact[];
}

/** The attachments of a message, found by its number without reading the others. */
export async function showBeside(dir: string, seq: number): Promise<MessageBeside> {
  const { readAbout } = await import("../record/fact_files.ts");
  const path = resolve(dir);
  const files = recordFiles(path);
  const [[draft], rejected, [factCheck], [evidence], own] = await Promise.all([
    readAbout(files, path, "draft", seq),
    readAbout(files, path, "rejected", seq),
    readAbout(files, path, "fact-check", seq),
    readAbout(files, path, "evidence", seq),
    readAbout(files, path, "own", seq),
  ]);
  return { draft, rejected, factCheck, evidence, own };
}
