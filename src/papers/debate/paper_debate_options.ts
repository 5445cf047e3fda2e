// Options of a paper debate: defaults, the cast, and the choice of the question.
import { z } from "zod";
import type { CommonConfig, PaperDebateConfig } from "../../config/convening_config.ts";
import { defaultsOf } from "../../config/setting.ts";
import { SETTINGS } from "../../config/settings.ts";
import { choiceQuestion, fieldOf, type Question } from "../../core/turn.ts";
import { ConfigurationError } from "../../core/error.ts";
import type { Choice } from "../../core/fact.ts";
import { createParticipant, type Participant } from "../../core/participant.ts";
import { labelsOf, letters } from "../../core/prompt.ts";
import type { Retriever } from "../../core/search.ts";
import type { Tool } from "../../core/agent.ts";
import { checkWords } from "../../core/topic.ts";
import type { DebateJudge } from "../../debate/settings.ts";
import type { WorkflowOptions } from "../../engine/workflow_options.ts";
import type { PaperCharacters } from "../text/excerpt.ts";
import { LAST_QUESTION } from "../text/lists.ts";

/** Configuration keys for the rules of a paper debate. */
export type PaperDebateKeys =
  | "topic"
  | Exclude<
    keyof PaperDebateConfig,
    keyof CommonConfig | "kind" | "papers" | "title" | "judges" | "rubric" | "retrieval"
  >;

/** Options of a paper debate. Defaults: see `PAPER_DEBATE_DEFAULTS`. */
export interface PaperDebateOptions
  extends WorkflowOptions, Readonly<Pick<PaperDebateConfig, PaperDebateKeys | "rubric">> {
  /** Debaters, questioner and reporter; missing ones are created. @default as many debaters as postures */
  readonly participants?: readonly Participant[] | undefined;
  /** Judges. @default one judge with the convening's model */
  readonly judges?: readonly DebateJudge[] | undefined;
  /** Search for passages: by keywords, embeddings, both, or a custom retriever. @default "keyword" */
  readonly retrieval?: PaperDebateConfig["retrieval"] | Retriever;
  /** Given postures and topics. @default a model derives them from the papers */
  readonly given?:
    | { readonly postures: readonly string[]; readonly topics: readonly string[] }
    | undefined;
}

/** Defaults of a paper debate (context-network/rules/paper_debate.md). */
export const PAPER_DEBATE_DEFAULTS:
  & {
    readonly [
      K in
        | Exclude<PaperDebateKeys, "topic" | "question" | "paperCharacters" | "embeddingModel">
        | "retrieval"
        | "temperature"
        | "maxPromptTokens"
    ]: NonNullable<PaperDebateConfig[K]>;
  }
  & { readonly paperCharacters: PaperCharacters } = defaultsOf(SETTINGS, "paper-debate") as never;

/** Minimum and maximum number of postures. */
const POSTURE_COUNT = { min: 2, max: 8 } as const;

const ROLES = ["questioner", "debater", "reporter"] as const;

export interface PaperCast {
  readonly questioner: Participant;
  /** Debaters, one per posture. */
  readonly debaters: readonly Participant[];
  readonly reporter: Participant;
  /** All participants: questioner, debaters, reporter. */
  readonly all: readonly Participant[];
  /** Names of participants in prompts, by id. */
  readonly labels: ReadonlyMap<string, string>;
}

/** Returns the cast of a paper debate; adds tools to debaters that lack them. Throws a `ConfigurationError`. */
export function castOf(options: PaperDebateOptions, tools: readonly Tool[]): PaperCast {
  const { participants = [], postures, model } = options;
  const wanted = options.given?.postures.length ?? postures ?? PAPER_DEBATE_DEFAULTS.postures;
  checkRoles(participants);
  participants.forEach(checkNoPosition);
  const given = participants.filter(({ role }) => role === "debater").length;
  const cast = withDefaultParticipants(participants, given > 0 ? given : wanted);
  if (given > 0) checkCount(given, postures);
  const one = (role: string) => cast.find((each) => each.role === role)!;
  const debaters = cast.filter(({ role }) => role === "debater")
    .map((each) => ({ ...each, tools: withTools(each, tools) }));
  const [questioner, reporter] = [one("questioner"), one("reporter")];
  const all = [questioner, ...debaters, reporter];
  const labels = labelsOf(
    all.map((each) => ({ ...each, model: each.agent?.model ?? each.model ?? model })),
  );
  return { questioner, debaters, reporter, all, labels };
}

/** Returns the participants with defaults for a missing questioner, missing debaters and a missing reporter. */
export function withDefaultParticipants(
  given: readonly Participant[],
  debaters: number,
): Participant[] {
  const has = (role: string) => given.some((each) => each.role === role);
  const one = (role: string, name: string) => has(role) ? [] : [createParticipant({ name, role })];
  return [
    ...one("questioner", "Questioner"),
    ...given,
    ...has("debater") ? [] : Array.from({ length: debaters }, (_, index) => defaultDebater(index)),
    ...one("reporter", "Reporter"),
  ];
}

