// Searches the messages of a whole archive.
import { basename, relative } from "@std/path";
import { z } from "zod";
import { searchArchive } from "../record/search.ts";
import {
  FILTER,
  type Given,
  linksOf,
  named,
  type Operation,
  operation,
  whole,
} from "./operation.ts";
import { skipped } from "./outputs.ts";

const HINT = "Give 1 to 1000 characters of what you look for.";

const output = named(
  "SearchResults",
  z.object({
    query: z.string(),
    convenings: z.int().describe("How many convenings were searched."),
    messages: z.int().describe("How many messages were searched."),
    found: z.int().describe("How many messages have words of the query."),
    results: z.array(z.object({
      id: z.string().describe("The convening's id."),
      topic: z.string(),
      seq: z.int(),
      name: z.string(),
      kind: z.string(),
      round: z.int(),
      score: z.number().describe(
        "How well the message fits, at most 1: near 1 where it has every word of the query.",
      ),
      snippet: z.string(),
      link: z.string().describe("The path of the message on this server."),
    })),
    skipped,
  }),
);

/** Messages that a search found. */
export type SearchResults = Given<z.output<typeof output>>;

/** `GET /api/search`. */
export const SEARCH: Operation = operation({
  name: "search",
  summary: "Searches the messages of the whole archive by words, best first; asks no model.",
  tags: ["archive"],
  method: "get",
  path: "/api/search",
  writes: false,
  errors: [],
  tool: {
    title: "Search what was said",
    names: { q: "query" },
    about:
      "Messages of all convenings of the archive that have the words of a query, best first, each as a convening's id and the message's number; no model is asked. Snippets are in the untrusted part; read_message gives a whole message.",
  },
  input: z.strictObject({
    q: z.string(HINT).max(1000, HINT).regex(/\S/, HINT).describe("Words to look for."),
    ...FILTER,
    limit: whole(1, 100, "The most results.").default(10),
  }),
  output,
  async run({ out }, { q: query, ...options }) {
    const searched = await searchArchive(out, query, options);
    const { rows, found, convenings, messages, skipped } = searched;
    return {
      query,
      convenings,
      messages,
      found,
      results: rows.map(({ dir, ...row }) => {
        const id = basename(dir);
        return { id, ...row, link: `${linksOf(id)["messages"]}?after=${row.seq - 1}&limit=1` };
      }),
      skipped: skipped.map(({ path, problem }) => ({
        path: relative(out, path),
        problem: problem.replaceAll(`${out}/`, ""),
      })),
    };
  },
});
