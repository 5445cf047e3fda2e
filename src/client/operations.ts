// Operations of the HTTP interface: method and path, and the types of input and output.
import type { TranscriptFormat } from "../config/convening_config.ts";
import type { RetryOptions } from "../core/key_rules.ts";
import type { Limits } from "../core/limit.ts";
import type { Rubric } from "../core/outcome.ts";
import type { Brief, FactCheck, OwnFact, Score, Verdict } from "../core/fact.ts";
import type { BriefForm } from "../core/brief.ts";
import type { LimiterState } from "../agents/limiter.ts";
import type { ProposedTopics } from "../core/topic.ts";
import type { NotedFlow } from "../debate/flow_sheet.ts";
import type { DebateReport } from "../papers/text/debate_report.ts";
import type {
  AllowedContent,
  ExportFormat,
  LeftOut,
  StudyConfig,
  StudyForecast,
} from "../studies/study.ts";
import type {
  AnswerJson,
  ConveningJson,
  FactJson,
  FoundMessage,
  JudgedJson,
  ListInput,
  MessageChoice,
  MessageJson,
  MessageWithAttachments,
  ModelsJson,
  OfConvening,
  Page,
  PageInput,
  PaperDebateInput,
  PaperJson,
  RowJson,
  Standing,
  StartInput,
  StudyDebateJson,
  StudyJson,
  TurnRequest,
} from "./answers.ts";

