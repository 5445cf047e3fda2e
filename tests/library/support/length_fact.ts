// A module for `--extend` with a kind of fact.
import { z } from "zod";
import { defineFact, type LibraryOptions } from "../../../protocol.ts";

/** The characters of a message. */
export const LENGTH = defineFact({ kind: "length", value: z.object({ characters: z.int() }) });

/** What a library takes, and `--extend`. */
const OPTIONS: LibraryOptions = { facts: [LENGTH] };

export default OPTIONS;
