// Questions for stances, and their results: the shift of an audience, and the agreed proposals of a consensus.
import { z } from "zod";
import { tokensFor } from "../core/profile.ts";
import {
  type Audience,
  conditionLead,
  type Consensus,
  type Hold,
  type Outcome,
  type Proposal,
  type ProposalStanding,
  type StanceOn,
} from "../core/outcome.ts";
import type { Choice, Stance } from "../core/fact.ts";
import { numberOf } from "../core/schema.ts";
import { round4 } from "../core/statistics.ts";
import type { Question } from "../core/turn.ts";
import { type Schema, sortedByKey } from "../core/values.ts";

interface StanceQuestion<T>
  extends Omit<Question<T, Stance>, "kind" | "schema" | "maxTokens" | "toFact" | "matches"> {
  /** Number of the last message that the asked has seen. */
  readonly seq: number;
  /** Names in replies of what the stances are on. */
  readonly names: readonly string[];
  readonly type: Schema<T>;
  stancesOf(reply: T): readonly StanceOn[];
}

/** Makes a question that is recorded as stances; it accepts JSON, and a person's lines such as `Advocate A: agree 0.8`. */
export function stanceQuestion<T extends { readonly reasons: string }>(
  { seq, names, type, stancesOf, ...question }: StanceQuestion<T>,
): Question<T, Stance> {
  const { key, asked: participant } = question;
  const read: Schema<T> = {
    safeParse: (value, options) => type.safeParse(stancesInWords(value, names), options),
    toJSONSchema: (options) => type.toJSONSchema(options),
  };
  return {
    ...question,
    kind: "stance",
    schema: { name: "stance", type: read },
    maxTokens: tokensFor("stance", names.length),
    toFact: ({ value, problem, text, ...made }) => {
      const common = { type: "stance", key, seq, participant, ...made } as const;
      if (value === undefined) {
        const reason = problem ?? "The reply could not be read.";
        return { ...common, status: "unread", reason, stances: [], reasons: text };
      }
      return { ...common, status: "read", stances: stancesOf(value), reasons: value.reasons };
    },
    matches: (fact): fact is Stance => fact.type === "stance" && fact.key === key,
  };
}

/** Returns the key of the question for a listener's stance. */
export function audienceKey(when: "before" | "after", listener: string): string {
  return `stance/${when}/${listener}`;
}

const KEY = /^stance\/(before|after)\/(.+)$/s;

/** Returns the time of a listener's stance; undefined for the stance of a participant. */
export function audienceTime({ key }: Stance): "before" | "after" | undefined {
  const [, when] = KEY.exec(key) ?? [];
  return when === "before" || when === "after" ? when : undefined;
}

interface Pair {
  before?: Stance;
  after?: Stance;
}

/**
 * Computes the audience's decision. A listener counts for the side with the strongest agreement, for none if that is a tie. The side
 * with the greatest gain in listeners wins; equal gains are decided by the change of the mean strength, where disagreement counts
 * negative. Undefined without listeners. `sides` are the ids of the arguing participants in the order of display.
 */
export function audienceOf(
  stances: readonly Stance[],
  sides: readonly string[],
): Audience | undefined {
  const pairs = pairsOf(stances);
  if (pairs.size === 0) return undefined;
  const counted = sortedByKey(pairs).flatMap(([, { before, after }]) =>
    before?.status === "read" && after?.status === "read" ? [{ before, after }] : []
  );
  const shown = counted.length === 0 ? [] : sides;
  const gains = shown.map((side) => gainOf(side, counted));
  return {
    members: pairs.size,
    missing: pairs.size - counted.length,
    sides: Object.fromEntries(gains.map(({ side, before, after }) => [side, {
      before: round4(before / counted.length),
      after: round4(after / counted.length),
      moved: round4((after - before) / counted.length) + 0,
    }])),
    winner: mostMoved(gains),
  };
}

/** Returns the outcome of a convening that the audience decides; `unscored` if no listener could be counted. */
export function audienceOutcome(
  audience: Audience | undefined,
): { readonly outcome: Outcome; readonly winner: string | null } {
  if (audience === undefined || audience.members === audience.missing) {
    return { outcome: "unscored", winner: null };
  }
  const { winner } = audience;
  return { outcome: winner === null ? "undecided" : "decided", winner };
}

function pairsOf(stances: readonly Stance[]): Map<string, Pair> {
  const pairs = new Map<string, Pair>();
  for (const stance of stances) {
    const [, when, listener] = KEY.exec(stance.key) ?? [];
    if (listener === undefined) continue;
    const pair = pairs.getOrInsert(listener, {});
    if (when === "before") pair.before = stance;
    else pair.after = stance;
  }
  return pairs;
}

interface Gain {
  readonly side: string;
  /** Number of listeners. */
  readonly before: number;
  readonly after: number;
  /** Change of the sum of strengths, in units of 1e-9. */
  readonly strength: number;
}

function gainOf(side: string, pairs: readonly Required<Pair>[]): Gain {
  const strength = pairs.reduce(
    (sum, { before, after }) => sum + signedStrength(after, side) - signedStrength(before, side),
    0,
  );
  return {
    side,
    before: pairs.filter(({ before }) => sidesWith(before) === side).length,
    after: pairs.filter(({ after }) => sidesWith(after) === side).length,
    // Round, so that sums of equal decimals compare equal.
    strength: Math.round(strength * 1e9),
  };
}

