import type { AgentRequest, RequestContext } from "../../core/agent.ts";
import type { TokenCounter } from "../../core/tokens.ts";
import { argument, closing, opening, rebuttal, statement } from "./advocate.ts";
import {
  fold,
  interruption,
  introduction,
  roundIntroduction,
  roundSummary,
  summary,
} from "./moderator.ts";
import { reportText } from "./paper/report.ts";
import { chain, type Plan } from "./points.ts";
import { interjection, interruptionAnswer, withoutAudience } from "./replies.ts";
import { type Piece, type Speech, speechFor } from "./speech.ts";
import { piecesInRange } from "./word_range.ts";

/** What a turn without a cap is written for, in tokens. */
const USUAL_LENGTH = 200;
/** More than a word of the offline writer's ever has, on average over a turn. */
const TOKENS_A_WORD = 3;

/** What a turn holds besides its own plan. */
export interface ComposeOptions {
  /** Sentences that are said before the last ones, such as what is thought of a proposal. @default none */
  readonly say?: readonly string[];
}

/** A spoken turn, or a summary of older ones, within the request's tokens and, where it has one, its range of words. */
export function composeText(
  request: AgentRequest,
  count: TokenCounter,
  { say = [] }: ComposeOptions = {},
): string {
  const { context, maxTokens } = request;
  const report = context.kind === "report" ? reportText(context) : undefined;
  if (report !== undefined) {
    const fits = maxTokens === undefined || count(report) <= maxTokens;
    return fits ? report : reportText(context, true) ?? report;
  }
  const { words } = context;
  const usual = words === undefined ? Math.round(USUAL_LENGTH / 0.86) : TOKENS_A_WORD * words.max;
  const room = maxTokens ?? usual;
  const speech = speechFor(context);
  const plan = context.purpose === "fold"
    ? fold(speech, room)
    : planFor(context, speech, room < 120);
  const said = say.map((text, i): Piece => ({ text, opens: i === 0 }));
  const whole: Plan = { pieces: plan.pieces, end: [...said, ...plan.end] };
  if (words === undefined) return assemble(whole, room, count);
  const fitting = piecesInRange(whole, { words, room, count, random: speech.random });
  return fitting.length === 0 ? assemble(whole, room, count) : join(fitting);
}

const PLANS: ReadonlyMap<string, (speech: Speech) => Plan> = new Map([
  ["opening_statement", opening],
  ["argument", argument],
  ["rebuttal", rebuttal],
  ["closing_statement", closing],
  ["interruption_answer", interruptionAnswer],
  ["introduction", introduction],
  ["round_introduction", roundIntroduction],
  ["interruption", interruption],
  ["round_summary", roundSummary],
  ["summary", summary],
  ["report", summary],
]);

/** Turns in which nothing said from the audience is taken up. */
const UNMOVED: ReadonlySet<string> = new Set([
  "opening_statement",
  "closing_statement",
  "interruption_answer",
]);

function planFor({ kind, role }: RequestContext, whole: Speech, short: boolean): Plan {
  const speech = { ...whole, context: withoutAudience(whole.context) };
  const plan = PLANS.get(kind);
  if (role === "moderator") return (plan ?? summary)(speech);
  const { pieces, end } = plan?.(speech) ?? statement(speech, short);
  const asked = role === "judge" || UNMOVED.has(kind) ? undefined : interjection(whole);
  return asked === undefined ? { pieces, end } : { pieces: chain([asked], pieces), end };
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
