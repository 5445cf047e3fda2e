import { z } from "zod";
import { mixSeed, seededRandom, shuffled } from "../../core/random.ts";
import { checkTopic, TOPIC_LENGTH } from "../../core/topic.ts";
import type { Asked } from "./phrasing.ts";
import { ANGLES, SCOPES } from "./phrases_topics.ts";
import { quote, readTopic } from "./topic_grammar.ts";

const TopicsData = z.object({ subject: z.string(), count: z.number().int().min(1).max(500) });

/** How many code points of a subject a topic names. */
const LONGEST_SUBJECT = 90;
/** What is debated where a subject cannot be named. */
const UNNAMED = "subjects that many people would rather not discuss";

/** Debatable questions about a subject, each from an angle of its own as long as there are any. */
export function topicsAnswer({ context }: Asked): unknown {
  const data = TopicsData.safeParse(context.data);
  if (!data.success) return undefined;
  const { subject, count } = data.data;
  const name = nameOf(subject);
  const salt = mixSeed(context.seed, "topics", subject);
  const random = seededRandom(salt);
  const angles = shuffled(ANGLES, random);
  const topics: string[] = [];
  const seen = new Set<string>();
  const add = (topic: string) => {
    if (topics.length >= count || seen.has(topic.toLowerCase()) || !keepsRule(topic)) return;
    seen.add(topic.toLowerCase());
    topics.push(topic);
  };
  const whole = subject.replace(/\s+/gu, " ").trim();
  if (/[?？؟]$/u.test(whole)) add(whole);
  for (const scope of ["", ...shuffled(SCOPES, random)]) {
    for (const turn of [0, 1]) {
      for (const [i, questions] of angles.entries()) {
        const question = questions[(salt + i + turn) % questions.length]!;
        add(`${question.replaceAll("{s}", () => name)}${scope === "" ? "" : `, ${scope}`}?`);
      }
    }
  }
  return { topics };
}

/** A subject as it is named within a question: a plain English phrase as it stands, anything else in quotation marks. */
function nameOf(subject: string): string {
  const plain = subject.replace(/[\p{Cc}\p{Cf}]+/gu, " ").replace(/\s+/gu, " ").trim();
  if (!/[\p{L}\p{N}]/u.test(plain)) return UNNAMED;
  const short = cut(plain);
  if (/^[A-Za-z\d]{1,3}$/u.test(short)) return short;
  const reading = readTopic(short);
  const act = reading.kind === "phrase" || reading.kind === "proposal" ? reading.act : undefined;
  const name = act !== undefined && /^[\p{L}\p{N} ,’'&()/+-]+$/u.test(act) ? act : quote(short);
  return keepsRule(`Is there too much of ${name}?`) ? name : UNNAMED;
}

/** The beginning of a long subject, whole words where it can be. */
function cut(text: string): string {
  const letters = [...text];
  if (letters.length <= LONGEST_SUBJECT) return text;
  const start = letters.slice(0, LONGEST_SUBJECT).join("");
  const space = start.lastIndexOf(" ");
  return `${space > LONGEST_SUBJECT / 2 ? start.slice(0, space) : start} …`;
}

function keepsRule(topic: string): boolean {
  try {
    // Counted in UTF-16 as well, as schemas do.
    return checkTopic(topic) === topic && topic.length <= TOPIC_LENGTH.max;
  } catch {
    return false;
  }
}
