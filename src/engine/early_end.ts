// The early end of a run: its summary by a model where the limits leave room for it, else by template.
import { counted, gist } from "../core/text.ts";
import type { Summariser } from "./workflow_options.ts";
import { AgentError } from "../core/error.ts";
import { type EndReason, endWords, type Stop } from "../core/fact.ts";
import type { Made } from "../core/message.ts";
import { LimitStop } from "../core/limit.ts";
import { type Asker, madeFree, type RunContext } from "./asker.ts";
import { madeOf, usageBehind } from "./caller.ts";

interface StopOptions {
  readonly summariser: Summariser | undefined;
  /** The number of the last accepted message. */
  readonly lastSeq: number;
}

/** Records an early end: a summary by the moderator where the limits leave room for it, else by template. */
export async function recordStop(
  run: RunContext,
  asker: Asker,
  why: LimitStop | "cancelled",
  { summariser, lastSeq }: StopOptions,
): Promise<Stop> {
  const limited = why instanceof LimitStop;
  const reason: EndReason = limited ? why.reason : why;
  const made = limited && summariser !== undefined
    ? await bySummariser(run, asker, summariser)
    : undefined;
  const stop: Stop = {
    type: "stop",
    number: run.past.stops.length + 1,
    reason,
    ...(limited ? { limit: why.max, value: why.value } : {}),
    lastSeq,
    ...byTemplate(run, reason),
    ...made,
  };
  await run.emitter.emit({ type: "stop", stop });
  return stop;
}

async function bySummariser(
  run: RunContext,
  asker: Asker,
  { id, task, maxTokens }: Summariser,
): Promise<Partial<Made & Pick<Stop, "body">> | undefined> {
  const member = run.cast.get(id);
  if (member === undefined || run.prompter.length < 2) return undefined;
  const { messages } = run.prompter;
  try {
    const called = await asker.callAfterStop({
      key: `stop/${run.past.stops.length + 1}`,
      purpose: "turn",
      member,
      seq: messages.at(-1)!.seq + 1,
      phase: "summary",
      kind: "summary",
      round: 0,
      sight: { count: messages.length },
      task,
      maxTokens,
    });
    if (called === undefined) return undefined;
    const body = called.reply.text.trim();
    return body === "" ? { usage: called.usage } : { body, ...madeOf(called) };
  } catch (error) {
    // A summary that cannot be had is made by template: the stop itself is a result.
    if (error instanceof AgentError) return { usage: usageBehind(error) };
    if (error instanceof LimitStop) return undefined;
    throw error;
  }
}

function byTemplate(run: RunContext, reason: EndReason): Made & { body: string } {
  const last = new Map(
    run.prompter.messages.map((message) => [message.participant, message]),
  );
  const lines = [...last].map(([id, { seq, name, body }]) =>
    `- ${run.cast.get(id)?.label ?? name} (message ${seq}): ${gist(body)}`
  );
  const count = run.prompter.length;
  const body = [
    `The convening ended early (${endWords(reason)}) after ${counted(count, "message")}.`,
    lines.length === 0 ? "Nothing had been said." : `What each said last:\n\n${lines.join("\n")}`,
  ].join("\n\n");
  return { body, ...madeFree(run, "template") };
}
