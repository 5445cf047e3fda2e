import type { Plan } from "./points.ts";
import { MODERATOR } from "./moderator_phrases.ts";
import { passageOf } from "./quotation.ts";
import type { Piece, Speech } from "./speech.ts";
import { sideOfPosition } from "./stance.ts";
import { quote, readTopic } from "./topic_grammar.ts";

/** The sides and the question, and how they will be heard. */
export function introduction({ context, writer }: Speech): Plan {
  const topic = [quote(context.topic)];
  const pieces: Piece[] = [{
    text: writer.write(MODERATOR.welcome, "first", { more: { topic } }),
    opens: true,
  }];
  for (const [i, { label, position }] of context.opponents.entries()) {
    if (position === undefined) continue;
    const q = [positionClause(context.topic, position)];
    const list = rotated(MODERATOR.side, i + Math.floor(context.seed % 97));
    pieces.push({
      text: writer.write(list, "first", { more: { label: [label], q } }),
      opens: i === 0,
    });
  }
  pieces.push({
    text: writer.write(MODERATOR.background, "first", { group: "background" }),
    opens: true,
  });
  pieces.push({ text: writer.write(MODERATOR.task, "first", { group: "task" }) });
  return {
    pieces,
    end: [{ text: writer.write(MODERATOR.rules, "first", { group: "rules" }), opens: true }],
  };
}

/** A position as a clause: of the topic where it says yes or no, else in its own words. */
function positionClause(topic: string, position: string): string {
  const side = sideOfPosition(position, topic);
  const read = readTopic(topic);
  if (side === "yes") return read.yes;
  if (side === "no") return read.no;
  const own = readTopic(position);
  return own.kind === "claim" || own.kind === "proposal"
    ? own.yes
    : quote([...position].slice(0, 160).join(""));
}

/** What was said in a round, side by side, in the sides' own words. */
export function roundSummary(speech: Speech): Plan {
  const { context, writer } = speech;
  const start = writer.write(MODERATOR.roundStart, "first", {
    more: { n: [String(context.round)] },
  });
  return {
    pieces: [{ text: start, opens: true }, ...sides(speech, 2)],
    end: [{ text: writer.write(MODERATOR.next, "first", { group: "next" }), opens: true }],
  };
}

/** The opening words of a round: the question again, and who begins. */
export function roundIntroduction({ context, writer }: Speech): Plan {
  const more = { topic: [quote(context.topic)], n: [String(Math.max(1, context.round))] };
  const pieces: Piece[] = [
    { text: writer.write(MODERATOR.roundOpen, "first", { more, settled: true }), opens: true },
    { text: writer.write(MODERATOR.background, "none", { group: "background" }) },
  ];
  const [first] = context.opponents;
  if (first === undefined) return { pieces, end: [] };
  const label = [first.label];
  return {
    pieces,
    end: [{ text: writer.write(MODERATOR.roundOrder, "none", { more: { label } }) }],
  };
}

/** A word of the moderator to whoever spoke last: what it has to answer for. */
export function interruption(speech: Speech): Plan {
  const { context, writer } = speech;
  const last = context.about.at(-1);
  const q = last && passageOf(last.body, context.topic, { maxWords: 22 });
  if (last === undefined || q === undefined) return roundIntroduction(speech);
  const more = { label: [last.label], q: [q] };
  return { pieces: [{ text: writer.write(MODERATOR.interrupts, "first", { more }) }], end: [] };
}

/** What was said in all: each side by its label, common ground, difference; no decision. */
export function summary(speech: Speech): Plan {
  const { context, writer } = speech;
  const topic = [quote(context.topic)];
  const ends = context.role === "judge" ? MODERATOR.judged : MODERATOR.end;
  const start = writer.write(MODERATOR.summaryStart, "first", { more: { topic } });
  return {
    pieces: [{ text: start, opens: true }, ...sides(speech, 3)],
    end: [
      { text: writer.write(MODERATOR.differ, "first", { group: "differ" }), opens: true },
      { text: writer.write(ends, "first", { group: "end" }) },
    ],
  };
}

/** A summary of older turns: who said what, one sentence each, for prompts. */
export function fold(speech: Speech, room: number): Plan {
  const { context, writer } = speech;
  const maxWords = Math.max(
    6,
    Math.min(30, Math.floor(room / 1.5 / Math.max(1, context.about.length)) - 6),
  );
  const pieces = context.about.flatMap(({ label, body }, i): Piece[] => {
    const q = passageOf(body, context.topic, { maxWords });
    if (q === undefined) return [];
    const list = rotated(MODERATOR.folded, i);
    return [{
      text: writer.write(list, "none", {
        more: { label: [label], q: [q], n: [String(context.round)] },
        settled: true,
      }),
      opens: i % 4 === 0,
    }];
  });
  if (pieces.length === 0) {
    return { pieces: [{ text: writer.write(MODERATOR.differ, "none") }], end: [] };
  }
  return { pieces, end: [] };
}

/** One paragraph a side: its most telling passages, from different turns where there are several. */
function sides({ context, writer }: Speech, most: number): Piece[] {
  const by = new Map<string, { label: string; bodies: string[] }>();
  for (const { participant, label, body } of context.about) {
    if (participant === context.participant) continue;
    const side = by.get(participant) ?? { label, bodies: [] };
    side.bodies.push(body);
    by.set(participant, side);
  }
  const perSide = by.size > 3 ? 1 : most;
  return [...by.values()].flatMap(({ label, bodies }, i) => {
    const picked = spread(bodies, perSide);
    return picked.flatMap((body, j): Piece[] => {
      const rank = context.kind === "summary" ? 1 : 0;
      const q = passageOf(body, context.topic, { rank, maxWords: 30, clip: false });
      if (q === undefined) return [];
      const overall = context.kind === "summary";
      const list = j > 0
        ? overall ? MODERATOR.overallMore : MODERATOR.saidMore
        : overall
        ? MODERATOR.overall
        : MODERATOR.said;
      return [{
        text: writer.write(rotated(list, i + j), "none", {
          more: { label: [label], q: [q], n: [String(context.round)] },
          settled: true,
        }),
        opens: j === 0,
      }];
    });
  });
}

/** At most `count` of a list, spread over it, the first and the last among them. */
function spread<T>(items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items];
  if (count === 1) return [items[0]!];
  return Array.from(
    { length: count },
    (_, i) => items[Math.round(i * (items.length - 1) / (count - 1))]!,
  );
}

function rotated<T>(items: readonly T[], by: number): T[] {
  return items.map((_, i) => items[(i + by) % items.length]!);
}
