// Lists and reads the papers that were posted.
import { z } from "zod";
import { shelved } from "../inputs/folder_shelf.ts";
import { named, type Operation, operation } from "./operation.ts";

const paper = {
  id: z.string(),
  title: z.string(),
  characters: z.int().min(0).describe("In UTF-16 units."),
  pages: z.int().min(1).optional().describe("Absent where the paper has no pages."),
};

/** A paper without its text. */
export const shelvedPaper = named("Paper", z.object(paper));

/** `GET /api/papers`. */
export const LIST_PAPERS: Operation = operation({
  name: "list_papers",
  summary: "Lists the papers that were posted, by id.",
  tags: ["papers"],
  method: "get",
  path: "/api/papers",
  writes: false,
  errors: [],
  input: z.strictObject({}),
  output: named("Papers", z.object({ papers: z.array(shelvedPaper) })),
  run: async ({ papers }) => ({ papers: await papers.list() }),
});

/** `GET /api/papers/{id}`. */
export const READ_PAPER: Operation = operation({
  name: "read_paper",
  summary: "Reads a paper with its text.",
  tags: ["papers"],
  method: "get",
  path: "/api/papers/{id}",
  writes: false,
  errors: ["not_found", "paper_unreadable"],
  input: z.strictObject({ id: z.string().describe("The paper's id.") }),
  output: named("PaperWithText", z.object({ ...paper, text: z.string() })),
  async run({ papers }, { id }) {
    const paper = await papers.get(id);
    return { ...shelved(paper), text: paper.text };
  },
});
