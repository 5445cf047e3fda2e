// Helpers for values in memory: memoization, a bounded map, optional keys, JSON, counting, sorting.

export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns true for an object that is not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Memoizes a function without arguments: `make` runs at the first call. */
export function memo<V>(make: () => V): () => V {
  let made: { readonly value: V } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Memoizes `load`; a failed load is retried at the next call. */
export function loadedOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () =>
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
}

/** Memoizes a function of an immutable object, by identity of the object. */
export function memoByObject<K extends WeakKey, V>(make: (of: K) => V): (of: K) => V {
  const made = new WeakMap<K, V>();
  return (of) => made.getOrInsertComputed(of, make);
}

/** Memoizes a function of a text that never returns undefined; at `max` texts, the cache is cleared. */
export function memoByText<V>(max: number, make: (text: string) => V): (text: string) => V {
  const made = new Map<string, V>();
  return (text) => {
    let value = made.get(text);
    if (value === undefined) {
      if (made.size >= max) made.clear();
      made.set(text, value = make(text));
    }
    return value;
  };
}

/** Map with a maximum number of keys; evicts the key that was set least recently. */
export class RecentMap<V> {
  readonly #most: number;
  readonly #values = new Map<string, V>();

  /** Makes an empty map for at most `most` keys. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Removes a key and returns its value; undefined if absent. */
  take(key: string): V | undefined {
    const value = this.#values.get(key);
    this.#values.delete(key);
    return value;
  }

  /** Returns the value of a key without renewing the key; undefined if absent. */
  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  /** Sets a key and makes it the most recent. */
  set(key: string, value: V): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#most && oldest !== undefined) this.#values.delete(oldest);
  }
}

/** Object type without undefined values. */
type Defined<T> =
  & { [K in keyof T as undefined extends T[K] ? never : K]: T[K] }
  & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/** Returns a copy without the keys whose value is undefined. */
export function defined<T extends object>(options: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
}

/** Returns an object with the same keys, each with the value that `change` makes of the former one. */
export function mapValues<V, W>(
  object: Readonly<Record<string, V>>,
  change: (value: V, key: string) => W,
): Record<string, W> {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, change(value, key)]),
  );
}

/** Returns an object unchanged, and an empty object for any other value. */
export function objectIn(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns a list unchanged, and an empty list for any other value. */
export function listIn<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? value : [];
}

/** Parses JSON; undefined if the text is not valid JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the reason that a value cannot be written as JSON; undefined if it can. */
export function noJsonBecause(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) === undefined
      ? `it is a value of type ${typeof value}`
      : undefined;
  } catch (error) {
    return error instanceof Error ? error.message.split("\n")[0] : String(error);
  }
}

/** Counts equal items; in the order of their first occurrences. */
export function tally<T>(items: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** Returns the items without those that have the key of an earlier one. */
export function distinctBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return [...Map.groupBy(items, keyOf).values()].map(([first]) => first!);
}

/** Compares texts by code units; ISO 8601 times sort by time. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns entries sorted by key, by code units. */
export function sortedByKey<V>(entries: Iterable<readonly [string, V]>): [string, V][] {
  return Array.from(entries, ([key, value]): [string, V] => [key, value])
    .sort(([a], [b]) => compareTexts(a, b));
}

/** Problem of a YAML text whose value {@linkcode isInflated}. */
export const INFLATED = "its YAML aliases expand to too much content";

/**
 * Returns true if YAML aliases make a value endless, or far larger than its text: it must not be walked or written. Counts
 * characters and values, each time that an alias repeats them, and stops at the first that is too much.
 */
export function isInflated(value: unknown, { length }: string): boolean {
  let left = Math.max(length, Math.min(2 * length, 10_000_000)) + 100_000;
  const open = [value];
  while (open.length > 0 && left >= 0) {
    const each = open.pop();
    if (typeof each === "string") left -= each.length;
    const parts: unknown[] = Array.isArray(each) ? each : Object.entries(objectIn(each)).flat();
    left -= parts.length;
    if (left >= 0) { for (const part of parts) open.push(part); }
  }
  return left < 0;
}

/** Schema of a value, as an interface that every schema of zod 4 implements. */
export interface Schema<T = unknown> {
  /** Validates a value and returns the parsed value. `jitless` avoids compiling the schema, which pays off for few values. */
  safeParse(value: unknown, options?: { readonly jitless: true }): Parsed<T>;
  /** Converts the schema to JSON Schema; unrepresentable parts accept any value. */
  toJSONSchema(options: { readonly io: "input"; readonly unrepresentable: "any" }): object;
}

/** Result of a validation. */
export type Parsed<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly error: { readonly issues: readonly SchemaIssue[] } };

/** Problem found by a validation. */
export interface SchemaIssue {
  /** Keys that lead to the value. */
  readonly path: readonly PropertyKey[];
  /** Description of the problem. */
  readonly message: string;
  /** Kind of the problem, as zod names it, such as `invalid_type`. @default unknown */
  readonly code?: string | undefined;
}
