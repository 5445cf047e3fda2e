// A worker of studies that processes share: `worker`.
import { plainLine } from "../../core/text.ts";
import { defined } from "../../core/values.ts";
import { ConfigurationError } from "../../core/error.ts";
import type { WorkerNote } from "../../operations/study_worker.ts";
import type { CommandAction } from "../command.ts";
import { userPath } from "../directory.ts";
import { flag } from "../flag.ts";
import { loadModule } from "../load_module.ts";
import { requirePermissions } from "../permissions.ts";
import { QUEUE, queueOf } from "../queue_flag.ts";
import { readWhole } from "../read_value.ts";

const ARCHIVE = flag("--archive <dir>", "the archive that all workers share");
const CONCURRENCY = flag(
  "--concurrency <n>",
  "convenings at once (default: the study's, else 4)",
  readWhole,
);

/** `worker`. */
export const WORKER: CommandAction = {
  flags: [QUEUE, ARCHIVE, CONCURRENCY],
  async run({ values }, session) {
    const { io, catalogue, signal } = session;
    const queue = queueOf(values, io);
    const given = values.get(ARCHIVE);
    if (queue === undefined) throw missing(QUEUE.name, "redis://HOST:PORT, or set its variable");
    if (given === undefined) throw missing(ARCHIVE.name, "the folder that `study run` wrote to");
    const concurrency = values.get(CONCURRENCY);
    if (concurrency === 0) throw missing(CONCURRENCY.name, "1 or more");
    const archive = userPath(given, session);
    requirePermissions(io, {
      hosts: queue.hosts,
      reads: [archive],
      writes: archive,
    });
    const { runWorker } = await loadModule<typeof import("../../operations/study_worker.ts")>(
      import.meta.resolve("../../operations/study_worker.ts"),
    );
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
    return { code: 0, json: { done }, text: `Ended: ${done} convenings done\n` };
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
