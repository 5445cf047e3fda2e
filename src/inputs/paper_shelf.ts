import type { Paper } from "../core/paper.ts";

/** A paper of the shelf, without its text. */
export interface ShelvedPaper extends Pick<Paper, "id" | "title"> {
  /** In UTF-16 units. */
  readonly characters: number;
  /** Absent where it has none. */
  readonly pages?: number | undefined;
}

/** The papers that were posted to a server, kept as files. */
export interface PaperShelf {
  /** All, by id. */
  list(): Promise<readonly ShelvedPaper[]>;
  /** One with its text. Fails with `not_found`. */
  get(id: string): Promise<Paper>;
  /** Keeps one. Fails with `taken` where its id is, and with `paper_unreadable`. */
  put(paper: Paper): Promise<ShelvedPaper>;
  /** Lets one go. Fails with `not_found`. */
  remove(id: string): Promise<void>;
}
