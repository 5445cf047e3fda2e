// Values of rates and budgets in the Redis that the workers of studies share.
import type { Change, SharedValues } from "./limits.ts";
import { RunStop } from "../engine/run_stop.ts";
import { orAborted } from "./queue.ts";
import { orTimeout, PREFIX, type RedisConnection, REPLACE } from "./redis.ts";

const READ = "return { redis.call('GET', KEYS[1]) or '', redis.call('TIME') }";

/** Values in Redis, as JSON. Changes are made here, one after another, and made again if another process was faster. */
export class RedisValues implements SharedValues {
  readonly #connection: RedisConnection;
  /** The last change of each key. */
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #ending: AbortSignal | undefined;

  /** Once `ending` has aborted, changes reject with a `RunStop` if Redis does not answer. */
  constructor(connection: RedisConnection, ending?: AbortSignal) {
    this.#connection = connection;
    this.#ending = ending;
  }

  async update<V, A>(key: string, first: () => Promise<V>, change: Change<V, A>): Promise<A> {
    const before = this.#last.get(key)?.catch(() => {}) ?? Promise.resolve();
    const writing = before.then(() => this.#write(`${PREFIX}:${key}`, first, change));
    this.#last.set(key, writing);
    const ending = this.#ending;
    const made = await (ending ? orAborted(writing, ending) : writing) ?? await orTimeout(writing);
    if (made === undefined) throw new RunStop("paused");
    return made.answer;
  }

  async #write<V, A>(
    key: string,
    first: () => Promise<V>,
    change: Change<V, A>,
  ): Promise<{ readonly answer: A }> {
    const { client } = this.#connection;
    for (;;) {
      try {
        const [text, [seconds, micros]] = await client.eval(READ, 1, key) as Read;
        const before: V = text === "" ? await first() : JSON.parse(text);
        const now = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
        const [value, answer] = change(before, now);
        if (value === before) return { answer };
        const written = await client.eval(REPLACE, 1, key, text, JSON.stringify(value));
        if (written === 1) return { answer };
      } catch (error) {
        await this.#connection.wait(error);
      }
    }
  }
}

type Read = readonly [text: string, time: readonly [seconds: string, micros: string]];
