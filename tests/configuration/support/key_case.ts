import assert from "node:assert/strict";
import {
  hold,
  type HoldOptions,
  type Kind,
  KINDS,
  type Seen,
  type Settings,
  settingsOf,
} from "./holding.ts";

/** One key, and the proof that it changes what happens. */
export interface KeyCase {
  /** With numbers and names in it, such as `judges/0/model`. */
  readonly key: string;
  /** What it changes, in words. */
  readonly changes: string;
  /** The kinds it is shown for. */
  readonly kinds: readonly Kind[];
  check(kind: Kind): Promise<void>;
}

/** A value, or one for each kind. */
type ByKind<T> = T | ((kind: Kind) => T);

/** Two convenings that differ in one key. */
export interface Difference<T> {
  readonly key: string;
  readonly changes: string;
  /** @default all */
  readonly kinds?: readonly Kind[];
  /** What both are given besides. */
  readonly base?: ByKind<Settings>;
  /** The key's value in the first. @default what `base` says, or nothing */
  readonly without?: unknown;
  /** The key's value in the second. */
  readonly value: ByKind<unknown>;
  /** How both are held. */
  readonly held?: ByKind<HoldOptions>;
  /** What is looked at. */
  of(seen: Seen, kind: Kind): T;
  /** What it is in the first and in the second. @default it is not the same */
  readonly is?: ByKind<readonly [T, T]>;
}

/** A case of two convenings that differ in one key, and in what is looked at. */
export function differs<T>(difference: Difference<T>): KeyCase {
  const { key, changes, kinds = KINDS, base = {}, without, held = {} } = difference;
  return {
    key,
    changes,
    kinds,
    async check(kind) {
      const settings = settingsOf(kind, of(base, kind));
      const first = without === undefined ? settings : withValue(settings, key, without);
      const second = withValue(settings, key, of(difference.value, kind));
      const [before, after] = [
        difference.of(await hold(first, of(held, kind)), kind),
        difference.of(await hold(second, of(held, kind)), kind),
      ];
      if (difference.is === undefined) assert.notDeepEqual(before, after);
      else assert.deepEqual([before, after], of(difference.is, kind));
    },
  };
}

/** A case of its own making. */
export function shows(
  { kinds = KINDS, ...rest }: Omit<KeyCase, "kinds"> & { readonly kinds?: readonly Kind[] },
): KeyCase {
  return { kinds, ...rest };
}

/** The settings with a value at a key. */
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
