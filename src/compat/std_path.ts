/** The part of `@std/path` that this project uses, where JSR cannot be reached; `deno.jsr.json` maps to the original. */
export { basename, dirname, extname, isAbsolute, join, relative, resolve } from "node:path";
