import type { CliCommand } from "../command.ts";
import { ASK } from "./ask.ts";
import { CONSENSUS } from "./consensus.ts";
import { DEBATE } from "./debate.ts";
import { DIALOGUE } from "./dialogue.ts";
import { EXPORT } from "./export.ts";
import { FORK } from "./fork.ts";
import { INDEX } from "./index_files.ts";
import { JUDGE } from "./judge.ts";
import { LIST } from "./list.ts";
import { MCP } from "./mcp.ts";
import { PAPER } from "./paper.ts";
import { PAUSE } from "./pause.ts";
import { RESUME } from "./resume.ts";
import { SAY } from "./say.ts";
import { SCHEMA } from "./schema.ts";
import { SEARCH } from "./search.ts";
import { SERVE } from "./serve.ts";
import { SHOW } from "./show.ts";
import { TOPICS } from "./topics.ts";
import { VERIFY } from "./verify.ts";
import { WATCH } from "./watch.ts";

/** Every command, in the order of the help. */
export const COMMANDS: readonly CliCommand[] = [
  DEBATE,
  DIALOGUE,
  CONSENSUS,
  PAPER,
  RESUME,
  SAY,
  PAUSE,
  WATCH,
  SERVE,
  MCP,
  TOPICS,
  SHOW,
  LIST,
  SEARCH,
  ASK,
  JUDGE,
  FORK,
  EXPORT,
  INDEX,
  VERIFY,
  SCHEMA,
];
