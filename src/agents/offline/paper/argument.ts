import type { RequestContext } from "../../../core/agent.ts";
import type { CitationFields } from "../../../papers/text/replies.ts";
import { pagesIn, passagesIn } from "../../../papers/text/look_ups.ts";
import { mixSeed } from "../../../core/random.ts";
import type { SearchHit } from "../../../core/search.ts";
import type { ToolTrace } from "../../../core/tool.ts";
import { streamOf } from "../phrasing.ts";
import { shareIn, termsOf } from "../terms.ts";
import { AREA_SIGNS, areaOf, mattersOf, termsFound, topicPhrase } from "./matter.ts";
import { messagePlace } from "./message_place.ts";
import { OutsideWriter } from "./outside_words.ts";
import { ArgumentData, type ArgumentMatter, dataOf } from "./paper_data.ts";
import {
  CLAIMS,
  CLAIMS_WITHOUT_QUOTES,
  GROUNDS,
  INFERENCES,
  INFERENCES_FROM_LIMITS,
  INFERENCES_FROM_PLAIN,
  NO_PASSAGE,
  SECONDS,
} from "./phrases_arguments.ts";
import { AREA_REASONS, CLOSES, REASONS } from "./phrases_reasons.ts";
import {
  COUNTERPOINTS,
  ENDINGS,
  POSITIONS,
  QUOTED_COUNTERPOINTS,
  STRONGEST,
  WEB_NOTES,
} from "./phrases_sides.ts";
import { marked, paperNamed, type Quote, Quotes } from "./quotes.ts";
import { type Voice, voiceOf } from "./voice.ts";

/** The most pages of the web that are cited on one topic. */
const MOST_PAGES = 2;
/** From this share of its terms on, a page speaks of the question. */
const SPEAKS_OF = 0.25;

/** Everything a debater's argument is made with. */
interface Desk {
  readonly data: ArgumentMatter;
  readonly context: RequestContext;
  readonly voice: Voice;
  readonly quotes: Quotes;
  /** The papers' own terms, of the passages that were found. */
  readonly terms: readonly string[];
  readonly matters: readonly string[];
  readonly pages: ReadonlyMap<string, readonly SearchHit[]>;
  /** Whether only what must be said is said. */
  readonly brief: boolean;
  readonly random: () => number;
}

/** What the matter is called where it has been named before. */
const SHORT_SUBJECTS = ["the matter at hand", "the point at issue", "what was studied"] as const;

/** How an argument is written. */
export interface ArgumentOptions {
  /** What the debater's look-ups brought. */
  readonly traces: readonly ToolTrace[];
  /** Leaves out what can be left out, where a reply may have few tokens. @default false */
  readonly brief?: boolean;
}

/**
 * A debater's argument on every topic, with sentences that its look-ups returned, quoted to the letter. Undefined where
 * the request carries no topics.
 */
export function argumentReply(
  context: RequestContext,
  { traces, brief = false }: ArgumentOptions,
): unknown {
  const data = dataOf(ArgumentData, context);
  if (data === undefined) return undefined;
  const hits = passagesIn(traces);
  const { posture, postures, question, topics } = data;
  const voice = voiceOf(posture, postures);
  const terms = termsFound(hits, [question, ...topics]);
  const desk: Desk = {
    ...{ data, context, voice, terms, brief },
    quotes: new Quotes(hits, {
      seed: context.seed,
      voice,
      place: Math.max(0, postures.indexOf(posture)),
      places: postures.length,
    }),
    matters: mattersOf(question, terms),
    pages: pagesByTopic(pagesIn(traces), data),
    random: streamOf(context),
  };
  return {
    perTopic: topics.map((topic, i) => argued(topic, i, desk)),
    overallPosition: overall(desk),
  };
}

/** Which pages are cited on which topic: those that speak of the question, each once. */
function pagesByTopic(
  pages: readonly SearchHit[],
  { question, topics }: ArgumentMatter,
): ReadonlyMap<string, readonly SearchHit[]> {
  const asked = termsOf(question);
  const wanted = topics.map((topic) => ({ topic, terms: termsOf(topic) }));
  const found = new Map<string, SearchHit[]>();
  for (const page of pages) {
    const terms = termsOf(`${page.title} ${page.snippet.slice(0, 4000)}`);
    if (shareIn(asked, terms) < SPEAKS_OF) continue;
    const [best] = wanted.map((each) => ({ ...each, share: shareIn(each.terms, terms) }))
      .sort((a, b) => b.share - a.share);
    const list = found.get(best!.topic) ?? [];
    if (list.length < MOST_PAGES) found.set(best!.topic, [...list, page]);
  }
  return found;
}

/** The parts of one topic's argument, under construction. */
interface Draft {
  readonly writer: OutsideWriter;
  readonly topic: string;
  readonly m: string;
  readonly k: string;
  /** Short words for the matter where it has been named before. */
  readonly it: string;
  readonly first: Quote | undefined;
  readonly cited: Quote[];
}

