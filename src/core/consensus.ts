import type { Stance, StanceOn } from "./fact.ts";

/** One thing that could be agreed on, as it was put before all. */
export interface Proposal {
  /** Such as `p1`. */
  readonly id: string;
  /** What is proposed. */
  readonly text: string;
  /** The ids of those who proposed it. */
  readonly by: readonly string[];
}

/** What one holds of one proposal. */
export type Hold = Omit<StanceOn, "on">;

/** Where a proposal stands. */
export interface ProposalStanding extends Proposal {
  /** Those who agree, with a condition or without, of all who take part: 0 to 1, four decimals. */
  readonly share: number;
  /** By participant id, what each said last; who has stated nothing is absent. */
  readonly holds: Readonly<Record<string, Hold>>;
}

/** What is agreed and what is open, with who holds what. */
export interface Consensus {
  /** The share of all who take part that must agree, 0 to 1. */
  readonly threshold: number;
  /** The proposals that enough agree to, in the order they were put. */
  readonly agreed: readonly ProposalStanding[];
  /** The others. */
  readonly open: readonly ProposalStanding[];
}

/**
 * What is agreed by stances alone (context-network/rules/dialogue_and_consensus.md). The latest readable stance counts, by the message it was
 * taken after; an agreement on a condition is one, and shown with it; who has stated nothing does not agree. Proposals
 * that nobody agrees to are open whatever the threshold.
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
    return { ...proposal, share: rounded(agreeing / participants.length), holds };
  });
  const isAgreed = ({ share }: ProposalStanding) => share > 0 && share >= rounded(threshold);
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

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
