// The row of reading: tokens of the files that a reader of a record opens to answer a question, counted by following links.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { posix } from "node:path";
import { loadTokenCounter, type TokenCounter } from "../../src/core/tokens.ts";
import { sampleJson } from "../support/sample_json.ts";
import { startSpeaker } from "../support/speaking_model.ts";
import { runMain } from "../support/run_main.ts";
import { jsonOf } from "../support/cli.ts";
import { TOPIC } from "./bench.ts";
import type { Bench, Extent } from "./bench.ts";
import { type Figure, figure } from "./figure.ts";

/** Figures of questions on three records: offline, with a panel and checks of facts, and long. */
export async function reading(bench: Bench, { quick }: Extent): Promise<Figure[]> {
  const count = await loadTokenCounter();
  const folder = await bench.folder();
  const records = {
    short: await offline(folder, 3),
    checked: await checked(folder, quick ? 1 : 6),
    long: await offline(folder, quick ? 4 : 300),
  };
  const figures: Figure[] = [];
  for (const { what, atMost, on, files } of QUESTIONS) {
    for (const name of on) {
      const reader = new Reader(records[name], count);
      files(reader);
      figures.push(
        figure(`“${what}”, ${name} record of ${reader.messages} messages`, {
          ...{ row: "reading", goal: { atMost }, ours: [reader.tokens], unit: "tokens" },
          kinds: Object.fromEntries(reader.opened),
        }),
      );
    }
  }
  return figures;
}

/** Question, its goal, the records that it is asked of, and the files that are opened. */
interface Question {
  readonly what: string;
  readonly atMost: number;
  readonly on: readonly ("short" | "checked" | "long")[];
  files(reader: Reader): void;
}

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
      for (
        const line of page.lines.filter((each) => /^\| \[\d+\]\S+ \| 3 \| Advocate B /.test(each))
      ) {
        reader.follow(page.path, line);
      }
    },
  },
  {
    what: "which claims were refuted",
    atMost: 2200,
    on: ["checked"],
    files: (reader) => {
      reader.open("index.md");
      const lines = reader.open("claims.md").split("\n");
      for (const line of lines.filter((each) => /^\| \[(?!\d+\])(?:false|draft)/.test(each))) {
        reader.follow("claims.md", line);
      }
    },
  },
  {
    what: "where did judges disagree",
    atMost: 2500,
    on: ["checked"],
    files: (reader) => {
      reader.open("index.md");
      assert.match(reader.open("scores.md"), /differed most/);
    },
  },
  {
    what: "what did B say on costs",
    atMost: 4000,
    on: ["long"],
    files: (reader) => {
      const page = reader.pageOf((line) => /\bcosts?\b|\bprice\b/i.test(line));
      const said = page.lines.filter((each) => /Advocate B.*\b(?:costs?|price)\b/i.test(each));
      for (const line of said.slice(0, 2)) reader.follow(page.path, line);
    },
  },
];

/** A row of a message of round 3, or of a page that lists messages of the round. */
const ROUND_3 = /^\| \[\d+\]\S+ \| 3 \||^\| \[\d+–\d+\]\S+ \| (?:[0-3]–(?:[3-9]|\d\d+)|3) \|/;

/** A reader of a record that begins at `index.md`, and counts the tokens of each file opened once. */
class Reader {
  readonly opened = new Map<string, number>();
  readonly #dir: string;
  readonly #count: TokenCounter;

  constructor(dir: string, count: TokenCounter) {
    this.#dir = dir;
    this.#count = count;
  }

  get tokens(): number {
    return this.opened.values().reduce((sum, each) => sum + each, 0);
  }

  get messages(): number {
    return [...Deno.readDirSync(join(this.#dir, "messages"))].length;
  }

  open(path: string): string {
    const text = Deno.readTextFileSync(join(this.#dir, path));
    this.opened.set(path, this.#count(text));
    return text;
  }

  /** Opens the file that a line of a page links to. */
  follow(page: string, line: string): { readonly path: string; readonly lines: readonly string[] } {
    const [, target = ""] = /\]\(([^()\s]+)\)/.exec(line) ?? [];
    const path = posix.join(posix.dirname(page), target);
    return { path, lines: this.open(path).split("\n") };
  }

  /** The page of a round, where `index.md` says that page N lists round N. */
  pageOfRound(round: string): ReturnType<Reader["follow"]> | undefined {
    const [rule] = /^Page N lists round N: .*$/m.exec(this.open("index.md")) ?? [];
    return rule === undefined
      ? undefined
      : this.follow("index.md", rule.replace(/\d+(?=\.md)/, round.padStart(3, "0")));
  }

  /** The page that lists messages, one of which fits: at each level, the first row that fits, else the first. */
  pageOf(
    fits: (line: string) => boolean,
  ): { readonly path: string; readonly lines: readonly string[] } {
    let page: ReturnType<Reader["follow"]> = {
      path: "index.md",
      lines: this.open("index.md").split("\n"),
    };
    for (;;) {
      const rows = page.lines.filter((line) => /^\| \[\d+–\d+\]/.test(line));
      const row = rows.find(fits) ?? rows[0];
      if (row === undefined) return page;
      page = this.follow(page.path, row);
    }
  }
}

const ROUNDS = ["--exchange", "rebuttals", "--seed", "1", "--json", "--quiet"];

async function offline(folder: string, rounds: number): Promise<string> {
  const args = ["debate", TOPIC, "--model", "offline", "--rounds", `${rounds}`, ...ROUNDS];
  return dirOf(await runMain([...args, "--out", folder], { folder }));
}

const VERDICTS = ["true", "true", "true", "unverifiable", "false"];

/** A debate with a panel of three judges that differ, a source, and claims that are checked strictly. */
async function checked(folder: string, rounds: number): Promise<string> {
  let asked = 0;
  await using server = await startSpeaker(({ body }) => {
    const { name = "", schema = {} } = body.response_format?.json_schema ?? {};
    const sample = (_path: string, { maximum, enum: words }: Record<string, unknown>): unknown =>
      maximum === 10
        ? 4 + (asked += 7) % 5
        : Array.isArray(words) && words.includes("unverifiable")
        ? VERDICTS[asked++ % VERDICTS.length]
        : undefined;
    return /score|claim_verdict/.test(name) ? { json: sampleJson(schema, sample) } : undefined;
  });
  await Deno.writeTextFile(join(folder, "source.md"), "Streets without cars had half the noise.\n");
  const judges = ["jo", "kim", "lee"].flatMap((model) => ["--judge-model", model]);
  const args = ["debate", TOPIC, "--model", "good", "--base-url", server.url];
  const checks = ["--fact-check", "strict", "--source", "source.md", "--rounds", `${rounds}`];
  return dirOf(
    await runMain([...args, ...judges, ...checks, ...ROUNDS, "--out", folder], { folder }),
  );
}

function dirOf(end: Awaited<ReturnType<typeof runMain>>): string {
  const { dir } = jsonOf(end);
  assert.ok(typeof dir === "string", end.stderr);
  return dir;
}
