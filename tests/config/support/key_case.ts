// Test cases that show the effect of a configuration key.
import assert from "node:assert/strict";
import {
  heldOnce,
  hold,
  type HoldOptions,
  type Kind,
  KINDS,
  type Seen,
  type Settings,
  settingsOf,
} from "./holding.ts";

/** A key with a test of its effect. */
export interface KeyCase {
  /** Concrete path, such as `judges/0/model`. */
  readonly key: string;
  /** Description of the effect. */
  readonly changes: string;
  /** Kinds of convenings in which the effect is tested. */
  readonly kinds: readonly Kind[];
  check(kind: Kind): Promise<void>;
}

/** A value, or a function of the kind. */
type ByKind<T> = T | ((kind: Kind) => T);

/** Two convenings that differ in one key. */
export interface Difference<T> {
  readonly key: string;
  readonly changes: string;
  /** @default all */
  readonly kinds?: readonly Kind[];
  /** Settings of both convenings. */
  readonly base?: ByKind<Settings>;
  /** Value of the key in the first convening. @default the value in `base`, or none */
  readonly without?: unknown;
  /** Value of the key in the second convening. */
  readonly value: ByKind<unknown>;
  /** Options of both convenings. */
  readonly held?: ByKind<HoldOptions>;
  /** Returns the compared property. */
  of(seen: Seen, kind: Kind): T;
  /** Property of the first and of the second convening. @default any two different values */
  readonly is?: ByKind<readonly [T, T]>;
}

/** Returns a case that compares two convenings that differ in one key. */
export function differs<T>(difference: Difference<T>): KeyCase {
  const { key, changes, kinds = KINDS, base = {}, without, held } = difference;
  const holdFirst = typeof held === "function" ? hold : heldOnce;
  return {
    key,
    changes,
    kinds,
    async check(kind) {
      const settings = settingsOf(kind, of(base, kind));
      const first = without === undefined ? settings : withValue(settings, key, without);
      const second = withValue(settings, key, of(difference.value, kind));
      const [before, after] = [
        difference.of(await holdFirst(first, of(held, kind)), kind),
        difference.of(await hold(second, of(held, kind)), kind),
      ];
      if (difference.is === undefined) assert.notDeepEqual(before, after);
      else assert.deepEqual([before, after], of(difference.is, kind));
    },
  };
}

/** Returns a case with its own test function. */
export function shows(
  { kinds = KINDS, ...rest }: Omit<KeyCase, "kinds"> & { readonly kinds?: readonly Kind[] },
): KeyCase {
  return { kinds, ...rest };
}

/** Returns settings with a value at a key. */
export function withValue(settings: Settings, key: string, value: unknown): Settings {
  return changed(settings, key.split("/"), value) as Settings;
}

function changed(at: unknown, [part, ...rest]: readonly string[], value: unknown): unknown {
  if (part === undefined) return value;
  if (Array.isArray(at)) return at.with(Number(part), changed(at[Number(part)], rest, value));
  const own = at !== null && typeof at === "object" ? at : {};
  const inner = part in own ? Reflect.get(own, part) : undefined;
  return { ...own, [part]: changed(inner, rest, value) };
}

function of<T>(value: ByKind<T>, kind: Kind): T {
  return typeof value === "function" ? (value as (kind: Kind) => T)(kind) : value;
}
