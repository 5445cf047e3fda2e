// A process that runs a study, to be killed: the argument is the study as JSON.
import { runStudy } from "../../../studies.ts";

await runStudy(JSON.parse(Deno.args[0]!));
