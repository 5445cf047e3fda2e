// Ten judges with known bias on a local server, selected by the names of their models.
import { parse } from "@std/yaml";
import type { ModelReply, ModelRequest } from "../support/model_server.ts";
import { sampleJson } from "../support/sample_json.ts";

/** A text under comparison: a speech, or all speeches of a side. */
export interface Shown {
  readonly label: string;
  readonly text: string;
}

/** A judge: the chosen label, and the score of a speech by criterion. */
interface StandIn {
  choose(shown: readonly Shown[], fall: () => string): string;
  /** @default an unbiased judge's score */
  score?(text: string, criterion: string): number;
}

const yaml = await Deno.readTextFile("src/data/judge_check.yaml");
const items = parse(yaml, { schema: "core" }) as Record<string, string>[];
const flat = (text: string) => text.replace(/\s+/g, " ").trim();
const of = (sort: string) => new Set(items.map((item) => flat(item[sort]!)));
const known = new Set(items.flatMap((item) => Object.values(item)).map(flat));
const [worse, styled, confident] = [
  new Set([...of("weaker"), ...of("wrong")]),
  of("styled"),
  of("confident"),
];

const words = (text: string) => text.split(/\s+/).length;
const count = (text: string, word: string) => text.split(word).length - 1;
const quality = (text: string) =>
  known.has(flat(text)) ? worse.has(flat(text)) ? 0 : 1 : count(text, "because");
const style = (text: string) => count(text, "splendid") + (styled.has(flat(text)) ? 1 : 0);
const force = (text: string) => count(text, "!") + (confident.has(flat(text)) ? 1 : 0);

/** Returns the label with the highest measure, or a tie. */
export function best(shown: readonly Shown[], measure: (text: string) => number): string {
  const [first, second] = shown.toSorted((a, b) => measure(b.text) - measure(a.text));
  return measure(first!.text) === measure(second!.text) ? "tie" : first!.label;
}

const scale = (number: number) => Math.max(0, Math.min(10, number));

/** Judges by model name. */
export const JUDGES: Readonly<Record<string, StandIn>> = {
  "first-speaker": { choose: (shown) => shown[0]!.label },
  "last-speaker": { choose: (shown) => shown.at(-1)!.label },
  label: { choose: (shown) => shown.map(({ label }) => label).sort()[0]! },
  "first-listed": { choose: (shown) => shown[0]!.label },
  length: { choose: (shown) => best(shown, words), score: (text) => scale(words(text) / 10) },
  style: { choose: (shown) => best(shown, style), score: (text) => scale(4 + style(text)) },
  coin: { choose: (_, fall) => fall() },
  "all-sevens": { choose: () => "tie", score: () => 7 },
  "one-criterion": {
    choose: (shown) => best(shown, force),
    score: (text, criterion) => criterion === "persuasiveness" ? scale(3 + force(text)) : 5,
  },
  fair: { choose: (shown) => best(shown, quality) },
};

/** Returns a speech: the side for the topic has reasons; the side against is longer, in better style and louder. */
function speechFor(prompt: string): string {
  const turn = [...prompt.matchAll(/<turn number=/g)].length;
  const isFor = prompt.includes("You argue for this") ||
    prompt.includes("answer to this question is yes");
  return isFor
    ? `Point ${turn} holds because streets are shared, and because shared streets are calm.`
    : `Point ${turn} is a splendid one, splendid in every way! ${
      "Cars are free. ".repeat(8 + turn)
    }`;
}

/** Returns the texts that a prompt compares: sides of a debate, or two speeches. */
export function shownIn(prompt: string): Shown[] {
  const speeches = [...prompt.matchAll(/<speech label="(.)">\n([^]*?)\n<\/speech>/g)];
  if (speeches.length > 0) {
    return speeches.map(([, label, text]) => ({ label: label!, text: text! }));
  }
  const turns = [...prompt.matchAll(/<turn [^>]*speaker="(Side \d)"[^>]*>\n([^]*?)\n<\/turn>/g)];
  const labels = [...prompt.matchAll(/^<case side="(Side \d)">/gm)].map(([, label]) => label!);
  return labels.map((label) => ({
    label,
    text: turns.filter(([, speaker]) => speaker === label).map(([, , text]) => text).join("\n"),
  }));
}

/**
 * Returns a random judge's label: from the bits of the number in the topic, two requests per pass; from a hash if the topic
 * has no number.
 */
function fallOf(prompt: string, times: number): string {
  const [, side = "A"] = /^- (Side \d): For/m.exec(prompt) ?? [];
  const other = { "Side 1": "Side 2", "Side 2": "Side 1" }[side] ?? "B";
  const [, falls] = /street (\d+)/.exec(prompt) ?? [];
  const asking = 2 * (times % 2) + (side === "Side 1" ? 0 : 1);
  const bit = falls === undefined ? hash(`${prompt} ${times}`) : Number(falls) >> asking;
  return bit % 2 === 0 ? side : other;
}

function hash(text: string): number {
  let value = 2166136261;
  for (const char of text) value = Math.imul(value ^ char.codePointAt(0)!, 16777619) >>> 0;
  return (value ^ value >>> 15) >>> 0;
}

/** Returns replies of debaters and of the ten judges; a random judge's depend on the request and on its repetition. */
export function answering(): (request: ModelRequest) => ModelReply {
  const asked = new Map<string, number>();
  return ({ body }) => {
    const prompt = body.messages.map(({ content }) => content ?? "").join("\n");
    const schema = body.response_format?.json_schema;
    const judge = JUDGES[body.model];
    if (schema === undefined || judge === undefined) return { text: speechFor(prompt) };
    if (schema.name === "verdict") {
      const times = (asked.get(prompt) ?? 0) + 1;
      asked.set(prompt, times);
      const winner = judge.choose(shownIn(prompt), () => fallOf(prompt, times));
      return { json: { reasons: "As always.", winner, mainReason: "" } };
    }
    const [, number] = /Score turn (\d+)/.exec(prompt) ?? [];
    const turn = new RegExp(`<turn number="${number}"[^>]*>\n([^]*?)\n</turn>`).exec(prompt)?.[1];
    const fair = (text: string) => scale(3 + 2 * quality(text) + words(text) % 2);
    return {
      json: sampleJson(schema.schema, (path) => {
        const [, criterion] = /^scores\.(\w+)$/.exec(path) ?? [];
        if (criterion === undefined) return undefined;
        return judge.score?.(turn ?? "", criterion) ?? fair(turn ?? "");
      }),
    };
  };
}
