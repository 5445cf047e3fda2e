// The command `worker`: runs convenings of studies from a shared queue.
import { userPath } from "../directory.ts";
import { flag, type FlagValues, readWhole, refused } from "../flag.ts";
import type { Io } from "../io.ts";
import { late } from "../load_module.ts";
import { requirePermissions } from "../permissions.ts";
import { type CommandAction, replyOf } from "../session.ts";
import { defined } from "../../core/values.ts";
import { ConfigurationError } from "../../core/error.ts";
import { counted, plainLine } from "../../core/text.ts";
import type { WorkerNote } from "../../operations/study_worker.ts";

/** Variable with the URL of the queue; safer than the flag, since all users of a machine can read command lines. */
const VARIABLE = "CONVENINGS_REDIS_URL";

export const QUEUE = flag(
  "--queue <url>",
  `the Redis server whose workers run convenings of studies, as redis:// (default: $${VARIABLE})`,
);

interface NamedQueue {
  readonly url: string;
  /** The host as `host:port`, for permissions; empty for an invalid URL. */
  readonly hosts: readonly string[];
}

/** Returns the queue of the flag, else of the variable; undefined without either. */
export function queueOf(values: FlagValues, io: Pick<Io, "env">): NamedQueue | undefined {
  const url = values.get(QUEUE) ?? io.env(VARIABLE);
  if (url === undefined || url === "") return undefined;
  const { hostname = "", port = "" } = URL.parse(url) ?? {};
  return { url, hosts: hostname === "" ? [] : [`${hostname}:${port || "6379"}`] };
}

const ARCHIVE = flag("--archive <dir>", "the archive that all workers share");
const CONCURRENCY = flag(
  "--concurrency <n>",
  "convenings at once (default: the study's, else 4)",
  readWhole,
);

export const WORKER: CommandAction = {
  flags: [QUEUE, ARCHIVE, CONCURRENCY],
  async run({ values }, session) {
    const { io, catalogue, signal } = session;
    const queue = queueOf(values, io);
    const given = values.get(ARCHIVE);
    if (queue === undefined) throw missing(QUEUE.name, `redis://HOST:PORT, or set ${VARIABLE}`);
    if (given === undefined) throw missing(ARCHIVE.name, "the folder that `study run` wrote to");
    const concurrency = values.get(CONCURRENCY);
    if (concurrency === 0) throw refused(CONCURRENCY.name, "0", "Give 1 or more.");
    const archive = userPath(given, session);
    requirePermissions(io, { hosts: queue.hosts, reads: [archive], writes: archive });
    const { runWorker } = await late("../operations/study_worker.ts");
    let done = 0;
    session.note(`Waiting for convenings of studies in ${archive}`);
    await runWorker({
      ...defined({ catalogue, concurrency, env: io.env }),
      queue: queue.url,
      archive,
      signal,
      onNote(note) {
        if (note.type === "end" && note.end === "done") done++;
        session.note(plainLine(lineOf(note)));
      },
    });
    return replyOf({ done }, [`Ended: ${counted(done, "convening")} done`]);
  },
};

function lineOf(note: WorkerNote): string {
  if (note.type === "problem") return [...note.study ? [note.study] : [], note.message].join(": ");
  const { study, cell } = note;
  return `${study}/${cell}: ${note.type === "begin" ? "begun" : note.end}`;
}

function missing(field: string, hint: string): ConfigurationError {
  return new ConfigurationError(`Cannot start a worker without ${field}`, {
    field,
    hint: `Give ${field}: ${hint}.`,
  });
}
