// Questions of a consensus dialogue: proposals, their merge, and stances.
import { z } from "zod";
import type { ReplySchema } from "../core/agent.ts";
import { tokensFor } from "../core/profile.ts";
import type { Consensus, Proposal, StanceOn } from "../core/outcome.ts";
import type { Choice, Stance } from "../core/fact.ts";
import { type Message, NO_USAGE } from "../core/message.ts";
import { quoted } from "../core/prompt.ts";
import { holdText, stanceQuestion, withCondition } from "../judging/stances.ts";
import { choiceQuestion, fieldOf, type Question, type TurnStructure } from "../core/turn.ts";
import { itemLine, percentText } from "../core/text.ts";
import { wordKey } from "../core/words.ts";

/** Maximum proposals per participant (context-network/rules/dialogue_and_consensus.md). */
const PROPOSALS_EACH = 2;
/** Maximum code points of a proposal in prompts; the recorded answer is not cut. */
const PROPOSAL_LENGTH = 500;

/** A proposal of one participant, before the merge. */
interface OwnProposal {
  readonly participant: string;
  readonly label: string;
  readonly text: string;
}

const hasWord = (text: string) => /[\p{L}\p{N}]/u.test(text);

const PROPOSALS = z.object({
  reasons: z.string().default(""),
  proposals: z.array(z.string()).min(1).max(PROPOSALS_EACH)
    .refine((texts) => texts.some(hasWord), "no proposal has a word in it"),
});

type ProposalsReply = z.infer<typeof PROPOSALS>;

/** Accepts a list, and a text with a proposal on each line. */
const PROPOSALS_SCHEMA: ReplySchema<ProposalsReply> = {
  name: "proposals",
  type: {
    safeParse: (value, options) => {
      const lines = fieldOf(value, "proposals");
      return PROPOSALS.safeParse(
        typeof lines === "string"
          ? { reasons: fieldOf(value, "reasons"), proposals: lines.split("\n").filter(hasWord) }
          : value,
        options,
      );
    },
    toJSONSchema: (options) => PROPOSALS.toJSONSchema(options),
  },
};

/** Returns the question for a participant's proposals. */
export function proposalsQuestion(asked: string, task: string): Question<ProposalsReply, Choice> {
  return choiceQuestion({
    key: `proposals/${asked}`,
    seq: 1,
    asked,
    phase: "proposals",
    kind: "proposals",
    round: 1,
    task,
    schema: PROPOSALS_SCHEMA,
    valueOf: (reply) => ({ proposals: reply?.proposals ?? [] }),
    reasonsOf: ({ reasons }) => reasons,
  });
}

/** Returns the proposals in an answer: one line each, cut to {@linkcode PROPOSAL_LENGTH}, without blank ones. */
export function proposalsIn({ value }: Choice): string[] {
  const list = fieldOf(value, "proposals");
  if (!Array.isArray(list)) return [];
  return list.filter((each) => typeof each === "string").filter(hasWord)
    .slice(0, PROPOSALS_EACH).map((text) => itemLine(text, PROPOSAL_LENGTH));
}

/**
 * Returns the question that asks the moderator to merge the proposals. If the reply omits a proposal or cannot be read, the
 * proposals are used unmerged, without duplicates; without proposals, the topic is the only proposal.
 */
export function mergeQuestion(
  drafts: readonly OwnProposal[],
  { moderator, task, topic }: {
    readonly moderator: string;
    readonly task: string;
    readonly topic: string;
  },
): Question<MergeReply, Choice> {
  const list = drafts.map(({ text }, index) => `${index + 1}. ${text}`).join("\n") || "(none)";
  return choiceQuestion({
    key: "proposals-merged",
    seq: 1,
    asked: moderator,
    phase: "proposals",
    kind: "proposals_merged",
    round: 1,
    task,
    values: { proposals: `<source name="proposals">\n${quoted(list)}\n</source>` },
    schema: { name: "proposals_merged", type: mergeType(drafts.length) },
    data: { proposals: drafts.map((each, index) => ({ number: index + 1, ...each })) },
    maxTokens: tokensFor("proposals_merged", Math.max(2, drafts.length)),
    valueOf: (reply) => ({
      proposals: numbered(reply === undefined ? unmerged(drafts, topic) : merged(reply, drafts)),
    }),
    reasonsOf: ({ reasons }) => reasons,
  });
}

type MergeReply = z.infer<ReturnType<typeof mergeType>>;

function mergeType(count: number) {
  const from = z.array(z.int().min(1).max(Math.max(1, count)));
  const one = z.object({
    text: z.string().refine(hasWord, "it has no word in it"),
    from: count === 0 ? from : from.min(1),
  });
  const proposals = z.array(one).min(1).max(Math.max(PROPOSALS_EACH, count));
  return z.object({ reasons: z.string().default(""), proposals }).check((context) => {
    const present = new Set(context.value.proposals.flatMap((each) => each.from));
    const lost = Array.from({ length: count }, (_, index) => index + 1)
      .filter((number) => !present.has(number));
    if (lost.length === 0) return;
    context.issues.push({
      code: "custom",
      input: context.value,
      path: ["proposals"],
      message: `proposal ${lost.join(" and ")} of the list is in none of them`,
    });
  });
}

