// Writes the golden records anew: deno run --allow-read --allow-write tests/support/golden_record.ts
import { dirname, join, resolve } from "@std/path";
import {
  createDebateModerator,
  createDebateParticipant,
  createDebateWorkflow,
  createOfflineAgent,
  memoryRecord,
} from "../../mod.ts";
import { assess } from "../../src/core/assessment.ts";
import type { Fact } from "../../src/core/fact.ts";
import type { ConveningStart } from "../../src/core/record.ts";
import { endingOf, Events } from "../output/support/fixtures.ts";
import { FOUND, FOUND_START } from "../output/support/found_record.ts";
import { PAPER_FACTS, PAPER_START } from "../output/support/paper_record.ts";

/** Where the golden record of a whole run is. */
export const GOLDEN = resolve("tests/golden/debate");
/** Where the golden record with a file of every type is. */
export const GOLDEN_FINDINGS = resolve("tests/golden/findings");
/** Where the golden record of a debate over papers is. */
export const GOLDEN_PAPER = resolve("tests/golden/paper");

/** A small offline debate with odd names and a clock that stands still: its files by path, but for the log and the lock. */
export async function goldenFiles(): Promise<Map<string, string>> {
  const agent = createOfflineAgent();
  const record = memoryRecord({ clock });
  await createDebateWorkflow("Is it fair to keep animals in zoos?", [
    createDebateModerator({}, agent),
    createDebateParticipant(
      { name: "Ada | *Lovelace*", position: "Yes: zoos\nsave species" },
      agent,
    ),
    createDebateParticipant({ name: "../Ben", position: "No" }, agent),
  ], { roundCount: 1, seed: 1, clock, record, transcript: ["md", "json", "txt", "html"] }).run();
  return kept(record.files);
}

/** A debate written fact by fact, with a file of every usual type: its files by path, but for the log and the lock. */
export function findingsFiles(): Promise<Map<string, string>> {
  return writtenFiles(FOUND_START, FOUND);
}

/** A debate over two papers, written fact by fact: its files by path, but for the log and the lock. */
export function paperFiles(): Promise<Map<string, string>> {
  return writtenFiles(PAPER_START, PAPER_FACTS);
}

async function writtenFiles(
  given: ConveningStart,
  facts: readonly Fact[],
): Promise<Map<string, string>> {
  const store = memoryRecord({ clock });
  const start = {
    ...given,
    configuration: { ...given.configuration, transcript: ["md", "json", "txt", "html"] },
  };
  const record = await store.open(start);
  const events = new Events(record);
  await events.apply({ type: "convening-start", start });
  for (const fact of facts) await events.fact(fact);
  await events.apply({ type: "convening-end", ending: endingOf(assess(start, facts)) });
  await record.close();
  return kept(store.files);
}

function kept(files: ReadonlyMap<string, string>): Map<string, string> {
  return new Map(
    [...files].filter(([path]) => path !== "log.jsonl" && path !== ".lock").sort(),
  );
}

const clock = { now: () => Date.UTC(2026, 0, 2, 3, 4, 5) };

if (import.meta.main) {
  for (
    const [folder, made] of [[GOLDEN, goldenFiles], [GOLDEN_FINDINGS, findingsFiles], [
      GOLDEN_PAPER,
      paperFiles,
    ]] as const
  ) {
    await Deno.remove(folder, { recursive: true }).catch(() => {});
    for (const [path, text] of await made()) {
      const file = join(folder, path);
      await Deno.mkdir(dirname(file), { recursive: true });
      await Deno.writeTextFile(file, text);
    }
  }
}