function sidesWith({ stances }: Stance): string | undefined {
  const agreed = stances.filter(({ stance }) => stance === "agree");
  const most = Math.max(...agreed.map(({ strength }) => strength));
  const [first, ...more] = agreed.filter(({ strength }) => strength === most);
  return more.length === 0 ? first?.on : undefined;
}

function signedStrength({ stances }: Stance, side: string): number {
  const held = stances.find(({ on }) => on === side);
  if (held === undefined || held.stance === "abstain") return 0;
  return held.stance === "agree" ? held.strength : -held.strength;
}

function mostMoved(gains: readonly Gain[]): string | null {
  if (gains.length < 2) return null;
  const [first, second] = gains.toSorted((a, b) =>
    (b.after - b.before) - (a.after - a.before) || b.strength - a.strength
  );
  const tied = first!.after - first!.before === second!.after - second!.before &&
    first!.strength === second!.strength;
  return tied ? null : first!.side;
}

const PROPOSALS = z.object({
  proposals: z.array(
    z.object({ id: z.string(), text: z.string(), by: z.array(z.string()) }),
  ).min(1),
});

/** Returns the proposals in the moderator's recorded answer; undefined without any. */
export function mergedIn(merge: Pick<Choice, "value"> | undefined): Proposal[] | undefined {
  return PROPOSALS.safeParse(merge?.value).data?.proposals;
}

/**
 * Computes the consensus from stances (context-network/rules/dialogue_and_consensus.md). The latest readable stance of each participant
 * counts, by message number. A conditional agreement counts. A participant without a stance does not agree. A proposal without any
 * agreement is open, even with the threshold 0.
 */
export function consensusOf(
  proposals: readonly Proposal[],
  stances: readonly Stance[],
  { participants, threshold }: {
    /** Ids of the participants that count. */
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

/** Returns the latest readable stances by participant and proposal. */
export function heldBy(stances: readonly Stance[]): Map<string, Map<string, Hold>> {
  const held = new Map<string, Map<string, Hold>>();
  for (const { participant, status, stances: on } of stances.toSorted((a, b) => a.seq - b.seq)) {
    if (status === "unread") continue;
    const holds = held.getOrInsertComputed(participant, () => new Map());
    for (const { on: proposal, ...hold } of on) holds.set(proposal, hold);
  }
  return held;
}

/** Describes a stance for a prompt, such as `agree (0.7), if: a count is kept`. */
export function holdText({ stance, strength, condition }: Hold): string {
  const firmly = stance === "abstain" ? "" : ` (${strength})`;
  return stance + firmly +
    (condition === undefined ? "" : `, ${conditionLead({ stance })}: ${condition}`);
}

/**
 * Returns a stance with the condition on one line, without a leading `if`, or `unless` if the stance is not to agree; without a
 * condition if the text is empty or says that there is none, as models write.
 */
export function withCondition<T extends Pick<Hold, "stance">>(
  { condition, ...stance }: T & { readonly condition: string },
): Omit<T, "condition"> & { readonly condition?: string } {
  const lead = stance.stance === "agree" ? /^if (?=\S)/i : /^(?:if|unless) (?=\S)/i;
  const text = condition.replace(/\s+/gu, " ").trim().replace(lead, "");
  return NO_CONDITION.test(text) ? stance : { ...stance, condition: text };
}

/** Words for "none" of several languages. */
const NO_CONDITION =
  /^(?:none|null|n\/?a|keine?|aucune?|ninguna?|nenhuma?|nessuna?|geen|brak|нет|немає|yok|không|无|無|没有|なし|없음|ไม่มี|कोई नहीं|لا يوجد|ندارد|אין|[-–—]*)[.。।]?$/iu;

const LINE =
  /^(agree|disagree|abstain)\b(?:[\s,;:]*(\p{Nd}+(?:[.,٫]\p{Nd}+)?))?[\s,;:]*(?:(if|unless|would agree if)\b\s*([\s\S]*))?$/iu;

/**
 * Converts a person's lines, such as `p1: agree`, `p2: disagree 0.8 unless it is free`, `p3: agree if the shops are asked`, to the
 * shape of a model's reply; `names` are those before the colons, in any case. Without a number, `strength` is 1, or 0 for `abstain`.
 * Rejects a condition that is not one of agreeing, such as `p1: disagree if it rains`. Returns any other value unchanged.
 */
function stancesInWords(value: unknown, names: readonly string[]): unknown {
  if (value === null || typeof value !== "object" || "stances" in value) return value;
  const lines = Object.entries(value).flatMap(([key, text]) => {
    const on = names.find((name) => name.toLowerCase() === key.toLowerCase());
    return on === undefined ? [] : [[on, text] as const];
  });
  if (lines.length === 0) return value;
  const stances = lines.map(([on, text]) => {
    const [, said = "", strength, lead, condition = ""] = LINE.exec(String(text).trim()) ?? [];
    const stance = said.toLowerCase();
    const isOther = lead !== undefined && (lead.toLowerCase() === "if") !== (stance === "agree");
    const firm = stance === "abstain" ? 0 : 1;
    return {
      on,
      // A line that cannot be read is no stance, so that the person is asked again.
      stance: isOther ? text : stance || text,
      strength: strength === undefined ? firm : numberOf(strength),
      condition: condition.trim(),
    };
  });
  return { reasons: "", ...value, stances };
}
