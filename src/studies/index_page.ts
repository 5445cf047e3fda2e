// The index of a study: its standing, and each convening with its state.
import { join } from "@std/path";
import { writeDurably } from "../core/files.ts";
import { counted } from "../core/text.ts";
import { loadTokenCounter } from "../core/tokens.ts";
import { common, writeFrontMatter } from "../record/frontmatter.ts";
import { markdownText } from "../record/markdown.ts";
import { boundedList } from "../record/page_tree.ts";
import { CUT } from "../record/words.ts";
import { DEBATES, type StudyOnDisk } from "./folder.ts";
import type { CellState, StudyStatus } from "./status.ts";

/** Writes `index.md`, and `pages/` where the plan is long. */
export async function writeIndex(
  { dir, files, study, cells }: StudyOnDisk,
  states: readonly CellState[],
  { done, failed, planned, costUsd }: StudyStatus,
): Promise<void> {
  const cell = (text: string | undefined) => markdownText(text ?? "", CUT.name);
  const rows = cells.map(({ key, topic, first, second, format, repeat, question }, index) => {
    const { status, code } = states[index]!;
    const sides = [cell(first), cell(second), cell(format), repeat].join(" | ");
    const subject = cell(question === undefined ? topic : `${topic}, question ${question}`);
    const state = code === undefined ? status : `${status}: ${code}`;
    return {
      label: key,
      line: (up: string) => {
        const name = status === "planned" ? key : `[${key}](${up}${DEBATES}/${key}/index.md)`;
        return `| ${name} | ${subject} | ${sides} | ${state} |\n`;
      },
    };
  });
  const intro = `${
    counted(planned, "convening")
  } planned, ${done} done, ${failed} failed; $${costUsd} as far as prices are known. The configuration is in [study.yaml](study.yaml), the plan in [plan.jsonl](plan.jsonl), the counts in [status.json](status.json).`;
  const title = `Study ${study.study}`;
  const pages = boundedList({
    title,
    intro,
    columns: ["convening", "topic", "first", "second", "format", "repeat", "state"],
    rows: rows.toReversed(),
  }, await loadTokenCounter());
  if (pages.length > 1) await files.makeFolder(join(dir, "pages"));
  for (const { path, text } of pages) await writeDurably(files, join(dir, path), text);
  // Records link to the index of the folder that they are in.
  const above = writeFrontMatter(common("index"), `# ${title}\n\nUp: [index.md](../index.md)\n`);
  await writeDurably(files, join(dir, DEBATES, "index.md"), above);
}
