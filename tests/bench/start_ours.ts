// The library in a program of its own: from start to first request.
import { ourDebate } from "./ours.ts";

// deno-lint-ignore no-console -- the line is the time at which all modules are loaded
console.log(performance.timeOrigin + performance.now());
await ourDebate(JSON.parse(Deno.args[0]!));
