import { z } from "zod";
import { wordsOf } from "./domains.ts";
import { type Asked, between, phrase, traitOf } from "./phrasing.ts";
import { choicesOf } from "./shape.ts";
import { shareIn, termsOf } from "./terms.ts";

const Spoken = z.record(z.string(), z.number());
const BidData = z.object({ spoken: Spoken.default({}) });
const NextData = z.object({
  labels: z.record(z.string(), z.string()),
  spoken: Spoken.default({}),
  last: z.string().optional(),
});

/** What raises or lowers a bid, and the sentences that give it as the reason. */
interface Ground {
  readonly by: number;
  readonly says: readonly string[];
}

const SAYS = {
  own: [
    "I spoke last, and it is for {others} to [take it up|answer] now",
    "what I [said|put forward] a moment ago should [stand|be answered] before I [add|say] more",
  ],
  addressed: [
    "{label} [turned to|addressed] me, and I [should|would like to] [answer|reply]",
    "I was [asked|named] by {label}, so an answer is [due|mine to give]",
  ],
  subject: [
    "what {label} said [bears|touches] on the very [point|matter] I [care|speak] for",
    "{label} came close to my own [ground|subject], and I can [carry|take] it further",
  ],
  silent: [
    "I have [spoken less|said less] than the others so far",
    "the others have been [heard|speaking] more often than I have",
  ],
  heard: [
    "I have had the [floor|word] more often than the others",
    "others should be [heard|given the floor] before I [speak|go on]",
  ],
  truth: [
    "something was [stated|asserted] that ought to be [tested|checked] before we [go on|build on it]",
    "a [claim|statement] was made that I would [like|want] to [see|hear] tested",
  ],
  accord: [
    "the [last words|last turn] set two sides [apart|against each other], and I [see|hear] a way to bring them closer",
    "there is a disagreement here that I could [help to narrow|narrow]",
  ],
  drive: [
    "I have a [point|line] of my own to make and [want|mean] to make it [now|soon]",
    "there is an argument of mine that [waits|has waited] long enough",
  ],
  reserve: [
    "I would [rather|sooner] listen a little longer",
    "I can wait until there is something that needs me",
  ],
  plain: [
    "I could [add|contribute] something, though it need not be now",
    "nothing [presses|calls] me to speak at once, and nothing [keeps|stops] me either",
  ],
} satisfies Readonly<Record<string, readonly string[]>>;

/** How much a participant wants the next turn: addressed, unheard, on its subject, by its motive. */
export function bidAnswer({ context, random }: Asked): unknown {
  const { participant, about, opponents } = context;
  const data = BidData.safeParse(context.data);
  const spoken = data.success ? data.data.spoken : {};
  const last = about.at(-1);
  const others = opponents.map(({ id }) => spoken[id] ?? 0);
  const mean = others.reduce((sum, each) => sum + each, 0) / Math.max(1, others.length);
  const behind = between(-0.3, (mean - (spoken[participant] ?? mean)) * 0.15, 0.3);
  const grounds: Ground[] = [
    { by: behind, says: behind > 0 ? SAYS.silent : SAYS.heard },
    ...(last === undefined
      ? []
      : last.participant === participant
      ? [{ by: -0.35, says: SAYS.own }]
      : groundsIn(last.body, context)),
    ...motives(context.persona ?? "", last?.body ?? ""),
  ];
  const strongest = grounds.reduce((a, b) => Math.abs(b.by) > Math.abs(a.by) ? b : a);
  const drawn = traitOf(context, "bid") * 0.06 + (random() - 0.5) * 0.12;
  const bid = grounds.reduce((sum, each) => sum + each.by, 0.42 + drawn);
  const says = Math.abs(strongest.by) < 0.06 ? SAYS.plain : strongest.says;
  const slots = {
    label: [last?.label ?? context.label],
    others: opponents.length === 1 ? [opponents[0]!.label] : ["the others"],
  };
  return {
    reason: phrase(says, slots, random),
    bid: Math.round(between(0, bid, 1) * 100) / 100,
  };
}

