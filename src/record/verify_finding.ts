/** Something that is wrong in a convening's directory. */
export interface Finding {
  /** In the directory, with `/`. */
  readonly path: string;
  /** One line: what is wrong. */
  readonly problem: string;
  /** One sentence: what to do. */
  readonly fix?: string;
}

/** What to do about a truth file that is not as it was written. */
export const RESTORE = "Put the file back as it was, from a backup or from version control.";

/** What to do about a derived file that does not say what the truth files say. */
export const REBUILD = "Write the derived files again: convenings index DIR.";

/** A value of front matter, as findings show it. */
export function show(value: unknown): string {
  return value === undefined ? "missing" : JSON.stringify(value);
}
