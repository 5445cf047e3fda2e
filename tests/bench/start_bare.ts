// The bare loop as a program: the start of the library is measured against its start.
import { bareDebate } from "./bare.ts";

await bareDebate(JSON.parse(Deno.args[0]!));
