// Model server in a process of its own, so that a candidate's processor time does not include it.
import { type ModelReply, type ModelRequest, startModelServer } from "../support/model_server.ts";
import { argumentFor, askOf, call, type PaperAsk, paperModel } from "../support/paper_model.ts";
import type { Compared, Preparation, Seen } from "./bench.ts";
import { callKey, latencyOf, speechFor } from "./calls.ts";
import { now, say, serveControl } from "./child.ts";

let preparation: Preparation = { latency: 0 };
const texts = new Map<string, string>();
/** Sorted, so that the longest common beginning is with a neighbour. */
const prompts: string[] = [];
const NOTHING: Compared = { requests: 0, characters: 0, repeated: 0 };
let kinds: Record<string, Compared> = {};
let firstAt = 0;

function respond(request: ModelRequest): ModelReply {
  const { messages, response_format: format } = request.body;
  const { latency, prefixes = false } = preparation;
  if (firstAt === 0) firstAt = now();
  const contents = messages.map(({ content }) => content ?? "");
  const kind = format?.json_schema?.name ?? "speech";
  const { requests, characters, repeated } = kinds[kind] ?? NOTHING;
  kinds[kind] = {
    requests: requests + 1,
    characters: characters + contents.join("").length,
    repeated: repeated + (prefixes ? repeatedIn(contents.join("\u0000")) : 0),
  };
  const ask = askOf(request);
  if (isOfPaper(ask)) return { ...paperReply(request), latency: latencyOf(latency, "paper") };
  const prompt = contents.at(-1)!;
  const key = callKey(prompt);
  const text = texts.get(key) ?? speechFor(key);
  texts.set(key, text);
  const reply = format === undefined ? { text } : { json: structured(key, text, prompt) };
  return { ...reply, latency: latencyOf(latency, key) };
}

/** Returns the length of the longest beginning that an earlier prompt shares. */
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

/** True if a request belongs to a paper debate, whose judges compare the sides of research papers. */
function isOfPaper({ kind, prompt }: PaperAsk): boolean {
  if (kind === "verdict") return prompt.includes("debate over research papers");
  return /^(?:paper_|postures|debater_|topic_scores|insights)/.test(kind) ||
    prompt.includes("Report this debate to");
}

/** Argument on a topic, the same for all debaters. */
const ARGUED = {
  claim: "It holds.",
  reasoning: "What was measured says so, and nothing that was measured says otherwise.",
  counterpoints: ["It was measured once."],
  citations: { paper: [], web: [] },
};

/** Replies of a paper debate: two look-ups before each argument, the requested number of postures, no winner. */
const paperReply = paperModel((ask) => {
  const { kind, results, prompt } = ask;
  switch (kind) {
    case "debater_argument":
      return results.length < 2
        ? call("lookupPaper", { query: `measured ${results.length}` })
        : { json: { ...argumentFor(ask, ARGUED), overallPosition: "It holds." } };
    case "postures_and_topics": {
      const length = Number(/Take (\d+) postures/.exec(prompt)?.[1]);
      const said = "It holds as far as is said here, case";
      const postures = Array.from({ length }, (_, index) => `${said} ${index + 1}?`);
      return { json: { postures, topics: ["Methodology", "Evidence", "Practice"] } };
    }
    case "verdict":
      return { json: { reasons: "None was better.", winner: "tie", mainReason: "" } };
    default:
      return undefined;
  }
});

/** Returns a score, a verdict that always favours the same side, or a fact checker's answer. */
function structured(key: string, reasons: string, prompt: string): unknown {
  const quote = "the network of buses";
  const three = <T>(of: (number: string) => T) => ["one", "two", "three"].map(of);
  switch (key.split("/")[0]) {
    case "claims":
      return { claims: three((each) => ({ quote, text: `Claim number ${each}` })) };
    case "notes": {
      const rest = { kind: "new", answers: [] };
      return { points: three((each) => ({ quote, text: `Point number ${each}`, ...rest })) };
    }
    case "claim-verdict":
      return { reason: reasons, verdict: "true", omitted: "", confidence: 0.9, sources: [1] };
    case "verdict": {
      const tail = prompt.slice(prompt.lastIndexOf("The debate is over."));
      return { reasons, winner: /- ([^:\n]+?): For: /.exec(tail)?.[1], mainReason: "" };
    }
  }
  const ids = ["logical_coherence", "evidence_quality", "responsiveness", "persuasiveness"];
  const scores = Object.fromEntries([...ids, "rule_adherence"].map((id, at) => [id, 5 + at]));
  return { reasons, scores };
}

function seen(): Seen {
  const sum = (key: keyof Compared) =>
    Object.values(kinds).reduce((total, each) => total + each[key], 0);
  const [requests, characters, repeated] = [sum("requests"), sum("characters"), sum("repeated")];
  return { requests, characters, repeated, kinds, firstAt };
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
