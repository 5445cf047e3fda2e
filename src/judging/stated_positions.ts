// Positions that participants stated themselves.
import type { ConveningStart, ParticipantInfo } from "../core/event.ts";
import type { Fact } from "../core/fact.ts";

/**
 * Positions of participants without a configured position, by id: the number of the first message that states the
 * position, and its text.
 */
export type StatedPositions = ReadonlyMap<
  string,
  { readonly seq: number; readonly position: string }
>;

/** The positions that messages state of participants whose configuration gives them none. */
export function statedPositions(
  { participants }: Pick<ConveningStart, "participants">,
  facts: readonly Fact[],
): StatedPositions {
  const without = new Set(
    participants.filter(({ position }) => position === undefined).map(({ id }) => id),
  );
  const stated = new Map<string, { readonly seq: number; readonly position: string }>();
  if (without.size === 0) return stated;
  for (const fact of facts) {
    if (fact.type !== "message" || fact.position === undefined) continue;
    const { participant, seq, position } = fact;
    if (!without.has(participant) || (stated.get(participant)?.seq ?? Infinity) < seq) continue;
    stated.set(participant, { seq, position });
  }
  return stated;
}

/** The start with the positions that a convening brought itself; the start given where it brought none. */
export function withPositions(start: ConveningStart, facts: readonly Fact[]): ConveningStart {
  const stated = statedPositions(start, facts);
  if (stated.size === 0) return start;
  const participants = start.participants.map((each): ParticipantInfo => {
    const found = stated.get(each.id);
    return found === undefined ? each : { ...each, position: found.position };
  });
  return { ...start, participants };
}