function groundsIn(body: string, { label, topic, position = "" }: Asked["context"]): Ground[] {
  const grounds: Ground[] = [];
  if (names(body, label)) grounds.push({ by: 0.32, says: SAYS.addressed });
  const own = termsOf(position === "" ? topic : position);
  const by = 0.22 * shareIn(own, termsOf(body));
  return [...grounds, { by, says: SAYS.subject }];
}

/** What drives a participant, read out of its persona. */
function motives(persona: string, body: string): Ground[] {
  const said = (pattern: RegExp) => pattern.test(persona);
  const grounds: Ground[] = [];
  if (said(/\b(truth|accura|correct|evidence|scien|fact|honest)/iu)) {
    const stated = /\d|\b(because|always|never|all|every|proves?|clearly|certain\w*)\b/iu.test(
      body,
    );
    grounds.push({ by: stated ? 0.14 : -0.04, says: SAYS.truth });
  }
  if (said(/\b(consensus|agree|common ground|mediat|bridg|compromis|harmon)/iu)) {
    const apart = /\b(but|however|wrong|disagree|against|cannot|not)\b/iu.test(body);
    grounds.push({ by: apart ? 0.14 : -0.06, says: SAYS.accord });
  }
  if (said(/\b(win|persua|domina|compet|ambiti|assert|bold|passion)/iu)) {
    grounds.push({ by: 0.13, says: SAYS.drive });
  }
  if (said(/\b(shy|reserved|quiet|listen|humble|cautious|modest)/iu)) {
    grounds.push({ by: -0.13, says: SAYS.reserve });
  }
  return grounds;
}

const CALLS = {
  addressed: [
    "{label} was [addressed|named] in the last turn and should [answer|have the reply]",
    "the last [turn|words] went to {label}, who [ought|should be able] to answer",
  ],
  silent: [
    "{label} has [spoken|been heard] least so far",
    "it is time to hear {label}, who has had the [fewest|least] turns",
  ],
  drawn: [
    "{label} has not [spoken|had the floor] just now and may [move|bring] the discussion on",
    "all have been heard alike, so I [call|turn to] {label} next",
  ],
} satisfies Readonly<Record<string, readonly string[]>>;

/** Whom a moderator calls: whoever was addressed, else whoever was heard least, never whoever spoke last. */
export function nextSpeakerAnswer({ context, root, random }: Asked): unknown {
  const data = NextData.safeParse(context.data);
  if (!data.success) return undefined;
  const { labels, spoken } = data.data;
  const last = context.about.at(-1);
  const lastId = data.data.last ?? last?.participant;
  const allowed = new Set(choicesOf(root, ["speaker"]));
  const rows = Object.entries(labels)
    .filter(([, label]) => allowed.size === 0 || allowed.has(label))
    .filter(([id], _, all) => all.length === 1 || id !== lastId)
    .map(([id, label]) => ({
      label,
      turns: spoken[id] ?? 0,
      addressed: last !== undefined && last.participant !== id && names(last.body, label),
      drawn: random(),
    }));
  if (rows.length === 0) return undefined;
  const least = Math.min(...rows.map(({ turns }) => turns));
  const rate = (row: (typeof rows)[number]) =>
    (row.addressed ? 1.5 : 0) - (row.turns - least) + row.drawn * 0.5;
  const chosen = rows.reduce((a, b) => rate(b) > rate(a) ? b : a);
  const says = chosen.addressed
    ? CALLS.addressed
    : chosen.turns === least && rows.some(({ turns }) => turns > least)
    ? CALLS.silent
    : CALLS.drawn;
  return { reason: phrase(says, { label: [chosen.label] }, random), speaker: chosen.label };
}

/** Whether a text speaks of someone by its label, as whole words in order. */
function names(body: string, label: string): boolean {
  const name = wordsOf(label).join(" ");
  return name !== "" && ` ${wordsOf(body).join(" ")} `.includes(` ${name} `);
}