/** Input and output of each operation. */
export interface Operations {
  /** Starts a convening. */
  start: [StartInput, Standing];
  /** Lists convenings, newest first. */
  list: [
    & {
      /** Maximum rows, up to 200. @default 50 */
      readonly limit?: number;
      /** `next` of the previous page. */
      readonly cursor?: string;
      readonly status?: Standing["status"];
      /** @default "archive" */
      readonly folder?: "archive" | "trash";
      /** @default "newest" */
      readonly sort?: "newest" | "oldest" | "cost" | "messages";
      /** Minimum cost in US dollars. */
      readonly minCost?: number;
      /** Maximum cost in US dollars. */
      readonly maxCost?: number;
    }
    & {
      readonly [
        /** `since`, `until`: days in UTC, such as `2026-11-23`; `parent`: id of a convening whose forks are listed. */
        K in "kind" | "q" | "model" | "winner" | "since" | "until" | "parent"
      ]?: string;
    },
    {
      readonly convenings: readonly RowJson[];
      /** Cursor of the next page; null on the last page. */
      readonly next: string | null;
      readonly counts: {
        readonly total: number;
        readonly matching: number;
        readonly byStatus: Readonly<Record<string, number>>;
        readonly byKind: Readonly<Record<string, number>>;
      };
    },
  ];
  /** Returns the status, the data and the result of a convening. */
  show: [OfConvening, ConveningJson];
  /** Reads a page of the messages. */
  messages: [
    PageInput & MessageChoice,
    Page & {
      readonly messages: readonly MessageJson[];
      /** Files that could not be read. */
      readonly skipped: readonly { readonly path: string; readonly problem: string }[];
    },
  ];
  /** Reads one message with its attachments. */
  message: [OfConvening & { readonly seq: number }, MessageWithAttachments];
  /** Reads a page of the scores, and every verdict. */
  scores: [
    PageInput,
    Page & {
      readonly scores: readonly FactJson<Score>[];
      readonly verdicts: readonly FactJson<Verdict>[];
    },
  ];
  /** Reads every verdict. */
  verdicts: [OfConvening, { readonly verdicts: readonly FactJson<Verdict>[] }];
  /** Reads a page of the fact checks. */
  claims: [PageInput, Page & { readonly factChecks: readonly FactJson<FactCheck>[] }];
  /** Reads a page of the facts of added kinds. */
  facts: [
    OfConvening & ListInput & { readonly kind?: string },
    Page & { readonly facts: readonly FactJson<OwnFact>[] },
  ];
  /** Finds messages that match a question; with `model`, a model also answers. */
  ask: [
    OfConvening & {
      readonly question: string;
      /** Maximum answers, up to 100. @default 5 */
      readonly limit?: number;
      /** Name of a model that answers in its own words. @default none */
      readonly model?: string;
    } & MessageChoice,
    {
      readonly skipped: readonly { readonly path: string; readonly problem: string }[];
      readonly answers: readonly FoundMessage[];
      /** Answer of the named model; null without a model. */
      readonly answer: AnswerJson | null;
      readonly messages: number;
    },
  ];
  /** Verifies a convening's directory. */
  verify: [
    OfConvening & {
      readonly offset?: number;
      /** Maximum findings. @default 100000 */
      readonly limit?: number;
    },
    {
      readonly sound: boolean;
      /** Parts that were not checked, and why; null if everything was checked. */
      readonly unchecked: string | null;
      readonly total: number;
      /** Offset of the next page; null on the last page. */
      readonly next: number | null;
      readonly findings: readonly {
        readonly path: string;
        readonly problem: string;
        readonly fix?: string;
      }[];
    },
  ];
  /** Resumes a convening; further keys replace recorded settings. */
  resume: [OfConvening & Readonly<Record<string, unknown>>, Standing];
  /** Submits a person's turn, an answer to a request of `nextTurn`, or an interjection. */
  say: [
    OfConvening & {
      readonly text: string;
      readonly participant?: string;
      readonly request?: string;
      readonly interject?: boolean;
    },
    Standing & {
      readonly participant?: string;
      readonly interjected?: true;
      /** True if a process runs the convening and says the interjection next. */
      readonly held?: boolean;
    },
  ];
  /** Returns prompts for participants and judges whose model is `client`. */
  nextTurn: [
    OfConvening & {
      /** Maximum seconds to wait for a prompt, up to 50. @default 20 */
      readonly seconds?: number;
    },
    Standing & { readonly requests: readonly TurnRequest[] },
  ];
  /** Pauses a convening after the current turns. */
  pause: [OfConvening, Standing & { readonly held: boolean }];
  /** Stops a convening. */
  stop: [OfConvening, Standing & { readonly held: boolean }];
  /** Creates a new convening from the first messages of a convening. */
  fork: [
    OfConvening & {
      /** Number of the last message to copy. */
      readonly at: number;
      /** New text of that message. */
      readonly edit?: string;
    },
    Pick<Standing, "id" | "links"> & {
      readonly parent: string;
      readonly at: number;
      readonly edited: boolean;
    },
  ];
  /** Moves a convening into the archive's trash. */
  delete: [OfConvening, { readonly id: string }];
  /** Restores a deleted convening. */
  restore: [OfConvening, Pick<Standing, "id" | "links">];
  /** Judges a finished convening again. */
  judge: [
    OfConvening & {
      /** Id of a built-in rubric, or a rubric. @default "conceptual" for a paper debate, else "debate" */
      readonly rubric?: string | Rubric;
      /** Model of each judge, 1 to 10. @default one judge with the convening's model */
      readonly models?: readonly string[];
      /** Sampling temperature of judges, 0 to 2. */
      readonly temperature?: number;
      /** Number of repeated askings of each pass of a verdict, 0 to 9. @default 0 */
      readonly verdictRepeats?: number;
      /** Limits of the judging. @default none */
      readonly limits?: Limits;
      /** Retries of failed requests. */
      readonly retry?: RetryOptions;
    },
    ConveningJson & { readonly panel: JudgedJson & { readonly rubric: string | null } },
  ];
  /** Writes a brief of a finished convening. */
  brief: [
    OfConvening & {
      /** @default "memo" */
      readonly as?: BriefForm;
      /** Model that writes. @default the moderator's */
      readonly model?: string;
    },
    {
      readonly id: string;
      readonly brief: FactJson<Brief>;
      /** Text of `brief.md`. */
      readonly page: string;
      /** Path of `brief.md` on the server. */
      readonly link: string;
    },
  ];
  /** Records the points of a finished debate. */
  flow: [
    OfConvening & {
      /** Model of the note-taker. @default the moderator's */
      readonly model?: string;
    },
    Omit<NotedFlow, "dir"> & {
      readonly id: string;
      /** Path of `arguments.md` on the server. */
      readonly link: string;
    },
  ];
  /** Searches the messages of the archive. */
  search: [
    {
      /** Words to search for. */
      readonly q: string;
      /** Maximum results, up to 100. @default 10 */
      readonly limit?: number;
    } & MessageChoice,
    {
      readonly skipped: readonly { readonly path: string; readonly problem: string }[];
      readonly results: readonly (
        & FoundMessage
        & Pick<RowJson, "id" | "question">
        & { readonly topic: string }
      )[];
      readonly found: number;
    },
  ];
  /** Proposes debatable topics on a subject. */
  topics: [
    {
      readonly subject: string;
      /** Number of topics, 1 to 50. @default 8 */
      readonly count?: number;
      /** Language of the topics. @default the subject's */
      readonly language?: string;
      readonly seed?: number;
    },
    ProposedTopics,
  ];
  /** Lists the kinds of convenings, with the JSON schemas of their configurations. */
  listKinds: [
    Empty,
    {
      readonly kinds: readonly {
        readonly name: string;
        readonly summary: string;
        readonly configuration: object;
      }[];
      /** Kinds of facts that the library adds. */
      readonly facts: readonly string[];
    },
  ];
  /** Returns the known model servers with all lessons, or the profile of a model. */
  models: [{ readonly name?: string }, ModelsJson];
  /** Lists the papers. */
  listPapers: [Empty, { readonly papers: readonly PaperJson[] }];
  /** Reads a paper with its text. */
  readPaper: [OfConvening, PaperJson & { readonly text: string }];
  /** Stores the text of a paper. */
  keepPaper: [{ readonly id?: string; readonly title: string; readonly text: string }, PaperJson];
  /** Removes a stored paper; debates have their own copies. */
  removePaper: [OfConvening, undefined];
  /** Generates questions about a paper. */
  questions: [{ readonly paperId: string }, { readonly questions: readonly string[] }];
  /** Generates postures and topics for a question. */
  postures: [
    {
      readonly paperId: string;
      readonly question: string;
      /** Number of postures, 2 to 8. @default 3 */
      readonly numPostures?: number;
    },
    { readonly postures: readonly string[]; readonly topics: readonly string[] },
  ];
  /** Runs a debate of a question about a paper; returns the report. */
  run: [PaperDebateInput & { readonly question: string }, DebateReport];
  /** Generates questions about a paper and runs a debate of one of them; returns the report. */
  runComplete: [
    PaperDebateInput & {
      /** Index of the question, from 0. @default 0 */
      readonly questionIndex?: number;
    },
    DebateReport,
  ];
  /** Plans a study and runs it in the background. */
  startStudy: [
    Omit<StudyConfig, "papers" | "questions"> & {
      /** Adds the new convenings of a changed study to its plan. @default false */
      readonly extend?: boolean;
    },
    StudyJson,
  ];
  /** Lists studies by id. */
  listStudies: [
    ListInput,
    Page & { readonly studies: readonly StudyJson[] },
  ];
  /** Returns the state of a study. */
  study: [
    OfConvening & {
      /** Maximum seconds to wait for the current run to end, up to 600. @default 0 */
      readonly within?: number;
    },
    StudyJson,
  ];
  /** Lists the convenings of a study's plan. */
  studyDebates: [
    OfConvening & ListInput,
    Page & { readonly debates: readonly StudyDebateJson[] },
  ];
  /** Runs the remaining convenings of a study. */
  resumeStudy: [OfConvening, StudyJson];
  /** Stops the run of a study at the next message. */
  stopStudy: [OfConvening, StudyJson];
  /** Runs the remaining convenings of a study, and repeats failed convenings. */
  retryStudy: [OfConvening, StudyJson];
  /** Writes the report of a study. */
  reportStudy: [
    OfConvening & {
      /** Number of bootstrap samples for the intervals, up to 10,000. @default the study's */
      readonly bootstrap?: number;
    },
    {
      readonly id: string;
      readonly planned: number;
      readonly completed: number;
      /** Sentence on which contestant is better, and how sure that is; null if nothing can be said. */
      readonly finding: string | null;
      /** Paths in the folder of the study. */
      readonly files: readonly string[];
      /** Text of `leaderboard.md`. */
      readonly page: string;
      /** Text of `diagnostics.md`. */
      readonly notes: string;
    },
  ];
  /** Exports the data of a study's finished convenings. */
  exportStudy: [
    OfConvening & {
      /** Tables to write. @default ["jsonl", "judgements"] */
      readonly formats?: ExportFormat[];
      /** SPDX name of the license. @default the study's license */
      readonly license?: string;
      /** True if an export without a licence is refused. @default false */
      readonly forRelease?: boolean;
      /** True if the table `sft` has only turns of winners. @default false */
      readonly winnersOnly?: boolean;
      /** Contents to include that are omitted by default. @default none */
      readonly allow?: AllowedContent[];
    },
    {
      readonly id: string;
      /** Contents omitted from the tables. */
      readonly leftOut: readonly LeftOut[];
      /** Paths in the folder of the study. */
      readonly files: readonly string[];
    },
  ];
  /** Estimates the convenings, calls and tokens of a study, and the maximum cost. */
  planStudy: [
    Omit<StudyConfig, "papers" | "questions">,
    Pick<StudyForecast, "planned" | "calls" | "maxTokens" | "models" | "unusedRates"> & {
      readonly id: string;
      /** Maximum cost in US dollars. */
      readonly costUsd: number | "unknown";
      /** Half the width of a rating's 95 % interval, in points; null without ratings. */
      readonly interval: number | null;
    },
  ];
  /** Reads a file of a study's report or export, or its plan. */
  studyFile: [OfConvening & { readonly path: string }, string];
  /** Reads a file of a convening's directory. */
  file: [OfConvening & { readonly path: string }, string];
  /** Renders the transcript of a convening. */
  export: [
    OfConvening & {
      /** @default "md" */
      readonly format?: TranscriptFormat;
    },
    string,
  ];
  /** Returns the OpenAPI document. */
  describe: [Empty, object];
  /** Checks that the server responds. */
  health: [Empty, { readonly status: "ok"; readonly providers: readonly LimiterState[] }];
}

