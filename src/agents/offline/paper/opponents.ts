import type { RequestContext } from "../../../core/agent.ts";
import { argumentIn } from "../../../papers/text/argument_body.ts";
import { proseBlocks, splitSentences } from "./quotable.ts";

/** Another debater, with the words of it that can be taken up. */
export interface Opponent {
  readonly label: string;
  /** Words of its argument as they stand there; empty where nothing in it can be quoted. */
  readonly claim: string;
  /** Its argument. */
  readonly body: string;
}

/** The most of an argument that is read, in characters. */
const READ = 20_000;
/** The most words that are quoted of an opponent. */
const MOST_WORDS = 40;

/** What stands in lists: what an opponent says against itself. */
const LIST_ITEM = /^[ \t]*(?:[-*+]|\d+[.)])[ \t].*$/gmu;

/** The other debaters of a cross-examination in their order, each with its last argument. */
export function opponentsIn(context: RequestContext, topics: readonly string[]): Opponent[] {
  const bodies = new Map<string, { readonly label: string; readonly body: string }>();
  for (const { participant, label, body } of context.about) {
    if (participant !== context.participant) bodies.set(participant, { label, body });
  }
  return [...bodies.values()].map(({ label, body }, i) => ({
    label,
    body,
    claim: claimIn(body, { topics, turn: context.seed + i }),
  }));
}

/** A sentence of an argument that is its own, as it stands: one that begins a paragraph, without quotation marks and markup. */
function claimIn(
  body: string,
  { topics, turn }: { readonly topics: readonly string[]; readonly turn: number },
): string {
  const text = body.slice(0, READ);
  const claims = argumentIn(text, topics).perTopic.map(({ claim }) => claim);
  const paragraphs = proseBlocks(text.replace(LIST_ITEM, "")).map((each) => each.text);
  return claimOf(claims, turn) || claimOf(paragraphs, turn);
}

function claimOf(texts: readonly string[], turn: number): string {
  const sentences = texts.flatMap((text) => {
    const [first = ""] = splitSentences(text);
    return [
      first.replace(/\s+/gu, " ").trim().replace(/^[*_]+(?:[^*_]{1,40}[*_]+:?\s+)?|[*_]+$/gu, ""),
    ];
  }).filter((each) =>
    !/["“”„«»*_`<>|\[\]{}\\#]|https?:/u.test(each) && /^[\p{Lu}\p{N}]/u.test(each) &&
    /[.!?…]$/u.test(each) && each.split(" ").length >= 8
  );
  const short = sentences.filter((each) => each.split(" ").length <= MOST_WORDS);
  const some = short.length > 0 ? short.slice(0, 4) : sentences.slice(0, 1);
  const chosen = some[turn % Math.max(1, some.length)] ?? "";
  return chosen.split(" ").slice(0, MOST_WORDS).join(" ").replace(/[.,;:!?…]+$/u, "");
}

/** The debaters' postures in one order for all of them, others by their ids: by it each has a place of its own. */
export function standsIn({ participant, about }: RequestContext, posture: string): string[] {
  return [...new Set([participant, ...about.map((each) => each.participant)])].sort()
    .map((id) => id === participant ? posture : `(${id})`);
}
