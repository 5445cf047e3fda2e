// Program that runs a worker with Redis URL, archive and concurrency as arguments. SIGTERM ends the worker at the next
// message, a second SIGTERM at once. Prints each note as a line of JSON.
import { runWorker } from "../../../src/operations/study_worker.ts";
import { TIMES } from "./workers.ts";

const [queue = "", archive = "", concurrency = "4"] = Deno.args;
const ending = new AbortController();
Deno.addSignalListener("SIGTERM", () => {
  if (ending.signal.aborted) Deno.exit(0);
  ending.abort();
});
await runWorker({
  queue,
  archive,
  concurrency: Number(concurrency),
  signal: ending.signal,
  times: TIMES,
  onNote: (note) => console.log(JSON.stringify(note)),
});
Deno.exit(0);
