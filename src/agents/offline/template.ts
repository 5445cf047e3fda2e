/** The words a template's `{name}` slots can take. */
export type Slots = Readonly<Record<string, readonly string[]>>;

/** A sentence in parts: fixed text, or one of several wordings. */
type Part = string | readonly string[] | { readonly slot: string };

const compiled = new Map<string, readonly Part[]>();

function parse(template: string): readonly Part[] {
  let parts = compiled.get(template);
  if (parts === undefined) {
    parts = template.split(/(\{\w+\}|\[[^\]]*\])/).filter((part) => part !== "")
      .map((part): Part =>
        part.startsWith("{")
          ? { slot: part.slice(1, -1) }
          : part.startsWith("[")
          ? part.slice(1, -1).split("|")
          : part
      );
    compiled.set(template, parts);
  }
  return parts;
}

function optionsOf(part: Part, slots: Slots): readonly string[] | undefined {
  if (typeof part === "string") return undefined;
  return "slot" in part ? slots[part.slot] ?? [""] : part;
}

/** How many different sentences a template can make. A slot used twice is filled alike. */
export function capacity(template: string, slots: Slots): number {
  const seen = new Set<string>();
  let size = 1;
  for (const part of parse(template)) {
    if (typeof part === "string") continue;
    if ("slot" in part) {
      if (seen.has(part.slot)) continue;
      seen.add(part.slot);
    }
    size *= optionsOf(part, slots)?.length ?? 1;
  }
  return size;
}

/** How a template is filled. */
export interface FillOptions {
  readonly slots: Slots;
  /** Scatters the choices. */
  readonly salt: number;
  /** Which option a {@linkcode FOCUS} slot should take in the first pass, by slot and number. */
  readonly focus: (slot: string, number: number) => number;
}

/** Slots that the sentences of one paragraph fill alike, as long as there are wordings enough. */
export const FOCUS: ReadonlySet<string> = new Set(["who", "stake"]);

/**
 * The sentence number `index` of a template: a bijection from 0 … capacity − 1 to the choices in it. The other choices
 * run through all their combinations, scattered, before a focus slot leaves the option it was to take.
 */
export function fill(template: string, index: number, options: FillOptions): string {
  const { slots, salt, focus } = options;
  const size = capacity(template, slots);
  let passes = 1;
  const used = new Set(slotsOf(template).filter((name) => FOCUS.has(name)));
  for (const name of used) passes *= slots[name]?.length ?? 1;
  const number = index % size;
  const round = size / passes;
  let rest = scatter(number % round, round, salt);
  let pass = Math.floor(number / round);
  const chosen = new Map<string, string>();
  for (const name of used) {
    const words = slots[name] ?? [""];
    chosen.set(name, words[(focus(name, number % round) + pass) % words.length]!);
    pass = Math.floor(pass / words.length);
  }
  return parse(template).map((part) => {
    if (typeof part === "string") return part;
    const name = "slot" in part ? part.slot : "";
    const known = chosen.get(name);
    if (known !== undefined) return known;
    const words = optionsOf(part, slots)!;
    const word = words[rest % words.length]!;
    rest = Math.floor(rest / words.length);
    if (name !== "") chosen.set(name, word);
    return word;
  }).join("");
}

function slotsOf(template: string): string[] {
  return parse(template).flatMap((part) =>
    typeof part !== "string" && "slot" in part ? [part.slot] : []
  );
}

/** An affine bijection on 0 … size − 1. */
function scatter(index: number, size: number, salt: number): number {
  if (size < 3) return (index + salt) % size;
  let factor = (Math.floor(size * 0.618) + salt % size) % size;
  while (factor < 2 || gcd(factor, size) !== 1) factor = (factor + 1) % size;
  // Both below 2 ** 26 in practice, so the product is exact.
  return (factor * index + salt % size) % size;
}

function gcd(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b];
  return a;
}
