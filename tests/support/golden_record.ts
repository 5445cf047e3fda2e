// Golden files of two records that are written fact by fact and have files of every type.
import { memoryRecord } from "../../mod.ts";
import { assess } from "../../src/judging/assessment.ts";
import type { Fact } from "../../src/core/fact.ts";
import type { ConveningStart } from "../../src/core/event.ts";
import { endingOf, Events } from "../record/support/fixtures.ts";
import { FOUND, FOUND_START } from "../record/support/found_record.ts";
import { PAPER_FACTS, PAPER_START } from "../record/support/paper_record.ts";

/** Returns the files of a debate with facts of every usual type, by path, without log and lock. */
export function findingsFiles(): Promise<Map<string, string>> {
  return writtenFiles(FOUND_START, FOUND);
}

/** Returns the files of a debate over two papers, by path, without log and lock. */
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
  return new Map([...files].filter(([path]) => path !== "log.jsonl" && path !== ".lock").sort());
}

const clock = { now: () => Date.UTC(2026, 0, 2, 3, 4, 5) };
