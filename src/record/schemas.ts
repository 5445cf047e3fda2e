// The schemas of the front matter of truth files.
import type { z } from "zod";
import { factSchema } from "./fact_reader.ts";
import { FACT_ROWS } from "./codec.ts";
import { metadataSchema } from "./files/metadata_reader.ts";
import { paperSchema } from "./files/paper_reader.ts";

/** The schema of the front matter of every truth file, by its `type`. */
export const FILE_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  metadata: metadataSchema,
  paper: paperSchema,
  ...Object.fromEntries(FACT_ROWS.map((row) => [row.type, factSchema(row)])),
};
