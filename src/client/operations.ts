// Every operation of the HTTP interface: its address, and the types of what it takes and gives.
import type { ConveningConfig, Rubric, TranscriptFormat } from "../config/convening_config.ts";
import type { Brief, FactCheck, OwnFact, Score, Verdict } from "../core/fact.ts";
import type { BriefForm } from "../core/brief.ts";
import type { StudyConfig } from "../studies/study.ts";
import type { NotedFlow } from "../operations/flow.ts";
import type { StudyForecast } from "../operations/study_plan.ts";
import type { ProposedTopics } from "../operations/topics.ts";
import type { DebateReport } from "../papers/text/debate_report.ts";
import type { AllowedContent } from "../studies/export/rows.ts";
import type { ExportFormat, StudyExport } from "../studies/export/tables.ts";
import type {
  AnswerJson,
  ConveningJson,
  FactJson,
  FoundMessage,
  JudgedJson,
  MessageJson,
  MessageWithAttachments,
  ModelsJson,
  PaperJson,
  RowJson,
  Standing,
  StudyDebateJson,
  StudyJson,
  TurnRequest,
} from "./answers.ts";

/** Keys of a configuration that name a file, a folder or an address of the server's machine. */
export type LocalKeys =
  | "baseUrl"
  | "providers"
  | "out"
  | "memory"
  | "personas"
  | "papers"
  | "sources";

/** The configuration of a convening as a client sends it: texts and ids in the place of files. */
export type StartInput = WithoutLocal<ConveningConfig> & {
  /** Background texts. */
  readonly sources?: readonly { readonly name: string; readonly text: string }[] | undefined;
  /** Papers of a paper debate, by the ids they were kept under. */
  readonly paperIds?: readonly string[] | undefined;
};

/** Each kind of configuration without {@linkcode LocalKeys}. */
export type WithoutLocal<C> = C extends unknown ? Omit<C, LocalKeys> : never;

/** The convening that an operation is about. */
export interface OfConvening {
  /** The convening's id. */
  readonly id: string;
}

/** Messages that are looked at; absent keys exclude none. */
export interface MessageChoice {
  /** The name or id of a participant. */
  readonly speaker?: string;
  /** A round; 0 for messages outside rounds. */
  readonly round?: number;
  /** A kind of messages, such as `rebuttal`. */
  readonly kind?: string;
}

/** A page of a convening's messages, or of what belongs to them. */
export interface PageInput extends OfConvening {
  /** `next` of the page before. @default 0 */
  readonly after?: number;
  /** The most messages, up to 200. @default 50 */
  readonly limit?: number;
}

/** A page of what belongs to messages; `next` is the `after` or `offset` of the page that follows. */
export type Page = { readonly next: number | null; readonly total: number };

/** Body of `POST /run-complete`. */
export interface PaperDebateInput {
  /** The id that the paper was kept under. */
  readonly paperId: string;
  /** More papers that are debated together with the first. */
  readonly paperIds?: readonly string[] | undefined;
  /** From 2 to 8. @default 3 */
  readonly numPostures?: number | undefined;
  /** A built-in rubric's id, the criteria, or a whole rubric. */
  readonly rubric?: string | Rubric["criteria"] | Rubric | undefined;
}

