// Memoizing: schemas and patterns take long to make, and many runs need few of them.

/** Memoizes a value, which is made at the first call. */
export function memo<V>(make: () => V): () => V {
  let made: { readonly value: V } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Memoizes what is made of an object that does not change. */
export function onceEach<K extends WeakKey, V>(make: (of: K) => V): (of: K) => V {
  const made = new WeakMap<K, { readonly value: V }>();
  return (of) => {
    let found = made.get(of);
    if (found === undefined) made.set(of, found = { value: make(of) });
    return found.value;
  };
}
