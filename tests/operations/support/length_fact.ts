// Module for `--extend` with a custom kind of fact.
import { z } from "zod";
import { defineFact, type LibraryOptions } from "../../../protocol.ts";

/** Number of characters of a message. */
export const LENGTH = defineFact({ kind: "length", value: z.object({ characters: z.int() }) });

/** Options of a library, also for `--extend`. */
const OPTIONS: LibraryOptions = { facts: [LENGTH] };

export default OPTIONS;