/** Input and output of each operation. */
export interface Operations {
  /** Starts a convening. */
  start: [StartInput, Standing];
  /** Lists convenings, newest first. */
  list: [
    & {
      readonly limit?: number;
      readonly cursor?: string;
      readonly status?: Standing["status"];
      readonly folder?: "archive" | "trash";
      readonly sort?: "newest" | "oldest" | "cost" | "messages";
      readonly minCost?: number;
      readonly maxCost?: number;
    }
    & {
      readonly [
        /** `since` and `until` are days in UTC, such as `2026-11-23`; `parent` is the id of a convening: only its forks. */
        K in "kind" | "q" | "model" | "winner" | "since" | "until" | "parent"
      ]?: string;
    },
    {
      readonly convenings: readonly RowJson[];
      /** The cursor of the page that follows. */
      readonly next: string | null;
      readonly counts: { readonly total: number; readonly matching: number };
    },
  ];
  /** Tells where a convening stands and what it came to. */
  show: [OfConvening, ConveningJson];
  /** Reads a page of the messages. */
  messages: [PageInput & MessageChoice, Page & { readonly messages: readonly MessageJson[] }];
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
  /** Reads a page of the facts of kinds that a library adds. */
  facts: [
    OfConvening & { readonly [K in "offset" | "limit"]?: number } & { readonly kind?: string },
    Page & { readonly facts: readonly FactJson<OwnFact>[] },
  ];
  /** Finds messages that have the words of a question; with `model` a model answers too. */
  ask: [
    OfConvening & {
      readonly question: string;
      readonly limit?: number;
      readonly model?: string;
    } & MessageChoice,
    {
      readonly answers: readonly FoundMessage[];
      /** The answer of the model that was named; null without a model. */
      readonly answer: AnswerJson | null;
      readonly messages: number;
    },
  ];
  /** Verifies a convening's directory. */
  verify: [
    OfConvening & { readonly [K in "offset" | "limit"]?: number },
    {
      readonly sound: boolean;
      readonly total: number;
      /** The offset of the page that follows. */
      readonly next: number | null;
      readonly findings: readonly { readonly path: string; readonly problem: string }[];
    },
  ];
  /** Resumes a convening, with settings over the recorded settings. */
  resume: [OfConvening & Readonly<Record<string, unknown>>, Standing];
  /** Says a person's turn, answers a request of `nextTurn`, or interjects. */
  say: [
    OfConvening & {
      readonly text: string;
      readonly participant?: string;
      readonly request?: string;
      readonly interject?: boolean;
    },
    Standing & { readonly participant?: string; readonly interjected?: true },
  ];
  /** Gives the prompts of participants and judges whose model is `client`; waits up to `seconds`. */
  nextTurn: [
    OfConvening & { readonly seconds?: number },
    Standing & { readonly requests: readonly TurnRequest[] },
  ];
  /** Pauses a convening after the current turns. */
  pause: [OfConvening, Standing & { readonly held: boolean }];
  /** Stops a convening. */
  stop: [OfConvening, Standing & { readonly held: boolean }];
  /** Makes a new convening of the first messages. */
  fork: [
    OfConvening & { readonly at: number; readonly edit?: string },
    Pick<Standing, "id" | "links"> & { readonly parent: string; readonly at: number },
  ];
  /** Moves a convening into the archive's trash. */
  delete: [OfConvening, { readonly id: string }];
  /** Brings a deleted convening back. */
  restore: [OfConvening, Pick<Standing, "id" | "links">];
  /** Has a finished convening judged again. */
  judge: [
    OfConvening & {
      readonly rubric?: unknown;
      readonly models?: readonly string[];
      readonly temperature?: number;
    },
    ConveningJson & { readonly panel: JudgedJson & { readonly rubric: string | null } },
  ];
  /** Writes a brief of a finished convening. */
  brief: [
    OfConvening & { readonly as?: BriefForm; readonly model?: string },
    {
      readonly id: string;
      readonly brief: FactJson<Brief>;
      /** The text of `brief.md`. */
      readonly page: string;
      /** The path of `brief.md` on the server. */
      readonly link: string;
    },
  ];
  /** Notes the points of a finished debate. */
  flow: [
    OfConvening & { readonly model?: string },
    Omit<NotedFlow, "dir"> & {
      readonly id: string;
      /** The path of `arguments.md` on the server. */
      readonly link: string;
    },
  ];
  /** Searches the messages of the archive. */
  search: [
    { readonly q: string; readonly limit?: number } & MessageChoice,
    {
      readonly results: readonly (FoundMessage & { readonly id: string; readonly topic: string })[];
      readonly found: number;
    },
  ];
  /** Proposes debatable topics on a subject. */
  topics: [
    {
      readonly subject: string;
      readonly count?: number;
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
  /** Shows the known servers of models and what they taught, or the profile of a model. */
  models: [{ readonly name?: string }, ModelsJson];
  /** Lists the papers. */
  listPapers: [Empty, { readonly papers: readonly PaperJson[] }];
  /** Reads a paper with its text. */
  readPaper: [OfConvening, PaperJson & { readonly text: string }];
  /** Keeps a paper's text. */
  keepPaper: [{ readonly id?: string; readonly title: string; readonly text: string }, PaperJson];
  /** Removes a paper; debates over it keep their own copy. */
  removePaper: [OfConvening, undefined];
  /** Puts questions to a paper. */
  questions: [{ readonly paperId: string }, { readonly questions: readonly string[] }];
  /** Finds postures and topics for a question. */
  postures: [
    { readonly paperId: string; readonly question: string; readonly numPostures?: number },
    { readonly postures: readonly string[]; readonly topics: readonly string[] },
  ];
  /** Debates a question over a paper; gives the report. */
  run: [PaperDebateInput & { readonly question: string }, DebateReport];
  /** Puts questions to a paper and debates one of them; gives the report. */
  runComplete: [PaperDebateInput & { readonly questionIndex?: number }, DebateReport];
  /** Plans a study and runs it in the background. */
  startStudy: [Omit<StudyConfig, "papers" | "questions">, StudyJson];
  /** Lists studies by id. */
  listStudies: [
    { readonly [K in "offset" | "limit"]?: number },
    Page & { readonly studies: readonly StudyJson[] },
  ];
  /** Gives the state of a study; waits up to `within` seconds for the end of a run. */
  study: [OfConvening & { readonly within?: number }, StudyJson];
  /** Lists the convenings of a study's plan. */
  studyDebates: [
    OfConvening & { readonly [K in "offset" | "limit"]?: number },
    Page & { readonly debates: readonly StudyDebateJson[] },
  ];
  /** Runs what a study has left. */
  resumeStudy: [OfConvening, StudyJson];
  /** Ends a study's run at the next message. */
  stopStudy: [OfConvening, StudyJson];
  /** Runs what a study has left, and the convenings that failed again. */
  retryStudy: [OfConvening, StudyJson];
  /** Writes the report of a study. */
  reportStudy: [
    OfConvening & { readonly bootstrap?: number },
    {
      readonly id: string;
      readonly planned: number;
      readonly completed: number;
      /** Paths in the study's folder. */
      readonly files: readonly string[];
      /** The text of `leaderboard.md`. */
      readonly page: string;
      /** The text of `diagnostics.md`. */
      readonly notes: string;
    },
  ];
  /** Writes the data of a study's finished convenings. */
  exportStudy: [
    OfConvening & {
      readonly formats?: ExportFormat[];
      /** SPDX name of the licence. @default the study's */
      readonly license?: string;
      readonly forRelease?: boolean;
      readonly winnersOnly?: boolean;
      readonly allow?: AllowedContent[];
    },
    Pick<StudyExport, "leftOut"> & {
      readonly id: string;
      /** Paths in the study's folder. */
      readonly files: readonly string[];
    },
  ];
  /** Counts the convenings, calls and tokens of a study, and the most it can cost. */
  planStudy: [
    Omit<StudyConfig, "papers" | "questions">,
    Pick<StudyForecast, "planned" | "calls" | "maxTokens" | "models"> & {
      readonly id: string;
      /** US dollars, at most. */
      readonly costUsd: number | "unknown";
      /** Half the width of a rating's 95 % interval, in points; null without contestants. */
      readonly interval: number | null;
    },
  ];
  /** Reads a file of a study's report or export, or its plan. */
  studyFile: [OfConvening & { readonly path: string }, string];
  /** Reads a file of a convening's directory. */
  file: [OfConvening & { readonly path: string }, string];
  /** Renders the whole transcript. */
  export: [OfConvening & { readonly format?: TranscriptFormat }, string];
  /** Gives the OpenAPI document. */
  describe: [Empty, object];
  /** Says that the server answers. */
  health: [Empty, { readonly status: "ok" }];
}

/** An input without keys. */
export type Empty = Readonly<Record<string, never>>;

const ONE = "/api/convenings/{id}";
const STUDY = "/api/studies/{id}";

/** Method and path of each operation. Keys of the path are keys of the input; the others are query or body. */
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
