// Picks the winner that model servers name as judges: the same side in either order of the labels.

/** Returns the label whose position in the prompt's list of sides is first in the alphabet. */
export function firstPosition(prompt: string, labels: readonly string[]): string {
  const positionOf = (label: string) =>
    prompt.split("\n").findLast((line) => line.startsWith(`- ${label}: `))?.slice(label.length + 4);
  const sides = labels.filter((label) => positionOf(label) !== undefined);
  const [first = labels.toSorted()[0]!] = sides.toSorted((a, b) =>
    positionOf(a)! < positionOf(b)! ? -1 : 1
  );
  return first;
}
