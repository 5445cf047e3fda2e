/**
 * The delays of all timers that are set while `work` goes on, in milliseconds; those that `atOnce` picks are over at
 * once, so that nothing has to be waited for.
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
