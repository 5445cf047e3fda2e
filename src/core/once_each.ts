/** Makes something of an object that does not change once, and gives the same from then on. */
export function onceEach<K extends WeakKey, V>(make: (of: K) => V): (of: K) => V {
  const made = new WeakMap<K, { readonly value: V }>();
  return (of) => {
    let found = made.get(of);
    if (found === undefined) made.set(of, found = { value: make(of) });
    return found.value;
  };
}
