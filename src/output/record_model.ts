import type { ConveningEvent, Ending } from "../core/event.ts";
import type { Fact, Outcome, Score, Stop, Verdict } from "../core/fact.ts";
import { addUsage, type Message, NO_USAGE, type Usage } from "../core/message.ts";
import type { ConveningStart } from "../core/record.ts";
import { type Standing, standings } from "../core/scoring.ts";
import type { Progress, Results, Statistics } from "./files/metadata_file.ts";
import { factPath } from "./files/registry.ts";
import { type Naming, seqWidth } from "./files/renderer.ts";

/** What an index shows of a message; its body only until its tokens are counted. */
export interface MessageRow {
  readonly seq: number;
  readonly round: number;
  readonly phase: string;
  readonly name: string;
  readonly kind: string;
  /** In `messages/`. */
  readonly file: string;
  body: string | undefined;
}

/** The scores and verdicts of one set of judges. */
export interface Panel {
  /** Whether they are the convening's own judges. */
  readonly own: boolean;
  readonly rubric: string;
  readonly models: readonly string[];
  readonly scores: readonly Score[];
  readonly verdicts: readonly Verdict[];
}

/** What derived files are made of: everything a convening has brought so far, but what was said. */
export class RecordModel implements Naming {
  readonly start: ConveningStart;
  readonly width: number;
  progress: Progress;
  outcome: Outcome | undefined;
  winner: string | null = null;
  /** By message number. */
  readonly rows: MessageRow[] = [];
  /** The body of the message of kind `summary`. */
  summary: string | undefined;
  lastStop: Stop | undefined;
  /** The first row that no index shows yet. */
  firstNewRow = 0;
  readonly #names = new Map<number, string>();
  readonly #scores: Filed<Score>[] = [];
  readonly #verdicts: Filed<Verdict>[] = [];
  readonly #counts: Record<Fact["type"], number> = {
    message: 0,
    score: 0,
    verdict: 0,
    rejected: 0,
    failure: 0,
    choice: 0,
    context: 0,
    lookup: 0,
    stop: 0,
  };
  #rounds = 0;
  #usage: Usage = NO_USAGE;
  /** Those that may be written again, by path. */
  readonly #rewritten = new Map<string, Usage>();
  /** The turn's number of each look-up, by path. */
  readonly #lookups = new Map<string, number>();
  #standings: ReturnType<typeof standings> | undefined;

  /** A convening that began, with nothing said. */
  constructor(start: ConveningStart, progress: Progress) {
    this.start = start;
    this.progress = progress;
    this.width = seqWidth(start.expectedMessages);
  }

  messageName(seq: number): string | undefined {
    return this.#names.get(seq);
  }

  /** Takes in a fact that is on disk. */
  add(fact: Fact): void {
    const path = factPath(fact, this);
    if (fact.type === "failure" || fact.type === "lookup") {
      if (!this.#rewritten.has(path)) this.#counts[fact.type]++;
      this.#rewritten.set(path, "usage" in fact && fact.usage || NO_USAGE);
      if (fact.type === "lookup") this.#lookups.set(path, fact.seq);
      return;
    }
    this.#counts[fact.type]++;
    this.#usage = addUsage(this.#usage, fact.usage);
    if (fact.type === "message") this.#addRow(fact, path);
    else if (fact.type === "score") this.#addFiled(this.#scores, fact, path);
    else if (fact.type === "verdict") {
      this.#addFiled(this.#verdicts, fact, path);
    } else if (fact.type === "stop") this.#addStop(fact);
  }

  #addStop(stop: Stop): void {
    if (stop.number >= (this.lastStop?.number ?? 0)) this.lastStop = stop;
  }

  #addRow(message: Message, path: string): void {
    const { seq, round, phase, name, kind, body } = message;
    const file = path.slice(path.indexOf("/") + 1);
    this.#names.set(seq, file);
    if (kind === "summary") this.summary = body;
    this.#rounds = Math.max(this.#rounds, round);
    const row = { seq, round, phase, name, kind, file, body };
    let at = this.rows.length;
    while (at > 0 && this.rows[at - 1]!.seq > seq) at--;
    this.rows.splice(at, 0, row);
    this.firstNewRow = Math.min(this.firstNewRow, at);
  }

  /** Keeps facts in the order of their files, so that sums never depend on who finished first. */
  #addFiled<F extends Score | Verdict>(
    list: Filed<F>[],
    fact: F,
    path: string,
  ): void {
    let at = list.length;
    while (at > 0 && list[at - 1]!.path > path) at--;
    list.splice(at, 0, { path, fact });
    this.#standings = undefined;
  }

  /** Forgets the look-ups of turns without a message; gives their paths. */
  dropLookUps(): string[] {
    const dropped: string[] = [];
    for (const [path, seq] of this.#lookups) {
      if (this.#names.has(seq)) continue;
      this.#lookups.delete(path);
      this.#rewritten.delete(path);
      this.#counts.lookup--;
      dropped.push(path);
    }
    return dropped;
  }

  /** Takes in what an event says besides the fact it may carry; gives whether `metadata.md` must say so at once. */
  follow(event: ConveningEvent): boolean {
    const { status, resumes } = this.progress;
    switch (event.type) {
      case "convening-resume":
        this.progress = { status: "running", resumes: [...resumes, event.at] };
        this.outcome = undefined;
        this.winner = null;
        return true;
      case "convening-end":
        this.#end(event.ending);
        return true;
      case "turn-wait":
        this.progress = { ...this.progress, status: "waiting" };
        return status !== "waiting";
      case "message":
        if (status !== "waiting") return false;
        this.progress = { ...this.progress, status: "running" };
        return true;
      default:
        return false;
    }
  }

  #end(ending: Ending): void {
    const { status, endReason, endedAt, outcome, winner } = ending;
    const { resumes } = this.progress;
    this.progress = { status, endReason, endedAt, resumes };
    this.outcome = outcome;
    this.winner = winner;
  }

  /** The names of participants by id. */
  get names(): ReadonlyMap<string, string> {
    return new Map(this.start.participants.map(({ id, name }) => [id, name]));
  }

  /** The sum over all truth files; costs without the noise of adding in another order. */
  get usage(): Usage {
    let sum = this.#usage;
    for (const usage of this.#rewritten.values()) sum = addUsage(sum, usage);
    const { costUsd } = sum;
    return costUsd === "unknown" ? sum : { ...sum, costUsd: Math.round(costUsd * 1e10) / 1e10 };
  }

  get statistics(): Statistics {
    const counts = this.#counts;
    return {
      messages: counts.message,
      scores: counts.score,
      verdicts: counts.verdict,
      rejected: counts.rejected,
      failures: counts.failure,
      lookups: counts.lookup,
      rounds: this.#rounds,
    };
  }

  /** Standings by the convening's own judges. */
  get standings(): { scores: Record<string, Standing>; unscored: string[] } {
    const own = this.panels.find((panel) => panel.own);
    return this.#standings ??= standings(own?.scores ?? [], this.names);
  }

  /** What `metadata.md` and the pages show of the result. */
  get results(): Results {
    return {
      ...(this.outcome === undefined ? {} : { outcome: this.outcome }),
      winner: this.winner,
      ...this.standings,
      usage: this.usage,
      statistics: this.statistics,
    };
  }

  /** Every set of judges that left something, the convening's own first. */
  get panels(): Panel[] {
    const panels = new Map<string, MutablePanel>();
    const facts = [...this.#scores, ...this.#verdicts].map(({ fact }) => fact);
    const isOwn = this.#ownModels(facts);
    for (const fact of facts) {
      const own = isOwn(fact);
      const key = own ? "" : `${fact.rubric}\u0000${fact.model}`;
      let panel = panels.get(key);
      if (panel === undefined) {
        panel = {
          own,
          rubric: fact.rubric,
          models: new Set(),
          scores: [],
          verdicts: [],
        };
        panels.set(key, panel);
      }
      panel.models.add(fact.model);
      if (fact.type === "score") panel.scores.push(fact);
      else panel.verdicts.push(fact);
    }
    return [...panels.values()]
      .map((panel) => ({ ...panel, models: [...panel.models] }))
      .sort((a, b) => Number(b.own) - Number(a.own));
  }

  /** The models that count as each own judge's: the configured one, or what its server calls it. */
  #ownModels(
    facts: readonly (Score | Verdict)[],
  ): (fact: Score | Verdict) => boolean {
    const configured = new Map(
      this.start.judges.map((
        { id, rubric, model },
      ) => [judgeKey(id, rubric), model]),
    );
    const isConfigured = (fact: Score | Verdict) => {
      const model = configured.get(judgeKey(fact.judge, fact.rubric));
      return model !== undefined && isSameModel(model, fact.model);
    };
    const exact = new Set(
      facts.filter(isConfigured).map((fact) => judgeKey(fact.judge, fact.rubric)),
    );
    return (fact) => {
      const key = judgeKey(fact.judge, fact.rubric);
      return configured.has(key) && (!exact.has(key) || isConfigured(fact));
    };
  }
}

function judgeKey(judge: string, rubric: string): string {
  return `${judge}\u0000${rubric}`;
}

interface Filed<F> {
  readonly path: string;
  readonly fact: F;
}

interface MutablePanel {
  own: boolean;
  rubric: string;
  models: Set<string>;
  scores: Score[];
  verdicts: Verdict[];
}

/** Whether a reply's model is the one configured: providers answer with a dated name, and leave out the provider's. */
function isSameModel(configured: string, answered: string): boolean {
  const bare = configured.replace(/^[a-z0-9-]+:/i, "");
  return answered.startsWith(bare) &&
    /^(?:$|[-@:]\d)/.test(answered.slice(bare.length));
}
