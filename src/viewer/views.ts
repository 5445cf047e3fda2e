// Read models of the viewer's pages, from the archive and from the runs of this process.
import { join } from "@std/path";
import type { Status } from "../core/fact.ts";
import { type Message, shortId } from "../core/message.ts";
import type { ConveningStart, WaitedFor } from "../core/event.ts";
import { defined, memoByObject, RecentMap } from "../core/values.ts";
import { isWrittenBlind } from "../debate/rules.ts";
import type { PooledRun } from "../operations/active_run.ts";
import type { Convening } from "../operations/convening.ts";
import { filteredList, type ListRow } from "../operations/list.ts";
import { readAttachments, showMessage } from "../operations/reading_convenings.ts";
import { readConvening, standingJson } from "../operations/convening_json.ts";
import { showsNewFork } from "../record/list.ts";
import { flowIn } from "../record/arguments_page.ts";
import { seqOfName } from "../record/fact_row.ts";
import { isNewFork } from "../record/metadata_file.ts";
import { recordFiles } from "../record/disk_files.ts";
import { readAbout } from "../record/fact_files.ts";
import { lastEvents, lastLogged, tasksOf } from "../record/log.ts";
import { conveningTitle } from "../record/papers.ts";
import { ifReadable, readText } from "../record/problems.ts";
import { readMetadata } from "../record/read.ts";
import { RecordModel } from "../record/record_model.ts";
import {
  entryOf,
  outlineTranscript,
  type TranscriptEntry,
  type TranscriptOutline,
} from "../record/transcript_outline.ts";
import { nameOf } from "../record/words.ts";
import type { OperationContext } from "../operations/operation.ts";
import { conveningDir } from "../operations/convening_dir.ts";
import { LiveFeed } from "../operations/watching.ts";
import type { ConveningView, Standing, StandingView } from "./standing.tsx";

type ViewsContext = Pick<OperationContext, "out" | "pool" | "readOnly">;

interface Found {
  readonly dir: string;
  /** Run of the convening in this process. */
  readonly run: PooledRun | undefined;
}

interface MessageView {
  readonly start: ConveningStart;
  readonly entry: TranscriptEntry;
  readonly withheld: StandingView["withheld"];
  /** Relative to the convening's directory. */
  readonly path: string;
}

/** Returns the model and the outline of a convening; memoized by the object. */
export const outlineOf: (
  convening: Convening,
) => { readonly model: RecordModel; readonly outline: TranscriptOutline } = memoByObject(
  ({ start, facts, result: { status, endReason, outcome, winner, contradictions } }) => {
    // The result so far of a convening that has not ended is no outcome.
    const ending = { status, endReason, outcome: endReason && outcome, winner, contradictions };
    const model = RecordModel.of({ start, facts, ...defined(ending) });
    return { model, outline: outlineTranscript(model) };
  },
);

/**
 * Reads the views of an archive on demand. Views of a convening that runs in this process are cached until the next event.
 * The cost of the parts that an open page reloads after each event does not grow with the length of the convening.
 */
export class Views {
  readonly #context: ViewsContext;
  readonly #records = new LiveCache<Convening>();
  readonly #messages = new LiveCache<MessageView>();
  readonly #standings = new LiveCache<Awaited<ReturnType<typeof recordedStanding>>>();

  constructor(context: ViewsContext) {
    this.#context = context;
  }

  /** True if the pages have no controls that change the archive or ask a model. */
  get isReadOnly(): boolean {
    return this.#context.readOnly;
  }

  /** Reads a convening with all its messages. Fails with `not_found` and `record_corrupt`. */
  async of(id: string): Promise<ConveningView> {
    const found = await this.#found(id);
    const { dir, run } = found;
    // Read before the record: the page may then show later events already, and the stream sends them again.
    const after = await lastOf(dir, run);
    const convening = await this.#records.of(dir, run, () => readConvening(dir));
    const { start, result, messages } = convening;
    const { endReason, waitingFor = [], usage } = result;
    const isOver = run === undefined || run.feed.ended;
    const hasBrief = isOver && convening.facts.some(({ type }) => type === "brief");
    return {
      id,
      convening,
      brief: hasBrief ? await readText(recordFiles(dir), join(dir, "brief.md")) : undefined,
      flow: isOver ? flowIn(convening) : undefined,
      after,
      start,
      title: conveningTitle(start, convening.facts),
      endReason,
      said: messages.map(({ seq, participant }) => ({ seq, participant })),
      withheld: withheldFrom(waitingFor, start, messages),
      ...await this.#now(found, { ...result, isNewFork: convening.isNewFork }),
      usage,
    };
  }

