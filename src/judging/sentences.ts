/** The sentences of a prose text, each in one line; a line break and a semicolon end one too. */
export function sentencesOf(prose: string): string[] {
  return prose.split(/(?<=[.!?])\s|\n|;/u)
    .map((each) => each.replace(/\s+/gu, " ").trim()).filter((each) => each !== "");
}
