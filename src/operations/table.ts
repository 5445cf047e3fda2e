// Lists every operation; HTTP, the OpenAPI document and MCP take their routes and tools from the list.
import { ASK, SEARCH } from "./searches.ts";
import { BRIEF, FLOW, JUDGE, TOPICS } from "./model_acts.ts";
import { DELETE, FORK, RESTORE, VERIFY } from "./keeping.ts";
import { LIST } from "./list.ts";
import { LIST_PAPERS, POSTURES, QUESTIONS, READ_PAPER } from "./papers.ts";
import { CLAIMS, FACTS, MESSAGE, MESSAGES, SCORES, SHOW, VERDICTS } from "./messages.ts";
import { LIST_KINDS } from "./schemas.ts";
import { MODELS } from "./models.ts";
import type { Operation } from "./operation.ts";
import { NEXT_TURN, PAUSE, RESUME, SAY, START, STOP } from "./acts.ts";
import {
  EXPORT_STUDY,
  LIST_STUDIES,
  PLAN_STUDY,
  REPORT_STUDY,
  RETRY_STUDY,
  RUN_STUDY,
  SHOW_STUDY,
  START_STUDY,
  STOP_STUDY,
  STUDY_DEBATES,
} from "./study_operations.ts";

/** All operations, in the order of the OpenAPI document and of the MCP tools. */
export const OPERATIONS: readonly Operation[] = [
  START,
  LIST,
  SEARCH,
  TOPICS,
  SHOW,
  MESSAGES,
  MESSAGE,
  SCORES,
  VERDICTS,
  CLAIMS,
  FACTS,
  ASK,
  VERIFY,
  RESUME,
  SAY,
  NEXT_TURN,
  PAUSE,
  STOP,
  FORK,
  DELETE,
  RESTORE,
  JUDGE,
  BRIEF,
  FLOW,
  LIST_KINDS,
  MODELS,
  LIST_PAPERS,
  READ_PAPER,
  QUESTIONS,
  POSTURES,
  PLAN_STUDY,
  START_STUDY,
  LIST_STUDIES,
  SHOW_STUDY,
  STUDY_DEBATES,
  RUN_STUDY,
  STOP_STUDY,
  RETRY_STUDY,
  REPORT_STUDY,
  EXPORT_STUDY,
];
