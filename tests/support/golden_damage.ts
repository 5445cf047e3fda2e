// Golden files of damaged records: the problems that `verify` reports for each damage.
import { join } from "@std/path";
import { ConveningError, verify } from "../../mod.ts";
import { filesUnder, withRun } from "./golden_runs.ts";

/** Returns the damaged text of a file, or null to remove the file. */
type Damage = (text: string) => string | null;

const DAMAGES: Readonly<Record<string, Damage>> = {
  removed: () => null,
  empty: () => "",
  "cut in half": (text) => text.slice(0, text.length / 2),
  "last word changed": (text) => text.replace(/\S+(\s*)$/, "changed$1"),
  "first number changed": (text) =>
    text.replace(/(?<=: )(\d+)(?=\n)/, (n) => String(Number(n) + 90)),
  "first name changed": (text) =>
    text.replace(/(?<=(participant|judge|winner): )\w+(?=\n)/, "nobody"),
  "unknown key": (text) => text.replace("\n", "\nunknown_key: 1\n"),
  "two dashes more": (text) => `---\n${text}`,
};

/** Golden runs that are damaged; together they have files of every type. */
const DAMAGED_RUNS = ["debate", "fact-checks", "paper", "audience", "private-thoughts", "faults"];

/** Returns the paths that `verify` reports for each damage of one file per folder, by the first run with the folder. */
export async function damageFiles(): Promise<Map<string, string>> {
  const seen = new Set<string>();
  const files = new Map<string, string>();
  for (const run of DAMAGED_RUNS) {
    files.set(`${run}.txt`, await withRun(run, (dir) => findings(dir, seen)));
  }
  return files;
}

async function findings(dir: string, seen: Set<string>): Promise<string> {
  const lines: string[] = [];
  for (const [path, text] of await filesUnder(dir)) {
    const folder = path.includes("/") ? path.slice(0, path.indexOf("/")) : path;
    if (path.startsWith(".") || seen.has(folder)) continue;
    seen.add(folder);
    for (const [name, damage] of Object.entries(DAMAGES)) {
      const damaged = damage(text);
      if (damaged === text) continue;
      if (damaged === null) await Deno.remove(join(dir, path));
      else await Deno.writeTextFile(join(dir, path), damaged);
      lines.push(`${path}, ${name}: ${(await found(dir)).join(", ") || "nothing"}`);
      await Deno.writeTextFile(join(dir, path), text);
    }
  }
  return `${lines.join("\n")}\n`;
}

/** Returns the distinct paths with findings, or the error's code if the record cannot be read. */
async function found(dir: string): Promise<string[]> {
  try {
    const { findings } = await verify(dir);
    return [...new Set(findings.map(({ path }) => path))].sort();
  } catch (error) {
    if (error instanceof ConveningError) return [error.code];
    throw error;
  }
}
