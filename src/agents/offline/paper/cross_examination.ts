import type { RequestContext } from "../../../core/agent.ts";
import { passagesIn } from "../../../papers/text/look_ups.ts";
import type { ArgumentOptions } from "./argument.ts";
import { streamOf } from "../phrasing.ts";
import { mattersOf, termsFound } from "./matter.ts";
import { messagePlace } from "./message_place.ts";
import { type Opponent, opponentsIn, standsIn } from "./opponents.ts";
import { OutsideWriter } from "./outside_words.ts";
import { CrossData, dataOf } from "./paper_data.ts";
import {
  CROSS_ENDS,
  FALLS_SHORT,
  LAST_TO_OPPONENT,
  NO_ANSWER_FOUND,
  PAPER_ANSWERS,
  TO_OPPONENT,
  TO_SILENT_OPPONENT,
} from "./phrases_crossing.ts";
import { marked, paperNamed, type Quote, Quotes } from "./quotes.ts";
import { voiceOf } from "./voice.ts";

/**
 * An answer to each of the other debaters, by name: words of its argument, why they fall short, and what a look-up of
 * one's own says to it. Undefined where the request carries no question.
 */
export function crossReply(
  context: RequestContext,
  { traces, brief = false }: ArgumentOptions,
): unknown {
  const data = dataOf(CrossData, context);
  if (data === undefined) return undefined;
  const { question, topics, posture, papers } = data;
  const postures = data.postures ?? standsIn(context, posture);
  const hits = passagesIn(traces);
  const voice = voiceOf(posture, postures);
  const place = Math.max(0, postures.indexOf(posture));
  const quotes = new Quotes(hits, { seed: context.seed, voice, place, places: postures.length });
  const matters = mattersOf(question, termsFound(hits, [question, ...topics]));
  const opponents = opponentsIn(context, topics);
  const random = streamOf(context);
  const number = messagePlace(context, { posture, postures });
  const writerFor = (index: number) => new OutsideWriter({ seed: context.seed, index, random });
  const cited: Quote[] = [];
  const answer = ({ label, claim, body }: Opponent, i: number) => {
    const writer = writerFor(number * Math.max(1, opponents.length) + i);
    const m = matters[i % matters.length]!;
    const about = [claim === "" ? body.slice(0, 400) : claim, question];
    const quote = brief && i > 0 ? undefined : quotes.take({ about });
    if (quote !== undefined) cited.push(quote);
    const answered = quote === undefined
      ? writer.write(NO_ANSWER_FOUND, {})
      : writer.write(PAPER_ANSWERS, { q: marked(quote) }, { paper: paperNamed(quote, papers) });
    return [
      claim === ""
        ? writer.write(TO_SILENT_OPPONENT, { label })
        : writer.write(TO_OPPONENT, { label, q: `“${claim}”` }),
      writer.write(FALLS_SHORT[voice], { m }),
      ...(brief && i > 0 ? [] : [answered]),
      ...(brief ? [] : [writer.write(LAST_TO_OPPONENT[voice], { label })]),
    ].join(" ");
  };
  const end = writerFor(number).write(CROSS_ENDS[voice], { m: matters[0]! });
  const speech = [...opponents.map(answer), end].join("\n\n");
  const paper = [...new Set(cited)].map(({ chunkId, text }) => ({ chunkId, text }));
  return { speech, citations: { paper, web: [] } };
}
