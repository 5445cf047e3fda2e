// Runs workers of studies: in this process, or in processes with the permissions in the guide.
import { fileURLToPath } from "node:url";
import { runWorker, type WorkerNote } from "../../../src/operations/study_worker.ts";

const SCRIPT = fileURLToPath(new URL("./worker_process.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../../deno.test.json", import.meta.url));

/** Times of the queue in milliseconds. */
export const TIMES = { lock: 2000, later: 200, look: 50 } as const;

/** A running worker; disposal ends it. */
export interface Worker extends AsyncDisposable {
  readonly notes: readonly WorkerNote[];
  /** Resolves with the next note for which `test` is true. */
  until(test: (note: WorkerNote) => boolean): Promise<void>;
}

/** A worker in a process of its own; disposal kills the process. */
export interface WorkerProcess extends Worker {
  kill(signal: Deno.Signal): void;
  /** Resolves when the process has ended. */
  readonly ended: Promise<{ readonly code: number; readonly stderr: string }>;
}

/** Notes of a worker, and those who wait for one. */
class Notes {
  readonly notes: WorkerNote[] = [];
  readonly #waiting = new Set<(note: WorkerNote) => void>();
  readonly #ended = Promise.withResolvers<string>();

  hear(note: WorkerNote): void {
    this.notes.push(note);
    for (const hear of this.#waiting) hear(note);
  }

  end(reason: string): void {
    this.#ended.resolve(reason);
  }

  until(test: (note: WorkerNote) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const hear = (note: WorkerNote) => {
        if (!test(note)) return;
        this.#waiting.delete(hear);
        resolve();
      };
      this.#waiting.add(hear);
      this.#ended.promise.then((reason) => reject(new Error(`the worker ended: ${reason}`)));
    });
  }
}

/** Runs a worker in this process; disposal ends it at the next messages. */
export function workHere(queue: string, archive: string, concurrency: number): Worker {
  const notes = new Notes();
  const ending = new AbortController();
  const work = runWorker({
    ...{ queue, archive, concurrency, times: TIMES, signal: ending.signal },
    env: () => undefined,
    onNote: (note) => notes.hear(note),
  }).then(() => notes.end("it was told to"), (error) => notes.end(String(error)));
  return {
    notes: notes.notes,
    until: (test) => notes.until(test),
    async [Symbol.asyncDispose]() {
      ending.abort();
      await work;
    },
  };
}

/** Starts a worker with a Redis URL, an archive, and the hosts that it may reach. */
export function startWorker(
  { queue, archive, hosts, concurrency = 4, mayWrite = true }: {
    readonly queue: string;
    readonly archive: string;
    readonly hosts: readonly string[];
    readonly concurrency?: number | undefined;
    /** @default true */
    readonly mayWrite?: boolean | undefined;
  },
): WorkerProcess {
  const child = new Deno.Command("deno", {
    args: [
      "run",
      "--no-check",
      "--frozen",
      "--no-prompt",
      "--ignore-env",
      `--allow-net=${hosts.join(",")}`,
      `--allow-read=${archive}`,
      ...mayWrite ? [`--allow-write=${archive}`] : [],
      `--config=${CONFIG}`,
      SCRIPT,
      queue,
      archive,
      String(concurrency),
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const notes = new Notes();
  const read = async () => {
    let rest = "";
    for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + piece).split("\n");
      rest = lines.pop()!;
      for (const line of lines) notes.hear(JSON.parse(line) as WorkerNote);
    }
  };
  const reading = read();
  const ended = (async () => {
    const stderr = await new Response(child.stderr).text();
    await reading;
    return { code: (await child.status).code, stderr };
  })();
  let hasEnded = false;
  ended.then(({ stderr }) => {
    hasEnded = true;
    notes.end(stderr);
  });
  return {
    notes: notes.notes,
    until: (test) => notes.until(test),
    kill: (signal) => child.kill(signal),
    ended,
    async [Symbol.asyncDispose]() {
      if (!hasEnded) child.kill("SIGKILL");
      await ended;
    },
  };
}
