import { capacity, fill, type Slots } from "../template.ts";
import { finish, Writer } from "../writer.ts";

/** Stand for words of others while a sentence is finished, so that its grammar does not touch them. */
const FIRST_SIGN = 0xe000;

/**
 * Writes one sentence with words of others in it, to the letter as they are: `write` gets slots that hold signs in their
 * place.
 */
function withOutside(outside: Slots, write: (slots: Slots) => string): string {
  const words: string[] = [];
  const signs = Object.fromEntries(
    Object.entries(outside).map(([name, texts]) => [
      name,
      texts.map((text) => String.fromCharCode(FIRST_SIGN + words.push(text) - 1)),
    ]),
  );
  return write(signs).replace(
    /[\ue000-\uf8ff]/gu,
    (sign) => words[sign.charCodeAt(0) - FIRST_SIGN] ?? "",
  ).replace(/(?<=[?!…])\.$/u, "");
}

/** A drawn sentence with words of others, which may come again elsewhere. */
export function outsidePhrase(
  templates: readonly string[],
  outside: Slots,
  random: () => number,
): string {
  const template = templates[Math.floor(random() * templates.length)]!;
  return withOutside(outside, (slots) => {
    const number = Math.floor(random() * capacity(template, slots));
    return finish(fill(template, number, { slots, salt: 0, focus: (_, at) => at }));
  });
}

/** Which sentences are written. */
export interface OutsideWriterOptions {
  readonly seed: number;
  /** Unique among all that draw on the same lists in a convening; small ones go without the worn beginnings. */
  readonly index: number;
  readonly random: () => number;
}

/** Writes sentences about words of others that no other index has; each list of templates is used once with it. */
export class OutsideWriter {
  readonly #writer: Writer;

  /** A writer for one index. */
  constructor({ seed, index, random }: OutsideWriterOptions) {
    this.#writer = new Writer({ seed, index, slots: {}, random });
  }

  /** A sentence of a list, with words of others in its slots, and with words of one's own, which a sentence may begin with. */
  write(
    templates: readonly string[],
    outside: Readonly<Record<string, string>>,
    own: Readonly<Record<string, string>> = {},
  ): string {
    return withOutside(
      listed(outside),
      (signs) => this.#writer.write(templates, "none", { more: { ...listed(own), ...signs } }),
    );
  }
}

function listed(texts: Readonly<Record<string, string>>): Slots {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, [text]]));
}
