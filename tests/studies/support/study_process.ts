// Program that runs a study, given as JSON argument; tests kill it.
import { runStudy } from "../../../studies.ts";

await runStudy(JSON.parse(Deno.args[0]!));
