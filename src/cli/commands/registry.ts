import type { CliCommand } from "../command.ts";
import { DEBATE } from "./debate.ts";
import { DIALOGUE } from "./dialogue.ts";
import { EXPORT } from "./export.ts";
import { FORK } from "./fork.ts";
import { INDEX } from "./index_files.ts";
import { LIST } from "./list.ts";
import { RESUME } from "./resume.ts";
import { SHOW } from "./show.ts";
import { VERIFY } from "./verify.ts";

/** Every command, in the order of the help. */
export const COMMANDS: readonly CliCommand[] = [
  DEBATE,
  DIALOGUE,
  RESUME,
  VERIFY,
  INDEX,
  FORK,
  EXPORT,
  SHOW,
  LIST,
];
