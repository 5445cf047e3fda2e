// Starts worker processes with the permissions in the guide.
import { fileURLToPath } from "node:url";
import type { WorkerNote } from "../../../src/operations/study_worker.ts";

const SCRIPT = fileURLToPath(new URL("./worker_process.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../../deno.test.json", import.meta.url));

/** A running worker. */
export interface WorkerProcess extends AsyncDisposable {
  readonly notes: readonly WorkerNote[];
  /** Resolves with the next note for which `test` is true. */
  until(test: (note: WorkerNote) => boolean): Promise<void>;
  kill(signal: Deno.Signal): void;
  /** Resolves when the process has ended. */
  readonly ended: Promise<{ readonly code: number; readonly stderr: string }>;
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
  const notes: WorkerNote[] = [];
  const waiting = new Set<(note: WorkerNote) => void>();
  const read = async () => {
    let rest = "";
    for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + piece).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        const note = JSON.parse(line) as WorkerNote;
        notes.push(note);
        for (const hear of waiting) hear(note);
      }
    }
  };
  const reading = read();
  const ended = (async () => {
    const stderr = await new Response(child.stderr).text();
    await reading;
    return { code: (await child.status).code, stderr };
  })();
  let hasEnded = false;
  ended.then(() => hasEnded = true);
  return {
    notes,
    until: (test) =>
      new Promise((resolve, reject) => {
        const hear = (note: WorkerNote) => {
          if (!test(note)) return;
          waiting.delete(hear);
          resolve();
        };
        waiting.add(hear);
        ended.then(({ stderr }) => reject(new Error(`the worker ended: ${stderr}`)));
      }),
    kill: (signal) => child.kill(signal),
    ended,
    async [Symbol.asyncDispose]() {
      if (!hasEnded) child.kill("SIGKILL");
      await ended;
    },
  };
}
