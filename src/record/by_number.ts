// The order of names that have numbers.
let collator: Intl.Collator | undefined;

/** Compares names so that `a-2` stands before `a-10`. */
export function byNumber(a: string, b: string): number {
  // Making one takes some 20 ms: not at the start.
  collator ??= new Intl.Collator("en", { numeric: true });
  return collator.compare(a, b);
}
