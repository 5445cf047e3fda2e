// Agreement on proposals, by stances alone.
import { round4 } from "../core/statistics.ts";
import type { Consensus, Hold, Proposal, ProposalStanding } from "../core/outcome.ts";
import type { Stance } from "../core/fact.ts";

/**
 * Agreement by stances alone (context-network/rules/dialogue_and_consensus.md). The latest readable stance counts, by
 * the message it was taken after; an agreement on a condition counts, and is shown with it; a participant without a
 * stance does not agree. Proposals that nobody agrees to are open whatever the threshold.
 */
export function consensusOf(
  proposals: readonly Proposal[],
  stances: readonly Stance[],
  { participants, threshold }: {
    /** The ids of those who take part. */
    readonly participants: readonly string[];
    readonly threshold: number;
  },
): Consensus {
  const held = heldBy(stances);
  const standings = proposals.map((proposal): ProposalStanding => {
    const holds = Object.fromEntries(participants.flatMap((id) => {
      const hold = held.get(id)?.get(proposal.id);
      return hold === undefined ? [] : [[id, hold]];
    }));
    const agreeing = Object.values(holds).filter(({ stance }) => stance === "agree").length;
    return { ...proposal, share: round4(agreeing / participants.length), holds };
  });
  const isAgreed = ({ share }: ProposalStanding) => share > 0 && share >= round4(threshold);
  return {
    threshold,
    agreed: standings.filter(isAgreed),
    open: standings.filter((each) => !isAgreed(each)),
  };
}

/** By participant and proposal, what each said last; what could not be read changes nothing. */
export function heldBy(stances: readonly Stance[]): Map<string, Map<string, Hold>> {
  const held = new Map<string, Map<string, Hold>>();
  for (const { participant, status, stances: on } of stances.toSorted((a, b) => a.seq - b.seq)) {
    if (status === "unread") continue;
    const own = held.get(participant) ?? new Map<string, Hold>();
    held.set(participant, own);
    for (const { on: proposal, ...hold } of on) own.set(proposal, hold);
  }
  return held;
}
