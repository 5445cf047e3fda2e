// Keys of the front matter of `metadata.md`, and what pages say of the state of a convening.
import type { ParameterDropped, ProfileLearned } from "../core/agent.ts";
import type { ConveningStart, Ending } from "../core/event.ts";
import { END_REASONS } from "../core/fact.ts";
import type { Usage } from "../core/message.ts";
import { JUDGE_NOTE_KINDS, type Outcome, STRENGTH_LEVELS, VOTE_SPLITS } from "../core/outcome.ts";
import { type Cutter, nameOf } from "./words.ts";
import { type Keys, type Layout, NUMBERS, TEXTS, USAGE } from "./fact_row.ts";
import type { PaperFindings } from "./papers.ts";

/** State of a convening. */
export interface Progress extends Pick<Ending, "status" | "endReason" | "waitingFor" | "value"> {
  readonly endedAt?: string;
  /** Message of the error, after a failure; one line. Absent in records of earlier versions. */
  readonly failure?: string;
  /** Times of resumes, oldest first. */
  readonly resumes: readonly string[];
  /** Parameters that were not sent to models as requested. @default none */
  readonly dropped?: readonly DroppedParameter[];
  /** Lessons: keys of models' profiles that were learned from responses of servers. @default none */
  readonly learned?: readonly LearnedKey[];
}

/** A parameter that was changed or not sent in requests to a model. */
type DroppedParameter = Omit<ParameterDropped, "type"> & { readonly model: string };

/** A key of a model's profile that was learned from a server's response, and the time. */
export type LearnedKey = Omit<ProfileLearned, "type" | "learnedAt"> & { readonly at: string };

/** Adds a lesson, in place of an earlier one of the same model and key. Undefined if the lesson is known, at any time. */
export function withLesson(
  known: readonly LearnedKey[],
  lesson: LearnedKey,
): LearnedKey[] | undefined {
  const value = ({ origin, model, key, to, because }: LearnedKey) =>
    JSON.stringify([origin, model, key, to, because]);
  if (known.some((each) => value(each) === value(lesson))) return undefined;
  const others = known.filter(({ origin, model, key }) =>
    origin !== lesson.origin || model !== lesson.model || key !== lesson.key
  );
  return [...others, lesson];
}

/** Number of facts by list name, and the highest round as `rounds`. */
export type Statistics = Readonly<Record<string, number>>;

/** Contents of `metadata.md` that are read back. */
export interface Metadata extends Pick<Ending, "scores" | "unscored"> {
  /** Start without the texts of sources, and without papers. */
  readonly start: ConveningStart;
  readonly progress: Progress;
  /** Layout of message files, fixed at the start of the convening. */
  readonly layout: Layout;
  /** File names in `sources/`. */
  readonly sources: readonly string[];
  readonly papers: readonly { readonly file: string; readonly id: string }[];
  /** Outcome when the file was last written; the truth files are authoritative. */
  readonly outcome?: Outcome;
  readonly winner?: string | null;
  /** Level of the outcome's strength when the file was last written. */
  readonly strengthLevel?: typeof STRENGTH_LEVELS[number];
  /** Question of a debate over papers, once it is known. */
  readonly question?: string;
  readonly contradictions: readonly string[];
  /** Sum over all truth files when the file was last written. */
  readonly usage: Usage;
  /** Counts of truth files when the file was last written. */
  readonly statistics: Statistics;
}

const CLAIM_COUNTS = {
  claims: "count",
  true: "count",
  false: "count",
  unverifiable: "count",
} as const;
/** Verdicts that earlier versions do not have; left out if no claim has them. */
const LATER_COUNTS = {
  "misleading?": { filled: "count" },
  "disputed?": { filled: "count" },
} as const;
const PROPOSALS = {
  list: {
    keys: {
      id: "text",
      text: "text",
      by: TEXTS,
      share: "share",
      holds: { map: { keys: { stance: "text", strength: "share", "condition?": "text" } } },
    },
  },
} as const;

const JUDGE = { judge: "text", model: "text", rubric: "text" } as const;

/** Keys of `metadata.md` for optional results other than scores. */
export const ASSESSMENT: Keys = {
  "strength?": {
    keys: {
      level: STRENGTH_LEVELS,
      sentence: "text",
      steadinessMeasured: "flag",
      "margin?": "number",
      "spread?": "number",
      votes: {
        list: {
          keys: {
            ...JUDGE,
            winner: { orNull: "text" },
            "split?": VOTE_SPLITS,
            askings: "ordinal",
            "tiebreak?": "flag",
          },
        },
      },
      judgeNotes: {
        list: { keys: { kind: JUDGE_NOTE_KINDS, "judge?": "text", sentence: "text" } },
      },
    },
  },
  "agreement?": {
    keys: {
      // Null if too few judges can be compared.
      alpha: { orNull: "number" },
      spread: NUMBERS,
      judges: {
        list: {
          keys: {
            ...JUDGE,
            scored: "count",
            "mean?": "number",
            "alphaWithout?": "number",
            "withOthers?": "number",
            "byLength?": "number",
            votes: { list: { orNull: "text" } },
            steady: "flag",
          },
        },
      },
    },
  },
  "factChecks?": {
    keys: {
      mode: "text",
      checked: "count",
      unchecked: "count",
      ...CLAIM_COUNTS,
      ...LATER_COUNTS,
      byParticipant: {
        map: { keys: { ...CLAIM_COUNTS, factuality: { orNull: "share" }, ...LATER_COUNTS } },
      },
    },
  },
  "audience?": {
    keys: {
      members: "count",
      missing: "count",
      sides: { map: { keys: { before: "share", after: "share", moved: "number" } } },
      winner: { orNull: "text" },
    },
  },
  "baseline?": {
    list: {
      keys: {
        judge: "text",
        model: "text",
        before: { orNull: "text" },
        "after?": { orNull: "text" },
        changed: "flag",
      },
    },
  },
  "consensus?": { keys: { threshold: "share", agreed: PROPOSALS, open: PROPOSALS } },
  "contradictions?": { filled: TEXTS },
  "notes?": { filled: TEXTS },
};

