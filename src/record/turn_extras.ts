import { basename, join } from "@std/path";
import type { Evidence, Fact, FactCheck, Rejection, Score, TurnDraft } from "../core/fact.ts";
import type { FileSystem } from "../core/files.ts";
import { parseFact } from "./fact_reader.ts";

/** A truth file with what it holds. */
export interface FactText<F extends Fact> {
  /** In the convening's directory, with `/`. */
  readonly path: string;
  /** The whole file. */
  readonly text: string;
  /** The file, read. */
  readonly fact: F;
}

/** What a turn's speaker wrote and did not say; undefined where it is all said. Fails with `record_corrupt`. */
export async function readDraft(
  files: FileSystem,
  dir: string,
  seq: number,
): Promise<FactText<TurnDraft> | undefined> {
  const [found] = await readAbout(files, join(dir, "drafts"), seq);
  return found?.fact.type === "draft" ? { ...found, fact: found.fact } : undefined;
}

/** The attempts at a turn that were turned down, the first one first. Fails with `record_corrupt`. */
export async function readRejected(
  files: FileSystem,
  dir: string,
  seq: number,
): Promise<FactText<Rejection>[]> {
  const found = await readAbout(files, join(dir, "rejected"), seq);
  return found.flatMap((each) =>
    each.fact.type === "rejected" ? [{ ...each, fact: each.fact }] : []
  ).sort((a, b) => a.fact.attempt - b.fact.attempt);
}

/** The scores of a message, in no order. Fails with `record_corrupt`. */
export async function readScores(
  files: FileSystem,
  dir: string,
  seq: number,
): Promise<FactText<Score>[]> {
  const found = await readAbout(files, join(dir, "scores"), seq);
  return found.flatMap((each) => each.fact.type === "score" ? [{ ...each, fact: each.fact }] : []);
}

/** A message's fact check; undefined where it was not looked at. Fails with `record_corrupt`. */
export async function readFactCheck(
  files: FileSystem,
  dir: string,
  seq: number,
): Promise<FactText<FactCheck> | undefined> {
  const [found] = await readAbout(files, join(dir, "fact-checks"), seq);
  return found?.fact.type === "fact-check" ? { ...found, fact: found.fact } : undefined;
}

/** What a message argues and rests on; undefined where that is not kept. Fails with `record_corrupt`. */
export async function readEvidence(
  files: FileSystem,
  dir: string,
  seq: number,
): Promise<FactText<Evidence> | undefined> {
  const [found] = await readAbout(files, join(dir, "evidence"), seq);
  return found?.fact.type === "evidence" ? { ...found, fact: found.fact } : undefined;
}

/** The files of a folder whose names begin with a message's number. */
async function readAbout(
  files: FileSystem,
  folder: string,
  seq: number,
): Promise<FactText<Fact>[]> {
  const kind = basename(folder);
  const found: FactText<Fact>[] = [];
  for (const { name, isFolder } of await files.list(folder)) {
    const [, number] = /^(\d+)(?:_[\da-f]+)?\.md$/.exec(name) ?? [];
    if (isFolder || number === undefined || Number(number) !== seq) continue;
    const path = join(folder, name);
    const text = await files.read(path);
    found.push({ path: `${kind}/${name}`, text, fact: parseFact(text, path, kind) });
  }
  return found;
}
