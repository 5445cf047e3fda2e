// Rows of an export's tables: convenings with turns, judgements, and examples for training.
import { basename } from "@std/path";
import { HUMAN } from "../../core/agent.ts";
import { LAST_OWN_LOOK_UP, messagesOf, type Rejection } from "../../core/fact.ts";
import { type Message, sha256 } from "../../core/message.ts";
import { memoByObject } from "../../core/values.ts";
import type { RecordedPrompt } from "../../engine/plan.ts";
import type { RecordContents } from "../../record/record_model.ts";
import {
  type AllowedContent,
  type Cell,
  clusterOf,
  type StudyConfig,
  type StudyDebate,
} from "../study.ts";

/** A completed convening of a study, as input of the tables. */
export interface Exported {
  readonly study: StudyConfig;
  readonly cell: Cell;
  readonly contents: RecordContents;
  readonly result: Omit<StudyDebate, "dir" | "status">;
  readonly allow: ReadonlySet<AllowedContent>;
  /** Prompts of the first attempts, by the key of the turn. */
  readonly prompts: () => Promise<ReadonlyMap<string, RecordedPrompt>>;
  /** True if chats are only those of winners. */
  readonly winnersOnly: boolean;
  /** Counts an omitted content by reason. */
  readonly leaveOut: (why: string) => void;
}

/** A row of a table; keys are written in snake_case. */
export type Row = Readonly<Record<string, unknown>>;

/** Types of Parquet columns; column names and keys of JSON values are written in snake_case. */
export type ColumnType = "STRING" | "INT32" | "INT64" | "DOUBLE" | "TIMESTAMP" | "JSON";

/** Columns of `debates.parquet`, in the order of the keys of `debates.jsonl`. */
export const DEBATE_COLUMNS = {
  debateId: "STRING",
  study: "STRING",
  cell: "STRING",
  pairId: "STRING",
  kind: "STRING",
  topicId: "STRING",
  topic: "STRING",
  format: "STRING",
  preset: "STRING",
  repeat: "INT32",
  seed: "INT64",
  first: "STRING",
  second: "STRING",
  contestants: "JSON",
  judges: "JSON",
  outcome: "STRING",
  winner: "STRING",
  scores: "JSON",
  words: "JSON",
  usage: "JSON",
  costUsd: "DOUBLE",
  startedAt: "TIMESTAMP",
  endedAt: "TIMESTAMP",
  status: "STRING",
  endReason: "STRING",
  messagesSha256: "STRING",
  turns: "JSON",
  sources: "JSON",
} as const satisfies Readonly<Record<string, ColumnType>>;

/** Returns the public id of a convening of a study, as in URLs and flags. */
function debateId({ study, cell }: Pick<Exported, "study" | "cell">): string {
  return `${study.study}.${cell.key}`;
}

/** Returns the contestant of a participant, or the participant id without a contestant. */
function contestantOf({ result }: Exported, participant: string): string {
  return result.sides.find((side) => side.participant === participant)?.contestant ?? participant;
}

export function debateRow(
  exported: Exported,
): Readonly<Record<keyof typeof DEBATE_COLUMNS, unknown>> {
  const { study, cell, contents, result } = exported;
  const { start, status, endReason, outcome } = contents;
  const { inputTokens, cachedInputTokens, outputTokens, costUsd } = result.usage;
  const messages = messagesOf(contents.facts);
  return {
    debateId: debateId(exported),
    study: study.study,
    cell: cell.key,
    pairId: cell.first === undefined ? null : clusterOf(cell),
    kind: start.kind,
    topicId: cell.topic,
    topic: start.topic,
    format: cell.format,
    preset: start.configuration["preset"] ?? null,
    repeat: cell.repeat,
    seed: cell.seed,
    first: cell.first ?? null,
    second: cell.second ?? null,
    contestants: result.sides.map((side) => ({
      id: side.contestant,
      participant: side.participant,
      model: side.model,
      position: start.participants.find(({ id }) => id === side.participant)?.position ?? null,
      settings: settingsOf(exported, side.contestant),
    })),
    judges: start.judges.map(({ id, model, rubric }) => ({ id, model, rubric })),
    outcome: outcome ?? null,
    winner: result.winner ?? null,
    scores: result.sides.map(({ contestant, total = null }) => ({ contestant, total })),
    words: result.sides.map(({ contestant, words }) => ({ contestant, words })),
    usage: { inputTokens, cachedInputTokens, outputTokens },
    costUsd: costUsd === "unknown" ? null : costUsd,
    startedAt: contents.startedAt,
    endedAt: contents.endedAt ?? null,
    status,
    endReason: endReason ?? null,
    messagesSha256: sha256(messages.map((each) => `${each.seq} ${each.sha256}\n`).join("")),
    turns: messages.map((message) => turnOf(exported, message)),
    sources: sourcesOf(exported),
  };
}

