// The contents of a convening's page: its sections, and the phases, rounds and messages of the exchange.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import type { ConveningStart } from "../core/record.ts";
import { type Markup, own } from "../record/html/markup.tsx";
import { sideOf } from "../record/html/message.tsx";
import type { TranscriptEntry } from "../record/transcript_outline.ts";
import { partTitle } from "../record/transcript_outline.ts";

/** A section of the page: the id of its heading, and its name. */
export interface PageSection {
  readonly anchor: string;
  readonly name: string;
}

/** Links to the sections and to the messages that the page shows; the script adds what is said later. */
export function contents(
  start: ConveningStart,
  { sections, shown }: {
    readonly sections: readonly PageSection[];
    readonly shown: readonly TranscriptEntry[];
  },
): Markup {
  return (
    <nav class="contents" aria-label="Contents">
      <ul role="list">
        {sections.map(({ anchor, name }) => (
          <li>
            <a href={`#${anchor}`}>{name}</a>
          </li>
        ))}
      </ul>
      <ul id="outline" role="list">
        {shown.map(({ message, opens }) => (
          <>
            {opens && (
              <li>
                <a href={`#part-${message.seq}`}>{partTitle(message)}</a>
              </li>
            )}
            <li class="turn" data-side={sideOf(start, message.participant)}>
              <a href={`#message-${message.seq}`}>{`${message.seq} `}{own(message.name)}</a>
            </li>
          </>
        ))}
      </ul>
    </nav>
  );
}
