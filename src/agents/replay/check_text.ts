import type { AgentRequest } from "../../core/agent.ts";
import type { FactCheck } from "../../core/fact.ts";
import { unreadText } from "./answer_text.ts";
import { bodyIn, claimIn } from "./question_data.ts";
import type { Recording } from "./recording.ts";

/**
 * A fact checker's reply: the claims of a statement, or the verdict on one; undefined where no check is recorded. What was
 * not checked is answered so that it is not: its claims, where they were looked up, else nothing that could be read.
 */
export function checkText(request: AgentRequest, recording: Recording): string | undefined {
  const { key, kind, data } = request.context;
  const seq = Number(key.split("/")[1]);
  if (kind === "claims") {
    const check = recording.checkOf(seq, bodyIn(data));
    return check && claimsText(check, recording.queriesFor(check.message), request);
  }
  const asked = claimIn(data);
  const check = asked && recording.checkWith(seq, asked.claim);
  return check && verdictText(check, asked, request);
}

function claimsText(
  { status, claims, reasons }: FactCheck,
  queries: readonly string[],
  request: AgentRequest,
): string {
  const texts = status === "checked" ? claims.map(({ text }) => text) : queries;
  if (status === "unchecked" && texts.length === 0) return unreadText(reasons, request);
  return JSON.stringify({ claims: texts.map((text) => ({ text })) });
}

function verdictText(
  { claims, reasons }: FactCheck,
  { claim, hits }: NonNullable<ReturnType<typeof claimIn>>,
  request: AgentRequest,
): string {
  const index = claims.findIndex(({ text }) => text === claim);
  const checked = claims[index];
  if (checked === undefined) return unreadText(reasons, request);
  const { verdict, confidence, sources } = checked;
  return JSON.stringify({
    reason: reasonIn(reasons.split("\n")[index] ?? "", checked),
    verdict,
    confidence,
    sources: hits.flatMap(({ url, snippet }, at) =>
      sources.some((source) => source.url === url && source.snippet === snippet) ? [at + 1] : []
    ),
  });
}

/** The reason in a claim's line, which stands between its text and the titles of its sources; empty where it is not there. */
function reasonIn(
  line: string,
  { text, verdict, confidence, sources }: FactCheck["claims"][number],
): string {
  const start = `- ${verdict} (${confidence}): “${text}”. `;
  if (!line.startsWith(start)) return "";
  const rest = line.slice(start.length);
  const end = rest.lastIndexOf(sources.length === 1 ? " (source: “" : " (sources: “");
  return sources.length === 0 || end === -1 ? rest : rest.slice(0, end);
}
