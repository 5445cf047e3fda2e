import type { RequestContext } from "../../../core/agent.ts";

/** Far above the numbers of debaters that have a place. */
const WITHOUT_PLACE = 400;

/**
 * A number that no other debater's message of the kind has, nor another attempt at it: by the posture's place among the
 * postures, by the message's number where it has none.
 */
export function messagePlace(
  { seq, attempt }: Pick<RequestContext, "seq" | "attempt">,
  { posture, postures }: { readonly posture: string; readonly postures: readonly string[] },
): number {
  const again = Math.max(0, attempt - 1);
  const place = postures.indexOf(posture);
  const own = place >= 0 && postures.lastIndexOf(posture) === place;
  return own ? again * postures.length + place : WITHOUT_PLACE + seq * 4 + again % 4;
}
