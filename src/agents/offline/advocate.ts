import { passageOf } from "./quotation.ts";
import {
  AGREEMENTS,
  ANSWERED,
  CLOSING_ENDS,
  CLOSING_STARTS,
  INTROS,
  OPENING_ENDS,
  RECALLS,
  REPLIES,
  SHORT_AGREEMENTS,
  SHORT_REPLIES,
  THEMES,
  TURNS,
} from "./phrases.ts";
import { chain, type Plan, points, summingUp } from "./points.ts";
import { answering, fromPlace, type Piece, type Speech } from "./speech.ts";
import { sideOf } from "./stance.ts";

/** An opening statement: a stand, its grounds, a last word; it answers nobody. */
export function opening(speech: Speech): Plan {
  const { writer, stance } = speech;
  const intro = writer.write(INTROS[stance.mode], "first");
  return {
    pieces: chain([{ text: intro, opens: true }], points(speech, speech.schemas)),
    end: [{ text: writer.write(OPENING_ENDS, "first", { group: "end" }) }],
  };
}

/** An argument of a round. */
export function argument(speech: Speech): Plan {
  const { context, schemas } = speech;
  const place = fromPlace(schemas, context.round > 0 ? 3 * context.round : 2 * context.seq + 3);
  return { pieces: points(speech, place, { plain: true }), end: [] };
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
    pieces: chain(
      head,
      points(speech, answering(place, target.body), {
        plain: true,
        lead: "counter",
      }),
    ),
    end: [],
  };
}

/** A closing statement: the side's own points, what was held against them, and a request. */
export function closing(speech: Speech): Plan {
  const { context, writer, stance, schemas } = speech;
  const own = context.about.filter((each) => each.participant === context.participant);
  const others = context.about.filter((each) =>
    context.opponents.some(({ id }) => id === each.participant)
  );
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
    pieces: chain(
      pieces,
      summingUp(speech, place),
      points(speech, schemas.slice(3, 12), { lead: "claim", concede: false }),
    ),
    end: [{
      text: writer.write(CLOSING_ENDS[stance.mode], "first", { group: "end" }),
      opens: true,
    }],
  };
}

/** A turn of a conversation: it takes up the last message and goes on from there. A short one mostly quotes nothing. */
export function statement(speech: Speech, short: boolean): Plan {
  const { context, writer, stance, schemas, random } = speech;
  const last = context.about.findLast(({ participant }) =>
    context.opponents.some(({ id }) => id === participant)
  );
  if (last === undefined) {
    const intro = writer.write(INTROS[stance.mode], "first");
    return {
      pieces: chain([{ text: intro, opens: true }], points(speech, schemas)),
      end: [],
    };
  }
  const label = [last.label];
  const agrees = sameSide(speech, last.participant);
  const place = fromPlace(schemas, 2 * context.seq + 1);
  const near = answering(place.slice(0, 6), last.body);
  const next = random() < 0.5 ? [...near, ...place.slice(6)] : place;
  const q = passageOf(last.body, context.topic, { maxWords: 18 });
  const head: Piece[] = [];
  if (q === undefined || (short && random() < 0.75)) {
    const more = { label, theme: [next[0]!.theme] };
    head.push({
      text: writer.write(agrees ? SHORT_AGREEMENTS : SHORT_REPLIES, "first", { more }),
      opens: true,
    });
    return {
      pieces: chain(head, points(speech, next, { plain: true, lead: "none", breaks: false })),
      end: [],
    };
  }
  const list = agrees ? AGREEMENTS : REPLIES;
  head.push({ text: writer.write(list, "first", { more: { label, q: [q] } }), opens: true });
  if (!agrees && !short) {
    head.push({ text: writer.write(TURNS, "turn", { more: { label }, group: "turn" }) });
  }
  return {
    pieces: chain(head, points(speech, next, { plain: true, lead: agrees ? "claim" : "counter" })),
    end: [],
  };
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
