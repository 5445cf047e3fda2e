import type { AgentRequest, RequestContext } from "../../core/agent.ts";
import type { TokenCounter } from "../../core/tokens.ts";
import { argument, closing, opening, type Plan, rebuttal, statement } from "./advocate.ts";
import { fold, introduction, roundSummary, summary } from "./moderator.ts";
import { type Piece, type Speech, speechFor } from "./speech.ts";

/** What a turn without a cap is written for, in tokens. */
const USUAL_LENGTH = 200;

/** A spoken turn, or a summary of older ones, within the request's tokens. */
export function composeText(request: AgentRequest, count: TokenCounter): string {
  const room = request.maxTokens ?? Math.round(USUAL_LENGTH / 0.86);
  const speech = speechFor(request.context);
  const plan = request.context.purpose === "fold"
    ? fold(speech, room)
    : planFor(request.context, speech, room < 120);
  return assemble(plan, room, count);
}

function planFor(context: RequestContext, speech: Speech, short: boolean): Plan {
  switch (context.kind) {
    case "opening_statement":
      return opening(speech);
    case "argument":
      return argument(speech);
    case "rebuttal":
      return rebuttal(speech);
    case "closing_statement":
      return closing(speech);
    case "introduction":
      return introduction(speech);
    case "round_summary":
      return roundSummary(speech);
    case "summary":
    case "report":
      return summary(speech);
    default:
      return context.role === "moderator" ? summary(speech) : statement(speech, short);
  }
}

/** The sentences of a plan that fit: some 78 to 94 % of the room. */
function assemble({ pieces, end }: Plan, room: number, count: TokenCounter): string {
  const [enough, most] = [room * 0.78, room * 0.94];
  const chosen: Piece[] = [];
  let used = 0;
  for (const piece of end) used += count(piece.text) + 2;
  const last = used > room * 0.5 ? [] : end;
  if (last.length === 0) used = 0;
  let misses = 0;
  for (const piece of pieces) {
    if (used >= enough || misses > 4) break;
    const size = count(piece.text) + 2;
    if (used + size > most) {
      misses++;
      continue;
    }
    used += size;
    chosen.push(piece);
  }
  if (chosen.length === 0) return tiny(pieces, end, { room, count });
  return join([...chosen, ...last]);
}

/** Where not even one sentence fits: the beginning of one. */
function tiny(
  pieces: Iterable<Piece>,
  end: readonly Piece[],
  { room, count }: { readonly room: number; readonly count: TokenCounter },
): string {
  const first = [...pieces, ...end][0]?.text ?? "";
  const words = first.split(" ");
  while (words.length > 1 && count(`${words.join(" ")} …`) > room) words.pop();
  return words.length === first.split(" ").length ? first : `${words.join(" ")} …`;
}

function join(pieces: readonly Piece[]): string {
  return pieces.map(({ text, opens }, i) => i === 0 ? text : `${opens ? "\n\n" : " "}${text}`).join(
    "",
  );
}
