/** Subset of `@std/path` for environments without access to JSR; `deno.jsr.json` maps to the original package. */
export {
  basename,
  dirname,
  extname,
  isAbsolute,
  join,
  relative,
  resolve,
  sep as SEPARATOR,
} from "node:path";
