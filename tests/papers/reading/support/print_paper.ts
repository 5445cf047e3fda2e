// Program that reads the named paper and prints it as JSON; its permissions are those that reading needs.
import { readPaper } from "../../../../src/inputs/papers.ts";

console.log(JSON.stringify(await readPaper(Deno.args[0]!)));
