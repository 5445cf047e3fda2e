// Bounds of prompts in tokens: by the setting, and by the window of each member's model.
import { HUMAN } from "../core/agent.ts";
import type { CastMember } from "./casting.ts";
import type { WorkflowOptions } from "./workflow_options.ts";

/**
 * Share of a window that a prompt may fill: the rest is for the reply, and for a tokenizer that counts more. Where papers
 * are read, half of that share is theirs.
 */
const WINDOW_SHARE = { usual: 0.7, papers: 0.35 } as const;
/** Tokens of a prompt whose model has no known window. */
const UNKNOWN_WINDOW = 12_000;
/** The most tokens of a prompt by default, so that a long convening stays affordable; judges read what their windows hold. */
const MOST = 100_000;

/**
 * The most tokens of a member's prompts, past which the oldest turns are folded; `Infinity` where nothing bounds them. A
 * window that a refusal taught counts.
 */
export async function promptBound(
  { agent, part }: Pick<CastMember, "agent" | "part">,
  { maxPromptTokens, design }: WorkflowOptions,
): Promise<number> {
  if (agent.model === HUMAN) return Infinity;
  const window = await agent.window?.();
  const share = WINDOW_SHARE[design?.papers === undefined ? "usual" : "papers"];
  const room = window === undefined ? Infinity : Math.floor(window * share);
  if (maxPromptTokens !== undefined) return Math.min(room, maxPromptTokens || Infinity);
  if (window === undefined) return UNKNOWN_WINDOW;
  return part === "judge" ? room : Math.min(room, MOST);
}

/** The bounds of those who can be asked, by id. Those who spoke in a record that is judged again are asked nothing. */
export async function promptBounds(
  cast: ReadonlyMap<string, CastMember>,
  options: WorkflowOptions,
): Promise<ReadonlyMap<string, number>> {
  const asked = [...cast.values()].filter(({ part }) =>
    part === "judge" || options.design?.adds !== true
  );
  return new Map(
    await Promise.all(
      asked.map(async (member) => [member.id, await promptBound(member, options)] as const),
    ),
  );
}
