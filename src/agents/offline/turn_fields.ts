import type { AgentRequest, ReplySchema } from "../../core/agent.ts";
import type { TokenCounter } from "../../core/tokens.ts";
import { composeText } from "./compose.ts";
import { filledShape } from "./filling.ts";
import { type Asked, between } from "./phrasing.ts";
import {
  CRITIQUES,
  FIRST_REFLECTIONS,
  PLEDGES,
  REFLECTIONS,
  RESERVATIONS,
  SELF_CRITIQUES,
} from "./phrases_replies.ts";
import { passageOf } from "./quotation.ts";
import { withoutAudience } from "./replies.ts";
import { choicesOf, shapeAt } from "./shape.ts";
import { type Speech, speechFor } from "./speech.ts";
import { holdings, type Matter, mattersIn, reasonsFor } from "./standing.ts";
import { quote } from "./topic_grammar.ts";
import type { Writer } from "./writer.ts";

/** The least share of a reply's tokens that the speech gets. */
const SPEECH_SHARE = 0.6;
/** The most tokens of a speech without a range of words in a reply that may be much longer. */
const LONG_SPEECH = 300;

/**
 * The fields of a structured turn: what is said in `speech`, what was thought of it first, stances, anything else
 * filled; undefined where nothing is said.
 */
export function turnFields(
  request: AgentRequest,
  schema: ReplySchema,
  asked: Asked,
): unknown {
  const fields = shapeAt(asked.root.properties) ?? {};
  if (!("speech" in fields)) return undefined;
  const { context } = request;
  const speech = speechFor(context);
  const { about } = withoutAudience(context);
  const target = about.findLast((each) => each.participant !== context.participant);
  const q = target && passageOf(target.body, context.topic, { maxWords: 20 });
  const thought = {
    writer: speech.writer,
    label: target?.label ?? "",
    q,
    theme: speech.schemas[0]!.theme,
  };
  const matters = "stances" in fields ? mattersOf(request, asked) : [];
  const stances = holdings(context, matters);
  const say = stancesSaid(speech, matters, stances);
  const others = {
    ...("reflection" in fields ? { reflection: reflection(thought) } : {}),
    ...("critique" in fields ? { critique: critique(thought) } : {}),
    ...(matters.length > 0 ? { stances } : {}),
    ...("reasons" in fields ? { reasons: reasonsFor(asked, stances) } : {}),
  };
  const room = speechRoom(request, JSON.stringify(others), asked.count);
  const spoken = composeText({ ...request, maxTokens: room }, asked.count, { say });
  const rest = filledShape({ ...request, context: { ...context, seq: 0 } }, schema, asked.count);
  return { ...shapeAt(rest), ...others, speech: spoken };
}

/** What is left for the speech of the tokens for all fields. */
function speechRoom(
  { maxTokens, context }: AgentRequest,
  others: string,
  count: TokenCounter,
): number | undefined {
  if (maxTokens === undefined) return undefined;
  const left = maxTokens - count(others) - 20;
  const room = Math.floor(between(maxTokens * SPEECH_SHARE, left, maxTokens) * 0.95);
  return context.words === undefined
    ? Math.min(room, Math.max(LONG_SPEECH, maxTokens * 0.3))
    : room;
}

interface Thought {
  readonly writer: Writer;
  readonly label: string;
  /** What is answered, in quotation marks. */
  readonly q: string | undefined;
  readonly theme: string;
}

/** Where the debate stands. */
function reflection({ writer, label, q, theme }: Thought): string {
  const more = { label: [label], q: [q ?? ""], theme: [theme] };
  return q === undefined
    ? writer.write(FIRST_REFLECTIONS, "none", { more })
    : writer.write(REFLECTIONS, "none", { more });
}

/** The weak point of what is answered; of the own case, where nothing is. */
function critique({ writer, label, q, theme }: Thought): string {
  const more = { label: [label], q: [q ?? ""], theme: [theme] };
  return q === undefined
    ? writer.write(SELF_CRITIQUES, "none", { more })
    : writer.write(CRITIQUES, "none", { more });
}

/** What the stances are on: the turn's data, else the ids that may be named, with their texts as the prompt has them. */
function mattersOf({ messages, context }: AgentRequest, { root }: Asked): readonly Matter[] {
  const told = mattersIn(context.data);
  if (told !== undefined) return told;
  const prompt = messages.map(({ content }) => content).reverse().join("\n");
  return choicesOf(root, ["stances", "on"]).map((id) => {
    const escaped = id.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&");
    const line = new RegExp(
      `^\\W*${escaped}(?![\\p{L}\\p{N}])(?:\\s*\\([^)\\n]*\\))?[^\\p{L}\\p{N}“"]*(.{8,})$`,
      "mu",
    )
      .exec(prompt);
    return { id, text: line?.[1]?.trim() ?? "" };
  });
}

/** A word on a proposal that is supported and on one that is not; which ones, the round decides. */
function stancesSaid(
  { writer, context: { round, seq } }: Speech,
  matters: readonly Matter[],
  stances: ReturnType<typeof holdings>,
): readonly string[] {
  const turn = round > 0 ? round : seq;
  const texts = new Map(matters.map(({ id, text }) => [id, text]));
  const named = (stance: "agree" | "disagree") =>
    stances.filter((each) => each.stance === stance).map(({ on }) => texts.get(on) ?? "")
      .filter((text) => text !== "")
      .map((text) =>
        quote([...text].length > 180 ? `${[...text].slice(0, 170).join("")} …` : text)
      );
  const agreed = named("agree");
  const refused = named("disagree");
  return [
    ...(agreed.length === 0
      ? []
      : [writer.write(PLEDGES, "none", { more: { q: [agreed[turn % agreed.length]!] } })]),
    ...(refused.length === 0
      ? []
      : [writer.write(RESERVATIONS, "none", { more: { q: [refused[turn % refused.length]!] } })]),
  ];
}