/** An input without keys. */
export type Empty = Readonly<Record<string, never>>;

const ONE = "/api/convenings/{id}";
const STUDY = "/api/studies/{id}";

/** Method and path of each operation. Path parameters are keys of the input; the other keys are in the query or the body. */
export const ADDRESSES: Readonly<Record<keyof Operations, string>> = {
  start: "POST /api/convenings",
  list: "GET /api/convenings",
  show: `GET ${ONE}`,
  messages: `GET ${ONE}/messages`,
  message: `GET ${ONE}/messages/{seq}`,
  scores: `GET ${ONE}/scores`,
  verdicts: `GET ${ONE}/verdicts`,
  claims: `GET ${ONE}/claims`,
  facts: `GET ${ONE}/facts`,
  ask: `POST ${ONE}/ask`,
  verify: `GET ${ONE}/verify`,
  resume: `POST ${ONE}/resume`,
  say: `POST ${ONE}/say`,
  nextTurn: `POST ${ONE}/next-turn`,
  pause: `POST ${ONE}/pause`,
  stop: `POST ${ONE}/stop`,
  fork: `POST ${ONE}/fork`,
  delete: `DELETE ${ONE}`,
  restore: `POST ${ONE}/restore`,
  judge: `POST ${ONE}/judge`,
  brief: `POST ${ONE}/brief`,
  flow: `POST ${ONE}/flow`,
  search: "GET /api/search",
  topics: "POST /api/topics",
  listKinds: "GET /api/kinds",
  models: "GET /api/models",
  listPapers: "GET /api/papers",
  readPaper: "GET /api/papers/{id}",
  keepPaper: "POST /api/papers",
  removePaper: "DELETE /api/papers/{id}",
  questions: "POST /api/mas-debate/questions",
  postures: "POST /api/mas-debate/postures",
  run: "POST /api/mas-debate/run",
  runComplete: "POST /api/mas-debate/run-complete",
  startStudy: "POST /api/studies",
  listStudies: "GET /api/studies",
  study: `GET ${STUDY}`,
  studyDebates: `GET ${STUDY}/debates`,
  resumeStudy: `POST ${STUDY}/run`,
  stopStudy: `POST ${STUDY}/stop`,
  retryStudy: `POST ${STUDY}/retry`,
  reportStudy: `POST ${STUDY}/report`,
  exportStudy: `POST ${STUDY}/export`,
  planStudy: "POST /api/study-plans",
  studyFile: `GET ${STUDY}/files`,
  file: `GET ${ONE}/files`,
  export: `GET ${ONE}/export`,
  describe: "GET /api/openapi.json",
  health: "GET /healthz",
};
