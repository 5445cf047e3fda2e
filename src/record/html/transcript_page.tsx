// Transcripts as one page of HTML that needs no other file: the parts of the viewer's pages, without script and forms.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import { createHash } from "node:crypto";
import { raw } from "hono/html";
import { plainText } from "../../core/text.ts";
import {
  kindWords,
  outlineTranscript,
  statusSentence,
  type TranscriptRecord,
  usageSentence,
} from "../transcript_outline.ts";
import { messageMarkup } from "./message.tsx";
import { castList, outcomeSection } from "./outcome.tsx";
import style from "./style.css" with { type: "text" };

const STYLE_HASH = createHash("sha256").update(style).digest("base64");
const POLICY =
  `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

/** A convening as one page of HTML: no script, no image, nothing loaded; links lead only to http, https and mailto. */
export async function renderHtmlTranscript(record: TranscriptRecord): Promise<string> {
  const { start } = record;
  const { kind, topic, startedAt, parent } = start;
  const outline = outlineTranscript(record);
  const hrefOf = (seq: number) => `#message-${seq}`;
  const sentences = [
    `${kindWords(kind)}, begun ${startedAt}.`,
    statusSentence(record),
    ...parent === undefined ? [] : [`Forked from ${parent.dir} after message ${parent.seq}.`],
  ];
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={POLICY} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <title>{topic}</title>
        <style>{raw(style)}</style>
      </head>
      <body>
        <main>
          <h1 dir="auto">{topic}</h1>
          <p>{sentences.join(" ")}</p>
          {outcomeSection(record, outline, hrefOf)}
          <section aria-labelledby="participants">
            <h2 id="participants">Participants</h2>
            {castList(start)}
          </section>
          <section aria-labelledby="exchange">
            <h2 id="exchange">The exchange</h2>
            <div class="exchange">
              {
                // Private thoughts and rejected attempts were not said.
                outline.entries.map(({ draft: _draft, ...entry }) =>
                  messageMarkup({ ...entry, rejected: [] }, { start, hrefOf })
                )
              }
            </div>
          </section>
          <p class="note">{usageSentence(outline.result)}</p>
        </main>
      </body>
    </html>
  );
  // The whole page, because words of participants may name unseen characters by their numbers.
  return plainText(`<!DOCTYPE html>\n${await page}\n`);
}
