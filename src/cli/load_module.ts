// Loads modules of the command line once a command needs them.

/**
 * The module of an address that `import.meta.resolve` gave. Of every path that stands in an `import()` itself, Deno opens the
 * file and all its imports at the start of the program, whether the module is needed or not.
 */
export async function loadModule<M>(url: string): Promise<M> {
  return await import(url);
}
