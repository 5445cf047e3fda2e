// The library in a program of its own: from start to first request.
import { ourDebate } from "./ours.ts";

await ourDebate(JSON.parse(Deno.args[0]!));
