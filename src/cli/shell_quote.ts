/** An argument as a shell takes it back unchanged. */
export function shellQuote(argument: string): string {
  return /^[A-Za-z0-9_/.:=,@%+-]+$/.test(argument)
    ? argument
    : `'${argument.replaceAll("'", `'\\''`)}'`;
}
