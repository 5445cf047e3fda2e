// Work that is done at once.

/** How many files are read at once. */
const READERS = 16;

/** What `work` gives for each item, sixteen at a time, in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const i = next++;
      results[i] = await work(items[i]!);
    }
  };
  await Promise.all(Array.from({ length: READERS }, worker));
  return results;
}

/** Waits until all is done, whatever fails; then fails with the first failure. */
export async function allDone(work: Iterable<Promise<unknown>>): Promise<void> {
  const results = await Promise.allSettled(work);
  const failed = results.find((each) => each.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
