/** The part of `@std/testing/bdd` that this project uses, where JSR cannot be reached; `deno.jsr.json` maps to the original. */
export { after, afterEach, before, beforeEach, describe, it } from "node:test";
