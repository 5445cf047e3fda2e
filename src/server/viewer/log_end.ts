import { join } from "@std/path";
import type { ConveningEvent, WaitedFor } from "../../core/event.ts";
import { recordFiles } from "../../output/disk_files.ts";
import { isEvent } from "../../output/logged_event.ts";
import { lastEvent } from "../../output/read.ts";

/** How much of a log's end is read, in bytes: more than is said between two turns. */
const END = 1 << 20;

/** The number of the last event that a convening's log holds; 0 without one. */
export async function lastLogged(dir: string): Promise<number> {
  return lastEvent(await logEnd(dir));
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
  return new Map([...tasksIn(eventsIn(await logEnd(dir))), ...known]);
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

/** The end of a log as text; empty where there is none. */
async function logEnd(dir: string): Promise<string> {
  const path = join(dir, "log.jsonl");
  const files = recordFiles(dir);
  const { size } = await files.readFrom(path, 0, 0);
  const { bytes } = await files.readFrom(path, Math.max(0, size - END), END);
  return new TextDecoder().decode(bytes);
}
