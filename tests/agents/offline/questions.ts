import { z } from "zod";
import { createOfflineAgent } from "../../../src/agents/offline.ts";
import type { AgentRequest, RequestContext } from "../../../src/core/agent.ts";

/** What is debated. */
export const TOPIC = "Should cities ban private cars from their centres?";
/** Those who take part. */
export const ALL = [
  { id: "a", label: "Advocate A", position: "for" },
  { id: "b", label: "Advocate B", position: "against" },
  { id: "c", label: "Advocate C", position: undefined },
] as const;
/** Their labels by id. */
export const LABELS = Object.fromEntries(ALL.map(({ id, label }) => [id, label]));
const ON = [
  { id: "p1", label: "", text: "Cars are kept out on Sundays first.", by: ["a"] },
  {
    id: "p2",
    label: "",
    text: "Shops get help with deliveries before anything starts.",
    by: ["b"],
  },
  { id: "p3", label: "", text: "Buses run every five minutes.", by: ["c"] },
];

const agent = createOfflineAgent();
const unit = z.number().min(0).max(1);
/** One stance, as replies hold it. */
interface Stance {
  readonly on: string;
  readonly stance: "agree" | "disagree" | "abstain";
  readonly strength: number;
  readonly condition: string;
}

/** The shape of a stance on one of what is named. */
export function stances(names: readonly [string, ...string[]]): z.ZodType<Stance> {
  return z.strictObject({
    on: z.enum(names),
    stance: z.enum(["agree", "disagree", "abstain"]),
    strength: unit,
    condition: z.string().max(200),
  });
}

/** The shape of each kind's reply, as the workflows ask for it. */
export const TYPES = {
  bid: z.strictObject({ reason: z.string().min(1), bid: unit }),
  "next_speaker": z.strictObject({
    reason: z.string().min(1),
    speaker: z.enum(["Advocate A", "Advocate B", "Advocate C"]),
  }),
  proposals: z.strictObject({
    reasons: z.string().min(1),
    proposals: z.array(z.string().min(10).max(400)).min(1).max(2),
  }),
  "proposals_merged": z.strictObject({
    reasons: z.string().min(1),
    proposals: z.array(z.strictObject({ text: z.string(), from: z.array(z.int()).min(1) })).min(1),
  }),
  stance: z.strictObject({
    reasons: z.string().min(1),
    stances: z.array(stances(["p1", "p2", "p3"])).length(3),
  }),
  claims: z.strictObject({
    claims: z.array(z.strictObject({ quote: z.string().min(1), text: z.string().min(1) })).max(5),
  }),
  "claim_verdict": z.strictObject({
    reason: z.string().min(1),
    verdict: z.enum(["true", "false", "unverifiable"]),
    confidence: unit,
    sources: z.array(z.int().min(1)),
  }),
  "persona_check": z.strictObject({
    reason: z.string(),
    consistent: z.boolean(),
    breach: z.string(),
  }),
  ruling: z.strictObject({ reason: z.string(), breach: z.boolean(), rule: z.string() }),
  "round_review": z.strictObject({ reason: z.string(), anything_new: z.boolean() }),
  baseline: z.strictObject({
    answer: z.string().min(1),
    winner: z.enum(["Advocate A", "Advocate B", "tie"]),
  }),
  summary: z.strictObject({ summary: z.string().min(1) }),
  topics: z.strictObject({ topics: z.array(z.string().min(10).max(200)).length(7) }),
} as const;

/** A kind of question. */
export type Kind = keyof typeof TYPES;
/** All of them. */
export const KINDS = Object.keys(TYPES).filter((kind): kind is Kind => kind in TYPES);

function contextOf(some: Partial<RequestContext>): RequestContext {
  return {
    key: "question/1",
    purpose: "question",
    topic: TOPIC,
    participant: "a",
    label: "Advocate A",
    role: "participant",
    position: "for",
    seq: 0,
    phase: "rounds",
    kind: "bid",
    round: 1,
    attempt: 1,
    about: [],
    opponents: ALL.slice(1),
    seed: 1,
    ...some,
  };
}

/** The text of one reply. */
export async function text(
  some: Partial<RequestContext>,
  more: Partial<AgentRequest> = {},
): Promise<string> {
  return (await agent.reply({ messages: [], context: contextOf(some), ...more })).text;
}

/** The answer to one question, as it stands. */
export async function ask<K extends Kind>(
  kind: K,
  some: Partial<RequestContext> = {},
): Promise<z.infer<(typeof TYPES)[K]>> {
  const schema = { name: kind, type: TYPES[kind] };
  const type: z.ZodType<z.infer<(typeof TYPES)[K]>> = z.any();
  return type.parse(JSON.parse(await text({ ...some, kind }, { schema })));
}

/** What a side said. */
export function of(body: string, side = 1): RequestContext["about"][number] {
  return { label: ALL[side]!.label, participant: ALL[side]!.id, body };
}

/** The context of a side that is asked. */
export function as(side: number): Partial<RequestContext> {
  const { id, label, position } = ALL[side]!;
  return { participant: id, label, position, opponents: ALL.filter((each) => each.id !== id) };
}

/** Everything the kinds read, about one text. */
export function dataFor(kind: Kind, body: string): unknown {
  const data: Readonly<Record<Kind, unknown>> = {
    bid: { turn: 4, spoken: { a: 1, b: 2, c: 1 } },
    "next_speaker": { labels: LABELS, spoken: { a: 1, b: 2, c: 1 }, last: "b" },
    proposals: {},
    "proposals_merged": {
      proposals: [body, "Cars are kept out on Sundays."].map((each, i) => ({
        number: i + 1,
        participant: ALL[i]!.id,
        label: ALL[i]!.label,
        text: each,
      })),
    },
    stance: { on: ON, when: "turn", listener: false },
    claims: { max: 5 },
    "claim_verdict": { claim: body, hits: [{ title: "A page", url: "", snippet: body }] },
    "persona_check": { persona: body, body },
    ruling: { message: 4, rules: body },
    "round_review": { round: 1 },
    baseline: { order: ["b", "a"], labels: { a: "Advocate A", b: "Advocate B" } },
    summary: {},
    topics: { subject: body, count: 7 },
  };
  return data[kind];
}
