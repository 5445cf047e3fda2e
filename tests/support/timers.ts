// Records and shortens timers in tests.

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
