// The model server in a process of its own, so that a candidate's processor time is its own alone.
import { type ModelReply, type ModelRequest, startModelServer } from "../support/model_server.ts";
import type { Compared, Preparation, Seen } from "./bench.ts";
import { callKey, latencyOf, speechFor } from "./calls.ts";
import { say, serveControl } from "./child.ts";
import { paperReply } from "./paper.ts";

let preparation: Preparation = { latency: 0 };
const texts = new Map<string, string>();
/** Sorted: the longest common beginning is with a neighbour. */
const prompts: string[] = [];
const NOTHING: Compared = { requests: 0, characters: 0, repeated: 0 };
let kinds: Record<string, Compared> = {};
let firstAt = 0;

function respond({ body }: ModelRequest): ModelReply {
  const { latency, prefixes = false } = preparation;
  if (firstAt === 0) firstAt = performance.timeOrigin + performance.now();
  const contents = body.messages.map(({ content }) => content ?? "");
  const kind = body.response_format?.json_schema?.name ?? "speech";
  const { requests, characters, repeated } = kinds[kind] ?? NOTHING;
  kinds[kind] = {
    requests: requests + 1,
    characters: characters + contents.join("").length,
    repeated: repeated + (prefixes ? repeatedIn(contents.join("\u0000")) : 0),
  };
  const paper = paperReply(body);
  if (paper !== undefined) return { ...paper, latency: latencyOf(latency, "paper") };
  const key = callKey(contents.at(-1)!);
  const text = texts.get(key) ?? speechFor(key);
  texts.set(key, text);
  const reply = body.response_format === undefined
    ? { text }
    : { json: structured(key, text, contents.at(-1)!) };
  return { ...reply, latency: latencyOf(latency, key) };
}

/** The length of the longest beginning that an earlier prompt has, too. */
function repeatedIn(prompt: string): number {
  let low = 0;
  for (let high = prompts.length; low < high;) {
    const middle = (low + high) >> 1;
    if (prompts[middle]! < prompt) low = middle + 1;
    else high = middle;
  }
  const neighbours = [prompts[low - 1] ?? "", prompts[low] ?? ""];
  prompts.splice(low, 0, prompt);
  return Math.max(...neighbours.map((other) => {
    let i = 0;
    while (i < other.length && other.charCodeAt(i) === prompt.charCodeAt(i)) i++;
    return i;
  }));
}

/** A score, a verdict, always of the same side, or an answer of a fact checker. */
function structured(key: string, reasons: string, prompt: string): unknown {
  const [kind] = key.split("/");
  if (kind === "claims") {
    const text = (each: string) => ({
      quote: "the network of buses",
      text: `Claim number ${each}`,
    });
    return { claims: ["one", "two", "three"].map(text) };
  }
  if (kind === "notes") {
    const text = (each: string) => ({
      quote: "the network of buses",
      text: `Point number ${each}`,
      kind: "new",
      answers: [],
    });
    return { points: ["one", "two", "three"].map(text) };
  }
  if (kind === "claim-verdict") {
    return { reason: reasons, verdict: "true", omitted: "", confidence: 0.9, sources: [1] };
  }
  if (kind === "verdict") {
    const tail = prompt.slice(prompt.lastIndexOf("The debate is over."));
    return { reasons, winner: /- ([^:\n]+?): For: /.exec(tail)?.[1], mainReason: "" };
  }
  const ids = ["logical_coherence", "evidence_quality", "responsiveness", "persuasiveness"];
  const scores = Object.fromEntries([...ids, "rule_adherence"].map((id, at) => [id, 5 + at]));
  return { reasons, scores };
}

function seen(): Seen {
  const sum = (key: keyof Compared) =>
    Object.values(kinds).reduce((total, each) => total + each[key], 0);
  return {
    requests: sum("requests"),
    characters: sum("characters"),
    repeated: sum("repeated"),
    kinds,
    firstAt,
  };
}

const { url } = await startModelServer({ journal: false, respond });
serveControl((asked: Preparation | null) => {
  if (asked === null) return seen();
  preparation = asked;
  prompts.length = 0;
  kinds = {};
  firstAt = 0;
});
say({ url });
