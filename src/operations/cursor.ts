import { ConfigurationError } from "../core/error.ts";

/** The convening that a page of the archive's list ended with. */
export interface ListPlace {
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Its id. */
  readonly id: string;
}

/** A place as a client hands it back; what is in it is nobody's business. */
export function cursorOf({ startedAt, id }: ListPlace): string {
  return btoa(`${startedAt} ${id}`).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The place in a cursor. Fails with `config_invalid` for a text that no list gave. */
export function placeIn(cursor: string): ListPlace {
  const [, startedAt, id] = /^(\S{1,40}) (\S{1,200})$/.exec(decoded(cursor)) ?? [];
  if (startedAt !== undefined && id !== undefined) return { startedAt, id };
  throw new ConfigurationError("Cannot use cursor: no list has given it", {
    field: "cursor",
    hint: "Give the next of the page before, or leave it out.",
  });
}

function decoded(cursor: string): string {
  try {
    return cursor.length > 400 ? "" : atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return "";
  }
}

/** The rows behind a place, in a list that is sorted newest first; a place whose row is gone counts by its time. */
export function after<T extends ListPlace>(rows: readonly T[], place: ListPlace): readonly T[] {
  const at = rows.findIndex(({ id }) => id === place.id);
  if (at !== -1) return rows.slice(at + 1);
  const next = rows.findIndex(({ startedAt }) => startedAt < place.startedAt);
  return next === -1 ? [] : rows.slice(next);
}
