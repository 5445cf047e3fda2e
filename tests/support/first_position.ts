// The side that stand-ins for judges name: the same one whatever its label.

/** The label, of those given, whose position in the prompt's list of sides comes first by alphabet. */
export function firstPosition(prompt: string, labels: readonly string[]): string {
  const positionOf = (label: string) =>
    prompt.split("\n").findLast((line) => line.startsWith(`- ${label}: `))?.slice(label.length + 4);
  const sides = labels.filter((label) => positionOf(label) !== undefined);
  const [first = labels.toSorted()[0]!] = sides.toSorted((a, b) =>
    positionOf(a)! < positionOf(b)! ? -1 : 1
  );
  return first;
}
