/** How long replies take: the same each time, or log-normal by the call they answer. */
export type BenchLatency =
  | number
  | { readonly median: number; readonly sigma: number; readonly seed: number };

/** The words at the end of a prompt by which a call of a debate is known; the speaker where one kind has several. */
const CALLS: readonly (readonly [RegExp, (found: RegExpExecArray, who: string) => string])[] = [
  [/List the claims of fact/, (_, who) => `claims/${who}`],
  [/Judge the claim above/, (_, who) => `claim-verdict/${who}`],
  [/Sum up the whole debate/, () => "summary"],
  [/Score turn (\d+), by/, ([, turn]) => `score/${turn}`],
  [/The debate is over\.[^\n]*\n- (.+?):/, ([, first]) => `verdict/${first}`],
  [/Sum up round (\d+)/, ([, round]) => `round/${round}`],
  [/Round (\d+)[^:\n]*: make one new argument/, ([, round], who) => `argument/${round}/${who}`],
  [/Round (\d+)[^:\n]*: rebut/, ([, round], who) => `rebuttal/${round}/${who}`],
  [/Give your opening statement/, (_, who) => `opening/${who}`],
  [/Give your closing statement/, (_, who) => `closing/${who}`],
];

/** Which call of a debate a request is: the same key for the same call, whoever sends it. */
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

/** Milliseconds that the server takes for a call; only the latency's seed and the key decide. */
export function latencyOf(latency: BenchLatency, key: string): number {
  if (typeof latency === "number") return latency;
  const { median, sigma, seed } = latency;
  const random = generator(`${seed} ${key}`);
  const [a, b] = [random(), random()];
  return median * Math.exp(sigma * Math.sqrt(-2 * Math.log(1 - a)) * Math.cos(2 * Math.PI * b));
}

/** How many calls to models a debate of two advocates makes: turns, scores, verdicts. */
export function callsOf(rounds: number): number {
  return 9 * rounds + 11;
}

/**
 * The least milliseconds a debate can take: blind openings together, every later turn after the one before, round
 * summaries, scores and verdicts alongside.
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

/** About how many words a reply of each kind has. */
const WORDS: Readonly<Record<string, number>> = {
  opening: 215,
  argument: 190,
  rebuttal: 190,
  round: 100,
  closing: 240,
  summary: 225,
  score: 90,
  verdict: 110,
};

/** What a model says in a call: the same text for the same key. */
export function speechFor(key: string): string {
  const random = generator(key);
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)]!;
  const sentences: string[] = [];
  for (let words = 0; words < (WORDS[key.split("/")[0]!] ?? 190);) {
    const sentence = `${pick(LEADS)} ${pick(SUBJECTS)} ${pick(VERBS)} ${pick(OBJECTS)} ${
      pick(ENDS)
    }.`;
    words += sentence.split(" ").length;
    sentences.push(sentence);
    if (sentences.length % 5 === 0) sentences.push("\n\n");
  }
  return sentences.join(" ").replaceAll(" \n\n ", "\n\n").trim();
}

const LEADS = [
  "In practice",
  "On the evidence we have",
  "For most residents",
  "Taken over ten years",
  "As the other side concedes",
  "Once the pilot had ended",
  "Where the measure was tried",
  "Contrary to that claim",
  "Even on cautious assumptions",
  "Seen from a small shop",
];
const SUBJECTS = [
  "a centre without private cars",
  "the cost of a delivery",
  "the network of buses and trams",
  "an exemption for disabled drivers",
  "the loss of parking revenue",
  "air quality beside the main streets",
  "every survey of traders",
  "the first winter of the scheme",
  "a charge that rises with demand",
  "the time of an average trip",
];
const VERBS = [
  "changes more slowly than",
  "depends far more on",
  "is worth nothing without",
  "has been measured against",
  "weighs heavier than",
  "cannot be separated from",
  "was planned together with",
  "turned out to follow",
  "pays for itself through",
  "leaves open the question of",
];
const OBJECTS = [
  "the frequency of evening services",
  "what families in the outer districts can afford",
  "the number of injuries on crossings",
  "a ring road that was never widened",
  "the habits of people who commute late",
  "footfall in the streets behind the market",
  "noise at night and the sleep it costs",
  "the rents that landlords then demand",
  "access for ambulances and tradespeople",
  "trust in a council that keeps its word",
];
const ENDS = [
  "and that difference decides the matter",
  "which is why the comparison misleads",
  "as three of the five cities reported",
  "so the burden of proof lies with them",
  "although nobody has shown it at this scale",
  "and the figures since then agree",
  "which a ban alone would never achieve",
  "unless the money is spent as promised",
  "so a gradual path is the safer one",
  "and no later study has overturned it",
];

/** Numbers from 0 to 1 that only the seed decides. */
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