/** Keys of `metadata.md` for the results of a debate over papers. */
export const PAPER_RESULTS: Keys = {
  "question?": "text",
  "evidence?": { map: { keys: { verified: "count", notFound: "count" } } },
  "leftOut?": {
    filled: {
      list: {
        keys: { paper: "text", "questions?": "count", "postures?": "count", "debaters?": "count" },
      },
    },
  },
};

/** Keys of `metadata.md` before the optional results. */
const STATE: Keys = {
  // Absent in records of earlier versions.
  "layout?": "layout",
  kind: "word",
  topic: "text",
  status: ["running", "waiting", "paused", "completed", "stopped", "failed"],
  endReason: { orNull: END_REASONS },
  "failure?": "text",
  "waitingFor?": { filled: { list: { keys: { participant: "text", turn: "text" } } } },
  outcome: { orNull: ["decided", "undecided", "unscored"] },
  winner: { orNull: "text" },
  "value?": "json",
  scores: {
    map: {
      keys: {
        name: "text",
        total: "number",
        breakdown: NUMBERS,
        scored: "count",
        missing: "count",
        // Absent in records of earlier versions.
        "unmatched?": "count",
      },
    },
  },
  unscored: TEXTS,
};

/** Keys of a lesson. */
export const LEARNED = {
  keys: {
    origin: "text",
    model: "text",
    key: "text",
    "from?": "json",
    to: "json",
    because: "text",
    at: "time",
  },
} as const;

/** Keys of `metadata.md` after the optional results. */
const GIVEN: Keys = {
  participants: {
    list: {
      keys: {
        id: "text",
        name: "text",
        role: "text",
        label: "text",
        "position?": "text",
        // Number of the message that states the position; not read back.
        "positionFrom?": "ordinal",
        model: "text",
      },
    },
  },
  judges: {
    list: {
      keys: { id: "text", name: "text", model: "text", rubric: "text", "tiebreak?": "flag" },
    },
  },
  usage: USAGE,
  statistics: NUMBERS,
  seed: "integer",
  startedAt: "time",
  endedAt: { orNull: "time" },
  resumes: { list: "time" },
  "dropped?": {
    filled: {
      list: {
        keys: { model: "text", parameter: "text", asked: "json", "sent?": "json", because: "text" },
      },
    },
  },
  "learned?": { filled: { list: LEARNED } },
  "expectedMessages?": "ordinal",
  sources: TEXTS,
  "papers?": { list: { keys: { file: "text", id: "text", title: "text" } } },
  "parent?": { keys: { dir: "text", seq: "count" } },
  configuration: { map: "json" },
};

/** Keys of `metadata.md` that are read back. */
export const METADATA: Keys = { ...STATE, ...GIVEN };

/** Keys of `metadata.md` that are written. */
export const ALL_METADATA: Keys = { ...STATE, ...ASSESSMENT, ...PAPER_RESULTS, ...GIVEN };

/** Converts the results of a debate over papers to the fields of {@linkcode PAPER_RESULTS}. */
export function paperResults({ question, figures, leftOut }: PaperFindings): object {
  return {
    question,
    evidence: figures.size === 0 ? undefined : Object.fromEntries(figures),
    leftOut: leftOut.map(({ paper, parts }) => ({
      paper: paper.id,
      ...Object.fromEntries(parts.map(({ prompt, characters }) => [prompt, characters])),
    })),
  };
}

/** Returns a sentence for each turn that waits for a person; `cut` shortens names and keys. */
export function waitingSentences(
  start: ConveningStart,
  { waitingFor = [] }: Progress,
  cut: Cutter,
): string[] {
  return waitingFor.map(({ participant, turn }) =>
    `Waiting for ${cut(nameOf(start, participant), 80)} (turn ${cut(turn, 140)}).`
  );
}

/** Returns true for a fork that was never resumed. Its recorded status is `running`. */
export function isNewFork(
  { parent }: ConveningStart,
  { status, resumes }: Pick<Progress, "status" | "resumes">,
): boolean {
  return status === "running" && parent !== undefined && resumes.length === 0;
}

/** Returns the status of a convening in words. */
export function recordedStatus(
  { start, progress }: { readonly start: ConveningStart; readonly progress: Progress },
): string {
  return isNewFork(start, progress) ? "new fork, not resumed yet" : progress.status;
}
