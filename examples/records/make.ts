// Makes the records of this folder and their pictures from the files in words/: `deno task examples`.
import { walk } from "@std/fs";
import { basename, dirname, join, relative } from "@std/path";
import { parse } from "@std/yaml";
import {
  type Agent,
  type ConveningConfig,
  createLibrary,
  memoryRecord,
  rebuildIndex,
} from "../../mod.ts";
import type { AgentRequest, BriefForm, ToolTrace } from "../../protocol.ts";
import { sourceSearcher } from "../../src/checking/searchers.ts";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import { pictureOf } from "./picture.ts";

const FOLDER = import.meta.dirname!;
const MODEL = "language-model";

/** A kept reply: a text, a value, or a value after tool calls. */
type Reply = string | { calls?: { tool: string; query: string }[]; reply?: unknown };

/** A file of words. */
interface Spoken {
  readonly startedAt: string;
  readonly configuration: ConveningConfig;
  /** Replies by the key of the turn or question that they answer. */
  readonly words: Readonly<Record<string, Reply>>;
}

/** Names of the records that have a file of words. */
export function exampleRecords(): string[] {
  return [...Deno.readDirSync(join(FOLDER, "words"))].map(({ name }) => name)
    .filter((name) => name.endsWith(".yaml")).map((name) => basename(name, ".yaml")).sort();
}

/** Replays a record from its words, with its briefs; returns the files, path to text. */
export async function exampleRecord(name: string): Promise<ReadonlyMap<string, string>> {
  const path = join(FOLDER, "words", `${name}.yaml`);
  const { startedAt, configuration, words } = parse(await Deno.readTextFile(path), {
    schema: "core",
  }) as Spoken;
  const spoken = speaker(words, await loadTokenCounter());
  // Load the search first: replies come at once, so a slow first load would change the order of events in the log.
  await sourceSearcher([{ name: "warm", text: "words" }]).search("words");
  const library = createLibrary({ agents: { spoken: () => spoken } });
  const now = Date.parse(startedAt);
  const clock = { now: () => now };
  const record = memoryRecord({ clock });
  await (await library.composeConvening(configuration, { record, clock })).run();
  const files = new Map([...record.files].filter(([path]) => path !== ".lock"));
  const forms = Object.keys(words).flatMap((key) => formIn(key) ?? []);
  if (forms.length === 0) return files;
  const dir = await Deno.makeTempDir({ dir: FOLDER, prefix: ".making-" });
  try {
    await write(files, dir);
    for (const as of forms) await library.writeBrief(dir, { as, agent: spoken, clock });
    return await filesBelow(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

async function write(files: ReadonlyMap<string, string>, dir: string): Promise<void> {
  for (const [path, text] of files) {
    const file = join(dir, path);
    await Deno.mkdir(dirname(file), { recursive: true });
    await Deno.writeTextFile(file, text);
  }
}

/** Returns the form of the brief that a key of words belongs to. */
function formIn(key: string): BriefForm | undefined {
  return (["memo", "adr", "questions"] as const).find((form) => key === `brief_${form}/1`);
}

/** Reads the files of a record except its lock; returns path to text. */
async function filesBelow(dir: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for await (const { path } of walk(dir, { includeDirs: false })) {
    const name = relative(dir, path);
    if (name !== ".lock") files.set(name, await Deno.readTextFile(path));
  }
  return files;
}

/** Creates an agent that replies from the kept words by key, after the same tool calls. */
function speaker(words: Spoken["words"], count: (text: string) => number): Agent {
  return {
    model: MODEL,
    async reply({ context: { key }, messages, tools = [], onDelta }: AgentRequest) {
      const kept = words[key];
      if (kept === undefined) throw new Error(`No words are kept for "${key}"`);
      const { calls = [], reply } = typeof kept === "object" && "calls" in kept
        ? kept
        : { reply: kept };
      const toolCalls: ToolTrace[] = [];
      for (const { tool, query } of calls) {
        const result = await tools.find(({ name }) => name === tool)!.run({ query });
        toolCalls.push({ tool, args: { query }, result, failed: false });
      }
      const text = typeof reply === "string" ? reply : JSON.stringify(reply);
      onDelta?.(text);
      const inputTokens = messages.reduce((sum, { content }) => sum + count(content), 0);
      const usage = { inputTokens, cachedInputTokens: 0, outputTokens: count(text) };
      return { text, finishReason: "stop", model: MODEL, usage, toolCalls };
    },
  };
}

/** Returns the folder of a record below this folder, as in an archive. */
export function folderOf(files: ReadonlyMap<string, string>): string {
  const metadata = parse(files.get("metadata.md")!.split("---\n")[1]!, { schema: "core" });
  const { kind, started_at: at } = metadata as { kind: string; started_at: string };
  const [day, time] = [at.slice(0, 10), at.slice(11, 19).replaceAll(":", "-")];
  return join(day, `${day}T${time}_${kind}`);
}

if (import.meta.main) {
  for (const name of exampleRecords()) {
    const files = await exampleRecord(name);
    const dir = join(FOLDER, folderOf(files));
    await Deno.remove(dir, { recursive: true }).catch(() => {});
    await write(files, dir);
    await Deno.writeTextFile(join(FOLDER, `${name}.svg`), pictureOf(files));
    // Index pages of the archive.
    await rebuildIndex(dir);
  }
}
