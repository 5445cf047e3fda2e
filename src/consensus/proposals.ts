// Proposals of a consensus dialogue, and merging of equal proposals.
import { z } from "zod";
import type { ReplySchema } from "../core/agent.ts";
import { tokensFor } from "../core/asks.ts";
import type { Proposal } from "../core/outcome.ts";
import type { Choice } from "../core/fact.ts";
import { oneLine } from "../core/text.ts";
import { quoted } from "../core/prompt.ts";
import { choiceQuestion, fieldOf, type Question } from "../core/turn.ts";

/** At most this many proposals a participant (context-network/rules/dialogue_and_consensus.md). */
const PROPOSALS_EACH = 2;
/** The most code points of a proposal as it is put before all; what was answered is kept whole. */
const PROPOSAL_LENGTH = 500;

/** One proposal as its participant made it. */
interface Made {
  /** The participant's id. */
  readonly participant: string;
  /** Name of the participant in prompts. */
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

/** JSON; a person's lines under `proposals:` are taken for a list. */
const PROPOSALS_SCHEMA: ReplySchema<ProposalsReply> = {
  name: "proposals",
  type: {
    safeParse: (value) => {
      const lines = fieldOf(value, "proposals");
      return PROPOSALS.safeParse(
        typeof lines === "string"
          ? { reasons: fieldOf(value, "reasons"), proposals: lines.split("\n").filter(hasWord) }
          : value,
      );
    },
    toJSONSchema: (options) => PROPOSALS.toJSONSchema(options),
  },
};

/** Asks a participant for its proposals. */
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

/** The proposals of a participant's choice: each on one line and cut to 500 characters, without blank ones. */
export function proposalsIn({ value }: Choice): string[] {
  const list = fieldOf(value, "proposals");
  if (!Array.isArray(list)) return [];
  return list.filter((each) => typeof each === "string").filter(hasWord)
    .slice(0, PROPOSALS_EACH).map((text) => oneLine(text, PROPOSAL_LENGTH));
}

/**
 * Asks the moderator to put the proposals together. A reply that loses one, or cannot be read, is replaced by code: the
 * same words once, all others as they are; without any proposal, the topic itself is put.
 */
export function mergeQuestion(
  made: readonly Made[],
  { moderator, task, topic }: {
    readonly moderator: string;
    readonly task: string;
    readonly topic: string;
  },
): Question<MergeReply, Choice> {
  const list = made.map(({ text }, index) => `${index + 1}. ${text}`).join("\n") || "(none)";
  return choiceQuestion({
    key: "proposals-merged",
    seq: 1,
    asked: moderator,
    phase: "proposals",
    kind: "proposals_merged",
    round: 1,
    task,
    values: { proposals: `<source name="proposals">\n${quoted(list)}\n</source>` },
    schema: { name: "proposals_merged", type: mergeType(made.length) },
    data: { proposals: made.map((each, index) => ({ number: index + 1, ...each })) },
    maxTokens: tokensFor("proposals_merged", Math.max(2, made.length)),
    valueOf: (reply) => ({
      proposals: numbered(reply === undefined ? asMade(made, topic) : merged(reply, made)),
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
    const there = new Set(context.value.proposals.flatMap((each) => each.from));
    const lost = Array.from({ length: count }, (_, index) => index + 1)
      .filter((number) => !there.has(number));
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

function merged({ proposals }: MergeReply, made: readonly Made[]): Unnumbered[] {
  return proposals.map(({ text, from }) => ({
    text: oneLine(text, PROPOSAL_LENGTH),
    by: from.flatMap((number) => made[number - 1]?.participant ?? []),
  }));
}

function asMade(made: readonly Made[], topic: string): Unnumbered[] {
  if (made.length === 0) return [{ text: topic, by: [] }];
  return made.map(({ text, participant }) => ({ text, by: [participant] }));
}

/** The proposals with their ids; those of the same words, letter case and punctuation aside, are one. */
function numbered(proposals: readonly Unnumbered[]): Proposal[] {
  const by = new Map<string, Unnumbered>();
  for (const each of proposals) {
    const words = wordsOf(each.text);
    const same = by.get(words);
    by.set(words, { text: same?.text ?? each.text, by: [...same?.by ?? [], ...each.by] });
  }
  return [...by.values()].map(({ text, by: ids }, index) => ({
    id: `p${index + 1}`,
    text,
    by: [...new Set(ids)],
  }));
}

function wordsOf(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

const ON_RECORD = z.array(
  z.object({ id: z.string(), text: z.string(), by: z.array(z.string()) }),
).min(1);

/** The proposals that a merge left on record; undefined where it holds none. */
export function mergedIn({ value }: Choice): readonly Proposal[] | undefined {
  return ON_RECORD.safeParse(fieldOf(value, "proposals")).data;
}