  /** Reads the standing of a convening from few files. Fails as {@linkcode of}. */
  async standing(id: string): Promise<StandingView> {
    const found = await this.#found(id);
    const { dir, run } = found;
    const { progress, ...view } = await this.#standings.of(dir, run, () => recordedStanding(dir));
    return { id, ...view, ...await this.#now(found, progress) };
  }

  /** Reads what only the process of a run knows, or the end of the log: the queue, the failure, the turns in progress. */
  async #now(
    { dir, run }: Found,
    { status, isNewFork, waitingFor = [] }: {
      readonly status: Status;
      readonly isNewFork?: boolean | undefined;
      readonly waitingFor?: readonly WaitedFor[] | undefined;
    },
  ) {
    const files = recordFiles(dir);
    const { status: standing, queuePosition } = await standingJson(this.#context, dir, status);
    const feed = run?.feed.ended === false ? run.feed : new LiveFeed();
    if (feed !== run?.feed && standing === "running") {
      for (const event of await lastEvents(files, dir)) feed.push(event);
    }
    const { spoken } = feed;
    const recent = feed.recent(0);
    const usage = recent.findLast((event) => "usage" in event)?.usage;
    return {
      standing,
      isNewFork: showsNewFork({ status: standing, isNewFork }),
      position: queuePosition ?? undefined,
      failure: run?.state.state === "failed" ? run.state.error : undefined,
      waitingFor,
      spoken,
      place: spoken.at(-1)?.turn ?? recent.findLast((event) => event.type === "message")?.message,
      tasks: await tasksOf(files, dir, { waitingFor, recent }),
      isReadOnly: this.isReadOnly,
      ...defined({ usage }),
    };
  }

  /** Reads the standing and the number of messages of a convening, from few files. Fails with `not_found`. */
  async glance(id: string): Promise<{ readonly standing: Standing; readonly messages: number }> {
    const found = await this.#found(id);
    const { start, progress } = await readMetadata(recordFiles(found.dir), found.dir);
    const said = await saidIn(found.dir, start);
    const { status: standing } = await standingJson(this.#context, found.dir, progress.status);
    return { standing, messages: said.length };
  }

  /** Reads a message with the facts about it. Fails with `not_found` and `record_corrupt`. */
  async message(id: string, seq: number): Promise<MessageView> {
    const { dir, run } = await this.#found(id);
    return await this.#messages.of(`${dir}/${seq}`, run, async () => {
      const { start, progress } = await readMetadata(recordFiles(dir), dir);
      const found = await entryAt(dir, start, seq);
      const { waitingFor = [] } = progress;
      return {
        ...found,
        start,
        withheld: withheldFrom(waitingFor, start, [found.entry.message]),
      };
    });
  }

  /** Returns the debates over a paper, newest first. */
  async historyOf(paper: string): Promise<readonly ListRow[]> {
    const { matching: debates } = await filteredList(this.#context, { kind: "paper-debate" });
    const fits = await Promise.all(debates.map(({ dir }) => isAbout(dir, paper)));
    return debates.filter((_, at) => fits[at]);
  }

  async #found(id: string): Promise<Found> {
    const { out, pool } = this.#context;
    return { dir: await conveningDir(out, id), run: pool.run(id) };
  }
}

/** Reads the part of a standing that changes only with the record. */
async function recordedStanding(dir: string) {
  const { start, progress, question, usage } = await readMetadata(recordFiles(dir), dir);
  const { endReason, waitingFor = [] } = progress;
  const said = await saidIn(dir, start);
  const last = await lastMessages(dir, said, { start, waitingFor });
  return {
    start,
    progress: { ...progress, isNewFork: isNewFork(start, progress) },
    title: question ?? start.topic,
    endReason,
    said,
    withheld: withheldFrom(waitingFor, start, last),
    usage,
  };
}

