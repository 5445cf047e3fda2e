// Renders a transcript as an HTML page, and the table of contents that the viewer's page of a convening also uses.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import type { ConveningStart } from "../../core/event.ts";
import {
  kindWords,
  leftSide,
  outlineTranscript,
  partTitle,
  sideOf,
  statusSentence,
  type TranscriptEntry,
  usageSentence,
} from "../transcript_outline.ts";
import type { RecordModel } from "../record_model.ts";
import { bidi, type Markup, standalonePage, time } from "./markup.tsx";
import { messageMarkup } from "./message.tsx";
import { outcomeSection, participantList } from "./outcome.tsx";

/** Renders a convening as an HTML page without script, images or other resources; links lead only to http, https and mailto. */
export async function renderHtmlTranscript(model: RecordModel): Promise<string> {
  const { start, progress, usage } = model;
  const { kind, topic, startedAt, parent } = start;
  const outline = outlineTranscript(model);
  const hrefOf = (seq: number) => `#message-${seq}`;
  const sentences = [
    statusSentence(progress),
    ...parent === undefined ? [] : [`Forked from ${parent.dir} after message ${parent.seq}.`],
  ];
  return await standalonePage(
    topic,
    <div id="convening">
      {contents(start, { sections: SECTIONS, shown: outline.entries })}
      <div class="convening">
        <h1 dir="auto">{topic}</h1>
        <p>{`${kindWords(kind)} · `}{time(startedAt)}{` · ${sentences.join(" ")}`}</p>
        {outcomeSection(model, outline, hrefOf)}
        <section aria-labelledby="participants">
          <h2 id="participants">Participants</h2>
          {participantList(start)}
        </section>
        <section aria-labelledby="exchange">
          <h2 id="exchange">The exchange</h2>
          <div class="exchange" data-left={leftSide(start, outline.entries)}>
            {
              // Drafts and rejected attempts were not spoken.
              outline.entries.map(({ draft: _draft, ...entry }) =>
                messageMarkup({ ...entry, rejected: [] }, { start, hrefOf })
              )
            }
          </div>
        </section>
        <p class="note">{usageSentence(usage)}</p>
      </div>
    </div>,
  );
}

const SECTIONS: readonly PageSection[] = [
  { anchor: "result", name: "Outcome" },
  { anchor: "participants", name: "Participants" },
  { anchor: "exchange", name: "The exchange" },
];

/** A section of the page: the id of its heading, and its name. */
export interface PageSection {
  readonly anchor: string;
  readonly name: string;
}

/** Renders links to the sections and the shown messages. A script of the viewer adds links to later messages. */
export function contents(
  start: ConveningStart,
  { sections, shown }: {
    readonly sections: readonly PageSection[];
    readonly shown: readonly TranscriptEntry[];
  },
): Markup {
  const list = (part: readonly PageSection[]) => (
    <ul role="list">
      {part.map(({ anchor, name }) => (
        <li>
          <a href={`#${anchor}`}>{name}</a>
        </li>
      ))}
    </ul>
  );
  // The list of messages follows the section that contains the messages.
  const at = sections.findIndex(({ anchor }) => anchor.startsWith("exchange")) + 1;
  return (
    <nav class="contents" aria-label="Contents">
      {at > 0 && list(sections.slice(0, at))}
      <ul id="outline" role="list">
        {shown.map(({ message, opens }) => (
          <>
            {opens && (
              <li>
                <a href={`#part-${message.seq}`}>{partTitle(message)}</a>
              </li>
            )}
            <li class="turn" data-side={sideOf(start, message.participant)}>
              <a href={`#message-${message.seq}`}>{`${message.seq} `}{bidi(message.name)}</a>
            </li>
          </>
        ))}
      </ul>
      {sections.length > at && list(sections.slice(at))}
    </nav>
  );
}
