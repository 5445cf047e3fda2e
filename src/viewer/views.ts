// Read models of the viewer's pages, from the archive and from the runs of this process.
import { join } from "@std/path";
import type { Message } from "../core/message.ts";
import type { ConveningStart, WaitedFor } from "../core/event.ts";
import { defined, memoByObject, RecentMap } from "../core/values.ts";
import { isWrittenBlind } from "../debate/rules.ts";
import type { ActiveRun } from "../operations/active_run.ts";
import type { Convening } from "../operations/convening.ts";
import { filteredList, type ListRow } from "../operations/list.ts";
import { readConvening, standingJson } from "../operations/convening_json.ts";
import { conveningDir, withoutPaths } from "../operations/client_view.ts";
import { isHeld } from "../record/archive.ts";
import { showsNewFork } from "../record/list.ts";
import { flowIn } from "../record/arguments_page.ts";
import { recordFiles } from "../record/disk_files.ts";
import { lastEvents, lastLogged, tasksOf } from "../record/log.ts";
import { conveningTitle } from "../record/papers.ts";
import { ifReadable, readText } from "../record/problems.ts";
import { readMetadata } from "../record/read.ts";
import { RecordModel } from "../record/record_model.ts";
import { outlineTranscript, type TranscriptOutline } from "../record/transcript_outline.ts";
import { nameOf } from "../record/words.ts";
import type { OperationContext } from "../operations/operation.ts";
import { LiveFeed } from "../operations/watching.ts";
import type { ConveningView } from "./standing.tsx";

type ViewsContext = Pick<OperationContext, "out" | "pool" | "readOnly">;

export const outlineOf: (
  convening: Convening,
) => { readonly model: RecordModel; readonly outline: TranscriptOutline } = memoByObject(
  ({ start, facts, result: { status, endReason, outcome, winner, contradictions, value } }) => {
    // The result so far of a convening that has not ended is no outcome.
    const ended = { outcome: endReason && outcome, winner, contradictions, value };
    const model = RecordModel.of({ start, facts, ...defined({ status, endReason, ...ended }) });
    return { model, outline: outlineTranscript(model) };
  },
);

/** Reads the views of an archive on demand. A convening that runs in this process is read once after each event. */
export class Views {
  readonly #context: ViewsContext;
  readonly #records = new LiveCache();

  constructor(context: ViewsContext) {
    this.#context = context;
  }

  /** Reads a convening with all its messages. Fails with `not_found` and `record_corrupt`. */
  async of(id: string): Promise<ConveningView> {
    const { out, pool, readOnly: isReadOnly } = this.#context;
    const dir = await conveningDir(out, id);
    const run = pool.run(id);
    // Read before the record: the page may then show later events already, and the stream sends them again.
    const files = recordFiles(dir);
    const after = run?.feed.last || (await lastLogged(files, join(dir, "log.jsonl")))?.n || 0;
    const convening = await this.#records.of(dir, run);
    const { start, result, messages, facts, isNewFork } = convening;
    const { waitingFor = [] } = result;
    const isOver = run === undefined || run.feed.ended;
    const hasBrief = isOver && facts.some(({ type }) => type === "brief");
    const { status: standing, queuePosition } = await standingJson({ pool }, dir, result.status);
    const feed = isOver ? new LiveFeed() : run.feed;
    if (isOver && standing === "running") {
      for (const event of await lastEvents(files, dir)) feed.push(event);
    }
    const { spoken } = feed;
    const recent = feed.recent(0);
    const { usage = result.usage } = recent.findLast((event) => "usage" in event) ?? {};
    return {
      id,
      convening,
      brief: hasBrief ? await readText(files, join(dir, "brief.md")) : undefined,
      flow: isOver ? flowIn(convening) : undefined,
      names: (await files.list(dir))
        .flatMap(({ name, isFolder }) => isFolder || name.startsWith(".") ? [] : name).sort(),
      after,
      start,
      title: conveningTitle(start, facts),
      withheld: withheldFrom(waitingFor, start, messages),
      standing,
      isNewFork: showsNewFork({ status: standing, isNewFork }),
      isHeld: standing === "running" || standing !== "interrupted" && await isHeld(files, dir),
      position: queuePosition ?? undefined,
      failure: run?.state.state === "failed" ? withoutPaths(run.state.error, out) : undefined,
      waitingFor,
      spoken,
      place: spoken.at(-1)?.turn ?? recent.findLast((event) => event.type === "message")?.message,
      tasks: await tasksOf(files, dir, { waitingFor, recent }),
      isReadOnly,
      usage,
    };
  }

  /** Returns the debates over a paper, newest first. */
  async historyOf(paper: string): Promise<readonly ListRow[]> {
    const { matching: debates } = await filteredList(this.#context, { kind: "paper-debate" });
    const fits = await Promise.all(debates.map(({ dir }) => isAbout(dir, paper)));
    return debates.filter((_, at) => fits[at]);
  }
}

/** Returns the messages of turns that people still have to write without knowledge of these messages. */
function withheldFrom(
  waitingFor: readonly WaitedFor[],
  start: ConveningStart,
  messages: readonly Message[],
): ConveningView["withheld"] {
  const { kind, configuration, participants } = start;
  if (kind !== "debate" || waitingFor.length === 0) return new Map();
  const ids = new Set(participants.map(({ id }) => id));
  // The keys of concurrent turns differ only in the participants, such as `opening/ann` and `opening/ben`.
  const stepOf = (turn: string) => turn.split("/").filter((each) => !ids.has(each)).join("/");
  const names = Map.groupBy(waitingFor, ({ turn }) => stepOf(turn));
  return new Map(messages.flatMap((message) => {
    const waited = names.get(stepOf(message.turn));
    if (waited === undefined || !isWrittenBlind(configuration, message.kind)) return [];
    const who = waited.map(({ participant }) => nameOf(start, participant)).join(", ");
    const why = `Folded until ${who} has spoken: the sides write without knowledge of each other`;
    return [[message.seq, why] as const];
  }));
}

/** Returns true if the record in `dir` has a paper with the id; false for a damaged record, which the archive's list reports. */
async function isAbout(dir: string, paper: string): Promise<boolean> {
  return await ifReadable(
    async () => (await readMetadata(recordFiles(dir), dir)).papers.some(({ id }) => id === paper),
    () => false,
  );
}

const MAX_CACHED = 100;

/** Cache of convenings that run in this process; an entry is valid until the convening's next event. */
class LiveCache {
  readonly #kept = new RecentMap<{ readonly last: number; readonly value: Promise<Convening> }>(
    MAX_CACHED,
  );

  /** Returns the cached convening, else reads it. Reads each time before the first event and after the last. */
  async of(dir: string, run: ActiveRun | undefined): Promise<Convening> {
    if (run === undefined || run.feed.ended || run.feed.last === 0) {
      this.#kept.take(dir);
      return await readConvening(dir);
    }
    const { last } = run.feed;
    const known = this.#kept.get(dir);
    if (known?.last === last) return await known.value;
    const value = readConvening(dir);
    this.#kept.set(dir, { last, value });
    // A record that was read while it changed is read again.
    value.catch(() => this.#kept.take(dir));
    return await value;
  }
}
