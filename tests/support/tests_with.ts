// Tests whose whole body is a call of a set-up function.

/**
 * Returns a function that defines tests, the member `test` of `open`; `open` calls a test's function with what the test
 * needs, and cleans up afterwards.
 */
export function testsWith<G extends readonly unknown[], M extends readonly unknown[]>(
  open: (use: (...given: G) => Promise<void>, ...more: M) => Promise<void>,
): (name: string, use: (...given: G) => Promise<void>, ...more: M) => void {
  return (name, use, ...more) => Deno.test(name, () => open(use, ...more));
}
