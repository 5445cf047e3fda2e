import type { RequestContext } from "../../core/agent.ts";
import { mixSeed, seededRandom, shuffled } from "../../core/random.ts";
import { domainOf, wordsOf } from "./domains.ts";
import { lensOf } from "./personas.ts";
import type { Schema } from "./schema.ts";
import { SCHEMAS_AGAINST } from "./schemas_against.ts";
import { SCHEMAS_FOR } from "./schemas_for.ts";
import { SCHEMAS_THESIS } from "./schemas_thesis.ts";
import { type Stance, stanceOf } from "./stance.ts";
import { Writer } from "./writer.ts";

/** A sentence and whether a paragraph begins with it. */
export interface Piece {
  readonly text: string;
  readonly opens?: boolean;
}

/** Everything one speaker draws on for one message. */
export interface Speech {
  readonly context: RequestContext;
  readonly stance: Stance;
  readonly writer: Writer;
  readonly random: () => number;
  /** The speaker's lines of thought, in the speaker's order. */
  readonly schemas: readonly Schema[];
  /** What the persona adds; may be empty. */
  readonly lens: readonly string[];
  /** Further sentences of the persona; may be empty. */
  readonly lensAdds: readonly string[];
}

const SCHEMAS = {
  for: SCHEMAS_FOR,
  against: SCHEMAS_AGAINST,
  thesis: SCHEMAS_THESIS,
} satisfies Record<Stance["mode"], readonly Schema[]>;

const NOW = [
  "the present arrangement",
  "the status quo",
  "current practice",
  "the present state of affairs",
  "business as usual",
];

/** Numbers of first attempts come first, so that later ones cannot take theirs. */
const FIRST_ATTEMPTS = 25_000;

/** A number no other message or attempt of the convening has. */
export function messageNumber({ seq, attempt }: RequestContext): number {
  const again = Math.max(0, attempt - 1) % 4;
  return seq < FIRST_ATTEMPTS
    ? again * FIRST_ATTEMPTS + seq
    : 4 * FIRST_ATTEMPTS + (seq - FIRST_ATTEMPTS) * 4 + again;
}

/** Prepares a message. */
export function speechFor(context: RequestContext): Speech {
  const { seed, participant, persona = "", position = "" } = context;
  const stance = stanceOf(context);
  const lens = lensOf(context.persona);
  const positions = [position, ...context.opponents.map((each) => each.position ?? "")].sort();
  const domain = domainOf(context.topic, positions.join(" "));
  const { who, one, where, stake, body } = domain;
  const random = seededRandom(
    mixSeed(
      seed,
      context.key,
      participant,
      persona,
      position,
      context.phase,
      context.kind,
      context.round,
      context.attempt,
    ),
  );
  const order = seededRandom(mixSeed(seed, participant, persona, position));
  const slots = {
    ...{ who, one, where, stake, body, now: NOW },
    own: [stance.own],
    act: [stance.act],
    it: stance.it,
    persona: [lens.name],
  };
  return {
    context,
    stance,
    random,
    lens: lens.says,
    lensAdds: lens.adds,
    schemas: shuffled(SCHEMAS[stance.mode], order),
    writer: new Writer({ seed, index: messageNumber(context), slots, random }),
  };
}

/** The lines of thought from `start` on, round and round once. */
export function fromPlace(schemas: readonly Schema[], start: number): Schema[] {
  return schemas.map((_, i) => schemas[(start + i) % schemas.length]!);
}

/** The lines of thought that meet what a text raises, best first; the order given decides between equals. */
export function answering(schemas: readonly Schema[], text: string): Schema[] {
  const said = new Set(wordsOf(text));
  const score = (each: Schema) => each.words.filter((word) => said.has(word)).length;
  return schemas.map((each) => ({ each, score: score(each) }))
    .sort((a, b) => b.score - a.score).map(({ each }) => each);
}
