// Reads the paper in the file that is named, and prints it as JSON: what it needs is what it is allowed.
import { readPaper } from "../../../src/inputs/papers.ts";

console.log(JSON.stringify(await readPaper(Deno.args[0]!)));
