// Preloaded module of a server process: reports the cost of the process so far.
import process from "node:process";
import { serveControl } from "./child.ts";

/** Processor time of all threads in milliseconds, and resident memory in megabytes. */
export interface Gauge {
  readonly cpu: number;
  readonly memory: number;
}

const control = serveControl((): Gauge => {
  const { user, system } = process.cpuUsage();
  return { cpu: (user + system) / 1000, memory: Deno.memoryUsage().rss / 2 ** 20 };
});
// Otherwise this listener would delay the main module.
control.unref();