/** Reads the messages that a waiting person may not know: of the last ones, at most one a participant. */
async function lastMessages(
  dir: string,
  said: StandingView["said"],
  { start, waitingFor }: Pick<StandingView, "start" | "waitingFor">,
): Promise<readonly Message[]> {
  if (start.kind !== "debate" || waitingFor.length === 0) return [];
  const last = said.slice(-MAX_WITHHELD);
  return await Promise.all(last.map(async ({ seq }) => (await showMessage(dir, seq)).message));
}

/** Maximal number of messages that are read to find those of concurrent turns. */
const MAX_WITHHELD = 10;

/** Returns the messages of turns that people still have to write without knowledge of these messages. */
function withheldFrom(
  waitingFor: readonly WaitedFor[],
  start: ConveningStart,
  messages: readonly Message[],
): StandingView["withheld"] {
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

async function lastOf(dir: string, run: PooledRun | undefined): Promise<number> {
  if (run !== undefined && run.feed.last > 0) return run.feed.last;
  return (await lastLogged(recordFiles(dir), join(dir, "log.jsonl")))?.n ?? 0;
}

/** Lists the messages of a convening from their file names. */
async function saidIn(
  dir: string,
  { participants, judges }: ConveningStart,
): Promise<StandingView["said"]> {
  const ids = new Map([...participants, ...judges].map(({ id }) => [shortId(id), id]));
  const names = (await recordFiles(dir).list(join(dir, "messages"))).map(({ name }) => name);
  return names.flatMap((name) => {
    const seq = seqOfName(name);
    if (seq === undefined) return [];
    const whose = name.slice(name.lastIndexOf("_") + 1, -".md".length);
    return [{ seq, participant: ids.get(whose) ?? whose }];
  }).sort((a, b) => a.seq - b.seq);
}

/** Returns true if the record in `dir` has a paper with the id; false for a damaged record, which the archive's list reports. */
async function isAbout(dir: string, paper: string): Promise<boolean> {
  return await ifReadable(
    async () => (await readMetadata(recordFiles(dir), dir)).papers.some(({ id }) => id === paper),
    () => false,
  );
}

/** Reads a message by its number with only the facts about it. Fails with `not_found` and `record_corrupt`. */
async function entryAt(
  dir: string,
  start: ConveningStart,
  seq: number,
): Promise<Pick<MessageView, "entry" | "path">> {
  const { message, path } = await showMessage(dir, seq);
  const { replyTo, previous } = message;
  const [{ factCheck, evidence, rejected, draft }, said, scores, answered, before] = await Promise
    .all([
      readAttachments(dir, seq),
      saidIn(dir, start),
      readAbout(recordFiles(dir), dir, "score", seq),
      replyTo === undefined ? undefined : showMessage(dir, replyTo),
      previous === undefined ? undefined : showMessage(dir, seq - 1).catch(() => undefined),
    ]);
  const entry = entryOf(start, {
    isFirst: said.find((each) => each.participant === message.participant)?.seq === seq,
    ...{ message, before: before?.message, answered: answered?.message },
    ...{ scores, check: factCheck, evidence, rejected, draft },
  });
  return { entry, path };
}

const MAX_CACHED = 100;

/** Cache of data of convenings that run in this process; an entry is valid until the convening's next event. */
class LiveCache<T> {
  readonly #kept = new RecentMap<{ readonly last: number; readonly value: Promise<T> }>(
    MAX_CACHED,
  );

  /** Returns the cached value of `key`, else calls `read`. Calls `read` each time before the first event and after the last. */
  async of(key: string, run: PooledRun | undefined, read: () => Promise<T>): Promise<T> {
    if (run === undefined || run.feed.ended || run.feed.last === 0) {
      this.#kept.take(key);
      return await read();
    }
    const { last } = run.feed;
    const known = this.#kept.get(key);
    if (known?.last === last) return await known.value;
    const value = read();
    this.#kept.set(key, { last, value });
    return await value;
  }
}
