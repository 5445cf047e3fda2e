import type { AgentRequest, RequestContext } from "../../../core/agent.ts";
import { LOOKUP_PAPER, WEB_SEARCH } from "../../../papers/text/look_ups.ts";
import { mixSeed } from "../../../core/random.ts";
import type { ToolTrace } from "../../../core/tool.ts";
import { MAX_TOOL_ITERATIONS, runToolCalls } from "../../openai_tools.ts";
import { AREA_SIGNS, areaOf, namingWords } from "./matter.ts";
import { ArgumentData, CrossData, dataOf } from "./paper_data.ts";
import { opponentsIn, standsIn } from "./opponents.ts";
import { type Voice, voiceOf } from "./voice.ts";

const VOICE_QUERY: Readonly<Record<Voice, string>> = {
  supportive: "results show improved strongest conclude",
  cautious: "depends varied conditions when provided smaller",
  critical: "limited cannot uncertain not recorded only",
};

/** The longest query, in characters. */
const LONGEST = 300;

/**
 * Calls the tools of a debater's turn, as a model would: a look-up for each topic or opponent and one for what the paper
 * reserves, then one search of the web; 10 at most. A call that fails is among the traces. Fails with a `CancelledError`
 * as soon as the request's signal aborts.
 */
export async function lookUps(
  { context, tools = [], signal }: AgentRequest,
): Promise<readonly ToolTrace[]> {
  const named = (name: string) => tools.some((tool) => tool.name === name);
  const queries = queriesFor(context);
  if (queries.length === 0) return [];
  const web = named(WEB_SEARCH) ? [{ name: WEB_SEARCH, query: queries[0]!.plain }] : [];
  const most = MAX_TOOL_ITERATIONS - web.length;
  const paper = named(LOOKUP_PAPER)
    ? [...new Set(queries.map(({ query }) => query))].slice(0, most)
      .map((query) => ({ name: LOOKUP_PAPER, query }))
    : [];
  const calls = [...paper, ...web].map(({ name, query }, i) => ({
    id: `call_${i}`,
    name,
    arguments: JSON.stringify({ query }),
  }));
  return await runToolCalls(calls, { tools, signal });
}

interface Query {
  readonly query: string;
  /** The question in its own words, for the web. */
  readonly plain: string;
}

function queriesFor(context: RequestContext): Query[] {
  const data = dataOf(context.kind === "argument" ? ArgumentData : CrossData, context);
  if (data === undefined) return [];
  const { papers, question, topics, posture, postures } = data;
  const voice = voiceOf(posture, postures ?? standsIn(context, posture));
  const plain = cut(question.replace(/\s+/gu, " "));
  const asked = namingWords(question).join(" ");
  const stand = VOICE_QUERY[voice];
  const parts = context.kind === "argument"
    ? topics.map((topic, i) =>
      `${topic} ${AREA_SIGNS[areaOf(topic)]} ${pick(stand, 2, [context, i])}`
    )
    : opponentsIn(context, topics).map(({ claim }, i) =>
      `${claim} ${pick(stand, 2, [context, i])}`
    );
  const titles = namingWords(papers.map(({ title }) => title).join(" ")).join(" ");
  const last = `limitations caution uncertain ${asked} ${titles}`;
  const most = MAX_TOOL_ITERATIONS - 2;
  return [...parts.slice(0, most).map((part, i) => (i % 2 === 0 ? `${part} ${asked}` : part)), last]
    .map((query) => ({ query: cut(query.replace(/\s+/gu, " ").trim()), plain }));
}

/** Some words of a list, in an order of the seed's. */
function pick(
  words: string,
  count: number,
  [context, i]: readonly [RequestContext, number],
): string {
  const all = words.split(" ");
  const start = mixSeed(context.seed, context.participant, i) % all.length;
  return Array.from({ length: count }, (_, at) => all[(start + at) % all.length]).join(" ");
}

function cut(text: string): string {
  return text.length <= LONGEST
    ? text
    : text.slice(0, text.lastIndexOf(" ", LONGEST) + 1 || LONGEST).trim();
}
