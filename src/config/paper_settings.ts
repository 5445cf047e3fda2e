// Rows of the settings of paper debates: papers, question, postures and retrieval.
import { z } from "zod";
import { ofKinds, SHAPE } from "./setting.ts";
import { paperCharacters, RETRIEVAL_MODES, words } from "./setting_shapes.ts";

/** The settings of paper debates alone, by key. */
export const PAPER_SETTINGS = ofKinds(["paper-debate"], {
  papers: {
    about: "The papers' files: PDF, markdown or text.",
    schema: z.array(words).min(1).max(20),
    needed: ["paper-debate"],
    local: "Post the papers to /api/papers, and give their ids under paperIds.",
  },
  question: {
    about: "The question of the debate.",
    usual: "one of the questions that are put to the papers",
    schema: words.max(1000),
    resume: true,
    flag: {
      is: "--question <text>",
      once: true,
      group: SHAPE,
      about: "what is debated (default: one of the questions that are put to the papers)",
    },
    form: {
      part: "rules",
      label: "A question of your own",
      note: "Without one, questions are put to the paper, and you pick.",
      rows: 2,
      most: 1000,
    },
  },
  pick: {
    about: "The number of the question that is debated, from 1; or ask, for a person to say.",
    schema: z.union([z.int().min(1), z.literal("ask")]),
    standard: { "paper-debate": 1 },
    resume: true,
    flag: {
      is: "--pick <n>",
      once: true,
      group: SHAPE,
      about: "which of these questions (default: you are asked; 1 without a terminal)",
    },
  },
  postures: {
    about: "The number of postures, 2 to 8: a debater each.",
    schema: z.int().min(2).max(8),
    standard: { "paper-debate": 3 },
    flag: {
      is: "--postures <n>",
      group: SHAPE,
      about: "how many postures are taken, 2 to 8: a debater each (default: 3)",
    },
    form: { part: "rules", label: "Debaters, each with a posture", placeholder: "3" },
  },
  crossExamine: {
    about: "Whether the debaters answer each other before they are judged.",
    schema: z.boolean(),
    standard: { "paper-debate": false },
    flag: {
      is: "--cross-examine",
      group: SHAPE,
      about: "the debaters answer each other before they are judged",
    },
    form: { part: "rules", label: "The debaters answer each other" },
  },
  title: {
    about: "The title of the one paper.",
    usual: "found in the paper",
    schema: words.max(500),
    local: "A paper has the title that it was posted with.",
    flag: {
      is: "--title <text>",
      group: SHAPE,
      about: "the title of the one paper (default: found in it)",
    },
  },
  retrieval: {
    about: "Passages of papers are found by words, by meaning, or by both.",
    schema: z.enum(RETRIEVAL_MODES),
    standard: { "paper-debate": "keyword" },
    resume: true,
    flag: {
      is: "--retrieval",
      group: SHAPE,
      about: "how passages are found: by words, by meaning (an embedding model), or both",
    },
  },
  embeddingModel: {
    about: "The model whose vectors find passages by meaning.",
    usual: "text-embedding-3-small",
    schema: words,
    resume: true,
    flag: {
      is: "--embedding-model <name>",
      group: SHAPE,
      about:
        "finds passages by meaning (default: text-embedding-3-small); ollama:nomic-embed-text …",
    },
  },
  paperCharacters: {
    about: "The characters of papers in prompts; debaters reach the rest by look-ups.",
    schema: paperCharacters,
    standard: {
      "paper-debate": {
        questions: 100_000,
        postures: 100_000,
        debaters: 100_000,
        excerpt: "sections",
      },
    },
  },
});
