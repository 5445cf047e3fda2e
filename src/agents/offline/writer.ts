import { mixSeed } from "../../core/random.ts";
import { CONNECTIVES, LEADS } from "./leads.ts";
import { capacity, fill, type Slots } from "./template.ts";

/** What one message writes its sentences with. */
export interface WriterOptions {
  readonly seed: number;
  /** The number of this message and attempt: no two of a convening share one. */
  readonly index: number;
  readonly slots: Slots;
  /** Draws what does not bear on uniqueness, such as connectives. */
  readonly random: () => number;
}

/** How one sentence is written. */
export interface WriteOptions {
  /** Slots besides the message's. */
  readonly more?: Slots;
  /** The paragraph it belongs to: its sentences speak of the same people. Always the same for one list. @default "" */
  readonly group?: string;
  /** What the slots hold makes it unique already, as a whole sentence quoted does. @default false */
  readonly settled?: boolean;
}

/**
 * Writes sentences that no other message of the convening has. Within one list of templates a sentence is settled by the
 * message's number: number → template, wordings, beginning is a bijection, so uniqueness is arithmetic and nothing has
 * to be remembered. A list is used once in a message.
 */
export class Writer {
  readonly #options: WriterOptions;
  readonly #used = new Set<string>();

  /** A writer for one message. */
  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** A sentence from a list; see {@linkcode WriteOptions}. */
  write(templates: readonly string[], part: string, options: WriteOptions = {}): string {
    const { seed, index } = this.#options;
    const { more = {}, group = "", settled = false } = options;
    const slots = { ...this.#options.slots, ...more };
    const salt = mixSeed(seed, templates[0]!.slice(0, 24)) % 65521;
    const template = templates[(index + salt) % templates.length]!;
    const number = Math.floor(index / templates.length);
    const size = capacity(template, slots);
    const sentence = fill(template, number, {
      slots,
      salt,
      // The message that this number is the first pass of, so that the choice does not depend on later ones.
      focus: (slot, first) =>
        mixSeed(seed, slot, group, first * templates.length + index % templates.length),
    });
    const start = this.#start(settled ? 0 : Math.floor(number / size), salt, {
      part,
      colon: sentence.includes(":"),
    });
    return finish(start + sentence);
  }

  /** A beginning that is used up with the wordings, else now and then a connective. */
  #start(
    pass: number,
    salt: number,
    { part, colon }: { readonly part: string; readonly colon: boolean },
  ): string {
    if (pass === 0) {
      const some = CONNECTIVES[part] ?? [];
      const { random } = this.#options;
      if (some.length === 0 || random() < 0.5) return "";
      const chosen = some[Math.floor(random() * some.length)]!;
      if (this.#used.has(chosen) || (colon && chosen.includes(":"))) return "";
      this.#used.add(chosen);
      return chosen;
    }
    const lead = LEADS[(pass - 1 + salt) % LEADS.length]!;
    const again = Math.floor((pass - 1) / LEADS.length);
    return again === 0 ? `${lead}, ` : `${lead}, and now for the ${ordinal(again + 1)} time, `;
  }
}

function ordinal(number: number): string {
  const tens = number % 100;
  const ones = tens > 10 && tens < 14 ? 0 : number % 10;
  return `${number}${["th", "st", "nd", "rd"][ones] ?? "th"}`;
}

/** A sentence with its capital and its full stop, where it does not end with a mark already. */
export function finish(sentence: string): string {
  const text = sentence.replace(ARTICLE, (all, article: string, space: string, word: string) => {
    const right = takesAn(word) ? "an" : "a";
    return right === article ? all : right + space + word;
  });
  const first = /^[^\p{L}\p{N}]*\p{L}/u.exec(text)?.[0] ?? "";
  const end = /[?!]$/u.test(text) ? "" : ".";
  return first.toUpperCase() + text.slice(first.length) + end;
}

const ARTICLE = /(?<![\p{L}\p{N}’-])(an?)( )([A-Za-z]+)/gu;

function takesAn(word: string): boolean {
  if (/^[A-Z]{2,}$/u.test(word)) return /^[AEFHILMNORSX]/u.test(word);
  if (/^(hour|honest|honou?r|heir)/iu.test(word)) return true;
  return /^[aeiou]/iu.test(word) && !/^(one|once|uni[^nm]|use|usu|eu|ubiq|util)/iu.test(word);
}
