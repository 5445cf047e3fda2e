import type { Consensus, Hold, Proposal, ProposalStanding } from "../core/outcome.ts";
import { quoted } from "../core/prompt.ts";

/** The proposals, one a line, with their ids. */
export function listOf(proposals: readonly Proposal[]): string {
  return proposals.map(({ id, text }) => `- ${id}: ${text}`).join("\n");
}

/** Where every proposal stands and who holds what, as prompts show it: counted in code, in words that give no orders. */
export function standingText(
  { agreed, open, threshold }: Consensus,
  labels: ReadonlyMap<string, string>,
): string {
  const all = [...agreed, ...open].sort((a, b) => numberOf(a) - numberOf(b));
  const lines = all.map((each) => {
    const state = agreed.includes(each) ? "agreed" : "open";
    const holds = Object.entries(each.holds).map(([id, hold]) =>
      `  - ${labels.get(id) ?? id}: ${holdText(hold)}`
    );
    return [`- ${each.id} (${state}, ${percent(each.share)} agree): ${each.text}`, ...holds]
      .join("\n");
  });
  return `Where the proposals stand (agreed from ${percent(threshold)}):\n` +
    `<source name="stances">\n${quoted(lines.join("\n"))}\n</source>`;
}

function holdText({ stance, strength, condition }: Hold): string {
  const firmly = stance === "abstain" ? "" : ` (${strength})`;
  return condition === undefined ? stance + firmly : `${stance}${firmly}, if: ${condition}`;
}

function numberOf({ id }: ProposalStanding): number {
  return Number(id.slice(1));
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
