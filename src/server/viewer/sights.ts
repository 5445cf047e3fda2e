import { basename, join } from "@std/path";
import { type Convening, listConvenings, openConvening } from "../../library/convening.ts";
import { isHeld } from "../../output/list.ts";
import { diskFiles, readFrom } from "../../output/fs_store.ts";
import { lastEvent, readMetadata } from "../../output/read.ts";
import type { ConveningRow } from "../../output/list.ts";
import type { PooledRun } from "../../library/active_run.ts";
import type { ServerContext } from "../context.ts";
import { conveningDir } from "../../library/convening_dir.ts";
import type { ArchiveRow } from "./archive_page.ts";
import type { ConveningSight, Standing } from "./standing.ts";

/** A record as it was read when an event was the last one. */
interface Known {
  readonly last: number;
  readonly convening: Promise<Convening>;
}

/** What pages show of the archive, read when it is asked for; of what runs here, once an event for all who look on. */
export class Sights {
  readonly #context: Pick<ServerContext, "out" | "pool">;
  readonly #known = new Map<string, Known>();

  /** Sights of an archive. */
  constructor(context: Pick<ServerContext, "out" | "pool">) {
    this.#context = context;
  }

  /** One convening. Fails with `not_found` and `record_corrupt`. */
  async of(id: string): Promise<ConveningSight> {
    const { out, pool } = this.#context;
    const dir = await conveningDir(out, id);
    const run = pool.run(id);
    // Asked before the record is read: what comes after it may be shown already, and is told again.
    const after = await lastOf(dir, run);
    const convening = await this.#read(dir, run);
    const state = run?.state;
    return {
      id,
      convening,
      after,
      standing: await standingOf(convening, run),
      position: state?.state === "queued" ? state.position : undefined,
      failure: state?.state === "failed" ? state.error : undefined,
      tasks: tasksOf(run),
    };
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

  /** The record; of a run of this process it is read once between two events, however many look on. */
  async #read(dir: string, run: PooledRun | undefined): Promise<Convening> {
    if (run === undefined || run.feed.ended) {
      this.#known.delete(dir);
      return await openConvening(dir);
    }
    const { last } = run.feed;
    const known = this.#known.get(dir);
    if (known?.last === last) return await known.convening;
    const convening = openConvening(dir);
    this.#known.set(dir, { last, convening });
    return await convening;
  }
}

async function lastOf(dir: string, run: PooledRun | undefined): Promise<number> {
  if (run !== undefined && run.feed.last > 0) return run.feed.last;
  const path = join(dir, "log.jsonl");
  return await diskFiles.stat(path) === undefined ? 0 : lastEvent(await diskFiles.read(path));
}

async function standingOf(
  { dir, result }: Convening,
  run: PooledRun | undefined,
): Promise<Standing> {
  const { status } = result;
  if (run?.state.state === "queued") return "queued";
  const isLive = run !== undefined && !run.feed.ended;
  if (isLive) return status === "waiting" ? "waiting" : "running";
  return status === "running" && !await isHeld(diskFiles, dir) ? "interrupted" : status;
}

/** What persons who are waited for were asked, as far as this process was told. */
function tasksOf(run: PooledRun | undefined): ReadonlyMap<string, string> {
  return new Map(
    (run?.feed.recent(0) ?? []).flatMap((event) =>
      event.type === "turn-wait" ? [[event.turn.participant, event.task] as const] : []
    ),
  );
}

/** How much of a paper's file holds its id. */
const HEAD = 4000;

async function isAbout(dir: string, paper: string): Promise<boolean> {
  try {
    const { papers } = await readMetadata(diskFiles, dir);
    for (const name of papers) {
      const { bytes } = await readFrom(join(dir, name), 0, HEAD);
      const [, id = ""] = /^id: (.+)$/m.exec(new TextDecoder().decode(bytes)) ?? [];
      if (id.trim().replace(/^"(.*)"$/, "$1") === paper) return true;
    }
    return false;
  } catch {
    // What is damaged is told of in the archive's list.
    return false;
  }
}
