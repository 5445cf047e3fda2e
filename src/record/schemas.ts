import type { z } from "zod";
import { metadataSchema } from "./files/metadata_reader.ts";
import { paperSchema } from "./files/paper_reader.ts";
import { FACT_READERS } from "./files/reader_registry.ts";

/**
 * The schema of the front matter of every truth file, by its `type`: what `verify` holds files to. Keys that a schema
 * does not name are allowed, so that a file may carry more.
 */
export const FILE_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  metadata: metadataSchema,
  paper: paperSchema,
  ...Object.fromEntries(
    Object.entries(FACT_READERS).map(([type, { schema }]) => [type, schema]),
  ),
};
