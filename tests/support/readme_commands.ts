// Reads README and guides: their texts, the commands in their `sh` blocks, and the files that they tell users to write.
import { join } from "@std/path";
import { ROOT } from "./deno_process.ts";

/** Folder of the guides, relative to the project. */
const GUIDES = "context-network/guides";

/** Returns the texts of README and guides by path; README first. */
export async function readGuides(): Promise<Map<string, string>> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(join(ROOT, GUIDES))) names.push(`${GUIDES}/${name}`);
  const texts = ["README.md", ...names.sort()].map(async (path) =>
    [path, await Deno.readTextFile(join(ROOT, path))] as const
  );
  return new Map(await Promise.all(texts));
}

/** A command in a document, as a user would type it. */
export interface Command {
  /** Words of the command; `DIR` stands for the directory of the previous convening. */
  readonly words: readonly string[];
  /** Exit code that the document states. */
  readonly code: number;
  /** True if the document marks the command as not run by tests. */
  readonly shownOnly: boolean;
  /** Working directory, relative to the project. */
  readonly folder: string;
}

const FENCE = /(?:<!-- (not run by a test|in) ?:? ?([^>]*?) -->\s+)?```sh\n([\s\S]*?)```/g;

/** Returns the commands in the `sh` blocks of a document, in order. */
export function commandsOf(markdown: string): Command[] {
  return [...markdown.matchAll(FENCE)].flatMap(([, mark, note = "", block = ""]) =>
    block.split("\n").filter((line) => line.trim() !== "").map((line) => {
      const [command = "", comment = ""] = line.split(" # ");
      return {
        words: wordsOf(command),
        code: Number(/exits with (\d+)/.exec(comment)?.[1] ?? 0),
        shownOnly: mark === "not run by a test",
        folder: mark === "in" ? note : ".",
      };
    })
  );
}

/** Splits a command line into words; double quotes group words. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ""));
}

/** Returns the texts of blocks under `<!-- file: PATH -->`, by path. */
export function filesOf(markdown: string): Map<string, string> {
  const marked = markdown.matchAll(/<!-- file: ([^>]*?) -->\s+```\w+\n([\s\S]*?)```/g);
  return new Map([...marked].map(([, path = "", text = ""]) => [path, text]));
}

/** Returns the code blocks of a language, such as `json`. */
export function blocksOf(markdown: string, language: string): string[] {
  const fence = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g");
  return [...markdown.matchAll(fence)].map(([, text = ""]) => text);
}
