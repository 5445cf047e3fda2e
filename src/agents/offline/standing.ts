import { z } from "zod";
import type { RequestContext } from "../../core/agent.ts";
import { mixSeed, seededRandom } from "../../core/random.ts";
import { domainOf } from "./domains.ts";
import { featuresOf } from "./features.ts";
import { type Asked, between, phrase, traitOf } from "./phrasing.ts";
import { ownProposals } from "./proposals.ts";
import { choicesOf } from "./shape.ts";
import { sideOf, sideOfPosition } from "./stance.ts";
import type { Slots } from "./template.ts";
import { lowerFirst } from "./topic_grammar.ts";
import { shareIn, termsOf } from "./terms.ts";

/** Something a stance is taken on. */
export interface Matter {
  readonly id: string;
  readonly label?: string | undefined;
  readonly text: string;
  /** The ids of those who proposed it; unknown where absent. */
  readonly by?: readonly string[] | undefined;
}

/** What is held of one matter. */
export interface Held {
  readonly on: string;
  readonly stance: "agree" | "disagree" | "abstain";
  /** From 0 to 1. */
  readonly strength: number;
  /** Empty where there is none. */
  readonly condition: string;
}

const MatterType = z.object({
  id: z.string(),
  label: z.string().optional(),
  text: z.string().default(""),
  by: z.array(z.string()).optional(),
});

const CONDITIONS: readonly string[] = [
  "only if {who} are [asked|heard] before it begins",
  "only if it is looked at again after a year",
  "only if {body} [answers|stands] for what it costs {who}",
  "only if nobody is [worse off|made worse off] by it without being told in advance",
];

/** From here on a level is agreement; below the other it is disagreement. */
const AGREES = 0.6;
const DISAGREES = 0.42;

/**
 * What a participant holds of the proposals. Its own it agrees to; others start from how near they are to what it cares
 * for and come closer with every turn and with what is said for them, in some convenings all of them, in some only a
 * part, in some none.
 */
export function holdings(context: RequestContext, matters: readonly Matter[]): Held[] {
  const { who, body } = domainOf(context.topic, context.position ?? "");
  return matters.map((matter, i) => {
    const level = levelOf(context, matter, authorsOf(context, matter, i));
    const stance = level >= AGREES ? "agree" : level < DISAGREES ? "disagree" : "abstain";
    const cautious = stance === "agree" && level < 0.8 &&
      traitOf(context, matter.id, "condition") > 0;
    const at = Math.abs(traitOf(context, matter.id, "which condition"));
    return {
      on: matter.id,
      stance,
      strength: Math.round(
        between(0.05, stance === "abstain" ? 0.2 : 0.3 + Math.abs(level - 0.5) * 1.3, 1) * 100,
      ) / 100,
      condition: cautious ? conditionFrom({ who, body }, at) : "",
    };
  });
}

/** A condition, as a clause that may follow what is agreed to. */
function conditionFrom(slots: Slots, at: number): string {
  return lowerFirst(phrase(CONDITIONS, slots, () => at)).replace(/\.$/u, "");
}

/** Those who proposed it; where that is not told, whoever is asked knows its own, or they are taken in turn. */
function authorsOf(context: RequestContext, matter: Matter, place: number): readonly string[] {
  if (matter.by !== undefined) return matter.by;
  if (matter.text !== "") {
    return ownProposals(context).includes(matter.text) ? [context.participant] : [];
  }
  const ids = [context.participant, ...context.opponents.map(({ id }) => id)].sort();
  return [ids[place % ids.length]!];
}

function levelOf(context: RequestContext, matter: Matter, by: readonly string[]): number {
  const { seed, persona = "", about, participant } = context;
  if (by.includes(participant)) return 0.9 + 0.05 * traitOf(context, matter.id);
  const terms = termsOf(matter.text);
  const cares = termsOf(`${context.position ?? ""} ${persona}`);
  const start = 0.34 + 0.14 * traitOf(context, matter.id, "start") + 0.12 * shareIn(terms, cares) -
    (opposes(context, by) ? 0.06 : 0) + (SEEKS_ACCORD.test(persona) ? 0.08 : 0);
  const heard =
    about.filter((each) =>
      each.participant !== participant && shareIn(terms, termsOf(each.body)) >= 0.3
    ).length;
  const come = 0.2 * opennessTo(matter, seed) * (turnsSoFar(context) + Math.min(1, heard * 0.5));
  return Math.min(0.95, Math.min(start, 0.55) + come);
}

const SEEKS_ACCORD = /\b(consensus|agree|common ground|mediat|bridg|compromis|harmon)/iu;

/** How a convening goes: in most minds open up, in some about a part of the proposals, in some about none. */
function opennessTo(matter: Matter, seed: number): number {
  const temper = mixSeed(seed, "temper") % 10;
  if (temper < 5) return 1;
  return temper < 8 && seededRandom(mixSeed(seed, "temper", matter.id))() < 0.5 ? 1 : 0;
}

/** How many turns whoever is asked has about had. */
function turnsSoFar({ round, seq, about, opponents }: RequestContext): number {
  return round > 0 ? round - 1 : Math.ceil((seq > 0 ? seq : about.length) / (opponents.length + 1));
}

