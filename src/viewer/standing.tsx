// Standing of a convening on pages: the read models, the words for a standing, and the status panel.
/** @jsxImportSource hono/jsx */
import { type ConveningStart, mostMessages, type WaitedFor } from "../core/event.ts";
import { hasEnded, whyEnded } from "../core/fact.ts";
import { money, type Usage } from "../core/message.ts";
import type { FlowSheet } from "../debate/flow_sheet.ts";
import type { Convening } from "../operations/convening.ts";
import { isPickKey } from "../operations/picking.ts";
import type { SpokenTurn } from "../operations/watching.ts";
import type { ShownStatus } from "../operations/outputs.ts";
import { counted, headingWords, thousands } from "../core/text.ts";
import { type Markup, problem } from "../record/html/markup.tsx";
import { showsNewFork } from "../record/list.ts";
import { nameOf } from "../record/words.ts";

export type Standing = ShownStatus;

export interface ConveningView {
  readonly id: string;
  readonly start: ConveningStart;
  /** Question of a debate over papers, once it is known; else the topic. */
  readonly title: string;
  readonly standing: Standing;
  /** True for a fork that was never resumed, and that no process runs now. */
  readonly isNewFork: boolean;
  /** True if a process runs the convening, or waits in it for a person. */
  readonly isHeld: boolean;
  readonly waitingFor: readonly WaitedFor[];
  /** Position in the queue, from 1; absent unless queued. */
  readonly position?: number | undefined;
  /** Error that ended the run in this process. */
  readonly failure?: { readonly message: string; readonly hint?: string | undefined } | undefined;
  /** Known tasks of the people that the convening waits for, by the turn's key. */
  readonly tasks: ReadonlyMap<string, string>;
  /** Messages that a waiting person may not know before the turn, because the turns are written at the same time: reason by number. */
  readonly withheld: ReadonlyMap<number, string>;
  /** Turns in progress, if this process runs the convening. */
  readonly spoken: readonly SpokenTurn[];
  /** Current phase and round; absent before the first message. */
  readonly place?: { readonly phase: string; readonly round: number } | undefined;
  readonly usage: Usage;
  /** True on a read-only server: pages have no controls that change the archive or ask a model. */
  readonly isReadOnly: boolean;
  readonly convening: Convening;
  /** Text of `brief.md`. @default no brief was written, or the convening runs */
  readonly brief?: string | undefined;
  /** Points of the debate. @default no points were noted, or the convening runs */
  readonly flow?: FlowSheet | undefined;
  /** Names of the files in the directory, sorted. */
  readonly names: readonly string[];
  /** Number of the last event that the page shows. */
  readonly after: number;
}

export const STANDING_WORDS: Readonly<Record<Standing, string>> = {
  queued: "In the queue",
  running: "Live",
  waiting: "Waiting for a person",
  paused: "Paused",
  completed: "Completed",
  stopped: "Stopped early",
  failed: "Failed",
  interrupted: "Interrupted",
  unreadable: "Unreadable",
};

/** Returns true for a convening with an outcome; an interrupted one, such as a new fork, can still be resumed to its end. */
export function isOver(standing: Standing): boolean {
  return hasEnded(standing) || standing === "failed";
}

export function rowWords(
  row: { readonly status: Standing; readonly isNewFork?: boolean | undefined },
): string {
  return showsNewFork(row) ? "New fork" : STANDING_WORDS[row.status];
}

/** Returns a standing as a badge, with `more` after the words unless the badge is that of a new fork. */
export function standingBadge(status: Standing, more = "", isNewFork = false): Markup {
  return showsNewFork({ status, isNewFork })
    ? <span class="badge">{rowWords({ status, isNewFork })}</span>
    : <span class="badge" data-standing={status}>{STANDING_WORDS[status] + more}</span>;
}

