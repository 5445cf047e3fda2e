// The table of operations.
import { ASK } from "./ask.ts";
import { BRIEF } from "./brief.ts";
import { FLOW } from "./flow.ts";
import { FORK } from "./fork.ts";
import { JUDGE } from "./judge.ts";
import { LIST } from "./list.ts";
import { POSTURES, QUESTIONS } from "./mas_debate.ts";
import { CLAIMS, MESSAGE, MESSAGES } from "./messages.ts";
import { MODELS } from "./models.ts";
import { NEXT_TURN } from "./next_turn.ts";
import type { Operation } from "./operation.ts";
import { FACTS, LIST_KINDS } from "./own.ts";
import { LIST_PAPERS, READ_PAPER } from "./papers.ts";
import { PAUSE, STOP } from "./pause.ts";
import { RESUME } from "./resume.ts";
import { SAY } from "./say.ts";
import { SCORES, VERDICTS } from "./scores.ts";
import { SEARCH } from "./search.ts";
import { SHOW } from "./show.ts";
import { START } from "./start.ts";
import { EXPORT_STUDY, PLAN_STUDY, REPORT_STUDY } from "./study_report_rows.ts";
import {
  LIST_STUDIES,
  RETRY_STUDY,
  RUN_STUDY,
  SHOW_STUDY,
  START_STUDY,
  STOP_STUDY,
  STUDY_DEBATES,
} from "./study_rows.ts";
import { TOPICS } from "./topic_proposals.ts";
import { DELETE, RESTORE } from "./trash.ts";
import { VERIFY } from "./verify.ts";

/** Every operation. */
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
