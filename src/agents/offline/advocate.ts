import { passageOf } from "./quotation.ts";
import {
  AGREEMENTS,
  ANSWERED,
  CLOSING_ENDS,
  CLOSING_STARTS,
  CONCESSIONS,
  INTROS,
  OPENING_ENDS,
  RECALLS,
  REPLIES,
  SHORT_AGREEMENTS,
  SHORT_REPLIES,
  THEMES,
  TURNS,
} from "./phrases.ts";
import type { Schema, SchemaRole } from "./schema.ts";
import { answering, fromPlace, type Piece, type Speech } from "./speech.ts";
import { sideOf } from "./stance.ts";

/** What is said: sentences as long as they are wanted, then the last ones. */
export interface Plan {
  readonly pieces: Iterable<Piece>;
  readonly end: readonly Piece[];
}

type Step = SchemaRole | "concede" | "lens";

const PATTERNS: readonly (readonly Step[])[] = [
  ["claim", "reason", "example", "so"],
  ["claim", "example", "reason", "so"],
  ["claim", "reason", "concede", "so"],
  ["claim", "lens", "reason", "example"],
  ["example", "claim", "reason", "so"],
  ["claim", "concede", "reason", "example"],
  ["claim", "reason", "lens", "so"],
];

/** An opening statement: a stand, its grounds, a last word; it answers nobody. */
export function opening(speech: Speech): Plan {
  const { writer, stance } = speech;
  const intro = writer.write(INTROS[stance.mode], "first");
  return {
    pieces: chain([{ text: intro, opens: true }], points(speech, speech.schemas, false)),
    end: [{ text: writer.write(OPENING_ENDS, "first", { group: "end" }) }],
  };
}

/** An argument of a round. */
export function argument(speech: Speech): Plan {
  const { context, schemas } = speech;
  const place = context.round > 0 ? 3 * context.round : 2 * context.seq + 3;
  return { pieces: points(speech, fromPlace(schemas, place), true), end: [] };
}

/** A rebuttal: what was argued, in its own words, what is wrong with it, and what speaks for the other side there. */
export function rebuttal(speech: Speech): Plan {
  const { context, writer, schemas } = speech;
  const target = context.about.at(-1);
  if (target === undefined) return argument(speech);
  const label = [target.label];
  const q = passageOf(target.body, context.topic);
  const head: Piece[] = [];
  if (q !== undefined) {
    head.push({ text: writer.write(REPLIES, "first", { more: { label, q: [q] } }), opens: true });
  }
  head.push({
    text: writer.write(TURNS, "turn", { more: { label }, group: "turn" }),
    opens: q === undefined,
  });
  const place = fromPlace(schemas, 3 * context.round + 8);
  return {
    pieces: chain(head, points(speech, answering(place, target.body), true, "counter")),
    end: [],
  };
}

/** A closing statement: the side's own points, what was held against them, and a request. */
export function closing(speech: Speech): Plan {
  const { context, writer, stance, schemas } = speech;
  const own = context.about.filter((each) => each.participant === context.participant);
  const others = context.about.filter((each) => each.participant !== context.participant);
  const pieces: Piece[] = [{ text: writer.write(CLOSING_STARTS, "first"), opens: true }];
  const themes = { t1: [schemas[0]!.theme], t2: [schemas[1]!.theme] };
  pieces.push({ text: writer.write(THEMES, "first", { more: themes }) });
  const mine = own.at(Math.floor(speech.random() * own.length));
  const q = mine && passageOf(mine.body, context.topic);
  if (q) pieces.push({ text: writer.write(RECALLS, "first", { more: { q: [q] } }), opens: true });
  const theirs = others.at(-1);
  const said = theirs && passageOf(theirs.body, context.topic, { rank: 1 });
  if (theirs && said) {
    pieces.push({
      text: writer.write(ANSWERED, "first", { more: { q: [said], label: [theirs.label] } }),
      opens: !q,
    });
  }
  const place = [...schemas.slice(0, 3), ...schemas.slice(12)];
  return {
    pieces: chain(pieces, summingUp(speech, place)),
    end: [{
      text: writer.write(CLOSING_ENDS[stance.mode], "first", { group: "end" }),
      opens: true,
    }],
  };
}