function opposes(context: RequestContext, by: readonly string[]): boolean {
  const own = sideOf(context);
  return own !== "own" && context.opponents.some(({ id, position }) => {
    const side = sideOfPosition(position ?? "", context.topic);
    return by.includes(id) && side !== undefined && side !== "own" && side !== own;
  });
}

const StanceData = z.object({
  on: z.array(MatterType).min(1),
  when: z.enum(["before", "after", "turn"]).default("turn"),
  listener: z.boolean().default(false),
});

/** What a stance is asked on; undefined where data does not say. */
export function mattersIn(data: unknown): readonly Matter[] | undefined {
  const read = StanceData.safeParse(data);
  return read.success ? read.data.on : undefined;
}

/** A participant's stance on proposals, or a listener's on the sides. */
export function stanceAnswer(asked: Asked): unknown {
  const data = StanceData.safeParse(asked.context.data);
  if (!data.success) return undefined;
  const { on, when, listener } = data.data;
  const names = new Set(choicesOf(asked.root, ["stances", "on"]));
  const nameOf = (id: string) =>
    names.size === 0 || names.has(id) ? id : on.find((each) => each.id === id)?.label ?? id;
  const { reasons, stances } = listener
    ? listened(asked, on, { heard: when !== "before" })
    : spokenFor(asked, on);
  return { reasons, stances: stances.map((each) => ({ ...each, on: nameOf(each.on) })) };
}

/** What is held, and why. */
interface Standing {
  readonly reasons: string;
  readonly stances: readonly Held[];
}

function spokenFor(asked: Asked, on: readonly Matter[]): Standing {
  const stances = holdings(asked.context, on);
  return { reasons: reasonsFor(asked, stances), stances };
}

const HOLDS: Readonly<Record<Held["stance"], readonly string[]>> = {
  agree: [
    "I can [live with|agree to] {on}, since {who} [lose nothing|gain something] that way",
    "my [agreement|support] goes to {on}, with {stake} in view",
  ],
  disagree: [
    "I [do not accept|am against] {on} in the present form, since {who} would [pay|answer] for the result",
    "I [cannot|do not] agree to {on} as long as so much is asked of {who}",
  ],
  abstain: [
    "on {on} I am undecided, for {stake} could be [served|harmed] as [well|easily] as not",
    "I [wait|hold back] on {on} until I know what would [become of|change for] {who}",
  ],
};

/** The reasons for what is held, one sentence for each kind of stance. */
export function reasonsFor({ context, random }: Asked, held: readonly Held[]): string {
  const { who, stake } = domainOf(context.topic, context.position ?? "");
  return (["agree", "disagree", "abstain"] as const).flatMap((stance) => {
    const on = held.filter((each) => each.stance === stance).map((each) => each.on);
    if (on.length === 0) return [];
    const [last = "", ...others] = [...on].reverse();
    const list = others.length === 0 ? last : `${others.reverse().join(", ")} and ${last}`;
    return [phrase(HOLDS[stance], { who, stake, on: [list] }, random)];
  }).join(" ");
}

/** What a listener holds of the sides: at first by temper alone, then moved by how well each made its case. */
function listened(
  { context, random }: Asked,
  sides: readonly Matter[],
  { heard }: { readonly heard: boolean },
): Standing {
  const cases = sides.map(({ id, label, by = [id] }) => {
    const said = context.about.filter((each) =>
      by.includes(each.participant) || each.label === label
    );
    return caseOf(context, said.map(({ body }) => body));
  });
  const level = meanOf(cases);
  const levels = sides.map(({ id }, i) => {
    const moved = 6 * (cases[i]! - level) + 0.3 * traitOf(context, "heard", id);
    return 0.5 * traitOf(context, "leaning", id) + (heard ? moved : 0);
  });
  const best = levels.indexOf(Math.max(...levels));
  const open = levels[best]! - meanOf(levels) < (heard ? 0.06 : 0.16);
  const stances = levels.map((each, i): Held => {
    const apart = Math.abs(each - meanOf(levels));
    const stance = open || (i !== best && apart < 0.05)
      ? "abstain"
      : i === best
      ? "agree"
      : "disagree";
    const strength = between(0.05, (open ? 0.1 : 0.35) + apart, 1);
    return { on: sides[i]!.id, stance, strength: Math.round(strength * 100) / 100, condition: "" };
  });
  const says = open ? UNDECIDED : heard ? LEANS.after : LEANS.before;
  const label = [sides[best]!.label ?? sides[best]!.id];
  return { reasons: phrase(says, { label }, random), stances };
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / Math.max(1, numbers.length);
}

const UNDECIDED: readonly string[] = [
  "neither side has [won me over|convinced me], so I [leave|keep] the question open",
  "I [see|hear] grounds on every side and none that [decides|settles] it",
];

const LEANS = {
  before: [
    "I have heard nothing yet; from what I bring with me I lean towards {label}",
    "before any argument my [first|own] inclination is with {label}",
  ],
  after: [
    "over the whole discussion {label} [gave|joined] reasons best and took up what was said",
    "the case of {label} [held|stood] better where the sides met",
  ],
} satisfies Readonly<Record<string, readonly string[]>>;

/** How well a case was made, from 0 to 1. */
function caseOf({ topic }: RequestContext, bodies: readonly string[]): number {
  return meanOf(bodies.map((body) => {
    const { logic, evidence, response, style } = featuresOf(body, "", topic);
    return (logic + evidence + response + style) / 4;
  }));
}
