// Hyphens at the ends of lines: divided words and compounds.
/** Counts of the words of a text, within its lines. */
interface Vocabulary {
  /** From a word in lower case, a compound with its hyphens included, to how often it occurs. */
  readonly count: ReadonlyMap<string, number>;
}

const WORD = /[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*/gu;
/** A word that a line divides: its last letters and a hyphen. */
const DIVIDED = /([\p{L}\p{M}]+)-$/u;
const BEGINS = /^([\p{L}\p{M}]+)/u;
/** Halves of compounds in English that are seldom parts of one word. */
const FIRST_HALF = /^(?:cross|data|log|mixed|one|self|three|two|user|well)$/;
const LAST_HALF =
  /^(?:adjusted|based|controlled|dimensional|driven|established|level|mode|oriented|specific|wide|world)$/;
/** Words that follow `short-` in "short- and long-term". */
const SUSPENDS = /^(?:and|or|to|nor|versus|und|oder|y|o|et|ou)\b/u;

/** The words of lines, without those that a line's end divides. */
export function vocabularyOf(lines: Iterable<string>): Vocabulary {
  const count = new Map<string, number>();
  let divided = false;
  for (const line of lines) {
    const words = line.toLowerCase().match(WORD) ?? [];
    const ends = DIVIDED.test(endOf(line));
    for (const word of words.slice(divided ? 1 : 0, ends ? -1 : undefined)) {
      count.set(word, (count.get(word) ?? 0) + 1);
    }
    divided = ends;
  }
  return { count };
}

/** Tells whether a line ends in a hyphen that may divide a word. */
export function isDivided(line: string): boolean {
  return /[\p{L}\p{M}\p{N}]-$/u.test(line);
}

/**
 * The joint of a line that ends in a hyphen and the next: without the hyphen, with it, or with it and a space. A word is
 * put together unless its text says otherwise: what stands elsewhere as a compound, or has two halves that are both words
 * of their own and never one word, keeps its hyphen. So do names, numbers ("COVID-19", "Anglo-Saxon") and a hyphen that
 * waits for the next word ("short- and long-term").
 */
export function hyphenAt(
  line: string,
  next: string,
  { count }: Vocabulary,
): "dropped" | "kept" | "apart" {
  if (SUSPENDS.test(next)) return "apart";
  const head = DIVIDED.exec(endOf(line))?.[1]?.toLowerCase();
  const tail = BEGINS.exec(next)?.[1]?.toLowerCase();
  if (head === undefined || tail === undefined) return "kept";
  const times = (word: string) => count.get(word) ?? 0;
  const [asOne, asCompound] = [times(head + tail), times(`${head}-${tail}`)];
  if (asOne !== asCompound) return asOne > asCompound ? "dropped" : "kept";
  if (/^\P{Ll}/u.test(next) || head.length === 1) return "kept";
  const halves = head.length >= 3 && tail.length >= 3 && times(head) > 0 && times(tail) > 0;
  const isCompound = halves || (/-\p{L}+-$/u.test(endOf(line)) && times(head) > 0) ||
    (FIRST_HALF.test(head) && tail.length >= 4) || (LAST_HALF.test(tail) && head.length >= 4);
  return isCompound ? "kept" : "dropped";
}

/** Longer than any word, so that a line of letters alone costs no more than others. */
function endOf(line: string): string {
  return line.slice(-100);
}
