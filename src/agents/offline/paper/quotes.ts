import { mixSeed } from "../../../core/random.ts";
import type { PaperHit } from "../../../core/retriever.ts";
import { shareIn, termsOf } from "../terms.ts";
import { quotableIn } from "./quotable.ts";
import { kindOf, type SentenceKind, signalsIn } from "./signals.ts";
import type { Voice } from "./voice.ts";

/** A sentence of a paper that a look-up returned. */
export interface Quote {
  /** As it stands in its passage, white space folded. */
  readonly text: string;
  readonly kind: SentenceKind;
  readonly chunkId: string;
  /** The paper's id. */
  readonly paper: string;
}

/** Whose quotations they are. */
export interface QuoteTaste {
  readonly seed: number;
  readonly voice: Voice;
  /** The debater's place among the debaters, and their number: each likes other sentences. */
  readonly place: number;
  readonly places: number;
}

/** What a quotation is wanted for. */
export interface QuoteWish {
  /** What it should speak of, the most important first. */
  readonly about: readonly string[];
  /** Words that it should rather have, besides. */
  readonly signs?: string | undefined;
  /** What it should be; anything where none is named. */
  readonly kind?: SentenceKind | undefined;
  /** What it must not be again. */
  readonly except?: Quote | undefined;
}

interface Stored extends Quote {
  readonly terms: ReadonlySet<string>;
  readonly sure: boolean;
  /** What its place in a voice is worth, whatever is asked. */
  readonly worth: number;
  used: number;
}

/** The most times one sentence is quoted in a message. */
const MOST_USES = 2;

/** The sentences that look-ups returned, from which one message takes its quotations; it avoids taking one twice. */
export class Quotes {
  readonly #all: Stored[] = [];
  readonly #questions = new Map<string, ReadonlySet<string>>();

  /** Reads the passages; a sentence that stands in several of them is kept with the first. */
  constructor(hits: readonly PaperHit[], taste: QuoteTaste) {
    const known = new Map<string, Stored>();
    for (const { text, chunkId, paper, start } of hits) {
      for (const { text: sentence, sure } of quotableIn(text, start === 0)) {
        const before = known.get(sentence);
        if (before !== undefined) continue;
        const kind = kindOf(sentence);
        const worth = worthOf(sentence, taste);
        const one = {
          text: sentence,
          sure,
          kind,
          chunkId,
          paper,
          terms: termsOf(sentence),
          worth,
          used: 0,
        };
        known.set(sentence, one);
        this.#all.push(one);
      }
    }
  }

  /** Whether there is nothing to quote. */
  get empty(): boolean {
    return this.#all.length === 0;
  }

  /** The sentence that fits best among those used least; undefined where none is left. */
  take({ about, signs = "", kind, except }: QuoteWish): Quote | undefined {
    const wanted = about.map((text) => this.#terms(text));
    const liked = this.#terms(signs);
    const rate = (each: Stored) =>
      wanted.reduce((sum, terms, i) => sum + shareIn(terms, each.terms) * (3 - Math.min(2, i)), 0) +
      0.7 * Math.min(2, shareIn(liked, each.terms) * liked.size) + each.worth - each.used * 4 -
      (each.sure ? 0 : 2.5);
    const fitting = this.#all.filter((each) =>
      each !== except && each.used < MOST_USES &&
      (kind === undefined || (each.kind === kind && each.used === 0))
    );
    const [best] = fitting.map((each) => ({ each, rate: rate(each) }))
      .sort((a, b) => b.rate - a.rate);
    if (best === undefined || (kind !== undefined && !best.each.sure)) return undefined;
    best.each.used++;
    return best.each;
  }

  #terms(text: string): ReadonlySet<string> {
    let terms = this.#questions.get(text);
    if (terms === undefined) this.#questions.set(text, terms = termsOf(text));
    return terms;
  }
}

function worthOf(sentence: string, { seed, voice, place, places }: QuoteTaste): number {
  const { finding, limit, condition } = signalsIn(sentence);
  const sound = {
    supportive: finding - 1.2 * limit,
    cautious: 0.5 * finding + condition - 0.3 * limit,
    critical: 1.1 * limit - 0.4 * finding,
  }[voice];
  const words = sentence.split(" ").length;
  const shape = (words < 7 ? -0.8 : words > 38 ? -0.7 : 0) +
    (/^(?:this|these|those|it|they|he|she|such|here)\b/iu.test(sentence) ? -0.8 : 0) +
    (/\[\d|\(\p{Lu}[^)]*\d{4}/u.test(sentence) ? -0.8 : 0) + (/\?$/u.test(sentence) ? -1 : 0);
  const drawn = mixSeed(seed, sentence);
  const own = places > 1 && drawn % places === place ? 2.2 : 0;
  return sound * 0.6 + shape + own + (mixSeed(seed, place, sentence) % 1000) / 1500;
}

/** A quotation in its marks, without its full stop. */
export function marked({ text }: Pick<Quote, "text">): string {
  return `“${text.replace(/(?<!\.)\.$/u, "")}”`;
}

/** “the paper” a quotation is from, or which of several. */
export function paperNamed(
  { paper }: Pick<Quote, "paper">,
  papers: readonly { readonly id: string }[],
): string {
  const place = papers.findIndex(({ id }) => id === paper);
  if (papers.length < 2 || place < 0) return "the paper";
  const ordinal = ["first", "second", "third", "fourth", "fifth"][place];
  return ordinal === undefined ? `paper number ${place + 1}` : `the ${ordinal} paper`;
}