/** A turn of a conversation: it takes up the last message and goes on from there. A short one mostly quotes nothing. */
export function statement(speech: Speech, short: boolean): Plan {
  const { context, writer, stance, schemas, random } = speech;
  const last = context.about.findLast((each) => each.participant !== context.participant);
  if (last === undefined) {
    const intro = writer.write(INTROS[stance.mode], "first");
    return {
      pieces: chain([{ text: intro, opens: true }], points(speech, schemas, false)),
      end: [],
    };
  }
  const label = [last.label];
  const agrees = sameSide(speech, last.participant);
  const place = fromPlace(schemas, 2 * context.seq + 1);
  const next = random() < 0.5 ? answering(place.slice(0, 6), last.body) : place;
  const q = passageOf(last.body, context.topic, { maxWords: 18 });
  const head: Piece[] = [];
  if (q === undefined || (short && random() < 0.75)) {
    const more = { label, theme: [next[0]!.theme] };
    head.push({
      text: writer.write(agrees ? SHORT_AGREEMENTS : SHORT_REPLIES, "first", { more }),
      opens: true,
    });
    return { pieces: chain(head, points(speech, next, true, "none", false)), end: [] };
  }
  const list = agrees ? AGREEMENTS : REPLIES;
  head.push({ text: writer.write(list, "first", { more: { label, q: [q] } }), opens: true });
  if (!agrees && !short) {
    head.push({ text: writer.write(TURNS, "turn", { more: { label }, group: "turn" }) });
  }
  return { pieces: chain(head, points(speech, next, true, agrees ? "claim" : "counter")), end: [] };
}

function sameSide({ context }: Speech, participant: string): boolean {
  const other = context.opponents.find((each) => each.id === participant);
  if (other === undefined) return true;
  const opponents = [...context.opponents.filter((each) => each !== other), {
    id: context.participant,
    label: context.label,
    position: context.position,
  }];
  const side = sideOf(context);
  return side !== "own" &&
    side === sideOf({ ...context, participant, position: other.position, opponents });
}

/** Paragraphs, one line of thought each. `lead` names the connectives of the first one. */
function* points(
  speech: Speech,
  schemas: readonly Schema[],
  plain: boolean,
  lead = "first",
  breaks = true,
): Generator<Piece> {
  const { writer, random, lens, stance } = speech;
  const once = new Set<Step>(lens.length > 0 ? ["concede", "lens"] : ["concede"]);
  let part = lead;
  for (const schema of schemas) {
    let pattern = PATTERNS[Math.floor(random() * PATTERNS.length)]!;
    if (!plain || lead === "counter") pattern = pattern[0] === "example" ? PATTERNS[0]! : pattern;
    let opens = breaks || part !== lead;
    for (const step of lens.length > 0 && once.has("lens") ? withLens(pattern) : pattern) {
      if (step === "concede" || step === "lens") {
        if (!once.delete(step)) continue;
        const list = step === "lens" ? lens : CONCESSIONS[stance.mode];
        yield { text: writer.write(list, step, { group: step }), opens };
      } else {
        const connective = step === "claim" ? opens ? part : "none" : step;
        yield {
          text: writer.write(schema[step], opens && step !== "claim" ? "none" : connective, {
            group: schema.theme,
          }),
          opens,
        };
      }
      opens = false;
    }
    part = "claim";
  }
}

function withLens(pattern: readonly Step[]): readonly Step[] {
  return pattern.includes("lens") ? pattern : [pattern[0]!, "lens", ...pattern.slice(1)];
}

/** What the lines of thought come to, then the reasons once more. */
function* summingUp({ writer, stance }: Speech, schemas: readonly Schema[]): Generator<Piece> {
  for (const [i, schema] of schemas.entries()) {
    yield {
      text: writer.write(schema.reason, i === 0 ? "none" : "claim", { group: schema.theme }),
      opens: true,
    };
    yield { text: writer.write(schema.so, "so", { group: schema.theme }) };
    if (i === 0) {
      yield { text: writer.write(CONCESSIONS[stance.mode], "concede", { group: "concede" }) };
    }
  }
}

function* chain(...lists: readonly Iterable<Piece>[]): Generator<Piece> {
  for (const list of lists) yield* list;
}
