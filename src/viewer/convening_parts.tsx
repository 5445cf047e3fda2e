// Parts that the viewer's page and the site of a convening share: links, messages, turns in progress, participants, brief
// and points.
/** @jsxImportSource hono/jsx */
import { HUMAN } from "../core/agent.ts";
import { withoutFrontMatter } from "../record/frontmatter.ts";
import { factPath, namingOf } from "../record/codec.ts";
import type { ConveningStart } from "../core/event.ts";
import { memoByObject } from "../core/values.ts";
import { type Message, money } from "../core/message.ts";
import { counted, durationText } from "../core/text.ts";
import { wordCountOf } from "../core/words.ts";
import { isWrittenBlind } from "../debate/rules.ts";
import { fatesOf, type FlowSheet, type NotedPoint, unnotedWords } from "../debate/flow_sheet.ts";
import type { Convening } from "../operations/convening.ts";
import type { SpokenTurn } from "../operations/watching.ts";
import {
  bidi,
  column,
  type Markup,
  type PaperHref,
  said,
  wideTable,
} from "../record/html/markup.tsx";
import type { MessageContext, PageSection } from "../record/html/message.tsx";
import { participantList } from "../record/html/outcome.tsx";
import { SIDE_KINDS, sideBySideKinds } from "../record/transcript_outline.ts";
import { sideOf } from "../core/participant.ts";
import { nameOf } from "../record/words.ts";
import type { ConveningView } from "./standing.tsx";

export const MESSAGES_A_PAGE = 200;

/** Returns the page of the exchange that shows a message, from 1. */
export function pageOf(seq: number): number {
  return Math.max(1, Math.ceil(seq / MESSAGES_A_PAGE));
}

export function messageHref(id: string, seq: number): string {
  const page = pageOf(seq);
  return `/convenings/${id}${page <= 1 ? "" : `?page=${page}`}#message-${seq}`;
}

/** Returns the URL of a file of a convening; `path` begins at the convening's directory. */
export function fileHref(id: string, path: string): string {
  return `/api/convenings/${id}/files/${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** Number of characters in a part of a long paper. */
export const PART = 200_000;

/** Returns the part of a paper, from 1, that contains the character at `start`. */
export function paperPart(start: number): number {
  return Math.floor(start / PART) + 1;
}

export function placeId(start: number): string {
  return `at-${start}`;
}

/** Returns a function that gives the URL of a character of a convening's paper. */
export function paperHrefOf(id: string): PaperHref {
  return (paper, start) => {
    const part = paperPart(start);
    const path = `/convenings/${id}/papers/${encodeURIComponent(paper)}`;
    return `${path}${part === 1 ? "" : `?part=${part}`}#${placeId(start)}`;
  };
}

/** Returns the context for messages on the page of a convening, with links to the file and, unless read-only, to a fork. */
export function messageContext(
  { id, start, isReadOnly, withheld, convening }: ConveningView,
): MessageContext {
  const naming = namingOf(convening);
  return {
    start,
    hrefOf: (seq) => messageHref(id, seq),
    whyFolded: ({ seq }) => withheld.get(seq),
    paperHref: start.kind === "paper-debate" ? paperHrefOf(id) : undefined,
    footerOf: ({ message }) => (
      <>
        <a href={fileHref(id, factPath(message, naming))}>
          File<span class="unseen">{` of message ${message.seq}`}</span>
        </a>
        {!isReadOnly && (
          <a href={`/convenings/${id}/fork?seq=${message.seq}`}>
            Fork from here<span class="unseen">{`, after message ${message.seq}`}</span>
          </a>
        )}
        <span>{madeWords(message)}</span>
      </>
    ),
  };
}

function madeWords(message: Message): string {
  const { latencyMs, usage } = message;
  return [
    counted(wordCountOf(message), "word"),
    ...latencyMs < 100 ? [] : [`${(latencyMs / 1000).toFixed(1)} s`],
    ...usage.costUsd === "unknown" || usage.costUsd === 0 ? [] : [money(usage)],
  ].join(" · ");
}

/** Returns the turns in progress with the words so far, if others may know them; the script appends more. */
export function draftsPart({ start, spoken }: Pick<ConveningView, "start" | "spoken">): Markup {
  return <div id="speaking" class="speaking">{spoken.map((each) => draft(each, start))}</div>;
}

function draft({ turn, text }: SpokenTurn, start: ConveningStart): Markup {
  const { kind, participant, name, seq } = turn;
  const { configuration, participants } = start;
  // A person must not know the words of a turn at the same time.
  const isBlind = start.kind === "debate" && participants.some(({ model }) => model === HUMAN) &&
    SIDE_KINDS.includes(kind) && isWrittenBlind(configuration, kind);
  return (
    <div
      class={`message draft${sideBySideKinds(start).includes(kind) ? " half" : ""}`}
      data-side={sideOf(start, participant)}
      data-turn={turn.turn}
      data-seq={seq}
      data-blind={isBlind ? "" : undefined}
    >
      <p class="heading">
        {bidi(name)}{" "}
        <span class="note">
          {`${kind.replaceAll("_", " ")}, ${text === "" ? "next to speak" : "speaking"}`}
        </span>
      </p>
      <p class="words" dir="auto">{isBlind ? "" : text}</p>
    </div>
  );
}

/** Returns the number of words of messages, the sum of the numbers that the messages show. */
export function wordCount(messages: readonly Message[]): number {
  return messages.reduce((sum, each) => sum + wordCountOf(each), 0);
}

