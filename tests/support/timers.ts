// Records, shortens and bounds waiting in tests.

/** Highest time to wait for a text, far more than any command needs. */
const PATIENCE = 60_000;

/** Waits until an output contains a text; throws with the output so far when the program ends, or after a minute. */
export async function seen(
  text: string,
  { said, follow, end }: {
    readonly said: () => string;
    readonly follow: Set<() => void>;
    readonly end: Promise<unknown>;
  },
): Promise<void> {
  const found = Promise.withResolvers<void>();
  const look = () => said().includes(text) && found.resolve();
  const fail = (what: string) => found.reject(new Error(`${what} without ${text}:\n${said()}`));
  const timer = setTimeout(() => fail("A minute passed"), PATIENCE);
  follow.add(look);
  look();
  end.then(() => fail("It ended"), found.reject);
  try {
    await found.promise;
  } finally {
    clearTimeout(timer);
    follow.delete(look);
  }
}

/**
 * Returns the delays in milliseconds of all timers that are set during `work`; timers that `atOnce` selects fire
 * immediately.
 */
export async function delaysOf(
  work: () => Promise<unknown>,
  atOnce: (delay: number) => boolean = () => false,
): Promise<number[]> {
  const delays: number[] = [];
  const own = globalThis.setTimeout;
  globalThis.setTimeout = new Proxy(own, {
    apply(target, self, [handler, delay = 0, ...args]: [unknown, number?, ...unknown[]]) {
      delays.push(delay);
      return Reflect.apply(target, self, [handler, atOnce(delay) ? 0 : delay, ...args]);
    },
  });
  try {
    await work();
    return delays;
  } finally {
    globalThis.setTimeout = own;
  }
}
