import type { Agent, Clock, ConveningResult, Message } from "../../../mod.ts";
import type { FileSystem } from "../../../src/core/files.ts";
import { openRecord } from "../../../src/record/directory_record.ts";
import { paperDebateOf, type PaperSettings } from "./paper_talkers.ts";

/** Begins at one time and moves on a millisecond whenever it is looked at. */
function clockFrom(): Clock {
  let now = Date.parse("2026-11-21T20:33:05.114Z");
  return { now: () => now++ };
}

/** Runs a paper debate in a directory of these files, new or as it stands; gives what was shown before it ended or died. */
export async function paperRunIn(
  files: FileSystem,
  dir: string | undefined,
  { agent, ...settings }: PaperSettings & { readonly agent: Agent },
): Promise<{ accepted: Message[]; result?: ConveningResult<unknown>; error?: unknown }> {
  const place = dir === undefined ? { out: "/out" } : { dir };
  const accepted: Message[] = [];
  const clock = clockFrom();
  // Derived files are written at the end alone: one order of file operations for one order of events.
  const atTheEnd = { refreshDelay: 60_000, clock };
  const { workflow } = paperDebateOf(agent, {
    clock,
    record: { open: (start) => openRecord(files, place, { ...atTheEnd, start }) },
    ...settings,
  });
  try {
    const stream = workflow.stream();
    let step = await stream.next();
    while (!step.done) {
      if (step.value.type === "message") accepted.push(step.value.message);
      step = await stream.next();
    }
    return { accepted, result: step.value };
  } catch (error) {
    return { accepted, error };
  }
}
