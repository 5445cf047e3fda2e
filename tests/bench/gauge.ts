// Loaded before a server's own main module: answers with the cost of the process so far.
import process from "node:process";
import { serveControl } from "./child.ts";

/** Milliseconds of processor time of all threads, and megabytes that are resident now. */
export interface Gauge {
  readonly cpu: number;
  readonly memory: number;
}

const control = serveControl((): Gauge => {
  const { user, system } = process.cpuUsage();
  return { cpu: (user + system) / 1000, memory: Deno.memoryUsage().rss / 2 ** 20 };
});
// The main module is run once nothing keeps this one going.
control.unref();
