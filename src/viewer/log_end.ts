import { join } from "@std/path";
import type { ConveningEvent, WaitedFor } from "../core/event.ts";
import { recordFiles } from "../record/disk_files.ts";
import { isEvent } from "../record/log_events.ts";
import { lastLogged, logEnd } from "../record/log_reader.ts";

/** The number of the last event that a convening's log holds; 0 without one. */
export async function lastNumber(dir: string): Promise<number> {
  return (await lastLogged(recordFiles(dir), join(dir, "log.jsonl")))?.n ?? 0;
}

/**
 * What those who are waited for were asked, by their turns' keys: from events that are at hand, else from the log's end.
 * It lacks what neither holds.
 */
export async function tasksOf(
  dir: string,
  waitingFor: readonly WaitedFor[],
  recent: readonly ConveningEvent[] = [],
): Promise<ReadonlyMap<string, string>> {
  const isKnown = (tasks: ReadonlyMap<string, string>) =>
    waitingFor.every(({ turn }) => tasks.has(turn));
  const known = tasksIn(recent);
  if (isKnown(known)) return known;
  // More than is said between two turns.
  const { text } = await logEnd(recordFiles(dir), join(dir, "log.jsonl"));
  return new Map([...tasksIn(eventsIn(text)), ...known]);
}

function tasksIn(events: readonly ConveningEvent[]): ReadonlyMap<string, string> {
  return new Map(
    events.flatMap((event) =>
      event.type === "turn-wait" ? [[event.turn.turn, event.task] as const] : []
    ),
  );
}

function eventsIn(log: string): readonly ConveningEvent[] {
  return log.split("\n").flatMap((line) => {
    if (!line.includes('"turn-wait"')) return [];
    try {
      const value: unknown = JSON.parse(line);
      return isEvent(value) ? [value] : [];
    } catch {
      // The first line of what was read is a half one.
      return [];
    }
  });
}
