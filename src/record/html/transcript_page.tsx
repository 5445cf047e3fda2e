// Transcripts as one page of HTML that needs no other file: the parts of the viewer's pages, without script and forms.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import {
  kindWords,
  outlineTranscript,
  statusSentence,
  type TranscriptRecord,
  usageSentence,
} from "../transcript_outline.ts";
import { contents, type PageSection } from "./contents.tsx";
import { time } from "./markup.tsx";
import { leftSide, messageMarkup } from "./message.tsx";
import { castList, outcomeSection } from "./outcome.tsx";
import { standalonePage } from "./standalone_page.tsx";

/** A convening as one page of HTML: no script, no image, nothing loaded; links lead only to http, https and mailto. */
export async function renderHtmlTranscript(record: TranscriptRecord): Promise<string> {
  const { start } = record;
  const { kind, topic, startedAt, parent } = start;
  const outline = outlineTranscript(record);
  const hrefOf = (seq: number) => `#message-${seq}`;
  const sentences = [
    statusSentence(record),
    ...parent === undefined ? [] : [`Forked from ${parent.dir} after message ${parent.seq}.`],
  ];
  return await standalonePage(
    topic,
    <div id="convening">
      {contents(start, { sections: SECTIONS, shown: outline.entries })}
      <div class="convening">
        <h1 dir="auto">{topic}</h1>
        <p>{`${kindWords(kind)} · `}{time(startedAt)}{` · ${sentences.join(" ")}`}</p>
        {outcomeSection(record, outline, hrefOf)}
        <section aria-labelledby="participants">
          <h2 id="participants">Participants</h2>
          {castList(start)}
        </section>
        <section aria-labelledby="exchange">
          <h2 id="exchange">The exchange</h2>
          <div class="exchange" data-left={leftSide(start, outline.entries)}>
            {
              // Private thoughts and rejected attempts were not said.
              outline.entries.map(({ draft: _draft, ...entry }) =>
                messageMarkup({ ...entry, rejected: [] }, { start, hrefOf })
              )
            }
          </div>
        </section>
        <p class="note">{usageSentence(outline.result)}</p>
      </div>
    </div>,
  );
}

const SECTIONS: readonly PageSection[] = [
  { anchor: "result", name: "Outcome" },
  { anchor: "participants", name: "Participants" },
  { anchor: "exchange", name: "The exchange" },
];
