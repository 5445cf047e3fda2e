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
import { endingOf, Events } from "../output/support/fixtures.ts";
import { FOUND, FOUND_START } from "../output/support/found_record.ts";

/** Where the golden record of a whole run is. */
export const GOLDEN = resolve("tests/golden/debate");
/** Where the golden record with a file of every type is. */
export const GOLDEN_FINDINGS = resolve("tests/golden/findings");

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

/** A debate written fact by fact, with a file of every type: its files by path, but for the log and the lock. */
export async function findingsFiles(): Promise<Map<string, string>> {
  const store = memoryRecord({ clock });
  const start = {
    ...FOUND_START,
    configuration: { ...FOUND_START.configuration, transcript: ["md", "json", "txt", "html"] },
  };
  const record = await store.open(start);
  const events = new Events(record);
  await events.apply({ type: "convening-start", start });
  for (const fact of FOUND) await events.fact(fact);
  await events.apply({ type: "convening-end", ending: endingOf(assess(start, FOUND)) });
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
  for (const [folder, made] of [[GOLDEN, goldenFiles], [GOLDEN_FINDINGS, findingsFiles]] as const) {
    await Deno.remove(folder, { recursive: true }).catch(() => {});
    for (const [path, text] of await made()) {
      const file = join(folder, path);
      await Deno.mkdir(dirname(file), { recursive: true });
      await Deno.writeTextFile(file, text);
    }
  }
}
