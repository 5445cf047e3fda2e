// Replies of a fact checker and of a note-taker, from a record.
import type { AgentRequest } from "../../core/agent.ts";
import type { FactCheck } from "../../core/fact.ts";
import { reasonOf } from "../../core/fact_check_summary.ts";
import { unreadText } from "./answer_text.ts";
import { bodyIn, claimIn } from "./question_data.ts";
import type { Recording } from "./recording.ts";

/** A note-taker's reply: the points of a statement, and its claims where they were noted; undefined where no notes are recorded. */
export function notesText(request: AgentRequest, recording: Recording): string | undefined {
  const { key, data } = request.context;
  const flow = recording.flowOf(Number(key.split("/")[1]), bodyIn(data));
  if (flow?.status === "unread") return unreadText(flow.reason ?? "", request);
  return flow && JSON.stringify({ points: flow.points, claims: flow.claims });
}

/**
 * A fact checker's reply: the claims of a statement, or the verdict on one; undefined where no check is recorded. What was
 * not checked is answered so that it is not: its claims, where they were looked up, else nothing that could be read.
 */
export function checkText(request: AgentRequest, recording: Recording): string | undefined {
  const { key, kind, data } = request.context;
  const seq = Number(key.split("/")[1]);
  if (kind === "claims") {
    const check = recording.checkOf(seq, bodyIn(data));
    return check &&
      claimsText(
        check,
        { queries: recording.queriesFor(check.message), body: bodyIn(data) },
        request,
      );
  }
  const asked = claimIn(data);
  const check = asked && recording.checkWith(seq, asked.claim);
  return check && verdictText(check, asked, request);
}

function claimsText(
  { status, claims, reasons }: FactCheck,
  { queries, body = "" }: {
    readonly queries: readonly string[];
    readonly body?: string | undefined;
  },
  request: AgentRequest,
): string {
  const found = status === "checked" ? claims : queries.map((text) => ({ text, quote: body }));
  if (status === "unchecked" && found.length === 0) return unreadText(reasons, request);
  // Claims of earlier versions name no words of the message.
  return JSON.stringify({ claims: found.map(({ text, quote = body }) => ({ quote, text })) });
}

function verdictText(
  check: FactCheck,
  { claim, hits }: NonNullable<ReturnType<typeof claimIn>>,
  request: AgentRequest,
): string {
  const checked = check.claims.find(({ text }) => text === claim);
  if (checked === undefined) return unreadText(check.reasons, request);
  const { verdict, omitted, confidence, sources } = checked;
  return JSON.stringify({
    reason: reasonOf(checked, check),
    verdict,
    omitted: omitted ?? "",
    confidence,
    sources: hits.flatMap(({ url, snippet }, at) =>
      sources.some((source) => source.url === url && snippet.startsWith(source.snippet))
        ? [at + 1]
        : []
    ),
  });
}