/** Returns the numbers of messages, words and minutes of a convening, as text; memoized by the object. */
export const lengthOf: (convening: Convening) => string = memoByObject(({ start, messages }) => {
  const words = wordCount(messages);
  const last = messages.at(-1)?.createdAt ?? start.startedAt;
  const minutes = Math.round((Date.parse(last) - Date.parse(start.startedAt)) / 60_000);
  return [
    counted(messages.length, "message"),
    counted(words, "word"),
    ...minutes <= 0 ? [] : [durationText(minutes)],
  ].join(", ");
});

export function castPart(start: ConveningStart): Markup {
  const { participants, judges } = start;
  return (
    <details class="cast">
      <summary>
        {counted(participants.length, "participant")}
        {judges.length > 0 && `, ${counted(judges.length, "judge")}`}
      </summary>
      {participantList(start)}
    </details>
  );
}

/** Returns the brief of a record with a link to the file; links to messages lead to the messages on the page. */
export function briefPart(brief: string | undefined, href: string): Markup {
  if (brief === undefined) return <></>;
  const words = withoutFrontMatter(brief).replace(/^# .*\n/, "")
    // The page already shows the outcome.
    .replace(/^## Outcome\n[\s\S]*?(?=^## )/m, "")
    .replace(/^\[index\.md\].*$/m, "")
    // Links to other files of the record would not work on this page, so only their text stays.
    .replace(/(?<!\\)\[((?:[^[\]\\\n]|\\.)+)\]\((?!messages\/)[\w/-]+\.md\)/g, "$1");
  return (
    <section aria-labelledby="brief">
      <h2 id="brief">Brief</h2>
      {said(words, { isPage: true })}
      <p class="note">
        <a href={href}>brief.md</a>
      </p>
    </section>
  );
}

export function argumentsPart(
  start: ConveningStart,
  flow: FlowSheet | undefined,
  { hrefOf, fileOf }: {
    hrefOf(seq: number): string;
    fileOf(name: string): string;
  },
): Markup {
  if (flow === undefined) return <></>;
  return (
    <section aria-labelledby="arguments">
      <h2 id="arguments">Arguments</h2>
      {flowTable(start, flow, hrefOf)}
      <p class="note">
        <a href={fileOf("arguments.md")}>arguments.md</a>
        {" · "}
        <a href={fileOf("arguments.json")}>arguments.json</a>
      </p>
    </section>
  );
}

const MOST_ROWS = 100;

function flowTable(
  start: ConveningStart,
  sheet: FlowSheet,
  hrefOf: (seq: number) => string,
): Markup {
  const { points, roots, dropped, conceded } = sheet;
  const unnoted = unnotedWords(sheet);
  if (points.length === 0) return <p class="note">The note-taker wrote down no point.</p>;
  const made = new Set(points.map(({ participant }) => participant));
  const sides = start.participants.filter(({ id }) => made.has(id));
  const all = [...new Set(points.flatMap(({ id }) => roots.get(id) ?? []))];
  const fates = fatesOf(sheet);
  const cell = (root: string, side: string) =>
    points.filter(({ id, participant }) => participant === side && roots.get(id)?.includes(root))
      .map((point) => pointItem(point, fates.get(point.id), hrefOf));
  return (
    <>
      <p class="note">
        {`${
          counted(points.length, "point")
        }, as a note-taker wrote them down: ${dropped.length} dropped, ${conceded.length} conceded${
          unnoted && `; ${unnoted}`
        }. A point is dropped if another side could have answered the point and nobody did.`}
      </p>
      {wideTable({
        label: "Flow sheet",
        class: "flow",
        columns: [
          column("Argument"),
          ...sides.map(({ id }) => column(bidi(nameOf(start, id)), sideOf(start, id))),
        ],
        rows: all.slice(0, MOST_ROWS).map((root) => [
          root,
          sides.map(({ id }) => (
            <td class="words">
              <ul role="list">{cell(root, id)}</ul>
            </td>
          )),
        ]),
      })}
      {all.length > MOST_ROWS && (
        <p class="note">{`${all.length - MOST_ROWS} more arguments are in the record's pages.`}</p>
      )}
    </>
  );
}

function pointItem(
  { id, seq, kind, answers, text }: NotedPoint,
  fate: string | undefined,
  hrefOf: (seq: number) => string,
): Markup {
  const reference = answers.length === 0 ? "" : ` ${[kind, ...answers].join(" ")}`;
  return (
    <li>
      <a href={hrefOf(seq)}>
        {id}
        <span class="unseen">{`, message ${seq}`}</span>
      </a>
      <span class="note">{reference}</span> {bidi(text)}
      {fate !== undefined && (
        <>
          {" "}
          <span class="mark" data-verdict={fate === "dropped" ? "unverifiable" : "false"}>
            {fate}
          </span>
        </>
      )}
    </li>
  );
}

export function sectionsOf(
  has: Readonly<Record<"outcome" | "report" | "brief" | "arguments", boolean>>,
): readonly PageSection[] {
  const all = [
    [has.outcome, "result", "Outcome"],
    [has.report, "report-title", "Report"],
    [has.brief, "brief", "Brief"],
    [true, "exchange-title", "The exchange"],
    [has.arguments, "arguments", "Arguments"],
    [true, "files", "Files"],
  ] as const;
  return all.flatMap(([isShown, anchor, name]) => isShown ? [{ anchor, name }] : []);
}

export function filesPart(
  note: string,
  names: readonly string[],
  hrefOf: (name: string) => string,
): Markup {
  return (
    <section aria-labelledby="files">
      <h2 id="files">Files</h2>
      <p class="note">{note}</p>
      <ul class="files" role="list">
        {names.map((name) => (
          <li>
            <a href={hrefOf(name)}>{name}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
