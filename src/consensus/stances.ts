// Stances on proposals in turns of a consensus dialogue.
import { tokensFor } from "../core/asks.ts";
import type { Stance, StanceOn } from "../core/fact.ts";
import { NO_USAGE } from "../core/message.ts";
import type { Consensus, Hold, Proposal, ProposalStanding } from "../core/outcome.ts";
import { quoted } from "../core/prompt.ts";
import type { Schema } from "../core/schema.ts";
import type { Question, TurnStructure } from "../core/turn.ts";
import { z } from "zod";

/** Stances of a reply: one for each proposal. */
type Stances = readonly (Omit<StanceOn, "condition"> & { readonly condition: string })[];

/** A reply to the question of stances: the reasons first. */
interface StanceReply {
  readonly reasons: string;
  readonly stances: Stances;
}

/** Form of replies in a consensus dialogue: a speech, and a stance on every proposal. */
export function turnStructure(proposals: readonly Proposal[]): TurnStructure {
  const stances = stancesType(proposals);
  const type = z.object({ speech: z.string(), stances });
  return {
    schema: { name: "consensus_turn", type },
    speech: "speech",
    tokens: tokensFor("stances_of_turn", proposals.length),
    toFacts: (fields, { seq, turn, participant, model, createdAt }) => {
      const { data } = type.safeParse(fields);
      if (data === undefined) return [];
      return [{
        type: "stance",
        key: stanceKey(turn),
        seq,
        participant,
        status: "read",
        stances: data.stances.map(withoutEmpty),
        reasons: `Said in message ${seq}.`,
        model,
        // The message carries what the reply used.
        usage: NO_USAGE,
        latencyMs: 0,
        createdAt,
      }];
    },
  };
}

/** The key of the question after a turn; a turn's own reply answers it where it can be read. */
function stanceKey(turn: string): string {
  return `stance/${turn}`;
}

/** Asks who has just spoken what it holds of every proposal; a person may answer in lines. */
export function stanceQuestion(
  said: {
    readonly seq: number;
    readonly turn: string;
    readonly participant: string;
    readonly round: number;
  },
  { proposals, task, list }: {
    readonly proposals: readonly Proposal[];
    readonly task: string;
    /** The proposals as the task shows them. */
    readonly list: string;
  },
): Question<StanceReply, Stance> {
  const { seq, turn, participant, round } = said;
  const key = stanceKey(turn);
  return {
    key,
    answeredBy: turn,
    asked: participant,
    phase: "discussion",
    kind: "stance",
    round,
    task,
    values: { proposals: list },
    schema: { name: "stance", type: stanceType(proposals) },
    maxTokens: tokensFor("stance", proposals.length),
    toFact: ({ value, problem, text, ...made }) => {
      const common = { type: "stance", key, seq, participant, ...made } as const;
      if (value === undefined) {
        const reason = problem ?? "The answer could not be read.";
        return { ...common, status: "unread", reason, stances: [], reasons: text };
      }
      const stances = value.stances.map(withoutEmpty);
      return { ...common, status: "read", stances, reasons: value.reasons };
    },
    matches: (fact): fact is Stance => fact.type === "stance" && fact.key === key,
  };
}

function withoutEmpty({ condition, ...stance }: Stances[number]): StanceOn {
  const said = condition.replace(/\s+/gu, " ").trim();
  return said === "" ? stance : { ...stance, condition: said };
}

/** JSON; a person's lines, such as `p1: agree`, are taken for it. */
function stanceType(proposals: readonly Proposal[]): Schema<StanceReply> {
  const type = z.object({ reasons: z.string().default(""), stances: stancesType(proposals) });
  const ids = proposals.map(({ id }) => id);
  return {
    safeParse: (value) => type.safeParse(stancesInWords(value, ids)),
    toJSONSchema: (options) => type.toJSONSchema(options),
  };
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
    const there = new Set<string>(context.value.map(({ on }) => on));
    const missing = ids.filter((id) => !there.has(id));
    if (missing.length === 0) return;
    context.issues.push({
      code: "custom",
      input: context.value,
      message: `there is no stance on ${missing.join(" and ")}`,
    });
  });
}

const LINE = /^(agree|disagree|abstain)\b[\s,;:]*(\d+(?:\.\d+)?)?[\s,;:]*(?:if\b\s*([\s\S]*))?$/iu;

/**
 * Stances that a person wrote in lines, `p1: agree`, `p2: disagree 0.8`, `p3: agree if the shops are asked`, in the
 * shape of a model's reply. Without a number the stance is firm. Any other value is given back as it is.
 */
function stancesInWords(value: unknown, ids: readonly string[]): unknown {
  if (value === null || typeof value !== "object" || "stances" in value) return value;
  const lines = new Map(Object.entries(value).filter(([id]) => ids.includes(id)));
  if (lines.size === 0) return value;
  const stances = [...lines].flatMap(([on, text]) => {
    const [, stance, strength, condition = ""] = LINE.exec(String(text).trim()) ?? [];
    if (stance === undefined) return [];
    const firm = stance.toLowerCase() === "abstain" ? 0 : 1;
    return [{
      on,
      stance: stance.toLowerCase(),
      strength: strength === undefined ? firm : Number(strength),
      condition: condition.trim(),
    }];
  });
  return { ...value, stances };
}

/** The proposals, one a line, with their ids. */
export function listOf(proposals: readonly Proposal[]): string {
  return proposals.map(({ id, text }) => `- ${id}: ${text}`).join("\n");
}

/**
 * Standing of every proposal with each participant's stance, for prompts: counted in code, in words that give no
 * orders.
 */
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
