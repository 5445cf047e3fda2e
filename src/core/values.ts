// Values in memory: made once, known for a while, without undefined keys, read from JSON.

/** Memoizes a value, which is made at the first call. */
export function memo<V>(make: () => V): () => V {
  let made: { readonly value: V } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Memoizes what is made of an object that does not change. */
export function onceEach<K extends WeakKey, V>(make: (of: K) => V): (of: K) => V {
  const made = new WeakMap<K, { readonly value: V }>();
  return (of) => {
    let found = made.get(of);
    if (found === undefined) made.set(of, found = { value: make(of) });
    return found.value;
  };
}

/** A map of so many keys at most: past that, the one that was set longest ago is forgotten. */
export class RecentMap<V> {
  readonly #most: number;
  readonly #values = new Map<string, V>();

  /** An empty one for `most` keys. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Takes a value out; setting it again makes its key the newest. Undefined where it is not known. */
  take(key: string): V | undefined {
    const value = this.#values.get(key);
    this.#values.delete(key);
    return value;
  }

  /** Value of a key; its age does not change. */
  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  /** Makes a key the newest. */
  set(key: string, value: V): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#most && oldest !== undefined) this.#values.delete(oldest);
  }
}

/** An object without the keys whose values are undefined. */
type Defined<T> =
  & { [K in keyof T as undefined extends T[K] ? never : K]: T[K] }
  & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/** The options that are given: a key that is undefined is not. */
export function defined<T extends object>(options: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
}

/** The value of a JSON text; undefined where the text is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