/** Settings of a contestant that affect its turns. */
const SETTINGS = [
  "model",
  "role",
  "persona",
  "motivation",
  "systemPrompt",
  "temperature",
  "reasoningEffort",
] as const;

/** Returns the settings of a contestant; empty for a person. */
function settingsOf({ study }: Exported, id: string): Row {
  const contestant = study.contestants?.find((each) => each.id === id);
  if (contestant === undefined || contestant.model === HUMAN) return {};
  const { persona = "" } = contestant;
  // Of a file, only the name: its path is specific to the machine.
  const name = /\.ya?ml$/i.test(persona) ? basename(persona) : contestant.persona;
  const shown = { ...contestant, persona: name };
  return Object.fromEntries(SETTINGS.map((key) => [key, shown[key] ?? null]));
}

function turnOf(exported: Exported, message: Message): Row {
  const { allow, leaveOut } = exported;
  const isLeftOut = message.model === HUMAN && !allow.has("people");
  if (isLeftOut) leaveOut("the words of people");
  return {
    seq: message.seq,
    participant: message.participant,
    contestant: contestantOf(exported, message.participant),
    role: message.role,
    phase: message.phase,
    kind: message.kind,
    round: message.round,
    text: isLeftOut ? null : message.body,
    model: message.model,
    marks: message.marks,
    attempts: message.attempts,
    inputTokens: message.usage.inputTokens,
    outputTokens: message.usage.outputTokens,
    sha256: isLeftOut ? null : message.sha256,
  };
}

function sourcesOf({ contents: { start }, allow, leaveOut }: Exported): Row[] {
  const papers = (start.papers ?? []).map(({ title, text }) => ({ name: title, text }));
  const contents = [["sources", start.sources], ["papers", papers]] as const;
  return contents.flatMap(([content, texts]) => {
    if (allow.has(content)) return texts.map(({ name, text }) => ({ name, text }));
    for (const _ of texts) leaveOut(`the text of ${content}`);
    return [];
  });
}

/** Columns of verdicts alone, then of scores alone. */
const NONE = {
  ...{ number: null, pass: null, asking: null, tiebreak: null, order: [], winner: null },
  ...{ seq: null, contestant: null, total: null, scale: null, criteria: [] },
};

/** Returns a row per verdict and score. */
export function judgementRows(exported: Exported): Row[] {
  const { contents: { facts }, allow, leaveOut } = exported;
  const nameOf = (id: string | null) => id === null ? null : contestantOf(exported, id);
  return facts.flatMap((fact): Row[] => {
    if (fact.type !== "verdict" && fact.type !== "score") return [];
    const isLeftOut = fact.model === HUMAN && !allow.has("people") && fact.reasons !== "";
    if (isLeftOut) leaveOut("the reasons of people");
    const judge = {
      debateId: debateId(exported),
      type: fact.type,
      judge: fact.judge,
      judgeModel: fact.model,
      rubric: fact.rubric,
    };
    const said = {
      reason: isLeftOut ? null : fact.reasons,
      status: fact.status,
      problem: fact.reason ?? null,
      createdAt: fact.createdAt,
    };
    if (fact.type === "verdict") {
      const { number, pass = null, asking = null, tiebreak = false } = fact;
      const [order, winner] = [fact.order.map(nameOf), nameOf(fact.winner)];
      return [{ ...judge, ...NONE, number, pass, asking, tiebreak, order, winner, ...said }];
    }
    const { message: seq, total = null, scale, weights } = fact;
    const contestant = nameOf(fact.participant);
    const criteria = Object.entries(fact.criteria).map(([criterion, score]) => ({
      criterion,
      score,
      weight: weights[criterion] ?? null,
    }));
    return [{ ...judge, ...NONE, seq, contestant, total, scale, criteria, ...said }];
  });
}

/** Guards whose rejected drafts are no comparable answers. */
const NO_WORDS: ReadonlySet<string> = new Set(["empty", "refused", "unreadable"]);

