// The flag and the variable that name the Redis of workers.
import { flag, type FlagValues } from "./flag.ts";
import type { Io } from "./io.ts";

/** Variable with the address of the queue: every user of a machine can read a command line. */
const VARIABLE = "CONVENINGS_REDIS_URL";

/** URL of the Redis of workers. */
export const QUEUE = flag(
  "--queue <url>",
  `the Redis of workers that hold convenings of studies, as redis:// (default: $${VARIABLE})`,
);

/** The Redis that a command names. */
export interface NamedQueue {
  readonly url: string;
  /** As `host:port`, for permissions; empty where the URL is none. */
  readonly hosts: readonly string[];
}

/** The Redis of the flag, else of the variable; undefined without either. */
export function queueOf(values: FlagValues, io: Pick<Io, "env">): NamedQueue | undefined {
  const url = values.get(QUEUE) ?? io.env(VARIABLE);
  if (url === undefined || url === "") return undefined;
  const { hostname = "", port = "" } = URL.parse(url) ?? {};
  return { url, hosts: hostname === "" ? [] : [`${hostname}:${port || "6379"}`] };
}
