// The messages of a convening on its page, and the turns that are being spoken.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import { type Message, money } from "../core/message.ts";
import type { ConveningStart } from "../core/event.ts";
import { counted } from "../core/text.ts";
import { wordsIn } from "../core/words.ts";
import type { SpokenTurn } from "../operations/watching.ts";
import { type Markup, own } from "../record/html/markup.tsx";
import { type MessageContext, sideOf } from "../record/html/message.tsx";
import { halvesOf } from "../record/transcript_outline.ts";
import { paperHrefOf } from "./paper_text_page.tsx";
import { mostTurns, roundsOf } from "./standing.tsx";

/** The number of messages on a page. */
export const MESSAGES_A_PAGE = 200;

/** The page of the exchange that shows a message, from 1. */
export function pageOf(seq: number): number {
  return Math.max(1, Math.ceil(seq / MESSAGES_A_PAGE));
}

/** The URL of a message. */
export function messageHref(id: string, seq: number): string {
  const page = pageOf(seq);
  return `/convenings/${id}${page <= 1 ? "" : `?page=${page}`}#message-${seq}`;
}

/** The URL of a file of a convening. */
export function fileHref(id: string, path: string): string {
  return `/api/convenings/${id}/files/${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** Messages as the page of a convening shows them: with links to the file and to a fork. */
export function messageContext(
  id: string,
  start: ConveningStart,
  pathOf: (message: Parameters<NonNullable<MessageContext["footerOf"]>>[0]["message"]) => string,
): MessageContext {
  return {
    start,
    hrefOf: (seq) => messageHref(id, seq),
    paperHref: start.kind === "paper-debate" ? paperHrefOf(id) : undefined,
    footerOf: ({ message }) => (
      <>
        <a href={fileHref(id, pathOf(message))}>
          File<span class="unseen">{` of message ${message.seq}`}</span>
        </a>
        <a href={`/convenings/${id}/fork?seq=${message.seq}`}>
          Fork from here<span class="unseen">{`, after message ${message.seq}`}</span>
        </a>
        <span>{madeWords(message)}</span>
      </>
    ),
  };
}

/** The length of a message, and the time and the cost of its making. */
function madeWords(message: Message): string {
  const { latencyMs, usage } = message;
  return [
    counted(wordsIn(message), "word"),
    ...latencyMs < 100 ? [] : [`${(latencyMs / 1000).toFixed(1)} s`],
    ...usage.costUsd === "unknown" || usage.costUsd === 0 ? [] : [money(usage)],
  ].join(" · ");
}

/** The facts that the script needs to show a turn as it is spoken. */
interface LivePlan {
  /** The number of rounds; 0 if it is not known. */
  readonly rounds: number;
  /** The number of turns in words, such as ` of 27`; empty if it is not known. */
  readonly most: string;
  /** The side of each participant that is on one. */
  readonly sides: Readonly<Record<string, number>>;
  /** The kinds of turns that are shown side by side. */
  readonly halves: readonly string[];
}

/** The plan of a convening's turns, for the script. */
export function livePlan(start: ConveningStart): LivePlan {
  const sides = start.participants.flatMap(({ id }) => {
    const side = sideOf(start, id);
    return side === undefined ? [] : [[id, side] as const];
  });
  return {
    rounds: roundsOf(start),
    most: mostTurns(start),
    sides: Object.fromEntries(sides),
    halves: halvesOf(start),
  };
}

/** A turn that is being spoken, with the words so far; the script appends more. */
export function draftMarkup({ turn, text }: SpokenTurn, { sides, halves }: LivePlan): Markup {
  const kind = turn.kind.replaceAll("_", " ");
  return (
    <div
      class={`message draft${halves.includes(turn.kind) ? " half" : ""}`}
      data-side={Object.hasOwn(sides, turn.participant) ? sides[turn.participant] : undefined}
      data-turn={turn.turn}
      data-seq={turn.seq}
    >
      <p class="heading">
        {own(turn.name)}{" "}
        <span class="note">{`${kind}, ${text === "" ? "next to speak" : "speaking"}`}</span>
      </p>
      <p class="words" dir="auto">{text}</p>
    </div>
  );
}
