// Stores in a convening's directory other than its facts: submissions of other processes, answers that are not yet in a fact,
// and embedding vectors.
import { join } from "@std/path";
import { z } from "zod";
import { systemClock } from "../core/clock.ts";
import { ConfigurationError } from "../core/error.ts";
import { FileError, type FileSystem, isTemporary, writeDurably } from "../core/files.ts";
import { jsonIn, memo } from "../core/values.ts";
import { sha256 } from "../core/message.ts";
import type {
  AnswerShelf,
  Inbox,
  KeptAnswer,
  KeptVector,
  NewSubmission,
  Submission,
  VectorShelf,
} from "../core/record.ts";
import { counted, thousands } from "../core/text.ts";
import { wholeLines } from "./log.ts";
import { AGAIN, asRecordError, noConvening, readText, withRecordErrors } from "./problems.ts";

/** Folder for submissions of other processes to the running convening. */
export const INBOX = ".inbox";

/** Maximum bytes of a submission's file. */
export const MAX_SUBMISSION_BYTES = 1_000_000;

const VERSION = 1;
const NAME = /^([0-9A-Za-z][0-9A-Za-z_-]{0,99})\.json$/;

const submissionSchema = memo(() => {
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

/** Counts the submissions of this process, so that submissions within one millisecond keep their order. */
let submissionCount = 0;

/**
 * Writes a submission for the convening in `dir`, which the current or next run reads. Returns the submission's id. The file
 * appears complete, and names sort by time of submission. The caller checks that the text is not blank. Fails with
 * `not_found` where there is no convening, `config_invalid` over {@linkcode MAX_SUBMISSION_BYTES}, and `record_unwritable`.
 */
export async function leaveSubmission(
  files: FileSystem,
  dir: string,
  submission: NewSubmission,
): Promise<string> {
  const text = `${JSON.stringify({ version: VERSION, ...submission })}\n`;
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > MAX_SUBMISSION_BYTES) {
    throw new ConfigurationError(
      `Cannot submit a text to ${dir}: it has ${counted(bytes, "byte")}, at most ${
        thousands(MAX_SUBMISSION_BYTES)
      } are allowed`,
      { field: "text", hint: "Say it in fewer words." },
    );
  }
  if (await files.stat(join(dir, "metadata.md")) === undefined) {
    throw noConvening(`submit a text to ${dir}`, dir);
  }
  // Time, count and a random part: unique across processes.
  const time = String(systemClock.now()).padStart(15, "0");
  const number = String(++submissionCount % 1_000_000).padStart(6, "0");
  const id = `${time}-${number}-${crypto.randomUUID().slice(0, 8)}`;
  await withRecordErrors(async () => {
    await files.makeFolder(join(dir, INBOX));
    await writeDurably(files, join(dir, INBOX, `${id}.json`), text, { truth: true });
  }, AGAIN);
  return id;
}

/**
 * Submissions of other processes in a convening's directory. An unreadable file (damaged, too large, or of a later version)
 * is skipped and kept, so that no text is lost.
 */
export class DirectoryInbox implements Inbox {
  readonly #files: FileSystem;
  readonly #folder: string;

  constructor(files: FileSystem, dir: string) {
    this.#files = files;
    this.#folder = join(dir, INBOX);
  }

  async read(): Promise<readonly Submission[]> {
    const found: Submission[] = [];
    await withRecordErrors(async () => {
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
      // A file that reappears after a power cut would submit the text twice.
      await this.#files.flushFolder(this.#folder);
    } catch (error) {
      if (error instanceof FileError && error.problem === "not_found") return;
      throw asRecordError(error);
    }
  }

  async #readOne(name: string, id: string): Promise<Submission | undefined> {
    const path = join(this.#folder, name);
    const { size = 0 } = await this.#files.stat(path) ?? {};
    const text = size > MAX_SUBMISSION_BYTES ? undefined : await readText(this.#files, path);
    const { data } = submissionSchema().safeParse(text === undefined ? undefined : jsonIn(text));
    if (data === undefined) return undefined;
    const { version: _version, ...submission } = data;
    return { id, ...submission };
  }
}

/** Folder for answers that are not yet in a truth file. */
export const ANSWERS = ".answers";

const answerSchema = z.object({
  version: z.literal(VERSION),
  of: z.string().min(1),
  id: z.string().min(1),
  value: z.unknown(),
});

/**
 * Answers in a convening's directory, a file each, removed when the turn or question that they are part of is recorded. An
 * unreadable file is ignored: the answer is requested again.
 */
export class DirectoryAnswers implements AnswerShelf {
  readonly #files: FileSystem;
  readonly #dir: string;
  /** File names by the turn, question or summary that the answers are part of. */
  readonly #names = new Map<string, Set<string>>();
  #folder: Promise<void> | undefined;

  constructor(files: FileSystem, dir: string) {
    this.#files = files;
    this.#dir = dir;
  }

  async read(): Promise<readonly KeptAnswer[]> {
    const found: KeptAnswer[] = [];
    await withRecordErrors(async () => {
      for (const { name, isFolder } of await this.#files.list(this.#at())) {
        if (isFolder || isTemporary(name)) continue;
        const { data } = answerSchema.safeParse(
          jsonIn(await readText(this.#files, this.#at(name)) ?? ""),
        );
        if (data === undefined) continue;
        this.#note(data.of, name);
        found.push({ of: data.of, id: data.id, value: data.value });
      }
    });
    return found;
  }

  async keep({ of, id, value }: KeptAnswer): Promise<void> {
    const name = `${sha256(id).slice(0, 32)}.json`;
    const text = `${JSON.stringify({ version: VERSION, of, id, value })}\n`;
    await withRecordErrors(async () => {
      await (this.#folder ??= makeFolderIn(this.#files, this.#dir, ANSWERS));
      this.#note(of, name);
      await writeDurably(this.#files, this.#at(name), text, { truth: true });
    });
  }

  async drop(of: string): Promise<void> {
    const names = this.#names.get(of) ?? [];
    this.#names.delete(of);
    await withRecordErrors(async () => {
      for (const name of names) await this.#files.remove(this.#at(name));
    });
  }

  async clear(): Promise<void> {
    this.#names.clear();
    this.#folder = undefined;
    await withRecordErrors(() => this.#files.remove(this.#at()));
  }

  #at(name = ""): string {
    return join(this.#dir, ANSWERS, name);
  }

  #note(of: string, name: string): void {
    this.#names.getOrInsertComputed(of, () => new Set()).add(name);
  }
}

/** Creates a folder in a convening's directory. Does not recreate a missing directory, which would lack the accepted facts. */
export async function makeFolderIn(files: FileSystem, dir: string, folder: string): Promise<void> {
  if (await files.stat(dir) !== undefined) await files.makeFolder(join(dir, folder));
  await files.flushFolder(dir);
}

/** File with the vectors of paper passages and of queries. */
export const VECTORS = "embeddings.jsonl";

/**
 * Vectors in a convening's directory, a line each, as 32-bit floats in base64. An unreadable line is ignored: its text is
 * embedded again.
 */
export class DirectoryVectors implements VectorShelf {
  readonly #files: FileSystem;
  readonly #path: string;

  constructor(files: FileSystem, dir: string) {
    this.#files = files;
    this.#path = join(dir, VECTORS);
  }

  async *read(): AsyncGenerator<KeptVector> {
    try {
      for await (const line of wholeLines(this.#files, this.#path)) {
        const kept = vectorIn(line);
        if (kept !== undefined) yield kept;
      }
    } catch (error) {
      throw asRecordError(error);
    }
  }

  async add(vectors: readonly KeptVector[]): Promise<void> {
    const lines = vectors.map(({ id, vector }) =>
      `${JSON.stringify({ id, vector: new Uint8Array(vector.buffer).toBase64() })}\n`
    );
    await withRecordErrors(() => this.#files.append(this.#path, lines.join("")));
  }
}

/** Parses a line; undefined for a line without a vector. */
export function vectorIn(line: string): KeptVector | undefined {
  try {
    const { id, vector } = z.object({ id: z.string(), vector: z.string() }).parse(JSON.parse(line));
    return { id, vector: new Float32Array(Uint8Array.fromBase64(vector).buffer) };
  } catch {
    return undefined;
  }
}
