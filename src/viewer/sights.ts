import { basename, join } from "@std/path";
import type { Status } from "../core/fact.ts";
import { NO_USAGE, shortId } from "../core/message.ts";
import type { ConveningStart } from "../core/record.ts";
import type { PooledRun } from "../operations/active_run.ts";
import type { Convening } from "../operations/convening.ts";
import { listConvenings } from "../operations/showing.ts";
import { readConvening } from "../operations/known_convenings.ts";
import { seqOfName } from "../record/codec.ts";
import { recordFiles } from "../record/disk_files.ts";
import { type ConveningRow, heldStatus } from "../record/list.ts";
import { readMetadata } from "../record/read.ts";
import type { OperationContext } from "../operations/operation.ts";
import { conveningDir } from "../operations/convening_dir.ts";
import type { ArchiveRow } from "./archive_page.ts";
import { type Entry, entryAt } from "./entries.ts";
import { KeptReadings } from "./kept_readings.ts";
import { lastNumber, tasksOf } from "./log_end.ts";
import type { ConveningSight, Standing, StandingSight } from "./standing.ts";

/** One message as it is shown. */
interface SeenMessage {
  readonly start: ConveningStart;
  readonly entry: Entry;
}

/**
 * What pages show of the archive, read when it is asked for; of what runs here, once an event for all who look on. What
 * an open page asks for at every event costs the same however long the convening is: no more than names are listed.
 */
export class Sights {
  readonly #context: Pick<OperationContext, "out" | "pool">;
  readonly #records = new KeptReadings<Convening>();
  readonly #messages = new KeptReadings<SeenMessage>();

  /** Sights of an archive. */
  constructor(context: Pick<OperationContext, "out" | "pool">) {
    this.#context = context;
  }

  /** One convening with all that was said. Fails with `not_found` and `record_corrupt`. */
  async of(id: string): Promise<ConveningSight> {
    const { dir, run } = await this.#found(id);
    // Asked before the record is read: what comes after it may be shown already, and is told again.
    const after = await lastOf(dir, run);
    const convening = await this.#records.of(dir, run, () => readConvening(dir));
    const { start, result, messages } = convening;
    const { status, endReason, waitingFor = [], usage } = result;
    const last = messages.at(-1);
    return {
      id,
      convening,
      after,
      start,
      endReason,
      waitingFor,
      usage,
      said: messages.map(({ seq, participant }) => ({ seq, participant })),
      place: run?.feed.spoken.at(-1)?.turn ?? last,
      standing: await standingOf(dir, status, run),
      tasks: await tasksOf(dir, waitingFor, run?.feed.recent(0)),
      ...partOf(run),
    };
  }

  /** Where one convening stands; of one that this process runs no message is read. Fails as {@linkcode of}. */
  async standing(id: string): Promise<StandingSight> {
    const { dir, run } = await this.#found(id);
    if (run === undefined || run.feed.ended) return await this.of(id);
    const { start, progress } = await readMetadata(recordFiles(dir), dir);
    const { status, endReason, waitingFor = [] } = progress;
    const told = run.feed.recent(0);
    const last = told.findLast((event) => event.type === "message");
    return {
      id,
      start,
      endReason,
      waitingFor,
      usage: told.findLast((event) => "usage" in event)?.usage ?? NO_USAGE,
      said: await saidIn(dir, start),
      place: run.feed.spoken.at(-1)?.turn ?? last?.message,
      standing: await standingOf(dir, status, run),
      tasks: await tasksOf(dir, waitingFor, run?.feed.recent(0)),
      ...partOf(run),
    };
  }

  /** Where one convening stands, and how many messages it has: as little as can be read. Fails with `not_found`. */
  async glance(id: string): Promise<{ readonly standing: Standing; readonly messages: number }> {
    const { dir, run } = await this.#found(id);
    const { start, progress } = await readMetadata(recordFiles(dir), dir);
    const said = await saidIn(dir, start);
    return { standing: await standingOf(dir, progress.status, run), messages: said.length };
  }

  /** One message, with what stands beside it. Fails with `not_found` and `record_corrupt`. */
  async message(id: string, seq: number): Promise<SeenMessage> {
    const { dir, run } = await this.#found(id);
    return await this.#messages.of(`${dir}/${seq}`, run, async () => {
      const { start } = await readMetadata(recordFiles(dir), dir);
      return { start, entry: await entryAt(dir, start, seq) };
    });
  }

  /** Every convening of the archive, the newest first. */
  async rows(): Promise<readonly ArchiveRow[]> {
    const { out, pool } = this.#context;
    return (await listConvenings(out)).map((row) => {
      const state = pool.run(basename(row.dir))?.state;
      return state?.state === "queued"
        ? { ...row, status: "queued", position: state.position }
        : row;
    });
  }

  /** The debates over a paper, the newest first. */
  async historyOf(paper: string): Promise<readonly ConveningRow[]> {
    const rows = await listConvenings(this.#context.out);
    const debates = rows.filter(({ kind }) => kind === "paper-debate");
    const fits = await Promise.all(debates.map(({ dir }) => isAbout(dir, paper)));
    return debates.filter((_, at) => fits[at]);
  }

  async #found(id: string): Promise<{ dir: string; run: PooledRun | undefined }> {
    const { out, pool } = this.#context;
    return { dir: await conveningDir(out, id), run: pool.run(id) };
  }
}

async function lastOf(dir: string, run: PooledRun | undefined): Promise<number> {
  return run !== undefined && run.feed.last > 0 ? run.feed.last : await lastNumber(dir);
}

async function standingOf(
  dir: string,
  status: Status,
  run: PooledRun | undefined,
): Promise<Standing> {
  if (run?.state.state === "queued") return "queued";
  const isLive = run !== undefined && !run.feed.ended;
  if (isLive) return status === "waiting" ? "waiting" : "running";
  return await heldStatus(recordFiles(dir), dir, status);
}

/** What this process alone knows of a run. */
function partOf(
  run: PooledRun | undefined,
): Pick<StandingSight, "position" | "failure" | "spoken"> {
  const state = run?.state;
  return {
    position: state?.state === "queued" ? state.position : undefined,
    failure: state?.state === "failed" ? state.error : undefined,
    spoken: run?.feed.spoken ?? [],
  };
}

/** The messages of a convening by the names of their files, which tell whose they are. */
async function saidIn(
  dir: string,
  { participants, judges }: ConveningStart,
): Promise<StandingSight["said"]> {
  const ids = new Map([...participants, ...judges].map(({ id }) => [shortId(id), id]));
  const names = (await recordFiles(dir).list(join(dir, "messages"))).map(({ name }) => name);
  return names.flatMap((name) => {
    const seq = seqOfName(name);
    if (seq === undefined) return [];
    const whose = name.slice(name.lastIndexOf("_") + 1, -".md".length);
    return [{ seq, participant: ids.get(whose) ?? whose }];
  }).sort((a, b) => a.seq - b.seq);
}

/** How much of a paper's file holds its id. */
const HEAD = 4000;

async function isAbout(dir: string, paper: string): Promise<boolean> {
  try {
    const { papers } = await readMetadata(recordFiles(dir), dir);
    for (const name of papers) {
      const { bytes } = await recordFiles(dir).readFrom(join(dir, name), 0, HEAD);
      const [, id = ""] = /^id: (.+)$/m.exec(new TextDecoder().decode(bytes)) ?? [];
      if (id.trim().replace(/^"(.*)"$/, "$1") === paper) return true;
    }
    return false;
  } catch {
    // What is damaged is told of in the archive's list.
    return false;
  }
}
