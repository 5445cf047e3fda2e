// The bare loop as a program: what the start is measured against.
import { bareDebate } from "./bare.ts";

await bareDebate(JSON.parse(Deno.args[0]!));
