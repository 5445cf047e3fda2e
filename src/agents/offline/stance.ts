import type { RequestContext } from "../../core/agent.ts";
import { mixSeed } from "../../core/random.ts";
import { wordsOf } from "./domains.ts";
import { quote, readTopic } from "./topic_grammar.ts";

/** The side someone speaks for, in the words that sentences need. */
export interface Stance {
  /** For or against a proposed change, or for a proposition of one's own. */
  readonly mode: "for" | "against" | "thesis";
  /** The clause that is defended. */
  readonly own: string;
  /** What is proposed, as a noun phrase; only modal verbs may follow it. */
  readonly act: string;
  /** Short names of what is discussed, singular. */
  readonly it: readonly string[];
}

const PROPOSAL = [
  "the proposal",
  "this step",
  "the change",
  "the reform",
  "such a step",
  "the plan",
];
const THESIS = [
  "this view",
  "that conclusion",
  "my claim",
  "this position",
  "this reading",
  "that judgement",
];

/** The side of whoever is asked; without a position, sides alternate over the participants. */
export function stanceOf(context: RequestContext): Stance {
  const topic = readTopic(context.topic);
  const side = sideOf(context);
  const free = side === "own";
  if (!free && (topic.kind === "proposal" || topic.kind === "phrase") && !topic.keeps) {
    const mode = side === "yes" ? "for" : "against";
    const own = side === "yes" ? topic.yes : topic.no;
    return { mode, own, act: shortAct(topic.act), it: PROPOSAL };
  }
  if (!free) {
    const own = side === "yes" ? topic.yes : topic.no;
    return { mode: "thesis", own: shortOwn(own, side), act: topic.act, it: THESIS };
  }
  const position = readTopic(context.position ?? "");
  const own = position.kind === "quoted"
    ? `the answer is best put in the words ${quote(cut(context.position ?? ""))}`
    : position.kind === "phrase"
    ? `the better answer is ${position.act}`
    : position.yes;
  return { mode: "thesis", own: shortOwn(own, "yes"), act: position.act, it: THESIS };
}

/** Which answer to the topic a position gives; `own` when it is a text of its own. */
export function sideOf(context: RequestContext): "yes" | "no" | "own" {
  const given = sideOfPosition(context.position ?? "", context.topic);
  if (given !== undefined) return given;
  const ids = [context.participant, ...context.opponents.map((each) => each.id)].sort();
  if (ids.length > 1) return ids.indexOf(context.participant) % 2 === 0 ? "yes" : "no";
  return mixSeed(context.seed, context.participant) % 2 === 0 ? "yes" : "no";
}

/** Which answer to the topic a position gives; undefined for an empty one. */
export function sideOfPosition(position: string, topic: string): "yes" | "no" | "own" | undefined {
  const text = position.trim();
  const start = text.toLowerCase();
  if (text === "") return undefined;
  if (/^(yes|for|pro|in favou?r|affirmative|support(s|ing)?|agree|proposition)\b/u.test(start)) {
    return "yes";
  }
  if (/^(no|against|con|contra|oppos\w+|negative|disagree|anti)\b/u.test(start)) return "no";
  return sameText(text, topic) ?? "own";
}

/** A position that says the topic itself over again, or denies it. */
function sameText(position: string, topic: string): "yes" | "no" | undefined {
  const read = readTopic(topic);
  const key = (text: string) => wordsOf(text).join(" ");
  if (key(position) === key(read.yes)) return "yes";
  return key(position) === key(read.no) ? "no" : undefined;
}

const LONG = 14;

function shortAct(act: string): string {
  return wordsOf(act).length > LONG ? "the step the motion asks for" : act;
}

function shortOwn(own: string, side: "yes" | "no"): string {
  if (wordsOf(own).length <= LONG + 4 && own.length <= 130) return own;
  return side === "yes" ? "the answer to the question is yes" : "the answer to the question is no";
}

function cut(text: string): string {
  const words = text.replace(/\s+/gu, " ").trim().split(" ");
  const short = words.slice(0, 14).join(" ");
  return short.length > 110 ? [...short].slice(0, 110).join("") : short;
}
