// The contents of a convening's page: its sections, and the phases, rounds and messages of the exchange.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import type { ConveningStart } from "../../core/event.ts";
import { type Markup, own } from "./markup.tsx";
import { sideOf } from "./message.tsx";
import { partTitle, type TranscriptEntry } from "../transcript_outline.ts";

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
  const list = (part: readonly PageSection[]) => (
    <ul role="list">
      {part.map(({ anchor, name }) => (
        <li>
          <a href={`#${anchor}`}>{name}</a>
        </li>
      ))}
    </ul>
  );
  // The outline follows the section that it is of.
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
              <a href={`#message-${message.seq}`}>{`${message.seq} `}{own(message.name)}</a>
            </li>
          </>
        ))}
      </ul>
      {sections.length > at && list(sections.slice(at))}
    </nav>
  );
}
