// Formats progress lines by type of event, and the figures in them.
import type { ConveningEvent } from "../core/event.ts";
import { fieldOf } from "../core/turn.ts";
import { type Choice, endWords, LAST_OWN_LOOK_UP, type Stance } from "../core/fact.ts";
import type { LimitName } from "../core/limit.ts";
import { counted, plainLine, plainText, proseLine, thousands } from "../core/text.ts";
import { type Message, money, type Usage } from "../core/message.ts";
import { ownGist } from "../record/index_pages.ts";
import { checkWords } from "../record/words.ts";

type LinesByType = {
  readonly [T in ConveningEvent["type"]]?: (
    event: Extract<ConveningEvent, { readonly type: T }>,
    nameOf: NameOf,
  ) => string | undefined;
};

/** Returns a participant's name by id; the id itself for other ids, such as a proposal's. */
type NameOf = (id: string) => string;

const LIMIT_WORDS: Readonly<Record<LimitName, (max: number) => string>> = {
  maxTurns: (max) => counted(max, "turn"),
  maxDuration: (max) => `${thousands(max / 1000)} s`,
  maxTokens: (max) => `${thousands(max)} tokens`,
  maxCost: (max) => `$${max}`,
};

/** Stages of a paper debate whose result is a message or a failure, which has a line of its own. */
const SHOWN_BY_MESSAGES: readonly string[] = [
  "questions_generated",
  "postures_generated",
  "debater_complete",
  "debater_error",
  "debate_complete",
  "judging_complete",
  "report_complete",
];

/** Lines that are shown on a terminal and in a pipe. */
const NOTES: LinesByType = {
  "convening-resume": ({ replayed, usage }) =>
    `resumed after ${counted(replayed, "message")}, ${soFar(usage)}`,
  "turn-fail": ({ failure }) => `turn ${failure.seq} failed: ${failure.message}`,
  "limit-warning": ({ limit, max }) =>
    `80 % of the limit of ${LIMIT_WORDS[limit](max)} is used or reserved`,
  stop: ({ stop }) => `stopped early: ${endWords(stop.reason)}`,
  stage: ({ name, data }) => {
    if (SHOWN_BY_MESSAGES.includes(name)) return undefined;
    if (name === "question_selected") return "--pick N or --question TEXT chooses another question";
    const about = ["leftOut", "posture"].flatMap((key) => fieldOf(data, key) ?? []);
    return [words(name), about.join(", ")].filter((each) => each !== "").join(": ");
  },
  "fact-check": ({ factCheck }) => {
    const why = factCheck.reason === undefined ? "" : `, ${factCheck.reason}`;
    return `message ${factCheck.message}, ${checkWords(factCheck)}${why}`;
  },
  lookup: ({ lookup: { number, tool, args, failed, result } }) => {
    const dir = fieldOf(args, "dir");
    const shown = typeof dir === "string" ? dir : "";
    if (tool === "memory") return `an earlier convening is quoted: ${shown}`;
    // The line of a fact check has the failures of its searches.
    return failed && tool === "webSearch" && number <= LAST_OWN_LOOK_UP ? result : undefined;
  },
};

/** Lines that are shown only on a terminal. */
const DETAILS: LinesByType = {
  "phase-start": ({ phase }) => `── ${phase} ──`,
  interruption: ({ about }) => `an interruption about message ${about}`,
  interjection: () => "an interjection from the audience",
  stance: ({ stance }, nameOf) => stanceLine(stance, nameOf),
  choice: ({ choice }, nameOf) => choiceLine(choice, nameOf),
};

/** Returns the line of an event on a terminal (`live`) or in a pipe; undefined for none. */
export function lineOf(event: ConveningEvent, live: boolean, nameOf: NameOf): string | undefined {
  const lines = live ? { ...NOTES, ...DETAILS } : NOTES;
  // The cast is safe: the function is looked up by the event's own type.
  const line = lines[event.type] as ((...of: [ConveningEvent, NameOf]) => string) | undefined;
  return line?.(event, nameOf);
}

export function words(kind: string): string {
  return kind.replaceAll("_", " ");
}

export function tokensOf(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens;
}

function soFar(usage: Usage): string {
  return `${thousands(tokensOf(usage))} tokens and ${
    usage.costUsd === "unknown" ? "unknown cost" : money(usage)
  } so far`;
}

export function liveLine(message: Message, usage: Usage): string {
  return `  ${message.seq} · ${thousands(message.usage.outputTokens)} tokens in this turn · ${
    soFar(usage)
  }`;
}

/** Formats a message as one line: number, phase, round, speaker, kind, usage so far, and the gist (the first sentence). */
export function pipedLine(message: Message, usage: Usage): string {
  const { seq, phase, round, name, kind } = message;
  const where = round === 0 ? phase : `${phase} ${round}`;
  const said = proseLine(ownGist(plainText(message.body)));
  const parts = [seq, where, name, words(kind), soFar(usage), said];
  return `${plainLine(parts.join(" · "))}\n`;
}

function stanceLine({ participant, status, stances, reason }: Stance, nameOf: NameOf): string {
  if (status === "unread") {
    return `${nameOf(participant)}: a stance that could not be read, ${reason ?? ""}`;
  }
  const held = ["agree", "disagree", "abstain"].flatMap((stance) => {
    const on = stances.filter((each) => each.stance === stance).map((each) => nameOf(each.on));
    return on.length === 0 ? [] : [`${stance} on ${on.join(", ")}`];
  });
  return `${nameOf(participant)}: ${held.join("; ") || "no stance"}`;
}

/** Formats the choice of the next speaker, and a judge's view before the debate; undefined for other choices. */
function choiceLine({ kind, participant, value }: Choice, nameOf: NameOf): string | undefined {
  const id = fieldOf(value, kind === "baseline" ? "winner" : "speaker");
  const name = typeof id === "string" ? nameOf(id) : undefined;
  if (kind === "baseline") return `${nameOf(participant)}, before the debate: ${name ?? "no side"}`;
  return kind === "next_speaker" && name !== undefined ? `next: ${name}` : undefined;
}

/** Formats a question to a person: whole if the person's next words answer it, else its beginning. */
export function waitLine(name: string, task: string, isNext: boolean): string {
  const [when, what] = isNext ? ["", task] : [" after that", plainLine(task, 140)];
  return `waiting for ${name}${when}: ${what}`;
}