/** Returns the number of turns in words, such as ` of 27`; empty if not known, or lower than that of the turn. */
function mostTurns({ start, convening }: ConveningView, turn: number): string {
  const { kind, configuration } = start;
  const most = mostMessages(start);
  if (most === undefined) return "";
  const { interruptions = "none", adaptive } = configuration;
  const isOpen = kind === "consensus" || interruptions !== "none" || adaptive === true;
  const unplanned = convening.messages.filter((each) => each.kind === "interjection").length;
  const all = most + unplanned;
  return turn > all ? "" : ` of ${isOpen ? "at most " : ""}${all}`;
}

/** Returns the title of the window: the topic or question, preceded by the state if the state needs attention. */
export function windowTitle({ standing, title }: ConveningView): string {
  const state = TITLES[standing];
  return state === undefined ? title : `${state} · ${title}`;
}

const TITLES: Readonly<Partial<Record<Standing, string>>> = {
  running: "Live",
  waiting: "Your turn",
  paused: "Paused",
  failed: "Failed",
};

/** Returns the panel that shows the standing of a convening; the script keeps the panel up to date. */
export function statusPanel(view: ConveningView): Markup {
  const { standing, position, failure, usage, start, isNewFork } = view;
  const { messages, result: { endReason } } = view.convening;
  const isEnded = isOver(standing);
  const isPick = view.waitingFor.some(({ turn }) => isPickKey(turn));
  const why = isEnded ? whyEnded({ status: standing, endReason }) : "";
  return (
    <section
      id="status"
      class="status"
      aria-label="Status"
      data-standing={standing}
      data-title={windowTitle(view)}
      data-messages={messages.length}
    >
      <p>
        {standingBadge(standing, why, isNewFork)}
        {isNewFork && !view.isReadOnly && (
          <>{" Resume continues after message "}{start.parent!.seq}.</>
        )}{" "}
        <span id="position">
          {position !== undefined &&
            `Number ${position} in the queue: it starts when another convening ends.`}
        </span>{" "}
        <span id="now">{nowWords(view)}</span>
      </p>
      <p class="note">
        <span id="count">{counted(messages.length, "message")}</span>
        {" · "}
        <span id="cost">
          {`${thousands(usage.inputTokens)} tokens read, ${thousands(usage.outputTokens)} written`}
          {` · ${usageCost(usage)}`}
        </span>
        {!isEnded && messages.length > 0 && (
          <>
            {" · "}
            <a href="#latest">To the latest message</a>
          </>
        )}
        {standing === "waiting" && !view.isReadOnly && (
          <>
            {" · "}
            <a href={isPick ? "#board" : "#controls"}>To your turn</a>
          </>
        )}
      </p>
      {failure !== undefined && problem(failure)}
      {!isEnded && (
        <noscript>
          <p class="note">
            <a href="">Load the page again</a> to see new messages.
          </p>
        </noscript>
      )}
    </section>
  );
}

function nowWords(view: ConveningView): string {
  const { standing, start, waitingFor, spoken, place, convening } = view;
  if (standing === "waiting") {
    if (waitingFor.some(({ turn }) => isPickKey(turn))) return "Next: pick the question";
    const waited = new Set(waitingFor.map(({ participant }) => participant));
    const names = [...waited].map((participant) => nameOf(start, participant));
    return names.length === 0 ? "" : `Next: ${names.join(", ")}`;
  }
  if (standing !== "running" || place === undefined) return "";
  const turns = spoken.map(({ turn, text }) =>
    `${text === "" ? "next" : "speaking"}: ${turn.name}, ${turn.kind.replaceAll("_", " ")}`
  );
  const seqs = spoken.length === 0
    ? [convening.messages.length]
    : spoken.map(({ turn }) => turn.seq);
  const seq = Math.min(...seqs);
  const turn = `turn ${seq}${mostTurns(view, seq)}`;
  const { phase, round } = place;
  const { roundCount } = start.configuration;
  const of = round <= Number(roundCount) ? ` of ${roundCount}` : "";
  const where = `${headingWords(phase)}${round === 0 ? "" : `, round ${round}${of}`}`;
  return [where, turn, ...turns].join(" · ");
}

/** Returns the cost in words; an unknown cost as "cost unknown". */
export function usageCost(usage: Usage): string {
  return usage.costUsd === "unknown" ? "cost unknown" : money(usage);
}
