// Submissions of other processes to a run.
import { join } from "@std/path";
import { z } from "zod";
import { type Clock, systemClock } from "../core/clock.ts";
import { ConfigurationError, RecordError } from "../core/error.ts";
import { FileError, type FileSystem, writeDurably } from "../core/files.ts";
import { memo } from "../core/once_each.ts";
import type { Inbox, Submission } from "../core/record.ts";
import { asRecordError, readText, writing } from "./problems.ts";
import { jsonIn } from "../core/json_text.ts";

/** The folder in a convening's directory in which other processes leave submissions to a run. */
export const INBOX = ".inbox";

/** The most bytes of one submission's file. */
export const MAX_SUBMISSION_BYTES = 1_000_000;

type WithoutId<S> = S extends unknown ? Omit<S, "id"> : never;

/** A {@linkcode Submission} that has not been left yet. */
export type NewSubmission = WithoutId<Submission>;

const VERSION = 1;
const NAME = /^([0-9A-Za-z][0-9A-Za-z_-]{0,99})\.json$/;

const schema = memo(() => {
  const versioned = z.object({ version: z.literal(VERSION) });
  return z.discriminatedUnion("type", [
    versioned.extend({
      type: z.literal("say"),
      participant: z.string().min(1),
      turn: z.string().optional(),
      text: z.string(),
    }),
    versioned.extend({ type: z.literal("interjection"), text: z.string() }),
    versioned.extend({ type: z.literal("pause") }),
  ]);
});

/** Number of submissions of this process: submissions of one millisecond keep their order. */
let left = 0;

/**
 * Leaves one submission for the run that has, or next takes, the convening in `dir`; gives its id. The file appears whole,
 * and names sort in the order in which submissions were left. Whether the text has a word in it is for the caller to say.
 * Fails with `not_found` where there is no convening, `config_invalid` over {@linkcode MAX_SUBMISSION_BYTES}, and
 * `record_unwritable`.
 */
export async function leaveSubmission(
  files: FileSystem,
  dir: string,
  submission: NewSubmission,
  { clock = systemClock }: { readonly clock?: Clock | undefined } = {},
): Promise<string> {
  const text = `${JSON.stringify({ version: VERSION, ...submission })}\n`;
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > MAX_SUBMISSION_BYTES) {
    throw new ConfigurationError(
      `Cannot leave a text for ${dir}: it takes ${bytes} bytes, over the ${MAX_SUBMISSION_BYTES} allowed`,
      { field: "text", hint: "Say it in less." },
    );
  }
  if (await files.stat(join(dir, "metadata.md")) === undefined) {
    throw new RecordError(
      "not_found",
      `Cannot leave anything for ${dir}: there is no convening in it (no metadata.md)`,
      { field: dir, hint: "Give the directory of one convening." },
    );
  }
  const id = newId(clock);
  await writing(async () => {
    await files.makeFolder(join(dir, INBOX));
    await writeDurably(files, join(dir, INBOX, `${id}.json`), text, { truth: true });
  });
  return id;
}

/** Time, then how many this process left, then chance, so that two processes never take one name. */
function newId(clock: Clock): string {
  const time = String(Math.max(0, Math.trunc(clock.now()))).padStart(15, "0");
  const number = String(++left % 1_000_000).padStart(6, "0");
  return `${time}-${number}-${crypto.randomUUID().slice(0, 8)}`;
}

/**
 * Submissions that other processes left in a convening's directory. A file that cannot be read (damaged, too large, of a later
 * version) is skipped and stays where it is, so that no words are lost; it is looked at again when it changes.
 */
export class DirectoryInbox implements Inbox {
  readonly #files: FileSystem;
  readonly #folder: string;
  /** Size and time of files that could not be read, by name. */
  readonly #unreadable = new Map<string, string>();

  /** The inbox of the convening in `dir`. */
  constructor(files: FileSystem, dir: string) {
    this.#files = files;
    this.#folder = join(dir, INBOX);
  }

  async read(): Promise<readonly Submission[]> {
    const found: Submission[] = [];
    await writing(async () => {
      for (const { name, isFolder } of await this.#files.list(this.#folder)) {
        const [, id] = NAME.exec(name) ?? [];
        if (id === undefined || isFolder) continue;
        const submission = await this.#readOne(name, id);
        if (submission !== undefined) found.push(submission);
      }
    });
    return found;
  }

  async done(id: string): Promise<void> {
    const name = `${id}.json`;
    if (!NAME.test(name)) return;
    try {
      await this.#files.remove(join(this.#folder, name));
      // It must not come back after a power cut: it would be said twice.
      await this.#files.flushFolder(this.#folder);
    } catch (error) {
      if (error instanceof FileError && error.problem === "not_found") return;
      throw asRecordError(error);
    }
  }

  async #readOne(name: string, id: string): Promise<Submission | undefined> {
    const path = join(this.#folder, name);
    const info = await this.#files.stat(path);
    if (info === undefined) return undefined;
    const looks = `${info.size} ${info.modified}`;
    if (this.#unreadable.get(name) === looks) return undefined;
    const text = info.size > MAX_SUBMISSION_BYTES ? undefined : await readText(this.#files, path);
    const submission = text === undefined ? undefined : parseSubmission(text, id);
    if (submission === undefined) this.#unreadable.set(name, looks);
    return submission;
  }
}

function parseSubmission(text: string, id: string): Submission | undefined {
  const { data } = schema().safeParse(jsonIn(text));
  if (data === undefined) return undefined;
  const { version: _version, ...submission } = data;
  return { id, ...submission };
}
