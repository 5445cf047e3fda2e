// Rows without a server: coverage of ratings' intervals, and tokens that a reader needs to answer questions on a record.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { posix } from "node:path";
import { loadTokenCounter, type TokenCounter } from "../../src/core/tokens.ts";
import { rateStudy } from "../../src/studies/ratings.ts";
import { simulated } from "../studies/simulated_study.ts";
import { jsonOf } from "../support/cli.ts";
import { runMain } from "../support/run_main.ts";
import { sampleJson } from "../support/sample_json.ts";
import { startSpeaker } from "../support/speaking_model.ts";
import { type Bench, type Extent, TOPIC } from "./bench.ts";
import { type Figure, figure } from "./figure.ts";

const STRENGTHS = { a: 1, b: 0.7, c: 0.4, d: 0.1, e: -0.1, f: -0.4, g: -0.7, h: -1 };
const TRUTH = { strengths: STRENGTHS, side: 0.4, length: 1, tie: 0.5 } as const;
/** Rating points per unit of strength. */
const POINTS = 400 / Math.LN10;

/** Measures the intervals of ratings. */
export function ratings(_bench: Bench, { quick }: Extent): Promise<Figure[]> {
  const kinds = coverage(quick ? 50 : 1000);
  const missed = Math.max(...Object.values(kinds).map((share) => Math.abs(share - 0.95)));
  const what =
    "distance of the share of 95 % intervals that hold the truth from 0.95, the greatest";
  const found = figure(what, { atMost: quick ? 0.1 : 0.02 }, missed, { ours: [missed], kinds });
  return Promise.resolve([found]);
}

/** Returns the shares of intervals of drawn studies, with 224 debates each, that contain the true value. */
function coverage(studies: number): Record<"ratings" | "side" | "length", number> {
  const held = { ratings: 0, side: 0, length: 0 };
  const holds = ([low, high]: readonly [number, number], truth: number) =>
    low <= truth && truth <= high ? 1 / studies : 0;
  for (let seed = 1; seed <= studies; seed++) {
    const debates = simulated(TRUTH, { topics: 4, seed });
    const { ratings: all, side, length, model } = rateStudy({ study: "bench", plan: "", debates });
    for (const { contestant, interval } of all) {
      const truth = 1500 + POINTS * STRENGTHS[contestant as keyof typeof STRENGTHS];
      held.ratings += holds(interval!, truth) / all.length;
    }
    held.side += holds(side!.interval, TRUTH.side);
    held.length += holds(length!.interval, TRUTH.length * model.lengthScale);
  }
  return held;
}

/** Measures questions on three records: offline, with a panel and fact checks, and long. */
export async function reading(bench: Bench, { quick }: Extent): Promise<Figure[]> {
  const count = await loadTokenCounter();
  const folder = await bench.folder();
  const records = {
    short: await offline(folder, 3),
    checked: await checked(folder, quick ? 1 : 6),
    long: await offline(folder, quick ? 4 : 300),
  };
  return QUESTIONS.flatMap(({ what, atMost, on, files }) =>
    on.map((name) => {
      const reader = new Reader(records[name], count);
      files(reader);
      const question = `“${what}”, ${name} record of ${reader.messages} messages`;
      const kinds = Object.fromEntries(reader.opened);
      const tokens = Object.values(kinds).reduce((sum, each) => sum + each, 0);
      return figure(question, { atMost }, tokens, { ours: [tokens], unit: "tokens", kinds });
    })
  );
}

/** A question with its goal, its records, and the reader's steps. */
interface Question {
  readonly what: string;
  readonly atMost: number;
  readonly on: readonly ("short" | "checked" | "long")[];
  files(reader: Reader): void;
}

/** Matches a row of a message of round 3, or of a page that lists messages of that round. */
const ROUND_3 = /^\| \[\d+\]\S+ \| 3 \||^\| \[\d+–\d+\]\S+ \| (?:[0-3]–(?:[3-9]|\d\d+)|3) \|/;

