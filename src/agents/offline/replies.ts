import type { RequestContext } from "../../core/agent.ts";
import type { Plan } from "./points.ts";
import { chain, points } from "./points.ts";
import {
  AUDIENCE_QUESTIONS,
  AUDIENCE_REMARKS,
  CONCEDES,
  DEFENDS,
  KEEPS_RULE,
  QUALIFIES,
  STILL_STANDS,
} from "./phrases_replies.ts";
import { passageOf, sentencesOf } from "./quotation.ts";
import { answering, fromPlace, type Piece, type Speech } from "./speech.ts";
import { quote } from "./topic_grammar.ts";

/** Whom interjections come from; no participant has this id. */
const AUDIENCE = "audience";

/** A context without what the audience said. */
export function withoutAudience(context: RequestContext): RequestContext {
  const about = context.about.filter(({ participant }) => participant !== AUDIENCE);
  return about.length === context.about.length ? context : { ...context, about };
}

/** The sentence that takes up what the audience said last; undefined where the last word was another's. */
export function interjection({ context, writer }: Speech): Piece | undefined {
  const last = context.about.at(-1);
  if (last?.participant !== AUDIENCE) return undefined;
  const question = sentencesOf(last.body.slice(0, 6000)).findLast((each) => /[?？؟]$/u.test(each));
  const list = question === undefined ? AUDIENCE_REMARKS : AUDIENCE_QUESTIONS;
  const q = question === undefined
    ? passageOf(last.body, context.topic, { maxWords: 22 }) ?? quote(shortened(last.body))
    : quote(shortened(question));
  return { text: writer.write(list, "first", { more: { q: [q] } }), opens: true };
}

type Manner = "concedes" | "qualifies" | "defends" | "keepsRule";

const MANNERS: Readonly<Record<Manner, readonly string[]>> = {
  concedes: CONCEDES,
  qualifies: QUALIFIES,
  defends: DEFENDS,
  keepsRule: KEEPS_RULE,
};

/** An answer to the moderator who interrupted: the claim by name, what is made of it, and what of the case stands. */
export function interruptionAnswer(speech: Speech): Plan {
  const { context, writer, schemas } = speech;
  const target = context.about.at(-1);
  const q = target === undefined ? undefined : claimNamed(target.body, context.topic);
  const place = fromPlace(schemas, 2 * context.seq + 5);
  if (target === undefined || q === undefined) {
    return { pieces: points(speech, place, { lead: "none" }), end: [] };
  }
  const manner = mannerFor(target.body, speech.random());
  const head: Piece[] = [
    {
      text: writer.write(MANNERS[manner], "first", { more: { q: [q], label: [target.label] } }),
      opens: true,
    },
    { text: writer.write(STILL_STANDS, "none", { group: "stands" }) },
  ];
  return {
    pieces: chain(head, points(speech, answering(place, target.body), { lead: "none" })),
    end: [],
  };
}

/** What the moderator quotes, else what it says itself. */
function claimNamed(body: string, topic: string): string | undefined {
  const quoted = /“([^”]{8,})”|"([^"]{8,})"|«([^»]{8,})»/u.exec(body);
  const text = quoted?.slice(1).find((each) => each !== undefined) ??
    /^>\s*(.{8,})$/mu.exec(body)?.[1];
  return text === undefined ? passageOf(body, topic, { maxWords: 20 }) : quote(shortened(text));
}

function mannerFor(body: string, drawn: number): Manner {
  const rule = /\b(rules?|person(al)?|civil\w*|respect\w*|courte\w+|length|insult\w*)\b/iu.test(
    body,
  );
  if (rule && !/\b(claims?|facts?|sources?|false|evidence)\b/iu.test(body)) return "keepsRule";
  if (/\b(false|untrue|wrong|incorrect|contradict\w*|refut\w*)\b/iu.test(body)) {
    return drawn < 0.55 ? "concedes" : drawn < 0.85 ? "qualifies" : "defends";
  }
  return drawn < 0.2 ? "concedes" : drawn < 0.6 ? "qualifies" : "defends";
}

/** The first sentence, cut where it is long. */
function shortened(text: string): string {
  const first = sentencesOf(text.slice(0, 2000))[0] ?? text;
  const words = first.split(/\s+/u);
  const kept = words.length > 30 ? `${words.slice(0, 28).join(" ")} …` : words.join(" ");
  return [...kept].length > 220 ? `${[...kept].slice(0, 200).join("")} …` : kept;
}
