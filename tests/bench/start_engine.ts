// The library in a program of its own: from start to first request.
import { engineDebate } from "./engine_debate.ts";

await engineDebate(JSON.parse(Deno.args[0]!));
