// Loaded before a server's own main module: says what its process costs, and nothing else.
import process from "node:process";
import { serveControl } from "./control.ts";

/** What a process has used so far. */
export interface Gauge {
  /** Processor time of all threads, in milliseconds. */
  readonly cpu: number;
  /** Memory that is resident now, in megabytes. */
  readonly memory: number;
}

const control = serveControl((): Gauge => {
  const { user, system } = process.cpuUsage();
  return { cpu: (user + system) / 1000, memory: Deno.memoryUsage().rss / 2 ** 20 };
});
// The main module is run once nothing keeps this one going.
control.unref();
