import type { ToolTrace } from "../../../core/tool.ts";
import type { Asked } from "../phrasing.ts";
import { argumentReply } from "./argument.ts";
import { crossReply } from "./cross_examination.ts";
import { posturesReply } from "./postures.ts";
import { questionsReply } from "./questions.ts";

/**
 * The fields of a structured turn of a paper debate, computed from its data and from what the turn's look-ups brought;
 * undefined for any other turn, and where the data is in another shape.
 */
export function paperTurn(asked: Asked, traces: readonly ToolTrace[]): unknown {
  const { context } = asked;
  switch (context.kind) {
    case "questions":
      return questionsReply(asked);
    case "postures":
      return posturesReply(asked);
    case "argument":
      return fitting((brief) => argumentReply(context, { traces, brief }), asked);
    case "cross_examination":
      return fitting((brief) => crossReply(context, { traces, brief }), asked);
    default:
      return undefined;
  }
}

/** The whole reply, a shorter one where it may not have so many tokens. */
function fitting(
  made: (brief: boolean) => unknown,
  { count, maxTokens = Infinity }: Asked,
): unknown {
  const whole = made(false);
  if (whole === undefined) return undefined;
  return count(JSON.stringify(whole)) <= maxTokens ? whole : made(true);
}