/** Creates Debater A, Debater B and so on. */
function defaultDebater(index: number): Participant {
  return createParticipant({
    name: `Debater ${letters(index)}`,
    role: "debater",
    agentConfig: { id: `debater-${letters(index).toLowerCase()}` },
  });
}

function withTools({ tools: own = [] }: Participant, tools: readonly Tool[]): readonly Tool[] {
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...tools.filter(({ name }) => !names.has(name))];
}

/** Throws a `ConfigurationError` for a participant with a position, because postures assign the positions. */
export function checkNoPosition({ name, position }: Participant): void {
  if (position === undefined) return;
  const message = `Cannot use position of "${name}": positions of debaters come from the papers`;
  throw new ConfigurationError(message, {
    field: "position",
    hint: "Leave position out; persona and systemPrompt say how a debater argues.",
  });
}

function checkRoles(participants: readonly Participant[]): void {
  const roles: readonly string[] = ROLES;
  const odd = participants.find(({ role }) => !roles.includes(role));
  const twice = ["questioner", "reporter"].find((role) =>
    participants.filter((each) => each.role === role).length > 1
  );
  if (odd === undefined && twice === undefined) return;
  const message = odd === undefined
    ? `Cannot hold a paper debate with two of the role ${twice}`
    : `Cannot give "${odd.name}" a part in a paper debate: its role is ${odd.role}`;
  throw new ConfigurationError(message, {
    field: "participants",
    hint: "The roles are debater, and at most one questioner, reporter and fact_checker.",
  });
}

function checkCount(debaters: number, postures: number | undefined): void {
  const { min, max } = POSTURE_COUNT;
  if (debaters < min || debaters > max) {
    throw new ConfigurationError(`Cannot hold a paper debate of ${debaters} debaters`, {
      field: "participants",
      hint: `Give ${min} to ${max}, or none: then there are as many as postures.`,
    });
  }
  if (postures === undefined || postures === debaters) return;
  throw new ConfigurationError(
    `Cannot take ${postures} postures: ${debaters} debaters take part`,
    { field: "postures", hint: "Leave postures out, or give as many as debaters." },
  );
}

/** Minimum and maximum code points of a question (context-network/rules/every_convening.md). */
const [LEAST, MOST] = [10, 1000] as const;

/** Returns the trimmed question. Throws a `ConfigurationError` unless it has 10 to 1,000 code points and no control characters. */
export function checkQuestion(question: string): string {
  const text = question.trim().replace(/\s+/gu, " ");
  const length = [...text].length;
  if (length >= LEAST && length <= MOST) return checkWords(text, "question");
  throw new ConfigurationError(
    `Cannot use the question: it has ${length} characters, ${LEAST} to ${MOST} are allowed`,
    { field: "question", hint: `Ask in ${LEAST} to ${MOST} characters.` },
  );
}

/** Throws a `ConfigurationError` for a number above {@linkcode LAST_QUESTION}, before questions are generated. */
export function checkPickNumber(pick: number | "ask" | undefined): void {
  if (typeof pick !== "number" || pick <= LAST_QUESTION) return;
  throw new ConfigurationError(
    `Cannot debate question ${pick}: at most ${LAST_QUESTION} are proposed`,
    { field: "pick", hint: `Give 1 to ${LAST_QUESTION}.` },
  );
}

/** Returns the question that asks a person to pick a question; `attempt` counts from 1. */
export function pickQuestion(
  questions: readonly string[],
  { asked, attempt, task }: {
    readonly asked: string;
    readonly attempt: number;
    readonly task: string;
  },
): Question<PickReply, Choice> {
  return choiceQuestion({
    key: attempt === 1 ? "pick" : `pick/${attempt}`,
    seq: 2,
    asked,
    phase: "question",
    kind: "pick",
    round: 0,
    task,
    values: { questions: numbered(questions) },
    schema: { name: "pick", type: pickType(questions.length) },
    valueOf: (reply) => reply === undefined ? null : valueOf(reply, questions),
    reasonsOf: () => "",
  });
}

function valueOf({ question }: PickReply, questions: readonly string[]): object {
  return typeof question === "number"
    ? { pick: question, question: questions[question - 1] }
    : { pick: null, question: question.replace(/\s+/gu, " ").trim() };
}

/** A number of the list, or the text of another question. */
type PickReply = z.infer<ReturnType<typeof pickType>>;

function pickType(count: number) {
  const own = z.string().trim().refine(
    (text) => [...text].length >= LEAST && [...text].length <= MOST && !/\p{Cc}/u.test(text),
    `give a number from 1 to ${count}, or a question of ${LEAST} to ${MOST} characters`,
  );
  return z.object({ question: z.union([z.int().min(1).max(count), own]) });
}

/** Returns the picked question; undefined if the answer was unusable. */
export function pickedIn({ value }: Choice): string | undefined {
  const question = fieldOf(value, "question");
  return typeof question === "string" ? question : undefined;
}

/** Returns texts as a numbered list. */
export function numbered(texts: readonly string[]): string {
  return texts.map((text, index) => `${index + 1}. ${text}`).join("\n");
}
