import { z } from "zod";
import type { RequestContext } from "../../core/agent.ts";
import { mixSeed } from "../../core/random.ts";
import { domainOf } from "./domains.ts";
import { lensOf } from "./personas.ts";
import { type Asked, phrase } from "./phrasing.ts";
import { LENS_PROPOSALS, PROPOSAL_REASONS, PROPOSALS } from "./phrases_proposals.ts";
import { stanceOf } from "./stance.ts";
import { capacity, fill, type Slots } from "./template.ts";
import { likeness, termsOf } from "./terms.ts";
import { finish } from "./writer.ts";

/** From this share of common terms on, two proposals are one. */
const ALIKE = 0.62;

/** One or two things a participant would have all agree on, from its position and persona; no two participants' are alike. */
export function proposalsAnswer({ context, random }: Asked): unknown {
  const { who, stake } = domainOf(context.topic, context.position ?? "");
  const two = lensOf(context.persona).id !== undefined || random() < 0.5;
  return {
    reasons: phrase(PROPOSAL_REASONS, { who, stake }, random),
    proposals: ownProposals(context).slice(0, two ? 2 : 1),
  };
}

/** What a participant proposes, or would propose as the second thing. */
export function ownProposals(context: RequestContext): readonly string[] {
  const { mode, own, it } = stanceOf(context);
  const { who, stake, body, one } = domainOf(context.topic, context.position ?? "");
  const slots = { who, stake, body, one, own: [own], it };
  const lens = lensOf(context.persona);
  const rank = rankOf(context);
  const lists = lens.id === undefined
    ? [PROPOSALS[mode]]
    : [LENS_PROPOSALS[lens.id] ?? PROPOSALS[mode], PROPOSALS[mode]];
  return [0, 1].map((i) => {
    const list = lists[i % lists.length]!;
    // Everybody has numbers of its own in each list, so that nothing is proposed twice.
    return proposal(list, lists.length === 2 ? rank : 2 * rank + i, { slots, seed: context.seed });
  });
}

/** The place of whoever is asked among all who take part. */
function rankOf({ participant, opponents }: RequestContext): number {
  return [...opponents.map(({ id }) => id), participant].sort().indexOf(participant);
}

function proposal(
  list: readonly string[],
  number: number,
  { slots, seed }: { readonly slots: Slots; readonly seed: number },
): string {
  const salt = mixSeed(seed, list[0]!) % 65521;
  const template = list[(number + salt) % list.length]!;
  const again = Math.floor(number / list.length);
  const at = (mixSeed(seed, template) + again) % capacity(template, slots);
  return finish(fill(template, at, { slots, salt, focus: (_, first) => first }));
}

const MergeData = z.object({
  proposals: z.array(
    z.object({ number: z.number(), label: z.string().default(""), text: z.string() }),
  )
    .min(1),
});

/** One list of all that was proposed: what is nearly the same becomes one, in its fuller wording. */
export function mergedAnswer({ context }: Asked): unknown {
  const data = MergeData.safeParse(context.data);
  if (!data.success) return undefined;
  const groups: { text: string; from: number[]; terms: Set<string> }[] = [];
  for (const { number, text } of data.data.proposals) {
    const terms = termsOf(text);
    const same = groups.find((group) => likeness(group.terms, terms) >= ALIKE);
    if (same === undefined) groups.push({ text, from: [number], terms });
    else {
      same.from.push(number);
      if (text.length > same.text.length) Object.assign(same, { text, terms });
    }
  }
  const joined = groups.filter(({ from }) => from.length > 1);
  const reasons = joined.length === 0
    ? `No two of the ${data.data.proposals.length} proposals ask for the same, so all of them stay.`
    : `${
      joined.map(({ from }) => `Proposals ${from.join(" and ")} ask for the same in other words`)
        .join("; ")
    }; the others stay as they are.`;
  return { reasons, proposals: groups.map(({ text, from }) => ({ text, from })) };
}
