// Golden records: whole runs of command lines against a local model server.
import { ensureDir } from "@std/fs";
import { dirname, join, relative } from "@std/path";
import { withoutTimes } from "../engine/support/killed_runs.ts";
import { jsonOf, withFolder } from "./cli.ts";
import type { ModelReply, ModelRequest } from "./model_server.ts";
import { runMain } from "./run_main.ts";
import { sampleJson } from "./sample_json.ts";
import { startSpeaker } from "./speaking_model.ts";

const TOPIC = "Should cities ban private cars from their centres?";
const SOURCE = [
  "Streets without cars had half as many accidents.",
  "Shops in the centre lost a tenth of their sales in the first year.",
].join("\n\n");
export const PAPER = [
  "# Trees and heat",
  "We measured the air of forty streets. Streets with trees were two degrees cooler at noon.",
  "At night the difference was small. Watering the trees took much work in dry summers.",
].join("\n\n");

/** Returns a reply that replaces the usual one, or undefined. */
type Say = (request: ModelRequest) => ModelReply | undefined;

/** Command lines of a golden run: one that creates a record, and others that act on the record. */
interface Run {
  readonly config: Readonly<Record<string, unknown>>;
  /** Commands on the record, with `DIR` for its directory, and their standard input. @default none */
  readonly then?: readonly (readonly [command: string, stdin?: string])[];
  /** Replies that replace the usual ones. @default none */
  readonly say?: Say;
}

const BASE = {
  topic: TOPIC,
  model: "good",
  seed: 1,
  retry: { retries: 0 },
  transcript: ["md", "json", "html"],
};
const DEBATE = {
  ...BASE,
  kind: "debate",
  roundCount: 1,
  participants: [
    { id: "ada", name: "Ada", position: "Ban them" },
    { id: "ben", name: "Ben", position: "Keep them" },
  ],
};
const DIALOGUE = { ...BASE, kind: "dialogue", maxTurns: 4 };
const PANEL = [{ name: "Jo", model: "jo" }, { name: "Kim", model: "kim" }];

/** The golden runs by name. */
export const RUNS: Readonly<Record<string, Run>> = {
  dialogue: {
    config: { ...DIALOGUE, participants: [{ id: "ada", name: "Ada" }, { id: "ben", name: "Ben" }] },
  },
  debate: { config: { ...DEBATE, judges: PANEL, sources: ["source.md"] } },
  consensus: {
    config: {
      ...BASE,
      kind: "consensus",
      participants: [{ id: "ada", name: "Ada" }, { id: "ben", name: "Ben" }],
    },
  },
  paper: {
    config: {
      ...BASE,
      topic: undefined,
      kind: "paper-debate",
      papers: ["paper.md"],
      pick: 1,
      postures: 2,
    },
  },
  "fact-checks": {
    config: {
      ...DEBATE,
      sources: ["source.md"],
      factCheck: { mode: "strict", maxClaims: 1 },
      interruptions: "facts",
    },
  },
  "private-thoughts": { config: { ...DEBATE, turnForm: "rcr", scoringEnabled: false } },
  audience: {
    config: {
      ...DEBATE,
      audience: [{ name: "Mira" }, { name: "Noor" }],
      decision: "audience",
      baseline: true,
    },
  },
  person: {
    config: {
      ...DIALOGUE,
      participants: [{ id: "ada", name: "Ada" }, { id: "eve", name: "Eve", model: "human" }],
    },
    then: [["say DIR --interject", "Speak up, please."], ["say DIR", "A person says this."], [
      "say DIR",
      "The person has the last word.",
    ]],
  },
  resumed: {
    config: { ...DEBATE, judges: PANEL },
    // Both openings are asked for at once: of their requests, either can come first.
    say: failOnce(({ body }) =>
      body.messages.some(({ content }) => /You are Ben;/.test(content ?? ""))
    ),
    then: [["resume DIR"]],
  },
  "judged-again": { config: DEBATE, then: [["judge DIR --rubric academic --judge-model jo"]] },
  forked: { config: DEBATE, then: [["fork DIR --at 3"], ["resume DIR"]] },
  faults: {
    config: { ...DEBATE, judges: PANEL, guards: { repetition: "reject" } },
    say: ({ body }) =>
      body.model === "kim"
        // As if cut off: otherwise the schema counts as ignored, and later prompts change.
        ? { text: "no JSON", finishReason: "length" }
        : body.response_format === undefined
        ? { text: "Always the very same words are said, whatever was asked." }
        : undefined,
  },
};

