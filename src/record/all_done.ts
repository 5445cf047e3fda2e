/** Waits until all is done, whatever fails; then fails with the first failure. */
export async function allDone(work: Iterable<Promise<unknown>>): Promise<void> {
  const results = await Promise.allSettled(work);
  const failed = results.find((each) => each.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
