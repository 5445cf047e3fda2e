/** Subset of `@std/testing/bdd` for environments without access to JSR; `deno.jsr.json` maps to the original package. */
export { after, afterEach, before, beforeEach, describe, it } from "node:test";
