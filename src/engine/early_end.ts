import { AgentError } from "../core/error.ts";
import type { EndReason, Stop } from "../core/fact.ts";
import { gist, type Made, NO_USAGE } from "../core/message.ts";
import { LimitStop } from "../core/limit.ts";
import type { Desk } from "./desk.ts";
import type { Party } from "./party.ts";

/** Who sums up an early end, and how it is asked. */
export interface Summariser {
  /** The participant's id. */
  readonly id: string;
  /** What is asked. */
  readonly task: string;
  /** The most tokens of the summary. */
  readonly maxTokens: number;
}

/** What an early end is recorded with. */
export interface StopOptions {
  readonly summariser: Summariser | undefined;
  /** The number of the last accepted message. */
  readonly lastSeq: number;
}

/** Records an early end: a summary by the moderator where the limits leave room for it, else by template. */
export async function recordStop(
  desk: Desk,
  why: LimitStop | "cancelled",
  { summariser, lastSeq }: StopOptions,
): Promise<Stop> {
  const limited = why instanceof LimitStop;
  const reason: EndReason = limited ? why.reason : why;
  const made = limited && summariser !== undefined
    ? await bySummariser(desk, summariser)
    : undefined;
  const stop: Stop = {
    type: "stop",
    number: desk.past.stops.length + 1,
    reason,
    ...(limited ? { limit: why.max, value: why.value } : {}),
    lastSeq,
    ...(made ?? byTemplate(desk, reason)),
  };
  await desk.emitter.emit({ type: "stop", stop });
  return stop;
}

async function bySummariser(
  desk: Desk,
  { id, task, maxTokens }: Summariser,
): Promise<(Made & { body: string }) | undefined> {
  const party = desk.parties.get(id);
  if (party === undefined || desk.prompter.length < 2) return undefined;
  try {
    return await asked(desk, party, { id, task, maxTokens });
  } catch (error) {
    // A summary that cannot be had is made by template: the stop itself is a result.
    if (error instanceof AgentError || error instanceof LimitStop) return undefined;
    throw error;
  }
}

async function asked(
  desk: Desk,
  party: Party,
  { task, maxTokens }: Summariser,
): Promise<(Made & { body: string }) | undefined> {
  const prompt = await desk.prompter.build({ count: desk.prompter.length }, {
    party,
    phase: "summary",
    round: 0,
    task,
  });
  const request = {
    messages: prompt,
    maxTokens,
    temperature: party.temperature,
    context: desk.context(party, {
      key: `stop/${desk.past.stops.length + 1}`,
      purpose: "turn",
      seq: desk.prompter.messages.at(-1)!.seq + 1,
      phase: "summary",
      kind: "summary",
      round: 0,
      attempt: 1,
      about: desk.prompter.messages,
    }),
  };
  if (!desk.budget.fits(await desk.estimate(party, request))) return undefined;
  const { reply, model, usage, latencyMs, createdAt } = await desk.callAfterStop(party, request);
  const body = reply.text.trim();
  return body === "" ? undefined : { body, model, usage, latencyMs, createdAt };
}

function byTemplate(desk: Desk, reason: EndReason): Made & { body: string } {
  const last = new Map(
    desk.prompter.messages.map((message) => [message.participant, message]),
  );
  const lines = [...last].map(([id, { seq, name, body }]) =>
    `- ${desk.parties.get(id)?.label ?? name} (message ${seq}): ${gist(body)}`
  );
  const count = desk.prompter.length;
  const body = [
    `The convening ended early (${reason}) after ${count} message${count === 1 ? "" : "s"}.`,
    lines.length === 0 ? "Nothing had been said." : `What each said last:\n\n${lines.join("\n")}`,
  ].join("\n\n");
  return {
    body,
    model: "template",
    usage: NO_USAGE,
    latencyMs: 0,
    createdAt: desk.now(),
  };
}