function argued(topic: string, i: number, desk: Desk): unknown {
  const { data, context, voice, quotes, terms, matters } = desk;
  const first = quotes.take({
    about: [topic, data.question, data.posture],
    signs: AREA_SIGNS[areaOf(topic)],
  });
  const subjects = [...new Set([...matters, ...termsIn(topic, terms)])];
  const m = subjects[i % subjects.length]!;
  const draft: Draft = {
    writer: writerFor(messagePlace(context, data) * data.topics.length + i, desk),
    ...{ topic, m, first },
    k: termsIn(first?.text ?? "", terms).find((term) => term !== m) ?? m,
    it: i % 3 === 0
      ? m
      : SHORT_SUBJECTS[(i + messagePlace(context, data)) % SHORT_SUBJECTS.length]!,
    cited: first === undefined ? [] : [first],
  };
  const { writer, k, cited } = draft;
  const claims = (first === undefined ? CLAIMS_WITHOUT_QUOTES : CLAIMS)[voice];
  const claim = writer.write(claims, { topic: topicPhrase(topic) ?? "this point", k, m });
  const reasoning = first === undefined
    ? withoutQuote(draft, desk)
    : withQuote(draft, first, { desk, i });
  const pages = desk.pages.get(topic) ?? [];
  if (pages.length > 0) reasoning.push(writer.write(WEB_NOTES, {}));
  const counterpoints = countered(draft, desk, i);
  const citations: CitationFields = {
    paper: [...new Set(cited)].map(({ chunkId, text }) => ({ chunkId, text })),
    web: pages.map(({ title, url }) => ({ title, url })),
  };
  return { topic, claim, reasoning: reasoning.join(" "), counterpoints, citations };
}

function writerFor(index: number, { context, random }: Desk): OutsideWriter {
  return new OutsideWriter({ seed: context.seed, index, random });
}

/** The paper's terms that a text speaks of. */
function termsIn(text: string, terms: readonly string[]): string[] {
  const said = termsOf(text);
  return terms.filter((term) => shareIn(termsOf(term), said) === 1);
}

const INFERENCES_BY_KIND = {
  finding: INFERENCES,
  limit: INFERENCES_FROM_LIMITS,
  plain: INFERENCES_FROM_PLAIN,
} satisfies Readonly<Record<Quote["kind"], typeof INFERENCES>>;

type Step = "ground" | "second" | "area" | "close";

/** Orders in which the steps of a reasoning come. */
const ORDERS: readonly (readonly Step[])[] = [
  ["ground", "second", "close"],
  ["ground", "area", "close"],
  ["area", "ground", "second", "close"],
  ["ground", "area", "second", "close"],
];

/** The steps of a short one. */
const BRIEF: readonly Step[] = ["ground", "close"];

function withQuote(
  draft: Draft,
  first: Quote,
  { desk, i }: { readonly desk: Desk; readonly i: number },
): string[] {
  const { writer, m, k, it, topic, cited } = draft;
  const { voice, quotes, data, context, brief } = desk;
  const start = mixSeed(context.seed, context.participant) % ORDERS.length;
  const order = brief ? BRIEF : ORDERS[(start + i) % ORDERS.length]!;
  const signs = AREA_SIGNS[areaOf(topic)];
  const second = order.includes("second")
    ? quotes.take({ about: [topic, first.text, data.question], signs, except: first })
    : undefined;
  if (second !== undefined) cited.push(second);
  const steps = second !== undefined || order.includes("area")
    ? order.filter((step) => step !== "second" || second !== undefined)
    : order.map((step) => step === "second" ? "area" : step);
  return steps.flatMap((step) => {
    if (step === "close") return [writer.write(CLOSES[voice], {})];
    if (step === "area") return [writer.write(AREA_REASONS[areaOf(topic)], { m: it })];
    const quote = step === "second" ? second! : first;
    const list = step === "second" ? SECONDS : GROUNDS[first.kind];
    const said = writer.write(list, { q: marked(quote) }, {
      paper: paperNamed(quote, data.papers),
    });
    return step === "second"
      ? [said]
      : [said, writer.write(INFERENCES_BY_KIND[first.kind][voice], { m, k })];
  });
}

function withoutQuote({ writer, m, it, topic }: Draft, { voice }: Desk): string[] {
  return [
    writer.write(NO_PASSAGE, {}),
    writer.write(REASONS[voice], { m }),
    writer.write(AREA_REASONS[areaOf(topic)], { m: it }),
    writer.write(CLOSES[voice], {}),
  ];
}

/** One or two points of a rival, each with its answer; one with the paper's own words, where there are some. */
function countered({ writer, it, k, topic, cited }: Draft, desk: Desk, i: number): string[] {
  const { voice, quotes, data, brief } = desk;
  const kind = voice === "critical" ? "finding" : "limit";
  const quoted = brief || i % 3 === 2
    ? undefined
    : quotes.take({ about: [topic, data.question], kind });
  const plain = writer.write(COUNTERPOINTS[voice], { m: it, k });
  if (quoted === undefined) return [plain];
  cited.push(quoted);
  const said = writer.write(QUOTED_COUNTERPOINTS[voice], { q: marked(quoted) });
  return i % 2 === 0 ? [said] : [plain, said];
}

/** What the argument comes to, in two or three sentences. */
function overall(desk: Desk): string {
  const { voice, data, matters, context } = desk;
  const writer = writerFor(messagePlace(context, data), desk);
  const named = data.topics.flatMap((topic) => topicPhrase(topic) ?? []);
  const start = mixSeed(context.seed, context.participant, "strongest");
  const [a, b] = [0, 1].map((at) => named[(start + at) % Math.max(1, named.length)]);
  const between = named.length < 2 || desk.brief ? [] : [writer.write(STRONGEST, { a: a!, b: b! })];
  return [
    writer.write(POSITIONS[voice], { m: matters[0]! }),
    ...between,
    writer.write(ENDINGS[voice], {}),
  ].join(" ");
}
