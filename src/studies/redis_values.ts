// Values of rates and budgets in the Redis that the workers of studies share.
import type { Change, SharedValues } from "./limits.ts";
import { RunStop } from "../engine/people.ts";
import { orAborted } from "./queue.ts";
import { orTimeout, PREFIX, type RedisConnection, REPLACE } from "./redis.ts";

const READ = "return { redis.call('GET', KEYS[1]) or '', redis.call('TIME') }";

/** Changes of a value that are written together, and their answers. */
interface Batch {
  readonly changes: Change<unknown, unknown>[];
  readonly answers: Promise<readonly unknown[]>;
}

/**
 * Values in Redis, as JSON. Changes are made here, and made again if another process was faster. What a process wants to
 * change while it writes a value is written together afterwards.
 */
export class RedisValues implements SharedValues {
  readonly #connection: RedisConnection;
  readonly #client: RedisConnection["client"];
  /** Batches that have not begun, by key. */
  readonly #next = new Map<string, Batch>();
  /** Answers of the last batch of each key. */
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #ending: AbortSignal | undefined;

  /** Once `ending` has aborted, changes reject with a `RunStop` if Redis does not answer. */
  constructor(connection: RedisConnection, ending?: AbortSignal) {
    this.#connection = connection;
    this.#client = connection.client;
    this.#ending = ending;
  }

  async update<V, A>(key: string, first: () => Promise<V>, change: Change<V, A>): Promise<A> {
    const { changes, answers } = this.#next.get(key) ?? this.#batch(key, first);
    const index = changes.push(change as Change<unknown, unknown>) - 1;
    const ending = this.#ending;
    const made = await (ending ? orAborted(answers, ending) : answers) ?? await orTimeout(answers);
    if (made === undefined) throw new RunStop("paused");
    return made[index] as A;
  }

  #batch(key: string, first: () => Promise<unknown>): Batch {
    const changes: Batch["changes"] = [];
    const before = this.#last.get(key)?.catch(() => {}) ?? Promise.resolve();
    const answers = before.then(() => {
      this.#next.delete(key);
      return this.#write(`${PREFIX}:${key}`, first, changes);
    });
    const batch = { changes, answers };
    this.#next.set(key, batch);
    this.#last.set(key, answers);
    return batch;
  }

  async #write(
    key: string,
    first: () => Promise<unknown>,
    changes: Batch["changes"],
  ): Promise<readonly unknown[]> {
    for (;;) {
      try {
        const [text, [seconds, micros]] = await this.#client.eval(READ, 1, key) as Read;
        const before: unknown = text === "" ? await first() : JSON.parse(text);
        const now = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
        let value = before;
        const answers = changes.map((change) => {
          const [changed, answer] = change(value, now);
          value = changed;
          return answer;
        });
        if (value === before) return answers;
        const written = await this.#client.eval(REPLACE, 1, key, text, JSON.stringify(value));
        if (written === 1) return answers;
      } catch (error) {
        await this.#connection.wait(error);
      }
    }
  }
}

type Read = readonly [text: string, time: readonly [seconds: string, micros: string]];
