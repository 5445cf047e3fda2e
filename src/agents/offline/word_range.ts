import { countWords } from "../../core/words.ts";
import type { TokenCounter } from "../../core/tokens.ts";
import type { Plan } from "./points.ts";
import type { Piece } from "./speech.ts";

/** How much may be said. */
export interface RangeOptions {
  readonly words: { readonly min: number; readonly max: number };
  /** The most tokens; they come before the words. */
  readonly room: number;
  readonly count: TokenCounter;
  /** Draws how far into the range it goes. */
  readonly random: () => number;
}

/** How many further sentences are looked at for one that fits the rest of a narrow range. */
const SPARES = 40;

interface Sized {
  readonly piece: Piece;
  readonly words: number;
  readonly tokens: number;
}

/** The sentences of a plan whose words are within a range, well inside it where it is wide; fewer where tokens are short. */
export function piecesInRange(plan: Plan, options: RangeOptions): Piece[] {
  const { words: { min, max }, room, count, random } = options;
  const aim = Math.round(min + (max - min) * (0.3 + 0.4 * random()));
  const sized = (piece: Piece): Sized => ({
    piece,
    words: countWords(piece.text),
    tokens: count(piece.text) + 2,
  });
  const end = plan.end.map(sized);
  const last = total(end, "words") <= max * 0.5 && total(end, "tokens") <= room * 0.5 ? end : [];
  const rest = new Rest(plan.pieces, sized);
  const chosen: Sized[] = [];
  let left = { words: aim - total(last, "words"), tokens: room * 0.97 - total(last, "tokens") };
  for (let next = rest.next(); next !== undefined; next = rest.next()) {
    const fits = next.words <= left.words + max - aim && next.tokens <= left.tokens;
    if (!fits) {
      rest.keep(next);
      break;
    }
    chosen.push(next);
    left = { words: left.words - next.words, tokens: left.tokens - next.tokens };
    if (left.words <= 0) break;
  }
  const short = { low: left.words - aim + min, high: left.words - aim + max, tokens: left.tokens };
  return [...completed(chosen, rest, short), ...last].map(({ piece }) => piece);
}

/** What is missing from a range: at least so many words, at most so many. */
interface Missing {
  readonly low: number;
  readonly high: number;
  readonly tokens: number;
}

/** Fills what is still missing with one or two further sentences, giving up the last ones where none fits. */
function completed(chosen: readonly Sized[], rest: Rest, missing: Missing): readonly Sized[] {
  let kept = [...chosen];
  let open = missing;
  for (let tries = 0; open.low > 0 && tries < 8; tries++) {
    const found = filling(rest.spares(), open);
    if (found !== undefined) {
      return [
        ...kept,
        ...found.map((each) => ({ ...each, piece: { ...each.piece, opens: true } })),
      ];
    }
    const dropped = kept.at(-1);
    if (dropped === undefined) break;
    kept = kept.slice(0, -1);
    rest.keep(dropped);
    open = {
      low: open.low + dropped.words,
      high: open.high + dropped.words,
      tokens: open.tokens + dropped.tokens,
    };
  }
  return open.low > 0 ? chosen : kept;
}

/** One or two sentences that fill what is missing. */
function filling(spares: readonly Sized[], missing: Missing): readonly Sized[] | undefined {
  const fits = (some: readonly Sized[]) => {
    const words = total(some, "words");
    return words >= missing.low && words <= missing.high && total(some, "tokens") <= missing.tokens;
  };
  for (const one of spares) if (fits([one])) return [one];
  for (const [i, one] of spares.entries()) {
    for (const two of spares.slice(i + 1)) if (fits([one, two])) return [one, two];
  }
  for (const [i, one] of spares.entries()) {
    for (const [j, two] of spares.slice(i + 1).entries()) {
      const three = spares.slice(i + j + 2).find((each) => fits([one, two, each]));
      if (three !== undefined) return [one, two, three];
    }
  }
  return undefined;
}

function total(some: readonly Sized[], of: "words" | "tokens"): number {
  return some.reduce((sum, each) => sum + each[of], 0);
}

/** The sentences that are not said yet. */
class Rest {
  readonly #pieces: Iterator<Piece>;
  readonly #sized: (piece: Piece) => Sized;
  readonly #kept: Sized[] = [];

  constructor(pieces: Iterable<Piece>, sized: (piece: Piece) => Sized) {
    this.#pieces = pieces[Symbol.iterator]();
    this.#sized = sized;
  }

  next(): Sized | undefined {
    const { done, value } = this.#pieces.next();
    return done === true ? undefined : this.#sized(value);
  }

  keep(piece: Sized): void {
    this.#kept.push(piece);
  }

  spares(): readonly Sized[] {
    while (this.#kept.length < SPARES) {
      const next = this.next();
      if (next === undefined) break;
      this.#kept.push(next);
    }
    return this.#kept;
  }
}
