// The preamble: what every request of a convening begins with.
import { setImmediate as rest } from "node:timers/promises";
import type { LookUp } from "../core/fact.ts";
import { type PromptHead, renderSource } from "../core/prompt.ts";
import type { ConveningStart } from "../core/event.ts";
import type { Source } from "../core/paper.ts";
import { loadTokenCounter, type TokenCounter } from "../core/tokens.ts";
import type { WorkflowOptions } from "./workflow_options.ts";
import type { CastMember } from "./casting.ts";

/** The preamble of every request of a convening, and the parts of sources that had no room in it. */
export async function preambleOf(
  start: ConveningStart & { readonly remembered?: readonly LookUp[] },
  parties: ReadonlyMap<string, CastMember>,
  { design = {}, language, sourceTokens = 4000 }: WorkflowOptions,
): Promise<PromptHead & { readonly leftOut: readonly string[] }> {
  const remembered = (start.remembered ?? []).map(({ result }, index) => ({
    name: `earlier convening ${index + 1}`,
    text: result,
  }));
  const { shown, leftOut } = await fitted([...start.sources, ...remembered], sourceTokens);
  return {
    topic: start.papers === undefined
      ? start.topic
      : `\n${renderSource({ name: "topic", text: start.topic })}`,
    rules: design.rules ?? "",
    sides: [...parties.values()].filter(({ part }) => part === "speaker")
      .map(({ label, position }) =>
        position === undefined ? label : `${label}: ${position.replace(/\s+/g, " ")}`
      ),
    notes: [
      ...design.notes ?? [],
      language === undefined
        ? "Write in the language of the topic."
        : `Write in this language: ${language}.`,
      ...leftOut.length === 0
        ? []
        : [`The sources below are cut: ${leftOut.join(", ")} are left out.`],
    ],
    sources: shown,
    leftOut,
  };
}

/** The sources as far as they fit, and what was left out. */
async function fitted(
  sources: readonly Source[],
  limit: number,
): Promise<{ shown: Source[]; leftOut: string[] }> {
  if (sources.length === 0) return { shown: [], leftOut: [] };
  const count = await loadTokenCounter();
  const shown: Source[] = [];
  const leftOut: string[] = [];
  const rooms = await shares(sources, limit, count);
  for (const [index, { name, text }] of sources.entries()) {
    const kept = await cutToTokens(text, rooms[index]!, count);
    if (kept.length < text.length) {
      leftOut.push(`${text.length - kept.length} characters of ${name}`);
    }
    if (kept !== "") shown.push({ name, text: kept });
  }
  return { shown, leftOut };
}

/** The tokens that each source may have: an equal share, and of what short sources leave over, an equal share again. */
async function shares(
  sources: readonly Source[],
  limit: number,
  count: TokenCounter,
): Promise<number[]> {
  const rooms = sources.map(() => 0);
  let open = [...sources.keys()];
  let left = limit;
  while (open.length > 0) {
    const share = Math.floor(left / open.length);
    const fitting: number[] = [];
    for (const index of open) {
      const { text } = sources[index]!;
      if ((await cutToTokens(text, share, count)).length === text.length) fitting.push(index);
    }
    if (fitting.length === 0) {
      for (const index of open) rooms[index] = share;
      return rooms;
    }
    for (const index of fitting) {
      rooms[index] = count(sources[index]!.text);
      left -= rooms[index];
    }
    open = open.filter((index) => !fitting.includes(index));
  }
  return rooms;
}

/** The beginning of a text that has at most `limit` tokens, cut between paragraphs or words where it can be. */
async function cutToTokens(
  text: string,
  limit: number,
  count: TokenCounter,
): Promise<string> {
  if (limit <= 0) return "";
  // Others have their turn between two counts.
  const fits = (end: number) => rest().then(() => count(text.slice(0, end)) <= limit);
  let low = 0;
  let high = Math.min(limit, text.length);
  while (await fits(high)) {
    if (high === text.length) return text;
    low = high;
    high = Math.min(2 * high, text.length);
  }
  while (high - low > 16) {
    const middle = (low + high) >> 1;
    if (await fits(middle)) low = middle;
    else high = middle;
  }
  const cut = text.slice(0, low);
  const end = Math.max(cut.lastIndexOf("\n\n"), cut.lastIndexOf(" "));
  return end > low / 2 ? cut.slice(0, end) : cut.replace(/[\ud800-\udbff]$/, "");
}
