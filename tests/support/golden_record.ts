// Writes the golden record anew: deno run --allow-read --allow-write tests/support/golden_record.ts
import { dirname, join, resolve } from "@std/path";
import {
  createDebateModerator,
  createDebateParticipant,
  createDebateWorkflow,
  createOfflineAgent,
  memoryRecord,
} from "../../mod.ts";

/** Where the golden record is. */
export const GOLDEN = resolve("tests/golden/debate");

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
  return new Map(
    [...record.files].filter(([path]) => path !== "log.jsonl" && path !== ".lock").sort(),
  );
}

const clock = { now: () => Date.UTC(2026, 0, 2, 3, 4, 5) };

if (import.meta.main) {
  await Deno.remove(GOLDEN, { recursive: true }).catch(() => {});
  for (const [path, text] of await goldenFiles()) {
    const file = join(GOLDEN, path);
    await Deno.mkdir(dirname(file), { recursive: true });
    await Deno.writeTextFile(file, text);
  }
}