/** Runs the command lines; returns the record's files by path, without log, lock and times. */
export function runFiles(name: string): Promise<Map<string, string>> {
  return withRun(name, async (dir, address) => {
    const files = await filesUnder(dir);
    return new Map(
      [...files].filter(([path]) => path !== "log.jsonl" && !path.startsWith("."))
        .map(([path, text]) => [path, comparable(text, address)]),
    );
  });
}

/** Replaces times, days, the server's port and input tokens; the golden prompts check the words of requests. */
function comparable(text: string, address: string): string {
  return withoutTimes(text.replaceAll(address, "127.0.0.1:PORT"))
    .replaceAll(/("?(?:latency|duration)_?(?:ms)?"?: )\d+/gi, "$1TIME")
    .replaceAll(/\d{4}-\d\d-\d\d(T[\d-]+)?(?=[/_)\]\s\\])/g, "DATE")
    .replaceAll(/("?input_tokens"?: )\d+/g, "$1TOKENS")
    .replaceAll(/[\d,]+ tokens read/g, "TOKENS tokens read")
    .replaceAll(/interjection\/[\w-]+/g, "interjection/ID");
}

/** A record that command lines made. */
interface Made {
  /** Texts by path in the record. */
  readonly files: ReadonlyMap<string, string>;
  /** Path of the record in the folder of the command lines. */
  readonly place: string;
  /** Address of the model server. */
  readonly address: string;
}

const made = new Map<string, Promise<Made>>();

/** Calls `use` with the directory of a copy of the run's record, which is removed afterwards; the command lines run once. */
export async function withRun<T>(
  name: string,
  use: (dir: string, address: string) => Promise<T>,
): Promise<T> {
  const making = made.get(name) ?? make(name);
  made.set(name, making);
  const { files, place, address } = await making;
  return await withFolder(async (folder) => {
    const dir = join(folder, place);
    for (const [path, text] of files) {
      await ensureDir(dirname(join(dir, path)));
      await Deno.writeTextFile(join(dir, path), text);
    }
    return await use(dir, address);
  });
}

async function make(name: string): Promise<Made> {
  const { config, then = [], say } = RUNS[name]!;
  await using server = await startSpeaker((request) => say?.(request) ?? sampled(request));
  return await withFolder(async (folder) => {
    await Deno.writeTextFile(join(folder, "source.md"), SOURCE);
    await Deno.writeTextFile(join(folder, "paper.md"), PAPER);
    const settings = { ...config, baseUrl: server.url };
    await Deno.writeTextFile(join(folder, "settings.yaml"), JSON.stringify(settings));
    const { kind } = config as { readonly kind: string };
    const command = kind === "paper-debate" ? "paper" : kind;
    let { dir } = await outcome(folder, [command, "--config", "settings.yaml"]);
    for (const [line, stdin] of then) {
      const args = line.split(" ").map((word) => word === "DIR" ? dir : word);
      dir = (await outcome(folder, args, stdin)).dir ?? dir;
    }
    const address = new URL(server.url).host;
    return { files: await filesUnder(dir), place: relative(folder, dir), address };
  });
}

/** Rejects the first request that matches `fits`. */
function failOnce(fits: (request: ModelRequest) => boolean): Say {
  let failed = false;
  return (request) => {
    if (failed || !fits(request)) return undefined;
    failed = true;
    return { status: 401, error: { message: "The key is not valid" } };
  };
}

/** Replies with scores and claims as in the golden records: on the first topic alone, without a quotation. */
function sampled({ body }: ModelRequest): ModelReply | undefined {
  const { name, schema = {} } = body.response_format?.json_schema ?? {};
  return name === "topic_scores" || name === "claims" ? { json: sampleJson(schema) } : undefined;
}

async function outcome(
  folder: string,
  args: readonly string[],
  stdin?: string,
): Promise<{ readonly dir: string }> {
  const end = await runMain([...args, "--json", "--quiet"], { folder, stdin });
  const { dir } = jsonOf(end);
  if (dir !== undefined && typeof dir !== "string") {
    throw new Error(`${args.join(" ")}: ${end.stderr}`);
  }
  return { dir: dir as string };
}

/** Returns every file below a folder, by relative path. */
export async function filesUnder(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for await (const { name, isDirectory } of Deno.readDir(at)) {
      const path = join(at, name);
      if (isDirectory) folders.push(path);
      else files.set(relative(folder, path), await Deno.readTextFile(path));
    }
  }
  return new Map([...files].sort());
}
