// Finished debates for tests of commands.
import { jsonOf, withFolder } from "../../support/cli.ts";
import { ran } from "../../support/run_main.ts";
import { TOPIC } from "../../support/talkers.ts";
import { testsWith } from "../../support/tests_with.ts";

/** Calls `use` with a finished debate without rounds. */
export async function withDebate(
  use: (debate: { readonly dir: string; readonly folder: string }) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const how = ["--rounds", "0", "--seed", "1", "--speaking-order", "given", "--json", "--quiet"];
    const end = await ran(["debate", TOPIC, ...how], { folder });
    await use({ dir: String(jsonOf(end)["dir"]), folder });
  });
}

withDebate.test = testsWith(withDebate);
