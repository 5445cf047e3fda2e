// The additions of a library: its kinds of convenings with their configurations, its kinds of facts, and such facts of a record.
import { z } from "zod";
import { BUILT_IN } from "../compose.ts";
import { configurationShape } from "./client_configuration.ts";
import { conveningDir } from "./convening_dir.ts";
import { factJson } from "./fact_json.ts";
import { readConvening } from "./known_convenings.ts";
import { ownFact } from "./messages.ts";
import {
  ID,
  named,
  OFFSET,
  type Operation,
  operation,
  pageOf,
  READING,
  whole,
} from "./operation.ts";

/** `GET /api/kinds`. */
export const LIST_KINDS: Operation = operation({
  name: "list_kinds",
  summary: "Lists the kinds of convenings, each with the schema of its configuration, and the " +
    "kinds of facts that the library adds.",
  tags: ["server"],
  method: "get",
  path: "/api/kinds",
  writes: false,
  errors: [],
  input: z.strictObject({}),
  output: named(
    "Kinds",
    z.object({
      kinds: z.array(z.object({
        name: z.string(),
        summary: z.string(),
        configuration: z.looseObject({}).describe("The JSON schema of what a client may send."),
      })),
      facts: z.array(z.string()).describe("Kinds of facts whose values verification checks."),
    }),
  ),
  tool: {
    title: "List the kinds",
    about: "The kinds of convenings that run holds, those of this server's own too, each with a " +
      "summary and the JSON schema of its configuration; and the server's own kinds of facts.",
  },
  run({ catalogue = BUILT_IN }) {
    const kinds = [...catalogue.kinds.values()].map(({ name, summary }) => ({
      name,
      summary,
      configuration: configurationShape(name, catalogue.settings),
    }));
    return Promise.resolve({ kinds, facts: [...catalogue.facts.keys()] });
  },
});

/** `GET /api/convenings/{id}/facts`. */
export const FACTS: Operation = operation({
  ...READING,
  name: "facts",
  summary: "Reads a page of the facts of kinds that a library adds, by message, kind and key.",
  path: "/api/convenings/{id}/facts",
  input: z.strictObject({
    id: ID,
    kind: z.string().max(200).optional().describe("Only facts of the kind."),
    offset: OFFSET,
    limit: whole(1, 200, "The most facts of a page.").default(50),
  }),
  output: named(
    "OwnFactPage",
    z.object({
      facts: z.array(ownFact),
      total: z.int().min(0),
      next: z.int().nullable().describe("`offset` of the page that follows."),
    }),
  ),
  tool: {
    name: "read_facts",
    title: "Read facts of own kinds",
    about:
      "What programs observed in a convening and recorded, such as measures of each message: " +
      "facts of kinds that the server's library adds (see list_kinds), a page at a time.",
  },
  async run({ out }, { id, kind, ...page }) {
    const { facts } = await readConvening(await conveningDir(out, id));
    const own = facts.filter((fact) => fact.type === "own")
      .filter((fact) => kind === undefined || fact.kind === kind)
      .sort((a, b) => a.message - b.message || compared(a.kind, b.kind) || compared(a.key, b.key));
    const { rows, ...rest } = pageOf(own, page);
    return { facts: rows.map(factJson), ...rest };
  },
});

function compared(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
