/** An object without the keys whose values are undefined. */
type Defined<T> =
  & { [K in keyof T as undefined extends T[K] ? never : K]: T[K] }
  & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/** The options that are given: a key that is undefined is not. */
export function defined<T extends object>(options: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
}