/** Returns accepted turns as chats: the prompt and the reply. */
export async function chatRows(exported: Exported): Promise<Row[]> {
  const { contents, result, winnersOnly, leaveOut } = exported;
  const prompts = await exported.prompts();
  return messagesOf(contents.facts).flatMap((message) => {
    const prompt = prompts.get(message.turn);
    const contestant = contestantOf(exported, message.participant);
    const won = result.winner === undefined || result.winner === null
      ? null
      : result.winner === contestant;
    const why = exclusionReason(exported, message, prompt) ??
      (winnersOnly && won !== true ? "the speaker did not win" : undefined);
    if (why !== undefined) {
      leaveOut(why);
      return [];
    }
    const said = { role: "assistant", content: message.body };
    return [{ messages: [...chat(prompt!), said], ...turnColumns(exported, message), won }];
  });
}

/** Returns a row per rejected draft, paired with the accepted turn; both answer the turn's prompt. */
export async function preferenceRows(exported: Exported): Promise<Row[]> {
  const { contents, leaveOut } = exported;
  const prompts = await exported.prompts();
  const rejected = Map.groupBy(
    contents.facts.filter((fact) => fact.type === "rejected"),
    ({ turn }) => turn,
  );
  const messages = new Map(messagesOf(contents.facts).map((message) => [message.turn, message]));
  return [...rejected].flatMap(([turn, drafts]) => {
    const message = messages.get(turn);
    const prompt = prompts.get(turn);
    return drafts.flatMap((draft) => {
      const why = message === undefined
        ? "no draft of the turn was accepted"
        : exclusionReason(exported, message, prompt) ?? incomparableReason(draft, message);
      if (why !== undefined) {
        leaveOut(why);
        return [];
      }
      return [{
        prompt: chat(prompt!),
        chosen: [{ role: "assistant", content: message!.body }],
        rejected: [{ role: "assistant", content: draft.body }],
        ...turnColumns(exported, message!),
        guard: draft.guard,
        attempt: draft.attempt,
        attempts: message!.attempts,
      }];
    });
  });
}

function chat({ messages }: RecordedPrompt): Row[] {
  return messages.map(({ role, content }) => ({ role, content }));
}

function turnColumns(exported: Exported, message: Message): Row {
  const { turn, seq, participant, role, phase, round, model } = message;
  const contestant = contestantOf(exported, participant);
  return { debateId: debateId(exported), turn, seq, contestant, role, phase, round, model };
}

/** Returns the reason why a draft is not comparable with the accepted turn; undefined if it is. */
function incomparableReason({ guard, body }: Rejection, message: Message): string | undefined {
  if (NO_WORDS.has(guard) || body.trim() === "") return "the draft has no words of an answer";
  return body === message.body ? "the draft has the words of the accepted turn" : undefined;
}

/** Returns the reason why a turn is not usable as an answer to its prompt; undefined if it is. */
function exclusionReason(
  { contents: { start, facts }, allow }: Exported,
  message: Message,
  prompt: RecordedPrompt | undefined,
): string | undefined {
  const { model, edited, marks, folded, turn } = message;
  if (model === "template") return "the words are a template's";
  if (model === HUMAN) return "the words are a person's";
  if (edited === true) return "the turn was edited";
  if (marks.length > 0) return "the turn breaks a rule or was cut";
  if (start.papers !== undefined) return "prompts that show papers cannot be built again";
  if (folded !== undefined) return "the prompt had a summary instead of older turns";
  if (prompt === undefined) return "the prompt could not be built again";
  if (prompt.structured) return "the reply had fields besides the speech";
  if (toolTurns(facts).has(turn)) return "the model called tools";
  if (prompt.hasSources && !allow.has("sources")) return "the prompt shows sources";
  const hasPeople = start.participants.some((each) => each.model === HUMAN) ||
    prompt.shown.some((each) => each.model === HUMAN);
  return hasPeople && !allow.has("people") ? "the prompt shows people or their words" : undefined;
}

/** Returns the keys of turns in which the model called tools; memoized. */
const toolTurns = memoByObject((facts: Exported["contents"]["facts"]): ReadonlySet<string> =>
  new Set(
    facts.flatMap((fact) =>
      fact.type === "lookup" && fact.number <= LAST_OWN_LOOK_UP ? [fact.turn] : []
    ),
  )
);
