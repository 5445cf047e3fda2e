// Answers and vectors that are kept in a convening's directory.
import { join } from "@std/path";
import { z } from "zod";
import { type FileSystem, isTemporary, writeDurably } from "../core/files.ts";
import { jsonIn } from "../core/json_text.ts";
import { sha256 } from "../core/message.ts";
import type { AnswerShelf, KeptAnswer, KeptVector, VectorShelf } from "../core/record.ts";
import { wholeLines } from "./log.ts";
import { asRecordError, readText, writing } from "./problems.ts";

/** The folder in a convening's directory in which answers are kept that no truth file carries yet. */
export const ANSWERS = ".answers";

const schema = z.object({
  version: z.literal(1),
  of: z.string().min(1),
  id: z.string().min(1),
  value: z.unknown(),
});

/**
 * Answers in a convening's directory, a file each, gone once what they are part of is on record. A file that cannot be
 * read is as good as none: what it held is asked for again.
 */
export class DirectoryAnswers implements AnswerShelf {
  readonly #files: FileSystem;
  readonly #dir: string;
  /** The names of files by what their answers are part of. */
  readonly #names = new Map<string, Set<string>>();
  #folder: Promise<void> | undefined;

  /** The answers kept in the convening in `dir`. */
  constructor(files: FileSystem, dir: string) {
    this.#files = files;
    this.#dir = dir;
  }

  async read(): Promise<readonly KeptAnswer[]> {
    const found: KeptAnswer[] = [];
    await writing(async () => {
      for (const { name, isFolder } of await this.#files.list(this.#at())) {
        const answer = isFolder || isTemporary(name) ? undefined : await this.#readOne(name);
        if (answer === undefined) continue;
        this.#note(answer.of, name);
        found.push(answer);
      }
    });
    return found;
  }

  async keep({ of, id, value }: KeptAnswer): Promise<void> {
    const name = `${sha256(id).slice(0, 32)}.json`;
    const text = `${JSON.stringify({ version: 1, of, id, value })}\n`;
    await writing(async () => {
      await (this.#folder ??= this.#makeFolder());
      this.#note(of, name);
      await writeDurably(this.#files, this.#at(name), text, { truth: true });
    });
  }

  async drop(of: string): Promise<void> {
    const names = this.#names.get(of) ?? [];
    this.#names.delete(of);
    await writing(async () => {
      for (const name of names) await this.#files.remove(this.#at(name));
    });
  }

  async clear(): Promise<void> {
    this.#names.clear();
    await writing(async () => {
      const there = this.#folder !== undefined ||
        await this.#files.stat(this.#at()) !== undefined;
      this.#folder = undefined;
      if (there) await this.#files.remove(this.#at());
    });
  }

  #at(name = ""): string {
    return join(this.#dir, ANSWERS, name);
  }

  #note(of: string, name: string): void {
    const names = this.#names.get(of);
    if (names === undefined) this.#names.set(of, new Set([name]));
    else names.add(name);
  }

  async #makeFolder(): Promise<void> {
    // Making it would make a vanished directory anew, with what was accepted gone.
    if (await this.#files.stat(this.#dir) !== undefined) await this.#files.makeFolder(this.#at());
    await this.#files.flushFolder(this.#dir);
  }

  async #readOne(name: string): Promise<KeptAnswer | undefined> {
    const text = await readText(this.#files, this.#at(name));
    const { data } = schema.safeParse(jsonIn(text ?? ""));
    return data && { of: data.of, id: data.id, value: data.value };
  }
}

/** The file in a convening's directory with the vectors of its papers' passages and of queries. */
export const VECTORS = "embeddings.jsonl";

/**
 * Vectors in a convening's directory, one a line, its numbers as 32 bits each in base64. A line that cannot be read is as
 * good as none: its text is embedded again.
 */
export class DirectoryVectors implements VectorShelf {
  readonly #files: FileSystem;
  readonly #path: string;

  /** The vectors kept in the convening in `dir`. */
  constructor(files: FileSystem, dir: string) {
    this.#files = files;
    this.#path = join(dir, VECTORS);
  }

  async *read(): AsyncGenerator<KeptVector> {
    try {
      if (await this.#files.stat(this.#path) === undefined) return;
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
    await writing(() => this.#files.append(this.#path, lines.join("")));
  }
}

/** The vector of a line; undefined where it holds none. */
export function vectorIn(line: string): KeptVector | undefined {
  try {
    const { id, vector } = z.object({ id: z.string(), vector: z.string() }).parse(JSON.parse(line));
    return { id, vector: new Float32Array(Uint8Array.fromBase64(vector).buffer) };
  } catch {
    return undefined;
  }
}
