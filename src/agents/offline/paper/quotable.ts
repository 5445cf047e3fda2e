/** A sentence of a passage that may be quoted. */
export interface Quotable {
  /** As it stands in the passage, white space folded, its full stop included. */
  readonly text: string;
  /** Whether it certainly begins where a sentence begins; a passage may be cut within one. */
  readonly sure: boolean;
}

/** The fewest letters and digits worth a quotation. */
const SHORTEST = 12;
/** How much of a sentence is read for orders, in characters. */
const READ = 1000;
/** The longest quotation, in characters. */
const LONGEST = 330;

/**
 * The whole sentences of a passage that can be quoted: prose alone, nothing that looks like markup, code, a reference or
 * an order to whoever reads it, and nothing that holds quotation marks itself.
 */
export function quotableIn(passage: string, startsPaper = false): Quotable[] {
  const found: Quotable[] = [];
  proseBlocks(passage).forEach(({ text, open }, block) => {
    const parts = splitSentences(text);
    parts.forEach((part, i) => {
      const sentence = part.replace(/\s+/gu, " ").trim();
      const first = block === 0 && i === 0 && open && !startsPaper;
      if (!isQuotable(sentence) || /\p{L}-\s*\n\s*\p{Ll}/u.test(part)) return;
      found.push({ text: sentence, sure: !first || /^[¿¡]|^(?:[1-9]\d*\.)/u.test(sentence) });
    });
  });
  return found;
}

/** The paragraphs of a text without headings, tables, fences, tags and settings; `open` where it may begin within a sentence. */
export function proseBlocks(text: string): { readonly text: string; readonly open: boolean }[] {
  const lines = text.split("\n");
  const fences = lines.filter((line) => FENCE.test(line)).length;
  if (fences === 1 && !/^[ \t]*(?:```|~~~)\w/mu.test(text)) return [];
  const blocks: { readonly text: string; readonly open: boolean }[] = [];
  let held: string[] = [];
  let [fenced, open] = [false, true];
  const flush = () => {
    if (held.length > 0) blocks.push({ text: held.join("\n"), open });
    if (held.length > 0 || blocks.length > 0) open = false;
    held = [];
  };
  lines.forEach((line, i) => {
    const fence = FENCE.test(line);
    if (fence) fenced = !fenced;
    if (fence || fenced || line.trim() === "" || isMarkup(line, lines[i + 1] ?? "")) {
      flush();
      open = false;
      return;
    }
    const item = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+(?=\S)/u.exec(line);
    if (item !== null) flush();
    if (item !== null) open = false;
    held.push(item === null ? line : line.slice(item[0].length));
  });
  flush();
  return blocks;
}

const FENCE = /^\s*(?:```|~~~)/u;

function isMarkup(line: string, next: string): boolean {
  const text = line.trim();
  if (/^(?:#{1,6}\s|[|>]|-{3,}|={3,}|\*{3,}|!\[|\[\^?[\w-]+\]:|\$\$)/u.test(text)) return true;
  if (/<\/?[a-z!?][^>]{0,300}>|^\s*<|^[a-z_][\w-]*:(?:\s|$)|^[%\\]/u.test(text)) return true;
  if (/^(?:={3,}|-{3,})\s*$/u.test(next.trim())) return true;
  const words = text.split(/\s+/u).length;
  const heading = text.length < 50 && words <= 7 && !/[.,;:!?…。！？)’”"-]$/u.test(text);
  return heading && /^\s*[\p{Lu}\p{N}]/u.test(text) && /^\s*(?:$|\p{Lu})/u.test(next);
}

/** The sentences of a paragraph as they stand in it; abbreviations end none. */
export function splitSentences(text: string): string[] {
  return text.split(
    /(?<=[.!?…؟]["”’)\]]?)(?<!\b(?:Dr|Mr|Mrs|Ms|Prof|St|vs|approx|ca|cf|Fig|Figs|Eq|Sec|No|al|etc|e\.g|i\.e|z\. ?B|d\. ?h|bzw|p\. ?ej)\.)(?<!\b\p{Lu}\.)\s+(?=[^\p{Ll}]|$)|(?<=[。！？])/u,
  ).filter((each) => each.trim() !== "");
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function isQuotable(sentence: string): boolean {
  const letters = sentence.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  if (letters < (UNSPACED.test(sentence) ? 6 : SHORTEST) || sentence.length > LONGEST) return false;
  if (!/[.!?…。！？؟]\)?$/u.test(sentence) || /^(?![¿¡(])[\p{Ll}\p{P}]/u.test(sentence)) {
    return false;
  }
  const spaced = !UNSPACED.test(sentence);
  if (spaced && sentence.split(" ").length < 4) return false;
  if (letters < sentence.length * 0.6 && spaced) return false;
  return !REFUSED.some((pattern) => pattern.test(sentence)) && !isOrder(sentence);
}

/** What is never quoted. */
const REFUSED: readonly RegExp[] = [
  // Signs that are not seen, or turn the direction of writing.
  /[\p{Cc}\p{Cf}\p{Co}]/u,
  // Quotation marks, which would end the quotation.
  /["“”„‟«»‹›「」『』]/u,
  // Markup, code, addresses.
  /[`|{}\\^~#*@_]|\$.*\$|<\/?[a-z!?]|\]\(|\bhttps?:|\bwww\.|\bdoi\b|\barxiv\b|\bISBN\b|;\s*$/iu,
  // Entries of a list of references, captions.
  /\(\d{4}[a-z]?\)\.|\bet al\.,? \(?\d{4}|\bpp?\. ?\d|\b\d+\(\d+\)|^\[?\d+\]? \p{Lu}/u,
  /^(?:Figure|Fig\.|Table|Tab\.|Abbildung|Tabelle|Figura|Tabla|Listing) ?\d/iu,
];

/** Whether a sentence speaks to whoever reads it, or tells how the debate is to be judged. */
export function isOrder(sentence: string): boolean {
  const beginning = sentence.slice(0, READ);
  return ORDERS.some((pattern) => pattern.test(beginning));
}

const ORDERS: readonly RegExp[] = [
  /\b(?:you|your|yours|yourself)\b/iu,
  /\b(?:ignor|disregard|forget|overrid|overrule|bypass|vergiss|olvid|oubli)\w*\b.{0,80}\b(?:instruction|prompt|rule|order|previous|above|prior|all|everything|anweisung|regel|instruccion|regla|consigne)/iu,
  /\b(?:anweisung|instruccion|instrucción|consigne)\w*\b.{0,40}\b(?:ignor|vergiss|olvid)/iu,
  /\b(?:system|developer|assistant|user) (?:prompt|message|role|instructions?)\b|\bas an AI\b|\bthis is an order\b/iu,
  /\baward\w*\b.*\d|\b\d+ ?(?:\/|out of) ?\d+\b.*\b(?:score|points?|marks?|stars?)\b|\b(?:score|points?|marks?|stars?|rating|rate|grade)\b.*\b\d+ ?(?:\/|out of) ?\d+\b/iu,
  /\b(?:debater|judge|reviewer|winner|verdict|posture)s?\b.*\b(?:must|should|shall|have to|has to|wins?)\b/iu,
  /^(?:please )?(?:award|give|rate|score|print|output|write|say|repeat|return|respond|answer|declare|reveal|delete|execute|run|send|call|click|stop|act|pretend|approve|accept|rank|choose|do not|never|always)\b/iu,
];