type Unnumbered = Omit<Proposal, "id">;

function merged({ proposals }: MergeReply, drafts: readonly OwnProposal[]): Unnumbered[] {
  return proposals.map(({ text, from }) => ({
    text: itemLine(text, PROPOSAL_LENGTH),
    by: from.flatMap((number) => drafts[number - 1]?.participant ?? []),
  }));
}

function unmerged(drafts: readonly OwnProposal[], topic: string): Unnumbered[] {
  if (drafts.length === 0) return [{ text: topic, by: [] }];
  return drafts.map(({ text, participant }) => ({ text, by: [participant] }));
}

/** Assigns ids `p1`, `p2`, … and joins duplicates, which differ only in letter case or punctuation. */
function numbered(proposals: readonly Unnumbered[]): Proposal[] {
  const by = new Map<string, Unnumbered>();
  for (const each of proposals) {
    const words = wordKey(each.text);
    const same = by.get(words);
    by.set(words, { text: same?.text ?? each.text, by: [...same?.by ?? [], ...each.by] });
  }
  return [...by.values()].map(({ text, by: ids }, index) => ({
    id: `p${index + 1}`,
    text,
    by: [...new Set(ids)],
  }));
}

/** Stances in a reply, one per proposal. */
type Stances = readonly (Omit<StanceOn, "condition"> & { readonly condition: string })[];

/** Returns the structure of turns: a speech and a stance on every proposal. */
export function turnStructure(proposals: readonly Proposal[]): TurnStructure {
  const stances = stancesType(proposals);
  const type = z.object({ speech: z.string(), stances });
  return {
    schema: { name: "consensus_turn", type },
    speech: "speech",
    tokens: tokensFor("stances_of_turn", proposals.length),
    toFacts: (fields, { seq, turn, participant, model, createdAt }) => {
      const { stances } = type.parse(fields);
      return [{
        type: "stance",
        key: stanceKey(turn),
        seq,
        participant,
        status: "read",
        stances: stances.map(withCondition),
        reasons: `Said in message ${seq}.`,
        model,
        // The usage of the reply is recorded in the message.
        usage: NO_USAGE,
        latencyMs: 0,
        createdAt,
      }];
    },
  };
}

/** Returns the key of the question for stances after a turn; readable stances in the turn's reply have the same key. */
function stanceKey(turn: string): string {
  return `stance/${turn}`;
}

/** Returns the question for a speaker's stances after a turn; skipped if the turn's reply has readable stances. */
export function turnStances(
  { seq, turn, participant, round }: Pick<Message, "seq" | "turn" | "participant" | "round">,
  proposals: readonly Proposal[],
  task: string,
): Question<unknown, Stance> {
  return stanceQuestion({
    key: stanceKey(turn),
    answeredBy: turn,
    asked: participant,
    phase: "discussion",
    round,
    task,
    values: { proposals: quoted(listOf(proposals)) },
    seq,
    names: proposals.map(({ id }) => id),
    type: z.object({ reasons: z.string().default(""), stances: stancesType(proposals) }),
    stancesOf: ({ stances }) => stances.map(withCondition),
  });
}

function stancesType(proposals: readonly Proposal[]): z.ZodType<Stances> {
  const ids = proposals.map(({ id }) => id);
  const one = z.object({
    on: z.enum(ids),
    stance: z.enum(["agree", "disagree", "abstain"]),
    strength: z.number().min(0).max(1),
    condition: z.string().default(""),
  });
  return z.array(one).min(ids.length).max(ids.length).check((context) => {
    const present = new Set<string>(context.value.map(({ on }) => on));
    const missing = ids.filter((id) => !present.has(id));
    if (missing.length === 0) return;
    context.issues.push({
      code: "custom",
      input: context.value,
      message: `there is no stance on ${missing.join(" and ")}`,
    });
  });
}

/** Returns the proposals with ids, one per line. */
export function listOf(proposals: readonly Proposal[]): string {
  return proposals.map(({ id, text }) => `- ${id}: ${text}`).join("\n");
}

/** Returns the state of every proposal and each participant's stance as quoted text for prompts. */
export function standingText(
  { agreed, open, threshold }: Consensus,
  participants: readonly { readonly id: string; readonly label: string }[],
): string {
  const labels = new Map(participants.map(({ id, label }) => [id, label]));
  const all = [...agreed, ...open]
    .sort((a, b) => a.id.localeCompare(b.id, "en", { numeric: true }));
  const lines = all.map((each) => {
    const state = agreed.includes(each) ? "agreed" : "open";
    const holds = Object.entries(each.holds).map(([id, hold]) =>
      `  - ${labels.get(id) ?? id}: ${holdText(hold)}`
    );
    const agreeing = `${Math.round(each.share * labels.size)} of ${labels.size} agree`;
    return [`- ${each.id} (${state}, ${agreeing}): ${each.text}`, ...holds].join("\n");
  });
  return `Where the proposals stand (agreed where at least ${percentText(threshold)} agree):\n` +
    `<source name="stances">\n${quoted(lines.join("\n"))}\n</source>`;
}
