// README and guides as tests read them: their texts, the commands they print, the files they say to write.
import { join } from "@std/path";
import { ROOT } from "./deno_process.ts";

/** Folder of the guides, from the project's. */
const GUIDES = "context-network/guides";

/** README and guides, from path to text; README first. */
export async function readGuides(): Promise<Map<string, string>> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(join(ROOT, GUIDES))) names.push(`${GUIDES}/${name}`);
  const texts = ["README.md", ...names.sort()].map(async (path) =>
    [path, await Deno.readTextFile(join(ROOT, path))] as const
  );
  return new Map(await Promise.all(texts));
}

/** One command of a document, as a user would type it. */
export interface Command {
  /** Its words; `DIR` stands for the directory of the convening before it. */
  readonly words: readonly string[];
  /** The exit code the document says. */
  readonly code: number;
  /** Whether the document says that no test runs it. */
  readonly shownOnly: boolean;
  /** The folder it runs in, from the project's. */
  readonly folder: string;
}

const FENCE = /(?:<!-- (not run by a test|in) ?:? ?([^>]*?) -->\s+)?```sh\n([\s\S]*?)```/g;

/** The commands in the `sh` blocks of a document, in order. */
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

/** A command line's words; double quotes hold one together. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ""));
}

/** The files that a document says to write, each a block under `<!-- file: PATH -->`: from path to text. */
export function filesOf(markdown: string): Map<string, string> {
  const marked = markdown.matchAll(/<!-- file: ([^>]*?) -->\s+```\w+\n([\s\S]*?)```/g);
  return new Map([...marked].map(([, path = "", text = ""]) => [path, text]));
}

/** The blocks of a language, such as `json`. */
export function blocksOf(markdown: string, language: string): string[] {
  const fence = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g");
  return [...markdown.matchAll(fence)].map(([, text = ""]) => text);
}
