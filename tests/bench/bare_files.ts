// The files of the bare loop: the same names and front matter as the format says, written by hand.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { join } from "@std/path";

/** What a call used and when it ended. */
export interface BareMade {
  readonly model: string;
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly latency: number;
  readonly at: string;
}

/** A message of the bare loop. */
export interface BareMessage {
  readonly seq: number;
  readonly key: string;
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly position: string | undefined;
  readonly phase: string;
  readonly kind: string;
  readonly round: number;
  readonly replyTo: number | undefined;
  readonly previous: number | undefined;
  readonly body: string;
  readonly made: BareMade;
}

/** A score of the bare loop. */
export interface BareScore {
  readonly seq: number;
  readonly id: string;
  readonly scores: Readonly<Record<string, number>>;
  readonly total: number;
  readonly reasons: string;
  readonly made: BareMade;
}

/** A verdict of the bare loop. */
export interface BareVerdict {
  readonly number: number;
  readonly order: readonly string[];
  readonly winner: string | null;
  readonly reasons: string;
  readonly made: BareMade;
}

/** The weights of the rubric. */
export const WEIGHTS = {
  ["logical_coherence"]: 0.25,
  ["evidence_quality"]: 0.25,
  ["responsiveness"]: 0.2,
  ["persuasiveness"]: 0.15,
  ["rule_adherence"]: 0.15,
} as const;

/** Writes a file whole: a temporary name, flushed, renamed, and for a truth file the folder flushed. */
export async function writeWhole(
  folder: string,
  name: string,
  { text, truth }: { readonly text: string; readonly truth: boolean },
): Promise<void> {
  const temporary = join(folder, `.${name}.tmp`);
  const file = await Deno.open(temporary, { write: true, create: true, truncate: true });
  let rest: Uint8Array = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(await file.write(rest));
  await file.syncData();
  file.close();
  await Deno.rename(temporary, join(folder, name));
  if (!truth) return;
  const list = await Deno.open(folder);
  await list.sync();
  list.close();
}

/** The eight characters that stand for a participant in names. */
export function shortId(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, 8);
}

/** The name of a message's file. */
export function messageName({ seq, role, id }: Pick<BareMessage, "seq" | "role" | "id">): string {
  return `${String(seq).padStart(3, "0")}_${role}_${shortId(id)}.md`;
}

/** The first sentence, at most 140 characters. */
export function firstWords(body: string): string {
  const end = body.search(/[.!?](?:\s|$)/);
  return body.slice(0, Math.min(end === -1 ? 140 : end + 1, 140)).replace(/\s+/g, " ");
}

function madeLines({ input, cached, output, latency, at }: BareMade): string {
  return `usage: { input_tokens: ${input}, cached_input_tokens: ${cached}, output_tokens: ${output}, cost_usd: unknown }
latency_ms: ${latency}
created_at: ${at}
`;
}

/** A message's file as text. */
export function messageText(
  message: BareMessage,
  names: ReadonlyMap<number, string>,
): string {
  const { seq, key, id, name, role, position, phase, kind, round, replyTo, previous, body, made } =
    message;
  return `---
format: convenings/1
type: message
seq: ${seq}
turn: ${key}
participant: ${id}
name: ${JSON.stringify(name)}
role: ${role}
${position === undefined ? "" : `position: ${JSON.stringify(position)}\n`}phase: ${phase}
kind: ${kind}
round: ${round}
${replyTo === undefined ? "" : `reply_to: ${replyTo}\n`}index: ../index.md
${previous === undefined ? "" : `previous: ${names.get(previous)}\n`}${
    replyTo === undefined ? "" : `answers: ${names.get(replyTo)}\n`
  }gist: ${JSON.stringify(firstWords(body))}
model: ${JSON.stringify(made.model)}
attempts: 1
marks: []
${madeLines(made)}sha256: ${createHash("sha256").update(body).digest("hex")}
---
${body}`;
}

function flow(values: Readonly<Record<string, number>>): string {
  return `{ ${Object.entries(values).map(([key, value]) => `${key}: ${value}`).join(", ")} }`;
}

/** A score's file as text. */
export function scoreText({ seq, id, scores, total, reasons, made }: BareScore): string {
  return `---
format: convenings/1
type: score
message: ${seq}
participant: ${id}
judge: judge
model: ${JSON.stringify(made.model)}
rubric: debate
scale: [0, 10]
status: scored
weights: ${flow(WEIGHTS)}
criteria: ${flow(scores)}
total: ${total}
${madeLines(made)}---
${reasons}`;
}

/** A verdict's file as text. */
export function verdictText({ number, order, winner, reasons, made }: BareVerdict): string {
  return `---
format: convenings/1
type: verdict
judge: judge
model: ${JSON.stringify(made.model)}
rubric: debate
number: ${number}
order: [${order.join(", ")}]
status: read
winner: ${winner}
${madeLines(made)}---
${reasons}`;
}
