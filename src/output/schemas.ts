import type { z } from "zod";
import { metadataSchema } from "./files/metadata_file.ts";
import { ALL_FACT_FILES } from "./files/registry.ts";

/**
 * The schema of the front matter of every truth file, by its `type`: what `verify` holds files to. Keys that a schema
 * does not name are allowed, so that a file may carry more.
 */
export const FILE_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  metadata: metadataSchema,
  ...Object.fromEntries(
    ALL_FACT_FILES.map(({ type, schema }) => [type, schema]),
  ),
};