const QUESTIONS: readonly Question[] = [
  {
    what: "why did B win",
    atMost: 1900,
    on: ["short", "checked", "long"],
    files: (reader) => void reader.open("index.md"),
  },
  {
    what: "what did B say in round 3",
    atMost: 2000,
    on: ["short", "checked", "long"],
    files: (reader) => {
      const page = reader.pageOfRound("3") ?? reader.pageOf((line) => ROUND_3.test(line));
      reader.followAll(page, /^\| \[\d+\]\S+ \| 3 \| Advocate B /);
    },
  },
  {
    what: "which claims were refuted",
    atMost: 2200,
    on: ["checked"],
    files: (reader) => {
      reader.open("index.md");
      reader.followAll(reader.open("claims.md"), /^\| \[(?!\d+\])(?:false|draft)/);
    },
  },
  {
    what: "where did judges disagree",
    atMost: 2500,
    on: ["checked"],
    files: (reader) => {
      reader.open("index.md");
      assert.match(reader.open("scores.md").lines.join("\n"), /differed most/);
    },
  },
  {
    what: "what did B say on costs",
    atMost: 4000,
    on: ["long"],
    files: (reader) => {
      const page = reader.pageOf((line) => /\bcosts?\b|\bprice\b/i.test(line));
      reader.followAll(page, /Advocate B.*\b(?:costs?|price)\b/i, 2);
    },
  },
];

interface Page {
  readonly path: string;
  readonly lines: readonly string[];
}

/** Reads a record from `index.md` on and counts the tokens of each opened file once. */
class Reader {
  readonly opened = new Map<string, number>();
  readonly #dir: string;
  readonly #count: TokenCounter;

  constructor(dir: string, count: TokenCounter) {
    this.#dir = dir;
    this.#count = count;
  }

  get messages(): number {
    return [...Deno.readDirSync(join(this.#dir, "messages"))].length;
  }

  open(path: string): Page {
    const text = Deno.readTextFileSync(join(this.#dir, path));
    this.opened.set(path, this.#count(text));
    return { path, lines: text.split("\n") };
  }

  /** Opens the file that a line of a page links to. */
  follow(page: string, line: string): Page {
    const [, target = ""] = /\]\(([^()\s]+)\)/.exec(line) ?? [];
    return this.open(posix.join(posix.dirname(page), target));
  }

  /** Opens the files that the first matching lines link to. */
  followAll({ path, lines }: Page, pattern: RegExp, most?: number): void {
    for (const line of lines.filter((each) => pattern.test(each)).slice(0, most)) {
      this.follow(path, line);
    }
  }

  /** Returns the page of a round if `index.md` states that page N lists round N. */
  pageOfRound(round: string): Page | undefined {
    const rule = this.open("index.md").lines.find((line) =>
      line.startsWith("Page N lists round N: ")
    );
    return rule === undefined
      ? undefined
      : this.follow("index.md", rule.replace(/\d+(?=\.md)/, round.padStart(3, "0")));
  }

  /** Returns the page that lists a matching message: at each level, the first matching row, else the first row. */
  pageOf(fits: (line: string) => boolean): Page {
    let page = this.open("index.md");
    for (;;) {
      const rows = page.lines.filter((line) => /^\| \[\d+–\d+\]/.test(line));
      const row = rows.find(fits) ?? rows[0];
      if (row === undefined) return page;
      page = this.follow(page.path, row);
    }
  }
}

/** Runs a debate; returns its record's directory. */
async function record(folder: string, rounds: number, more: readonly string[]): Promise<string> {
  const size = ["--rounds", `${rounds}`, "--exchange", "rebuttals", "--seed", "1"];
  const args = ["debate", TOPIC, ...more, ...size, "--json", "--quiet", "--out", folder];
  const end = await runMain(args, { folder });
  const { dir } = jsonOf(end);
  assert.ok(typeof dir === "string", end.stderr);
  return dir;
}

function offline(folder: string, rounds: number): Promise<string> {
  return record(folder, rounds, ["--model", "offline"]);
}

const VERDICTS = ["true", "true", "true", "unverifiable", "false"];

/** Runs a debate with three differing judges, a source, and strict fact checks. */
async function checked(folder: string, rounds: number): Promise<string> {
  let asked = 0;
  await using server = await startSpeaker(({ body }) => {
    const { name = "", schema = {} } = body.response_format?.json_schema ?? {};
    const sample = (_path: string, { maximum, enum: words }: Record<string, unknown>): unknown => {
      if (maximum === 10) return 4 + (asked += 7) % 5;
      const isVerdict = Array.isArray(words) && words.includes("unverifiable");
      return isVerdict ? VERDICTS[asked++ % VERDICTS.length] : undefined;
    };
    return /score|claim_verdict/.test(name) ? { json: sampleJson(schema, sample) } : undefined;
  });
  await Deno.writeTextFile(join(folder, "source.md"), "Streets without cars had half the noise.\n");
  const judges = ["jo", "kim", "lee"].flatMap((model) => ["--judge-model", model]);
  const checks = ["--fact-check", "strict", "--source", "source.md"];
  const model = ["--model", "good", "--base-url", server.url];
  return await record(folder, rounds, [...model, ...judges, ...checks]);
}
