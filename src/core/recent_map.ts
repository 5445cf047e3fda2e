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
