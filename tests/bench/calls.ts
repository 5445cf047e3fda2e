// Model calls of a debate: key, latency and reply of a request.

/** Latency of replies in milliseconds: constant, or log-normal by the call's key. */
export type BenchLatency =
  | number
  | { readonly median: number; readonly sigma: number; readonly seed: number };

/** Patterns at the end of a prompt by which a call is identified, with the speaker if several speak in one kind of call. */
const CALLS: readonly (readonly [RegExp, (found: RegExpExecArray, who: string) => string])[] = [
  [/List the claims of fact/, (_, who) => `claims/${who}`],
  [/List the points that the statement/, (_, who) => `notes/${who}`],
  [/Judge the claim above/, (_, who) => `claim-verdict/${who}`],
  [/Sum up the whole debate/, () => "summary"],
  [/Score turn (\d+), by/, ([, turn]) => `score/${turn}`],
  [
    /The debate is over\. Compare[^]*?: (For|Against): /,
    ([, first]) => `verdict/Advocate ${first === "For" ? "A" : "B"}`,
  ],
  [/Sum up round (\d+)/, ([, round]) => `round/${round}`],
  [/Round (\d+)[^:\n]*: make one argument/, ([, round], who) => `argument/${round}/${who}`],
  [/Round (\d+)[^:\n]*: rebut/, ([, round], who) => `rebuttal/${round}/${who}`],
  [/Give your opening statement/, (_, who) => `opening/${who}`],
  [/Give your closing statement/, (_, who) => `closing/${who}`],
];

/** Returns the key of a request's call, the same for both candidates. */
export function callKey(prompt: string): string {
  const start = Math.max(prompt.lastIndexOf("</turn>"), prompt.lastIndexOf("</summary>"));
  const tail = prompt.slice(start === -1 ? 0 : start);
  const who = /^You are (.+?)[.,;]/m.exec(tail)?.[1] ?? "somebody";
  for (const [pattern, key] of CALLS) {
    const found = pattern.exec(tail);
    if (found !== null) return key(found, who);
  }
  throw new Error(`Cannot tell which call this is: ${tail.slice(0, 400)}`);
}

/** Returns the latency of a call in milliseconds; depends on the latency's seed and the key alone. */
export function latencyOf(latency: BenchLatency, key: string): number {
  if (typeof latency === "number") return latency;
  const { median, sigma, seed } = latency;
  const random = generator(`${seed} ${key}`);
  const [a, b] = [random(), random()];
  return median * Math.exp(sigma * Math.sqrt(-2 * Math.log(1 - a)) * Math.cos(2 * Math.PI * b));
}

/** Returns the number of model calls in a debate of two advocates: turns, scores, verdicts. */
export function callsOf(rounds: number): number {
  return 9 * rounds + 11;
}

/**
 * Returns the least possible duration of a debate in milliseconds: concurrent blind openings, then each turn after the
 * previous one, with round summaries, scores and verdicts alongside.
 */
export function longestChain(rounds: number, latency: BenchLatency): number {
  const of = (key: string): number => latencyOf(latency, key);
  const sides = ["Advocate A", "Advocate B"] as const;
  const openings = sides.map((side) => of(`opening/${side}`));
  let end = Math.max(...openings.map((time, index) => time + of(`score/${2 + index}`)));
  let now = Math.max(...openings);
  let summaries = 0;
  let seq = 3;
  const turn = (key: string): void => {
    now += of(key);
    end = Math.max(end, now + of(`score/${++seq}`));
  };
  for (let round = 1; round <= rounds; round++) {
    for (const [index, side] of sides.entries()) {
      turn(`argument/${round}/${side}`);
      turn(`rebuttal/${round}/${sides[1 - index]}`);
    }
    seq++;
    summaries = Math.max(summaries, now + of(`round/${round}`));
  }
  for (const side of sides) turn(`closing/${side}`);
  const verdicts = sides.map((side) => now + of(`verdict/${side}`));
  return Math.max(end, ...verdicts, Math.max(now, summaries) + of("summary"));
}

/** Approximate number of words by kind of reply; 190 for other kinds. */
const WORDS: Readonly<Record<string, number>> = {
  opening: 215,
  round: 100,
  closing: 240,
  summary: 225,
  score: 90,
  verdict: 110,
};

/** Parts of a sentence, in order. */
const PARTS = [
  ["In practice", "On the evidence we have", "For most residents", "As the other side concedes"],
  ["a centre without private cars", "the network of buses", "every survey of traders"],
  ["changes more slowly than", "is worth nothing without", "weighs heavier than"],
  ["the frequency of evening services", "noise at night and the sleep it costs", "a ring road"],
  [
    "as three of the five cities reported",
    "and the figures since then agree",
    "so they must prove it",
  ],
];

/** Returns the text of a reply: the same for the same key. */
export function speechFor(key: string): string {
  const random = generator(key);
  const sentences: string[] = [];
  for (let words = 0; words < (WORDS[key.split("/")[0]!] ?? 190);) {
    const sentence = PARTS.map((part) => part[Math.floor(random() * part.length)]).join(" ");
    words += sentence.split(" ").length;
    const end = sentences.length % 5 === 4 ? ".\n\n" : ". ";
    sentences.push(`${sentence} (${Math.floor(random() * 1e6)})${end}`);
  }
  return sentences.join("").trim();
}

/** Returns a generator of numbers from 0 to 1 that depends on the seed alone. */
function generator(seed: string): () => number {
  let state = 2166136261;
  for (let i = 0; i < seed.length; i++) state = Math.imul(state ^ seed.charCodeAt(i), 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}
