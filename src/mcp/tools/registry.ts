import type { McpTool } from "../mcp_tool.ts";
import { ASK } from "./ask.ts";
import { FORK } from "./fork.ts";
import { JUDGE } from "./judge.ts";
import { LIST } from "./list.ts";
import { PAUSE } from "./pause.ts";
import { READ_INDEX } from "./read_index.ts";
import { READ_MESSAGE, READ_MESSAGES } from "./read_messages.ts";
import { READ_SCORES } from "./read_scores.ts";
import { RESUME } from "./resume.ts";
import { RUN } from "./run.ts";
import { SAY } from "./say.ts";
import { SEARCH } from "./search.ts";
import { STATUS } from "./status.ts";
import { STOP } from "./stop.ts";
import { VERIFY } from "./verify.ts";

/** Every tool, those that only read first. */
export const TOOLS: readonly McpTool[] = [
  LIST,
  SEARCH,
  READ_INDEX,
  READ_MESSAGE,
  READ_MESSAGES,
  READ_SCORES,
  ASK,
  VERIFY,
  STATUS,
  RUN,
  RESUME,
  SAY,
  PAUSE,
  STOP,
  FORK,
  JUDGE,
];
