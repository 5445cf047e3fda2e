// The bare loop as a program: the start of the library is measured against its start.
import { bareDebate } from "./bare.ts";

// deno-lint-ignore no-console -- the line is the time at which all modules are loaded
console.log(performance.timeOrigin + performance.now());
await bareDebate(JSON.parse(Deno.args[0]!));
